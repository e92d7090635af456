"""What a game's `evaluate.py` says, with sensible answers where it says nothing."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from hanpan.core.rule import Ints, Record, rule
from hanpan.rulebook import rulebook


@dataclass(frozen=True)
class Judgement:
    """A game's judgement of positions and actions.

    `values(s, out)`: how each seat stands, in hundredths of a point. `scale`: the lead at which three games of four are won.
    `order(s, a)`: the higher, the earlier an action is tried; or, where looking at all of them together is cheaper, `rank(s, actions, n, ranks)`
    writes the same for each of n actions. `prune(s, actions, n, depth)`: keep only what is worth searching, in front; how many.
    `late`: from which action on a search looks less deeply. `tree`: whether tree search plays this game better than alpha-beta, for two seats too.
    `ahead(s, actions, n, beta, won)`: the value to the seat to act of the best of n actions, each judged by `values` right after it (`won` if that ends
    the game with a win), and how many were looked at: it may stop at the first that reaches beta, and says 0 where it does not know.
    `candidates(s, actions, ranks, depth)`: legal actions worth searching and their ranks, how many: inside the tree it takes the place of `legal`, `prune` and
    `rank`, while the root still knows every action. `skip(s)`: the seat to act passes, in games where that is never better than acting: a search asks whether
    even passing would do. `margin`: by how much a quiet position changes in one ply at most, as good as always.
    With `candidates` it makes the search bold (see alphabeta.py).
    `settled(s, depth)`: in how many plies at most the seat to act surely wins (or, less than zero, surely loses), where that is plain to see without a search;
    0 if it is not. depth: how much deeper a search would look from here, so that at its leaves little time is spent.
    `plausible(s, seat, past, actions, ranks)`: with secrets, the logarithm (in hundredths) of how well an imagined world explains what the others did;
    past: room for a record. There `rank` must look only at what the seat to act may know: it is also taken for what players do by habit.
    """

    values: Any
    rank: Any
    prune: Any
    ahead: Any
    looks_ahead: bool
    candidates: Any
    skip: Any
    margin: int
    settled: Any
    settles: bool
    plausible: Any
    scale: int
    late: int
    tree: bool
    searcher: Any  # the game's own way to search: searcher(name, megabytes, threads)
    levels: Any  # its own levels, tuples of `Level`'s fields
    known: bool  # whether the game judges at all; if not, only play to the end tells


def _no_values(s: Record, out: Ints) -> None:
    for seat in range(out.size):
        out[seat] = 0


def _no_order(s: Record, a: int) -> int:
    return 0


def _rank_by(order: Any) -> Any:
    @rule
    def rank(s: Record, actions: Ints, n: int, ranks: Any) -> None:
        for i in range(n):
            ranks[i] = order(s, int(actions[i]))

    return rank


def _no_prune(s: Record, actions: Ints, n: int, depth: int) -> int:
    return n


def _all_plausible(s: Record, seat: int, past: Any, actions: Ints, ranks: Any) -> int:
    return 0


def _no_ahead(s: Record, actions: Ints, n: int, beta: int, won: int) -> tuple[int, int]:
    return 0, 0


def _not_settled(s: Record, depth: int) -> int:
    return 0


@cache
def judgement(name: str) -> Judgement:
    """A game's judgement."""
    package = rulebook(name).package
    own = import_module(f"{package}.evaluate") if find_spec(f"{package}.evaluate") else None
    return Judgement(
        values=getattr(own, "values", None) or rule(_no_values),
        rank=getattr(own, "rank", None) or _rank_by(getattr(own, "order", None) or rule(_no_order)),
        prune=getattr(own, "prune", None) or rule(_no_prune),
        ahead=getattr(own, "ahead", None) or rule(_no_ahead),
        looks_ahead=hasattr(own, "ahead"),
        candidates=getattr(own, "candidates", None),
        skip=getattr(own, "skip", None),
        margin=getattr(own, "MARGIN", 0),
        settled=getattr(own, "settled", None) or rule(_not_settled),
        settles=hasattr(own, "settled"),
        plausible=getattr(own, "plausible", None) or rule(_all_plausible),
        scale=getattr(own, "SCALE", 100),
        late=getattr(own, "LATE", 4),
        tree=getattr(own, "SEARCH", "") == "tree",
        searcher=getattr(own, "searcher", None),
        levels=getattr(own, "LEVELS", ()),
        known=hasattr(own, "values"),
    )
