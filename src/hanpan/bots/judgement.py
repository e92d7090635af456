"""What a game's `evaluate.py` says, with sensible answers where it says nothing."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from hanpan.game import rulebook
from hanpan.rule import Ints, Record, rule


@dataclass(frozen=True)
class Judgement:
    """A game's judgement of positions and actions.

    `values(s, out)`: how each seat stands, in hundredths of a point. `scale`: the lead at which three games of four are won.
    `order(s, a)`: the higher, the earlier an action is tried. `prune(s, actions, n, depth)`: keep only what is worth searching, in front; how many.
    `late`: from which action on a search looks less deeply.
    """

    values: Any
    order: Any
    prune: Any
    scale: int
    late: int
    searcher: Any  # the game's own way to search: searcher(name, megabytes, threads)
    levels: Any  # its own levels, tuples of `Level`'s fields
    known: bool  # whether the game judges at all; if not, only play to the end tells


def _no_values(s: Record, out: Ints) -> None:
    for seat in range(out.size):
        out[seat] = 0


def _no_order(s: Record, a: int) -> int:
    return 0


def _no_prune(s: Record, actions: Ints, n: int, depth: int) -> int:
    return n


@cache
def judgement(name: str) -> Judgement:
    """A game's judgement."""
    package = rulebook(name).package
    own = import_module(f"{package}.evaluate") if find_spec(f"{package}.evaluate") else None
    return Judgement(
        values=getattr(own, "values", None) or rule(_no_values),
        order=getattr(own, "order", None) or rule(_no_order),
        prune=getattr(own, "prune", None) or rule(_no_prune),
        scale=getattr(own, "SCALE", 100),
        late=getattr(own, "LATE", 4),
        searcher=getattr(own, "searcher", None),
        levels=getattr(own, "LEVELS", ()),
        known=hasattr(own, "values"),
    )
