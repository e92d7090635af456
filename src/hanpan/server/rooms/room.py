"""A room: its people, its chairs, its game. Every change runs under the room's lock, is stored, and only then told."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from hanpan.server.protocol.refusals import Refused
from hanpan.server.protocol.requests import Settings
from hanpan.server.rooms.advice import Advice
from hanpan.server.rooms.roombase import control_of, settled, usual_time
from hanpan.server.rooms.seats import Chair

MOST_PEOPLE = 1000  # in a room, each window counted: everyone there is told everything
MOST_WINDOWS = 16  # of one person on one room, or on the lobby


class Room(Advice):
    """A place where one game after another is played."""

    # --- coming and going ---

    async def enter(self, person: str, traces: Collection[str] = ()) -> None:
        """Someone opens the room (or one more window on it); `traces` tell the address and the browser apart from others."""
        await self.context.speech.know(person)
        async with self.in_turn(person):
            await self.recall_talk()
            newcomer = person not in self.members
            if newcomer:
                self._may_enter(person)
            elif self.members[person] >= MOST_WINDOWS:
                raise Refused("too-many-connections")
            if sum(self.members.values()) >= MOST_PEOPLE and person not in self.seating.known():
                raise Refused("room-full")
            self.members[person] = self.members.get(person, 0) + 1
            self.traces.setdefault(person, set()).update(traces)
            if not newcomer:
                return
            self.cancel("empty")
            if self.alive:
                self.cancel("abandoned")
            if person == self.master:
                self.cancel("master")
            elif not self.planned("master"):
                await self.hand_over()
            await self.come_back(person)
            await self.tell("user joined", self.person(person), skip=(person,))
            if self.seating.of(person):
                await self.tell_players()
            await self.registry.room_changed(self.id)

    def _may_enter(self, person: str) -> None:
        if self.closed:  # it disappeared while they were at the door
            raise Refused("no-such-room")
        if any(person in (chair.person, chair.first) for chair in self.seating.chairs):
            return
        if not self.settings.spectators and self.playing:
            raise Refused("no-spectators")
        if not self.settings.spectators and self.seating.full:
            raise Refused("room-full")

    async def leave(self, person: str, lost: bool) -> None:
        """A window is closed, or a connection lost: then they may be back in a moment."""
        async with self.in_turn(person):
            if person not in self.members:
                return
            self.members[person] -= 1
            if self.members[person] > 0:
                return
            del self.members[person]
            if person not in self.seating.known():
                self.traces.pop(person, None)
            self.gone(person, self.context.timeouts.patience if lost or self.playing else 0.0)
            await self.tell("user left", self.person(person))
            if self.seating.of(person):
                await self.tell_players()
            await self.registry.room_changed(self.id)

    async def replace(self, guest: str, account: str) -> None:
        """A guest turned out to be an account, which is here in their place from now on; their windows will be opened again."""
        async with self.lock:
            if guest not in self.seating.known() | self.invited | {self.master}:
                return
            self.seating.replace(guest, account)
            self.master = account if self.master == guest else self.master
            self.invited = {account if person == guest else person for person in self.invited}
            self.awaited = {account if person == guest else person for person in self.awaited}
            await self.save_players()
            self.gone(account, self.context.timeouts.patience)
            await self.tell_room("room updated")
            await self.tell_players()

    # --- chairs ---

    async def sit(self, person: str, seat: int, local: bool) -> dict[str, Any] | None:
        """Sit down, or take over during a game."""
        async with self.lock:
            if not self.playing or not any(chair.first == person for chair in self.seating.chairs):
                await self._check_rating(person)
            if self.context.people.is_bot(person) and not self.settings.bots:
                raise Refused("no-bots")
            if self.playing:
                return await self.take_over(person, seat)
            self.seating.sit(person, seat, local)
            await self.seats_changed()
            return None

    async def _check_rating(self, person: str) -> None:
        rating = await self.context.people.rating(person, self.game.name)
        if self.settings.lowest is not None and rating < self.settings.lowest:
            raise Refused("rating-too-low", lowest=self.settings.lowest)
        if self.settings.highest is not None and rating > self.settings.highest:
            raise Refused("rating-too-high", highest=self.settings.highest)

    async def stand(self, person: str, seat: int | None) -> None:
        """Stand up between games."""
        async with self.lock:
            self.between_games()
            self.seating.stand(self.seating.own(person, seat))
            await self.seats_changed()

    async def set_ready(self, person: str, seat: int | None, ready: bool) -> None:
        """Say that one is ready, or not any more; the game, or its next part, starts when all are."""
        async with self.lock:
            if self.paused:
                await self.say_ready(person, seat, ready)
                return
            self.between_games()
            mine = self.seating.of(person) if seat is None else [self.seating.own(person, seat)]
            if not mine:
                raise Refused("not-your-seat")
            for number in mine:
                self.seating.chairs[number].ready = ready
            await self.seats_changed()

    async def swap(self, person: str, one: int, other: int) -> None:
        """Exchange two chairs: the master any, others their own with an empty one."""
        async with self.lock:
            self.between_games()
            chairs = (self.seating.chair(one), self.seating.chair(other))
            own = {chair.person for chair in chairs} == {person, None} and not any(chair.bot for chair in chairs)
            if not own:
                self.master_only(person)
            self.seating.swap(one, other)
            await self.seats_changed()

    async def seat_bot(self, person: str, seat: int, level: int | None) -> None:
        """Give a chair to a computer player, or take it back."""
        async with self.lock:
            self.between_games()
            self.master_only(person)
            if self.seating.chair(seat).person is not None:
                raise Refused("seat-taken", seat=seat + 1)
            self.seating.chairs[seat] = Chair(bot=level, ready=level is not None)
            await self.seats_changed()

    async def change(self, person: str, name: str | None, options: dict[str, Any] | None, settings: Settings | None, password: str | None) -> None:
        """Change the game, its options, the settings or the password (an empty one opens the room)."""
        self.master_only(person)
        chosen = await self.context.games.load(name or self.game.name, options if options is not None else {} if name else self.game.options)
        hashed = await self.context.passwords.hashed(password, person) if password else None
        async with self.lock:
            self.master_only(person)
            self.between_games()
            usual = settings is None and self.settings.time == usual_time(self.game)  # then another game brings its own
            wanted = settled(self.settings.model_copy(update={"time": None}) if usual else settings or self.settings, chosen)
            try:
                control = control_of(wanted)
            except ValueError as wrong:
                raise Refused.because(wrong) from None
            self.game, self.settings, self.control = chosen, wanted, control
            if password is not None:
                self.password = hashed
            self.seating.resize(chosen.seats)
            self.match = None
            for someone in {*self.members, *self.seating.everyone()}:
                await self.context.people.rating(someone, chosen.name)
            await self.tell_room("config updated")
            await self.seats_changed()

    async def seats_changed(self) -> None:
        """Store and tell the chairs; start the game, or the timer that will."""
        if self.seating.all_ready:
            await self.begin_game()
            return
        wanted = self.seating.full and self.seating.some_ready
        if wanted and self.ready_at is None:
            self.ready_at = self.context.now() + int(self.context.timeouts.ready * 1000)
            self.later("ready", self.context.timeouts.ready, self._start_anyway)
            await self.tell("ready timer", {"at": self.ready_at})
        elif not wanted and self.ready_at is not None:
            self.cancel("ready")
            self.ready_at = None
            await self.tell("ready timer", {"at": None})
        await self.save()
        await self.tell_players()
        await self.registry.room_changed(self.id)

    async def _start_anyway(self) -> None:
        async with self.lock:
            if not self.playing and self.seating.full and self.seating.some_ready:
                await self.begin_game()
