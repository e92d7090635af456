"""What environments, states and agents are, as in `fights.base`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from numpy.typing import ArrayLike

S = TypeVar("S", bound="BaseState")
A = TypeVar("A", bound=ArrayLike)


class BaseState(ABC):
    """A position."""

    @staticmethod
    @abstractmethod
    def from_dict(serialized: Any) -> BaseState:
        """From plain data."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """As plain data."""

    @property
    @abstractmethod
    def done(self) -> bool:
        """Whether the game is finished."""


class BaseEnv(ABC, Generic[S, A]):
    """The rules: states in, states out."""

    @property
    @abstractmethod
    def env_id(self) -> tuple[str, int]:
        """The environment's name and version."""

    @abstractmethod
    def step(
        self,
        state: S,
        agent_id: int,
        action: A,
        *,
        pre_step_fn: Callable[[S, int, A], None] | None = None,
        post_step_fn: Callable[[S, int, A], None] | None = None,
    ) -> S:
        """The position after an action of this agent."""

    @abstractmethod
    def initialize_state(self) -> S:
        """The first position."""


class BaseAgent(ABC, Generic[S, A]):
    """A player."""

    @property
    @abstractmethod
    def env_id(self) -> tuple[str, int]:
        """The name and version of the environment it plays in."""

    @abstractmethod
    def __init__(self, agent_id: int) -> None:
        """Agent 0 begins."""

    @abstractmethod
    def __call__(self, state: S) -> A:
        """The action it takes."""
