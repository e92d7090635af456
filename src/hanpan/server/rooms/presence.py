"""People who drop out of a game and come back, who plays on for them, and what happens to a room that its server left."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from hanpan.result import Result
from hanpan.server.people.identity import People
from hanpan.server.protocol.refusals import Refused
from hanpan.server.rooms.bot_pool import BotPool
from hanpan.server.rooms.context import Timeouts
from hanpan.server.rooms.finish import Finisher
from hanpan.server.rooms.match import Match
from hanpan.server.rooms.publisher import Publisher
from hanpan.server.rooms.saving import Saving
from hanpan.server.rooms.state import RETURN_SECONDS, RoomState
from hanpan.server.rooms.turns import Turns


class Presence:
    """Deals with people who are not there. `seats_changed` stores and tells the chairs between games."""

    def __init__(
        self, room: RoomState, saved: Saving, publisher: Publisher, finisher: Finisher, turns: Turns, people: People, bots: BotPool,
        timeouts: Timeouts, now: Callable[[], int], seats_changed: Callable[[], Awaitable[None]],
    ) -> None:  # fmt: skip
        self._room, self._saved, self._publisher, self._finisher, self._turns = room, saved, publisher, finisher, turns
        self._people, self._bots, self._timeouts, self._now, self._seats_changed = people, bots, timeouts, now, seats_changed

    # --- going ---

    def gone(self, person: str, patience: float) -> None:
        """Someone has gone: after a while their chairs are not kept any more, or a computer player keeps them."""
        for seat in self._room.seating.of(person):
            if self._room.playing:
                self._room.seating.chairs[seat].left_at = self._now()
            self._room.timers.later(f"gone{seat}", patience, self._still_gone, person, seat)
        if person == self._room.master:
            self._room.timers.later("master", patience, self._hand_over_later)
        if not self._room.members:
            self._room.timers.later("empty", patience, self._finisher.vanish)
        if self._room.playing and not self._room.alive:
            self._room.timers.later("abandoned", self._timeouts.abandoned, self._abandon)
        self._turns.plan_offers()

    async def _still_gone(self, person: str, seat: int) -> None:
        async with self._room.lock:
            chair = self._room.seating.chairs[seat] if seat < len(self._room.seating.chairs) else None
            if chair is None or chair.person != person or person in self._room.members:
                return
            if not self._room.playing:
                self._room.seating.stand(seat)
                await self._seats_changed()
            elif self._room.match is not None and self._room.match.leaving_resigns() and chair.first == person:
                if self._room.left_at(seat) is not None and self._room.others_here(seat):  # else nobody is here to win it: it waits for who comes back first
                    await self.give_up(self._room.match, seat)
            elif self._room.settings.substitute:
                await self._substitute(seat)

    async def depart(self, person: str) -> None:
        """Someone leaves by will: where leaving is resigning, at once."""
        async with self._room.lock:
            match, seats = self._room.match, [seat for seat in self._room.seating.of(person) if self._room.seating.chairs[seat].first == person]
            if match is None or match.result is not None or not match.leaving_resigns() or not seats:
                return
            if len(seats) == len(self._room.seating.chairs):  # both sides at one screen
                await self._finisher.abandon()
            elif seats[0] not in match.resigned:
                await self.give_up(match, seats[0])

    async def give_up(self, match: Match, seat: int) -> None:
        """A seat resigns: of two sides, its own loses; of more, the seat plays on by the clock's rule at once, and finishes last."""
        if len(set(match.sides())) == 2:
            await self._finisher.end_with(match, match.lost_by(seat, "resigned"))
            return
        match.resigned.add(seat)
        stayed = [other for other in range(self._room.game.seats) if other not in match.resigned]
        if len(stayed) == 1:
            await self._finisher.end_with(match, Result(stayed, "resigned", tuple(sorted(match.resigned))))
            return
        await self._saved.save()
        await self._publisher.tell("resign", {"kind": "resign", "seat": seat, "state": "accepted"})
        await self._publisher.tell_players()
        self._turns.go_on()

    async def _substitute(self, seat: int) -> None:
        """A computer player about as good as the leaver keeps the chair."""
        chair = self._room.seating.chairs[seat]
        assert chair.person is not None
        chair.give_to_bot(self._bots.level_near(await self._people.rating(chair.person, self._room.game.name)))
        if self._room.match is not None and self._room.match.seat == seat:
            self._room.match.pause_clock(self._now())
        await self._saved.save_players()
        await self._publisher.tell_players()
        self._turns.go_on()

    async def _hand_over_later(self) -> None:
        async with self._room.lock:
            await self.hand_over()

    async def hand_over(self) -> None:
        """When the master has left, whoever is here longest becomes master."""
        if self._room.master not in self._room.members and self._room.members:
            self._room.timers.cancel("master")
            self._room.master = next(iter(self._room.members))
            await self._saved.save()
            await self._publisher.tell_room("room updated")

    async def _abandon(self) -> None:
        async with self._room.lock:
            if not self._room.alive:
                await self._finisher.abandon()

    # --- coming back ---

    async def come_back(self, person: str) -> None:
        """Someone is here again: their chairs are theirs, and their clock runs."""
        for seat, chair in enumerate(self._room.seating.chairs):
            if chair.person == person:
                chair.left_at, chair.missed = None, 0
            elif chair.substitute and chair.first == person:
                chair.give_to(person)
                await self._sat_down(seat)
            elif self._room.left_at(seat) is not None and chair.person is not None and not self._room.timers.planned(f"gone{seat}"):
                self._room.timers.later(f"gone{seat}", 0.0, self._still_gone, chair.person, seat)  # they are gone, and now someone is here to win
        self._room.awaited.discard(person)
        await self._turns.start_clock()
        if self._room.playing and len(self._room.members) == 1:
            self._turns.go_on()

    # --- sitting in for someone ---

    async def seat_is_free(self, seat: int) -> None:
        """Offer a seat that has become free to those present. Where ratings are at stake and none of them may have it, a computer player does."""
        async with self._room.lock:
            if seat >= len(self._room.seating.chairs) or not self._room.free_for_spectators(seat):
                self._turns.plan_offers()
                return
            self._room.offered.add(seat)
            await self._publisher.tell_players()
            if self._room.rated and not self._turns.time_out_ends:  # where a time-out loses, the clock decides
                welcome = any(self._welcome(member, seat) for member in self._room.members)
                self._room.timers.later(f"keep{seat}", self._timeouts.patience if welcome else 0.0, self._keep, seat)

    def _welcome(self, person: str, seat: int) -> bool:
        try:
            self._room.seating.may_take_over(person, seat, True)
            self._check_sitting_in(person, seat)
        except Refused:
            return False
        return not self._room.seating.of(person)

    async def _keep(self, seat: int) -> None:
        """Nobody has sat down there."""
        async with self._room.lock:
            if seat < len(self._room.seating.chairs) and self._room.free_for_spectators(seat) and seat not in self._room.offers.asking:
                await self._substitute(seat)

    async def take_over(self, person: str, seat: int) -> dict[str, Any] | None:
        """Sit down during a game; where ratings are at stake and the seat has a partner, ask that partner first."""
        self._room.seating.chair(seat)
        if self._room.seating.may_take_over(person, seat, self._room.free_for_spectators(seat)) or not self._room.rated:
            await self._give(seat, person)
            return None
        self._check_sitting_in(person, seat)
        if not self._room.partners(seat):
            await self._give(seat, person)
            return None
        self._room.offers.asking[seat] = person
        await self._publisher.tell("ask seat", {"kind": "seat", "seat": seat, "state": "asked", "who": self._publisher.person(person)})
        return {"asked": True}

    def _check_sitting_in(self, person: str, seat: int) -> None:
        """In a rated game: only with an account, from elsewhere than everyone at the table, and while the partner is here to agree."""
        known = self._people.known.get(person)
        if known is None or known.kind != "account":
            raise Refused("account-to-sit-in")
        own = self._room.traces.get(person, set())
        if any(own & self._room.traces.get(other, set()) for other in self._room.seating.known() - {person}):
            raise Refused("too-near")
        if any(self._room.seating.chairs[other].person not in self._room.members for other in self._room.partners(seat)):
            raise Refused("partner-away")

    async def answer_seat(self, person: str, seat: int, yes: bool) -> None:
        """A partner lets someone sit in, or does not."""
        async with self._room.lock:
            mine = self._room.seating.own_first(person, None)
            asker = self._room.offers.asking.get(seat)
            if asker is None or mine not in self._room.partners(seat):
                raise Refused("nothing-offered")
            del self._room.offers.asking[seat]
            told = {"kind": "seat", "seat": seat, "who": self._publisher.person(asker)}
            fits = yes and asker in self._room.members and self._room.free_for_spectators(seat)
            if not fits:
                await self._publisher.tell("answer seat", told | {"state": "withdrawn" if yes else "declined"})
                return
            await self._publisher.tell("answer seat", told | {"state": "accepted"})
            await self._give(seat, asker)

    async def _give(self, seat: int, person: str) -> None:
        """Someone has the seat from now on."""
        self._room.seating.chairs[seat].give_to(person)
        if self._room.offers.asking.pop(seat, person) != person:
            await self._publisher.tell("answer seat", {"kind": "seat", "seat": seat, "state": "withdrawn"})
        self._turns.plan_offers()
        await self._sat_down(seat)
        await self._publisher.tell_players()
        await self._publisher.tell_game(person)

    async def _sat_down(self, seat: int) -> None:
        """Someone holds a chair of the running game now; if a computer player kept it, its clock runs on from where it stood still."""
        await self._saved.save_players()
        if self._room.match is not None and self._room.match.seat == seat:
            self._room.match.start_clock(self._now())
            self._turns.go_on()

    # --- claims ---

    async def claim(self, match: Match, person: str, seat: int) -> None:
        """Without a clock: claim against a seat whose person has been away too long."""
        self._room.seating.own_first(person, None)
        self._room.seating.chair(seat)
        if match.control.kind != "none":
            raise Refused("clock-decides")
        left_at = self._room.left_at(seat)
        if left_at is None or self._now() - left_at < self._timeouts.claim * 1000:
            raise Refused("not-away-long", minutes=round(self._timeouts.claim / 60))
        if len(match.sides()) == 2:
            await self._finisher.end_with(match, match.lost_by(seat, "claim"))
        else:
            await self._substitute(seat)

    # --- after a restart ---

    async def take_up(self) -> None:
        """The server is back: wait for those who were here, and go on."""
        async with self._room.lock:
            expected = self._room.seating.everyone()
            if self._room.playing:
                self._turns.wait_for(expected)
                await self._turns.let_chance_act()
                self._turns.begin_turn()
                await self._turns.next_turn()
            else:
                await self._finisher.recall_ratings()
                await self._seats_changed()
            for person in expected | {self._room.master}:
                self.gone(person, max(self._timeouts.patience, RETURN_SECONDS))
