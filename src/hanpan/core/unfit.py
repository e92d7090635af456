"""What comes from outside and can't be taken, so that it can be said in any language."""

from __future__ import annotations

from typing import Any

from hanpan.core.words import Phrase, say


class Unfit(ValueError):
    """A value from outside that can't be taken: a stable `code` and the values of its sentence, found under `unfit.<code>` in a package's words
    (a game's, or else Hanpan's). Its text is that sentence in English.

    A value may be another error: then this one says where that one is.

    >>> str(Unfit("record", reason=Unfit("json-deep", most=50)))
    'record: not JSON (nested more than 50 deep)'
    """

    package: str

    def __init__(self, code: str, package: str = "", phrase: Phrase | None = None, **values: Any) -> None:
        super().__init__(code)
        inner = [value.package for value in values.values() if isinstance(value, Unfit)]
        self.code, self.package = code, package or next(iter(inner), "hanpan")
        self.phrase = phrase or Phrase(f"unfit.{code}", {name: _said(value) for name, value in values.items()} or None)

    def __str__(self) -> str:
        return say(self.package, self.phrase)


def _said(value: Any) -> Any:
    if isinstance(value, Unfit):
        return value.phrase
    return str(value)[:300] if isinstance(value, ValueError) else value
