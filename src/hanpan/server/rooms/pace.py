"""Whoever waits gets a turn: so many at once of anything; and of requests one in each turn of the event loop, so that no move waits for a crowd."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque

AT_ONCE = 32  # requests of one address that are under way; its others wait


class FairSemaphore:
    """So many at once; whoever waits gets a turn after the others who wait, however many turns each of them wants."""

    __slots__ = ("_free", "_waiting")

    def __init__(self, at_once: int) -> None:
        self._free = at_once
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}  # whoever comes next stands first

    async def take(self, whose: str) -> None:
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

    def give(self) -> None:
        """A turn is over: someone else's begins."""
        while self._waiting:
            whose = next(iter(self._waiting))
            turns = self._waiting.pop(whose)
            turn = turns.popleft()
            if turns:
                self._waiting[whose] = turns
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1


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
