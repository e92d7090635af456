"""Wall Go: which actions a computer player looks at first, and which it need not look at."""

from __future__ import annotations

from hanpan.core.rule import Ints, Record, rule

from . import rules
from .habits import BEHIND, LAST, ROOM, STAND, WALK
from .reach import others_stones, spread, stones
from .regions import FULL, WORD, holds
from .steps import COUNT, STEPS, away, beside, free
from .table import PLAYING

_EDGEWARD = 20  # how much less likely a cell is chosen to place a piece, for each step away from the middle


@rule
def touching(s: Record, cell: int, side: int) -> int:
    """How many ends of a wall on this side of a cell would touch another wall or the rim; with two it may cut a region."""
    sides = free(s, cell) & free(s, beside(s, cell, side))
    ends = 0
    for along in range(2 - (side & 2), 4 - (side & 2)):
        if (sides >> along) & 1 == 0 or (free(s, beside(s, cell, along)) >> side) & 1 == 0:
            ends += 1
    return ends


@rule
def worth_searching(s: Record, actions: Ints, n: int, depth: int) -> int:
    """Keep the actions that differ: of the turns in land that is a seat's own already, which change nothing, one is enough."""
    if s.phase != PLAYING:
        return n
    me = rules.mover(s)
    theirs, theirs_high = others_stones(s, me)
    growing = True
    while growing:
        more, more_high = spread(s, theirs, theirs_high)
        growing = more != theirs or more_high != theirs_high
        theirs, theirs_high = more, more_high
    # A wall that touches only one thing divides nothing: then the turn is a mere pass. Without such a one all are kept.
    size = int(s.width)
    passing = -1
    for i in range(n):
        a = int(actions[i])
        cell = (a >> 2) // STEPS
        if not holds(theirs, theirs_high, cell) and touching(s, away(size, cell, (a >> 2) % STEPS), a & 3) < 2:
            passing = a
            break
    kept = 0
    for i in range(n):
        a = int(actions[i])
        cell, step, side = (a >> 2) // STEPS, (a >> 2) % STEPS, a & 3
        if passing >= 0 and a != passing and not holds(theirs, theirs_high, cell):
            continue
        if step == 0 and side & 1 == 0 and s.cell[beside(s, cell, side)] == me + 1:
            continue  # the piece there builds the same wall, also standing still
        actions[kept] = a
        kept += 1
    return kept


@rule
def rank(s: Record, actions: Ints, n: int, ranks: Ints) -> None:
    """How likely each action is to be the best, in hundredths of a natural logarithm."""
    size = int(s.width)
    if s.phase != PLAYING:
        for i in range(n):
            cell = int(actions[i]) - size * size * STEPS * 4
            ranks[i] = -_EDGEWARD * (abs(2 * (cell % size) + 1 - size) + abs(2 * (cell // size) + 1 - size)) // 2
        return
    me = rules.mover(s)
    own, own_high = stones(s, me)
    others, others_high = others_stones(s, me)
    own1, own1_high, own2, own2_high, own4, own4_high = planes(s, own, own_high)
    far1, far1_high, far2, far2_high, far4, far4_high = planes(s, others, others_high)
    for i in range(n):
        a = int(actions[i])
        first, step, side = (a >> 2) // STEPS, (a >> 2) % STEPS, a & 3
        last = away(size, first, step)
        behind = beside(s, last, side)
        far_first = distance(far1, far1_high, far2, far2_high, far4, far4_high, first)
        far_last = distance(far1, far1_high, far2, far2_high, far4, far4_high, last)
        far_behind = distance(far1, far1_high, far2, far2_high, far4, far4_high, behind)
        near_last = min(distance(own1, own1_high, own2, own2_high, own4, own4_high, last), 3)
        near_behind = min(distance(own1, own1_high, own2, own2_high, own4, own4_high, behind), 3)
        ends = touching(s, last, side)
        walked = 0 if step == 0 else 1 if step <= 4 else 2
        ranks[i] = (
            int(LAST[far_last, far_behind, ends])
            + int(WALK[far_first, far_last, walked])
            + int(BEHIND[near_behind, far_behind, ends])
            + int(STAND[near_last, far_last, ends])
            + int(ROOM[COUNT[free(s, last)], COUNT[free(s, behind)], ends])
        )


@rule
def planes(s: Record, low: int, high: int) -> tuple[int, int, int, int, int, int]:
    """How far every cell is from a set, up to 7, written in binary: the cells with a one, with a two, with a four in their distance."""
    one, one_high, two, two_high, four, four_high = FULL, FULL, FULL, FULL, FULL, FULL
    new, new_high = low, high
    for d in range(7):
        if d & 1 == 0:
            one, one_high = one & ~new, one_high & ~new_high
        if d & 2 == 0:
            two, two_high = two & ~new, two_high & ~new_high
        if d & 4 == 0:
            four, four_high = four & ~new, four_high & ~new_high
        more, more_high = spread(s, low, high)
        new, new_high = more & ~low, more_high & ~high
        low, high = more, more_high
    return one, one_high, two, two_high, four, four_high


@rule
def distance(one: int, one_high: int, two: int, two_high: int, four: int, four_high: int, cell: int) -> int:
    """A cell's distance, read from the planes."""
    if cell < WORD:
        return ((one >> cell) & 1) | ((two >> cell) & 1) << 1 | ((four >> cell) & 1) << 2
    cell -= WORD
    return ((one_high >> cell) & 1) | ((two_high >> cell) & 1) << 1 | ((four_high >> cell) & 1) << 2
