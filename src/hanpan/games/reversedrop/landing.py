"""What a landing brings, as tables looked up by the four neighbours of the landing cell.

Actions number the cells 0 … 99, row by row. The board numbers them as *spots*, in rows of 11: the eleventh column is a gap, and there is room
above and below, so that a step is an addition and a step off the board ends on a spot where nothing lies.

What lies around a spot is one number, two bits a direction: 0 empty, 1 black, 2 white, 3 off the board.
"""

import numpy as np
import numpy.typing as npt

SIZE = 10
CELLS = SIZE * SIZE
WIDTH = SIZE + 1  # of a row of spots
FIRST = WIDTH + 1  # the spot of a1
SPOTS = FIRST + SIZE * WIDTH + WIDTH
OFF = 3

# Directions, clockwise: up, right, down, left.
STEP = np.array([-WIDTH, 1, WIDTH, -1], np.int64)  # from spot to spot
CELL_STEP = (-SIZE, 1, SIZE, -1)  # from cell to cell

SPOT = np.array([FIRST + cell // SIZE * WIDTH + cell % SIZE for cell in range(CELLS)], np.int64)
CELL = np.zeros(SPOTS, np.int64)  # of a spot
CELL[SPOT] = np.arange(CELLS)


def side(direction: int, choice: int) -> int:
    """The direction of a choice, seen from the landing cell: 1 is to the left of the way it came, 2 straight on, 3 to the right."""
    return (direction + choice + 2) % 4


# What a landing brings to the seat that moves.
NOTHING, COPY, TURN_COAT, ASSIMILATE = 0, 1, 2, 4  # ASSIMILATE + d: the enemy piece in direction d


def _neighbours(around: int, kind: int) -> list[int]:
    return [direction for direction in range(4) if around >> 2 * direction & 3 == kind]


def _brings(seat: int, around: int) -> int:
    # One own piece is the one that moves; with a second one, or at the rim, nothing happens.
    enemies = _neighbours(around, 2 - seat)
    if len(_neighbours(around, 1 + seat)) != 1 or _neighbours(around, OFF):
        return NOTHING
    return (COPY, ASSIMILATE + sum(enemies), NOTHING, TURN_COAT)[len(enemies)]


def _offers(seat: int, around: int) -> list[int]:
    """The actions that end here, less 16 times the number of the landing cell. There are at most 4."""
    brings = _brings(seat, around)
    found = []
    for origin in _neighbours(around, 1 + seat):
        direction = (origin + 2) % 4
        choices = [0]
        if brings == COPY or brings >= ASSIMILATE:
            choices = [choice for choice in (1, 2, 3) if side(direction, choice) in _neighbours(around, 0)]
        found += [(CELL_STEP[origin] * 4 + direction) * 4 + choice for choice in choices]
    return found


BRINGS: npt.NDArray[np.int64] = np.array([[_brings(seat, around) for around in range(256)] for seat in range(2)], np.int64)
OFFERED: npt.NDArray[np.int64] = np.array([[len(_offers(seat, around)) for around in range(256)] for seat in range(2)], np.int64)
OFFERS: npt.NDArray[np.int32] = np.array([[(_offers(seat, around) + [0] * 4)[:4] for around in range(256)] for seat in range(2)], np.int32)

# What lies around every spot of the empty board.
EMPTY_AROUND = np.zeros(SPOTS, np.uint8)
for _cell in range(CELLS):
    _x, _y = _cell % SIZE, _cell // SIZE
    for _direction, _outside in enumerate((_y == 0, _x == SIZE - 1, _y == SIZE - 1, _x == 0)):
        EMPTY_AROUND[SPOT[_cell]] |= OFF << 2 * _direction if _outside else 0
