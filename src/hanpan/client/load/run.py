"""A load from its beginning to its end."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from typing import Any

from hanpan.client.load.figures import Figures
from hanpan.client.load.history import History
from hanpan.client.load.people import Person, Player, Spectator
from hanpan.client.load.plan import Plan
from hanpan.client.load.table import Pace, Planned, Table, Thinking
from hanpan.client.load.wire import Host, Refusal
from hanpan.core.extras import needed

with needed("hanpan load", "hanpan[client]"):
    import aiohttp

_AT_ONCE = 8  # tables that are opened at the same time: fewer than the rooms that one person may have
_AWAY = 1.0  # seconds that someone who drops out is away, on average
_LAST = 10.0  # seconds for what was sent last to be answered
_AWAY_OR_CLOSED = (Refusal, OSError, aiohttp.ClientError, TimeoutError)  # what keeps people out

Tell = Callable[[str, float, float], None]  # is told what is done now, how much of it, and how much there is


class LoadFailed(ValueError):
    """The load could not begin: the sentence says why."""


class Load:
    """Everybody at the tables. Used as a context, it ends with them; what was measured stays."""

    def __init__(self, plan: Plan, history: History | None = None, headers: dict[str, str] | None = None) -> None:
        self.plan, self.history = plan, history or History()
        self.figures = Figures()
        self.tables: list[Table] = []
        self.people: list[Person] = []
        self.took = 0.0  # seconds of play
        self._dice = random.Random(plan.seed)
        self._headers = headers  # of every request
        self._session: aiohttp.ClientSession | None = None
        self._disturbing: list[asyncio.Task[None]] = []
        self._came = 0

    async def __aenter__(self) -> Load:
        self._session = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0), headers=self._headers)
        self.history.add("load", plan=self.plan.json())
        return self

    async def __aexit__(self, *why: object) -> None:
        await self.leave()
        assert self._session is not None
        await self._session.close()

    @property
    def players(self) -> list[Player]:
        """Those who have a seat."""
        return [person for person in self.people if isinstance(person, Player)]

    # --- coming ---

    async def open(self, tell: Tell = lambda what, done, of: None, stop: asyncio.Event | None = None) -> None:
        """Open all tables (none more once `stop` is set), and let everybody come in, sit down and begin; nobody acts yet. LoadFailed says why not."""
        assert self._session is not None
        seats, several, hosts = self.plan.played.seats, asyncio.Semaphore(_AT_ONCE), [Host() for _ in self.plan.servers]

        async def one(number: int) -> None:
            async with several:
                if stop is not None and stop.is_set():
                    return
                table = Table(number, self.figures, self.plan.played if self.plan.brief else None, self.plan.seed)
                room = await hosts[number % len(hosts)].open_room(self.plan.room)
                for seat in range(seats):
                    await self._come(Player(seat, *self._place(f"{number}.{seat}", table, room)))
                for watcher in range(self.plan.watchers):
                    await self._come(Spectator(*self._place(f"{number}.w{watcher}", table, room)))
                self.tables.append(table)
                tell("opening tables", len(self.tables), self.plan.tables)

        try:
            for host, server in zip(hosts, self.plan.servers, strict=True):
                await host.come(self._session, server)
            async with asyncio.TaskGroup() as group:
                for number in range(self.plan.tables):
                    group.create_task(one(number))
        except (*_AWAY_OR_CLOSED, ExceptionGroup) as wrong:
            first: BaseException = wrong
            while isinstance(first, ExceptionGroup):
                first = first.exceptions[0]
            if not isinstance(first, _AWAY_OR_CLOSED):
                raise
            hint = "; `HANPAN_UNLIMITED_LOCAL=1 hanpan serve` lifts the limits for its own machine" if getattr(first, "code", "").startswith("too-") else ""
            raise LoadFailed(f"{self.plan.servers[0]}: {first or type(first).__name__}{hint}") from None
        finally:
            for host in hosts:
                await host.leave()
        for player in self.players:
            player.begin()

    def _place(self, label: str, table: Table, room: str) -> tuple[Any, ...]:
        assert self._session is not None
        self._came += 1
        first = table.number + 1 if self.plan.together else self._came  # not where the room was opened: who opens it is in the lobby, wherever that is
        return label, table, room, self.plan.servers, self._session, self.figures, self.history, self.plan.brief, first

    async def _come(self, person: Person) -> None:
        self.people.append(person)
        await person.come()

    # --- playing ---

    def set_pace(self, pace: Pace) -> None:
        """How everybody plays from now on."""
        for table in self.tables:
            table.set_pace(pace)

    def usual_pace(self) -> Pace:
        """The pace that the plan asks for."""
        plan = self.plan
        if plan.planned:
            assert plan.rate is not None
            return Planned(plan.tables / plan.rate, asyncio.get_running_loop().time())
        return Thinking(plan.tables / plan.rate if plan.rate else 0.0)

    async def play(self, stop: asyncio.Event | None = None, tell: Tell = lambda what, done, of: None) -> None:
        """Play for as long as the plan says, or until `stop` is set; then everyone stops, and what was sent last is answered."""
        began = time.perf_counter()
        self.disturb()
        self.set_pace(self.usual_pace())
        stopped = stop or asyncio.Event()
        while not stopped.is_set() and (done := time.perf_counter() - began) < self.plan.seconds:
            self.took = done
            for person in self.people:
                person.check()
            tell("playing", done, self.plan.seconds)
            await _within(stopped.wait(), min(0.5, self.plan.seconds - done))
        self.took = time.perf_counter() - began
        await self.stop()

    async def stop(self) -> None:
        """Nobody begins anything any more; what was sent last is answered, if that can be."""
        for task in self._disturbing:
            task.cancel()
        for table in self.tables:
            table.close()
        for player in self.players:
            player.end()
        end = time.perf_counter() + _LAST
        while any(player.unanswered for player in self.players) and time.perf_counter() < end:
            await asyncio.sleep(0.02)

    async def leave(self) -> None:
        """Everybody leaves."""
        await asyncio.gather(*(person.go() for person in self.people))
        self.people = []

    def disturb(self) -> None:
        """From now on people chat and drop out as the plan says, until all stop."""
        self._beside(self.plan.chat, self._chat)
        self._beside(self.plan.drop_outs, self._drop_out)

    def _beside(self, a_minute: float, work: Callable[[], None]) -> None:
        async def again_and_again() -> None:
            while True:
                await asyncio.sleep(self._dice.expovariate(a_minute / 60))
                work()

        if a_minute > 0:
            self._disturbing.append(asyncio.create_task(again_and_again()))

    def _chat(self) -> None:
        self._dice.choice(self.people).say(f"message {self.figures.counts['said'] + 1}")

    def _drop_out(self) -> None:
        self._dice.choice(self.people).drop_out(self._dice.expovariate(1 / _AWAY))

    def result(self) -> dict[str, Any]:
        """What was measured, as plain data."""
        rate = self.figures.counts["accepted"] / self.took if self.took else 0.0
        return {"plan": self.plan.json(), "seconds": round(self.took, 3), "actions_per_second": round(rate, 2), **self.figures.json()}


async def _within(waiting: Any, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await waiting
    except TimeoutError:
        pass
