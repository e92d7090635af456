"""What lies on the table: the record of a game, and its pieces as bit sets."""

import numpy as np

from hanpan.core.rule import Record, bits, record_type, rule

from .landing import CELL, EMPTY_AROUND, FIRST, OFFERED, OFFERS, SPOT, SPOTS, STEP, WIDTH

# The upper five rows of spots and the lower five are one bit set each.
HALF = 5 * WIDTH
BOARD = sum(1 << row * WIDTH + x for row in range(5) for x in range(WIDTH - 1))
TOP_ROW = (1 << WIDTH) - 1
LAST_ROW = 4 * WIDTH  # where the fifth row of a half begins

SETUP = -1  # plies: the pieces are not all on the board yet

# In this order the fields leave no gaps: NumPy does not copy what lies in a gap, and equal positions must be equal byte for byte.
State = record_type(
    [
        ("pieces", np.int64, (2, 2)),  # by seat and half: bit sets
        ("around", np.uint8, SPOTS),  # what lies around each spot; follows from the pieces
        ("turn", np.int8),  # the seat to act, CHANCE or OVER
        ("black", np.int8),  # pieces to be set up
        ("white", np.int8),
        ("plies", np.int32),  # played, or SETUP
        ("max_plies", np.int32),  # 0: no limit
    ]
)


@rule
def lowest(x: int) -> int:
    """The number of the lowest set bit."""
    return bits(~x & (x - 1))


@rule
def count(s: Record, seat: int) -> int:
    """How many pieces a seat has."""
    return bits(int(s.pieces[seat, 0])) + bits(int(s.pieces[seat, 1]))


@rule
def holds(s: Record, seat: int, spot: int) -> bool:
    """Whether a piece of that seat lies on a spot of the board."""
    place = spot - FIRST
    half = 1 if place >= HALF else 0
    return (int(s.pieces[seat, half]) >> (place - half * HALF)) & 1 != 0


@rule
def toggle(s: Record, seat: int, spot: int) -> None:
    """Put a piece of that seat on a spot, or lift the one that lies there."""
    place = spot - FIRST
    half = 1 if place >= HALF else 0
    s.pieces[seat, half] ^= 1 << (place - half * HALF)
    for direction in range(4):
        s.around[spot + STEP[direction]] ^= (seat + 1) << 2 * ((direction + 2) & 3)  # the neighbour sees it from the other end


@rule
def landings(s: Record, seat: int, half: int) -> int:
    """The empty cells of one half that lie beside a piece of that seat, as a bit set."""
    own = int(s.pieces[seat, half])
    other = int(s.pieces[seat, 1 - half])
    across = other >> LAST_ROW if half == 1 else (other & TOP_ROW) << LAST_ROW
    beside = own << 1 | own >> 1 | own << WIDTH | own >> WIDTH | across
    return beside & BOARD & ~(int(s.pieces[0, half]) | int(s.pieces[1, half]))


@rule
def allowed(s: Record, a: int) -> bool:
    """Whether a step with its choice is legal in play."""
    seat = int(s.turn)
    spot = SPOT[a >> 4]
    direction = (a >> 2) & 3
    landing = spot + STEP[direction]
    if not holds(s, seat, spot) or (EMPTY_AROUND[spot] >> 2 * direction) & 3 != 0 or holds(s, 0, landing) or holds(s, 1, landing):
        return False
    around = s.around[landing]
    found = False
    for i in range(OFFERED[seat, around]):
        found = found or 16 * CELL[landing] + OFFERS[seat, around, i] == a
    return found
