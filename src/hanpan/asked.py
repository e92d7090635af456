"""A game as it is asked for on the command line: a name and options as texts."""

from __future__ import annotations

from typing import Any


def make_game(name: str, given: list[str] | None) -> Any:
    """The game with its options from the command line."""
    from hanpan.game import game

    plain = game(name)
    known = {option.name: option for option in plain.book.options}
    chosen = {}
    for text in given or []:
        key, equals, value = text.partition("=")
        if not equals:
            raise ValueError(f"-o {text}: write it as key=value")
        if key not in known:
            raise ValueError(f"{key}: {name} has no such option; it has {', '.join(known) or 'none'}")
        chosen[key] = known[key].read(value)
    return game(name, **chosen)
