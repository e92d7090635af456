"""How sure a match's score is: Elo, its confidence interval, and the sequential test that ends a match early.

The unit is the pair (the games with one opening, seats exchanged), because the games of a pair are not independent; a pair counts with
its mean score. Nothing is assumed about how those scores are spread: the likelihood of a true score is that of the best-fitting spread
over the observed scores that has this mean (empirical likelihood). So intervals stay inside 0 … 1 and are sensible for a clean sweep too.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from hanpan.core.reading import decimal, quoted

_TRACE = 1e-3  # of a pair lost and a pair won altogether: what was never seen is still possible
_INTERVAL = 1.92  # 95 %: half the chi-squared quantile
_RISK = 0.05  # of either wrong verdict


def elo(score: float, sides: int = 2) -> float:
    """How much stronger one is who scores this against equals of the other (all other sides are the other's).

    >>> round(elo(0.64)), round(elo(0.5)), round(elo(1 / 3, sides=3))
    (100, 0, 0)
    """
    if score <= 0 or score >= 1:
        return math.copysign(math.inf, score - 0.5)
    return 400 * math.log10(score * (sides - 1) / (1 - score))


def expected(elo: float, sides: int = 2) -> float:
    """The score that belongs to a difference in Elo.

    >>> round(expected(100), 2), round(expected(0, sides=3), 3)
    (0.64, 0.333)
    """
    strength = 10 ** (elo / 400)
    return strength / (strength + sides - 1)


def interval(scores: Sequence[float]) -> tuple[float, float]:
    """The 95 % interval of the true score, from the score of every pair.

    >>> [round(bound, 2) for bound in interval([1.0] * 10)]
    [0.82, 1.0]
    """
    if not scores:
        return 0.0, 1.0
    seen = _spread(scores)
    mean = sum(scores) / len(scores)

    def last_likely(end: float) -> float:
        likely, unlikely = mean, end
        for _ in range(40):
            middle = (likely + unlikely) / 2
            if _support(seen, middle) >= -_INTERVAL:
                likely = middle
            else:
                unlikely = middle
        return (likely + unlikely) / 2

    return last_likely(0.0), last_likely(1.0)


def log_likelihood_ratio(scores: Sequence[float], worse: float, better: float) -> float:
    """How much better the true score `better` explains the pairs than `worse` does (natural logarithm).

    >>> round(log_likelihood_ratio([1.0] * 10, 0.5, 0.6) / math.log(0.6 / 0.5))
    10
    """
    if not scores:
        return 0.0
    seen = _spread(scores)
    return _support(seen, better) - _support(seen, worse)


class Sprt:
    """A sequential test between two true scores: it ends as soon as one is 19 times likelier than the other."""

    bound = math.log((1 - _RISK) / _RISK)

    def __init__(self, worse: float, better: float) -> None:
        if not 0 < worse < better < 1:
            raise ValueError(f"sprt: {worse:g},{better:g} are not two scores with 0 < H0 < H1 < 1")
        self.worse, self.better = worse, better
        self.ratio = 0.0
        self.verdict: str | None = None  # "H0" or "H1" once decided
        self._scores: list[float] = []

    @classmethod
    def read(cls, text: str, sides: int = 2) -> Sprt:
        """From the command line: `0.5,0.6` are scores, `elo:0,70` differences in Elo."""
        kind, colon, numbers = text.rpartition(":")
        try:
            worse, better = (decimal(number) for number in numbers.split(","))
            if worse is None or better is None or (kind if colon else "score") not in ("score", "elo"):
                raise ValueError
        except ValueError:
            raise ValueError(f"sprt: {quoted(text)} is neither like 0.5,0.6 nor like elo:0,70") from None
        if kind == "elo" and abs(worse) + abs(better) < 1e5:
            worse, better = expected(worse, sides), expected(better, sides)
        return cls(worse, better)

    def add(self, score: float) -> None:
        """One more pair; after the verdict nothing changes any more."""
        if self.verdict is None:
            self._scores.append(score)
            self.ratio = log_likelihood_ratio(self._scores, self.worse, self.better)
            if abs(self.ratio) >= self.bound:
                self.verdict = "H1" if self.ratio > 0 else "H0"


def _spread(scores: Sequence[float]) -> list[tuple[float, float]]:
    counts = Counter({0.0: _TRACE, 1.0: _TRACE})
    counts.update(scores)
    return list(counts.items())


def _support(seen: list[tuple[float, float]], mean: float) -> float:
    """How well the best spread with this mean explains what was seen, compared with the best of all (at most 0)."""
    if not 0 < mean < 1:
        return -math.inf
    low, high = -1 / (1 - mean), 1 / mean
    for _ in range(60):  # the tilt that gives the spread this mean; the slope falls with it
        tilt = (low + high) / 2
        if sum(count * (score - mean) / (1 + tilt * (score - mean)) for score, count in seen) > 0:
            low = tilt
        else:
            high = tilt
    return -sum(count * math.log1p(tilt * (score - mean)) for score, count in seen)
