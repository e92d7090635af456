"""Where chance comes from: a source that nobody can guess. Tests bring their own."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hanpan.game import State


class Chance:
    """Everything random that people at a table can notice."""

    def number(self) -> int:
        """Sixty-three random bits."""
        return secrets.randbits(63)

    def draw(self, state: State) -> str:
        """What chance decides here."""
        return state.draw(self.number())

    def forced(self, state: State, draft: Sequence[str]) -> str:
        """What is played for a seat whose time is up: its draft where the rules keep it, else the rules' own choice."""
        return state.forced(self.number(), tuple(draft))
