"""Which processes are there: each says in the database that it lives, and takes the time from there."""

from __future__ import annotations

import asyncio
import logging
import time

from hanpan.server.cluster.bus import Bus
from hanpan.server.faults import log_fault
from hanpan.server.storage.database import wall_clock
from hanpan.server.storage.leases import Leases
from hanpan.server.storage.models import Expired, StorageError

log = logging.getLogger("hanpan.server")

LEASE_MS = 5000  # that a process counts as alive after a sign of life
_BEAT = 1.0  # seconds between two of them
_TRIES = 10  # to give the first one
_ONCE_MORE = 0.25  # seconds after which whoever has hung up is looked at once more
_SETTLED = 3.0  # seconds in which everybody has found the bus again


class SharedClock:
    """The database's time, told by this process's own steady clock: setting the machine's clock changes nothing."""

    def __init__(self) -> None:
        self._offset: float | None = None  # the database's milliseconds before this machine was started
        self._error = 0.0  # how wrong that may be
        self._last = 0

    def set(self, told: int, asked_at: float, answered_at: float) -> None:
        """What the database said, and when it was asked (seconds of `time.monotonic`). The quickest answer of late says most."""
        error = (answered_at - asked_at) / 2 * 1000
        if self._offset is None or error <= self._error:
            self._offset, self._error = told - (asked_at + answered_at) / 2 * 1000, error
        else:
            self._error += 0.1  # clocks drift: an old answer becomes less sure

    def __call__(self) -> int:
        """The time, in milliseconds; never less than before."""
        if self._offset is None:
            return wall_clock()
        self._last = max(self._last, int(time.monotonic() * 1000 + self._offset))
        return self._last


class NodeObserver:
    """Whoever has to know which processes are there. Nothing need be done about any of it."""

    def node_came(self, node: str) -> None:
        """Another process is there, or was not heard for a moment: tell it what it should know."""

    def node_gone(self, node: str) -> None:
        """Another process is gone for good."""

    def lapsed(self) -> None:
        """This process can't say any more that it lives: what it has may be another's by now."""

    def recovered(self) -> None:
        """It can again."""


class Nodes:
    """The processes of one server, seen from one of them."""

    def __init__(self, leases: Leases, bus: Bus, clock: SharedClock) -> None:
        self._leases, self._bus, self._clock = leases, bus, clock
        self.node = bus.node
        self.others: set[str] = set()
        self.draining: set[str] = set()  # they take nothing new
        self._observers: list[NodeObserver] = []
        self._valid_until = 0.0
        self._way, self._way_since = True, time.monotonic()  # whether the bus passes messages
        self.standing = False  # whether what this process has is its own
        self.lapses = 0  # how often it was not, any more
        self._task: asyncio.Task[None] | None = None

    def subscribe(self, one: NodeObserver) -> None:
        """From now on, let it know who comes and goes."""
        self._observers.append(one)

    @property
    def leader(self) -> str:
        """The one that does what only one may do."""
        return min({self.node, *self.others} - self.draining, default=self.node)

    @property
    def sure(self) -> bool:
        """Whether what this process has is its own, at this very moment: nobody can have taken it, even if we slept."""
        return self.standing and time.monotonic() < self._valid_until

    async def open(self) -> None:
        """Be one of them."""
        await self._leases.join(self.node, LEASE_MS)
        for tries_left in reversed(range(_TRIES)):
            try:
                await self._beat()
                break
            except TimeoutError:  # the database is slow, as it is just after its own start
                if not tries_left:
                    raise
        self._task = asyncio.create_task(self._live(), name="signs of life")

    async def close(self) -> None:
        """Be gone, at once and for everyone."""
        if self._task is not None:
            self._task.cancel()
        try:
            await self._leases.leave(self.node)
        except StorageError as fault:
            log_fault("leaving", fault)
        self._bus.broadcast("gone", {})  # only now: whoever hears it looks at once for what was ours, and would find it ours still, and ask us

    def way(self, there: bool) -> None:
        """Whether messages between processes pass."""
        self._way, self._way_since = there, time.monotonic()
        if not there:
            self._lapse()

    def heard_gone(self, node: str) -> None:
        """A process has said that it goes."""
        self._gone(node)

    async def _live(self) -> None:
        while True:
            await asyncio.sleep(_BEAT)
            try:
                await self._beat()
                await self._bury()
            except Expired:
                log.warning("this process was taken for dead, and begins anew with nothing")
                self._lapse()
                await self._again()
            except Exception as fault:
                if self.standing and time.monotonic() >= self._valid_until - _BEAT:
                    log_fault("signs of life", fault)
                    self._lapse()

    async def _again(self) -> None:
        """Others have taken what we had: begin anew, with nothing."""
        try:
            await self._leases.leave(self.node)
            await self._leases.join(self.node, LEASE_MS)
            await self._beat()
        except Exception as fault:
            log_fault("beginning anew", fault)

    async def _beat(self) -> None:
        asked_at = time.monotonic()
        async with asyncio.timeout(LEASE_MS / 2000):
            told = await self._leases.beat(self.node, LEASE_MS)
            answered_at = time.monotonic()
            alive = await self._alive()
        if asked_at > self._valid_until and self.standing:
            self._lapse()  # we slept for too long: somebody may have taken what was ours
        self._clock.set(told, asked_at, answered_at)
        self._valid_until = asked_at + LEASE_MS / 1000
        self._meet(alive)
        if self._way and not self.standing:
            self.standing = True
            for one in self._observers:
                one.recovered()

    async def look(self) -> None:
        """Who is there by now: someone has to do with a process that is not known yet."""
        self._meet(await self._alive())

    async def _alive(self) -> set[str]:
        return {node.id for node in await self._leases.nodes()}

    def _meet(self, alive: set[str]) -> None:
        for node in self.others - alive:
            self._gone(node)
        for node in alive - self.others - {self.node}:
            self.came(node)

    async def _bury(self) -> None:
        """A process that has hung up is dead: nobody waits until its lease is over. If it lives after all, it learns so, and begins anew with nothing."""
        dead = await self._bus.hung_up(sorted(self.others))
        if not dead or time.monotonic() - self._way_since < _SETTLED:
            return
        await asyncio.sleep(_ONCE_MORE)
        for node in await self._bus.hung_up(sorted(dead)):
            log.warning("process %s has ended", node)
            await self._leases.leave(node)
            self._gone(node)

    def _lapse(self) -> None:
        if self.standing:
            self.standing = False
            self.lapses += 1
            for one in self._observers:
                one.lapsed()

    def came(self, node: str) -> None:
        """A process is there, or has not heard us for a moment."""
        self.others.add(node)
        for one in self._observers:
            one.node_came(node)

    def _gone(self, node: str) -> None:
        if node in self.others:
            self.others.discard(node)
            self.draining.discard(node)
            self._bus.forget(node)
            for one in self._observers:
                one.node_gone(node)
