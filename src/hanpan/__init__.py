"""Hanpan: write the rules of a board game once, in Python; get the online game, the computer players, the research environment and the pictures."""

from hanpan.game import Game, State, game, games
from hanpan.refusal import IllegalAction

__version__ = "0.1.0"
__all__ = ["Game", "IllegalAction", "State", "__version__", "game", "games"]
