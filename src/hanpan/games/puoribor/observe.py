"""Puoribor as a learning machine sees it: 9 planes of 9 × 9, [plane, column, row] as in `fights`; `planes` names them.

Everything is turned to the seat that looks: its own pawn starts in row 0 and wins in row 8. Seat 0 sees the board as it is, seat 1
sees it turned by 180°, and `seen_action` turns the actions with it.
"""

from __future__ import annotations

from hanpan.core.planes import Bits, Levels, dot, flood, paint
from hanpan.core.rule import Record, rule

from .board import COLUMN, SIZE
from .rules import FLAT, TALL, TURN
from .window import WINDOWS

_PLANES = (
    "own pawn",
    "other's pawn",
    "walls below the cell, as unit edges",
    "walls right of the cell, as unit edges",
    "centres of whole horizontal walls",
    "centres of whole vertical walls",
    "own walls left (number)",
    "other's walls left (number)",
    "how much of max_plies is used up, in 255ths (number)",
)
_CELLS = SIZE * SIZE
_GROUPS = sum(1 << COLUMN * x for x in range(5))  # the first row of five columns


def planes(s: Record) -> tuple[str, ...]:
    """What each plane means."""
    return _PLANES


def shape(s: Record) -> tuple[int, int, int]:
    """Planes, columns, rows."""
    return len(_PLANES), SIZE, SIZE


@rule
def upside_down(word: int) -> int:
    """Every column of ten bits of a word, turned upside down: bit y goes to 9 − y."""
    result = 0
    for y in range(5):
        result |= (word & (_GROUPS << y)) << (9 - 2 * y)
        result |= (word >> (9 - 2 * y)) & (_GROUPS << y)
    return result


@rule
def paint_set(bits: Bits, plane: int, f0: int, f1: int, turned: int, columns: int, rows: int) -> None:
    """Paint a set of sites; when turned by 180°, one of things that `columns` columns and `rows` rows of can be."""
    if f0 | f1 == 0:
        return
    if turned != 0:
        f0, f1 = upside_down(f0) >> (COLUMN - rows), upside_down(f1) >> (COLUMN - rows)
    for x in range(columns):
        column = f0 >> (COLUMN * x) if x < 5 else f1 >> (COLUMN * (x - 5))
        paint(bits, plane, SIZE * (columns - 1 - x if turned != 0 else x), column & 511)


@rule
def observe(s: Record, seat: int, bits: Bits, level: Levels) -> None:
    """Paint what a seat sees."""
    for side in range(2):
        site = int(s.pawn[seat ^ side])
        cell = site - site // COLUMN
        dot(bits, side, cell if seat == 0 else _CELLS - 1 - cell)
        if s.hand[seat ^ side] > 0:
            flood(bits, level, 6 + side, _CELLS, int(s.hand[seat ^ side]))
    paint_set(bits, 2, int(s.h[0]), int(s.h[1]), seat, SIZE, SIZE - 1)
    paint_set(bits, 3, int(s.v[0]), int(s.v[1]), seat, SIZE - 1, SIZE)
    paint_set(bits, 4, int(s.whole_h[0]), int(s.whole_h[1]), seat, SIZE - 1, SIZE - 1)
    paint_set(bits, 5, int(s.whole_v[0]), int(s.whole_v[1]), seat, SIZE - 1, SIZE - 1)
    if s.max_plies > 0 and s.ply > 0:
        flood(bits, level, 8, _CELLS, 255 * int(s.ply) // int(s.max_plies))


@rule
def seen_action(s: Record, seat: int, a: int) -> int:
    """An action's number as the seat sees it, or the action that it sees under that number."""
    if seat == 0:
        return a
    if a < FLAT:
        return FLAT - 1 - a
    if a < TALL:
        return FLAT + TALL - 1 - a
    if a < TURN:
        return TALL + TURN - 1 - a
    return TURN + WINDOWS * WINDOWS - 1 - (a - TURN)
