"""Whom the server deals with next, when many leave in the same moment, or say very much."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable

AT_ONCE = 8  # connections that are heard in one turn of the event loop


class Hearing:
    """A few connections in each turn of the event loop, one address after the other.

    What a move waits for comes back through the loop several times (the lock, the commit, the answer). Where hundreds of windows are closed at once, each of
    those ways would take as long as hearing them all.
    """

    def __init__(self) -> None:
        self._heard = 0  # in this turn
        self._turning = False
        self._waiting: OrderedDict[str, deque[Callable[[], None]]] = OrderedDict()  # address → its connections; whoever is heard next stands first

    def now(self) -> bool:
        """Whether one more may be heard in this turn; then that counts."""
        if self._waiting or self._heard >= AT_ONCE:
            return False
        self._heard += 1
        self._go_on()
        return True

    def later(self, address: str, hear: Callable[[], None]) -> None:
        """Hear a connection when it is that address's turn."""
        self._waiting.setdefault(address, deque()).append(hear)
        self._go_on()

    def _go_on(self) -> None:
        if not self._turning:
            self._turning = True
            asyncio.get_running_loop().call_soon(self._turn)

    def _turn(self) -> None:
        self._turning, self._heard = False, 0
        if self._waiting:
            self._go_on()  # first, so that nobody's fault keeps the others waiting
        while self._waiting and self._heard < AT_ONCE:
            self._heard += 1
            address, those = self._waiting.popitem(last=False)
            hear = those.popleft()
            if those:
                self._waiting[address] = those  # behind the others
            hear()
