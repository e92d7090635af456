"""How many moves a server takes, and how fast the other one sees them; beside boardgame.io under the same loop.

    pip install -e '.[benchmark]' && python tools/node.py npm ci --prefix benchmarks/peers
    python benchmarks/load.py [--tables 200] [--seconds 8] [--rounds 3] [--beside ANOTHER_WORKING_TREE]

This process plays both seats at all tables; each server is a process of its own: `hanpan serve` (SQLite, every move committed before it is acknowledged),
once for people who are told in full and once for people who are told briefly (a `ply`), boardgame.io keeping its matches in memory, and boardgame.io
keeping them in files. All play Kulami. They are loaded in turns, again and again, so that whatever else the machine is doing disturbs them alike. "As fast as
they can" is a closed loop: whoever is to move does so at once; then so many moves a second are planned beforehand, spread over all tables. Latency: from the
planned moment to the opponent's `board info` or `ply` (boardgame.io: `update`).
`--beside FOLDER` loads the server of another working tree in the same run, in turns with this one's, instead of boardgame.io: the last line is the ratio.
With `--brief` people are told briefly at both, and boardgame.io plays in memory beside them.
"""

import argparse
import asyncio
import contextlib
import os
import platform
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

import aiohttp
import uvloop
from load_clients import BriefServer, OurServer, Peer, Seated
from processes import cpu, kilobytes

from hanpan.client.load.figures import Figures
from hanpan.client.load.table import Pace, Planned, Thinking

ROOT = Path(__file__).parent.parent
sys.path.append(str(ROOT / "tools"))

import node  # noqa: E402
from ports import free_port  # noqa: E402


class Stuck(Exception):
    """A server that does not answer."""


class Server:
    """One server process and everybody at it."""

    def __init__(self, name, command, clients, port, env=None):
        self.name, self.port = name, port
        self.process = subprocess.Popen([*map(str, command)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=env)
        self.clients = clients(f"http://127.0.0.1:{port}")
        self.figures, self.tables = Figures(), []
        self.memory = {}
        self.fast, self.costs, self.paced, self.bytes = [], [], [], []  # moves a second; processor time a move; (moves a second, p50, p99); bytes a move, seat

    def wait(self):
        """Until it answers."""
        for _ in range(6000):
            with contextlib.suppress(OSError, urllib.error.HTTPError), urllib.request.urlopen(f"http://127.0.0.1:{self.port}/", timeout=5):
                return
            if self.process.poll() is not None:
                raise SystemExit(f"{self.name} did not start")
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.1)

    def cpu(self):
        """Seconds of processor time that the process and its threads have used."""
        return cpu(self.process.pid)

    def kilobytes(self):
        """Its memory now."""
        return kilobytes(self.process.pid)

    async def fill(self, session, tables):
        """Open rooms, let people in, begin: what each of the three costs in memory."""
        await self.open(session, 1)  # whatever is needed only once
        before = self.kilobytes()
        rooms = await self.clients.open(session, tables)
        opened = self.kilobytes()
        self.tables = [Seated(number, self.figures) for number in range(tables)]
        for table, room in zip(self.tables, rooms, strict=True):
            await self.clients.enter(session, table, room)
        entered = self.kilobytes()
        for table in self.tables:
            self.clients.begin(table)
            await asyncio.sleep(0.005)
        await self.all_wait()
        self.memory = {
            "connection": (entered - opened) / (2 * tables),
            "table": (opened - before + self.kilobytes() - entered) / tables,
            "both": (self.kilobytes() - before) / tables,
        }

    async def open(self, session, tables):
        """Some tables that play for a moment and are gone again."""
        some = [Seated(-1 - number, Figures()) for number in range(tables)]
        for table, room in zip(some, await self.clients.open(session, tables), strict=True):
            await self.clients.enter(session, table, room)
            table.set_pace(Thinking(0.0))
            self.clients.begin(table)
        await asyncio.sleep(2)
        await self.leave(some)

    async def leave(self, tables):
        """Everybody at these tables goes."""
        for table in tables:
            table.close()
            for seat in table.seats:
                seat.end()
                await seat.go()

    async def all_wait(self):
        """Until the last moves are made: then the seat to move waits at every table."""
        for _ in range(600):
            if all(table.waiting for table in self.tables):
                return
            await asyncio.sleep(0.1)
        raise Stuck(f"{self.name}: {sum(not table.waiting for table in self.tables)} tables do not play any more")

    async def play(self, seconds, moves=None):
        """Everybody plays for a while; moves a second, the latencies in milliseconds (p50, p99), and microseconds of processor time a move."""
        pace = Planned(len(self.tables) / moves, asyncio.get_running_loop().time()) if moves else Thinking(0.0)
        for table in self.tables:
            table.set_pace(pace)
        await asyncio.sleep(1.5)
        self.figures.clear()
        began, used = time.perf_counter(), self.cpu()
        await asyncio.sleep(seconds)
        taken, used, accepted = time.perf_counter() - began, self.cpu() - used, self.figures.counts["accepted"]
        waits = self.figures.waits["opponent"]
        p50, p99 = 1000 * waits.at(0.5), 1000 * waits.at(0.99)
        self.bytes.append(self.figures.counts["bytes"] / max(1, accepted) / 2)
        for table in self.tables:
            table.set_pace(Pace())
        await self.all_wait()
        return accepted / taken, p50, p99, 1e6 * used / max(1, accepted)

    async def measure(self, seconds, offered):
        """One round."""
        rate, _, _, cost = await self.play(seconds)
        self.fast.append(rate)
        self.costs.append(cost)
        rate, p50, p99, _ = await self.play(seconds, offered)
        self.paced.append((rate, p50, p99))
        print(
            f"  {self.name:24} {self.fast[-1]:7.0f} moves/s, {cost:5.0f} µs each; at {rate:4.0f}/s p50 {p50:6.1f} ms, p99 {p99:7.1f} ms",
            file=sys.stderr,
            flush=True,
        )

    def stop(self):
        """End it."""
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


