"""Tree search around the compiled simulations: memory, time, threads, the best line."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from hanpan.bots.alphabeta import WIN
from hanpan.bots.mcts import DEEPEST, DONE, JITTER, LIMIT, STOP, USED, WHOLE, compiled_mcts, keep, node_type
from hanpan.bots.search_result import SearchResult, alarm
from hanpan.core.maths import log
from hanpan.core.rule import INTERPRET, rng
from hanpan.rulebook import rulebook

_AHEAD = 4  # plies from one position to the next that the same player is asked about
_LOOKED_THROUGH = 100_000  # positions of the old tree at most, to find the new one: some milliseconds
_NO_CHANCE = 1e-4


class _Tree:
    """One tree, grown by one thread."""

    def __init__(self, name: str, megabytes: float, number: int) -> None:
        book = rulebook(name)
        self._grow, self._find = compiled_mcts(name)
        self._legal = book.rules.legal
        node = node_type(book.rules.MOST_SEATS)
        self.nodes = np.zeros(int(megabytes * (1 << 20)) // node.itemsize, node)
        self._first, self._s = np.zeros(1, book.rules.State), np.zeros(1, book.rules.State)
        self._stack = np.zeros(_AHEAD + 1, book.rules.State)
        self._cursor = np.zeros((_AHEAD + 1, 2), np.int64)
        self._out, self._scratch, self._shares = book.actions_buffer(), book.scores_buffer(), np.zeros(book.rules.MOST_SEATS)
        self._ranks = np.zeros(self._out.size, np.int64)
        self._path = np.zeros((DEEPEST, 3), np.int64)
        self.control = np.zeros(6, np.int64)
        self.control[JITTER] = number
        if not INTERPRET:
            from hanpan.core.compiled import make_ready

            jobs = [(self._grow, self._growing(rng(0))), (self._find, self._finding(self._first)), (keep, (self.nodes, 0, 0))]
            make_ready(f"{name}'s computer player", jobs)

    def plant(self, record: Any, whole: bool) -> None:
        """Begin at a position, keeping what an earlier tree knows of it; whole: with every legal action, even those not worth searching."""
        kept = 0
        if self.control[USED]:
            self._stack[0] = self._first[0]
            at = int(self._find(*self._finding(record)))
            if at >= 0:
                kept = int(keep(self.nodes, at, int(self.control[USED])))
        root = self.nodes[0]
        lacking = whole and root["first"] >= 0 and root["count"] < self._legal(record[0], self._out)
        if kept == 0 or kept > self.nodes.size // 2 or lacking:  # nothing known, or too little room left to learn more
            self.nodes[0] = 0
            self.nodes[0]["first"] = -1
            kept = 1
        self._first[0] = record[0]
        self.control[USED], self.control[STOP], self.control[WHOLE] = kept, 0, whole

    def grow(self, simulations: int, dice: Any) -> None:
        """So many simulations more, unless stopped."""
        self.control[DONE], self.control[LIMIT] = 0, simulations
        self._grow(*self._growing(dice))

    def _growing(self, dice: Any) -> tuple[Any, ...]:
        return self.nodes, self._first, self._s, self._out, self._ranks, self._scratch, self._shares, self._path, dice, self.control

    def _finding(self, record: Any) -> tuple[Any, ...]:
        words = self._stack.view(np.int64).reshape(_AHEAD + 1, -1)
        return self.nodes, self._stack, words, record.view(np.int64).reshape(1, -1), self._cursor, _AHEAD, _LOOKED_THROUGH

    @property
    def proven(self) -> bool:
        """Whether the position is decided."""
        return bool(self.nodes[0]["proven"])

    def children(self) -> Any:
        """The root's children."""
        root = self.nodes[0]
        return self.nodes[root["first"] : root["first"] + root["count"]]

    def line(self, first: int) -> tuple[int, ...]:
        """The most visited line that begins with an action."""
        row, line = self.children(), [first]
        row = row[row["action"] == first]
        while row.size and len(line) < 24:
            best = row[int(row["visits"].argmax())]
            if len(line) > 1 or best["action"] != first:
                line.append(int(best["action"]))
            row = self.nodes[best["first"] : best["first"] + best["count"]] if best["first"] >= 0 else row[:0]
            row = row[row["visits"] > 0]
        return tuple(line)


