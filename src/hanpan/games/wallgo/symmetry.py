"""Wall Go's symmetries: the eight of the square board (d = k mod 8) times the ways to exchange the seats (k div 8).

Bit 0 of d mirrors left and right, bit 1 top and bottom, bit 2 then exchanges columns and rows.
"""

from __future__ import annotations

import numpy as np

from hanpan.core.rule import Record, rule
from hanpan.core.square import image_on_square

from .regions import NOWHERE, WORD
from .steps import STEP_X, STEP_Y, STEPS
from .table import MOST_PIECES, MOST_SEATS, ROLLING

SEATS = np.array([[0, 1, 2], [1, 0, 2], [0, 2, 1], [1, 2, 0], [2, 0, 1], [2, 1, 0]])  # the first two leave the third seat alone


def _step_image(k: int, step: int) -> int:
    x, y = int(STEP_X[step]), int(STEP_Y[step])
    x, y = -x if k & 1 else x, -y if k & 2 else y
    x, y = (y, x) if k & 4 else (x, y)
    return next(i for i in range(STEPS) if (STEP_X[i], STEP_Y[i]) == (x, y))


STEP_IMAGE = np.array([[_step_image(k, step) for step in range(STEPS)] for k in range(8)])


@rule
def symmetries(s: Record) -> int:
    """How many there are; number 0 changes nothing."""
    return 16 if s.players == 2 else 48


@rule
def image_side(k: int, side: int) -> int:
    """Which side a side becomes: the steps 1 … 4 lead over the sides 0 … 3."""
    return int(STEP_IMAGE[k & 7, 1 + side]) - 1


@rule
def image_seat(s: Record, k: int, seat: int) -> int:
    """Which seat plays what this seat played."""
    return int(SEATS[k >> 3, seat])


@rule
def image_action(s: Record, k: int, a: int) -> int:
    """What an action becomes."""
    size = int(s.width)
    placing = a - size * size * STEPS * 4
    if placing >= 0:
        return size * size * STEPS * 4 + image_on_square(size, k, placing)
    cell, step = (a >> 2) // STEPS, (a >> 2) % STEPS
    return (image_on_square(size, k, cell) * STEPS + int(STEP_IMAGE[k & 7, step])) * 4 + image_side(k, a & 3)


@rule
def image(s: Record, k: int, t: Record) -> None:
    """Make t, a copy of s, its image."""
    size = int(s.width)
    for word in range(2):
        t.east[word] = 0
        t.south[word] = 0
    for cell in range(size * size):
        at = image_on_square(size, k, cell)
        sides = 0
        for side in range(4):
            sides |= ((int(s.open[cell]) >> side) & 17) << image_side(k, side)
        t.open[at] = sides
        t.cell[at] = 1 + SEATS[k >> 3, s.cell[cell] - 1] if s.cell[cell] != 0 else 0
        bit = 1 << at % WORD
        if sides & 8 != 0:
            t.east[at // WORD] |= bit
        if sides & 2 != 0:
            t.south[at // WORD] |= bit
    for seat in range(MOST_SEATS):
        for i in range(MOST_PIECES):
            t.at[seat, i] = NOWHERE
    for cell in range(size * size):  # in this order the lists ascend
        if t.cell[cell] != 0:
            i = 0
            while t.at[t.cell[cell] - 1, i] != NOWHERE:
                i += 1
            t.at[t.cell[cell] - 1, i] = cell
    if s.phase != ROLLING:
        for place in range(s.players):
            t.order[place] = SEATS[k >> 3, s.order[place]]
