"""Honest people at a server that is attacked: `python honest.py URL TABLES MOVES` plays Kulami, so many moves a second in all, until its input ends.

A process of its own, so that what it measures is the server's slowness and not the attacker's. It prints one line for each move,
`move WHEN SECONDS` (from sending `play` to the opponent's `board info`), for each newcomer at the door, `door WHEN SECONDS`, and `late WHEN SECONDS` when
this process itself came too late to anything: that is no slowness of the server's.
"""

import asyncio
import sys
import time
from contextlib import suppress

import aiohttp
import uvloop

from hanpan.client.load.histogram import Histogram
from hanpan.client.load.plan import Plan
from hanpan.client.load.run import Load

ADDRESS = "198.51.100.1"  # where they are at home
KNOCK = 0.5  # seconds between two newcomers
TICK, LATE = 0.005, 0.005  # seconds


def told(kind, seconds):
    print(f"{kind} {time.time():.4f} {seconds:.5f}", flush=True)


class Told(Histogram):
    """Latencies that are printed, and not kept."""

    def add(self, seconds):
        told("move", seconds)


async def knock(url):
    """Newcomers ask, one after the other, each with a connection of its own."""
    while True:
        began = time.perf_counter()
        with suppress(aiohttp.ClientError, TimeoutError, OSError):
            async with aiohttp.ClientSession(headers={"X-Forwarded-For": ADDRESS}) as session, session.get(f"{url}/healthz") as answer:
                await answer.read()
        told("door", time.perf_counter() - began)
        await asyncio.sleep(KNOCK)


async def tick():
    """See how late we are ourselves."""
    while True:
        began = time.perf_counter()
        await asyncio.sleep(TICK)
        late = time.perf_counter() - began - TICK
        if late > LATE:
            told("late", late)


async def play(url, tables, moves):
    """Play until nobody listens any more."""
    async with Load(Plan((url,), "kulami", tables, rate=moves, planned=True), headers={"X-Forwarded-For": ADDRESS}) as load:
        load.figures.waits["opponent"] = Told()
        await load.open()
        while not all(table.waiting for table in load.tables):
            await asyncio.sleep(0.05)
        load.set_pace(load.usual_pace())
        beside = [asyncio.create_task(knock(url)), asyncio.create_task(tick())]
        print("ready", flush=True)
        ended = asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
        while not ended.done() and not load.figures.counts["lost"]:
            await asyncio.wait([ended], timeout=0.2)
        for task in beside:
            task.cancel()
        if not ended.done():
            print("thrown-out", flush=True)
            await ended


if __name__ == "__main__":
    uvloop.run(play(sys.argv[1], int(sys.argv[2]), float(sys.argv[3])))
