"""A room: its people, its chairs, its game. Every change runs under the room's lock, is stored, and only then told."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from hanpan.game import Game
from hanpan.server.protocol.refusals import Refused
from hanpan.server.protocol.requests import PlaySettings
from hanpan.server.rooms.advice import Advice
from hanpan.server.rooms.chat import Chat
from hanpan.server.rooms.context import Context
from hanpan.server.rooms.finish import Finisher
from hanpan.server.rooms.offers import Offers
from hanpan.server.rooms.pause import Pause
from hanpan.server.rooms.presence import Presence
from hanpan.server.rooms.publisher import Piece, Publisher, RoomList
from hanpan.server.rooms.saving import Saving
from hanpan.server.rooms.seats import Chair
from hanpan.server.rooms.state import RoomState, control_of, settled, usual_time
from hanpan.server.rooms.turns import Turns
from hanpan.server.storage.models import GameRow

MOST_PEOPLE = 1000  # in a room, each window counted: everyone there is told everything
MOST_WINDOWS = 16  # of one person on one room, or on the lobby


class Room:
    """A place where one game after another is played: coming and going and the chairs are here, everything else is done by the parts that it is made of."""

    def __init__(self, context: Context, rooms: RoomList, state: RoomState) -> None:
        self.state, self._context, self._registry = state, context, rooms
        store, outbox, people, bots, timeouts, now = context.store, context.outbox, context.people, context.bots, context.timeouts, context.now
        self._people, self._speech, self._timeouts, self._now = people, context.speech, timeouts, now
        self._saved = saved = Saving(store, state)
        self.publisher = publisher = Publisher(state, outbox, people, rooms, now)
        self.chat = Chat(state, publisher, store.chat, people, context.speech, context.chat_days, now)
        self.finisher = finisher = Finisher(state, store, saved, publisher, people, rooms, timeouts, now)
        self.pause = pause = Pause(state, saved, publisher, now, lambda since: self.turns.after_action(since))
        self.turns = turns = Turns(
            state, store, saved, publisher, outbox, finisher, pause, bots, context.chance, now, context.acted, lambda seat: self.presence.seat_is_free(seat)
        )
        self.presence = presence = Presence(state, saved, publisher, finisher, turns, people, bots, timeouts, now, self.seats_changed)
        self.offers = Offers(state, store, publisher, finisher, turns, presence, now)
        self.advice = Advice(state, turns, context.sketches, bots)

    @classmethod
    def new(cls, context: Context, rooms: RoomList, id: str, chosen: Game, settings: PlaySettings, password: str | None, master: str) -> Room:
        """A room that nobody is in yet; the password is a hash."""
        return cls(context, rooms, RoomState(id, chosen, settings, password, master, context.timeouts, context.now, context.people.is_bot))

    @classmethod
    def from_json(cls, context: Context, rooms: RoomList, id: str, data: dict[str, Any], row: GameRow | None) -> Room:
        """A room as it was stored, with its last game."""
        return cls(context, rooms, RoomState.from_json(id, data, row, context.timeouts, context.now, context.people.is_bot))

    @property
    def id(self) -> str:
        """What it is found by."""
        return self.state.id

    async def save(self) -> None:
        """Store the room."""
        await self._saved.save()

    def close(self) -> None:
        """Nothing is planned any more, and nobody comes in."""
        self.state.closed = True
        self.state.timers.close()

    def everything_for(self, person: str) -> Iterator[Piece]:
        """All there is to know for someone who comes in, or comes back, as it is now."""
        yield from self.publisher.everything_for(person)
        yield self.chat.history_for(person)

    # --- coming and going ---

    async def enter(self, person: str, traces: Collection[str] = ()) -> None:
        """Someone opens the room (or one more window on it); `traces` tell the address and the browser apart from others."""
        await self._speech.know(person)
        async with self.state.in_turn(person):
            await self.chat.recall()
            newcomer = person not in self.state.members
            if newcomer:
                self._may_enter(person)
            elif self.state.members[person] >= MOST_WINDOWS:
                raise Refused("too-many-connections")
            if sum(self.state.members.values()) >= MOST_PEOPLE and person not in self.state.seating.known():
                raise Refused("room-full")
            self.state.members[person] = self.state.members.get(person, 0) + 1
            self.state.traces.setdefault(person, set()).update(traces)
            if not newcomer:
                return
            self.state.timers.cancel("empty")
            if self.state.alive:
                self.state.timers.cancel("abandoned")
            if person == self.state.master:
                self.state.timers.cancel("master")
            elif not self.state.timers.planned("master"):
                await self.presence.hand_over()
            await self.presence.come_back(person)
            await self.publisher.tell("user joined", self.publisher.person(person), skip=(person,))
            if self.state.seating.of(person):
                await self.publisher.tell_players()
            await self._registry.room_changed(self.state.id)

    def _may_enter(self, person: str) -> None:
        if self.state.closed:  # it disappeared while they were at the door
            raise Refused("no-such-room")
        if any(person in (chair.person, chair.first) for chair in self.state.seating.chairs):
            return
        if not self.state.settings.spectators and self.state.playing:
            raise Refused("no-spectators")
        if not self.state.settings.spectators and self.state.seating.full:
            raise Refused("room-full")

    async def leave(self, person: str, lost: bool) -> None:
        """A window is closed, or a connection lost: then they may be back in a moment."""
        async with self.state.in_turn(person):
            if person not in self.state.members:
                return
            self.state.members[person] -= 1
            if self.state.members[person] > 0:
                return
            del self.state.members[person]
            if person not in self.state.seating.known():
                self.state.traces.pop(person, None)
            self.presence.gone(person, self._timeouts.patience if lost or self.state.playing else 0.0)
            await self.publisher.tell("user left", self.publisher.person(person))
            if self.state.seating.of(person):
                await self.publisher.tell_players()
            await self._registry.room_changed(self.state.id)

    async def replace(self, guest: str, account: str) -> None:
        """A guest turned out to be an account, which is here in their place from now on; their windows will be opened again."""
        async with self.state.lock:
            if guest not in self.state.seating.known() | self.state.invited | {self.state.master}:
                return
            self.state.seating.replace(guest, account)
            self.state.master = account if self.state.master == guest else self.state.master
            self.state.invited = {account if person == guest else person for person in self.state.invited}
            self.state.awaited = {account if person == guest else person for person in self.state.awaited}
            await self._saved.save_players()
            self.presence.gone(account, self._timeouts.patience)
            await self.publisher.tell_room("room updated")
            await self.publisher.tell_players()

    # --- chairs ---

    async def sit(self, person: str, seat: int, local: bool) -> dict[str, Any] | None:
        """Sit down, or take over during a game."""
        async with self.state.lock:
            if not self.state.playing or not any(chair.first == person for chair in self.state.seating.chairs):
                await self._check_rating(person)
            if self._people.is_bot(person) and not self.state.settings.bots:
                raise Refused("no-bots")
            if self.state.playing:
                return await self.presence.take_over(person, seat)
            self.state.seating.sit(person, seat, local)
            await self.seats_changed()
            return None

    async def _check_rating(self, person: str) -> None:
        rating = await self._people.rating(person, self.state.game.name)
        if self.state.settings.lowest is not None and rating < self.state.settings.lowest:
            raise Refused("rating-too-low", lowest=self.state.settings.lowest)
        if self.state.settings.highest is not None and rating > self.state.settings.highest:
            raise Refused("rating-too-high", highest=self.state.settings.highest)

    async def stand(self, person: str, seat: int | None) -> None:
        """Stand up between games."""
        async with self.state.lock:
            self.state.between_games()
            self.state.seating.stand(self.state.seating.own(person, seat))
            await self.seats_changed()

    async def set_ready(self, person: str, seat: int | None, ready: bool) -> None:
        """Say that one is ready, or not any more; the game, or its next part, starts when all are."""
        async with self.state.lock:
            if self.pause.paused:
                await self.pause.say_ready(person, seat, ready)
                return
            self.state.between_games()
            mine = self.state.seating.of(person) if seat is None else [self.state.seating.own(person, seat)]
            if not mine:
                raise Refused("not-your-seat")
            for number in mine:
                self.state.seating.chairs[number].ready = ready
            await self.seats_changed()

    async def swap(self, person: str, one: int, other: int) -> None:
        """Exchange two chairs: the master any, others their own with an empty one."""
        async with self.state.lock:
            self.state.between_games()
            chairs = (self.state.seating.chair(one), self.state.seating.chair(other))
            own = {chair.person for chair in chairs} == {person, None} and not any(chair.bot for chair in chairs)
            if not own:
                self.state.master_only(person)
            self.state.seating.swap(one, other)
            await self.seats_changed()

    async def seat_bot(self, person: str, seat: int, level: int | None) -> None:
        """Give a chair to a computer player, or take it back."""
        async with self.state.lock:
            self.state.between_games()
            self.state.master_only(person)
            if self.state.seating.chair(seat).person is not None:
                raise Refused("seat-taken", seat=seat + 1)
            self.state.seating.chairs[seat] = Chair(bot=level, ready=level is not None)
            await self.seats_changed()

    async def change(self, person: str, name: str | None, options: dict[str, Any] | None, settings: PlaySettings | None, password: str | None) -> None:
        """Change the game, its options, the settings or the password (an empty one opens the room)."""
        self.state.master_only(person)
        chosen = await self._context.games.load(name or self.state.game.name, options if options is not None else {} if name else self.state.game.options)
        hashed = await self._context.passwords.hashed(password, person) if password else None
        async with self.state.lock:
            self.state.master_only(person)
            self.state.between_games()
            usual = settings is None and self.state.settings.time == usual_time(self.state.game)  # then another game brings its own
            wanted = settled(self.state.settings.model_copy(update={"time": None}) if usual else settings or self.state.settings, chosen)
            try:
                control = control_of(wanted)
            except ValueError as wrong:
                raise Refused.because(wrong) from None
            self.state.game, self.state.settings, self.state.control = chosen, wanted, control
            if password is not None:
                self.state.password = hashed
            self.state.seating.resize(chosen.seats)
            self.state.match = None
            for someone in {*self.state.members, *self.state.seating.everyone()}:
                await self._people.rating(someone, chosen.name)
            await self.publisher.tell_room("config updated")
            await self.seats_changed()

    async def seats_changed(self) -> None:
        """Store and tell the chairs; start the game, or the timer that will."""
        if self.state.seating.all_ready:
            await self.turns.begin()
            return
        wanted = self.state.seating.full and self.state.seating.some_ready
        if wanted and self.state.ready_at is None:
            self.state.ready_at = self._now() + int(self._timeouts.ready * 1000)
            self.state.timers.later("ready", self._timeouts.ready, self._start_anyway)
            await self.publisher.tell("ready timer", {"at": self.state.ready_at})
        elif not wanted and self.state.ready_at is not None:
            self.state.timers.cancel("ready")
            self.state.ready_at = None
            await self.publisher.tell("ready timer", {"at": None})
        await self._saved.save()
        await self.publisher.tell_players()
        await self._registry.room_changed(self.state.id)

    async def _start_anyway(self) -> None:
        async with self.state.lock:
            if not self.state.playing and self.state.seating.full and self.state.seating.some_ready:
                await self.turns.begin()
