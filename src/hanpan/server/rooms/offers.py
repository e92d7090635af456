"""What people at a table agree on: resigning, draws, takebacks, a rematch; and beginning anew, where there is nobody to agree with."""

from __future__ import annotations

from collections.abc import Callable

from hanpan.result import Result
from hanpan.server.protocol.refusals import Refused
from hanpan.server.rooms.finish import Finisher
from hanpan.server.rooms.match import Match
from hanpan.server.rooms.presence import Presence
from hanpan.server.rooms.publisher import Publisher
from hanpan.server.rooms.state import RoomState
from hanpan.server.rooms.turns import Turns
from hanpan.server.storage.store import Store


class Offers:
    """Asking and answering in one room."""

    def __init__(
        self, room: RoomState, store: Store, publisher: Publisher, finisher: Finisher, turns: Turns, presence: Presence, now: Callable[[], int]
    ) -> None:
        self._room, self._store, self._publisher, self._finisher = room, store, publisher, finisher
        self._turns, self._presence, self._now = turns, presence, now

    def _game(self) -> Match:
        if self._room.match is None or self._room.match.result is not None:
            raise Refused("no-game")
        return self._room.match

    def _two_seats(self) -> Match:
        match = self._game()
        if len(match.sides()) != 2:
            raise Refused("two-seats-only")
        return match

    async def _tell_offer(self, event: str, kind: str, seat: int, state: str) -> None:
        await self._publisher.tell(event, {"kind": kind, "seat": seat, "state": state})

    # --- resigning ---

    async def resign(self, person: str, seat: int | None) -> None:
        """Two sides: the side loses, with a partner's consent. More: the seat plays on by the clock's rule at once, and finishes last."""
        async with self._room.lock:
            match = self._game()
            if seat is not None and seat not in self._room.seating.of(person):
                await self._presence.claim(match, person, seat)
                return
            mine = self._room.seating.own_first(person, seat)
            if mine in match.resigned:
                return
            self._room.offers.giving_up.add(mine)
            waiting = [other for other in self._room.partners(mine) if other not in self._room.offers.giving_up and self._decides(other) not in (None, person)]
            if not waiting:
                self._room.offers.giving_up.discard(mine)
                await self._presence.give_up(match, mine)
                return
            for other in (mine, *waiting):
                member = self._room.seating.chairs[other].person
                if member is not None:
                    await self._publisher.tell_one(member, "resign", {"kind": "resign", "seat": mine, "state": "asked"})

    def _decides(self, seat: int) -> str | None:
        """Who decides for a seat; None where a computer player or someone who sits in plays: they follow the others in what is not on the board."""
        chair = self._room.seating.chairs[seat]
        return chair.person if chair.person == chair.first else None

    # --- draws ---

    async def offer_draw(self, person: str, seat: int | None) -> None:
        """Offer a draw; if the other has offered one already, it is agreed. Computer players play on."""
        async with self._room.lock:
            match = self._two_seats()
            mine = self._room.seating.own_first(person, seat)
            other = self._decides(1 - mine)
            if self._room.offers.offer == ("draw", 1 - mine) or other == person:
                await self._agree_draw(match, mine)
                return
            await self._tell_offer("offer draw", "draw", mine, "asked")
            if other is None:
                await self._tell_offer("answer draw", "draw", 1 - mine, "declined")
            else:
                self._room.offers.offer = ("draw", mine)

    async def answer_draw(self, person: str, yes: bool) -> None:
        """Accept or decline a draw."""
        async with self._room.lock:
            match = self._two_seats()
            mine = self._answering(person, "draw")
            if yes:
                await self._agree_draw(match, mine)
            else:
                self._room.offers.offer = None
                await self._tell_offer("answer draw", "draw", mine, "declined")

    def _answering(self, person: str, kind: str) -> int:
        """The seat that answers what another one offers."""
        mine = self._room.seating.own_first(person, None)
        if self._room.offers.offer is None or self._room.offers.offer[0] != kind or self._room.offers.offer[1] == mine:
            raise Refused("nothing-offered")
        return mine

    async def _agree_draw(self, match: Match, seat: int) -> None:
        self._room.offers.offer = None
        await self._tell_offer("answer draw", "draw", seat, "accepted")
        await self._finisher.end_with(match, Result([], "agreed"))

    # --- takebacks ---

    async def ask_takeback(self, person: str, seat: int | None) -> None:
        """Ask to take back one's last action in an unrated game; all others must agree. A computer player does at once."""
        async with self._room.lock:
            match = self._game()
            mine = self._room.seating.own_first(person, seat)
            if self._room.rated:
                raise Refused("rated-no-takeback")
            if match.secret:  # what was seen can't be unseen
                raise Refused("secrets-no-takeback")
            if not any(played.seat == mine for played in match.played):
                raise Refused("nothing-to-take-back")
            self._room.offers.offer, self._room.offers.agreed = ("takeback", mine), {person}
            if not await self._taken_back(match, mine):
                await self._tell_offer("ask takeback", "takeback", mine, "asked")

    async def answer_takeback(self, person: str, yes: bool) -> None:
        """Allow or decline a takeback."""
        async with self._room.lock:
            match = self._game()
            mine = self._answering(person, "takeback")
            assert self._room.offers.offer is not None
            if yes:
                self._room.offers.agreed.add(person)
                await self._taken_back(match, self._room.offers.offer[1])
            else:
                self._room.offers.offer = None
                await self._tell_offer("answer takeback", "takeback", mine, "declined")

    async def _taken_back(self, match: Match, asker: int) -> bool:
        """Take back if all who decide something here have agreed."""
        everyone = {self._decides(seat) for seat in range(self._room.game.seats) if seat not in match.resigned} - {None}
        if not everyone <= self._room.offers.agreed:
            return False
        await self._take_back(match, asker)
        return True

    async def _take_back(self, match: Match, asker: int) -> None:
        """Back to before the asker's last action."""
        ply = max(number for number, played in enumerate(match.played) if played.seat == asker)
        clock = match.clock_taken_back(ply, asker, self._now())
        kept = self._room.json() | {"base": [ply, clock.json()]}  # the shorter ledger does not tell what the asker has used: stored with it, or not at all
        if not await self._store.take_back(match.id, ply, match.ply, (self._room.id, kept)):
            await self._finisher.load_again(match)
            raise Refused("stale-ply", ply=ply, now=match.ply)
        match.take_back(ply, clock)
        self._room.offers.offer = None
        await self._tell_offer("answer takeback", "takeback", asker, "accepted")
        await self._publisher.tell_history()
        await self._turns.after_action(ply)

    # --- again ---

    async def restart(self, person: str) -> None:
        """Begin anew, where nobody else plays: this game ends without a winner, and the next begins with the same seats."""
        async with self._room.lock:
            match = self._game()
            if self._room.seating.everyone() != {person}:
                raise Refused("not-alone")
            await self._finisher.end_with(match, Result([], "abandoned"))
            await self._turns.begin()

    async def ask_rematch(self, person: str) -> None:
        """Play again with the seats moved on by one; it starts when everyone at the table wants it."""
        async with self._room.lock:
            self._room.between_games()
            if self._room.match is None or not self._room.seating.of(person):
                raise Refused("not-seated")
            if not self._room.seating.full:
                raise Refused("not-all-here")
            self._room.offers.rematch.add(person)
            if not self._room.seating.everyone() <= self._room.offers.rematch:
                await self._tell_offer("rematch", "rematch", self._room.seating.of(person)[0], "asked")
                return
            await self._tell_offer("rematch", "rematch", self._room.seating.of(person)[0], "accepted")
            self._room.seating.chairs = [*self._room.seating.chairs[1:], self._room.seating.chairs[0]]
            await self._turns.begin()
