"""What a search has found out about a position, and how it is told to stop."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class SearchResult:
    """The actions of the seat to act with their values (hundredths of a point for that seat), best first, and how they were found."""

    values: dict[int, float]
    depth: int
    nodes: int
    line: tuple[int, ...] = ()  # the best line, beginning with the best action
    sure: bool = False  # the game is decided: no deeper search changes it
    exact: frozenset[int] = field(default_factory=frozenset)  # actions whose value is more than a bound
    chances: tuple[float, ...] = ()  # each seat's chance to win after the best action, where the search knows it

    @property
    def best(self) -> int:
        """The best action."""
        return next(iter(self.values))


def added(numbers: Iterable[float]) -> float:
    """Numbers added from the first to the last: `sum` is cleverer in some versions of Python, and its last bit another one."""
    total = 0.0
    for number in numbers:
        total += number
    return total


@contextmanager
def alarm(control: Any, stop_at: int, seconds: float | None) -> Iterator[None]:
    """Set control[stop_at] after so many seconds: compiled code looks at it while it runs without the interpreter's lock."""
    if seconds is None:
        yield
        return

    def ring() -> None:
        control[stop_at] = 1

    timer = threading.Timer(max(seconds, 0.0), ring)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
