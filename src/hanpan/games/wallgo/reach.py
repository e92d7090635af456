"""Wall Go's distances: how many steps it is to a cell, as sets of bits (see regions). Walls are in the way, pieces are not: they move on."""

from __future__ import annotations

from hanpan.core.rule import Record, rule

from .regions import FULL, NOWHERE, WORD

NARROW = 7  # a board up to this size fits into one word


@rule
def stones(s: Record, seat: int) -> tuple[int, int]:
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
def others_stones(s: Record, seat: int) -> tuple[int, int]:
    """The cells of all other seats' pieces."""
    low, high = 0, 0
    for other in range(s.players):
        if other != seat:
            more, more_high = stones(s, other)
            low |= more
            high |= more_high
    return low, high


@rule
def spread(s: Record, low: int, high: int) -> tuple[int, int]:
    """A set of cells and all that are one step from it."""
    n = int(s.width)
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
