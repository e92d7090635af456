"""People who drop out of a game and come back, who plays on for them, and what happens to a room that its server left."""

from __future__ import annotations

from typing import Any

from hanpan.result import Result
from hanpan.server.protocol.refusals import Refused
from hanpan.server.rooms.match import Match
from hanpan.server.rooms.play import RETURN_SECONDS, GamePlay


class Absence(GamePlay):
    """The part of a room that deals with people who are not there."""

    # --- going ---

    def gone(self, person: str, patience: float) -> None:
        """Someone has gone: after a while their chairs are not kept any more, or a computer player keeps them."""
        for seat in self.seating.of(person):
            if self.playing:
                self.seating.chairs[seat].left_at = self.context.now()
            self.later(f"gone{seat}", patience, self._still_gone, person, seat)
        if person == self.master:
            self.later("master", patience, self._hand_over_later)
        if not self.members:
            self.later("empty", patience, self.vanish)
        if self.playing and not self.alive:
            self.later("abandoned", self.context.timeouts.abandoned, self._abandon)
        self.plan_offers()

    async def _still_gone(self, person: str, seat: int) -> None:
        async with self.lock:
            chair = self.seating.chairs[seat] if seat < len(self.seating.chairs) else None
            if chair is None or chair.person != person or person in self.members:
                return
            if not self.playing:
                self.seating.stand(seat)
                await self.seats_changed()
            elif self.match is not None and self.match.leaving_resigns() and chair.first == person:
                if self.left_at(seat) is not None and self.others_here(seat):  # else nobody is here to win it: it waits for whoever comes back first
                    await self.give_up(self.match, seat)
            elif self.settings.substitute:
                await self._substitute(seat)

    async def depart(self, person: str) -> None:
        """Someone leaves by will: where leaving is resigning, at once."""
        async with self.lock:
            match, seats = self.match, [seat for seat in self.seating.of(person) if self.seating.chairs[seat].first == person]
            if match is None or match.result is not None or not match.leaving_resigns() or not seats:
                return
            if len(seats) == len(self.seating.chairs):  # both sides at one screen
                await self.abandon()
            elif seats[0] not in match.resigned:
                await self.give_up(match, seats[0])

    async def give_up(self, match: Match, seat: int) -> None:
        """A seat resigns: of two sides, its own loses; of more, the seat plays on by the clock's rule at once, and finishes last."""
        if len(set(match.sides())) == 2:
            await self.end_with(match, match.lost_by(seat, "resigned"))
            return
        match.resigned.add(seat)
        stayed = [other for other in range(self.game.seats) if other not in match.resigned]
        if len(stayed) == 1:
            await self.end_with(match, Result(stayed, "resigned", tuple(sorted(match.resigned))))
            return
        await self.save()
        await self.tell("resign", {"kind": "resign", "seat": seat, "state": "accepted"})
        await self.tell_players()
        self.go_on()

    async def _substitute(self, seat: int) -> None:
        """A computer player about as good as the leaver keeps the chair."""
        chair = self.seating.chairs[seat]
        assert chair.person is not None
        chair.give_to_bot(self.context.bots.level_near(await self.context.people.rating(chair.person, self.game.name)))
        if self.match is not None and self.match.seat == seat:
            self.match.pause_clock(self.context.now())
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
            if not self.alive:
                await self.abandon()

    async def abandon(self) -> None:
        """A game that is played here ends without a result."""
        if self.match is not None and self.match.result is None:
            await self.end_with(self.match, Result([], "abandoned"))

    # --- coming back ---

    async def come_back(self, person: str) -> None:
        """Someone is here again: their chairs are theirs, and their clock runs."""
        for seat, chair in enumerate(self.seating.chairs):
            if chair.person == person:
                chair.left_at, chair.missed = None, 0
            elif chair.substitute and chair.first == person:
                chair.give_to(person)
                await self._sat_down(seat)
            elif self.left_at(seat) is not None and chair.person is not None and not self.planned(f"gone{seat}"):
                self.later(f"gone{seat}", 0.0, self._still_gone, chair.person, seat)  # they are gone, and now someone is here to win
        self.awaited.discard(person)
        await self.start_clock()
        if self.playing and len(self.members) == 1:
            self.go_on()

    # --- sitting in for someone ---

    async def seat_is_free(self, seat: int) -> None:
        """Offer a seat that has become free to those present. Where ratings are at stake and none of them may have it, a computer player does."""
        async with self.lock:
            if seat >= len(self.seating.chairs) or not self.free_for_spectators(seat):
                self.plan_offers()
                return
            self.offered.add(seat)
            await self.tell_players()
            if self.rated and not self.time_out_ends:  # where a time-out loses, the clock decides
                welcome = any(self._welcome(member, seat) for member in self.members)
                self.later(f"keep{seat}", self.context.timeouts.patience if welcome else 0.0, self._keep, seat)

    def _welcome(self, person: str, seat: int) -> bool:
        try:
            self.seating.may_take_over(person, seat, True)
            self._check_sitting_in(person, seat)
        except Refused:
            return False
        return not self.seating.of(person)

    async def _keep(self, seat: int) -> None:
        """Nobody has sat down there."""
        async with self.lock:
            if seat < len(self.seating.chairs) and self.free_for_spectators(seat) and seat not in self.asking:
                await self._substitute(seat)

    async def take_over(self, person: str, seat: int) -> dict[str, Any] | None:
        """Sit down during a game; where ratings are at stake and the seat has a partner, ask that partner first."""
        self.seating.chair(seat)
        if self.seating.may_take_over(person, seat, self.free_for_spectators(seat)) or not self.rated:
            await self._give(seat, person)
            return None
        self._check_sitting_in(person, seat)
        if not self.partners(seat):
            await self._give(seat, person)
            return None
        self.asking[seat] = person
        await self.tell("ask seat", {"kind": "seat", "seat": seat, "state": "asked", "who": self.person(person)})
        return {"asked": True}

    def _check_sitting_in(self, person: str, seat: int) -> None:
        """In a rated game: only with an account, from elsewhere than everyone at the table, and while the partner is here to agree."""
        known = self.context.people.known.get(person)
        if known is None or known.kind != "account":
            raise Refused("account-to-sit-in")
        own = self.traces.get(person, set())
        if any(own & self.traces.get(other, set()) for other in self.seating.known() - {person}):
            raise Refused("too-near")
        if any(self.seating.chairs[other].person not in self.members for other in self.partners(seat)):
            raise Refused("partner-away")

    def partners(self, seat: int) -> list[int]:
        """The other seats of that seat's side."""
        sides = self.match.sides() if self.match is not None else []
        return [other for other, side in enumerate(sides) if side == sides[seat] and other != seat]

    async def answer_seat(self, person: str, seat: int, yes: bool) -> None:
        """A partner lets someone sit in, or does not."""
        async with self.lock:
            mine = self.seating.own_first(person, None)
            asker = self.asking.get(seat)
            if asker is None or mine not in self.partners(seat):
                raise Refused("nothing-offered")
            del self.asking[seat]
            told = {"kind": "seat", "seat": seat, "who": self.person(asker)}
            fits = yes and asker in self.members and self.free_for_spectators(seat)
            if not fits:
                await self.tell("answer seat", told | {"state": "withdrawn" if yes else "declined"})
                return
            await self.tell("answer seat", told | {"state": "accepted"})
            await self._give(seat, asker)

    async def _give(self, seat: int, person: str) -> None:
        """Someone has the seat from now on."""
        self.seating.chairs[seat].give_to(person)
        if self.asking.pop(seat, person) != person:
            await self.tell("answer seat", {"kind": "seat", "seat": seat, "state": "withdrawn"})
        self.plan_offers()
        await self._sat_down(seat)
        await self.tell_players()
        await self.tell_game(person)

    async def _sat_down(self, seat: int) -> None:
        """Someone holds a chair of the running game now; if a computer player kept it, its clock runs on from where it stood still."""
        await self.save_players()
        if self.match is not None and self.match.seat == seat:
            self.match.start_clock(self.context.now())
            self.go_on()

    # --- claims ---

    async def claim(self, match: Match, person: str, seat: int) -> None:
        """Without a clock: claim against a seat whose person has been away too long."""
        self.seating.own_first(person, None)
        self.seating.chair(seat)
        if match.control.kind != "none":
            raise Refused("clock-decides")
        left_at = self.left_at(seat)
        if left_at is None or self.context.now() - left_at < self.context.timeouts.claim * 1000:
            raise Refused("not-away-long", minutes=round(self.context.timeouts.claim / 60))
        if len(match.sides()) == 2:
            await self.end_with(match, match.lost_by(seat, "claim"))
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
                self.gone(person, max(self.context.timeouts.patience, RETURN_SECONDS))
