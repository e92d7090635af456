"""Kulami as a learning machine sees it: 14 planes of 10 × 10, [plane, row, column]; `planes` names them.

While the players lay the board themselves (board=build) four more planes tell how many tiles of each size are left to lay.

The board has no side that belongs to a seat, so nothing is rotated: *own* and *other* are what changes with the mover.
Two cells that are neighbours belong to one tile where `joined right` or `joined down` is set.
"""

from __future__ import annotations

from hanpan.core.planes import Bits, Levels, dot, flood, paint
from hanpan.core.rule import Record, rule

from .frame import CELLS, HALF, SIDE, cover_high, cover_low
from .rules import BUILD

_PLANES = (
    "own marbles",
    "other's marbles",
    "empty holes",
    "holes where the mover may play",
    "own last marble",
    "other's last marble",
    "tiles where own marbles are more",
    "tiles where the other's are more",
    "joined right: the cell to the right is on the same tile",
    "joined down: the cell below is on the same tile",
    "tile of the own last marble",
    "tile of the other's last marble",
    "own marbles left (number)",
    "other's marbles left (number)",
    "tiles 2×3 to lay (number)",
    "tiles 2×2 to lay (number)",
    "tiles 1×3 to lay (number)",
    "tiles 1×2 to lay (number)",
)
_OWN, _LAST, _AHEAD, _RIGHT, _DOWN, _ON, _LEFT, _STOCK = 0, 4, 6, 8, 9, 10, 12, 14


def planes(s: Record) -> tuple[str, ...]:
    """What each plane means."""
    return _PLANES if s.board == BUILD else _PLANES[:_STOCK]


def shape(s: Record) -> tuple[int, int, int]:
    """Planes, rows, columns."""
    return len(planes(s)), SIDE, SIDE


@rule
def both(bits: Bits, plane: int, low: int, high: int) -> None:
    """Paint a set of cells that is given by halves."""
    paint(bits, plane, 0, low)
    paint(bits, plane, HALF, high)


@rule
def observe(s: Record, seat: int, bits: Bits, level: Levels) -> None:
    """Paint what a seat sees."""
    both(bits, 2, int(s.empty[0]), int(s.empty[1]))
    both(bits, 3, int(s.target[0]), int(s.target[1]))
    for side in range(2):
        who = seat ^ side
        both(bits, _OWN + side, int(s.marble[who, 0]), int(s.marble[who, 1]))
        flood(bits, level, _LEFT + side, CELLS, int(s.left[who]))
        last = int(s.last[who])
        if last >= 0:
            dot(bits, _LAST + side, last)
            k = int(s.laid[s.tile[last] - 1])
            both(bits, _ON + side, cover_low(k), cover_high(k))
    red, red_high, black, black_high = 0, 0, 0, 0
    right, right_high, down, down_high = 0, 0, 0, 0
    for t in range(s.tiles):
        k = int(s.laid[t])
        low, high = cover_low(k), cover_high(k)
        lead = int(s.lead[t])
        if lead > 0:
            red |= low
            red_high |= high
        elif lead < 0:
            black |= low
            black_high |= high
        right |= low & (low >> 1)
        right_high |= high & (high >> 1)
        down |= low & ((low >> SIDE) | ((high << (HALF - SIDE)) & ((1 << HALF) - 1)))
        down_high |= high & (high >> SIDE)
    both(bits, _AHEAD + seat, red, red_high)
    both(bits, _AHEAD + 1 - seat, black, black_high)
    both(bits, _RIGHT, right, right_high)
    both(bits, _DOWN, down, down_high)
    if s.board == BUILD:
        for size in range(4):
            flood(bits, level, _STOCK + size, CELLS, int(s.stock[size]))