# Limits against crowds would slow this one: a server that does not know one of these settings does not read it.
UNLIMITED = {"HANPAN_UNLIMITED_LOCAL": "1", "HANPAN_ROOMS_PER_PERSON": "100000", "HANPAN_EVENTS_PER_SECOND": "100000"}
SERVE = "import sys; from hanpan.cli import main; sys.argv[0] = 'hanpan'; sys.exit(main())"


def ours(name, folder, tree, clients=OurServer):
    """The server of a working tree."""
    port = free_port()
    command = [sys.executable, "-c", SERVE, "serve", "--port", port, "--data", folder / name.replace(" ", "-")]
    return Server(name, command, clients, port, os.environ | UNLIMITED | {"PYTHONPATH": str(tree / "src")})


def servers(folder, beside=None, brief=False):
    clients = BriefServer if brief else OurServer
    yield ours("Hanpan, told briefly" if brief else "Hanpan, SQLite", folder, ROOT, clients)
    if beside is not None:
        yield ours(f"Hanpan in {beside.resolve().name}", folder, beside.resolve(), clients)
        if not brief:
            return
    elif not brief:
        yield ours("Hanpan, told briefly", folder, ROOT, BriefServer)
    ports = [free_port() for _ in range(2)]
    program = ROOT / "benchmarks" / "peers" / "boardgame_io.cjs"
    if node.folder() is None or not (program.parent / "node_modules" / "boardgame.io").exists():
        print("boardgame.io is not installed and is left out", file=sys.stderr)
        return
    yield Server("boardgame.io, memory", ["node", program, ports[0]], Peer, ports[0], node.environment())
    if brief:
        return
    yield Server("boardgame.io, files", ["node", program, ports[1], folder / "files"], Peer, ports[1], node.environment())


async def run(wanted, running):
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector) as session:
        for server in running:
            server.wait()
            await server.fill(session, wanted.tables)
        still = list(running)
        for number in range(wanted.rounds):
            print(f"round {number + 1}, load {os.getloadavg()[0]:.1f}", file=sys.stderr, flush=True)
            for server in list(still) if number % 2 == 0 else still[::-1]:  # whoever is first in one round is last in the next
                try:
                    await server.measure(wanted.seconds, wanted.offered)
                except Stuck as stuck:
                    if server is running[0]:
                        raise
                    print(f"  {stuck}: it is left out from here on", file=sys.stderr)
                    still.remove(server)
        for server in running:
            await server.leave(server.tables)


def show(wanted, running):
    middle = statistics.median
    print(f"{wanted.tables} tables of Kulami, {wanted.rounds} rounds of {wanted.seconds} s (medians); {platform.machine()}, {os.cpu_count()} cores, ", end="")
    print(f"load {os.getloadavg()[0]:.1f} at the end")
    widths = {
        "moves/s": 9,
        "µs CPU each": 12,
        "at": 6,
        "p50 ms": 8,
        "p99 ms": 8,
        "bytes a seat": 13,
        "KB a table": 11,
        "KB a connection": 16,
        "KB a table with two": 20,
    }
    print(" " * 24, *(f"{name:>{width}}" for name, width in widths.items()))
    running = [server for server in running if server.paced]
    for server in running:
        paced = [middle(column) for column in zip(*server.paced, strict=True)]
        memory = server.memory
        numbers = f"{middle(server.fast):>9.0f} {middle(server.costs):>12.0f} {paced[0]:>6.0f} {paced[1]:>8.1f} {paced[2]:>8.1f} {middle(server.bytes):>13.0f}"
        print(f"{server.name:24} {numbers} {memory['table']:>11.0f} {memory['connection']:>16.0f} {memory['both']:>20.0f}")
    for number, peer in enumerate(running[1:], 1):
        for own in running[:number] if peer.name.startswith("boardgame") else running[:1]:
            if own.name.startswith("boardgame"):
                continue
            ratios = [mine / yours for mine, yours in zip(own.fast, peer.fast, strict=False)]
            told = ", ".join(f"{ratio:.2f}" for ratio in ratios)
            cost = middle(peer.costs) / middle(own.costs)
            print(f"{own.name} : {peer.name}: {middle(ratios):.2f} times the moves/s (in each round: {told}); by processor time a move {cost:.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--offered", type=int, default=500, help="moves a second offered, for the latencies")
    parser.add_argument("--only-ours", action="store_true")
    parser.add_argument("--beside", type=Path, metavar="FOLDER", help="another working tree, whose server is loaded in turns with this one's")
    parser.add_argument("--brief", action="store_true", help="people are told briefly at all of ours, beside boardgame.io in memory")
    wanted = parser.parse_args()
    running = []
    with tempfile.TemporaryDirectory() as folder:
        try:
            for server in servers(Path(folder), wanted.beside, wanted.brief):
                running.append(server)
                if wanted.only_ours:
                    break
            uvloop.run(run(wanted, running))
            show(wanted, running)
        finally:
            for server in running:
                server.stop()


if __name__ == "__main__":
    main()
