"""How a match stands: its finished games added up."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from hanpan.bots.elo import Sprt, elo, interval


@dataclass(frozen=True)
class Played:
    """A finished game of a match."""

    pair: int
    side: int  # the side that the first player had
    score: float  # of the first player, 0 … 1
    winner: list[int] | None  # seats; None if it ended undecided
    plies: int
    seconds: tuple[float, ...]  # thinking time a move, of the first and of the second player
    actions: tuple[str, ...]
    fault: str | None = None  # why a player lost without an end on the board


class Tally:
    """Win, draw and loss of the first player; with whole pairs also its score and Elo with their 95 % intervals."""

    def __init__(self, sides: int = 2, test: Sprt | None = None) -> None:
        self._sides, self.test = sides, test
        self._pairs: dict[int, dict[int, Played]] = {}
        self._tested = 0  # pairs that the test has heard of: always the first ones, so that quick games do not come first
        self.interrupted = False

    def add(self, played: Played) -> None:
        """One more game."""
        self._pairs.setdefault(played.pair, {})[played.side] = played
        while self.test is not None and len(self._pairs.get(self._tested, ())) == self._sides:
            self.test.add(self._mean(self._tested))
            self._tested += 1

    @property
    def decided(self) -> bool:
        """Whether the test has come to a verdict."""
        return self.test is not None and self.test.verdict is not None

    def games(self) -> list[Played]:
        """The finished games, in order."""
        return [played for _, pair in sorted(self._pairs.items()) for _, played in sorted(pair.items())]

    def scores(self) -> list[float]:
        """The first player's mean score in each whole pair."""
        return [self._mean(number) for number, pair in sorted(self._pairs.items()) if len(pair) == self._sides]

    def counts(self) -> tuple[int, int, int]:
        """Games won, drawn (or shared) and lost."""
        scores = [played.score for pair in self._pairs.values() for played in pair.values()]
        won, lost = sum(score == 1 for score in scores), sum(score == 0 for score in scores)
        return won, len(scores) - won - lost, lost

    def report(self) -> dict[str, Any]:
        """How the match stands, as JSON: null where there is no number (an Elo without a single point lost)."""
        games, scores = self.games(), self.scores()
        won, drawn, lost = self.counts()
        score = sum(scores) / len(scores) if scores else None
        bounds = interval(scores)
        return {
            "games": len(games),
            "pairs": len(scores),
            "wins": won,
            "draws": drawn,
            "losses": lost,
            "score": None if score is None else round(score, 4),
            "score_interval": [round(bound, 4) for bound in bounds],
            "elo": None if score is None else self._elo(score),
            "elo_interval": [self._elo(bound) for bound in bounds],
            "seconds_per_move": [_mean([played.seconds[player] for played in games]) for player in (0, 1)],
            "plies": _mean([played.plies for played in games]),
            "faults": [{"pair": played.pair, "side": played.side, "fault": played.fault} for played in games if played.fault],
            "sprt": self._verdict(),
            "interrupted": self.interrupted,
        }

    def _verdict(self) -> dict[str, Any] | None:
        test = self.test
        if test is None:
            return None
        return {"h0": round(test.worse, 4), "h1": round(test.better, 4), "llr": round(test.ratio, 2), "bound": round(test.bound, 2), "verdict": test.verdict}

    def _elo(self, score: float) -> float | None:
        found = elo(score, self._sides)
        return round(found, 1) if math.isfinite(found) and 1e-6 < score < 1 - 1e-6 else None

    def _mean(self, pair: int) -> float:
        return sum(played.score for played in self._pairs[pair].values()) / self._sides


def _mean(numbers: list[Any]) -> float:
    return round(sum(numbers) / len(numbers), 4) if numbers else 0.0
