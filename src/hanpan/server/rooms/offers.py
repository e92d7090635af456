"""What people at a table agree on: resigning, draws, takebacks, a rematch; and beginning anew, where there is nobody to agree with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from hanpan.result import Result
from hanpan.server.protocol.messages import Offer, OfferKind, OfferState
from hanpan.server.protocol.refusals import Refused
from hanpan.server.rooms.happened import Ended, GoesOn, Happened, News, Next, Show, TakenBack
from hanpan.server.rooms.match import Match
from hanpan.server.rooms.presence import Presence
from hanpan.server.rooms.seats import NOBODY
from hanpan.server.rooms.state import RoomState
from hanpan.server.rooms.turns import withdrawn


class Offers:
    """Asking and answering in one room."""

    __slots__ = ("_now", "_presence", "_room")

    def __init__(self, room: RoomState, presence: Presence, now: Callable[[], int]) -> None:
        self._room, self._presence, self._now = room, presence, now

    def _game(self) -> Match:
        if self._room.match is None or self._room.match.result is not None:
            raise Refused("no-game")
        return self._room.match

    def _two_seats(self) -> Match:
        match = self._game()
        if len(match.sides()) != 2:
            raise Refused("two-seats-only")
        return match

    # --- resigning ---

    def resign(self, person: str, seat: int | None) -> Happened:
        """Two sides: the side loses, with a partner's consent. More: the seat plays on by the clock's rule at once, and finishes last."""
        match = self._game()
        if seat is not None and seat not in self._room.seating.of(person):
            return self._presence.claim(match, person, seat)
        mine = self._room.seating.own_first(person, seat)
        if mine in match.resigned:
            return []
        waiting = self._room.to_agree(mine)
        if not waiting:
            return self._presence.give_up(match, mine)
        if mine not in self._room.offers.giving_up:
            self._ask(match, "resign", mine)
            self._room.offers.giving_up |= {mine}
        return self._to_side("resign", mine, "asked")

    def answer_resign(self, person: str, yes: bool) -> Happened:
        """Resign with one's partner, or play on; whoever has asked may think better of it, too."""
        self._game()
        mine = self._room.seating.own_first(person, None)
        asked = [seat for seat in (mine, *self._room.partners(mine)) if seat in self._room.offers.giving_up]
        if not asked:
            raise Refused("nothing-offered")
        if yes:
            return self.resign(person, mine)
        self._room.offers.giving_up = self._room.offers.giving_up.difference(asked) or NOBODY
        if asked == [mine]:
            self._room.offers.asked.pop(("resign", mine), None)
            return self._to_side("answer resign", mine, "withdrawn")
        return self._to_side("answer resign", mine, "declined")

    def _to_side(self, event: str, seat: int, state: OfferState) -> Happened:
        """What partners ask each other concerns nobody else."""
        told = [self._room.seating.chairs[other].person for other in (seat, *self._room.partners(seat))]
        return [_offer(event, "resign", seat, state, to=member) for member in told if member is not None]

    def _open(self, kind: Literal["draw", "takeback"], seat: int) -> Happened:
        """A seat offers something; what was offered before, if it is not the same, is withdrawn."""
        replaced = [] if self._room.offers.offer == (kind, seat) else withdrawn(self._room.offers)
        self._room.offers.offer = (kind, seat)
        return replaced

    # --- draws ---

    def offer_draw(self, person: str, seat: int | None) -> Happened:
        """Offer a draw; if the other has offered one already, it is agreed. Computer players play on."""
        match = self._two_seats()
        mine = self._room.seating.own_first(person, seat)
        other = self._room.decides(1 - mine)
        if self._room.offers.offer == ("draw", 1 - mine) or other == person:
            return self._agree_draw(match, mine)
        self._ask(match, "draw", mine)
        if other is None:
            return [_offer("offer draw", "draw", mine, "asked"), _offer("answer draw", "draw", 1 - mine, "declined")]
        return [*self._open("draw", mine), _offer("offer draw", "draw", mine, "asked")]

    def _ask(self, match: Match, kind: str, seat: int) -> None:
        """A seat asks for the same again only once it has acted again: nobody has to decline without end."""
        asked = self._room.offers.asked.get((kind, seat))
        if asked is not None and not any(match.played[ply].seat == seat for ply in range(asked, match.ply)):
            raise Refused("asked-already")
        self._room.offers.asked[kind, seat] = match.ply

    def answer_draw(self, person: str, yes: bool) -> Happened:
        """Accept or decline a draw."""
        match = self._two_seats()
        mine = self._answering(person, "draw")
        if yes:
            return self._agree_draw(match, mine)
        self._room.offers.offer = None
        return [_offer("answer draw", "draw", mine, "declined")]

    def _answering(self, person: str, kind: str) -> int:
        """The seat that answers what another one offers."""
        mine = self._room.seating.own_first(person, None)
        if self._room.offers.offer is None or self._room.offers.offer[0] != kind or self._room.offers.offer[1] == mine:
            raise Refused("nothing-offered")
        return mine

    def _agree_draw(self, match: Match, seat: int) -> Happened:
        self._room.offers.offer = None
        return [Ended(match, Result([], "agreed"), (_offer("answer draw", "draw", seat, "accepted"),))]

    # --- takebacks ---

    def ask_takeback(self, person: str, seat: int | None) -> Happened:
        """Ask to take back one's last action in an unrated game; all others must agree. A computer player does at once."""
        match = self._game()
        mine = self._room.seating.own_first(person, seat)
        match.check_plays(mine)
        if self._room.rated:
            raise Refused("rated-no-takeback")
        if match.secret:  # what was seen can't be unseen
            raise Refused("secrets-no-takeback")
        if not any(played.seat == mine for played in match.played):
            raise Refused("nothing-to-take-back")
        self._ask(match, "takeback", mine)
        replaced = self._open("takeback", mine)
        self._room.offers.agreed = frozenset({person})
        return [*replaced, *(self._taken_back(match, mine) or [_offer("ask takeback", "takeback", mine, "asked")])]

    def answer_takeback(self, person: str, yes: bool) -> Happened:
        """Allow or decline a takeback."""
        match = self._game()
        mine = self._answering(person, "takeback")
        match.check_plays(mine)
        assert self._room.offers.offer is not None
        if yes:
            self._room.offers.agreed |= {person}
            return self._taken_back(match, self._room.offers.offer[1])
        self._room.offers.offer = None
        return [_offer("answer takeback", "takeback", mine, "declined")]

    def _taken_back(self, match: Match, asker: int) -> Happened:
        """Back to before the asker's last action, if all who decide something here have agreed."""
        everyone = {self._room.decides(seat) for seat in range(self._room.game.seats) if seat not in match.resigned} - {None}
        if not everyone <= self._room.offers.agreed:
            return []
        ply = max(number for number, played in enumerate(match.played) if played.seat == asker)
        clock = match.clock_taken_back(ply, asker, self._now())
        asked = self._room.offers.asked.items()
        self._room.offers.asked = {key: min(at, ply) for key, at in asked if key != ("takeback", asker)}  # what was allowed may go on
        return [TakenBack(match, ply, clock), _offer("answer takeback", "takeback", asker, "accepted"), Show.HISTORY, GoesOn(ply)]

    # --- again ---

    def restart(self, person: str) -> Happened:
        """Begin anew, where nobody else plays: this game ends without a winner, and the next begins with the same seats."""
        match = self._game()
        if self._room.seating.everyone() != {person}:
            raise Refused("not-alone")
        return [Ended(match, Result([], "abandoned")), Next.BEGIN]

    def ask_rematch(self, person: str) -> Happened:
        """Play again with the seats moved on by one; it starts when everyone at the table wants it."""
        self._room.between_games()
        if self._room.match is None or not self._room.seating.of(person):
            raise Refused("not-seated")
        if not self._room.seating.full:
            raise Refused("not-all-here")
        self._room.offers.rematch |= {person}
        seat = self._room.seating.of(person)[0]
        if not self._room.seating.everyone() <= self._room.offers.rematch:
            return [_offer("rematch", "rematch", seat, "asked")]
        self._room.seating.chairs = [*self._room.seating.chairs[1:], self._room.seating.chairs[0]]
        return [_offer("rematch", "rematch", seat, "accepted"), Next.BEGIN]


def _offer(event: str, kind: OfferKind, seat: int, state: OfferState, to: str | None = None) -> News:
    return News(event, Offer(kind=kind, seat=seat, state=state), to)
