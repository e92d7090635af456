"""The 10×10 frame as a pair of bit sets, and the seventeen tiles that are laid on it.

A cell is y·10 + x. A set of cells is two integers of 50 bits: `low` for the upper five rows, `high` for the lower five; bit i of a
half is the half's i-th cell. A placement is a tile lying somewhere: shape·100 + its top-left cell.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from hanpan.core.rule import Ints, rule

SIDE = 10
CELLS = 100
HALF = 50
ROW = (1 << SIDE) - 1
FULL = (1 << HALF) - 1
FIRST_COLUMN = sum(1 << SIDE * row for row in range(5))
BUT_FIRST_COLUMN = FULL - FIRST_COLUMN
BUT_LAST_COLUMN = FULL - (FIRST_COLUMN << SIDE - 1)

# The shapes in which tiles lie, width × height. Shapes that are one tile turned have the same size.
SHAPES = ((2, 3), (3, 2), (2, 2), (1, 3), (3, 1), (1, 2), (2, 1))
WIDTH = np.array([width for width, _ in SHAPES], np.int64)
HEIGHT = np.array([height for _, height in SHAPES], np.int64)
HOLES = np.array([width * height for width, height in SHAPES], np.int64)
SIZES = ("2x3", "2x2", "1x3", "1x2")  # as they are typed; people read `read_size`
SIZE = np.array([0, 0, 1, 2, 2, 3, 3], np.int64)  # of each shape
FIRST_SHAPE = np.array([0, 2, 3, 5, 7], np.int64)  # the shapes of size i are FIRST_SHAPE[i] … FIRST_SHAPE[i + 1] − 1
STOCK = np.array([4, 5, 4, 4], np.int64)  # tiles of each size
TILES = 17
PLACEMENTS = len(SHAPES) * CELLS
SQUARE = 8  # the side of a closed board, in the frame's top left


def read_size(typed: str) -> str:
    """A size, or a tile and where it is laid, as people read it.

    >>> read_size("2x3")
    '2×3'
    """
    return typed.replace("x", "×")


def halves(cells: int) -> tuple[int, int]:
    """A set of cells in one integer of 100 bits, as the two halves."""
    return cells & FULL, cells >> HALF


def whole(pair: Any) -> int:
    """The set in a record's two halves, as one integer of 100 bits."""
    return int(pair[0]) | int(pair[1]) << HALF


@cache
def rectangle(x: int, y: int, width: int, height: int) -> int:
    """The cells of a rectangle as one integer of 100 bits; 0 if it does not lie inside the frame."""
    if x + width > SIDE or y + height > SIDE:
        return 0
    return sum(((1 << width) - 1) << (SIDE * row + x) for row in range(y, y + height))


def area(k: int) -> int:
    """The cells under a placement as one integer of 100 bits; 0 if it does not lie inside the frame."""
    return rectangle(k % SIDE, k % CELLS // SIDE, *SHAPES[k // CELLS])


# Tables that rules read are small on purpose: a CUDA kernel keeps a copy of them for every line that reads one, 64 KiB in all.
BITS = np.array([rectangle(0, 0, *shape) for shape in SHAPES], np.int64)  # the cells of each shape in the frame's top left
ROOM = np.array([sum(ROW >> step << SIDE * row for row in range(5)) for step in range(3)], np.int64)  # cells with so many cells to their right, in a half
LINE = np.array([halves(rectangle(at % SIDE, 0, 1, SIDE) | rectangle(0, at // SIDE, SIDE, 1)) for at in range(CELLS)], np.int64)  # row and column of a cell

# The powers of 2 below 2⁵² leave all different remainders modulo 53: the remainder of a single bit tells which one it is.
BIT_NUMBER = np.zeros(53, np.int64)
for _bit in range(52):
    BIT_NUMBER[(1 << _bit) % 53] = _bit


@rule
def has(low: int, high: int, cell: int) -> int:
    """1 if the cell is in the set, else 0."""
    return (low >> cell) & 1 if cell < HALF else (high >> (cell - HALF)) & 1


@rule
def cover_low(k: int) -> int:
    """The low half of the cells under a placement that lies inside the frame."""
    return (int(BITS[k // CELLS]) << min(k % CELLS, HALF)) & FULL


@rule
def cover_high(k: int) -> int:
    """The high half of the cells under a placement that lies inside the frame."""
    below = k % CELLS - HALF
    return int(BITS[k // CELLS]) << max(below, 0) >> max(-below, 0)


@rule
def write_cells(bits: int, first: int, out: Ints, n: int) -> int:
    """Write the cells of a half whose first cell is `first` into `out` from place n on; the new n."""
    while bits != 0:
        bit = bits & -bits
        out[n] = first + BIT_NUMBER[bit % 53]
        n += 1
        bits ^= bit
    return n


@rule
def nth_cell(low: int, high: int, n: int) -> int:
    """The n-th cell of a set, counted from 0."""
    for _ in range(n):
        if low != 0:
            low &= low - 1
        else:
            high &= high - 1
    if low != 0:
        return int(BIT_NUMBER[(low & -low) % 53])
    return HALF + int(BIT_NUMBER[(high & -high) % 53])


@rule
def beside_low(low: int, high: int) -> int:
    """The low half of all cells that share an edge with a cell of the set."""
    return ((low << 1) & BUT_FIRST_COLUMN) | ((low >> 1) & BUT_LAST_COLUMN) | ((low << SIDE) & FULL) | (low >> SIDE) | ((high & ROW) << (HALF - SIDE))


@rule
def beside_high(low: int, high: int) -> int:
    """The high half of all cells that share an edge with a cell of the set."""
    return ((high << 1) & BUT_FIRST_COLUMN) | ((high >> 1) & BUT_LAST_COLUMN) | ((high << SIDE) & FULL) | (high >> SIDE) | (low >> (HALF - SIDE))


def beside(cells: int) -> int:
    """All cells that share an edge with a cell of a set in one integer of 100 bits."""
    low, high = halves(cells)
    return int(beside_low(low, high)) | int(beside_high(low, high)) << HALF


@rule
def shifted(low: int, high: int, dx: int, dy: int) -> tuple[int, int]:
    """The cells that have a cell of the set dx columns to their right and dy rows below (each 0 … 2)."""
    rows = dy * SIDE
    low = (low >> rows) | ((high & ((1 << rows) - 1)) << (HALF - rows))
    high = high >> rows
    return (low >> dx) & int(ROOM[dx]), (high >> dx) & int(ROOM[dx])
