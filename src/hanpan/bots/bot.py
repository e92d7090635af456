"""Computer players: levels 1 to 8 for every game."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Protocol

from hanpan.bots.alphabeta import SURE
from hanpan.bots.deepening import Deepening
from hanpan.bots.hidden import HiddenSearch
from hanpan.bots.levels import levels, search_of
from hanpan.bots.search_result import SearchResult, added
from hanpan.bots.treesearch import TreeSearch
from hanpan.core.level import Level
from hanpan.core.maths import exp
from hanpan.core.reading import number_in, quoted, real
from hanpan.core.rule import rng
from hanpan.core.seeds import derive_at
from hanpan.game import Game, State
from hanpan.rulebook import check_name, rulebook

MEGABYTES = 256
STRONGEST = 8
_REFLEX = 0.02  # seconds kept back for everything around the search


class Searcher(Protocol):
    """Something that thinks about a record."""

    def think(self, record: Any, seconds: float | None, nodes: int, depth: int, window: int, seed: int, patient: bool = False) -> Iterator[SearchResult]:
        """Better and better thoughts."""

    def stop(self) -> None:
        """End the thinking at once."""


@dataclass(frozen=True)
class Analysis:
    """What is known of a position so far: each legal action's value for the seat to act (in points), best first, and the best line."""

    values: dict[str, float]
    line: tuple[str, ...]
    depth: int
    nodes: int
    sure: bool
    chances: tuple[float, ...] = ()  # each seat's to win after the best action, where the search knows it: among three one value says nothing of the others


