"""A process that only thinks: computer players for a server of many processes, from this machine."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable

from hanpan.core.compiled import cache_folder
from hanpan.server.cluster.redis_bus import RedisBus, check, prefix_of
from hanpan.server.logs import set_up
from hanpan.server.people.tokens import new_id
from hanpan.server.rooms.bot_pool import BotPool
from hanpan.server.rooms.thinking_queue import ThinkingQueue
from hanpan.server.settings import Settings


def work(settings: Settings, opened: Callable[[], None]) -> None:
    """Think until told to stop; `opened` is called when the queue is there. ValueError where there can be none."""
    if settings.redis is None:
        raise ValueError("redis: a worker takes from the queue of a server of many processes; name its Redis (--redis redis://…)")
    cache_folder()  # one that can't be used is told now
    set_up(settings)
    asyncio.run(_work(settings, settings.redis, opened))


async def _work(settings: Settings, redis: str, opened: Callable[[], None]) -> None:
    try:
        await check(redis)
    except ConnectionError as missing:
        raise ValueError(str(missing)) from None
    bus, pool = RedisBus(new_id(12), redis, prefix_of(settings.database_url)), BotPool(settings.thinkers, quick=True)
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    await bus.open()
    queue = ThinkingQueue(bus, bus.jobs)
    thinking = [asyncio.create_task(queue.work(pool.think)) for _ in range(settings.thinkers)]
    opened()
    await stopped.wait()
    for task in thinking:
        task.cancel()
    pool.close()
    await bus.close()
