"""A level of the computer players, as a game's evaluate.py names its own."""

from __future__ import annotations

from dataclasses import dataclass

LONGEST = 0.9  # seconds a level may think by default, whatever its work


@dataclass(frozen=True)
class Level:
    """nodes: positions (or simulations) looked at. depth: plies ahead. softness: how much worse an action may be, in parts of the game's SCALE."""

    nodes: int
    depth: int = 64
    softness: float = 0.0
    seconds: float = LONGEST
