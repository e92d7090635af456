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
from .reach import others_stones, spread, stones
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
    for seat in range(s.players):
        out[seat] = standing(s, seat, walled)
    if s.phase == PLAYING:
        out[rules.mover(s)] += TURN


@rule
def standing(s: Record, seat: int, walled: int) -> int:
    """How a seat stands; walled: the share of edges that are walls, in 1024ths."""
    own, own_high = stones(s, seat)
    others, others_high = others_stones(s, seat)
    room, room_high = spread(s, FULL & ~(own | others), FULL & ~(own_high | others_high))
    # Flood from both sides at once: a cell reached after d steps is ahead by k if the others have not reached it after d + k − 1.
    mine, mine_high, theirs, theirs_high = own, own_high, others, others_high
    new, new_high, ahead, ahead_high, well, well_high = own, own_high, own, own_high, 0, 0
    growing = True
    while growing:
        more, more_high = spread(s, mine, mine_high)
        reached, reached_high = spread(s, theirs, theirs_high)
        growing = more != mine or more_high != mine_high or reached != theirs or reached_high != theirs_high
        well, well_high = well | (new & ~reached), well_high | (new_high & ~reached_high)
        new, new_high = more & ~mine, more_high & ~mine_high
        ahead, ahead_high = ahead | (new & ~reached), ahead_high | (new_high & ~reached_high)
        mine, mine_high, theirs, theirs_high = more, more_high, reached, reached_high
    total = (AHEAD * 1024 + AHEAD_WALLED * walled) * (bits(ahead & theirs) + bits(ahead_high & theirs_high))
    for i in range(s.pieces):
        cell = int(s.at[seat, i])
        if cell != NOWHERE:
            total += 1024 * OFF_CENTRE * int(_FROM_CENTRE[s.width - 1, cell])
    if s.phase == PLACING:  # the seats do not have equally many pieces yet
        return total >> 10
    total += WELL_AHEAD_WALLED * walled * (bits(well & theirs) + bits(well_high & theirs_high))
    total += (OWN * 1024 + OWN_WALLED * walled) * (bits(mine & ~theirs) + bits(mine_high & ~theirs_high))
    total += (ACTIVE * 1024 + ACTIVE_WALLED * walled) * (bits(own & theirs) + bits(own_high & theirs_high))
    total += (STUCK * 1024 + STUCK_WALLED * walled) * (bits(own & theirs & ~room) + bits(own_high & theirs_high & ~room_high))
    return total >> 10
