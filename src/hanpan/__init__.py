"""Hanpan: write the rules of a board game once, in Python; get the online game, the computer players, the research environment and the pictures."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from hanpan.core.refusal import IllegalAction
from hanpan.game import Game, State, game, games

if TYPE_CHECKING:
    from hanpan import envs
    from hanpan.bots import Bot

__version__ = "0.1.0"
__all__ = ["Game", "IllegalAction", "State", "__version__", "bot", "envs", "game", "games"]


def bot(name: str, level: int = 8, **settings: int) -> Bot:
    """A computer player of a level from 1 to 8: `hanpan.bot("kulami", level=8).choose(state, seconds=1.0)`."""
    from hanpan.bots import Bot

    return Bot(name, level, **settings)


if not TYPE_CHECKING:  # else any name at all would be one of this module's

    def __getattr__(name: str) -> Any:
        """The environments, which take a while to import: once somebody asks for them."""
        if name == "envs":
            return importlib.import_module("hanpan.envs")
        raise AttributeError(f"module 'hanpan' has no attribute {name!r}")
