"""Reverse Drop's symmetries: the eight of the square board (d = k mod 8), each also with the colours exchanged (k ≥ 8).

Bit 0 of d mirrors left and right, bit 1 top and bottom, bit 2 then exchanges columns and rows. While pieces are set up by hand the
colours can't be exchanged, because black is always set up first.
"""

from __future__ import annotations

from hanpan.core.rule import Record, rule
from hanpan.core.square import image_on_square

from .landing import CELLS, EMPTY_AROUND, SIZE, SPOT, SPOTS
from .rules import PLACE
from .table import SETUP, holds, toggle


@rule
def symmetries(s: Record) -> int:
    """How many there are; number 0 changes nothing."""
    return 8 if s.plies == SETUP else 16


@rule
def image_seat(s: Record, k: int, seat: int) -> int:
    """Which seat plays what this seat played."""
    return seat ^ (k >> 3)


@rule
def image_action(s: Record, k: int, a: int) -> int:
    """What an action becomes; every mirror exchanges the choices left and right."""
    if a >= PLACE:
        return PLACE + image_on_square(SIZE, k, a - PLACE)
    direction, choice = (a >> 2) & 3, a & 3
    if k & 1 != 0:
        direction, choice = (4 - direction) & 3, (4 - choice) & 3
    if k & 2 != 0:
        direction, choice = (2 - direction) & 3, (4 - choice) & 3
    if k & 4 != 0:
        direction, choice = 3 - direction, (4 - choice) & 3
    return (image_on_square(SIZE, k, a >> 4) * 4 + direction) * 4 + choice


@rule
def image(s: Record, k: int, t: Record) -> None:
    """Make t, a copy of s, its image."""
    for spot in range(SPOTS):
        t.around[spot] = EMPTY_AROUND[spot]
    for half in range(2):
        t.pieces[0, half] = 0
        t.pieces[1, half] = 0
    for cell in range(CELLS):
        for seat in range(2):
            if holds(s, seat, SPOT[cell]):
                toggle(t, seat ^ (k >> 3), SPOT[image_on_square(SIZE, k, cell)])
    if k >= 8:
        t.black, t.white = s.white, s.black
        if s.turn >= 0:
            t.turn = 1 - int(s.turn)
