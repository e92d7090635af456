"""What a server's memory is used for: a connection, a table, a spectator; and how soon a thousand spectators see a move.

    pip install -e '.[benchmark]' && python tools/node.py npm ci --prefix benchmarks/peers
    python benchmarks/memory.py [--connections 1000 3000] [--tables 1000] [--spectators 998] [--beside ANOTHER_WORKING_TREE] [--json FILE]

Each part has a server of its own, which is a process of its own: `hanpan serve` with SQLite. Memory is what that process holds by itself and its share of what
it has in common with others (Pss, /proc/PID/smaps_rollup), once everybody has been there for a while:

- **connections** of guests who do nothing: in `/`, which tells who one is, and in the lobby, where each has come before the eyes of all the others;
- **tables** of Kulami at which some plies were played and nobody is: one person sat at both sides of each, and went, so that no connection counts;
- **spectators** of one table, told briefly: their memory, the time from the moment when a move is sent to their `ply`, the processor time of a ply;
- **a table with two connections**, beside boardgame.io, which keeps its matches in memory (see benchmarks/load.py).

`--beside FOLDER` measures the server of another working tree in turns with this one's.
"""

import argparse
import asyncio
import json
import os
import platform
import random
import resource
import tempfile
import time
from itertools import pairwise
from pathlib import Path

import aiohttp
import uvloop
from bare_lines import PATIENT, Line
from load import ROOT, ours, servers
from processes import cpu
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table

from hanpan.client.load.histogram import Histogram
from hanpan.client.load.wire import be_guest
from hanpan.game import game

AT_ONCE = 20  # people who come at the same time
SETTINGS = {"HANPAN_ABANDONED_SECONDS": "86400", "HANPAN_PATIENCE": "5", "HANPAN_CONNECTIONS_PER_ADDRESS": "100000"}
UNTIMED = {"game": "kulami", "options": {}, "settings": {"time": {"kind": "none"}, "pause": 0}}
PARTS = ["connections", "tables", "spectators", "pairs"]
PLIES = 6


def long_game(plies):
    """The actions of a game that is not over after so many."""
    for seed in range(1000):
        state, dice, actions = game("kulami").start(), random.Random(seed), []
        while not state.over and len(actions) < plies:
            actions.append(dice.choice(state.legal()))
            state = state.play(actions[-1])
        if not state.over:
            return actions
    raise SystemExit(f"no game of {plies} plies was found")


GAME = long_game(4 * PLIES)


def kilobytes(process):
    """The memory that a process holds by itself, and its share of what it has in common with others."""
    lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("Pss:")).split()[1])


class Measured:
    """One server, and what was measured there."""

    def __init__(self, name, folder, tree, wanted, progress):
        self.wanted, self._progress = wanted, progress
        self.server = ours(name, folder, tree)
        self.url = f"http://127.0.0.1:{self.server.port}"
        self.lines = []

    async def settled(self):
        """Its memory, once nothing has to be done any more for those who came last."""
        await asyncio.sleep(self.wanted.rest)
        return kilobytes(self.server.process.pid)

    async def crowd(self, what, number, one):
        """So many of something, some at a time."""
        task, left = self._progress.add_task(f"{self.server.name}: {what}", total=number), iter(range(number))

        async def some():
            for each in left:
                await one(each)
                self._progress.advance(task)

        await asyncio.gather(*(some() for _ in range(AT_ONCE)))
        self._progress.remove_task(task)

    async def come(self, namespace, told, **auth):
        """One more connection, for as long as this server is measured."""
        line = Line(self.url, namespace)
        everything = line.wait(told)
        await line.open(**auth)
        await everything
        self.lines.append(line)
        return line

    async def played(self, host, token, actions):
        """A new table at which one person plays both sides; their connection to it, and its game."""
        room = (await host.ask("new room", UNTIMED))["id"]
        line = await self.come("/room", "chat history", room=room, token=token, brief=True)
        for seat in (0, 1):
            await line.ask("sit on", {"seat": seat, "local": True})
        began = line.wait("board info")
        await line.ask("set ready", {})
        game_id = line.payload(await began)["game_id"]
        for ply, action in enumerate(actions):
            await line.ask("play", {"ply": ply, "action": action, "game_id": game_id})
        return line, room, game_id

    def gone(self):
        """How many connections have been lost; everybody else goes, too."""
        lost = sum(line.lost for line in self.lines)
        for line in self.lines:
            line.close()
        self.lines.clear()
        return lost


async def hosted(measured, session):
    """Someone in the lobby who opens rooms, and their token."""
    _, token = await be_guest(session, measured.url)
    return await measured.come("/lobby", "info", token=token), token


async def connections(measured, session):
    """Kilobytes of a connection, in each of two places."""
    result = {}
    for namespace, told in (("/", "login info"), ("/lobby", "info")):
        steps = [0, *(measured.wanted.connections if namespace == "/" else measured.wanted.connections[:1])]

        async def one(number, namespace=namespace, told=told):
            token = {} if namespace == "/" else {"token": (await be_guest(session, measured.url))[1]}
            await measured.come(namespace, told, **token)

        await measured.crowd("the first", 20, one)
        held = [await measured.settled()]
        for before, after in pairwise(steps):
            await measured.crowd(f"connections in {namespace}", after - before, one)
            held.append(await measured.settled())
        for (before, after), (less, more) in zip(pairwise(steps), pairwise(held), strict=True):
            result[f"{namespace} {before:,}–{after:,}"] = (more - less) / (after - before)
        assert not measured.gone(), "connections were lost"
        await asyncio.sleep(5)
    return result


