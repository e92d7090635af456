"""Laying tiles: the two printed boards, the boards that chance draws, and what the players may lay themselves."""

from __future__ import annotations

import numpy as np

from hanpan.core.rule import Ints, Record, Rng, below, bits, rule

from .frame import (
    CELLS,
    FIRST_SHAPE,
    FULL,
    HALF,
    HEIGHT,
    SHAPES,
    SIDE,
    SIZE,
    SQUARE,
    STOCK,
    TILES,
    WIDTH,
    beside_high,
    beside_low,
    cover_high,
    cover_low,
    has,
    nth_cell,
    shifted,
    write_cells,
)
from .tiletext import read_board

A = "...a....../...abbccdd/...abbccdd/.eefffggdd/heeiiijjkk/hlliiijjmm/.llnnnopmm/...nnnopmm/...qqqo.../.........."
B = "aabccddd../aabcceff../ghhcceff../ghhiiijj../gkkiiijj../lkkmmnno../lkkmmnno../lppmmqqo../........../.........."
PRINTED = np.array([read_board(A), read_board(B)], np.int64)


@rule
def lay(s: Record, k: int) -> None:
    """Lay a tile. The laid ones stay in reading order, so that equal boards are equal records."""
    i = int(s.tiles)
    while i > 0 and int(s.laid[i - 1]) % CELLS > k % CELLS:
        s.laid[i] = s.laid[i - 1]
        i -= 1
    s.laid[i] = k
    s.tiles += 1
    s.stock[SIZE[k // CELLS]] -= 1
    for t in range(i, int(s.tiles)):
        lying = int(s.laid[t])
        shape = lying // CELLS
        for row in range(HEIGHT[shape]):
            for column in range(WIDTH[shape]):
                s.tile[lying % CELLS + row * SIDE + column] = t + 1
    s.empty[0] |= cover_low(k)
    s.empty[1] |= cover_high(k)


@rule
def clear(s: Record) -> None:
    """Take all tiles off the frame."""
    s.tiles = 0
    s.empty[0] = 0
    s.empty[1] = 0
    for t in range(TILES):
        s.laid[t] = 0
    for size in range(len(STOCK)):
        s.stock[size] = STOCK[size]
    for cell in range(CELLS):
        s.tile[cell] = 0


@rule
def corners(s: Record, shape: int) -> tuple[int, int]:
    """Where the top left corner of this shape may come: on free cells, and sharing an edge with what lies."""
    low, high = int(s.empty[0]), int(s.empty[1])
    near_low, near_high = beside_low(low, high), beside_high(low, high)
    fit_low, fit_high = FULL, FULL
    touch_low, touch_high = 0, 0
    for dy in range(HEIGHT[shape]):
        for dx in range(WIDTH[shape]):
            free = shifted(FULL ^ low, FULL ^ high, dx, dy)
            fit_low &= free[0]
            fit_high &= free[1]
            near = shifted(near_low, near_high, dx, dy)
            touch_low |= near[0]
            touch_high |= near[1]
    if s.tiles == 0:
        return fit_low, fit_high
    return fit_low & touch_low, fit_high & touch_high


@rule
def list_fits(s: Record, out: Ints) -> int:
    """Write every way to lay one of the remaining tiles, as actions; how many there are."""
    n = 0
    for shape in range(len(SHAPES)):
        if s.stock[SIZE[shape]] > 0:
            low, high = corners(s, shape)
            first = CELLS + shape * CELLS
            n = write_cells(high, first + HALF, out, write_cells(low, first, out, n))
    return n


@rule
def can_lay(s: Record) -> bool:
    """Whether any remaining tile can be laid."""
    for shape in range(len(SHAPES)):
        if s.stock[SIZE[shape]] > 0:
            low, high = corners(s, shape)
            if low | high != 0:
                return True
    return False


@rule
def random_fit(s: Record, rng: Rng) -> int:
    """A random place for a random one of the remaining tiles; −1 if that tile fits nowhere."""
    pick = below(rng, TILES - int(s.tiles))
    size = 0
    while pick >= s.stock[size]:
        pick -= int(s.stock[size])
        size += 1
    ways = 0
    for shape in range(FIRST_SHAPE[size], FIRST_SHAPE[size + 1]):
        low, high = corners(s, shape)
        ways += bits(low) + bits(high)
    if ways > 0:
        pick = below(rng, ways)
        for shape in range(FIRST_SHAPE[size], FIRST_SHAPE[size + 1]):
            low, high = corners(s, shape)
            here = bits(low) + bits(high)
            if pick < here:
                return shape * CELLS + nth_cell(low, high, pick)
            pick -= here
    return -1


@rule
def draw_irregular(s: Record, rng: Rng) -> None:
    """Draw a board that grows tile by tile, each sharing an edge with the rest."""
    while s.tiles < TILES:
        k = random_fit(s, rng)
        if k >= 0:
            lay(s, k)
        else:
            clear(s)


# A closed board is covered hole by hole in reading order, as a person does who looks at the square from one of eight sides: bit 0 of `side`
# mirrors left and right, bit 1 top and bottom, bit 2 swaps rows and columns. So no corner of the square is favoured.


@rule
def seen_cell(i: int, side: int) -> int:
    """The i-th cell of the 8×8 square as seen from a side."""
    x, y = i % SQUARE, i // SQUARE
    if side & 4 != 0:
        x, y = y, x
    if side & 1 != 0:
        x = SQUARE - 1 - x
    if side & 2 != 0:
        y = SQUARE - 1 - y
    return y * SIDE + x


@rule
def seen_fit(s: Record, shape: int, cell: int, side: int) -> int:
    """The placement of a shape whose corner, nearest as seen from a side, is at the cell; −1 if it does not fit into the square there."""
    x, y = cell % SIDE, cell // SIDE
    if side & 1 != 0:
        x -= int(WIDTH[shape]) - 1
    if side & 2 != 0:
        y -= int(HEIGHT[shape]) - 1
    if x < 0 or y < 0 or x + WIDTH[shape] > SQUARE or y + HEIGHT[shape] > SQUARE:
        return -1
    k = shape * CELLS + y * SIDE + x
    return k if cover_low(k) & int(s.empty[0]) == 0 and cover_high(k) & int(s.empty[1]) == 0 else -1


@rule
def seen_weight(s: Record, shape: int, cell: int, side: int) -> int:
    """How eagerly a shape is taken for a cell; 0 if none is left or it does not fit. Tiles lying along the rows, as seen, find room less often and
    are taken twice as eagerly: then upright and lying tiles come out about even, as they are among all covers."""
    if s.stock[SIZE[shape]] == 0 or seen_fit(s, shape, cell, side) < 0:
        return 0
    longer = WIDTH[shape] - HEIGHT[shape] if side & 4 == 0 else HEIGHT[shape] - WIDTH[shape]
    return int(s.stock[SIZE[shape]]) * (2 if longer > 0 else 1)


@rule
def cover_cell(s: Record, cell: int, side: int, rng: Rng) -> bool:
    """Cover a cell with a random one of the remaining tiles that fit there; False if none does."""
    total = 0
    for shape in range(len(SHAPES)):
        total += seen_weight(s, shape, cell, side)
    if total == 0:
        return False
    pick = below(rng, total)
    shape = 0
    weight = seen_weight(s, shape, cell, side)
    while pick >= weight:
        pick -= weight
        shape += 1
        weight = seen_weight(s, shape, cell, side)
    lay(s, seen_fit(s, shape, cell, side))
    return True


@rule
def draw_square(s: Record, rng: Rng) -> None:
    """Draw an exact cover of the 8×8 square. About one try in twenty comes out even; the others are thrown away whole, because stepping back
    from a dead end would favour the covers that lie near one."""
    side = below(rng, 8)
    i = 0
    while s.tiles < TILES:
        cell = seen_cell(i, side)
        if has(int(s.empty[0]), int(s.empty[1]), cell) != 0:
            i += 1
        elif not cover_cell(s, cell, side, rng):
            clear(s)
            i = 0