class Bot:
    """A computer player of one level. It looks only at what its own seat may know."""

    def __init__(self, name: str, level: int = 8, *, seed: int = 0, megabytes: int = MEGABYTES, threads: int = 1, nodes: int | None = None) -> None:
        check_name(name)
        if number_in(level, 1, 8) is None:
            raise ValueError(f"level: {quoted(level)} is not in 1…8")
        if number_in(megabytes, 8, 65536) is None:
            raise ValueError(f"megabytes: {quoted(megabytes)} is not in 8…65536")
        if number_in(threads, 1, 256) is None:
            raise ValueError(f"threads: {quoted(threads)} is not in 1…256")
        if nodes is not None and number_in(nodes, 1, 1 << 60) is None:
            raise ValueError(f"nodes: {quoted(nodes)} is not a number from 1 up")
        rng(seed)  # a wrong seed is refused here
        self.name, self.level, self.seed = name, int(level), int(seed)
        self._megabytes, self._threads, self._nodes = int(megabytes), int(threads), None if nodes is None else int(nodes)
        self._searchers: dict[int, Searcher] = {}
        self._busy = threading.Lock()
        self._thinker: int | None = None  # the thread for which it thinks
        self._thinking: Searcher | None = None

    def __repr__(self) -> str:
        return f"hanpan.bot({self.name!r}, level={self.level})"

    def choose(self, state: State, seconds: float | None = None) -> str:
        """The action this player takes, as text. `seconds` limits the thinking; without it the level's own amount of work does."""
        seen = self._seen(state)
        seconds = _checked(seconds)
        actions = {number: text for text, number in seen.actions.items()}
        if len(actions) == 1:
            return next(iter(actions.values()))
        level = levels(self.name, seen.game.seats)[self.level - 1]
        if self.level == STRONGEST and seconds is not None:  # the strongest uses all the time it is given
            level = replace(level, nodes=1 << 60)
        if self._nodes is not None:  # a fixed amount of work, however long it takes: the same game on any machine
            level = replace(level, nodes=self._nodes, seconds=1e6)
        with self._alone():
            result = self._last_result(seen, level, seconds)
        return actions[self._pick(result, level, seen)]

    def analyse(self, state: State, seconds: float | None = None, lines: int = 0) -> Iterator[Analysis]:
        """Better and better analyses of a position, as deep as the time allows. `stop` ends it; until it has ended or is closed, no more can be asked."""
        seen = self._seen(state)
        seconds = _checked(seconds)
        with self._alone():
            searcher = self._searcher(seen.game)
            work = Level(nodes=self._nodes or 1 << 60, depth=64)
            for result in self._think(searcher, seen, work, seconds, window=-1 if lines == 0 else 0, patient=True):
                yield _analysis(seen, result)

    def stop(self) -> None:
        """End the thinking at once: `choose` answers with the best action found so far."""
        if self._thinking is not None:
            self._thinking.stop()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """One thought at a time: other threads wait. The one that has stopped in the middle of an analysis would wait for itself, for ever."""
        if self._thinker == threading.get_ident():
            raise ValueError("analyse: this player is in the middle of an analysis; go through it to its end, or close it, before anything else is asked")
        with self._busy:
            self._thinker = threading.get_ident()
            try:
                yield
            finally:
                self._thinker = None

    def _seen(self, state: State) -> State:
        if not isinstance(state, State) or state.game.name != self.name:
            raise ValueError(f"state: {quoted(state)} is not a position of {self.name}")
        if state.over:
            raise ValueError("state: the game is over, there is nothing to choose")
        if state.seat is None:
            raise ValueError("state: chance is to act, not a player")
        return state.view(state.seat)  # a ValueError names the seat if this is somebody else's view

    def _searcher(self, game: Game) -> Searcher:
        if game.seats not in self._searchers:
            self._searchers[game.seats] = make_searcher(self.name, game.seats, self._megabytes, self._threads)
            _stay(self.name)
        return self._searchers[game.seats]

    def _last_result(self, seen: State, level: Level, seconds: float | None) -> SearchResult:
        limit = level.seconds if seconds is None else seconds
        searcher = self._searcher(seen.game)
        window = -1 if level.softness > 0 else 0
        *_, last = self._think(searcher, seen, level, max(limit - _REFLEX, limit * 0.9), window)
        return last

    def _think(self, searcher: Searcher, seen: State, level: Level, seconds: float | None, window: int, patient: bool = False) -> Iterator[SearchResult]:
        self._thinking = searcher
        try:
            yield from searcher.think(seen.record, seconds, level.nodes, level.depth, window, self._stream(seen), patient)
        finally:
            self._thinking = None

    def _stream(self, seen: State) -> int:
        """A number that follows from the seed and from what this seat may know, and from nothing else."""
        return derive_at(self.seed, str(seen))

    def _pick(self, result: SearchResult, level: Level, seen: State) -> int:
        """The best action; a weaker level may take one that looked nearly as good to it."""
        heat = level.softness * rulebook(self.name).evaluation.SCALE
        top = max(result.values.values())
        if heat <= 0 or top > SURE:  # whoever sees a sure win takes the shortest way to it
            return result.best
        near = {action: exp((value - top) / heat) for action, value in result.values.items() if top - value <= 3 * heat}
        point = int(rng(self._stream(seen), 9)[0]) / (1 << 32) * added(near.values())
        for action, weight in near.items():
            point -= weight
            if point <= 0:
                return action
        return result.best


def make_searcher(name: str, seats: int, megabytes: int, threads: int) -> Searcher:
    """The search that fits a game, with its memory."""
    kind = search_of(name, seats)
    if kind == "hidden":
        return HiddenSearch(name, megabytes, threads)
    return Deepening(name, megabytes) if kind == "alphabeta" else TreeSearch(name, megabytes, threads)


@cache
def _stay(name: str) -> None:
    """Whatever is there once a game's player can think (compiler, rules, code) stays for good: the garbage collector need not look at it again.

    A full collection of all that takes a third of a second, and would take it from some move's time.
    """
    gc.freeze()


def _checked(seconds: float | None) -> float | None:
    if seconds is None:
        return None
    found = real(seconds)
    if found is None or not 0 <= found < 1e6:
        raise ValueError(f"seconds: {quoted(seconds)} is not a time from 0 up")
    return found


def _analysis(seen: State, result: SearchResult) -> Analysis:
    name = seen.game.book.text.format_action
    texts = {number: text for text, number in seen.actions.items()}
    record = seen.record
    line = []
    for action in result.line:
        line.append(str(name(record[0], action)))
        seen.game.book.rules.apply(record[0], action)
    values, chances = {texts[a]: round(v / 100, 2) for a, v in result.values.items()}, result.chances[: seen.game.seats]
    return Analysis(values, tuple(line), result.depth, result.nodes, result.sure, chances)