class TreeSearch:
    """Monte-Carlo tree search with its memory; with several threads, one tree each, and their visits are added."""

    def __init__(self, name: str, megabytes: int, threads: int = 1) -> None:
        self._mover, self._scale = rulebook(name).rules.mover, rulebook(name).evaluation.SCALE
        self._trees = [_Tree(name, megabytes / threads, number) for number in range(threads)]

    def stop(self) -> None:
        """End the search that is running, at once."""
        for tree in self._trees:
            tree.control[STOP] = 1

    def think(self, record: Any, seconds: float | None, nodes: int, depth: int, window: int, seed: int, patient: bool = False) -> Iterator[SearchResult]:
        """Thoughts from more and more simulations, until the time, the `nodes` (simulations) or the memory are used up, or the game is decided."""
        until = None if seconds is None else time.monotonic() + seconds
        for tree in self._trees:
            tree.plant(record, patient)
        seat = int(self._mover(record[0]))
        spent, step = 0, 64
        while True:
            left = None if until is None else until - time.monotonic()
            share = max(1, min(step, nodes - spent) // len(self._trees))
            self._grow_all(share, left, seed, spent)
            spent += share * len(self._trees)
            result = self._result(seat, spent)
            yield result
            stopped = any(tree.control[STOP] for tree in self._trees)
            if stopped or result.sure or spent >= nodes or (until is not None and time.monotonic() >= until) or (len(result.values) == 1 and not patient):
                return
            step *= 2

    def _grow_all(self, simulations: int, seconds: float | None, seed: int, spent: int) -> None:
        def work(number: int, tree: _Tree) -> None:
            dice = rng(seed, number * 1000 + spent % 997)
            with alarm(tree.control, STOP, None if spent == 0 else seconds):
                tree.grow(simulations, dice)
            while tree.nodes[0]["first"] < 0:  # told to stop before there was any answer: there is one even without time
                tree.control[STOP] = 0
                tree.grow(1, dice)
                tree.control[STOP] = 1

        others = [threading.Thread(target=work, args=pair, daemon=True) for pair in list(enumerate(self._trees))[1:]]
        for thread in others:
            thread.start()
        work(0, self._trees[0])
        for thread in others:
            thread.join()

    def _result(self, seat: int, spent: int) -> SearchResult:
        visits: dict[int, int] = {}
        means: dict[int, list[float]] = {}  # how often each seat has won after an action, in all trees
        proven: dict[int, tuple[float, int]] = {}  # what an action brings for sure, and in how many plies
        for tree in self._trees:
            for child in tree.children():
                action, more = int(child["action"]), child["share"].tolist()
                visits[action] = visits.get(action, 0) + int(child["visits"])
                weight = int(child["visits"]) / max(1, visits[action])
                means[action] = [mean + (other - mean) * weight for mean, other in zip(means.get(action, [0.0] * len(more)), more, strict=True)]
                if child["proven"]:
                    proven[action] = more[seat], int(child["proven"])
        share = {action: proven[action][0] if action in proven else means[action][seat] if visits[action] else 0.01 for action in visits}
        worth = {action: self._decided(*proven[action]) if action in proven else self._points(share[action]) for action in visits}
        # The most visited action is the best, unless it is proven to be worse than it looked, or another one to be better.
        still_open = [action for action in visits if action not in proven]
        bar = share[max(still_open, key=lambda action: visits[action])] if still_open else -1.0

        def place(action: int) -> tuple[float, float]:
            if action not in proven:
                return 1, -visits[action]
            return 0 if share[action] > bar or share[action] == 1.0 else 2, -worth[action]  # a lucky guess may look like a win, too

        ranked = sorted(visits, key=place)
        values = {action: worth[action] for action in ranked}
        sure = any(tree.proven for tree in self._trees)
        exact = frozenset(action for action in ranked if visits[action] > 20 or action in proven)
        best = ranked[0]
        return SearchResult(values, 0, spent, self._trees[0].line(best), sure, exact, tuple(means[best]) if visits[best] else ())

    def _decided(self, share: float, plies: int) -> float:
        """What is proven: a win or a loss in so many plies, or what is shared."""
        return WIN - plies if share == 1.0 else plies - WIN if share == 0.0 else self._points(share)

    def _points(self, share: float) -> float:
        share = min(max(share, _NO_CHANCE), 1 - _NO_CHANCE)
        return self._scale * log(share / (1 - share)) / 1.1
