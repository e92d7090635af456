"""People who drop out of a game and come back, and who plays on for them."""

from __future__ import annotations

from collections.abc import Callable

from hanpan.result import Result
from hanpan.server.people.identity import People
from hanpan.server.protocol.messages import Offer, OfferState
from hanpan.server.protocol.refusals import Refused
from hanpan.server.rooms.bot_pool import BotPool
from hanpan.server.rooms.context import Timeouts
from hanpan.server.rooms.finish import Finisher
from hanpan.server.rooms.happened import Changed, Ended, Happened, News, Show, ShowGame, ShownOut
from hanpan.server.rooms.match import Match
from hanpan.server.rooms.seats import NOBODY
from hanpan.server.rooms.state import RETURN_SECONDS, RoomState
from hanpan.server.rooms.turns import Turns, withdrawn


class Presence:
    """Deals with people who are not there. `seats_changed` is what comes of it when a chair is empty between games."""

    __slots__ = ("_bots", "_finisher", "_now", "_people", "_room", "_seats_changed", "_timeouts", "_turns")

    def __init__(
        self, room: RoomState, finisher: Finisher, turns: Turns, people: People, bots: BotPool,
        timeouts: Timeouts, now: Callable[[], int], seats_changed: Callable[[], Happened],
    ) -> None:  # fmt: skip
        self._room, self._finisher, self._turns = room, finisher, turns
        self._people, self._bots, self._timeouts, self._now, self._seats_changed = people, bots, timeouts, now, seats_changed

    # --- going ---

    def gone(self, person: str, patience: float) -> None:
        """Someone has gone: after a while their chairs are not kept any more, or a computer player keeps them. An empty room disappears, and a game that
        nobody is left of ends."""
        seats = self._room.seating.of(person)
        for seat in seats if self._room.playing else ():
            self._room.seating.chairs[seat].left_at = self._now()
        if seats:
            self._room.timers.later(f"gone {person}", patience, self._still_gone, person)
        if person == self._room.master:
            self._room.timers.later("master", patience, self.hand_over)
        if not self._room.members:
            self._room.timers.later("empty", patience, self._finisher.vanish)
        if self._room.playing and not self._room.alive:
            self._room.timers.later("abandoned", self._timeouts.abandoned, self._finisher.all_left)
        self._turns.plan_offers()

    def _still_gone(self, person: str) -> Happened:
        """The chairs that they have by now: they may have been moved to others meanwhile."""
        seats = self._room.seating.of(person)
        if not seats or person in self._room.members:
            return []
        if self._room.playing:
            return [fact for seat in seats for fact in self._left_for_good(person, seat)]
        for seat in seats:
            self._room.seating.stand(seat)
        return self._seats_changed()

    def _left_for_good(self, person: str, seat: int) -> Happened:
        if self._room.match is not None and self._room.match.leaving_resigns() and self._room.seating.chairs[seat].first == person:
            if self._room.left_at(seat) is not None and self._room.others_here(seat):  # else nobody is here to win it: it waits for who comes back first
                return self.give_up(self._room.match, seat)
        elif self._room.settings.substitute:
            return self._substitute(seat)
        return []

    def missed(self) -> None:
        """A game begins: whoever should play it and is not here is away from now on, be it on their way or gone since they were ready."""
        for person in self._room.seating.everyone() - self._room.members.keys():
            self.gone(person, max(self._timeouts.patience, RETURN_SECONDS) if person in self._room.awaited else self._timeouts.patience)

    def depart(self, person: str) -> Happened:
        """Someone leaves by will: where leaving is resigning, at once."""
        match, seats = self._room.match, [seat for seat in self._room.seating.of(person) if self._room.seating.chairs[seat].first == person]
        if match is None or match.result is not None or not match.leaving_resigns() or not seats:
            return []
        if len(seats) == len(self._room.seating.chairs):  # both sides at one screen
            return self._finisher.abandon()
        return [] if seats[0] in match.resigned else self.give_up(match, seats[0])

    def give_all_up(self, person: str) -> Happened:
        """Someone leaves for good: they resign. A seat whose partner would have to agree, or that they only sat in on, goes to a computer player; between games
        they stand up."""
        match, chairs, held = self._room.match, self._room.seating.chairs, self._room.seating.of(person)
        if match is None or match.result is not None:
            for seat in held:
                self._room.seating.stand(seat)
            return self._seats_changed() if held else []
        own = [seat for seat, chair in enumerate(chairs) if chair.first == person]
        if len(own) == len(chairs):  # both sides at one screen
            return self._finisher.abandon()
        if own and own[0] not in match.resigned and not self._room.to_agree(own[0]):
            return self.give_up(match, own[0])
        return [fact for seat in held if seat not in match.resigned for fact in self._substitute(seat)]

    def give_up(self, match: Match, seat: int) -> Happened:
        """A seat resigns: of two sides, its own loses; of more, the seat plays on by the clock's rule at once, and finishes last."""
        if len(set(match.sides())) == 2:
            return [Ended(match, match.lost_by(seat, "resigned"))]
        match.resigned |= {seat}
        stayed = [other for other in range(self._room.game.seats) if other not in match.resigned]
        if len(stayed) == 1:
            return [Ended(match, Result(stayed, "resigned", tuple(sorted(match.resigned))))]
        self._turns.go_on()
        return [Changed(), *withdrawn(self._room.offers), News("resign", Offer(kind="resign", seat=seat, state="accepted")), Show.PLAYERS]

    def _substitute(self, seat: int) -> Happened:
        """A computer player about as good as the leaver keeps the chair."""
        chair = self._room.seating.chairs[seat]
        assert chair.person is not None
        chair.give_to_bot(self._bots.level_near(self._people.rating_known(chair.person, self._room.game.name)))
        if self._room.match is not None and self._room.match.seat == seat:
            self._room.match.pause_clock(self._now())
        self._turns.go_on()
        return [Changed(players=True), *self._not_free(seat), Show.PLAYERS]

    def show_out_spectators(self) -> Happened:
        """Where spectators are not welcome, a game is only for those who play it."""
        happened: Happened = []
        for member in list(self._room.members):
            if not self._room.settings.spectators and not self._room.seating.of(member) and member not in self._room.overseers:
                del self._room.members[member]
                self.gone(member, 0.0)
                happened += [ShownOut(member, Refused("no-spectators")), News("user left", self._people.person_info(member, self._room.game.name))]
        return happened

    def hand_over(self) -> Happened:
        """When the master has left, whoever is here longest becomes master."""
        if self._room.master in self._room.members or not self._room.members:
            return []
        self._room.timers.cancel("master")
        self._room.master = next(iter(self._room.members))
        return [Changed(), Show.ROOM]

    # --- coming back ---

    def come_back(self, person: str) -> Happened:
        """Someone is here again: their chairs are theirs, and their clock runs."""
        happened: Happened = []
        first = self._room.seating.everyone() & self._room.members.keys() == {person}
        for seat, chair in enumerate(self._room.seating.chairs):
            if chair.person == person:
                chair.left_at, chair.missed = None, 0
                happened += self._not_free(seat)
            elif chair.substitute and chair.first == person:
                chair.give_to(person)
                happened += self._sat_down(seat)
            elif first and chair.person is not None and self._room.left_at(seat) is not None:
                self._wait_again(chair.person, seat)
        self._room.awaited = self._room.awaited - {person} or NOBODY
        happened += self._turns.start_clock()
        if self._room.playing and len(self._room.members) == 1:
            self._turns.go_on()
        return happened

    def _wait_again(self, person: str, seat: int) -> None:
        """All were gone and the first is back: where leaving is resigning there is someone to win now, so whoever is still away has the whole patience anew."""
        if self._room.match is not None and self._room.match.leaving_resigns():
            self._room.seating.chairs[seat].left_at = self._now()
            patience = max(self._timeouts.patience, self._room.timers.left(f"gone {person}"))
            self._room.timers.later(f"gone {person}", patience, self._still_gone, person)

    # --- sitting in for someone ---

    def seat_is_free(self, seat: int) -> Happened:
        """Offer a seat that has become free to those present. Where ratings are at stake and none of them may have it, a computer player does."""
        if seat >= len(self._room.seating.chairs) or not self._room.free_for_spectators(seat):
            self._turns.plan_offers()
            return []
        self._room.offered |= {seat}
        if self._room.rated and not self._turns.time_out_ends:  # where a time-out loses, the clock decides
            welcome = any(self._welcome(member, seat) for member in self._room.members)
            self._keep_in(self._timeouts.patience if welcome else 0.0, seat)
        return [Show.PLAYERS]

    def _keep_in(self, seconds: float, seat: int) -> None:
        self._room.timers.later(f"keep{seat}", seconds, self._keep, seat)

    def _welcome(self, person: str, seat: int) -> bool:
        try:
            self._room.seating.may_take_over(person, seat, True)
            self._check_sitting_in(person, seat)
        except Refused:
            return False
        return not self._room.seating.of(person)

    def _keep(self, seat: int) -> Happened:
        """Nobody has sat down there: a computer player does, unless the seat's partner is being asked whether someone who is here may."""
        if seat >= len(self._room.seating.chairs) or not self._room.free_for_spectators(seat):
            return []
        asker = self._room.offers.asking.get(seat)
        if asker is None:
            return self._substitute(seat)
        partners = {self._room.seating.chairs[other].person for other in self._room.partners(seat)}
        if {asker, *partners} <= self._room.members.keys():
            self._keep_in(self._timeouts.patience, seat)  # the answer may be no, or none
            return []
        return self._substitute(seat)

    def _not_free(self, seat: int) -> Happened:
        """Someone has the seat without having asked for it: whoever has asked has to wait for no answer, nor the partner to give one."""
        asker = self._room.offers.asking.pop(seat, None)
        return [] if asker is None else [self._asks("answer seat", seat, asker, "withdrawn")]

    def take_over(self, person: str, seat: int) -> Happened:
        """Sit down during a game; where ratings are at stake and the seat has a partner, ask that partner first."""
        self._room.seating.chair(seat)
        if self._room.seating.may_take_over(person, seat, self._room.free_for_spectators(seat)) or not self._room.rated:
            return self._give(seat, person)
        self._check_sitting_in(person, seat)
        if not self._room.partners(seat):
            return self._give(seat, person)
        self._room.offers.asking[seat] = person
        return [self._asks("ask seat", seat, person, "asked")]

    def _asks(self, event: str, seat: int, asker: str, state: OfferState) -> News:
        return News(event, Offer(kind="seat", seat=seat, state=state, who=self._people.person_info(asker, self._room.game.name)))

    def _check_sitting_in(self, person: str, seat: int) -> None:
        """In a rated game: only with an account, from elsewhere than everyone at the table, and while the partner is here to agree."""
        known = self._people.known.get(person)
        if known is None or known.kind != "account":
            raise Refused("account-to-sit-in")
        own = set(self._room.traces.get(person, ()))
        if any(own.intersection(self._room.traces.get(other, ())) for other in self._room.seating.known() - {person}):
            raise Refused("too-near")
        if any(self._room.seating.chairs[other].person not in self._room.members for other in self._room.partners(seat)):
            raise Refused("partner-away")

    def answer_seat(self, person: str, seat: int, yes: bool) -> Happened:
        """A partner lets someone sit in, or does not."""
        mine = self._room.seating.own_first(person, None)
        asker = self._room.offers.asking.get(seat)
        if asker is None or mine not in self._room.partners(seat):
            raise Refused("nothing-offered")
        del self._room.offers.asking[seat]
        if not yes:
            return [self._asks("answer seat", seat, asker, "declined")]
        if asker not in self._room.members or not self._room.free_for_spectators(seat):
            return [self._asks("answer seat", seat, asker, "withdrawn")]
        return self._give(seat, asker, [self._asks("answer seat", seat, asker, "accepted")])

    def _give(self, seat: int, person: str, news: Happened | None = None) -> Happened:
        """Someone has the seat from now on; `news` says why."""
        self._room.seating.chairs[seat].give_to(person)
        news = news or []
        if self._room.offers.asking.pop(seat, person) != person:
            news.append(News("answer seat", Offer(kind="seat", seat=seat, state="withdrawn")))
        self._turns.plan_offers()
        return [*self._sat_down(seat), *news, Show.PLAYERS, ShowGame(person)]

    def _sat_down(self, seat: int) -> Happened:
        """Someone holds a chair of the running game now; if a computer player kept it, its clock runs on from where it stood still."""
        if self._room.match is not None and self._room.match.seat == seat:
            self._room.match.start_clock(self._now())
            self._turns.go_on()
        return [Changed(players=True)]

    # --- claims ---

    def claim(self, match: Match, person: str, seat: int) -> Happened:
        """Without a clock: claim against a seat whose person has been away too long."""
        match.check_plays(self._room.seating.own_first(person, None))
        self._room.seating.chair(seat)
        if match.control.kind != "none":
            raise Refused("clock-decides")
        left_at = self._room.left_at(seat)
        if left_at is None or self._now() - left_at < self._timeouts.claim * 1000:
            raise Refused("not-away-long", minutes=round(self._timeouts.claim / 60))
        if len(match.sides()) == 2:
            return [Ended(match, match.lost_by(seat, "claim"))]
        return self._substitute(seat)
