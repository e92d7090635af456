"""Requests one after the other: in each turn of the event loop one is begun, so that moves need not wait for a crowd; addresses take turns."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque

AT_ONCE = 32  # requests of one address that are under way; its others wait


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
