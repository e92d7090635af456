"""What can be chosen about a game before it starts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hanpan.core.reading import is_text, quoted, whole
from hanpan.core.unfit import Unfit

Value = bool | int | str


@dataclass(frozen=True)
class Option:
    """One option: a switch (bool default), a number from low to high (int default) or one of some words (str default).

    `free` makes a word option also take any text that the function can read: it gives the text as it is kept, or raises ValueError with the reason.
    `laid` names the choice under which players make such a text by playing (the game's `text.drawn_<name>` gives it): a page lets people draw it so.

    >>> Option("level", 0, high=2).check(3)
    Traceback (most recent call last):
    hanpan.core.unfit.Unfit: level: 3 is not in 0…2
    """

    name: str
    default: Value
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()
    free: Callable[[str], str] | None = None
    laid: str = ""

    def check(self, value: object) -> Value:
        """The value itself, if it is one that this option can have."""
        if isinstance(self.default, bool):
            if not isinstance(value, bool):
                raise Unfit("option-switch", name=self.name, given=quoted(value))
            return value
        if isinstance(self.default, int):
            if isinstance(value, bool) or not isinstance(value, int):
                raise Unfit("option-number", name=self.name, given=quoted(value))
            if not self.low <= value <= self.high:
                raise Unfit("option-range", name=self.name, given=quoted(value), low=self.low, high=self.high)
            return value
        if not is_text(value):
            raise Unfit("option-word", name=self.name, given=quoted(value), choices=", ".join(self.choices))
        if value in self.choices:
            return value
        if self.free is None:
            raise Unfit("option-choice", name=self.name, given=quoted(value), choices=", ".join(self.choices))
        try:
            return self.free(value)
        except ValueError as reason:
            raise Unfit("option", name=self.name, reason=reason) from reason

    def read(self, text: str) -> Value:
        """The value written as text, as on the command line."""
        if isinstance(self.default, bool):
            if text not in ("true", "false"):
                raise Unfit("option-switch", name=self.name, given=quoted(text))
            return text == "true"
        if isinstance(self.default, int):
            number = whole(text)
            if number is None:
                raise Unfit("option-number", name=self.name, given=quoted(text))
            return self.check(number)
        return self.check(text)

    def code(self, value: Value) -> int:
        """The value as the integer that a game's `start` takes: 0/1, the number, or the place among the choices (after the last for a free text)."""
        if isinstance(value, str):
            return self.choices.index(value) if value in self.choices else len(self.choices)
        return int(value)
