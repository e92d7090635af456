"""People who drop out of a game and come back, who plays on for them, and what happens to a room that its server left."""

from __future__ import annotations

from hanpan.result import Result
from hanpan.server.play import RETURN_SECONDS, GamePlay
from hanpan.server.refused import Refused
from hanpan.server.table import Table

AWAY_SECONDS = 300  # without any clock, someone away for so long may be claimed against
ABANDONED_SECONDS = 3600.0  # without any clock, or where only computer players act, a game that everyone left is over after so long


class Absence(GamePlay):
    """The part of a room that deals with people who are not there."""

    # --- going ---

    def gone(self, person: str, patience: float) -> None:
        """Someone has gone: after a while their chairs are not kept any more, or a computer player keeps them."""
        for seat in self.seating.of(person):
            if self.playing:
                self.seating.chairs[seat].left_at = self.house.now()
            self.later(f"gone{seat}", patience, self._still_gone, person, seat)
        if person == self.master:
            self.later("master", patience, self._hand_over_later)
        if not self.members:
            self.later("empty", patience, self.vanish)
            self.later("abandoned", ABANDONED_SECONDS, self._abandon)

    async def _still_gone(self, person: str, seat: int) -> None:
        async with self.lock:
            chair = self.seating.chairs[seat] if seat < len(self.seating.chairs) else None
            if chair is None or chair.person != person or person in self.members:
                return
            if not self.playing:
                self.seating.stand(seat)
                await self.seats_changed()
            elif self.settings.substitute:
                await self._substitute(seat)

    async def _substitute(self, seat: int) -> None:
        """A computer player about as good as the leaver keeps the chair."""
        chair = self.seating.chairs[seat]
        assert chair.person is not None
        chair.give_to_bot(self.house.bots.level_near(await self.house.rating(chair.person, self.game.name)))
        if self.table is not None and self.table.seat == seat:
            self.table.pause_clock(self.house.now())
        await self.save_players()
        await self.tell_players()
        self.go_on()

    async def seats_changed(self) -> None:
        """Store and tell the chairs."""
        raise NotImplementedError

    async def _hand_over_later(self) -> None:
        async with self.lock:
            await self.hand_over()

    async def hand_over(self) -> None:
        """When the master has left, whoever is here longest becomes master."""
        if self.master not in self.members and self.members:
            self.cancel("master")
            self.master = next(iter(self.members))
            await self.save()
            await self.tell_room("room updated")

    async def _abandon(self) -> None:
        async with self.lock:
            if self.table is not None and not self.members and (self.table.control.kind == "none" or self.seating.computers_only):
                await self.abandon()

    async def abandon(self) -> None:
        """A game that is played here ends without a result."""
        if self.table is not None and self.table.result is None:
            await self.end_with(self.table, Result([], "abandoned"))

    # --- coming back ---

    async def come_back(self, person: str) -> None:
        """Someone is here again: their chairs are theirs, and their clock runs."""
        for seat, chair in enumerate(self.seating.chairs):
            if chair.person == person:
                chair.left_at, chair.missed = None, 0
            elif chair.substitute and chair.first == person:
                chair.give_to(person)
                await self._sat_down(seat)
        self.awaited.discard(person)
        await self.start_clock()
        if self.playing and len(self.members) == 1:
            self.go_on()

    async def take_over(self, person: str, seat: int) -> None:
        """Sit down during a game."""
        self.seating.chair(seat)
        first = any(chair.first == person for chair in self.seating.chairs)
        self.seating.take_over(person, seat, first or self.free_for_spectators(seat))
        await self._sat_down(seat)
        await self.tell_players()
        await self.tell_game(person)

    async def _sat_down(self, seat: int) -> None:
        """Someone holds a chair of the running game now; if a computer player kept it, its clock runs on from where it stood still."""
        await self.save_players()
        if self.table is not None and self.table.seat == seat:
            self.table.start_clock(self.house.now())
            self.go_on()

    # --- claims ---

    async def claim(self, table: Table, person: str, seat: int) -> None:
        """Without a clock: claim against a seat whose person has been away too long."""
        self.seating.own(person, None)
        chair = self.seating.chair(seat)
        if table.control.kind != "none":
            raise Refused("clock-decides")
        away = chair.person is not None and chair.person not in self.members and chair.left_at is not None
        if not away or self.house.now() - (chair.left_at or 0) < AWAY_SECONDS * 1000:
            raise Refused("not-away-long", minutes=AWAY_SECONDS // 60)
        if len(table.sides()) == 2:
            await self.end_with(table, table.lost_by(seat, "claim"))
        else:
            await self._substitute(seat)

    # --- after a restart ---

    async def take_up(self) -> None:
        """The server is back: wait for those who were here, and go on."""
        async with self.lock:
            expected = self.seating.everyone()
            if self.playing:
                self.wait_for(expected)
                await self.let_chance_act()
                self.begin_turn()
                await self.next_turn()
            else:
                await self.recall_ratings()
                await self.seats_changed()
            for person in expected | {self.master}:
                self.gone(person, max(self.house.patience, RETURN_SECONDS))
