"""What is done in bulk: work that travels to workers, wherever they are, and jobs that each of them does one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

J = TypeVar("J")
R = TypeVar("R")
J_in = TypeVar("J_in", contravariant=True)
R_out = TypeVar("R_out", covariant=True)

TRIES = 4  # for one job: whatever kills its worker each time is a fault of the job


class Work(Protocol[J_in, R_out]):
    """What is to be done with each job. It travels to the workers, and each of them opens it once."""

    def open(self) -> AbstractContextManager[Callable[[J_in], R_out]]:
        """Whatever a worker needs for all its jobs, and the function that does one."""


@dataclass(frozen=True)
class Each(Generic[J, R]):
    """Work that needs nothing but a function."""

    do: Callable[[J], R]

    @contextmanager
    def open(self) -> Iterator[Callable[[J], R]]:
        """The function."""
        yield self.do
