"""The game in a room: starting, acting, chance, time, computer players."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection

from hanpan.game import State
from hanpan.server.faults import log_fault
from hanpan.server.people.tokens import new_id
from hanpan.server.protocol.messages import Decision, DraftInfo, Offer
from hanpan.server.protocol.refusals import Refused
from hanpan.server.rooms import views
from hanpan.server.rooms.bot_pool import BotPool
from hanpan.server.rooms.chance import Chance
from hanpan.server.rooms.happened import Acted, Begun, Changed, Ended, GoesOn, Happened, News, Show
from hanpan.server.rooms.match import Match
from hanpan.server.rooms.pause import Pause
from hanpan.server.rooms.seats import NOBODY, Seating
from hanpan.server.rooms.state import AGAIN_SECONDS, RETURN_SECONDS, OpenOffers, RoomState
from hanpan.server.storage.models import GameRow


class Turns:
    """Plays the games of one room. `lag` says how many milliseconds someone's messages travel, `ring` is done when a turn's time is up (told its ply),
    `seat_is_free` when a seat has become free for spectators."""

    __slots__ = ("_bots", "_chance", "_lag", "_now", "_pause", "_ring", "_room", "_seat_is_free")

    def __init__(
        self, room: RoomState, pause: Pause, bots: BotPool, chance: Chance, lag: Callable[[str | None], int], now: Callable[[], int],
        ring: Callable[[int], Awaitable[None]], seat_is_free: Callable[[int], Happened],
    ) -> None:  # fmt: skip
        self._room, self._pause, self._bots, self._chance, self._lag, self._now = room, pause, bots, chance, lag, now
        self._ring, self._seat_is_free = ring, seat_is_free

    # --- beginning ---

    def begin(self) -> Begun:
        """All are ready: a new game, and who sits where in it. Nothing is changed yet."""
        room, seating = self._room, Seating.from_json(self._room.seating.json())
        rated = room.settings.rated and seating.rated()
        seating.begin(rated)
        seating.unready()
        private = room.password is not None and not room.settings.listed
        settings, options = room.settings.model_dump(), dict(room.game.options)
        return Begun(GameRow(new_id(12), room.id, room.game.name, options, settings, seating.people(), rated, self._now(), private=private), seating)

    def begun(self, begun: Begun, waiting: bool) -> None:
        """A new game has been stored. With `waiting`, people are still on their way here, and clocks wait for them."""
        room, row = self._room, begun.row
        room.seating, room.match, room.rated = begun.seating, Match(row.id, room.game, room.control, row.started_at), row.rated
        room.moved = room.counted = None
        room.offers, room.offered = OpenOffers(), NOBODY
        room.timers.cancel("ready")
        self._pause.begin()
        self.wait_for({person for person in room.seating.everyone() if person not in room.members} if waiting else ())

    # --- acting ---

    def play(self, person: str, ply: int, action: str, at: int, game_id: str | None) -> Happened:
        """An action of a person's that came in at a moment. The same request twice is answered the same way."""
        match = self._room.last_game()
        if game_id not in (None, match.id):
            raise Refused("game-over")
        if ply < match.ply:
            self._check_same(person, match, ply, action)
            return []
        self.check_turn(person, match, ply)
        lag = self._lag(person)
        if match.clock.overdue(at, lag):
            return [*self.time_is_up(match), Refused("time-up")]
        return [self._action(match, action, match.read(action), at, lag)]

    def check_turn(self, person: str, match: Match, ply: int) -> None:
        """Refuse anything but a request of the seat to act, for now."""
        if not self._room.seating.of(person):
            raise Refused("not-seated")
        if match.result is not None:
            raise Refused("game-over")
        seat = match.seat
        if self._pause.paused:
            raise Refused("between-rounds")
        if seat is None:  # chance could not act: only a fault of ours makes anyone see this
            raise Refused("our-fault")
        if self._room.seating.chairs[seat].person != person:
            raise Refused("not-your-turn", seat=seat + 1)
        match.check_plays(seat)
        if ply != match.ply:
            raise Refused("stale-ply", ply=ply, now=match.ply)

    def _check_same(self, person: str, match: Match, ply: int, action: str) -> None:
        """Refuse unless that very action of this person's is recorded at that ply."""
        played = match.played[ply]
        mine = played.seat is not None and self._room.seating.chairs[played.seat].person == person
        if mine and played.forced:
            raise Refused("has-resigned" if played.seat in match.resigned else "time-up")
        if not mine or played.text != action:
            raise Refused("stale-ply", ply=ply, now=match.ply)

    def _action(self, match: Match, action: str, following: State, at: int, lag: int = 0, forced: bool = False) -> Acted:
        """An action of the seat to act; nothing is changed yet."""
        row, clock = match.timed(action, at, self._now(), following, lag, forced)
        return Acted(match, row, following, clock, views.decision(match))

    def acted(self, acted: Acted) -> Happened:
        """An action has been stored: what the table is told of it beside the position."""
        news = [] if self._room.offers.offer == ("draw", acted.row.seat) else withdrawn(self._room.offers)
        if acted.solves is not None:
            news.append(News("goshi solve", Decision(seat=acted.solves["seat"], ply=acted.solves["ply"], choices=[acted.row.text])))
        return news

    def chance(self, match: Match) -> Acted | None:
        """What chance decides now, if it is to act; nothing is changed yet."""
        if match.result is not None or not match.state.chance or self._pause.paused:
            return None
        return Acted(match, *match.drawn(self._chance, self._now()))

    def let_chance_wait(self, ply: int) -> None:
        """Chance could not act, by our fault: it is to try again in a while."""
        self._room.timers.later("chance", AGAIN_SECONDS, self._chance_again, ply)

    def _chance_again(self, ply: int) -> Happened:
        match = self._room.match
        return [GoesOn(ply)] if match is not None and match.result is None and match.ply == ply and match.state.chance else []

    def draft(self, person: str, ply: int, clicks: list[str]) -> Happened:
        """The steps of an unfinished action, shown live."""
        match = self._room.last_game()
        self.check_turn(person, match, ply)
        match.set_draft(clicks)
        assert match.seat is not None
        return [News("draft", DraftInfo(seat=match.seat, ply=ply, clicks=clicks), skip=(person,))]

    # --- the next turn ---

    def go_on(self) -> None:
        """Set the alarm of the seat to act, or wake its computer player; or look whether everyone is ready for what comes next."""
        self.set_alarm()
        if self._pause.paused:
            self._pause.hold()
        self._room.timers.cancel("bot")
        match = self._room.match
        seat = None if match is None else match.seat
        if match is None or seat is None or seat in match.resigned:
            return
        level = self._room.seating.chairs[seat].acting
        if level is not None and (self._room.members or not self._room.seating.computers_only):  # where nobody looks on, nobody thinks
            self._room.timers.task("bot", 0.0, self._bot_acts, match, match.ply, level, self._now())

    def auto_move(self, person: str, seat: int | None, level: int | None) -> Happened:
        """Let a computer player act for a seat of one's own, or (level None) act oneself again; at any moment of an unrated game."""
        match = self._room.match
        if match is None or match.result is not None:
            raise Refused("no-game")
        mine = self._room.seating.own(person, seat)
        match.check_plays(mine)
        if self._room.rated:
            raise Refused("rated-no-auto")
        self._room.seating.chairs[mine].auto = level
        if match.seat == mine:
            self.go_on()
        return [Changed(), Show.PLAYERS]

    def set_alarm(self, soonest: float = 0.0) -> None:
        """Ring when the seat to act runs out of time. Computer players are not hurried: they would pay for our own slowness."""
        self.plan_offers()
        self._room.timers.cancel("time")
        match = self._room.match
        seat = None if match is None else match.seat
        if match is None or seat is None:
            return
        chair = self._room.seating.chairs[seat]
        if seat in match.resigned:
            self._room.timers.task("time", soonest, self._ring, match.ply)
        elif chair.acting is None:
            deadline = match.clock.deadline(self._lag(chair.person))
            if deadline is not None:
                self._room.timers.task("time", max(soonest, (deadline - self._now()) / 1000), self._ring, match.ply)

    def plan_offers(self) -> None:
        """Say that a seat has become free for spectators, at that moment."""
        for seat, chair in enumerate(self._room.seating.chairs):
            at = None if chair.person in self._room.members else self._room.free_at(seat)
            if at is None:
                self._room.offered = self._room.offered - {seat} or NOBODY
                self._room.timers.cancel(f"free{seat}")
            elif seat not in self._room.offered:
                self._room.timers.later(f"free{seat}", max(0.0, (at - self._now()) / 1000), self._seat_is_free, seat)

    def overdue(self, match: Match, ply: int) -> bool:
        """Whether it still is that turn, and its time is up; if it is not yet, the alarm is set anew."""
        if match.ply != ply or match.seat is None:
            return False
        if match.seat in match.resigned or match.clock.overdue(self._now(), self._lag(self._room.seating.chairs[match.seat].person)):
            return True
        self.set_alarm()
        return False

    @property
    def time_out_ends(self) -> bool:
        """Whether running out of time loses the game here; else an action is played for the seat."""
        return self._room.match is not None and self._room.match.time_out_loses() and self._room.settings.on_timeout == "rules"

    def time_is_up(self, match: Match) -> Happened:
        """What the rules say happens: an action is played for the seat, or it has lost."""
        seat = match.seat
        assert seat is not None
        chair = self._room.seating.chairs[seat]
        chair.missed = chair.missed + 1 if chair.person not in self._room.members else 0
        if self.time_out_ends and seat not in match.resigned:
            return [Ended(match, match.lost_by(seat, "time"))]
        action = self._chance.forced(match.state, match.draft)
        return [self._action(match, action, match.state.play(action), self._now(), forced=True)]

    async def _bot_acts(self, match: Match, ply: int, level: int, since: int) -> None:
        """A computer player's turn: it thinks apart, and answers at a moment drawn beforehand, which tells nothing."""
        seat = match.seat
        if self._room.match is not match or match.ply != ply or seat is None:
            return
        answer_at = asyncio.get_running_loop().time() + self._bots.pause()
        try:
            action = await self._bots.choose(match.view(seat), level, self._room.place, self._room.master)
            await asyncio.sleep(self._bots.rest(answer_at - asyncio.get_running_loop().time()))
            await self._room.timers.do(self._bot_action, match, ply, action, since)
        except Exception as fault:
            log_fault(f"room {self._room.id}, computer player", fault)
            self._room.timers.task("bot", AGAIN_SECONDS, self._bot_acts, match, ply, level, since)

    def _bot_action(self, match: Match, ply: int, action: str, since: int) -> Happened:
        """What a computer player has chosen. A person for whom it acts is charged only until the moment when it was asked to."""
        if self._room.match is not match or match.ply != ply or match.seat is None:
            return []
        chair = self._room.seating.chairs[match.seat]
        if chair.acting is None:
            return []
        return [self._action(match, action, match.state.play(action), self._now() if chair.person is None else since)]

    # --- clocks that wait for someone to come back ---

    def begin_turn(self) -> None:
        """A clock starts when what came before is stored; or a part of the game has ended, and the next one waits."""
        self._pause.hold()
        match = self._room.last_game()
        seat = match.seat
        if seat is None or self._stands_still(seat):
            match.stop_clock()
        else:
            match.restart_clock(self._now())

    def _stands_still(self, seat: int) -> bool:
        """A clock stands still while we wait for its person to come (back), and while a computer player keeps the chair for someone."""
        chair = self._room.seating.chairs[seat]
        return chair.substitute or chair.person in self._room.awaited

    def wait_for(self, people: Collection[str]) -> None:
        """Let nobody's clock run who is on the way here, for a while."""
        self._room.awaited = frozenset(people) or NOBODY
        self._room.timers.cancel("return")
        if people:
            self._room.timers.later("return", RETURN_SECONDS, self._waited_enough)

    def _waited_enough(self) -> Happened:
        self._room.awaited = NOBODY
        return self.start_clock()

    def start_clock(self) -> Happened:
        """The clock of the seat to act runs, if it stood still and its person is not awaited any more."""
        match = self._room.match
        if match is None or match.seat is None or match.clock.since is not None or self._stands_still(match.seat):
            return []
        match.start_clock(self._now())
        self.set_alarm()
        return [Show.CLOCK]


def withdrawn(offers: OpenOffers) -> Happened:
    """A draw or a takeback that is offered is not any more, and everyone is told; nobody has declined it, so it may be offered again."""
    if offers.offer is None:
        return []
    (kind, seat), offers.offer = offers.offer, None
    offers.asked.pop((kind, seat), None)
    return [News(f"answer {kind}", Offer(kind=kind, seat=seat, state="withdrawn"))]
