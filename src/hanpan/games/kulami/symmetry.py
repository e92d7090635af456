"""Kulami's symmetries: the eight of the square frame (d = k mod 8), each also with the colours exchanged (k ≥ 8).

Bit 0 of d mirrors left and right, bit 1 top and bottom, bit 2 then exchanges columns and rows.
"""

from __future__ import annotations

import numpy as np

from hanpan.core.rule import Record, rule
from hanpan.core.square import image_on_square

from .boards import clear, lay
from .frame import CELLS, HALF, HEIGHT, SIDE, TILES, WIDTH, has

TRANSPOSED = np.array([1, 0, 2, 4, 3, 6, 5], np.int64)  # the shape that each shape becomes when columns and rows are exchanged


@rule
def symmetries(s: Record) -> int:
    """How many there are; number 0 changes nothing."""
    return 16


@rule
def image_tile(k: int, lying: int) -> int:
    """Where a placed tile goes: the placement whose top left is the least of the four corners."""
    shape, corner = lying // CELLS, lying % CELLS
    least = CELLS
    for right in range(2):
        for down in range(2):
            at = corner + right * (WIDTH[shape] - 1) + down * (HEIGHT[shape] - 1) * SIDE
            least = min(least, image_on_square(SIDE, k, at))
    return (TRANSPOSED[shape] if k & 4 != 0 else shape) * CELLS + least


@rule
def image_seat(s: Record, k: int, seat: int) -> int:
    """Which seat plays what this seat played."""
    return seat ^ (k >> 3)


@rule
def image_action(s: Record, k: int, a: int) -> int:
    """What an action becomes."""
    return image_on_square(SIDE, k, a) if a < CELLS else CELLS + image_tile(k, a - CELLS)


@rule
def image(s: Record, k: int, t: Record) -> None:
    """Make t, a copy of s, its image."""
    clear(t)
    for i in range(TILES):
        t.lead[i] = 0
    for i in range(s.tiles):
        lay(t, image_tile(k, int(s.laid[i])))
    for half in range(2):
        t.target[half] = 0
        t.marble[0, half] = 0
        t.marble[1, half] = 0
    for cell in range(CELLS):
        at = image_on_square(SIDE, k, cell)
        half = at // HALF
        bit = 1 << (at - half * HALF)
        if has(int(s.target[0]), int(s.target[1]), cell) != 0:
            t.target[half] |= bit
        for seat in range(2):
            if has(int(s.marble[seat, 0]), int(s.marble[seat, 1]), cell) != 0:
                whose = seat ^ (k >> 3)
                t.marble[whose, half] |= bit
                t.empty[half] ^= bit
                t.lead[t.tile[at] - 1] += 1 - 2 * whose
    for seat in range(2):
        whose = seat ^ (k >> 3)
        t.points[whose] = s.points[seat]
        t.left[whose] = s.left[seat]
        t.last[whose] = image_on_square(SIDE, k, int(s.last[seat])) if s.last[seat] >= 0 else -1
    if s.turn >= 0:
        t.turn = int(s.turn) ^ (k >> 3)
