"""What a load measures: how long people wait, by what they wait for, and how often things happened."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hanpan.client.load.histogram import Histogram

# What people wait for, in the order in which it is shown; the last is what this program itself came too late for.
WAITS = {
    "acknowledged": "action acknowledged",
    "opponent": "seen by opponents",
    "spectator": "seen by spectators",
    "connect": "connected",
    "reconnect": "connected again",
    "late": "own delay",
}


class Figures:
    """The figures of one load, or of several put together."""

    def __init__(self) -> None:
        self.waits = {name: Histogram() for name in WAITS}
        self.counts: Counter[str] = Counter()  # accepted, bytes, games, lost, cut, said, heard, and `refused CODE`

    def clear(self) -> None:
        """Count from nothing again."""
        self.waits = {name: Histogram() for name in WAITS}
        self.counts.clear()

    def merge(self, other: Figures) -> None:
        """All of another load's, too."""
        for name, waits in other.waits.items():
            self.waits[name].merge(waits)
        self.counts.update(other.counts)

    def json(self) -> dict[str, Any]:
        """As plain data."""
        return {"counts": dict(sorted(self.counts.items())), "waits": {name: waits.json() for name, waits in self.waits.items()}}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Figures:
        """Read `json`'s data."""
        made = cls()
        made.counts.update(data["counts"])
        made.waits.update({name: Histogram.from_json(waits) for name, waits in data["waits"].items()})
        return made
