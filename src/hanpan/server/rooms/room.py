"""A room: its people, its chairs, its game. Every change runs under the room's lock, is stored, and only then told."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Collection, Iterator
from typing import Any, ParamSpec

from hanpan.game import Game
from hanpan.server.people.rating import shown
from hanpan.server.protocol.messages import Asked, ReadyTimer, Recorded
from hanpan.server.protocol.refusals import Refused
from hanpan.server.protocol.requests import PlaySettings
from hanpan.server.rooms.advice import Advice
from hanpan.server.rooms.alike import alike_settings
from hanpan.server.rooms.chat import MOST_TOLD, Chat
from hanpan.server.rooms.commit import Commit
from hanpan.server.rooms.context import Context
from hanpan.server.rooms.finish import Finisher
from hanpan.server.rooms.happened import Changed, Happened, News, Next, Show, ShownOut
from hanpan.server.rooms.offers import Offers
from hanpan.server.rooms.pause import Pause
from hanpan.server.rooms.presence import Presence
from hanpan.server.rooms.publisher import Piece, Publisher, RoomList
from hanpan.server.rooms.room_store import RoomStore
from hanpan.server.rooms.seats import NOBODY, Chair
from hanpan.server.rooms.state import AGAIN_SECONDS, RETURN_SECONDS, RoomState, control_of, settled, usual_time
from hanpan.server.rooms.turns import Turns
from hanpan.server.storage.models import GameRow, RoomDocument

MOST_PEOPLE = 1000  # in a room, each window counted: everyone there is told everything
MOST_WINDOWS = 16  # of one person on one room, or on the lobby

P = ParamSpec("P")


class Parts:
    """What does the work in a room. None of it keeps anything of its own."""

    __slots__ = ("advice", "chat", "commit", "finisher", "offers", "pause", "presence", "publisher", "turns")

    def __init__(self, context: Context, rooms: RoomList, room: Room) -> None:
        store, people, bots, timeouts, now, state = context.store, context.people, context.bots, context.timeouts, context.now, room.state
        self.publisher = Publisher(state, context.outbox, people, rooms, now)
        self.chat = Chat(state, people, context.speech, context.chat_days, now)
        self.finisher = Finisher(state, people, timeouts, now)
        self.pause = Pause(state, now)
        self.turns = Turns(state, self.pause, bots, context.chance, context.outbox.lag, now, room.ring, lambda seat: room.presence.seat_is_free(seat))
        self.presence = Presence(state, self.finisher, self.turns, people, bots, timeouts, now, room.seats_changed)
        self.offers = Offers(state, self.presence, now)
        self.advice = Advice(state, self.turns, context.sketches, bots)
        self.commit = Commit(state, RoomStore(store, state, rooms), self.publisher, rooms, self.chat, self.finisher, self.turns, self.presence)


class Room:
    """A place where one game after another is played: coming and going and the chairs are here, everything else is done by the parts that it is made of."""

    __slots__ = ("_context", "_parts", "_registry", "state")

    advice: Advice
    chat: Chat
    commit: Commit
    finisher: Finisher
    offers: Offers
    pause: Pause
    presence: Presence
    publisher: Publisher
    turns: Turns

    def __init__(self, context: Context, rooms: RoomList, state: RoomState) -> None:
        self.state, self._context, self._registry = state, context, rooms
        self._parts: Parts | None = None
        state.timers.do = self.do

    def __getattr__(self, part: str) -> Any:
        """One of the parts. They are made for whoever needs one first, and go when nobody is here: most rooms are empty, and wait."""
        if part not in Parts.__slots__:
            raise AttributeError(part)
        return getattr(self._made(), part)

    def _made(self) -> Parts:
        if self._parts is None:
            self._parts = Parts(self._context, self._registry, self)
        return self._parts

    @classmethod
    def new(cls, context: Context, rooms: RoomList, id: str, chosen: Game, settings: PlaySettings, password: str | None, master: str) -> Room:
        """A room that nobody is in yet; the password is a hash."""
        return cls(context, rooms, RoomState(id, chosen, settings, password, master, context.timeouts, context.calendar, context.now, context.people.is_bot))

    @classmethod
    def from_json(cls, context: Context, rooms: RoomList, id: str, data: RoomDocument, row: GameRow | None) -> Room:
        """A room as it was stored, with its last game."""
        return cls(context, rooms, RoomState.from_json(id, data, row, context.timeouts, context.calendar, context.now, context.people.is_bot))

    @property
    def id(self) -> str:
        """What it is found by."""
        return self.state.id

    async def do(self, verb: Callable[P, Happened], *what: P.args, **named: P.kwargs) -> None:
        """Do one of the verbs under the room's lock: what has happened is stored, and only then told."""
        async with self.state.lock:
            await self.commit(verb(*what, **named))
            self._rest()

    def _rest(self) -> None:
        """If nobody is here and nothing happens soon, keep no more than the next one to come needs."""
        if not self.state.members and self.state.timers.quiet:
            self.state.rest()
            self._parts = None

    async def save(self) -> None:
        """Store the room."""
        await self.commit([Changed()])

    def close(self) -> None:
        """Nothing is planned any more, and nobody comes in."""
        self.state.closed = True
        self.state.timers.close()

    def everything_for(self, person: str) -> Iterator[Piece]:
        """All there is to know for someone who comes in, or comes back, as it is now."""
        yield from self.publisher.everything_for(person)
        yield self.chat.history_for(person)

    # --- acting ---

    async def play(self, person: str, ply: int, action: str, game_id: str | None = None) -> Recorded:
        """An action of a person's: checked, stored, and only then told."""
        at, began = self._context.now(), time.perf_counter()
        async with self.state.lock:
            match, parts = self.state.last_game(), self._made()
            try:
                happened = parts.turns.play(person, ply, action, at, game_id)
                await parts.commit(happened)
            except Refused:
                raise
            except Exception as fault:
                await parts.commit.not_charged(match, fault)
                raise Refused("our-fault") from None
            if happened:
                self._context.acted(time.perf_counter() - began)
            return Recorded(ply=ply)

    async def ring(self, ply: int) -> None:
        """A turn's time is up: an attempted action like any other, whoever comes first wins."""
        async with self.state.lock:
            match = self.state.match
            if match is None or not self.turns.overdue(match, ply):
                return
            try:
                await self.commit(self.turns.time_is_up(match))
            except Exception as fault:
                await self.commit.not_charged(match, fault, AGAIN_SECONDS)

    async def say(self, person: str, msg: str) -> None:
        """Chat; that waits for nobody's turn."""
        await self.commit(await self.chat.say(person, msg))

    # --- coming and going ---

    async def enter(self, person: str, traces: Collection[str], then: Callable[[], Awaitable[None]]) -> None:
        """Someone opens the room (or one more window on it); `traces` tell the address and the browser apart from others. `then` happens in the same turn."""
        await self._context.speech.know(person)
        oversees = await self._context.people.oversees(person)
        async with self.state.in_turn(person):
            if not self.chat.recalled:
                await self.chat.recall(await self._context.store.chat.last(self.state.id, MOST_TOLD, self.chat.kept_since()))
            await self.commit(self._come_in(person, traces, oversees))
            await then()

    def _come_in(self, person: str, traces: Collection[str], oversees: bool) -> Happened:
        newcomer = person not in self.state.members
        if newcomer:
            self._may_enter(person, oversees)
        elif self.state.members[person] >= MOST_WINDOWS:
            raise Refused("too-many-connections")
        if sum(self.state.members.values()) >= MOST_PEOPLE and person not in self.state.seating.known():
            raise Refused("room-full")
        self.state.members[person] = self.state.members.get(person, 0) + 1
        self.state.traces[person] = tuple({*self.state.traces.get(person, ()), *traces})
        if not newcomer:
            return []
        self.state.overseers |= {person} if oversees else NOBODY
        self.state.timers.cancel("empty")
        if self.state.alive:
            self.state.timers.cancel("abandoned")
        happened: Happened = []
        if person == self.state.master:
            self.state.timers.cancel("master")
        elif not self.state.timers.planned("master"):
            happened += self.presence.hand_over()
        happened += self.presence.come_back(person)
        return [*happened, News("user joined", self.publisher.person(person), skip=(person,)), *self._seen_in(person)]

    def _seen_in(self, person: str) -> Happened:
        """Where it shows that someone is here, or not any more."""
        return [Show.PLAYERS, Show.LOBBY] if self.state.seating.of(person) else [Show.LOBBY]

    def _may_enter(self, person: str, oversees: bool) -> None:
        if self.state.closed:  # it disappeared while they were at the door
            raise Refused("no-such-room")
        if oversees or any(person in (chair.person, chair.first) for chair in self.state.seating.chairs):
            return
        if not self.state.settings.spectators and self.state.playing:
            raise Refused("no-spectators")
        if not self.state.settings.spectators and self.state.seating.full:
            raise Refused("room-full")

    async def leave(self, person: str, lost: bool) -> None:
        """A window is closed, or a connection lost: then they may be back in a moment."""
        async with self.state.in_turn(person):
            await self.commit(self._go(person, lost))

    def _go(self, person: str, lost: bool) -> Happened:
        if person not in self.state.members:
            return []
        self.state.members[person] -= 1
        if self.state.members[person] > 0:
            return []
        del self.state.members[person]
        self.state.overseers = self.state.overseers - {person} or NOBODY
        if person not in self.state.seating.known():
            self.state.traces.pop(person, None)
        self.presence.gone(person, self._context.timeouts.patience if lost or self.state.playing else 0.0)
        return [News("user left", self.publisher.person(person)), *self._seen_in(person)]

    def part_with(self, person: str) -> Happened:
        """Someone leaves for good: nothing here is theirs any more."""
        happened = self.presence.give_all_up(person)
        if self.state.members.pop(person, None) is not None:
            happened = [ShownOut(person, Refused("unauthorized")), News("user left", self.publisher.person(person)), *happened, *self._seen_in(person)]
        self.presence.gone(person, 0.0)
        return happened

    def replace(self, guest: str, account: str) -> Happened:
        """A guest turned out to be an account, which is here in their place from now on; their windows will be opened again."""
        self.state.sat = [{**who, "person": account} if who["person"] == guest else who for who in self.state.sat]  # also of who has left since
        if guest not in self.state.seating.known() | self.state.invited | self.state.unwanted | {self.state.master}:
            return []
        self.state.seating.replace(guest, account)
        self.state.master = account if self.state.master == guest else self.state.master
        self.state.invited = frozenset(account if person == guest else person for person in self.state.invited) or NOBODY
        self.state.unwanted = frozenset(account if person == guest else person for person in self.state.unwanted) or NOBODY
        self.state.awaited = frozenset(account if person == guest else person for person in self.state.awaited) or NOBODY
        self.presence.gone(account, self._context.timeouts.patience)
        return [Changed(players=True), Show.ROOM, Show.PLAYERS]

    async def take_up(self) -> None:
        """The server is back: wait for those who were here, and go on."""
        async with self.state.lock:
            expected, playing = self.state.seating.everyone(), self.state.playing
            if playing:
                self.turns.wait_for(expected)
            await self.commit.take_up()
            if not playing:
                await self.commit(self.seats_changed())
            for person in expected | {self.state.master}:
                self.presence.gone(person, max(self._context.timeouts.patience, RETURN_SECONDS))

    # --- chairs ---

    async def sit(self, person: str, seat: int, local: bool) -> Asked | None:
        """Sit down, or take over during a game."""
        async with self.state.lock:
            if not self.state.playing or not any(chair.first == person for chair in self.state.seating.chairs):
                await self._check_rating(person)
                await self._check_welcome(person)
            if self._context.people.is_bot(person) and not self.state.settings.bots:
                raise Refused("no-bots")
            if self.state.playing:
                await self.commit(self.presence.take_over(person, seat))
                return Asked(asked=True) if self.state.offers.asking.get(seat) == person else None
            self.state.seating.sit(person, seat, local)
            await self.commit(self.seats_changed())
            return None

    async def _check_rating(self, person: str) -> None:
        rating = shown(await self._context.people.rating(person, self.state.game.name))  # as everyone sees it
        if self.state.settings.lowest is not None and rating < self.state.settings.lowest:
            raise Refused("rating-too-low", lowest=self.state.settings.lowest)
        if self.state.settings.highest is not None and rating > self.state.settings.highest:
            raise Refused("rating-too-high", highest=self.state.settings.highest)

    async def _check_welcome(self, person: str) -> None:
        """Refuse whose seat the master has freed, and whoever does not want the master or is not wanted by them."""
        if person in self.state.unwanted and person != self.state.master:
            raise Refused("made-to-stand")
        for one in (person, self.state.master):
            await self._context.speech.know(one)
        if self._context.speech.apart(person, self.state.master):
            raise Refused("not-at-this-table")

    def stand(self, person: str, seat: int | None) -> Happened:
        """Stand up between games; the master may also free the seat of another."""
        self.state.between_games()
        sitter = None if seat is None else self.state.seating.chair(seat).person
        if person == self.state.master and sitter not in (None, person):
            return self._make_stand(sitter)
        self.state.seating.stand(self.state.seating.own(person, seat))
        return self.seats_changed()

    def _make_stand(self, person: str) -> Happened:
        """Free someone's seats: they are told why, and an invitation from before holds no more."""
        for seat in self.state.seating.of(person):
            self.state.seating.stand(seat)
        self.state.unwanted |= {person}
        self.state.invited = self.state.invited - {person} or NOBODY
        return [News("invalid action", Refused("made-to-stand").json("stand up"), to=person), *self.seats_changed()]

    async def set_ready(self, person: str, seat: int | None, ready: bool) -> None:
        """Say that one is ready, or not any more; the game, or its next part, starts when all are."""
        async with self.state.lock:
            if self.pause.paused:
                await self.commit(self.pause.say_ready(person, seat, ready))
                if self.pause.all_ready:
                    await self.commit(self.pause.next_part())
                return
            self.state.between_games()
            mine = self.state.seating.of(person) if seat is None else [self.state.seating.own(person, seat)]
            if not mine:
                raise Refused("not-your-seat")
            for number in mine:
                self.state.seating.chairs[number].ready = ready
            await self.commit(self.seats_changed())

    def swap(self, person: str, one: int, other: int) -> Happened:
        """Exchange two chairs: the master any, others their own with an empty one."""
        self.state.between_games()
        chairs = (self.state.seating.chair(one), self.state.seating.chair(other))
        own = {chair.person for chair in chairs} == {person, None} and not any(chair.bot for chair in chairs)
        if not own:
            self.state.master_only(person)
        self.state.seating.swap(one, other)
        return self.seats_changed()

    def seat_bot(self, person: str, seat: int, level: int | None) -> Happened:
        """Give a chair to a computer player, or take it back."""
        self.state.between_games()
        self.state.master_only(person)
        if self.state.seating.chair(seat).person is not None:
            raise Refused("seat-taken", seat=seat + 1)
        self.state.seating.chairs[seat] = Chair(bot=level, ready=level is not None)
        return self.seats_changed()

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
            self.state.game, self.state.settings, self.state.control = chosen, alike_settings(wanted), control
            if password is not None:
                self.state.password = hashed
            self.state.seating.resize(chosen.seats)
            self.state.match = None
            for someone in {*self.state.members, *self.state.seating.everyone()}:
                await self._context.people.rating(someone, chosen.name)
            await self.commit([Changed(), Show.CONFIG, *self.seats_changed()])

    def seats_changed(self) -> Happened:
        """The chairs are others: start the game, or the timer that will."""
        if self.state.seating.all_ready:
            return [Next.BEGIN]
        happened: Happened = [Changed()]
        wanted = self.state.seating.full and self.state.seating.some_ready
        if wanted and self.state.ready_at is None:
            self.state.ready_at = self._context.now() + int(self._context.timeouts.ready * 1000)
            self.state.timers.later("ready", self._context.timeouts.ready, self._start_anyway)
            happened.append(News("ready timer", ReadyTimer(at=self.state.ready_at)))
        elif not wanted and self.state.ready_at is not None:
            self.state.timers.cancel("ready")
            self.state.ready_at = None
            happened.append(News("ready timer", ReadyTimer(at=None)))
        return [*happened, Show.PLAYERS, Show.LOBBY]

    def _start_anyway(self) -> Happened:
        return [Next.BEGIN] if not self.state.playing and self.state.seating.full and self.state.seating.some_ready else []
