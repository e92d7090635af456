"""The eight levels: how much work each may do, and how far from the best it may stray.

A weak level sees little and does not mind small differences; it does not blunder at random.
"""

from __future__ import annotations

from dataclasses import dataclass

from hanpan.bots.judgement import judgement

LONGEST = 0.9  # seconds a level may think by default, whatever its work


@dataclass(frozen=True)
class Level:
    """nodes: positions (or simulations) looked at. depth: plies ahead. softness: how much worse an action may be, in parts of the game's SCALE."""

    nodes: int
    depth: int = 64
    softness: float = 0.0
    seconds: float = LONGEST


_SEARCH = (
    Level(2_000, depth=1, softness=0.6),
    Level(2_000, depth=1, softness=0.25),
    Level(10_000, depth=2, softness=0.15),
    Level(30_000, depth=3, softness=0.08),
    Level(60_000, depth=4, softness=0.03),
    Level(60_000),
    Level(400_000),
    Level(4_000_000),
)
_TREE = (
    Level(30, softness=0.8),
    Level(60, softness=0.4),
    Level(120, softness=0.2),
    Level(300, softness=0.1),
    Level(800, softness=0.05),
    Level(3_000),
    Level(12_000),
    Level(1_000_000),
)


def levels(name: str, seats: int) -> tuple[Level, ...]:
    """The levels of a game: its own `LEVELS` from evaluate.py, or the house's."""
    judge = judgement(name)
    if judge.levels:
        return tuple(Level(*level) for level in judge.levels)
    return _SEARCH if seats == 2 and judge.known and not judge.tree else _TREE
