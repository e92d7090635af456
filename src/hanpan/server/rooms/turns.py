"""The game in a room: starting, acting, chance, time, computer players."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from hanpan.game import State
from hanpan.server.faults import log_fault
from hanpan.server.people.tokens import new_id
from hanpan.server.protocol.messages import Decision, DraftInfo, Offer, Recorded
from hanpan.server.protocol.refusals import Refused
from hanpan.server.rooms import views
from hanpan.server.rooms.bot_pool import BotPool
from hanpan.server.rooms.chance import Chance
from hanpan.server.rooms.clock import Clock
from hanpan.server.rooms.finish import Finisher
from hanpan.server.rooms.happened import Changed, GoesOn, Happened, News, Show
from hanpan.server.rooms.match import Match
from hanpan.server.rooms.outbox import Outbox
from hanpan.server.rooms.pause import Pause
from hanpan.server.rooms.publisher import Publisher
from hanpan.server.rooms.saving import Saving
from hanpan.server.rooms.state import AGAIN_SECONDS, RETURN_SECONDS, OpenOffers, RoomState
from hanpan.server.storage.models import ActionRow, GameRow
from hanpan.server.storage.store import Store


class Turns:
    """Plays the games of one room. `seat_is_free` is done when a seat has become free for spectators, `acted` told how many seconds an action took."""

    def __init__(
        self, room: RoomState, store: Store, saved: Saving, publisher: Publisher, outbox: Outbox, finisher: Finisher, pause: Pause,
        bots: BotPool, chance: Chance, now: Callable[[], int], acted: Callable[[float], None], seat_is_free: Callable[[int], Happened],
    ) -> None:  # fmt: skip
        self._room, self._store, self._saved, self._publisher, self._outbox = room, store, saved, publisher, outbox
        self._finisher, self._pause, self._bots, self._chance = finisher, pause, bots, chance
        self._now, self._acted, self._seat_is_free = now, acted, seat_is_free

    # --- beginning ---

    async def begin(self, waiting: bool = False) -> None:
        """All are ready: a new game. With `waiting`, people are still on their way here, and clocks wait for them."""
        now = self._now()
        rated = self._room.settings.rated and self._room.seating.rated()
        before = self._room.seating.json()
        self._room.seating.begin(rated)
        self._room.seating.unready()
        people, id = self._room.seating.people(), new_id(12)
        try:
            private = self._room.password is not None and not self._room.settings.listed
            settings, options = self._room.settings.model_dump(), dict(self._room.game.options)
            await self._store.add_game(GameRow(id, self._room.id, self._room.game.name, options, settings, people, rated, now, private=private))
        except Exception:
            self._room.seating = type(self._room.seating).from_json(before)
            raise
        self._room.match, self._room.rated = Match(id, self._room.game, self._room.control, now), rated
        self._room.moved = self._room.counted = None
        self._room.offers, self._room.offered = OpenOffers(), set()
        self._room.timers.cancel("ready")
        self._pause.begin()
        self.wait_for({person for person in self._room.seating.everyone() if person not in self._room.members} if waiting else set())
        await self.let_chance_act()
        self.begin_turn()
        try:
            await self._saved.save()
            await self._show_out_spectators()
            await self._publisher.tell_room("room updated")
            await self._publisher.tell_players()
            for member in list(self._room.members):
                await self._publisher.tell_game(member)
        except Exception as fault:  # the game is there; whoever was not told asks again
            log_fault(f"room {self._room.id}, beginning", fault)
        await self.next_turn()

    async def _show_out_spectators(self) -> None:
        """Where spectators are not welcome, a game is only for those who play it."""
        for member in list(self._room.members):
            if not self._room.settings.spectators and not self._room.seating.of(member):
                del self._room.members[member]
                await self._outbox.show_out(self._room.id, member, Refused("no-spectators"))
                await self._publisher.tell("user left", self._publisher.person(member))

    # --- acting ---

    async def play(self, person: str, ply: int, action: str, game_id: str | None = None) -> Recorded:
        """An action of a person's: checked, stored, and only then told. The same request twice is answered the same way."""
        at, began = self._now(), time.perf_counter()
        async with self._room.lock:
            match = self._room.last_game()
            if game_id not in (None, match.id):
                raise Refused("game-over")
            if ply < match.ply:
                self._same_request(person, match, ply, action)
                return Recorded(ply=ply)
            self.check_turn(person, match, ply)
            lag = self._outbox.lag(person)
            try:
                if match.clock.overdue(at, lag):
                    await self._time_is_up(match)
                    raise Refused("time-up")
                await self._record(match, action, match.read(action), at, lag)
            except Refused:
                raise
            except Exception as fault:
                await self._not_charged(match, fault)
                raise Refused("our-fault") from None
            await self.after_action(ply)
            self._acted(time.perf_counter() - began)
            return Recorded(ply=ply)

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
        if ply != match.ply:
            raise Refused("stale-ply", ply=ply, now=match.ply)

    def _same_request(self, person: str, match: Match, ply: int, action: str) -> None:
        """Refuse unless that very action of this person's is recorded at that ply."""
        played = match.played[ply]
        mine = played.seat is not None and self._room.seating.chairs[played.seat].person == person
        if not mine or played.text != action or played.forced:
            raise Refused("stale-ply", ply=ply, now=match.ply)

    async def _record(self, match: Match, action: str, following: State, at: int, lag: int = 0, forced: bool = False) -> None:
        """Append an action of the seat to act."""
        decision = views.decision(match)
        played, clock = match.timed(action, at, self._now(), following, lag, forced)
        await self._append(match, played, following, clock)
        if self._room.offers.offer is not None and (self._room.offers.offer[0] != "draw" or self._room.offers.offer[1] != played.seat):
            kind, seat = self._room.offers.offer
            self._room.offers.offer = None
            await self._publisher.tell("answer draw" if kind == "draw" else "answer takeback", Offer(kind=kind, seat=seat, state="withdrawn"))
        if decision is not None:
            await self._publisher.tell("goshi solve", Decision(seat=decision["seat"], ply=decision["ply"], choices=[action]))

    async def _append(self, match: Match, played: ActionRow, following: State, clock: Clock) -> None:
        """Store an action, with the end if it is one; then it counts."""
        result = match.judged(following) if following.over else None
        finish = None if result is None else await self._finisher.finish(match, result, following.scores)
        if not await self._store.append(match.id, match.ply, played, finish):
            await self._finisher.load_again(match)
            raise Refused("stale-ply", ply=match.ply, now=self._room.match.ply if self._room.match is not None else 0)
        match.put(played, following, clock)
        if result is not None and finish is not None:
            self._finisher.end(match, result, finish)

    async def let_chance_act(self) -> None:
        """Draw and store what chance decides, until a seat can act or a part of the game has ended; a fault of ours makes everyone wait, but charges nobody."""
        match = self._room.match
        assert match is not None
        try:
            while match.result is None and match.state.chance and not self._pause.paused:
                await self._append(match, *match.drawn(self._chance, self._now()))
        except Exception as fault:
            log_fault(f"room {self._room.id}, chance", fault)
            self._room.timers.later("chance", AGAIN_SECONDS, self._chance_again, match.ply)
        self._pause.hold()

    def _chance_again(self, ply: int) -> Happened:
        match = self._room.match
        return [GoesOn(ply)] if match is not None and match.result is None and match.ply == ply and match.state.chance else []

    async def after_action(self, since: int) -> None:
        """Chance's part, the news, and the next turn or the end. The action is stored: nothing that goes wrong here may undo that."""
        await self.let_chance_act()
        match = self._room.match
        assert match is not None
        self.begin_turn()
        try:
            await self._publisher.tell_position(since)
        except Exception as fault:
            log_fault(f"room {self._room.id}, telling", fault)
        await self.next_turn()

    async def next_turn(self) -> None:
        """The next turn; or the end, which chance alone can bring as well."""
        if self._room.match is not None and self._room.match.result is not None:
            await self._finisher.ended()
        else:
            self.go_on()

    async def _not_charged(self, match: Match, fault: Exception) -> None:
        """A fault of ours: the turn begins anew."""
        log_fault(f"room {self._room.id}, game {match.id}, ply {match.ply}", fault)
        if match.result is None:
            self.begin_turn()
            self.set_alarm()
            await self._publisher.tell_clock()

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
        if match is None or match.seat is None or match.seat in match.resigned:
            return
        level = self._room.seating.chairs[match.seat].acting
        if level is not None and (self._room.members or not self._room.seating.computers_only):  # where nobody looks on, nobody thinks
            self._room.timers.task("bot", 0.0, self._bot_acts, match, match.ply, level, self._now())

    def auto_move(self, person: str, seat: int | None, level: int | None) -> Happened:
        """Let a computer player act for a seat of one's own, or (level None) act oneself again; at any moment of an unrated game."""
        if not self._room.playing:
            raise Refused("no-game")
        mine = self._room.seating.own(person, seat)
        if self._room.rated:
            raise Refused("rated-no-auto")
        self._room.seating.chairs[mine].auto = level
        if self._room.match is not None and self._room.match.seat == mine:
            self.go_on()
        return [Changed(), Show.PLAYERS]

    def set_alarm(self, soonest: float = 0.0) -> None:
        """Ring when the seat to act runs out of time. Computer players are not hurried: they would pay for our own slowness."""
        self.plan_offers()
        self._room.timers.cancel("time")
        match = self._room.match
        if match is None or match.seat is None:
            return
        chair = self._room.seating.chairs[match.seat]
        if match.seat in match.resigned:
            self._room.timers.task("time", soonest, self._alarm, match.ply)
        elif chair.acting is None:
            deadline = match.clock.deadline(self._outbox.lag(chair.person))
            if deadline is not None:
                self._room.timers.task("time", max(soonest, (deadline - self._now()) / 1000), self._alarm, match.ply)

    def plan_offers(self) -> None:
        """Say that a seat has become free for spectators, at that moment."""
        for seat, chair in enumerate(self._room.seating.chairs):
            at = None if chair.person in self._room.members else self._room.free_at(seat)
            if at is None:
                self._room.offered.discard(seat)
                self._room.timers.cancel(f"free{seat}")
            elif seat not in self._room.offered:
                self._room.timers.later(f"free{seat}", max(0.0, (at - self._now()) / 1000), self._seat_is_free, seat)

    async def _alarm(self, ply: int) -> None:
        """An attempted action like any other: whoever comes first wins."""
        async with self._room.lock:
            match = self._room.match
            if match is None or match.ply != ply or match.seat is None:
                return
            person = self._room.seating.chairs[match.seat].person
            if match.seat not in match.resigned and not match.clock.overdue(self._now(), self._outbox.lag(person)):
                self.set_alarm()
                return
            try:
                await self._time_is_up(match)
            except Exception as fault:
                await self._not_charged(match, fault)
                self.set_alarm(AGAIN_SECONDS)

    @property
    def time_out_ends(self) -> bool:
        """Whether running out of time loses the game here; else an action is played for the seat."""
        return self._room.match is not None and self._room.match.time_out_loses() and self._room.settings.on_timeout == "rules"

    async def _time_is_up(self, match: Match) -> None:
        """What the rules say happens: an action is played for the seat, or it has lost."""
        seat = match.seat
        assert seat is not None
        chair = self._room.seating.chairs[seat]
        chair.missed = chair.missed + 1 if chair.person not in self._room.members else 0
        if self.time_out_ends and seat not in match.resigned:
            await self._finisher.end_with(match, match.lost_by(seat, "time"))
            return
        action, ply = self._chance.forced(match.state, match.draft), match.ply
        await self._record(match, action, match.state.play(action), self._now(), forced=True)
        await self.after_action(ply)

    async def _bot_acts(self, match: Match, ply: int, level: int, since: int) -> None:
        """A computer player's turn: it thinks apart, and answers at a moment drawn beforehand, which tells nothing. A person for whom it acts is charged
        only until the moment when it was asked to."""
        seat = match.seat
        if self._room.match is not match or match.ply != ply or seat is None:
            return
        answer_at = asyncio.get_running_loop().time() + self._bots.pause()
        try:
            action = await self._bots.choose(match.view(seat), level, self._room.master)
            await asyncio.sleep(self._bots.rest(answer_at - asyncio.get_running_loop().time()))
            async with self._room.lock:
                chair = self._room.seating.chairs[seat]
                if self._room.match is match and match.seat == seat and match.ply == ply and chair.acting is not None:
                    await self._record(match, action, match.state.play(action), self._now() if chair.person is None else since)
                    await self.after_action(ply)
        except Exception as fault:
            log_fault(f"room {self._room.id}, computer player", fault)
            self._room.timers.task("bot", AGAIN_SECONDS, self._bot_acts, match, ply, level, since)

    # --- clocks that wait for someone to come back ---

    def begin_turn(self) -> None:
        """A clock starts when the turn has been stored."""
        match = self._room.match
        assert match is not None
        match.stop_clock()
        if match.seat is not None and not self._stands_still(match.seat):
            match.start_clock(self._now())

    def _stands_still(self, seat: int) -> bool:
        """A clock stands still while we wait for its person to come (back), and while a computer player keeps the chair for someone."""
        chair = self._room.seating.chairs[seat]
        return chair.substitute or chair.person in self._room.awaited

    def wait_for(self, people: set[str]) -> None:
        """Let nobody's clock run who is on the way here, for a while."""
        self._room.awaited = people
        self._room.timers.cancel("return")
        if people:
            self._room.timers.later("return", RETURN_SECONDS, self._waited_enough)

    def _waited_enough(self) -> Happened:
        self._room.awaited = set()
        return self.start_clock()

    def start_clock(self) -> Happened:
        """The clock of the seat to act runs, if it stood still and its person is not awaited any more."""
        match = self._room.match
        if match is None or match.seat is None or match.clock.since is not None or self._stands_still(match.seat):
            return []
        match.start_clock(self._now())
        self.set_alarm()
        return [Show.CLOCK]
