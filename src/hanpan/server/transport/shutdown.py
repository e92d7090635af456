"""How a server stops: its rooms go to other processes where there are any, everyone is told to come back, and what was begun is finished."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

from hanpan.server.protocol.messages import ComeBack
from hanpan.server.protocol.refusals import Refused
from hanpan.server.rooms.outbox import Outbox

COME_BACK_MS = 2000  # when to come back after a stop
_ELSEWHERE_MS = 50  # the same, where another process is there already


class Shutdown:
    """Whether we are about to stop, and what is still under way. `hand_over` gives what there is to other processes, and says whether there are any."""

    def __init__(self, outbox: Outbox, hand_over: Callable[[], Awaitable[bool]]) -> None:
        self._outbox, self._hand_over, self._under_way = outbox, hand_over, 0
        self._stopping = False
        self.begun = False

    @contextmanager
    def under_way(self) -> Iterator[None]:
        """A request is under way; refused when we are about to stop."""
        if self.begun:
            raise Refused("closing")
        self._under_way += 1
        try:
            yield
        finally:
            self._under_way -= 1

    async def begin(self) -> None:
        """We are about to stop: everyone is told to come back, and requests that are under way are still answered."""
        if self._stopping:
            return
        self._stopping = True
        others = await self._hand_over()
        self.begun = True
        await self._outbox.to_all("come back", ComeBack(after_ms=_ELSEWHERE_MS if others else COME_BACK_MS))
        for _ in range(200):
            await asyncio.sleep(0.01)
            if not self._under_way and self._outbox.all_sent():
                return
