"""How long things took: a histogram whose buckets grow with what they hold, so that a microsecond and a minute fit in a few hundred numbers."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

_PARTS = 16  # buckets from a value to its double: what is told of a part of the values is at most 2.2 % off
_LEAST = 1e-6  # seconds: what is shorter counts as this


class Histogram:
    """Seconds, counted in buckets. Those of several processes or runs can be put together, and nothing is lost by it.

    >>> waits = Histogram()
    >>> for ms in range(1, 1001):
    ...     waits.add(ms / 1000)
    >>> 0.48 < waits.at(0.5) < 0.52, 0.97 < waits.at(0.99) <= 1.0, waits.most, waits.count
    (True, True, 1.0, 1000)
    """

    def __init__(self) -> None:
        self._buckets: Counter[int] = Counter()
        self.count, self.total, self.most = 0, 0.0, 0.0

    def add(self, seconds: float) -> None:
        """One more."""
        self._buckets[math.floor(_PARTS * math.log2(max(seconds, _LEAST) / _LEAST))] += 1
        self.count += 1
        self.total += seconds
        self.most = max(self.most, seconds)

    def merge(self, other: Histogram) -> None:
        """All of another one, too."""
        self._buckets.update(other._buckets)
        self.count += other.count
        self.total += other.total
        self.most = max(self.most, other.most)

    def at(self, part: float) -> float:
        """The seconds that this part of all (0.99) took at most; 0.0 if there are none."""
        wanted = math.ceil(part * self.count)
        for bucket in sorted(self._buckets):
            wanted -= self._buckets[bucket]
            if wanted <= 0:
                return min(self.most, _LEAST * 2 ** ((bucket + 0.5) / _PARTS))
        return self.most

    def json(self) -> dict[str, Any]:
        """As plain data: milliseconds for readers, and the buckets for whoever puts several together."""
        told = {f"p{100 * part:g}_ms": round(1000 * self.at(part), 3) for part in (0.5, 0.9, 0.99, 0.999)}
        mean = self.total / self.count if self.count else 0.0
        numbers = {"count": self.count, "mean_ms": round(1000 * mean, 3), **told, "max_ms": round(1000 * self.most, 3), "total": self.total, "most": self.most}
        return {**numbers, "buckets": {str(bucket): self._buckets[bucket] for bucket in sorted(self._buckets)}}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Histogram:
        """Read `json`'s data."""
        made = cls()
        made._buckets.update({int(bucket): number for bucket, number in data["buckets"].items()})
        made.count, made.total, made.most = data["count"], data["total"], data["most"]
        return made
