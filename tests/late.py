"""A slow network, for a hunt: with `--late` every connection of the Python client hears what it is told up to a fifth of a second late, in order.

What is red then looks at something before it can have heard of it: the test, or the client. How late follows from the test's name, so that it is red again.
"""

import asyncio
import random
from contextlib import suppress

from hanpan.client import connection

SECONDS = (0.0, 0.02, 0.1, 0.2)


class Late:
    """Makes every connection late, in each test by other times. What was said before a connection ends is heard before it has ended."""

    def __init__(self):
        self._dice = random.Random()
        self._hear, self._end = connection.Io._handle_eio_message, connection.Io._handle_eio_disconnect

        async def hear_later(io, told):
            if not hasattr(io, "unheard"):
                io.unheard, io.ends, io.seconds = asyncio.Queue(), asyncio.Event(), self._dice.choice(SECONDS)
                io.hearing = asyncio.create_task(self._in_order(io))
            io.unheard.put_nowait((asyncio.get_running_loop().time() + io.seconds, told))

        async def end(io, reason):
            if hasattr(io, "unheard"):
                io.ends.set()
                await io.unheard.join()
            await self._end(io, reason)

        connection.Io._handle_eio_message, connection.Io._handle_eio_disconnect = hear_later, end

    def pytest_runtest_setup(self, item):
        self._dice.seed(item.nodeid)

    async def _in_order(self, io):
        while True:
            due, told = await io.unheard.get()
            with suppress(TimeoutError):
                async with asyncio.timeout_at(due):
                    await io.ends.wait()
            io.unheard.task_done()
            await self._hear(io, told)
