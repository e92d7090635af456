"""The game in a room: starting, acting, chance, time, computer players."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

from hanpan.server.faults import log_fault
from hanpan.server.protocol.refusals import Refused
from hanpan.server.rooms.pause import Pause
from hanpan.server.rooms.roombase import AGAIN_SECONDS
from hanpan.server.rooms.table import Played, Table
from hanpan.server.storage.models import ActionRow, GameRow

if TYPE_CHECKING:
    from hanpan.game import State

RETURN_SECONDS = 30.0  # after a restart nobody's clock runs until they are back, or for so long


class GamePlay(Pause):
    """The playing part of a room."""

    # --- beginning ---

    async def begin_game(self, waiting: bool = False) -> None:
        """All are ready: a new game. With `waiting`, people are still on their way here, and clocks wait for them."""
        now = self.house.now()
        rated = self.settings.rated and self.seating.rated()
        before = self.seating.json()
        self.seating.begin(rated)
        self.seating.unready()
        people, id = self.seating.people(), self.house.new_id(12)
        try:
            private = self.password is not None and not self.settings.listed
            settings, options = self.settings.model_dump(), dict(self.game.options)
            await self.house.store.add_game(GameRow(id, self.id, self.game.name, options, settings, people, rated, now, private=private))
        except Exception:
            self.seating = type(self.seating).from_json(before)
            raise
        self.table, self.rated, self.moved = Table(id, self.game, self.control, now), rated, None
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
                await self.house.outlet.show_out(self.id, member, Refused("no-spectators"))
                await self.tell("user left", self.person(member))

    # --- acting ---

    async def play(self, person: str, ply: int, action: str, game_id: str | None = None) -> dict[str, Any]:
        """An action of a person's: checked, stored, and only then told. The same wish twice is answered the same way."""
        at, began = self.house.now(), time.perf_counter()
        async with self.lock:
            table = self.last_game()
            if game_id not in (None, table.id):
                raise Refused("game-over")
            if ply < table.ply:
                self._same_wish(person, table, ply, action)
                return {"ply": ply}
            self.check_turn(person, table, ply)
            lag = self.house.outlet.lag(person)
            try:
                if table.clock.overdue(at, lag):
                    await self._time_is_up(table)
                    raise Refused("time-up")
                await self._store(table, action, table.read(action), at, lag)
            except Refused:
                raise
            except Exception as fault:
                await self._not_charged(table, fault)
                raise Refused("our-fault") from None
            await self.after_action(ply)
            self.house.metrics.action.observe(time.perf_counter() - began)
            return {"ply": ply}

    def last_game(self) -> Table:
        """The game that is played, or was played last."""
        if self.table is None:
            raise Refused("no-game")
        return self.table

    def check_turn(self, person: str, table: Table, ply: int) -> None:
        """Refuse anything but a wish of the seat to act, for now."""
        if not self.seating.of(person):
            raise Refused("not-seated")
        if table.result is not None:
            raise Refused("game-over")
        seat = table.seat
        if self.paused:
            raise Refused("between-rounds")
        if seat is None:  # chance could not act: only a fault of ours makes anyone see this
            raise Refused("our-fault")
        if self.seating.chairs[seat].person != person:
            raise Refused("not-your-turn", seat=seat + 1)
        if ply != table.ply:
            raise Refused("stale-ply", ply=ply, now=table.ply)

    def _same_wish(self, person: str, table: Table, ply: int, action: str) -> None:
        """Refuse unless that very action of this person's is recorded at that ply."""
        played = table.played[ply]
        mine = played.seat is not None and self.seating.chairs[played.seat].person == person
        if not mine or played.text != action or played.forced:
            raise Refused("stale-ply", ply=ply, now=table.ply)

    async def _store(self, table: Table, action: str, following: State, at: int, lag: int = 0, forced: bool = False) -> None:
        """Append an action of the seat to act."""
        decision = self.decision()
        played, clock = table.timed(action, at, self.house.now(), following, lag, forced)
        await self._append(table, played, following, clock)
        if self.offer is not None and (self.offer[0] != "draw" or self.offer[1] != played.seat):
            kind, seat = self.offer
            self.offer = None
            await self.tell("answer draw" if kind == "draw" else "answer takeback", {"kind": kind, "seat": seat, "state": "withdrawn"})
        if decision is not None:
            await self.tell("goshi solve", decision | {"choices": [action]})

    async def _append(self, table: Table, played: Played, following: State, clock: Any) -> None:
        """Store an action, with the end if it is one; then it counts."""
        result = table.judged(following) if following.over else None
        finish = None if result is None else await self.finish(table, result, following.scores)
        if not await self.house.store.append(table.id, table.ply, _row(played), finish):
            await self.load_again(table)
            raise Refused("stale-ply", ply=table.ply, now=self.table.ply if self.table is not None else 0)
        table.put(played, following, clock)
        if result is not None and finish is not None:
            table.end(result, finish)

    async def let_chance_act(self) -> None:
        """Draw and store what chance decides, until a seat can act or a part of the game has ended; a fault of ours makes everyone wait, but charges nobody."""
        table = self.table
        assert table is not None
        try:
            while table.result is None and table.state.chance and not self.paused:
                await self._append(table, *table.drawn(self.house.luck, self.house.now()))
        except Exception as fault:
            log_fault(f"room {self.id}, chance", fault)
            self.later("chance", AGAIN_SECONDS, self._chance_again, table.ply)
        self.hold()

    async def _chance_again(self, ply: int) -> None:
        async with self.lock:
            if self.table is not None and self.table.result is None and self.table.ply == ply and self.table.state.chance:
                await self.after_action(ply)

    async def after_action(self, since: int) -> None:
        """Chance's part, the news, and the next turn or the end. The action is stored: nothing that goes wrong here may undo that."""
        await self.let_chance_act()
        table = self.table
        assert table is not None
        self.begin_turn()
        try:
            await self.tell_position(since)
        except Exception as fault:
            log_fault(f"room {self.id}, telling", fault)
        await self.next_turn()

    async def next_turn(self) -> None:
        """The next turn; or the end, which chance alone can bring as well."""
        if self.table is not None and self.table.result is not None:
            await self.ended()
        else:
            self.go_on()

    async def _not_charged(self, table: Table, fault: Exception) -> None:
        """A fault of ours: the turn begins anew."""
        log_fault(f"room {self.id}, game {table.id}, ply {table.ply}", fault)
        if table.result is None:
            self.begin_turn()
            self.set_alarm()
            await self.tell_clock()

    async def draft(self, person: str, ply: int, clicks: list[str]) -> None:
        """The steps of an unfinished action, shown live."""
        async with self.lock:
            table = self.last_game()
            self.check_turn(person, table, ply)
            table.set_draft(clicks)
            await self.tell("draft", {"seat": table.seat, "ply": ply, "clicks": clicks}, skip=(person,))

    # --- the next turn ---

    def go_on(self) -> None:
        """Set the alarm of the seat to act, or wake its computer player; or look whether everyone is ready for what comes next."""
        self.set_alarm()
        if self.paused:
            self.hold()
        self.cancel("bot")
        table = self.table
        if table is None or table.seat is None or table.seat in table.resigned:
            return
        level = self.seating.chairs[table.seat].acting
        if level is not None and (self.members or not self.seating.computers_only):  # where nobody looks on, nobody thinks
            self.later("bot", 0.0, self._bot_acts, table, table.ply, level, self.house.now())

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
            if self.table is not None and self.table.seat == mine:
                self.go_on()

    def set_alarm(self, soonest: float = 0.0) -> None:
        """Ring when the seat to act runs out of time. Computer players are not hurried: they would pay for our own slowness."""
        self.plan_offers()
        self.cancel("time")
        table = self.table
        if table is None or table.seat is None:
            return
        chair = self.seating.chairs[table.seat]
        if table.seat in table.resigned:
            self.later("time", soonest, self._alarm, table.ply)
        elif chair.acting is None:
            deadline = table.clock.deadline(self.house.outlet.lag(chair.person))
            if deadline is not None:
                self.later("time", max(soonest, (deadline - self.house.now()) / 1000), self._alarm, table.ply)

    def plan_offers(self) -> None:
        """Say that a seat has become free for spectators, at that moment."""
        for seat, chair in enumerate(self.seating.chairs):
            at = None if chair.person in self.members else self.free_at(seat)
            if at is None:
                self.offered.discard(seat)
                self.cancel(f"free{seat}")
            elif seat not in self.offered:
                self.later(f"free{seat}", max(0.0, (at - self.house.now()) / 1000), self.seat_is_free, seat)

    async def seat_is_free(self, seat: int) -> None:
        """Offer a seat that has become free."""
        raise NotImplementedError

    async def _alarm(self, ply: int) -> None:
        """An attempted action like any other: whoever comes first wins."""
        async with self.lock:
            table = self.table
            if table is None or table.ply != ply or table.seat is None:
                return
            person = self.seating.chairs[table.seat].person
            if table.seat not in table.resigned and not table.clock.overdue(self.house.now(), self.house.outlet.lag(person)):
                self.set_alarm()
                return
            try:
                await self._time_is_up(table)
            except Exception as fault:
                await self._not_charged(table, fault)
                self.set_alarm(AGAIN_SECONDS)

    @property
    def time_out_ends(self) -> bool:
        """Whether running out of time loses the game here; else an action is played for the seat."""
        return self.table is not None and self.table.time_out_loses() and self.settings.on_timeout == "rules"

    async def _time_is_up(self, table: Table) -> None:
        """What the rules say happens: an action is played for the seat, or it has lost."""
        seat = table.seat
        assert seat is not None
        chair = self.seating.chairs[seat]
        chair.missed = chair.missed + 1 if chair.person not in self.members else 0
        if self.time_out_ends and seat not in table.resigned:
            await self.end_with(table, table.lost_by(seat, "time"))
            return
        action, ply = self.house.luck.forced(table.state, table.draft), table.ply
        await self._store(table, action, table.state.play(action), self.house.now(), forced=True)
        await self.after_action(ply)

    async def _bot_acts(self, table: Table, ply: int, level: int, since: int) -> None:
        """A computer player's turn: it thinks apart, and answers at a moment drawn beforehand, which tells nothing. A person for whom it acts is charged
        only until the moment when it was asked to."""
        seat = table.seat
        if self.table is not table or table.ply != ply or seat is None:
            return
        answer_at = asyncio.get_running_loop().time() + self.house.bots.pause()
        try:
            action = await self.house.bots.choose(table.view(seat), level, self.master)
            await asyncio.sleep(self.house.bots.rest(answer_at - asyncio.get_running_loop().time()))
            async with self.lock:
                chair = self.seating.chairs[seat]
                if self.table is table and table.seat == seat and table.ply == ply and chair.acting is not None:
                    await self._store(table, action, table.state.play(action), self.house.now() if chair.person is None else since)
                    await self.after_action(ply)
        except Exception as fault:
            log_fault(f"room {self.id}, computer player", fault)
            self.later("bot", AGAIN_SECONDS, self._bot_acts, table, ply, level, since)

    # --- clocks that wait for someone to come back ---

    def begin_turn(self) -> None:
        """A clock starts when the turn has been stored."""
        table = self.table
        assert table is not None
        table.stop_clock()
        if table.seat is not None and not self._stands_still(table.seat):
            table.start_clock(self.house.now())

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
        table = self.table
        if table is None or table.seat is None or table.clock.since is not None or self._stands_still(table.seat):
            return
        table.start_clock(self.house.now())
        self.set_alarm()
        await self.tell_clock()


def _row(played: Played) -> ActionRow:
    return ActionRow(played.text, played.seat, played.at, played.started_at, played.charged, played.forgiven, played.forced)
