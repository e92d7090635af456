"""Wall Go: what a computer player thinks of a position.

A seat's own land counts, and in contested land what it reaches in fewer steps than anyone else. The more walls stand, the more that
tells. A piece that is still in contested land is worth several cells: one that has shut itself in can do no more.
The numbers were fitted to the results of some thousand games of the computer player against itself.
"""

from __future__ import annotations

import numpy as np

from hanpan.core.level import Level
from hanpan.core.rule import Ints, Record, bits, rule

from . import rules
from .priority import rank, worth_searching
from .reach import NONE, Cells, both, count, joined, spread, stones, without
from .regions import FULL, NOWHERE
from .steps import MOST_SIZE
from .table import PLACING, PLAYING

__all__ = ["LEVELS", "SCALE", "SEARCH", "prune", "rank", "values"]

SEARCH = "tree"
SCALE = 400
LEVELS = (
    Level(nodes=20, softness=0.6),
    Level(nodes=40, softness=0.3),
    Level(nodes=100, softness=0.15),
    Level(nodes=250, softness=0.06),
    Level(nodes=700),
    Level(nodes=2_500),
    Level(nodes=12_000),
    Level(nodes=100_000),
)

# In hundredths of a point; where there are two numbers, on an empty board, and how much more when every edge is walled.
TURN = 60
AHEAD, AHEAD_WALLED = 6, 190  # a contested cell that a seat reaches first
WELL_AHEAD_WALLED = 100  # by two steps or more, in addition
OWN, OWN_WALLED = 28, 335  # a cell that nobody else can reach
ACTIVE, ACTIVE_WALLED = 570, -110  # a piece in contested land
STUCK, STUCK_WALLED = -360, 250  # one of these that can't move
OFF_CENTRE = -24  # a piece, for each step that it stands away from the middle

prune = worth_searching
_FROM_CENTRE = np.array(
    [[(abs(2 * (cell % size) + 1 - size) + abs(2 * (cell // size) + 1 - size)) // 2 for cell in range(MOST_SIZE**2)] for size in range(1, MOST_SIZE + 1)]
)


@rule
def values(s: Record, out: Ints) -> None:
    """How each seat stands."""
    size = int(s.width)
    edges = 2 * size * (size - 1)
    walls = edges - bits(int(s.east[0])) - bits(int(s.east[1])) - bits(int(s.south[0])) - bits(int(s.south[1]))
    walled = 1024 * walls // edges
    # Flood from all seats at once: a cell that a seat has reached after d steps it reaches first by k if no other has reached it after d + k − 1.
    own, own2, own3 = stones(s, 0), stones(s, 1), stones(s, 2)
    near, near2, near3 = own, own2, own3
    ahead, ahead2, ahead3 = own, own2, own3
    well, well2, well3 = NONE, NONE, NONE
    growing = True
    while growing:
        more, more2, more3 = spread(s, near), spread(s, near2), (spread(s, near3) if s.players == 3 else NONE)
        growing = more != near or more2 != near2 or more3 != near3
        rest, rest2, rest3 = joined(more2, more3), joined(more3, more), joined(more, more2)
        well, well2, well3 = joined(well, without(near, rest)), joined(well2, without(near2, rest2)), joined(well3, without(near3, rest3))
        ahead, ahead2, ahead3 = joined(ahead, without(more, rest)), joined(ahead2, without(more2, rest2)), joined(ahead3, without(more3, rest3))
        near, near2, near3 = more, more2, more3
    room = spread(s, without((FULL, FULL), joined(joined(own, own2), own3)))
    out[0] = standing(s, 0, walled, own, near, joined(near2, near3), ahead, well, room)
    out[1] = standing(s, 1, walled, own2, near2, joined(near3, near), ahead2, well2, room)
    if s.players == 3:
        out[2] = standing(s, 2, walled, own3, near3, joined(near, near2), ahead3, well3, room)
    if s.phase == PLAYING:
        out[rules.mover(s)] += TURN


@rule
def standing(s: Record, seat: int, walled: int, own: Cells, mine: Cells, theirs: Cells, ahead: Cells, well: Cells, room: Cells) -> int:
    """How a seat stands.

    walled: the share of edges that are walls, in 1024ths. The cells of its pieces, those that it and those that others reach, those that it
    reaches before all others, and by two steps or more; and those beside an empty cell.
    """
    total = (AHEAD * 1024 + AHEAD_WALLED * walled) * count(both(ahead, theirs))
    for i in range(s.pieces):
        cell = int(s.at[seat, i])
        if cell != NOWHERE:
            total += 1024 * OFF_CENTRE * int(_FROM_CENTRE[s.width - 1, cell])
    if s.phase == PLACING:  # the seats do not have equally many pieces yet
        return total >> 10
    total += WELL_AHEAD_WALLED * walled * count(both(well, theirs))
    total += (OWN * 1024 + OWN_WALLED * walled) * count(without(mine, theirs))
    total += (ACTIVE * 1024 + ACTIVE_WALLED * walled) * count(both(own, theirs))
    total += (STUCK * 1024 + STUCK_WALLED * walled) * count(without(both(own, theirs), room))
    return total >> 10
