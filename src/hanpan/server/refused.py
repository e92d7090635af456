"""A wish that can't be granted: a stable code and the values of its sentence, found under `server.<code>` in the house's words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hanpan.refusal import IllegalAction
from hanpan.words import Phrase, say


class Refused(Exception):
    """Why something was not done."""

    def __init__(self, code: str, package: str = "hanpan", phrase: Phrase | None = None, **values: Any) -> None:
        super().__init__(code)
        self.code, self.package = code, package
        self.phrase = phrase or Phrase(f"server.{code}", values or None)

    @classmethod
    def by_rules(cls, refused: IllegalAction, package: str) -> Refused:
        """An action that the game's rules refuse."""
        return cls(refused.code, package, refused.phrase)

    @classmethod
    def because(cls, wrong: ValueError) -> Refused:
        """A value that something below could not take; its own sentence says why."""
        return cls("bad-value", reason=str(wrong)[:300])

    @classmethod
    def because_of_fields(cls, errors: Sequence[Any]) -> Refused:
        """A payload that is not what its schema says, by Pydantic's list of what is wrong: the first of it."""
        where = ".".join(str(part) for part in errors[0]["loc"])[:80] or "payload"
        return cls("bad-payload", reason=f"{where}: {errors[0]['msg'].removeprefix('Value error, ')}"[:300])

    def json(self, event: str, language: str = "en") -> dict[str, Any]:
        """The refusal as it is sent."""
        return {"code": self.code, "text": say(self.package, self.phrase, language), "event": event, "phrase": self.phrase.json()}
