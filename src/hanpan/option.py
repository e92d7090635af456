"""What can be chosen about a game before it starts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hanpan.reading import is_text, quoted, whole

Value = bool | int | str


@dataclass(frozen=True)
class Option:
    """One option: a switch (bool default), a number from low to high (int default) or one of some words (str default).

    `free` makes a word option also take any text that the function can read: it gives the text as it is kept, or raises ValueError with the reason.
    `laid` names the choice under which players make such a text by playing (the game's `text.drawn_<name>` gives it): a page lets people draw it so.

    >>> Option("level", 0, high=2).check(3)
    Traceback (most recent call last):
    ValueError: level: 3 is not in 0…2
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
                raise ValueError(f"{self.name}: {quoted(value)} is neither true nor false")
            return value
        if isinstance(self.default, int):
            if isinstance(value, bool) or not isinstance(value, int):
                raise ValueError(f"{self.name}: {quoted(value)} is not a whole number")
            if not self.low <= value <= self.high:
                raise ValueError(f"{self.name}: {quoted(value)} is not in {self.low}…{self.high}")
            return value
        if not is_text(value):
            raise ValueError(f"{self.name}: {quoted(value)} is not a word; it is one of {', '.join(self.choices)}")
        if value in self.choices:
            return value
        if self.free is None:
            raise ValueError(f"{self.name}: {quoted(value)} is not one of {', '.join(self.choices)}")
        try:
            return self.free(value)
        except ValueError as reason:
            raise ValueError(f"{self.name}: {reason}") from reason

    def read(self, text: str) -> Value:
        """The value written as text, as on the command line."""
        if isinstance(self.default, bool):
            if text not in ("true", "false"):
                raise ValueError(f"{self.name}: {quoted(text)} is neither true nor false")
            return text == "true"
        if isinstance(self.default, int):
            number = whole(text)
            if number is None:
                raise ValueError(f"{self.name}: {quoted(text)} is not a whole number")
            return self.check(number)
        return self.check(text)

    def code(self, value: Value) -> int:
        """The value as the integer that a game's `start` takes: 0/1, the number, or the place among the choices (after the last for a free text)."""
        if isinstance(value, str):
            return self.choices.index(value) if value in self.choices else len(self.choices)
        return int(value)
