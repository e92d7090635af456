"""Turning a 4×4 window by a quarter, clockwise.

A window is cut out as 5×5 corners around its 16 cells, one word with ten bits a column: the corner in column p and row q (from 0, at the window's upper left)
is bit 10·p + q. A horizontal edge is named by its right corner and a vertical edge by its lower one, so turning the corners turns walls and edges with them.
"""

import numpy as np

from hanpan.core.rule import Record, rule

from .board import CENTRES0, CENTRES1, COLUMN, DOWNWARD0, DOWNWARD1, FULL, RIGHTWARD0, RIGHTWARD1, WORD, Pair, has_way

WINDOWS = 6  # a window's upper left cell lies in a…f, 1…6


def _corners(columns: range, rows: range) -> int:
    return sum(1 << (COLUMN * p + q) for p in columns for q in rows)


ALL = _corners(range(5), range(5))
FLAT_EDGES = _corners(range(1, 5), range(5))
TALL_EDGES = _corners(range(5), range(1, 5))
FLAT_WHOLE = _corners(range(1, 4), range(5))  # centres of the walls that lie wholly inside
TALL_WHOLE = _corners(range(5), range(1, 4))
# A column of corners, upside down, as a row: bit q goes to column 4 − q.
AS_ROW = np.array([sum(1 << (COLUMN * (4 - q)) for q in range(5) if column >> q & 1) for column in range(32)], np.int64)


@rule
def framed(f0: int, f1: int) -> Pair:
    """The set one column right and one row down, which makes room for the corners on the left and upper rim."""
    return (f0 << (COLUMN + 1)) & FULL, (f1 << (COLUMN + 1)) | (f0 >> (WORD - COLUMN - 1))


@rule
def cut(f0: int, f1: int, x: int, y: int) -> int:
    """The window at column x, row y of a framed set."""
    return ((((f0 >> (COLUMN * x)) | (f1 << (WORD - COLUMN * x))) & FULL) >> y) & ALL


@rule
def pasted(window: int, x: int, y: int) -> Pair:
    """A window put back to where it was cut, as an ordinary set; what lies on the left and upper rim falls off."""
    f0, f1 = ((window << y) << (COLUMN * x)) & FULL, (window << y) >> (WORD - COLUMN * x)
    return (f0 >> (COLUMN + 1)) | ((f1 & ((1 << (COLUMN + 1)) - 1)) << (WORD - COLUMN - 1)), f1 >> (COLUMN + 1)


@rule
def turned(window: int) -> int:
    """The corners after a quarter turn."""
    result = 0
    for p in range(5):
        result |= AS_ROW[(window >> (COLUMN * p)) & 31] << p
    return result


@rule
def turnable(s: Record) -> int:
    """The windows that may be turned: bit 6·x + y for the one whose upper left cell is in column x, row y."""
    h0, h1, v0, v1 = s.h[0], s.h[1], s.v[0], s.v[1]
    framed_h0, framed_h1 = framed(h0, h1)
    framed_v0, framed_v1 = framed(v0, v1)
    result = 0
    for x in range(WINDOWS):
        for y in range(WINDOWS):
            flat = cut(framed_h0, framed_h1, x, y) & FLAT_EDGES
            tall = cut(framed_v0, framed_v1, x, y) & TALL_EDGES
            fine = 1
            if flat | tall != 0:
                a0, a1 = pasted(flat ^ (turned(tall) << COLUMN), x, y)
                b0, b1 = pasted(tall ^ turned(flat), x, y)
                a0, a1 = h0 ^ (a0 & DOWNWARD0), h1 ^ (a1 & DOWNWARD1)
                b0, b1 = v0 ^ (b0 & RIGHTWARD0), v1 ^ (b1 & RIGHTWARD1)
                fine = has_way(int(s.pawn[0]), 0, a0, a1, b0, b1) & has_way(int(s.pawn[1]), 1, a0, a1, b0, b1)
            result |= fine << (WINDOWS * x + y)
    return result


@rule
def turn(s: Record, x: int, y: int) -> None:
    """Turn the window at column x, row y: walls inside turn, walls across its border are cut, walls turned onto the rim are gone."""
    f0, f1 = framed(s.h[0], s.h[1])
    flat = cut(f0, f1, x, y) & FLAT_EDGES
    f0, f1 = framed(s.v[0], s.v[1])
    tall = cut(f0, f1, x, y) & TALL_EDGES
    f0, f1 = framed(s.whole_h[0], s.whole_h[1])
    flat_whole = cut(f0, f1, x, y)
    f0, f1 = framed(s.whole_v[0], s.whole_v[1])
    tall_whole = cut(f0, f1, x, y)
    f0, f1 = pasted(flat ^ (turned(tall) << COLUMN), x, y)
    s.h[0] ^= f0 & DOWNWARD0
    s.h[1] ^= f1 & DOWNWARD1
    f0, f1 = pasted(tall ^ turned(flat), x, y)
    s.v[0] ^= f0 & RIGHTWARD0
    s.v[1] ^= f1 & RIGHTWARD1
    f0, f1 = pasted(flat_whole ^ turned(tall_whole & TALL_WHOLE), x, y)
    s.whole_h[0] ^= f0 & CENTRES0
    s.whole_h[1] ^= f1 & CENTRES1
    f0, f1 = pasted(tall_whole ^ turned(flat_whole & FLAT_WHOLE), x, y)
    s.whole_v[0] ^= f0 & CENTRES0
    s.whole_v[1] ^= f1 & CENTRES1
