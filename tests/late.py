"""A slow network, for a hunt: with `--late` every connection of the Python client hears what it is told up to a fifth of a second late, in order.

What is red then looks at something before it can have heard of it: the test, or the client. How late follows from the test's name, so that it is red again.
"""

import asyncio
import random

from hanpan.client import connection

SECONDS = (0.0, 0.02, 0.1, 0.2)


class Late:
    """Makes every connection late, in each test by other times."""

    def __init__(self):
        self._dice = random.Random()
        connection.Io._handle_eio_message = self._later(connection.Io._handle_eio_message)

    def pytest_runtest_setup(self, item):
        self._dice.seed(item.nodeid)

    def _later(self, hear):
        async def heard_in_order(io):
            now = asyncio.get_running_loop().time
            while True:
                due, message = await io.unheard.get()
                await asyncio.sleep(due - now())
                await hear(io, message)

        async def hear_later(io, message):
            if not hasattr(io, "unheard"):
                io.unheard, io.seconds = asyncio.Queue(), self._dice.choice(SECONDS)
                io.hearing = asyncio.create_task(heard_in_order(io))
            io.unheard.put_nowait((asyncio.get_running_loop().time() + io.seconds, message))

        return hear_later
