"""The eight levels: how much work each may do, and how far from the best it may stray.

A weak level sees little and does not mind small differences; it does not blunder at random.
"""

from __future__ import annotations

from typing import Literal

from hanpan.core.level import Level
from hanpan.core.rule import hide_nothing
from hanpan.rulebook import rulebook

_SEARCH = (
    Level(nodes=2_000, depth=1, softness=0.6),
    Level(nodes=2_000, depth=1, softness=0.25),
    Level(nodes=10_000, depth=2, softness=0.15),
    Level(nodes=30_000, depth=3, softness=0.08),
    Level(nodes=60_000, depth=4, softness=0.03),
    Level(nodes=60_000),
    Level(nodes=400_000),
    Level(nodes=4_000_000),
)
_TREE = (
    Level(nodes=30, softness=0.8),
    Level(nodes=60, softness=0.4),
    Level(nodes=120, softness=0.2),
    Level(nodes=300, softness=0.1),
    Level(nodes=800, softness=0.05),
    Level(nodes=3_000),
    Level(nodes=12_000),
    Level(nodes=1_000_000),
)


def search_of(name: str, seats: int) -> Literal["hidden", "alphabeta", "tree"]:
    """The search that fits a game: imagined worlds for secrets, alpha-beta for two seats unless it prefers the tree, else the tree."""
    book = rulebook(name)
    if book.rules.hide is not hide_nothing:
        return "hidden"
    return "alphabeta" if seats == 2 and book.evaluation.known and not book.evaluation.tree else "tree"


def levels(name: str, seats: int) -> tuple[Level, ...]:
    """The levels of a game: its own `LEVELS` from evaluate.py, or Hanpan's."""
    evaluation = rulebook(name).evaluation
    if evaluation.LEVELS:
        return evaluation.LEVELS
    return _SEARCH if seats == 2 and evaluation.known and not evaluation.tree else _TREE
