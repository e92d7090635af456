"""Reverse Drop Chess as a learning machine sees it: 7 planes of 10 × 10, [plane, row, column]; `planes` names them.

The board has no side that belongs to a seat, so nothing is rotated: *own* and *other* are what changes with the mover.
"""

from __future__ import annotations

from hanpan.core.planes import Bits, Levels, flood, paint
from hanpan.core.rule import Record, rule

from .landing import CELLS, SIZE
from .table import SETUP, count, landings

_PLANES = (
    "own pieces",
    "other's pieces",
    "empty cells beside own pieces",
    "empty cells beside the other's pieces",
    "own pieces still to be set up (number)",
    "other's pieces still to be set up (number)",
    "how much of max_plies is used up, in 255ths (number)",
)


def planes(s: Record) -> tuple[str, ...]:
    """What each plane means."""
    return _PLANES


def shape(s: Record) -> tuple[int, int, int]:
    """Planes, rows, columns."""
    return len(_PLANES), SIZE, SIZE


@rule
def paint_half(bits: Bits, plane: int, half: int, spots: int) -> None:
    """Paint five rows of spots, leaving out the gap at the end of each."""
    row = (1 << SIZE) - 1
    cells = spots & row
    cells |= (spots >> 1) & (row << SIZE)
    cells |= (spots >> 2) & (row << 2 * SIZE)
    cells |= (spots >> 3) & (row << 3 * SIZE)
    cells |= (spots >> 4) & (row << 4 * SIZE)
    paint(bits, plane, half * CELLS // 2, cells)


@rule
def observe(s: Record, seat: int, bits: Bits, level: Levels) -> None:
    """Paint what a seat sees."""
    for side in range(2):
        who = seat ^ side
        for half in range(2):
            paint_half(bits, side, half, int(s.pieces[who, half]))
            paint_half(bits, 2 + side, half, landings(s, who, half))
        if s.plies == SETUP:
            asked = int(s.black) if who == 0 else int(s.white)
            flood(bits, level, 4 + side, CELLS, asked - count(s, who))
    if s.max_plies > 0 and s.plies > 0:
        flood(bits, level, 6, CELLS, 255 * int(s.plies) // int(s.max_plies))
