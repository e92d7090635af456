"""Quick match: two people who want the same game and clock get a room together."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import NamedTuple, Protocol

from hanpan.server.faults import log_fault
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

    def waits(self, person: str) -> bool:
        """Whether someone waits."""


class Wish(NamedTuple):
    """What someone waits for: the same game, with the same clock, as others who do."""

    key: str
    table: NewRoom


class Matchmaking:
    """Who waits for whom."""

    def __init__(self, context: Context, registry: Registry) -> None:
        self._registry, self._people, self._speech, self._outbox = registry, context.people, context.speech, context.outbox
        self._games = context.games
        self._asking: dict[str, QuickMatch] = {}  # who asks → what; it is being looked at, and meanwhile they may ask for something else, or for nothing
        self._wishes: dict[str, Wish] = {}  # who waits, in the order they came
        self._taken: set[str] = set()  # who waits and has found someone: their room is being opened, and until it is they may think better of it
        self.matched: Callable[[str], None] = lambda person: None  # where there are more processes: told who waits no longer

    async def ask(self, person: str, request: QuickMatch) -> None:
        """Pair two people who want the same game and clock. Whoever is refused does not wait for what they wanted before, either."""
        self._asking[person] = request
        try:
            wish = await self._wish(person, request)
        except BaseException:
            if self._asking.get(person) is request:
                self.cancel(person)
            raise
        if self._asking.get(person) is request:
            self.cancel(person)
            self._wishes[person] = wish
            await self._pair(person)

    async def _wish(self, person: str, request: QuickMatch) -> Wish:
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
        key = json.dumps([chosen.name, chosen.options, control.json()], sort_keys=True)
        return Wish(key, NewRoom(game=chosen.name, options=dict(chosen.options), settings=PlaySettings(time=control.json())))

    async def _pair(self, person: str) -> None:
        """Bring someone who waits and another one together, if there is another. Where one of them waits no longer once their room is open, it goes; and since
        others may have missed them meanwhile, whoever is left looks on."""
        looking, wrong = [person], dict[str, Exception]()
        while looking:
            who = looking.pop()
            wish = self._wishes.get(who)
            other = None if wish is None or who in self._taken else self._fitting(who, wish)
            if wish is None or other is None:
                continue
            wishes = {each: self._wishes[each] for each in (other, who)}
            self._taken |= wishes.keys()
            try:  # in the name of whoever looks: what is refused is told to whom it is about, and the other still waits
                room = await self._registry.new_room(who, wish.table)
            except Exception as fault:
                wrong[who] = fault
                if self._wishes.get(who) is wish:
                    self.cancel(who)
            finally:
                self._taken -= wishes.keys()
            if who not in wrong and all(self._wishes.get(each) is wishes[each] for each in wishes):
                await self._begin(room, (other, who))
                continue
            if who not in wrong:
                await self._registry.remove_room(room.id)
            looking += wishes
        for who, why in wrong.items():
            if who != person:
                self.matched(who)
                await self.tell_refused(who, why)
        if person in wrong:
            raise wrong[person]

    async def tell_refused(self, person: str, why: Exception) -> None:
        """Someone who has asked for nothing just now waits no longer."""
        refused = why if isinstance(why, Refused) else Refused("our-fault")
        if refused is not why:
            log_fault("pairing two people", why)
        await self._outbox.to_visitor(person, "invalid action", refused.json("quick match"))

    def _fitting(self, person: str, wish: Wish) -> str | None:
        """Who waits for the same the longest, and has found nobody yet."""
        others = (who for who, wanted in self._wishes.items() if wanted.key == wish.key and who != person and who not in self._taken)
        return next((who for who in others if not self._speech.apart(who, person)), None)

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
        """Whether someone waits for a match, or has asked for one that is being looked at."""
        return person in self._wishes or person in self._asking

    def cancel(self, person: str) -> None:
        """Wait for a match no longer."""
        self._asking.pop(person, None)
        self._wishes.pop(person, None)
