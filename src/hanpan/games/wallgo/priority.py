"""Wall Go: which actions a computer player looks at first, and which it need not look at."""

from __future__ import annotations

from hanpan.core.rule import Ints, Record, rule

from . import rules
from .habits import BEHIND, LAST, ROOM, STAND, WALK
from .reach import Cells, others_stones, spread, stones, without
from .regions import FULL, WORD, holds
from .steps import COUNT, STEPS, away, beside, free
from .table import PLAYING

_EDGEWARD = 20  # how much less likely a cell is chosen to place a piece, for each step away from the middle
_NEAR, _FAR = 3, 7  # up to where distances count, of the own pieces and of the others'


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
    theirs = others_stones(s, me)
    growing = True
    while growing:
        more = spread(s, theirs)
        growing = more != theirs
        theirs = more
    # A wall that touches only one thing divides nothing: then the turn is a mere pass. Without such a one all are kept.
    size = int(s.width)
    passing = -1
    for i in range(n):
        a = int(actions[i])
        cell = (a >> 2) // STEPS
        if not holds(theirs[0], theirs[1], cell) and touching(s, away(size, cell, (a >> 2) % STEPS), a & 3) < 2:
            passing = a
            break
    kept = 0
    for i in range(n):
        a = int(actions[i])
        cell, step, side = (a >> 2) // STEPS, (a >> 2) % STEPS, a & 3
        if passing >= 0 and a != passing and not holds(theirs[0], theirs[1], cell):
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
    near, far = planes(s, stones(s, me), _NEAR), planes(s, others_stones(s, me), _FAR)
    walk, last, far_last, near_last, walked = -1, 0, 0, 0, 0
    for i in range(n):
        a = int(actions[i])
        side = a & 3
        if a >> 2 != walk:  # the walls of one walk mostly stand together
            walk = a >> 2
            first, step = walk // STEPS, walk % STEPS
            last = away(size, first, step)
            far_last, near_last = distance(far, last), min(distance(near, last), _NEAR)
            walked = int(WALK[distance(far, first), far_last, 0 if step == 0 else 1 if step <= 4 else 2])
        behind = beside(s, last, side)
        far_behind, near_behind = distance(far, behind), min(distance(near, behind), _NEAR)
        ends = touching(s, last, side)
        ranks[i] = (
            walked
            + int(LAST[far_last, far_behind, ends])
            + int(BEHIND[near_behind, far_behind, ends])
            + int(STAND[near_last, far_last, ends])
            + int(ROOM[COUNT[free(s, last)], COUNT[free(s, behind)], ends])
        )


@rule
def planes(s: Record, cells: Cells, most: int) -> tuple[Cells, Cells, Cells]:
    """How far every cell is from a set, written in binary: the cells with a one, with a two, with a four in their distance; all three from `most` on, 7."""
    one, two, four = (FULL, FULL), (FULL, FULL), (FULL, FULL)
    new = cells
    for d in range(most):
        if d & 1 == 0:
            one = without(one, new)
        if d & 2 == 0:
            two = without(two, new)
        if d & 4 == 0:
            four = without(four, new)
        more = spread(s, cells)
        new, cells = without(more, cells), more
    return one, two, four


@rule
def distance(planes: tuple[Cells, Cells, Cells], cell: int) -> int:
    """A cell's distance, read from the planes."""
    one, two, four = planes
    if cell < WORD:
        return ((one[0] >> cell) & 1) | ((two[0] >> cell) & 1) << 1 | ((four[0] >> cell) & 1) << 2
    cell -= WORD
    return ((one[1] >> cell) & 1) | ((two[1] >> cell) & 1) << 1 | ((four[1] >> cell) & 1) << 2
