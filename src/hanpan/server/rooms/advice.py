"""What someone at a table may ask before acting: why not, what would it look like, what would you do?"""

from __future__ import annotations

import asyncio

from hanpan.game import State
from hanpan.server.protocol.messages import Hint, Refusal, Sketch, put_words
from hanpan.server.protocol.refusals import Refused
from hanpan.server.rooms import showing
from hanpan.server.rooms.bot_pool import BotPool
from hanpan.server.rooms.state import RoomState
from hanpan.server.rooms.studio import Studio
from hanpan.server.rooms.turns import Turns

ADVISER = 8  # the level of the computer player who gives hints


class Advice:
    """Answers the questions of one room. Everything is said from what the seat to act may know."""

    __slots__ = ("_bots", "_hint", "_room", "_sketches", "_turns")

    def __init__(self, room: RoomState, turns: Turns, sketches: Studio, bots: BotPool) -> None:
        self._room, self._turns, self._sketches, self._bots = room, turns, sketches, bots
        self._hint: tuple[State, asyncio.Future[str]] | None = None

    def _seen_by_mover(self, person: str, ply: int) -> State:
        match = self._room.last_game()
        self._turns.check_turn(person, match, ply)
        return match.view(match.seat)

    async def why(self, person: str, ply: int, clicks: list[str]) -> Refusal | None:
        """Why no action begins with pointing at these places."""
        return await self._sketches.do(person, showing.why, self._seen_by_mover(person, ply), clicks)  # it looks through all actions there are

    async def preview(self, person: str, ply: int, action: str) -> Sketch:
        """The picture after an action, as the person would see it then."""
        return await self._sketches.do(person, showing.preview, self._seen_by_mover(person, ply), action)

    async def hint(self, person: str, ply: int) -> Hint:
        """What a strong computer player would do; not where ratings are at stake."""
        seen = self._seen_by_mover(person, ply)
        if self._room.rated:
            raise Refused("rated-no-hint")
        if self._hint is None or self._hint[0] != seen:  # asked twice, it is thought of once
            self._hint = (seen, asyncio.ensure_future(self._bots.choose(seen, ADVISER, self._room.place, person)))
        try:
            action = await asyncio.shield(self._hint[1])
        except Exception:
            self._hint = None
            raise
        return put_words(Hint(action=action), seen.spoken(action), seen.heard(action))
