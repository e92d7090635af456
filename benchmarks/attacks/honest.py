"""Honest people at a server that is attacked: `python honest.py URL TABLES MOVES` plays Kulami, so many moves a second in all, until its input ends.

A process of its own, so that what it measures is the server's slowness and not the attacker's. It prints one line for each move,
`move WHEN SECONDS` (from sending `play` to the opponent's `board info`), for each newcomer at the door, `door WHEN SECONDS`, and `late WHEN SECONDS` when
this process itself came too late to anything: that is no slowness of the server's.
"""

import asyncio
import sys
import time
from contextlib import suppress
from pathlib import Path

import aiohttp
import uvloop

sys.path.insert(0, str(Path(__file__).parents[1]))

from load_clients import Loop, OurServer, Table

ADDRESS = "198.51.100.1"  # where they are at home
KNOCK = 0.5  # seconds between two newcomers
TICK, LATE = 0.005, 0.005  # seconds


def told(kind, seconds):
    print(f"{kind} {time.time():.4f} {seconds:.5f}", flush=True)


class Told(list):
    """Latencies that are printed, and not kept."""

    def append(self, seconds):
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
    loop = Loop(latencies=Told())
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0), headers={"X-Forwarded-For": ADDRESS}) as session:
        server = OurServer(url)
        seated = [Table(number, loop) for number in range(tables)]
        for table, room in zip(seated, await server.open(session, tables), strict=True):
            await server.enter(session, table, room)
            server.begin(table)
        while not all(table.waiting for table in seated):
            await asyncio.sleep(0.05)
        loop.interval = tables / moves
        for table in seated:
            table.begin()
        beside = [asyncio.create_task(knock(url)), asyncio.create_task(tick())]
        print("ready", flush=True)
        ended = asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
        gone = [seat.listening for table in seated for seat in table.seats]
        done, _ = await asyncio.wait([ended, *gone], return_when=asyncio.FIRST_COMPLETED)
        for task in beside:
            task.cancel()
        if ended not in done:
            print("thrown-out", flush=True)
            await ended


if __name__ == "__main__":
    uvloop.run(play(sys.argv[1], int(sys.argv[2]), float(sys.argv[3])))
