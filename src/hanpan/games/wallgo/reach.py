"""Wall Go's distances: how many steps it is to a cell, by sets of cells. Walls are in the way, pieces are not: they move on."""

from __future__ import annotations

from hanpan.core.rule import Record, bits, rule

from .regions import FULL, NOWHERE, WORD

Cells = tuple[int, int]  # a set of cells, as two words of bits (see regions)

NARROW = 7  # a board up to this size fits into one word
NONE: Cells = (0, 0)


@rule
def joined(one: Cells, other: Cells) -> Cells:
    """The cells of either set."""
    return one[0] | other[0], one[1] | other[1]


@rule
def both(one: Cells, other: Cells) -> Cells:
    """The cells of both sets."""
    return one[0] & other[0], one[1] & other[1]


@rule
def without(one: Cells, other: Cells) -> Cells:
    """The cells of the first set that are not in the second."""
    return one[0] & ~other[0], one[1] & ~other[1]


@rule
def count(cells: Cells) -> int:
    """How many cells a set has."""
    return bits(cells[0]) + bits(cells[1])


@rule
def stones(s: Record, seat: int) -> Cells:
    """The cells of a seat's pieces."""
    low, high = 0, 0
    for i in range(s.pieces):
        cell = int(s.at[seat, i])
        if cell < WORD:
            low |= 1 << cell
        elif cell != NOWHERE:
            high |= 1 << (cell - WORD)
    return low, high


@rule
def others_stones(s: Record, seat: int) -> Cells:
    """The cells of all other seats' pieces."""
    found = NONE
    for other in range(s.players):
        if other != seat:
            found = joined(found, stones(s, other))
    return found


@rule
def spread(s: Record, cells: Cells) -> Cells:
    """A set of cells and all that are one step from it."""
    n = int(s.width)
    low, high = cells
    east, south = int(s.east[0]), int(s.south[0])
    if n <= NARROW:
        return low | ((low & east) << 1) | ((low >> 1) & east) | ((low & south) << n) | ((low >> n) & south), 0
    east_high, south_high = int(s.east[1]), int(s.south[1])
    back = WORD - n
    # To the right, to the left, down, up, with what crosses from one word to the other.
    right, right_high = ((low & east) << 1) & FULL, ((high & east_high) << 1) | ((low & east) >> (WORD - 1))
    left, left_high = ((low >> 1) | ((high & 1) << (WORD - 1))) & east, (high >> 1) & east_high
    down, down_high = ((low & south) << n) & FULL, (((high & south_high) << n) & FULL) | ((low & south) >> back)
    up, up_high = ((low >> n) | (high << back)) & south, (high >> n) & south_high
    return low | right | left | down | up, high | right_high | left_high | down_high | up_high
