"""How a server stops: everyone is told to come back, and what was begun is finished."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from hanpan.server.protocol.messages import ComeBack
from hanpan.server.protocol.refusals import Refused
from hanpan.server.rooms.outbox import Outbox

COME_BACK_MS = 2000  # when to come back after a stop


class Shutdown:
    """Whether we are about to stop, and what is still under way."""

    def __init__(self, outbox: Outbox) -> None:
        self._outbox, self._under_way = outbox, 0
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
        if self.begun:
            return
        self.begun = True
        await self._outbox.to_all("come back", ComeBack(after_ms=COME_BACK_MS))
        for _ in range(200):
            await asyncio.sleep(0.01)
            if not self._under_way and self._outbox.all_sent():
                return
