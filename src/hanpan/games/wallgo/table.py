"""What lies on the table: the record of a game, pieces and walls, and how they are put there. Sets of cells are bit sets (see regions.py)."""

from __future__ import annotations

import numpy as np

from hanpan.core.rule import Record, record_type, rule

from .regions import NOWHERE, WORD, holds, region
from .steps import COUNT, MOST_SIZE, STEP_X, STEP_Y, beside, free, leave, stand

MOST_SEATS = 3
MOST_CELLS = MOST_SIZE * MOST_SIZE
MOST_PIECES = 5
ROLLING, PLACING, PLAYING, ENDED = 0, 1, 2, 3  # phases

State = record_type(
    [
        ("east", np.int64, 2),  # cells whose right edge is free (see regions)
        ("south", np.int64, 2),  # cells whose lower edge is free
        ("open", np.uint8, MOST_CELLS),  # by cell: bits 0…3 its free sides, bits 4…7 its ways (see steps)
        ("cell", np.int8, MOST_CELLS),  # 0, or the seat whose piece stands there + 1
        ("at", np.int8, (MOST_SEATS, MOST_PIECES)),  # the cells of each seat's pieces, ascending
        ("order", np.int8, MOST_SEATS),  # the seats as the dice ordered them
        ("turn", np.int8),  # whose turn it is, as a place in the order
        ("phase", np.int8),
        ("placed", np.int8),  # pieces on the board
        ("players", np.int8),
        ("width", np.int8),  # the option `size`; a NumPy record has a `size` of its own
        ("pieces", np.int8),
        ("largest", np.int8),  # whether the largest region breaks ties
        ("tv", np.int8),
    ]
)


@rule
def lay_out(s: Record) -> None:
    """An empty board, every edge free but the rim's, and all pieces beside it."""
    size = int(s.width)
    for seat in range(MOST_SEATS):
        for i in range(MOST_PIECES):
            s.at[seat, i] = NOWHERE
    for y in range(size):
        for x in range(size):
            cell = y * size + x
            sides = 0
            for side in range(4):
                to_x, to_y = x + STEP_X[1 + side], y + STEP_Y[1 + side]
                if 0 <= to_x < size and 0 <= to_y < size:
                    sides |= 1 << side
            s.open[cell] = sides * 17  # all neighbours are empty
            word, bit = cell // WORD, 1 << cell % WORD
            if x + 1 < size:
                s.east[word] |= bit
            if y + 1 < size:
                s.south[word] |= bit


@rule
def put(s: Record, seat: int, old: int, new: int) -> None:
    """Move a piece of the seat from one cell to another, keeping the list of its cells ascending."""
    if old != NOWHERE:
        s.cell[old] = 0
        leave(s, old)
    s.cell[new] = seat + 1
    stand(s, new)
    i = 0
    while s.at[seat, i] != old:
        i += 1
    while i + 1 < s.pieces and s.at[seat, i + 1] < new:
        s.at[seat, i] = s.at[seat, i + 1]
        i += 1
    while i > 0 and s.at[seat, i - 1] > new:
        s.at[seat, i] = s.at[seat, i - 1]
        i -= 1
    s.at[seat, i] = new


@rule
def wall(s: Record, cell: int, side: int) -> None:
    """Build a wall on a free edge."""
    other = beside(s, cell, side)
    s.open[cell] &= 255 - (17 << side)
    s.open[other] &= 255 - (17 << (side ^ 1))
    first = min(cell, other)
    word, bit = first // WORD, 1 << first % WORD
    if side < 2:
        s.south[word] &= ~bit
    else:
        s.east[word] &= ~bit


@rule
def cuts(s: Record, cell: int, side: int) -> bool:
    """Whether the wall just built on this side separates the two cells beside it."""
    other = beside(s, cell, side)
    # It can do so only if both its ends touch another wall or the rim. The end towards `along` touches nothing if the three other
    # edges that meet there are free: those of the two cells towards `along`, and the one that would carry the wall on.
    for along in range(2 - (side & 2), 4 - (side & 2)):
        if ((free(s, cell) & free(s, other)) >> along) & 1 == 1 and (free(s, beside(s, cell, along)) >> side) & 1 == 1:
            return False
    low, high = region(s, cell, other)
    return not holds(low, high, other)


@rule
def free_edges(s: Record, seat: int) -> int:
    """How many free edges the seat's pieces stand beside, one between two of them counting twice; without any the seat has no turn."""
    edges = 0
    for i in range(s.pieces):
        edges += int(COUNT[free(s, int(s.at[seat, i]))])
    return edges
