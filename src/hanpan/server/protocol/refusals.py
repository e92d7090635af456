"""A request that is refused: a stable code and the values of its sentence, found under `server.<code>` in Hanpan's words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic_core import ErrorDetails

from hanpan.core.refusal import IllegalAction
from hanpan.core.unfit import Unfit
from hanpan.core.words import Phrase, say
from hanpan.server.protocol.messages import Refusal, phrase


class Refused(Exception):
    """Why something was not done."""

    def __init__(self, code: str, package: str = "hanpan", phrase: Phrase | None = None, **values: object) -> None:
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
        if isinstance(wrong, Unfit):
            return cls("bad-value", wrong.package, reason=wrong.phrase)
        return cls("bad-value", reason=str(wrong)[:300])

    @classmethod
    def by_reader(cls, wrong: ValueError) -> Refused:
        """A record that can't be read; the sentence says what is wrong, and where."""
        told = wrong if isinstance(wrong, Unfit) else Unfit("record", reason=wrong)
        return cls("bad-record", told.package, told.phrase)

    @classmethod
    def because_of_fields(cls, errors: Sequence[ErrorDetails]) -> Refused:
        """A payload that is not what its schema says, by Pydantic's list of what is wrong: the first of it."""
        if isinstance(wrong := errors[0].get("ctx", {}).get("error"), Unfit):
            return cls("bad-payload", reason=wrong.phrase) if wrong.code.startswith("json") else cls.because(wrong)
        where = ".".join(str(part) for part in errors[0]["loc"])[:80] or "payload"
        return cls("bad-payload", reason=f"{where}: {errors[0]['msg'].removeprefix('Value error, ')}"[:300])

    def packed(self) -> dict[str, object]:
        """The refusal for another process, which gives it to whoever asked there."""
        return {"code": self.code, "package": self.package, "phrase": self.phrase.json()}

    @classmethod
    def unpacked(cls, told: Mapping[str, Any]) -> Refused:
        """The refusal of another process."""
        return cls(told["code"], told["package"], _phrase(told["phrase"]))

    def json(self, event: str, language: str = "en") -> Refusal:
        """The refusal as it is sent."""
        return Refusal(code=self.code, text=say(self.package, self.phrase, language), event=event, phrase=phrase(self.phrase))

    def body(self, language: str = "en") -> dict[str, object]:
        """The refusal as an answer over HTTP, where everyone knows what was asked."""
        return {key: value for key, value in self.json("", language).items() if key != "event"}

    @property
    def headers(self) -> dict[str, str]:
        """What an answer over HTTP carries along: when to ask again, if that is known."""
        seconds = (self.phrase.values or {}).get("seconds")
        return {} if seconds is None else {"Retry-After": str(seconds)}


def _phrase(told: Mapping[str, Any]) -> Phrase:
    values = {name: _phrase(value) if isinstance(value, dict) and "key" in value else value for name, value in told.get("values", {}).items()}
    return Phrase(told["key"], values or None)
