"""What lies on the table: the record of a game, and what a marble changes in it. Sets of holes are pairs of bit sets (see frame.py)."""

from __future__ import annotations

import numpy as np

from hanpan.core.rule import Record, record_type, rule

from .frame import CELLS, HALF, STOCK, TILES, cover_high, cover_low
from .score import swing

State = record_type(
    [
        ("marble", np.int64, (2, 2)),  # by seat and half of the frame
        ("empty", np.int64, 2),  # holes without a marble
        ("target", np.int64, 2),  # holes where the seat to move may put a marble
        ("laid", np.int16, TILES),  # placements of the tiles in reading order, then zeros
        ("tile", np.int8, CELLS),  # 1 + the number of the tile on each cell, 0 where there is none
        ("lead", np.int8, TILES),  # red marbles less black ones on each tile
        ("points", np.int8, 2),  # of the tiles where each seat has more marbles
        ("left", np.int8, 2),  # marbles not played yet
        ("last", np.int8, 2),  # the cell of each seat's last marble, −1 if there is none
        ("stock", np.int8, len(STOCK)),  # tiles of each size not laid yet
        ("tiles", np.int8),  # how many are laid
        ("turn", np.int8),  # the seat to act, CHANCE or OVER
        ("board", np.int8),  # the options
        ("level", np.int8),
    ]
)


@rule
def put(s: Record, seat: int, cell: int) -> None:
    """Put a seat's marble into a hole and count the tile anew."""
    won, taken = swing(s, seat, cell)
    s.points[seat] += won
    s.points[1 - seat] -= taken
    s.lead[s.tile[cell] - 1] += 1 - 2 * seat
    half = cell // HALF
    bit = 1 << (cell - half * HALF)
    s.marble[seat, half] |= bit
    s.empty[half] ^= bit
    s.left[seat] -= 1


@rule
def off_tile(s: Record, low: int, high: int, cell: int) -> tuple[int, int]:
    """A set of holes without those of the tile that a cell belongs to."""
    tile = int(s.laid[s.tile[cell] - 1])
    return low & ~cover_low(tile), high & ~cover_high(tile)
