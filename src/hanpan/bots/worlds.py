"""A search for games with secrets: it imagines worlds that the seat to act can't tell from the true one, and searches each as if it were open."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from hanpan.bots.thought import Thought
from hanpan.bots.treesearch import TreeSearch
from hanpan.core.rule import rng
from hanpan.rulebook import rulebook

_LEAST, _MOST = 32, 2000  # simulations in one world


class Worlds:
    """What each action is worth on average over many imagined worlds."""

    def __init__(self, name: str, megabytes: int, threads: int = 1) -> None:
        self._rules, self._search = rulebook(name).rules, TreeSearch(name, megabytes, threads)
        self._stopped = False

    def stop(self) -> None:
        """End the search that is running, at once."""
        self._stopped = True
        self._search.stop()

    def think(self, record: Any, seconds: float | None, nodes: int, depth: int, window: int, seed: int, patient: bool = False) -> Iterator[Thought]:
        """Thoughts from more and more worlds, until the time or the `nodes` (simulations in all of them) are used up."""
        until = None if seconds is None else time.monotonic() + seconds
        self._stopped = False
        seat = int(self._rules.mover(record[0]))
        share = min(nodes, max(_LEAST, min(nodes // 8, _MOST)))
        total: dict[int, float] = {}
        worlds = spent = 0
        while True:
            world = record.copy()
            self._rules.imagine(world[0], seat, rng(seed, worlds))
            left = None if until is None else max(0.0, until - time.monotonic())
            *_, last = self._search.think(world, left, share, depth, window, seed + worlds, patient)
            for action, value in last.values.items():
                total[action] = total.get(action, 0.0) + value
            worlds, spent = worlds + 1, spent + last.nodes
            ranked = sorted(total, key=lambda action: -total[action])
            yield Thought({action: total[action] / worlds for action in ranked}, 0, spent, (ranked[0],), exact=frozenset(ranked))
            if self._stopped or spent >= nodes or (until is not None and time.monotonic() >= until) or (len(ranked) == 1 and not patient):
                return
