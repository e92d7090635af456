"""Why an action is not allowed."""

from __future__ import annotations

from typing import Any

from hanpan.core.words import Phrase


class IllegalAction(ValueError):
    """An action that the rules do not allow here: a stable `code`, the values of its sentence, and the sentence in English as `message`.

    A game raises it with code and values only; the sentence is filled in from the game's words under `refusals.<code>`.
    """

    def __init__(self, code: str, message: str = "", **values: Any) -> None:
        super().__init__(message or code)
        self.code, self.message, self.values = code, message, values

    @property
    def phrase(self) -> Phrase:
        """The refusal as a phrase, to be said in any language."""
        return Phrase(f"refusals.{self.code}", self.values or None)
