"""Wall Go's land: cells joined through unwalled edges, as sets of bits.

Cell number y * size + x is one bit of two 61-bit words, so that the largest board (121 cells) fits and every shift stays
inside a signed 64-bit integer or is masked back into it. `s.east` holds the cells whose right edge is free, `s.south` those whose
lower edge is free; edges on the rim are never free, so a step can't wrap around from one row to the next.
"""

from __future__ import annotations

from hanpan.core.rule import Record, bits, rule

WORD = 61  # bits a word
FULL = (1 << WORD) - 1
NOWHERE = 127  # where a piece is that is not placed yet


@rule
def holds(low: int, high: int, cell: int) -> bool:
    """Whether a set of cells holds this one."""
    if cell < WORD:
        return (low >> cell) & 1 == 1
    return (high >> (cell - WORD)) & 1 == 1


@rule
def region(s: Record, cell: int, until: int) -> tuple[int, int]:
    """The region around a cell; as much of it as was needed to find `until`, if that cell belongs to it (−1: all)."""
    n = int(s.width)
    east, east_high = int(s.east[0]), int(s.east[1])
    south, south_high = int(s.south[0]), int(s.south[1])
    low = 1 << cell if cell < WORD else 0
    high = 1 << (cell - WORD) if cell >= WORD else 0
    back = WORD - n
    while True:
        before, before_high = low, high
        # To the right, to the left, down, up: each from what is reached so far, with what crosses from one word to the other.
        low, high = low | (((low & east) << 1) & FULL), high | ((high & east_high) << 1) | ((low & east) >> (WORD - 1))
        low, high = low | (((low >> 1) | ((high & 1) << (WORD - 1))) & east), high | ((high >> 1) & east_high)
        low, high = low | (((low & south) << n) & FULL), high | (((high & south_high) << n) & FULL) | ((low & south) >> back)
        low, high = low | (((low >> n) | (high << back)) & south), high | ((high >> n) & south_high)
        if low == before and high == before_high:
            return low, high
        if until >= 0 and holds(low, high, until):
            return low, high


@rule
def holders(s: Record, low: int, high: int) -> int:
    """Who has a piece in a set of cells: bit i for seat i."""
    found = 0
    for seat in range(s.players):
        for i in range(s.pieces):
            cell = int(s.at[seat, i])
            if cell != NOWHERE and holds(low, high, cell):
                found |= 1 << seat
                break
    return found


@rule
def several(seats: int) -> bool:
    """Whether a set of seats has more than one member."""
    return seats & (seats - 1) != 0


@rule
def contested(s: Record) -> bool:
    """Whether pieces of different seats share any region."""
    seen, seen_high = 0, 0
    for seat in range(s.players - 1):
        for i in range(s.pieces):
            cell = int(s.at[seat, i])
            if cell != NOWHERE and not holds(seen, seen_high, cell):
                low, high = region(s, cell, -1)
                if several(holders(s, low, high)):
                    return True
                seen |= low
                seen_high |= high
    return False


@rule
def area(s: Record, seat: int) -> tuple[int, int]:
    """The cells of all regions where this seat alone has pieces, and of the largest of them."""
    total, largest = 0, 0
    seen, seen_high = 0, 0
    for i in range(s.pieces):
        cell = int(s.at[seat, i])
        if cell != NOWHERE and not holds(seen, seen_high, cell):
            low, high = region(s, cell, -1)
            seen |= low
            seen_high |= high
            if holders(s, low, high) == 1 << seat:
                cells = bits(low) + bits(high)
                total += cells
                largest = max(largest, cells)
    return total, largest
