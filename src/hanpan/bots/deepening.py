"""Iterative deepening around the compiled alpha-beta: memory, time, the best line."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from hanpan.bots.alphabeta import CONTROL, DEEPEST, FRAME, LIMIT, NODES, PAUSE, PROVEN, STOP, SURE, WIN, compiled_search
from hanpan.bots.search_result import SearchResult, alarm
from hanpan.core.rule import CHANCE, INTERPRET, OVER, no_chance, rng, shuffle
from hanpan.rulebook import rulebook

_BYTES_AN_ENTRY = 16
_ENDLESS = 1 << 62


class Deepening:
    """An alpha-beta searcher with its memory: one position after another, keeping what it learnt."""

    def __init__(self, name: str, megabytes: int) -> None:
        self._book = rulebook(name)
        rules = self._book.rules
        self._search, self._recall = compiled_search(name)
        entries = 1 << (max(1, megabytes) * (1 << 20) // _BYTES_AN_ENTRY).bit_length() - 1
        self._stack = np.zeros(DEEPEST + 2, rules.State)
        self._words = self._stack.view(np.int64).reshape(DEEPEST + 2, -1)
        self._lists = np.zeros((DEEPEST + 2, rules.MOST_LEGAL), np.int32)
        self._ranks = np.zeros(self._lists.shape, np.int64)
        self._frames = np.zeros((DEEPEST + 2, FRAME), np.int64)
        self._table = np.zeros((entries, 2), np.int64)
        self._history = np.zeros((2, rules.ACTIONS), np.int64)
        self._killers = np.full((DEEPEST + 2, 2), -1, np.int64)
        self._scratch = self._book.scores_buffer()
        self._roots = self._book.actions_buffer()
        self._found = np.zeros(rules.MOST_LEGAL, np.int64)
        self._prune = self._book.evaluation.prune
        self._room = np.zeros(self._book.evaluation.ROOM, np.int64)
        self.control = np.zeros(CONTROL, np.int64)
        self._first_control = np.zeros(CONTROL, np.int64)  # of the first ply, which `stop` does not end
        if not INTERPRET:
            from hanpan.core.compiled import make_ready

            jobs = [(self._search, self._arguments(0, 0, 0, self.control)), (self._recall, (self._stack, self._words, 0, self._table))]
            jobs += [(self._prune, (self._stack[0], self._roots, 0, 0)), (shuffle, (rng(0), self._roots, 0))]
            make_ready(f"{name}'s computer player", jobs)

    def stop(self) -> None:
        """End the search that is running, at once."""
        self.control[STOP] = 1

    def think(self, record: Any, seconds: float | None, nodes: int, depth: int, window: int, seed: int, patient: bool = False) -> Iterator[SearchResult]:
        """Thoughts of growing depth, until the time, the nodes or the depth are used up, or the game is decided.

        window: how far below the best an action still gets its exact value (0: only the best needs one; −1: all get one).
        patient: look at every legal action, and keep deepening even when there is only one.
        """
        until = None if seconds is None else time.monotonic() + seconds
        self.control[:] = 0
        self._history //= 8
        self._killers[:] = -1
        self._stack[0] = record[0]
        n = every = int(self._book.rules.legal(self._stack[0], self._roots))
        if not patient:
            n = int(self._prune(self._stack[0], self._roots, n, depth))
        shuffle(rng(seed), self._roots, n)  # equal actions are tried in an order of this bot's own, so that it does not always play the same game
        if not patient and (known := self._known_win(n)) is not None:
            yield known
            return
        with alarm(self.control, STOP, None if until is None else until - time.monotonic()):  # one for all depths: to start a thread may take milliseconds
            yield from self._deepen(n, every, until, nodes, depth, window, patient)

    def _deepen(self, n: int, every: int, until: float | None, nodes: int, depth: int, window: int, patient: bool) -> Iterator[SearchResult]:
        """Thoughts about the first n of `every` root actions."""
        spent = 0
        last: SearchResult | None = None
        for deep in range(1, (1 if self._chance_is_next(n) else min(depth, DEEPEST - 2)) + 1):
            control = self._first_control if deep == 1 else self.control
            if deep == 1:  # so short that it is always finished: there is an answer even without time
                control[:] = 0
            control[NODES], control[LIMIT], control[PAUSE] = 0, _ENDLESS if deep == 1 else max(1, nodes - spent), _ENDLESS
            done = self._run(n, deep, window, control)
            spent += int(control[NODES])
            if done < n:  # stopped on the way
                if last is None:
                    return
                yield self._stopped(last, done, deep, spent, patient)
                return
            order = np.argsort(-self._found[:n], kind="stable")
            self._roots[:n], self._found[:n] = self._roots[:n][order], self._found[:n][order]
            values = {int(a): float(v) for a, v in zip(self._roots[:n], self._found[:n], strict=True)}
            top = float(self._found[0])
            proven = n == every and bool(control[PROVEN] != 0)
            sure = proven or top > SURE or (n == every and top < -SURE)
            last = SearchResult(values, deep, spent, self._line(int(self._roots[0]), patient), sure)
            yield last
            # Any proof will do for whoever only has to play; others may want the shortest.
            seen = proven or (sure and (not patient or WIN - abs(top) <= deep))
            if seen or (n == 1 and not patient) or spent >= nodes or self.control[STOP] != 0:
                return
            if until is not None and time.monotonic() >= until:
                return

    def _stopped(self, last: SearchResult, done: int, depth: int, spent: int, patient: bool) -> SearchResult:
        """What is known when a depth was not finished: the last one's result, unless something better was found so far."""
        found = dict(zip(self._roots[:done].tolist(), map(float, self._found[:done]), strict=True))
        best = max(found, key=lambda action: found[action], default=last.best)
        if best == last.best:
            return replace(last, nodes=spent)
        top = found[best]
        newest = {action: found.get(action, min(value, top)) for action, value in last.values.items()}  # what no one looked at again was not found to be better
        ranked = sorted(newest, key=lambda action: (action != best, -newest[action]))
        return SearchResult({action: newest[action] for action in ranked}, depth, spent, self._line(best, patient), top > SURE)

    def _chance_is_next(self, n: int) -> bool:
        """Whether chance is to act after each of the first n root actions: a search ends there, however deep it is said to be."""
        rules = self._book.rules
        if rules.chance is no_chance:
            return False
        for action in self._roots[:n].tolist():
            self._stack[1] = self._stack[0]
            rules.apply(self._stack[1], action)
            if rules.mover(self._stack[1]) != CHANCE:
                return False
        return True

    def _run(self, n: int, depth: int, window: int, control: Any) -> int:
        return int(self._search(*self._arguments(n, depth, window, control)))

    def _arguments(self, n: int, depth: int, window: int, control: Any) -> tuple[Any, ...]:
        return (
            self._stack, self._words, self._lists, self._ranks, self._frames, self._table, self._history, self._killers, control, self._scratch,
            self._room, self._roots, self._found, n, depth, window,
        )  # fmt: skip

    def _known_win(self, n: int) -> SearchResult | None:
        """A win that is known without a search. One that was announced gets nearer so: what the last search saw of it is followed."""
        action, plies, ends = (int(known) for known in self._recall(self._stack, self._words, 0, self._table))
        if ends > 0 and (plies == 0 or ends < plies):
            action, plies = self._certain(n, ends), ends
        return SearchResult({action: float(WIN - plies)}, 0, 0, (action,), True) if plies > 0 and action in self._roots[:n] else None

    def _certain(self, n: int, plies: int) -> int:
        """The action that wins in so many plies, where that is plain to see; −1 if there is none."""
        rules = self._book.rules
        for action in self._roots[:n].tolist():
            self._stack[1] = self._stack[0]
            rules.apply(self._stack[1], action)
            if int(self._recall(self._stack, self._words, 1, self._table)[2]) == 1 - plies and (plies > 1 or rules.mover(self._stack[1]) == OVER):
                return int(action)
        return -1

    def _line(self, first: int, patient: bool) -> tuple[int, ...]:
        """The best line that the table remembers, for who has the patience to hear it."""
        if not patient:
            return (first,)
        line, at = [first], 1
        rules = self._book.rules
        self._stack[1] = self._stack[0]
        rules.apply(self._stack[1], first)
        out = self._book.actions_buffer()
        while at < 24 and rules.mover(self._stack[at]) >= 0:
            action = int(self._recall(self._stack, self._words, at, self._table)[0])
            if action not in out[: rules.legal(self._stack[at], out)]:
                break
            line.append(action)
            self._stack[at + 1] = self._stack[at]
            rules.apply(self._stack[at + 1], action)
            at += 1
        return tuple(line)
