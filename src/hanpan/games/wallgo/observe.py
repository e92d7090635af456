"""Wall Go as a learning machine sees it: (players + 4) planes of size × size, [plane, row, column]; `planes` names them.

The board has no side that belongs to a seat, so nothing is rotated: the seats are.
"""

from __future__ import annotations

from hanpan.core.planes import Bits, Levels, dot, flood, paint
from hanpan.core.rule import Record, rule

from .choices import tell_legal
from .regions import NOWHERE, WORD
from .table import PLACING

_PIECES = ("own pieces", "pieces of the seat that follows in turn", "pieces of the seat after that")
_REST = (
    "cells whose right edge is free: neither wall nor rim",
    "cells whose lower edge is free",
    "all ones while pieces are placed",
    "own pieces still to be placed (number)",
)


def planes(s: Record) -> tuple[str, ...]:
    """What each plane means."""
    return _PIECES[: int(s.players)] + _REST


def shape(s: Record) -> tuple[int, int, int]:
    """Planes, rows, columns."""
    return int(s.players) + 4, int(s.width), int(s.width)


@rule
def place_in_order(s: Record, seat: int) -> int:
    """Where in the order of turns a seat is."""
    place = 0
    for i in range(s.players):
        if s.order[i] == seat:
            place = i
    return place


@rule
def observe(s: Record, seat: int, bits: Bits, level: Levels) -> None:
    """Paint what a seat sees."""
    players, cells = int(s.players), int(s.width) * int(s.width)
    place = place_in_order(s, seat)
    missing = 0
    for k in range(players):
        who = int(s.order[(place + k) % players])
        for i in range(s.pieces):
            cell = int(s.at[who, i])
            if cell != NOWHERE:
                dot(bits, k, cell)
            elif k == 0:
                missing += 1
    paint(bits, players, 0, int(s.east[0]))
    paint(bits, players + 1, 0, int(s.south[0]))
    if cells > WORD:
        paint(bits, players, WORD, int(s.east[1]))
        paint(bits, players + 1, WORD, int(s.south[1]))
    if s.phase == PLACING:
        flood(bits, level, players + 2, cells, 1)
        flood(bits, level, players + 3, cells, missing)


@rule
def mark(bits: Bits, n: int, a: int, width: int, held: int) -> int:
    """Mark in a mask: the sides of a cell never lie in two words."""
    bits[a >> 5] |= held << (a & 31)
    return n


mark_legal = tell_legal(mark)
