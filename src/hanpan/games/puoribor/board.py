"""The 9×9 board as bit sets, and walking over it.

Column x and row y (both from 0) make the site 10·x + y. A set of sites is two words: `…0` holds columns a–e, `…1` columns f–i, ten bits a column, so that
one row further is a shift by one, one column further a shift by ten, and the unused tenth bit keeps columns apart. As in the notation, everything is
named by the cell at its upper left: the edge below a cell, the edge right of it, and the corner at its lower right, where a wall has its centre.
"""

from collections.abc import Iterable

import numpy as np

from hanpan.core.rule import rule

SIZE = 9
COLUMN = 10
WORD = 5 * COLUMN
FULL = (1 << WORD) - 1
FIRST = (1 << COLUMN) - 1  # the first column of a word

Pair = tuple[int, int]
UP, DOWN, LEFT, RIGHT = 0, 1, 2, 3


def _sites(sites: Iterable[int]) -> Pair:
    whole = sum(1 << site for site in set(sites))
    return whole & FULL, whole >> WORD


def _block(columns: range, rows: range) -> Pair:
    return _sites(COLUMN * x + y for x in columns for y in rows)


DOWNWARD0, DOWNWARD1 = _block(range(9), range(8))  # cells that have one below: also the horizontal edges that walls may lie on
RIGHTWARD0, RIGHTWARD1 = _block(range(8), range(9))  # cells that have one to the right: also the vertical edges
CENTRES0, CENTRES1 = _block(range(8), range(8))
TOP0, TOP1 = _block(range(9), range(1))
BOTTOM0, BOTTOM1 = _block(range(9), range(8, 9))
LEFTMOST = _block(range(1), range(9))[0]
RIGHTMOST = _block(range(8, 9), range(9))[1]


def _rays() -> np.ndarray[tuple[int, int, int], np.dtype[np.int64]]:
    """RAYS[site, direction]: the edges one would cross going straight from that cell to the board's rim (horizontal ones going up or down, else vertical)."""
    rays = np.zeros((COLUMN * SIZE, 4, 2), np.int64)
    for x in range(SIZE):
        for y in range(SIZE):
            here = COLUMN * x + y
            rays[here, UP] = _block(range(x, x + 1), range(y))
            rays[here, DOWN] = _block(range(x, x + 1), range(y, 8))
            rays[here, LEFT] = _block(range(x), range(y, y + 1))
            rays[here, RIGHT] = _block(range(x, 8), range(y, y + 1))
    return rays


RAYS = _rays()


@rule
def bit0(site: int) -> int:
    """The first word of the set that holds one site."""
    return 1 << site if site < WORD else 0


@rule
def bit1(site: int) -> int:
    """The second word of the set that holds one site."""
    return 1 << (site - WORD) if site >= WORD else 0


@rule
def to_right(f0: int, f1: int) -> Pair:
    """The set, one column further right."""
    return (f0 << COLUMN) & FULL, ((f1 << COLUMN) & FULL) | (f0 >> (WORD - COLUMN))


@rule
def to_left(f0: int, f1: int) -> Pair:
    """The set, one column further left."""
    return (f0 >> COLUMN) | ((f1 & FIRST) << (WORD - COLUMN)), f1 >> COLUMN


@rule
def sweep(f0: int, f1: int, down0: int, down1: int, right0: int, right1: int) -> Pair:
    """The set, grown one step right, left and up, then all the way down; `down` and `right` hold the sites from which those steps are open.

    Downwards the carry of one addition runs through all open sites at once.
    """
    r0, r1 = to_right(f0 & right0, f1 & right1)
    f0 |= r0
    f1 |= r1
    l0, l1 = to_left(f0, f1)
    f0 |= l0 & right0
    f1 |= l1 & right1
    f0 |= (f0 >> 1) & down0
    f1 |= (f1 >> 1) & down1
    return f0 | ((down0 + (f0 & down0)) ^ down0), f1 | ((down1 + (f1 & down1)) ^ down1)


@rule
def fill(f0: int, f1: int, down0: int, down1: int, right0: int, right1: int) -> Pair:
    """Everything that can be reached from the set."""
    while True:
        n0, n1 = sweep(f0, f1, down0, down1, right0, right1)
        if n0 == f0 and n1 == f1:
            return f0, f1
        f0, f1 = n0, n1


@rule
def has_way(site: int, seat: int, h0: int, h1: int, v0: int, v1: int) -> int:
    """1 if a pawn of that seat has a way from the site to its goal row between these walls (unit edges), else 0.

    Both seats search downwards, where `sweep` is fast: seat 0 from its pawn, seat 1 from its goal row to its pawn.
    """
    down0, down1 = DOWNWARD0 & ~h0, DOWNWARD1 & ~h1
    right0, right1 = RIGHTWARD0 & ~v0, RIGHTWARD1 & ~v1
    f0, f1, g0, g1 = bit0(site), bit1(site), BOTTOM0, BOTTOM1
    if seat == 1:
        f0, f1, g0, g1 = TOP0, TOP1, f0, f1
    while True:
        n0, n1 = sweep(f0, f1, down0, down1, right0, right1)
        if (n0 & g0) | (n1 & g1) != 0:
            return 1
        if n0 == f0 and n1 == f1:
            return 0
        f0, f1 = n0, n1
