"""The way between processes over Redis: one channel for each process and one for all. Redis keeps nothing."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection
from contextlib import suppress
from hashlib import sha256
from itertools import groupby
from operator import itemgetter

from redis.asyncio import Redis
from redis.exceptions import RedisError

from hanpan.server.cluster.bus import Numbered

log = logging.getLogger("hanpan.server")

_MOST = 500  # messages a round trip
_AGAIN = 0.2  # seconds until Redis is tried again
_ECHO = 0.5  # seconds between two signs of life
_SILENT = 4  # times that much without any until Redis counts as away
_OLD = 10  # seconds after which nobody waits for what was to be thought of
_ANSWER = 2.0  # seconds that Redis may take to answer


def prefix_of(database: str) -> str:
    """What the channels of one server begin with: two servers may share one Redis."""
    return f"hanpan:{sha256(database.encode()).hexdigest()[:8]}"


async def check(url: str) -> None:
    """ConnectionError if there is no Redis."""
    client = Redis.from_url(url, socket_timeout=_ANSWER, socket_connect_timeout=_ANSWER)
    try:
        await client.ping()
    except (RedisError, OSError) as wrong:
        raise ConnectionError(f"redis: nobody answers at this address ({wrong})") from None
    finally:
        await client.aclose()


class RedisJobs:
    """A list in Redis that all processes put jobs into and take them from."""

    def __init__(self, url: str, name: str) -> None:
        self._name = name
        self._putting = Redis.from_url(url, socket_timeout=_ANSWER, socket_connect_timeout=_ANSWER)
        self._taking = Redis.from_url(url, socket_timeout=2 * _ANSWER, socket_connect_timeout=_ANSWER)

    async def put(self, job: bytes) -> None:
        """One more; ConnectionError if Redis is away."""
        try:
            async with self._putting.pipeline(transaction=False) as pipe:
                pipe.rpush(self._name, job)
                pipe.expire(self._name, _OLD)
                await pipe.execute()
        except (RedisError, OSError, TimeoutError) as wrong:
            raise ConnectionError(str(wrong)) from None

    async def take(self) -> bytes | None:
        """The oldest, or None after a while without any; ConnectionError if Redis is away."""
        try:
            taken = await self._taking.blpop([self._name], timeout=1)
        except (RedisError, OSError, TimeoutError) as wrong:
            raise ConnectionError(str(wrong)) from None
        if taken is None:
            return None
        job = taken[1]
        return job.encode() if isinstance(job, str) else job

    async def close(self) -> None:
        """Let go of the connections."""
        await self._putting.aclose()
        await self._taking.aclose()


class RedisBus(Numbered):
    """Messages by Redis's publish and subscribe. While Redis is away, what was to be sent is lost; the numbers tell the receivers when it is back.

    A process hears its own broadcasts too: as long as they come back, messages pass in both directions.
    """

    def __init__(self, node: str, url: str, prefix: str) -> None:
        super().__init__(node)
        self._prefix = prefix
        self.jobs = RedisJobs(url, f"{prefix}:think")
        self._client = Redis.from_url(url, socket_timeout=_ANSWER, socket_connect_timeout=_ANSWER)
        self._listening = Redis.from_url(url, socket_connect_timeout=_ANSWER)
        self._running: list[asyncio.Task[None]] = []
        self._closing = False
        self.here = False  # whether messages pass
        self.changed: Callable[[bool], None] = lambda here: None  # told when that changes

    async def open(self) -> None:
        """Begin to listen and to send; ConnectionError if nothing comes back."""
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
        self._closing = True
        while running := [task for task in self._running if not task.done()]:
            for task in running:
                task.cancel()
            await asyncio.wait(running, timeout=_AGAIN)  # redis-py takes some cancellations for time-outs of its own
        await self._client.aclose()
        await self._listening.aclose()
        await self.jobs.close()

    async def hung_up(self, nodes: Collection[str]) -> set[str]:
        """Those whose connection to Redis has ended: a process that sleeps, or that a network has lost, still has one."""
        if not nodes or not self.here:
            return set()
        try:
            told = await self._client.pubsub_numsub(*(f"{self._prefix}:{node}" for node in nodes))
        except (RedisError, OSError, TimeoutError):
            return set()
        return {node for node, (_, listeners) in zip(nodes, told, strict=True) if not listeners}

    def own(self) -> None:
        """A broadcast of one's own has come back."""
        self._stand(True)

    def _stand(self, here: bool) -> None:
        if here != self.here and not self._closing:
            self.here = here
            log.log(logging.INFO if here else logging.WARNING, "redis %s", "is there" if here else "is away")
            self.changed(here)

    async def _listen(self) -> None:
        while True:
            pubsub = self._listening.pubsub()
            try:
                await pubsub.subscribe(f"{self._prefix}:{self.node}", f"{self._prefix}:all")
                silent = 0  # how often nothing came in time, not even an echo; counted, because it may have been us who slept
                while silent < _SILENT:
                    message = await pubsub.get_message(ignore_subscribe_messages=True, timeout=_ECHO)
                    silent = silent + 1 if message is None else 0
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
                        for channel, together in groupby(group, itemgetter(0)):  # one letter costs little more than one message
                            pipe.publish(f"{self._prefix}:{channel}", b"[%b]" % b",".join(message for _, message in together))
                        await pipe.execute()
                except (RedisError, OSError, TimeoutError):
                    self._stand(False)
                    self.queue.clear()
                    await asyncio.sleep(_AGAIN)

    async def _echo(self) -> None:
        """Signs of life, that come back to oneself and tell the others how much they should have heard."""
        while True:
            self.broadcast("echo", {"counts": self.counts()})
            await asyncio.sleep(_ECHO)
