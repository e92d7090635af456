"""Computer players of many processes: what is to be thought of is a queue that any process, or a worker on another machine, takes from."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

import orjson

from hanpan.game import State, game
from hanpan.server.cluster.bus import Body, Bus
from hanpan.server.faults import log_fault

_AGAIN = 0.5  # seconds until a queue that is away is tried again


class Jobs(Protocol):
    """A queue that all processes share. What is in it may be lost."""

    async def put(self, job: bytes) -> None:
        """One more; ConnectionError if it is away."""

    async def take(self) -> bytes | None:
        """The oldest, or None after a while without any; ConnectionError if it is away."""


Think = Callable[[State, int], Awaitable[str]]  # the action of a player of that level, who knows only this view


class ThinkingQueue:
    """Asks others to think, and thinks for others."""

    def __init__(self, bus: Bus, jobs: Jobs, wait: float = 8.0) -> None:
        self._bus, self._jobs, self._wait = bus, jobs, wait  # seconds until whoever asked thinks alone
        self._asked: dict[int, asyncio.Future[str]] = {}
        self._number = 0
        bus.on("thought", self._hear)

    async def ask(self, seen: State, level: int) -> str | None:
        """The action of whoever thinks first; None if nobody does."""
        self._number += 1
        id = self._number
        waiting: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._asked[id] = waiting
        job = {"node": self._bus.node, "id": id, "game": seen.game.name, "options": seen.game.options, "position": str(seen), "seat": seen.seat, "level": level}
        try:
            async with asyncio.timeout(self._wait):
                await self._jobs.put(orjson.dumps(job))
                return await waiting
        except (TimeoutError, ConnectionError):
            return None
        finally:
            del self._asked[id]

    async def _hear(self, sender: str, body: Body) -> None:
        waiting = self._asked.get(body["id"])
        if waiting is not None and not waiting.done():
            waiting.set_result(body["action"])

    async def work(self, think: Think) -> None:
        """For ever: think of what is oldest, one thing at a time."""
        while True:
            try:
                taken = await self._jobs.take()
                if taken is None:
                    continue
                job: dict[str, Any] = orjson.loads(taken)
                seen = await asyncio.to_thread(_read, job)
                self._bus.send(job["node"], "thought", {"id": job["id"], "action": await think(seen, job["level"])})
            except ConnectionError:
                await asyncio.sleep(_AGAIN)
            except Exception as fault:  # whoever asked thinks alone after a while
                log_fault("thinking for another process", fault)


def _read(job: dict[str, Any]) -> State:
    return game(job["game"], **job["options"]).parse(job["position"], job["seat"])
