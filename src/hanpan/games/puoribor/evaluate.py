"""Puoribor: what a computer player thinks of a position."""

from hanpan.core.level import Level
from hanpan.core.rule import Ints, Record, rule

from .candidates import candidates, guess
from .lanes import ROOM
from .learnt import judge
from .race import settled
from .ways import both_lengths

__all__ = ["LATE", "LEVELS", "MARGIN", "ROOM", "SCALE", "candidates", "guess", "settled", "skip", "values"]

SCALE = 220  # `values` are 200 times the logarithm of the odds
LATE = 4
MARGIN = 100
LEVELS = (
    Level(nodes=2_000, depth=1, softness=0.5),
    Level(nodes=2_000, depth=1, softness=0.28),
    Level(nodes=2_500, depth=2, softness=0.2),
    Level(nodes=2_800, depth=3, softness=0.12),
    Level(nodes=8_000, softness=0.01),
    Level(nodes=8_000),
    Level(nodes=70_000),
    Level(nodes=4_000_000, seconds=0.7),
)
RACE = 2000  # what a race without walls is worth to the winner
MOST = 1900  # and anything else at most


@rule
def values(s: Record, out: Ints) -> None:
    """What the network thinks; without walls in hand the shorter way wins the race."""
    me = int(s.turn)
    mine, theirs = both_lengths(s)
    if s.hand[0] == 0 and s.hand[1] == 0:
        out[me] = RACE - 20 * mine + 10 * theirs if mine <= theirs else 20 * theirs - 10 * mine - RACE
    else:
        out[me] = min(max(judge(s, mine, theirs), -MOST), MOST)
    out[1 - me] = 0


@rule
def skip(s: Record) -> None:
    """Pass."""
    s.turn = 1 - s.turn
