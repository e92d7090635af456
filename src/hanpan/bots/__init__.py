"""Computer players: game-agnostic searches, and the levels built on them."""

from hanpan.bots.bot import Analysis, Bot

__all__ = ["Analysis", "Bot"]
