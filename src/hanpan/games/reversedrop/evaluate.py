"""Reverse Drop Chess: what a computer player thinks of a position.

A piece is worth less the more enemies face it; an empty cell that only one side can land on is worth something to that side, most where a landing would bring
a new piece. The numbers were fitted to the results of games that the computer played against itself.
"""

from __future__ import annotations

import numpy as np

from hanpan.core.level import Level
from hanpan.core.rule import Ints, Record, bits, rule

from .landing import ASSIMILATE, BRINGS, CELLS, COPY, SIZE, SPOT, STEP, TURN_COAT, WIDTH
from .rules import PLACE
from .table import BOARD, LAST_ROW, SETUP, TOP_ROW, count, holds

SCALE = 500
LEVELS = (
    Level(nodes=400, depth=1, softness=0.5),
    Level(nodes=400, depth=1, softness=0.15),
    Level(nodes=3_000, depth=2, softness=0.08),
    Level(nodes=8_000, depth=3, softness=0.03),
    Level(nodes=12_000, depth=4),
    Level(nodes=40_000),
    Level(nodes=200_000),
    Level(nodes=1_200_000),
)

# In hundredths of a piece.
PIECE = 100
FACED_BY_ONE, FACED_BY_TWO, FACED_BY_MORE = -35, -55, -75  # what enemies beside a piece take from its worth
RIM = -28  # a piece at the rim that faces no enemy
BUD = 55  # an empty cell where a landing of this side brings a new piece
GROUND = 42  # an empty cell beside several pieces of this side only
EDGE = 12  # the same at the rim, beside one or more
CATCH = 170  # having the move when an enemy piece can be assimilated

_COLUMNS = sum(1 << row * WIDTH + x for row in range(5) for x in range(1, SIZE - 1))
INSIDE = np.array([_COLUMNS & ~TOP_ROW, _COLUMNS & ~(TOP_ROW << LAST_ROW)], np.int64)  # the cells of each half that are not at the rim


@rule
def beside(s: Record, seat: int, half: int) -> tuple[int, int, int]:
    """The cells of one half that have one piece of that seat beside them, two, and more."""
    own, other = int(s.pieces[seat, half]), int(s.pieces[seat, 1 - half])
    above, below, left, right = own << WIDTH, own >> WIDTH, own << 1, own >> 1
    if half == 0:
        below |= (other & TOP_ROW) << LAST_ROW
    else:
        above |= other >> LAST_ROW
    # Four bits a cell are added up, all cells at once: `odd` is the sum's first binary digit, `twos` its second.
    across, down = left ^ right, above ^ below
    odd = (across ^ down) & BOARD
    twos = ((left & right) ^ (above & below) ^ (across & down)) & BOARD
    four = left & right & above & below & BOARD
    return odd & ~twos, twos & ~odd, odd & twos | four


@rule
def stands(own: int, empty: int, inside: int, one: int, two: int, more: int, foe: int, foes: int, many: int) -> int:
    """What one half of the board is worth to a seat. one, two, more: cells with so many own pieces beside them; foe, foes, many: with so many enemies."""
    alone = BOARD & ~(foe | foes | many)
    free = empty & alone
    pieces = PIECE * bits(own) + RIM * bits(own & alone & ~inside)
    faced = FACED_BY_ONE * bits(own & foe) + FACED_BY_TWO * bits(own & foes) + FACED_BY_MORE * bits(own & many)
    land = BUD * bits(free & inside & one) + GROUND * bits(free & inside & (two | more)) + EDGE * bits(free & ~inside & (one | two | more))
    return pieces + faced + land


@rule
def values(s: Record, out: Ints) -> None:
    """How each seat stands, in hundredths of a piece."""
    black, white, between = 0, 0, 0
    for half in range(2):
        blacks, whites = int(s.pieces[0, half]), int(s.pieces[1, half])
        empty, inside = BOARD & ~(blacks | whites), int(INSIDE[half])
        black_one, black_two, black_more = beside(s, 0, half)
        white_one, white_two, white_more = beside(s, 1, half)
        black += stands(blacks, empty, inside, black_one, black_two, black_more, white_one, white_two, white_more)
        white += stands(whites, empty, inside, white_one, white_two, white_more, black_one, black_two, black_more)
        between |= empty & inside & black_one & white_one  # whoever lands between two that are alone there assimilates
    out[0], out[1] = black, white
    if s.turn >= 0 and s.plies != SETUP and between != 0:
        out[s.turn] += CATCH


@rule
def order(s: Record, a: int) -> int:
    """First what assimilates, then what copies; last what changes sides."""
    if a >= PLACE:
        return 0
    brings = BRINGS[s.turn, s.around[SPOT[a >> 4] + STEP[(a >> 2) & 3]]]
    if brings >= ASSIMILATE:
        return 300
    if brings == COPY:
        return 100
    return -300 if brings == TURN_COAT else 0


@rule
def nearest(s: Record, seat: int, cell: int) -> int:
    """How many steps away the nearest piece of a seat is, counted up to 4."""
    steps = 4
    for other in range(CELLS):
        if holds(s, seat, SPOT[other]):
            steps = min(steps, abs(cell % SIZE - other % SIZE) + abs(cell // SIZE - other // SIZE))
    return steps


@rule
def suits(s: Record, cell: int) -> int:
    """How well a cell suits the host for the next piece: the own ones inside and apart, so that each can copy; the enemy's in a heap at the rim."""
    inwards = min(min(cell % SIZE, SIZE - 1 - cell % SIZE), min(cell // SIZE, SIZE - 1 - cell // SIZE))
    if count(s, 0) < s.black:
        return 4 * min(inwards, 2) + 3 * nearest(s, 0, cell)
    return -4 * inwards - 3 * nearest(s, 1, cell)


@rule
def prune(s: Record, actions: Ints, n: int, depth: int) -> int:
    """While pieces are set up by hand, the one cell that suits best."""
    if s.plies != SETUP:
        return n
    first = 0
    for i in range(1, n):
        if suits(s, int(actions[i]) - PLACE) > suits(s, int(actions[first]) - PLACE):
            first = i
    actions[0], actions[first] = actions[first], actions[0]
    return 1
