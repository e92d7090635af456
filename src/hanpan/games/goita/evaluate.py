"""What a computer player thinks of Goita: how the game stands, what players do by habit, and what their turns so far tell of their hands."""

from __future__ import annotations

from typing import Any

from hanpan.core.level import Level
from hanpan.core.maths import likely, log
from hanpan.core.rule import Ints, Record, rule

from .habits import rank as rank
from .rules import apply, legal
from .solve import SOLVE_ROOM as SOLVE_ROOM
from .solve import solve as solve
from .standing import SCALE as SCALE
from .standing import lead
from .table import MOST_TURNS, PLAY, begin

TRUST = 0.6  # how far habits are believed: players think, too
SLIP = 0.05  # the part of all turns that no habit explains

LEVELS = (
    Level(nodes=16, depth=1, softness=0.8),
    Level(nodes=32, depth=1, softness=0.4),
    Level(nodes=64, depth=1, softness=0.2),
    Level(nodes=110, depth=1, softness=0.15),
    Level(nodes=200, depth=1, softness=0.1),
    Level(nodes=600, depth=1, softness=0.05),
    Level(nodes=1_000, depth=1),
    Level(nodes=1_000_000),
)


@rule
def values(s: Record, out: Ints) -> None:
    """How each team stands in the game, at both its seats."""
    ahead = lead(s, 0) // 2
    for seat in range(4):
        out[seat] = ahead if seat & 1 == 0 else -ahead


@rule
def plausible(s: Record, seat: int, past: Any, actions: Ints, ranks: Any) -> int:
    """How well a world explains what the others did in this round: the logarithm of its likelihood, in hundredths. past: room for one record."""
    if s.phase != PLAY:
        return 0
    past[0] = s
    then = past[0]
    for i in range(MOST_TURNS):
        then.turns[i] = 0
    for other in range(4):
        then.placed[other] = 0
    then.count = 0
    then.attack = 0
    then.king = 0
    begin(then, int(s.fives))
    then.phase = PLAY
    total = 0.0
    for i in range(int(s.count)):
        pair = int(s.turns[i])
        a = 0 if pair == 0 else 9 * (pair // 10) + pair % 10 - 9
        if then.turn != seat:
            n = legal(then, actions)
            if n > 1:
                rank(then, actions, n, ranks)
                total += log(SLIP / n + (1 - SLIP) * share(actions, ranks, n, a))
        apply(then, a)
    return int(100 * TRUST * total)


@rule
def share(actions: Ints, ranks: Any, n: int, a: int) -> float:
    """The chance that an action is taken by habit."""
    top = ranks[0]
    for i in range(n):
        top = max(top, ranks[i])
    total = 0.0
    own = 0.0
    for i in range(n):
        weight = likely(top - ranks[i])
        total += weight
        if actions[i] == a:
            own = weight
    return own / total