async def tables(measured, session):
    """Kilobytes of a table that nobody is at, after few plies and after many."""
    host, token = await hosted(measured, session)
    result = {}
    number = measured.wanted.tables
    for plies in (PLIES, PLIES, 4 * PLIES):  # the first: whatever is needed only once
        before = await measured.settled()

        async def one(each, plies=plies):
            line, *_ = await measured.played(host, token, GAME[:plies])
            measured.lines.remove(line)
            line.close()

        await measured.crowd(f"tables with {plies} plies", number, one)
        result[f"{plies} plies"] = (await measured.settled() - before) / number
    assert not measured.gone(), "a connection was lost"
    return result


async def spectators(measured, session):
    """Kilobytes of a spectator; how long they wait for a ply, and what it costs the server."""
    number, first = measured.wanted.spectators, 20
    host, token = await hosted(measured, session)
    line, room, game_id = await measured.played(host, token, ())
    host.close()
    measured.lines.remove(host)
    waits, sent, heard, all_heard = Histogram(), 0.0, 0, asyncio.Event()

    def hear(event, text, at):
        nonlocal heard
        if event == "ply":
            heard += 1
            waits.add(at - sent)
            if heard == number:
                all_heard.set()

    async def one(each):
        _, guest = await be_guest(session, measured.url)
        (await measured.come("/room", "chat history", room=room, token=guest, brief=True)).hear = hear

    await measured.crowd("the first spectators", first, one)
    before = await measured.settled()
    await measured.crowd("spectators", number - first, one)
    held = (await measured.settled() - before) / (number - first)
    used = cpu(measured.server.process.pid)
    for ply, action in enumerate(GAME):
        heard, sent = 0, time.perf_counter()
        all_heard.clear()
        await line.ask("play", {"ply": ply, "action": action, "game_id": game_id})
        await asyncio.wait_for(all_heard.wait(), PATIENT)
        await asyncio.sleep(0.2)
    used = cpu(measured.server.process.pid) - used
    assert not measured.gone(), "spectators were lost"
    numbers = {"p50 ms": waits.at(0.5), "p99 ms": waits.at(0.99), "max ms": waits.most, "ms of processor time a ply": used / len(GAME)}
    return {"a spectator": held, **{name: 1000 * seconds for name, seconds in numbers.items()}}


async def pairs(server, session, number):
    """Kilobytes of a table with two connections, at any server."""
    server.wait()
    await server.fill(session, number)
    await server.leave(server.tables)
    return server.memory["both"]


async def run(wanted, progress):
    """All of it."""
    results = {}
    trees = {"Hanpan": ROOT, **({f"Hanpan in {wanted.beside.resolve().name}": wanted.beside.resolve()} if wanted.beside else {})}
    with tempfile.TemporaryDirectory() as folder:
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
            for part in (connections, tables, spectators):
                if part.__name__ not in wanted.parts:
                    continue
                for name, tree in trees.items():
                    measured = Measured(f"{name}, {part.__name__}", Path(folder), tree, wanted, progress)
                    try:
                        measured.server.wait()
                        results.setdefault(name, {})[part.__name__] = await part(measured, session)
                    finally:
                        measured.server.stop()
            for server in servers(Path(folder), wanted.beside) if "pairs" in wanted.parts else ():
                try:
                    if "files" not in server.name:
                        results.setdefault(server.name, {})["pairs"] = {"a table with two connections": await pairs(server, session, wanted.pairs)}
                finally:
                    server.stop()
    return results


def show(results):
    table = Table(title=f"KB of memory each ({platform.machine()}, Python {platform.python_version()}, {os.cpu_count()} cores)")
    for heading in ("server", "what", "KB, or ms"):
        table.add_column(heading, justify="right" if heading == "KB, or ms" else "left")
    for name, parts in results.items():
        for part, numbers in parts.items():
            for what, number in numbers.items():
                table.add_row(name, f"{part}: {what}", f"{number:,.1f}")
    Console().print(table)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--connections", type=int, nargs="+", default=[1000, 3000], help="steps in which guests come")
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--spectators", type=int, default=998, help="a room lets in so many beside one at the table")
    parser.add_argument("--pairs", type=int, default=200, help="tables with two connections each, beside boardgame.io")
    parser.add_argument("--rest", type=float, default=15.0, help="seconds until the memory is looked at")
    parser.add_argument("--parts", nargs="+", default=PARTS, choices=PARTS)
    parser.add_argument("--beside", type=Path, metavar="FOLDER", help="another working tree, whose server is measured in turns with this one's")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the numbers there")
    wanted = parser.parse_args()
    os.environ |= SETTINGS
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    with Progress(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), console=Console(stderr=True)) as progress:
        results = uvloop.run(run(wanted, progress))
    show(results)
    if wanted.json is not None:
        wanted.json.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
