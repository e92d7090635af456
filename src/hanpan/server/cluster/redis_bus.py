"""The way between processes over Redis: one channel for each process and one for all. Redis keeps nothing."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress

from redis.asyncio import Redis
from redis.exceptions import RedisError

from hanpan.server.cluster.bus import Numbered

log = logging.getLogger("hanpan.server")

_MOST = 500  # messages a round trip
_AGAIN = 0.2  # seconds until Redis is tried again
_SILENT = 2.0  # seconds without an echo until Redis counts as away
_ANSWER = 2.0  # seconds that Redis may take to answer


class RedisBus(Numbered):
    """Messages by Redis's publish and subscribe. While Redis is away, what was to be sent is lost; the numbers tell the receivers when it is back.

    A process hears its own broadcasts too: as long as they come back, messages pass in both directions.
    """

    def __init__(self, node: str, url: str, prefix: str) -> None:
        super().__init__(node)
        self._prefix = prefix
        self._client = Redis.from_url(url, socket_timeout=_ANSWER, socket_connect_timeout=_ANSWER)
        self._listening = Redis.from_url(url, socket_connect_timeout=_ANSWER)
        self._running: list[asyncio.Task[None]] = []
        self._echoed_at = time.monotonic()
        self.here = False  # whether messages pass
        self.changed: Callable[[bool], None] = lambda here: None  # told when that changes

    async def open(self) -> None:
        """Begin to listen and to send; ConnectionError if there is no Redis."""
        try:
            await self._client.ping()
        except (RedisError, OSError) as wrong:
            raise ConnectionError(f"redis: nobody answers at this address ({wrong})") from None
        self._running = [asyncio.create_task(work(), name=f"bus {work.__name__}") for work in (self._listen, self._send, self._echo)]
        for _ in range(200):
            if self.here:
                return
            await asyncio.sleep(0.025)
        raise ConnectionError("redis: messages do not pass")

    async def close(self) -> None:
        """Send what waits, and stop."""
        for _ in range(100):
            if not self.queue or not self.here:
                break
            await asyncio.sleep(0.01)
        self.here = False  # it is not Redis that goes
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
        await self._client.aclose()
        await self._listening.aclose()

    def own(self) -> None:
        """A broadcast of one's own has come back."""
        self._echoed_at = time.monotonic()
        self._stand(True)

    def _stand(self, here: bool) -> None:
        if here != self.here:
            self.here = here
            log.log(logging.INFO if here else logging.WARNING, "redis %s", "is there" if here else "is away")
            self.changed(here)

    async def _listen(self) -> None:
        while True:
            pubsub = self._listening.pubsub()
            try:
                await pubsub.subscribe(f"{self._prefix}:{self.node}", f"{self._prefix}:all")
                began = time.monotonic()
                while time.monotonic() - max(began, self._echoed_at) < _SILENT:
                    message = await pubsub.get_message(ignore_subscribe_messages=True, timeout=_SILENT / 4)
                    if message is not None:
                        await self.take(message["data"])
            except (RedisError, OSError, TimeoutError):
                pass
            finally:
                self._stand(False)
                with suppress(RedisError, OSError, TimeoutError):
                    await pubsub.aclose()  # type: ignore[no-untyped-call]
            await asyncio.sleep(_AGAIN)

    async def _send(self) -> None:
        while True:
            await self.filled.wait()
            self.filled.clear()
            while self.queue:
                group = [self.queue.popleft() for _ in range(min(_MOST, len(self.queue)))]
                try:
                    async with self._client.pipeline(transaction=False) as pipe:
                        for channel, message in group:
                            pipe.publish(f"{self._prefix}:{channel}", message)
                        await pipe.execute()
                except (RedisError, OSError, TimeoutError):
                    self._stand(False)
                    self.queue.clear()
                    await asyncio.sleep(_AGAIN)

    async def _echo(self) -> None:
        """Signs of life, that come back to oneself and tell the others how much they should have heard."""
        while True:
            self.broadcast("echo", {"counts": self.counts()})
            await asyncio.sleep(_SILENT / 4)
