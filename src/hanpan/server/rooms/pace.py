"""Whoever waits gets a turn: so many at once of anything; and of requests one in each turn of the event loop, so that no move waits for a crowd."""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable

AT_ONCE = 32  # requests of one address that are under way; its others wait
HALF = 60.0  # seconds after which what someone has used counts half
_MOST = 1000  # of those who have used something, until they are forgotten who have used next to nothing
_LITTLE = 0.01  # seconds


class FairSemaphore:
    """So many at once. Of those who wait, whoever has used least lately comes first; of those who have used the same, each gets a turn after the others,
    however many turns each of them wants. `whose` may say more than one thing, the larger first (an address, then a person there): first the addresses share,
    then the people of each."""

    __slots__ = ("_free", "_now", "_used", "_waiting")

    def __init__(self, at_once: int, now: Callable[[], float] = time.monotonic) -> None:
        self._free, self._now = at_once, now
        self._waiting: dict[tuple[str, ...], deque[asyncio.Future[None]]] = {}  # of those who have used the same, whoever comes next stands first
        self._used: dict[tuple[str, ...], tuple[float, float]] = {}  # seconds, as they counted at a moment

    async def take(self, *whose: str) -> None:
        """Wait for a turn."""
        if self._free:
            self._free -= 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(whose, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.give()  # it had just become ours
            raise

    def give(self, *whose: str, seconds: float = 0.0) -> None:
        """A turn is over, which took someone so long: someone else's begins."""
        if seconds:
            self._charge(whose, seconds)
        while self._waiting:
            first = self._first()
            turns = self._waiting.pop(first)
            turn = turns.popleft()
            if turns:
                self._waiting[first] = turns
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1

    def _first(self) -> tuple[str, ...]:
        if not self._used:
            return next(iter(self._waiting))
        now = self._now()
        return min(self._waiting, key=lambda whose: [self._lately(whose[:length], now) for length in range(1, len(whose) + 1)])

    def _charge(self, whose: tuple[str, ...], seconds: float) -> None:
        now = self._now()
        if len(self._used) > _MOST:
            self._used = {each: used for each, used in self._used.items() if self._lately(each, now) > _LITTLE}
        for length in range(1, len(whose) + 1):
            self._used[whose[:length]] = self._lately(whose[:length], now) + seconds, now

    def _lately(self, whose: tuple[str, ...], now: float) -> float:
        """The seconds that someone has used: what was used a while ago counts half."""
        used, at = self._used.get(whose, (0.0, now))
        return used * math.exp2((at - now) / HALF)


class Pace:
    """Whoever wants to begin something, by address."""

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self._at_once = at_once
        self._under_way: Counter[str] = Counter()
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()  # whoever comes next stands first
        self._pacing = False  # something was begun in this turn of the loop

    async def enter(self, address: str, counted: bool = True) -> None:
        """Wait for the moment to begin. What is counted is over with `leave`."""
        if not self._pacing and not self._waiting and not (counted and self._under_way[address] >= self._at_once):
            if counted:
                self._under_way[address] += 1
            self._go_on()
            return
        moment = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(address, deque()).append(moment)
        self._go_on()
        try:
            await moment
        except asyncio.CancelledError:
            if moment.done() and not moment.cancelled():
                self.leave(address)
            raise
        if not counted:
            self.leave(address)

    def leave(self, address: str) -> None:
        """It is over."""
        self._under_way[address] -= 1
        if self._under_way[address] <= 0:
            del self._under_way[address]
        if self._waiting:
            self._go_on()

    def _go_on(self) -> None:
        if not self._pacing:
            self._pacing = True
            asyncio.get_running_loop().call_soon(self._next)

    def _next(self) -> None:
        self._pacing = False
        for address in list(self._waiting):
            if self._under_way[address] >= self._at_once:
                continue
            moments = self._waiting.pop(address)
            while moments and moments[0].done():  # someone who has gone
                moments.popleft()
            if not moments:
                continue
            moments.popleft().set_result(None)
            self._under_way[address] += 1
            if moments:
                self._waiting[address] = moments  # behind the others
            self._go_on()
            return
