"""What is asked for on the command line, a game with its options and numbers, and where it is answered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer
from rich.console import Console

from hanpan.core.reading import decimal, label, quoted, whole

console = Console(markup=False, emoji=False)  # as it is: a file may be named [old] or :x:
stderr = Console(stderr=True, markup=False, emoji=False)


def whole_in(low: int, high: int | None = None, name: str = "") -> dict[str, Any]:
    """How an argument or option of the command line takes a whole number, written in plain digits."""
    return {"parser": _reader(whole, "a whole number", low, high), "metavar": name or ("N" if high is None else f"{low}…{high}")}


def number_in(low: float, high: float) -> dict[str, Any]:
    """How an option of the command line takes a number."""
    return {"parser": _reader(decimal, "a number", low, high), "metavar": f"{low}…{high}"}


def _reader(read: Callable[[str], Any], kind: str, low: float, high: float | None) -> Callable[[Any], Any]:
    def number(text: Any) -> Any:
        value = read(text) if isinstance(text, str) else text  # a default is no text
        if value is None:
            raise typer.BadParameter(f"{quoted(text)} is not {kind}")
        if value < low or (high is not None and value > high):
            raise typer.BadParameter(f"{quoted(text)} is not in {low}…{high}" if high is not None else f"{quoted(text)} is not {kind} from {low} on")
        return value

    return number


Cores = Annotated[int, typer.Option(**whole_in(0, 1024), help="How many games at once; 0: one for each processor.")]
On = Annotated[str | None, typer.Option("--on", metavar="ray|ray://HOST:PORT", help="On a Ray cluster instead of this machine's processors.")]


def make_game(name: str, given: list[str] | None) -> Any:
    """The game with its options from the command line."""
    from hanpan.game import game

    plain = game(name)
    known = {option.name: option for option in plain.book.options}
    chosen = {}
    for text in given or []:
        key, equals, value = text.partition("=")
        if not equals:
            raise ValueError(f"-o {label(text)}: write it as key=value")
        if key not in known:
            raise ValueError(f"{label(key)}: {name} has no such option; it has {', '.join(known) or 'none'}")
        chosen[key] = known[key].read(value)
    return game(name, **chosen)
