"""Games for rooms: rules and their machine code may have to be loaded at their first use, so that is done in a thread."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache

from hanpan.core.option import Value
from hanpan.game import Game, game, games
from hanpan.rulebook import rulebook
from hanpan.server.protocol.refusals import Refused
from hanpan.server.rooms.alike import alike


class GameLoader:
    """Loads games; `hurry` is told which one somebody has opened."""

    def __init__(self, hurry: Callable[[str], None]) -> None:
        self._hurry = hurry

    async def load(self, name: str, options: Mapping[str, Value]) -> Game:
        """A game with its options."""
        try:
            if name in games():
                self._hurry(name)
                await asyncio.to_thread(_loaded, name)
            return alike(game(name, **options))
        except ValueError as wrong:
            raise Refused.because(wrong) from None


@cache
def _loaded(name: str) -> None:
    """Have everything in memory that the first position of a game needs, and hardly anything is left for later ones."""
    rulebook(name)
    with suppress(Exception):  # what is wrong with the rules is said where they are played
        first = game(name).start(seed=1)
        following = first.play(first.legal()[0])
        for seat in (None, *range(first.game.seats)):
            seen = following.view(seat)
            _ = seen.scene(), seen.info(), seen.scores, str(seen), seen.legal()
