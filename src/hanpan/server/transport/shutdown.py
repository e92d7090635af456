"""How a server stops: its rooms go to other processes where there are any, everyone is told to come back, and what was begun is finished."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from hanpan.server.protocol.messages import ComeBack
from hanpan.server.protocol.refusals import Refused
from hanpan.server.rooms.outbox import Outbox

COME_BACK_MS = 2000  # when to come back after a stop
_ELSEWHERE_MS = 50  # the same, where another process is there already


class UnderWay:
    """Requests that are under way; none begins any more once it is `closed`."""

    __slots__ = ("closed", "number")

    def __init__(self) -> None:
        self.closed, self.number = False, 0

    def __enter__(self) -> None:
        if self.closed:
            raise Refused("closing")
        self.number += 1

    def __exit__(self, *how: object) -> None:
        self.number -= 1


class Shutdown:
    """Whether we are about to stop, and what is still under way. `hand_over` gives what there is to other processes, and says whether there are any."""

    def __init__(self, outbox: Outbox, hand_over: Callable[[], Awaitable[bool]]) -> None:
        self._outbox, self._hand_over = outbox, hand_over
        self._stopping = False
        self.under_way = UnderWay()

    @property
    def begun(self) -> bool:
        """Whether nothing new is begun any more."""
        return self.under_way.closed

    async def begin(self) -> None:
        """We are about to stop: everyone is told to come back, and requests that are under way are still answered."""
        if self._stopping:
            return
        self._stopping = True
        others = await self._hand_over()
        self.under_way.closed = True
        await self._outbox.to_all("come back", ComeBack(after_ms=_ELSEWHERE_MS if others else COME_BACK_MS))
        for _ in range(200):
            await asyncio.sleep(0.01)
            if not self.under_way.number and self._outbox.all_sent():
                return
