"""The ladder of a game: every level against the one below it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from hanpan.bots.elo import Sprt, elo, expected
from hanpan.bots.match import play_match
from hanpan.bots.match_log import MatchLog
from hanpan.bots.pairs import Plan
from hanpan.bots.tally import Tally
from hanpan.core.reading import quoted, whole
from hanpan.result import sides

STEP = 0.6  # what a level should score against the one below, as one of two sides


@dataclass(frozen=True)
class Rung:
    """A level's match against the one below."""

    upper: int
    lower: int
    tally: Tally
    wanted: float

    @property
    def holds(self) -> bool | None:
        """Whether the level scored what it should; None without a whole pair."""
        scores = self.tally.scores()
        return sum(scores) / len(scores) >= self.wanted if scores else None

    def report(self) -> dict[str, Any]:
        """The rung as JSON."""
        return {"level": self.upper, "against": self.lower, "wanted": round(self.wanted, 4), "holds": self.holds, **self.tally.report()}


def head(plan: Plan) -> dict[str, Any]:
    """What a file with a ladder's games says of them all."""
    return plan.head() | {"players": "levels"}


def climb(
    plan: Plan,
    levels: list[int],
    games: int,
    cores: int = 1,
    log: MatchLog | None = None,
    tell: Callable[[int, Tally], None] = lambda upper, tally: None,
    on: str | None = None,
) -> Iterator[Rung]:
    """The rungs from below: each is played until the test between an equal and one who scores 60 % is decided, or all games are played.

    With more than two sides the wanted score is the one that belongs to the same difference in strength.
    """
    ways = len(set(sides(plan.table())))
    wanted = expected(elo(STEP), ways)
    for lower, upper in pairwise(levels):
        rung = replace(plan, players=(str(upper), str(lower)))
        tally = Tally(ways, Sprt(expected(0, ways), wanted))
        play_match(rung, games, cores, log, tally, lambda tally, upper=upper: tell(upper, tally), on)  # type: ignore[misc]
        yield Rung(upper, lower, tally, wanted)
        if tally.interrupted:
            return


def read_levels(text: str) -> list[int]:
    """`1-8`, `6-8` or `1,4,8`: the levels of a ladder, from below."""
    low, dash, high = text.partition("-")
    words = [low, high] if dash else text.split(",")
    levels = [number for number in map(whole, words) if number is not None]
    if len(levels) < len(words):
        raise ValueError(f"levels: {quoted(text)} is neither like 1-8 nor like 1,4,8")
    if dash and levels[1] <= 8:
        levels = list(range(levels[0], levels[1] + 1))
    if len(levels) < 2 or levels != sorted(set(levels)) or levels[0] < 1 or levels[-1] > 8:
        raise ValueError(f"levels: {quoted(text)} are not at least two levels of 1…8, from below")
    return levels
