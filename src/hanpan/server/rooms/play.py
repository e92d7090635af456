"""The game in a room: starting, acting, chance, time, computer players."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

from hanpan.server.faults import log_fault
from hanpan.server.people.tokens import new_id
from hanpan.server.protocol.refusals import Refused
from hanpan.server.rooms.match import Match
from hanpan.server.rooms.pause import Pause
from hanpan.server.rooms.roombase import AGAIN_SECONDS
from hanpan.server.storage.models import ActionRow, GameRow

if TYPE_CHECKING:
    from hanpan.game import State

RETURN_SECONDS = 30.0  # after a restart nobody's clock runs until they are back, or for so long


class GamePlay(Pause):
    """The playing part of a room."""

    # --- beginning ---

    async def begin_game(self, waiting: bool = False) -> None:
        """All are ready: a new game. With `waiting`, people are still on their way here, and clocks wait for them."""
        now = self.context.now()
        rated = self.settings.rated and self.seating.rated()
        before = self.seating.json()
        self.seating.begin(rated)
        self.seating.unready()
        people, id = self.seating.people(), new_id(12)
        try:
            private = self.password is not None and not self.settings.listed
            settings, options = self.settings.model_dump(), dict(self.game.options)
            await self.context.store.add_game(GameRow(id, self.id, self.game.name, options, settings, people, rated, now, private=private))
        except Exception:
            self.seating = type(self.seating).from_json(before)
            raise
        self.match, self.rated, self.moved = Match(id, self.game, self.control, now), rated, None
        self.offer, self.rematch, self.giving_up, self.asking, self.offered = None, set(), set(), {}, set()
        self.cancel("ready")
        self.ready_at = self.paused_at = self.went_on_at = None
        self.wait_for({person for person in self.seating.everyone() if person not in self.members} if waiting else set())
        await self.let_chance_act()
        self.begin_turn()
        try:
            await self.save()
            await self._show_out_spectators()
            await self.tell_room("room updated")
            await self.tell_players()
            for member in list(self.members):
                await self.tell_game(member)
        except Exception as fault:  # the game is there; whoever was not told asks again
            log_fault(f"room {self.id}, beginning", fault)
        await self.next_turn()

    async def _show_out_spectators(self) -> None:
        """Where spectators are not welcome, a game is only for those who play it."""
        for member in list(self.members):
            if not self.settings.spectators and not self.seating.of(member):
                del self.members[member]
                await self.context.outbox.show_out(self.id, member, Refused("no-spectators"))
                await self.tell("user left", self.person(member))

    # --- acting ---

    async def play(self, person: str, ply: int, action: str, game_id: str | None = None) -> dict[str, Any]:
        """An action of a person's: checked, stored, and only then told. The same wish twice is answered the same way."""
        at, began = self.context.now(), time.perf_counter()
        async with self.lock:
            match = self.last_game()
            if game_id not in (None, match.id):
                raise Refused("game-over")
            if ply < match.ply:
                self._same_wish(person, match, ply, action)
                return {"ply": ply}
            self.check_turn(person, match, ply)
            lag = self.context.outbox.lag(person)
            try:
                if match.clock.overdue(at, lag):
                    await self._time_is_up(match)
                    raise Refused("time-up")
                await self._store(match, action, match.read(action), at, lag)
            except Refused:
                raise
            except Exception as fault:
                await self._not_charged(match, fault)
                raise Refused("our-fault") from None
            await self.after_action(ply)
            self.context.acted(time.perf_counter() - began)
            return {"ply": ply}

    def last_game(self) -> Match:
        """The game that is played, or was played last."""
        if self.match is None:
            raise Refused("no-game")
        return self.match

    def check_turn(self, person: str, match: Match, ply: int) -> None:
        """Refuse anything but a wish of the seat to act, for now."""
        if not self.seating.of(person):
            raise Refused("not-seated")
        if match.result is not None:
            raise Refused("game-over")
        seat = match.seat
        if self.paused:
            raise Refused("between-rounds")
        if seat is None:  # chance could not act: only a fault of ours makes anyone see this
            raise Refused("our-fault")
        if self.seating.chairs[seat].person != person:
            raise Refused("not-your-turn", seat=seat + 1)
        if ply != match.ply:
            raise Refused("stale-ply", ply=ply, now=match.ply)

    def _same_wish(self, person: str, match: Match, ply: int, action: str) -> None:
        """Refuse unless that very action of this person's is recorded at that ply."""
        played = match.played[ply]
        mine = played.seat is not None and self.seating.chairs[played.seat].person == person
        if not mine or played.text != action or played.forced:
            raise Refused("stale-ply", ply=ply, now=match.ply)

    async def _store(self, match: Match, action: str, following: State, at: int, lag: int = 0, forced: bool = False) -> None:
        """Append an action of the seat to act."""
        decision = self.decision()
        played, clock = match.timed(action, at, self.context.now(), following, lag, forced)
        await self._append(match, played, following, clock)
        if self.offer is not None and (self.offer[0] != "draw" or self.offer[1] != played.seat):
            kind, seat = self.offer
            self.offer = None
            await self.tell("answer draw" if kind == "draw" else "answer takeback", {"kind": kind, "seat": seat, "state": "withdrawn"})
        if decision is not None:
            await self.tell("goshi solve", decision | {"choices": [action]})

    async def _append(self, match: Match, played: ActionRow, following: State, clock: Any) -> None:
        """Store an action, with the end if it is one; then it counts."""
        result = match.judged(following) if following.over else None
        finish = None if result is None else await self.finish(match, result, following.scores)
        if not await self.context.store.append(match.id, match.ply, played, finish):
            await self.load_again(match)
            raise Refused("stale-ply", ply=match.ply, now=self.match.ply if self.match is not None else 0)
        match.put(played, following, clock)
        if result is not None and finish is not None:
            match.end(result, finish)

    async def let_chance_act(self) -> None:
        """Draw and store what chance decides, until a seat can act or a part of the game has ended; a fault of ours makes everyone wait, but charges nobody."""
        match = self.match
        assert match is not None
        try:
            while match.result is None and match.state.chance and not self.paused:
                await self._append(match, *match.drawn(self.context.chance, self.context.now()))
        except Exception as fault:
            log_fault(f"room {self.id}, chance", fault)
            self.later("chance", AGAIN_SECONDS, self._chance_again, match.ply)
        self.hold()

    async def _chance_again(self, ply: int) -> None:
        async with self.lock:
            if self.match is not None and self.match.result is None and self.match.ply == ply and self.match.state.chance:
                await self.after_action(ply)

    async def after_action(self, since: int) -> None:
        """Chance's part, the news, and the next turn or the end. The action is stored: nothing that goes wrong here may undo that."""
        await self.let_chance_act()
        match = self.match
        assert match is not None
        self.begin_turn()
        try:
            await self.tell_position(since)
        except Exception as fault:
            log_fault(f"room {self.id}, telling", fault)
        await self.next_turn()

    async def next_turn(self) -> None:
        """The next turn; or the end, which chance alone can bring as well."""
        if self.match is not None and self.match.result is not None:
            await self.ended()
        else:
            self.go_on()

    async def _not_charged(self, match: Match, fault: Exception) -> None:
        """A fault of ours: the turn begins anew."""
        log_fault(f"room {self.id}, game {match.id}, ply {match.ply}", fault)
        if match.result is None:
            self.begin_turn()
            self.set_alarm()
            await self.tell_clock()

    async def draft(self, person: str, ply: int, clicks: list[str]) -> None:
        """The steps of an unfinished action, shown live."""
        async with self.lock:
            match = self.last_game()
            self.check_turn(person, match, ply)
            match.set_draft(clicks)
            await self.tell("draft", {"seat": match.seat, "ply": ply, "clicks": clicks}, skip=(person,))

    # --- the next turn ---

    def go_on(self) -> None:
        """Set the alarm of the seat to act, or wake its computer player; or look whether everyone is ready for what comes next."""
        self.set_alarm()
        if self.paused:
            self.hold()
        self.cancel("bot")
        match = self.match
        if match is None or match.seat is None or match.seat in match.resigned:
            return
        level = self.seating.chairs[match.seat].acting
        if level is not None and (self.members or not self.seating.computers_only):  # where nobody looks on, nobody thinks
            self.later("bot", 0.0, self._bot_acts, match, match.ply, level, self.context.now())

    async def auto_move(self, person: str, seat: int | None, level: int | None) -> None:
        """Let a computer player act for a seat of one's own, or (level None) act oneself again; at any moment of an unrated game."""
        async with self.lock:
            if not self.playing:
                raise Refused("no-game")
            mine = self.seating.own(person, seat)
            if self.rated:
                raise Refused("rated-no-auto")
            self.seating.chairs[mine].auto = level
            await self.save()
            await self.tell_players()
            if self.match is not None and self.match.seat == mine:
                self.go_on()

    def set_alarm(self, soonest: float = 0.0) -> None:
        """Ring when the seat to act runs out of time. Computer players are not hurried: they would pay for our own slowness."""
        self.plan_offers()
        self.cancel("time")
        match = self.match
        if match is None or match.seat is None:
            return
        chair = self.seating.chairs[match.seat]
        if match.seat in match.resigned:
            self.later("time", soonest, self._alarm, match.ply)
        elif chair.acting is None:
            deadline = match.clock.deadline(self.context.outbox.lag(chair.person))
            if deadline is not None:
                self.later("time", max(soonest, (deadline - self.context.now()) / 1000), self._alarm, match.ply)

    def plan_offers(self) -> None:
        """Say that a seat has become free for spectators, at that moment."""
        for seat, chair in enumerate(self.seating.chairs):
            at = None if chair.person in self.members else self.free_at(seat)
            if at is None:
                self.offered.discard(seat)
                self.cancel(f"free{seat}")
            elif seat not in self.offered:
                self.later(f"free{seat}", max(0.0, (at - self.context.now()) / 1000), self.seat_is_free, seat)

    async def seat_is_free(self, seat: int) -> None:
        """Offer a seat that has become free."""
        raise NotImplementedError

    async def _alarm(self, ply: int) -> None:
        """An attempted action like any other: whoever comes first wins."""
        async with self.lock:
            match = self.match
            if match is None or match.ply != ply or match.seat is None:
                return
            person = self.seating.chairs[match.seat].person
            if match.seat not in match.resigned and not match.clock.overdue(self.context.now(), self.context.outbox.lag(person)):
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
        return self.match is not None and self.match.time_out_loses() and self.settings.on_timeout == "rules"

    async def _time_is_up(self, match: Match) -> None:
        """What the rules say happens: an action is played for the seat, or it has lost."""
        seat = match.seat
        assert seat is not None
        chair = self.seating.chairs[seat]
        chair.missed = chair.missed + 1 if chair.person not in self.members else 0
        if self.time_out_ends and seat not in match.resigned:
            await self.end_with(match, match.lost_by(seat, "time"))
            return
        action, ply = self.context.chance.forced(match.state, match.draft), match.ply
        await self._store(match, action, match.state.play(action), self.context.now(), forced=True)
        await self.after_action(ply)

    async def _bot_acts(self, match: Match, ply: int, level: int, since: int) -> None:
        """A computer player's turn: it thinks apart, and answers at a moment drawn beforehand, which tells nothing. A person for whom it acts is charged
        only until the moment when it was asked to."""
        seat = match.seat
        if self.match is not match or match.ply != ply or seat is None:
            return
        answer_at = asyncio.get_running_loop().time() + self.context.bots.pause()
        try:
            action = await self.context.bots.choose(match.view(seat), level, self.master)
            await asyncio.sleep(self.context.bots.rest(answer_at - asyncio.get_running_loop().time()))
            async with self.lock:
                chair = self.seating.chairs[seat]
                if self.match is match and match.seat == seat and match.ply == ply and chair.acting is not None:
                    await self._store(match, action, match.state.play(action), self.context.now() if chair.person is None else since)
                    await self.after_action(ply)
        except Exception as fault:
            log_fault(f"room {self.id}, computer player", fault)
            self.later("bot", AGAIN_SECONDS, self._bot_acts, match, ply, level, since)

    # --- clocks that wait for someone to come back ---

    def begin_turn(self) -> None:
        """A clock starts when the turn has been stored."""
        match = self.match
        assert match is not None
        match.stop_clock()
        if match.seat is not None and not self._stands_still(match.seat):
            match.start_clock(self.context.now())

    def _stands_still(self, seat: int) -> bool:
        """A clock stands still while we wait for its person to come (back), and while a computer player keeps the chair for someone."""
        chair = self.seating.chairs[seat]
        return chair.substitute or chair.person in self.awaited

    def wait_for(self, people: set[str]) -> None:
        """Let nobody's clock run who is on the way here, for a while."""
        self.awaited = people
        self.cancel("return")
        if people:
            self.later("return", RETURN_SECONDS, self._waited_enough)

    async def _waited_enough(self) -> None:
        async with self.lock:
            self.awaited = set()
            await self.start_clock()

    async def start_clock(self) -> None:
        """The clock of the seat to act runs, if it stood still and its person is not awaited any more."""
        match = self.match
        if match is None or match.seat is None or match.clock.since is not None or self._stands_still(match.seat):
            return
        match.start_clock(self.context.now())
        self.set_alarm()
        await self.tell_clock()
