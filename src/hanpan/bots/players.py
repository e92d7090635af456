"""A player from a short text: a level, `random`, a Python object, or a program of its own."""

from __future__ import annotations

import random
import shlex
import shutil
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from hanpan.bots.bot import MEGABYTES, Bot
from hanpan.bots.program import Fault, Program
from hanpan.core.reading import quoted, read_json, whole
from hanpan.game import State

KINDS = "a level 1…8 (`8@20000`: with so many nodes a move), random, python:MODULE:FACTORY, or the command line of a program"


class Player(Protocol):
    """Someone who can sit at one seat, for one game after another. It is given only what that seat may know."""

    def begin(self, seed: int) -> None:
        """A new game begins: forget the last one; whatever is drawn is drawn from the seed."""

    def choose(self, state: State, seconds: float | None = None) -> str:
        """The action to play."""

    def stop(self) -> None:
        """Answer at once, if it can be done (called from another thread)."""

    def close(self) -> None:
        """There are no more games."""


def make_player(spec: str, game: str, megabytes: int = MEGABYTES) -> Player:
    """The player that a text names; ValueError when there is none.

    >>> make_player("random", "kulami").choose(hanpan.game("kulami").start()) in hanpan.game("kulami").start().legal()
    True
    """
    if spec == "random":
        return _Random()
    if spec.startswith("python:"):
        return _FromPython(spec)
    level, _, nodes = spec.removeprefix("level:").partition("@")
    if (number := whole(level)) is not None:
        work = whole(nodes)
        if "@" in spec and work is None:
            raise ValueError(f"{quoted(spec)}: write the nodes a move as a number, like 8@20000")
        return _Level(game, number, work, megabytes)
    try:
        words = shlex.split(spec)
    except ValueError as wrong:
        raise ValueError(f"{quoted(spec)} can't be read as a command line ({wrong})") from None
    if not words or shutil.which(words[0]) is None:
        raise ValueError(f"{quoted(spec)} is not a player: it is {KINDS}, and there is no program {quoted(words[0] if words else spec)}")
    return Program(spec)


class _Level:
    """A computer player of Hanpan's own; a new one each game, so that a game does not depend on those before."""

    def __init__(self, game: str, level: int, nodes: int | None, megabytes: int) -> None:
        self._make: Callable[[int], Bot] = lambda seed: Bot(game, level, seed=seed, megabytes=megabytes, nodes=nodes)
        self._bot = self._make(0)

    def begin(self, seed: int) -> None:
        self._bot = self._make(seed)

    def choose(self, state: State, seconds: float | None = None) -> str:
        return self._bot.choose(state, seconds)

    def stop(self) -> None:
        self._bot.stop()

    def close(self) -> None:
        pass


class _Random:
    """Any legal action, all alike."""

    def __init__(self) -> None:
        self._dice = random.Random(0)

    def begin(self, seed: int) -> None:
        self._dice = random.Random(seed)

    def choose(self, state: State, seconds: float | None = None) -> str:
        return self._dice.choice(state.legal())

    def stop(self) -> None:
        pass

    def close(self) -> None:
        pass


class _FromPython:
    """What `FACTORY` in a Python module makes: anything with `choose(state, seconds)`; its `seed`, if it has one, is set for each game."""

    def __init__(self, spec: str) -> None:
        self._spec = spec
        module, factory, settings = (*spec.split(":", 3)[1:], "", "")[:3]
        if (here := str(Path.cwd())) not in sys.path:  # as for `python -m`; processes that are started to play are given the path
            sys.path.insert(0, here)
        try:
            self._factory = getattr(import_module(module), factory)
        except Exception as wrong:
            raise ValueError(f"{quoted(spec)}: there is no {quoted(factory)} in the Python module {quoted(module)} ({_last_line(wrong)})") from None
        self._settings = dict(_setting(spec, text) for text in settings.split(",") if text)
        self._player: Any = None
        try:
            self.begin(0)
        except Fault as fault:
            raise ValueError(str(fault)) from None

    def begin(self, seed: int) -> None:
        with self._to_blame():
            self._player = self._factory(**self._settings)
            if hasattr(self._player, "seed"):
                self._player.seed = seed
        if not callable(getattr(self._player, "choose", None)):
            raise Fault(f"player {self._spec!r}: what it makes has no `choose`")

    def choose(self, state: State, seconds: float | None = None) -> str:
        with self._to_blame():
            action = self._player.choose(state, seconds)
            return action if isinstance(action, str) else repr(action)

    def stop(self) -> None:
        if hasattr(self._player, "stop"):
            self._player.stop()

    def close(self) -> None:
        if hasattr(self._player, "close"):
            self._player.close()

    @contextmanager
    def _to_blame(self) -> Iterator[None]:
        """Whatever a player of somebody's own raises is its fault, as when a program ends."""
        try:
            yield
        except (Exception, SystemExit) as wrong:
            raise Fault(f"player {self._spec!r}: {_last_line(wrong)}") from wrong


def _last_line(wrong: BaseException) -> str:
    """The last line of a traceback."""
    return traceback.format_exception_only(wrong)[-1].strip()


def _setting(spec: str, text: str) -> tuple[str, Any]:
    """`key=value` for a factory: a number, true, false, or else a word."""
    key, equals, value = text.partition("=")
    if not equals:
        raise ValueError(f"{quoted(spec)}: write {quoted(text)} as key=value")
    try:
        return key, read_json(value)
    except ValueError:
        return key, value
