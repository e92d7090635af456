"""Quick match: two people who want the same game and clock get a room together."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Protocol

from hanpan.server.protocol.messages import OneRoom
from hanpan.server.protocol.refusals import Refused
from hanpan.server.protocol.requests import NewRoom, PlaySettings, QuickMatch
from hanpan.server.rooms.clock import TimeControl
from hanpan.server.rooms.context import Context
from hanpan.server.rooms.registry import Registry
from hanpan.server.rooms.room import Room
from hanpan.server.rooms.state import usual_time


class Pairing(Protocol):
    """Where people who want to play find each other."""

    async def ask(self, person: str, request: QuickMatch) -> None:
        """Wait for someone who wants the same game and clock, if nobody does yet."""

    def cancel(self, person: str) -> None:
        """Wait no longer."""


class Matchmaking:
    """Who waits for whom."""

    def __init__(self, context: Context, registry: Registry) -> None:
        self._registry, self._people, self._speech, self._outbox = registry, context.people, context.speech, context.outbox
        self._games = context.games
        self._waiting: dict[str, list[str]] = {}  # what is wanted → who want it, but not each other
        self._wanted: dict[str, str] = {}  # who waits → what they want
        self._taken: set[str] = set()  # who waits and has found someone: their room is being opened, and until it is they may think better of it
        self.matched: Callable[[str], None] = lambda person: None  # where there are more processes: told who waits no longer

    async def ask(self, person: str, request: QuickMatch) -> None:
        """Pair two people who want the same game and clock."""
        chosen = await self._games.load(request.game, request.options)
        try:
            control = TimeControl.from_json(usual_time(chosen) if request.time is None else request.time)
        except ValueError as wrong:
            raise Refused.because(wrong) from None
        if chosen.seats != 2:
            raise Refused("two-seats-only")
        if self._people.is_bot(person):
            raise Refused("no-bots")
        self._registry.check_own_rooms(person)
        await self._speech.know(person)
        await self._people.rating(person, chosen.name)
        self.cancel(person)
        key = json.dumps([chosen.name, chosen.options, control.json()], sort_keys=True)
        self._waiting.setdefault(key, []).append(person)
        self._wanted[person] = key
        await self._pair(person, key, NewRoom(game=chosen.name, options=dict(chosen.options), settings=PlaySettings(time=control.json())))

    async def _pair(self, person: str, key: str, table: NewRoom) -> None:
        """Bring someone who waits and another one together, if there is another; where one of them waits no longer once their room is open, it goes, and who
        is left looks on."""
        while self._wanted.get(person) == key and person not in self._taken:
            others = (who for who in self._waiting[key] if who != person and who not in self._taken and not self._speech.apart(who, person))
            other = next(others, None)
            if other is None:
                return
            both = {person, other}
            self._taken |= both
            try:  # in the asker's name: whatever is refused is told to whom it is about, and the other still waits
                room = await self._registry.new_room(person, table)
            except BaseException:
                self.cancel(person)
                raise
            finally:
                self._taken -= both
            if all(self._wanted.get(who) == key for who in both):
                await self._begin(room, (other, person))
                return
            await self._registry.remove_room(room.id)
            person = person if self._wanted.get(person) == key else other

    async def _begin(self, room: Room, both: tuple[str, str]) -> None:
        """They play. Each hears of it before they can be told that they wait no longer."""
        async with room.state.lock:
            for seat, who in enumerate(both):
                self.cancel(who)
                self.matched(who)
                room.state.seating.sit(who, seat, local=False)
            for who in both:
                await self._outbox.to_visitor(who, "move to room", OneRoom(id=room.id))
            await room.commit.begin(waiting=True)

    def waits(self, person: str) -> bool:
        """Whether someone waits for a match."""
        return person in self._wanted

    def cancel(self, person: str) -> None:
        """Wait for a match no longer."""
        key = self._wanted.pop(person, None)
        if key is not None:
            self._waiting[key].remove(person)
            if not self._waiting[key]:
                del self._waiting[key]
