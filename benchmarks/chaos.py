"""Breaks a server in all ways while people play there, and lets the history checker decide whether anything was lost, doubled or told wrongly.

    python benchmarks/chaos.py --processes 3 --rounds 20 --kills 10 --freezes 1 --databases 1 --redises 1 --tables 10 --folder chaos

Each round begins on fresh data: people play (with spectators, chat and drop-outs), and meanwhile a process of the cluster is killed (SIGKILL) and started
again, or stopped for a while (SIGSTOP) and continued, or PostgreSQL or Redis restarts, at random moments. Then everything that everybody sent and was told
is checked against what is stored. A round's history and its row stay in the folder; after an interruption (Ctrl-C) the same command goes on with the round
that was not finished. The exit status is 1 if a round could not be explained.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import signal
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Protocol

import uvloop
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

ROOT = Path(__file__).parent.parent
sys.path += [str(ROOT / "tests" / "server"), str(ROOT / "tests" / "toy")]

from databases import PostgreSQL, Redis  # noqa: E402
from serving import ServerProcess  # noqa: E402

from hanpan.cli.loading import stored  # noqa: E402
from hanpan.cli.options import make_game  # noqa: E402
from hanpan.client.load.check import check  # noqa: E402
from hanpan.client.load.history import History, read_history  # noqa: E402
from hanpan.client.load.plan import Plan  # noqa: E402
from hanpan.client.load.run import Load  # noqa: E402
from hanpan.client.load.show import show_verdict  # noqa: E402
from hanpan.client.load.truth import spoken_of  # noqa: E402

console, stderr = Console(), Console(stderr=True)


class Cluster(Protocol):
    """The processes of a server, numbered from 0."""

    urls: tuple[str, ...]
    database: str  # its address, for the checker

    def start(self, number: int) -> None:
        """Start a process (again); it answers when this returns."""

    def kill(self, number: int) -> None:
        """SIGKILL."""

    def stop(self, number: int) -> None:
        """SIGSTOP: it does nothing any more, and nobody is told."""

    def cont(self, number: int) -> None:
        """SIGCONT."""

    def close(self) -> None:
        """End all of them."""


class OneProcess:
    """A single server with SQLite."""

    def __init__(self, data: Path) -> None:
        self._server = ServerProcess(data, patience=600.0)  # where leaving is resigning, nobody has left who is slow to come back
        self.urls, self.database = (self._server.url,), f"sqlite:///{data / 'hanpan.db'}"

    def start(self, number: int) -> None:
        self._server.start()

    def kill(self, number: int) -> None:
        self._server.kill()

    def stop(self, number: int) -> None:
        self._server.process.send_signal(signal.SIGSTOP)

    def cont(self, number: int) -> None:
        self._server.process.send_signal(signal.SIGCONT)

    def close(self) -> None:
        self._server.stop()


class ManyProcesses:
    """Several processes on one PostgreSQL and one Redis of their own."""

    def __init__(self, data: Path, number: int) -> None:
        self.postgresql, self.redis = PostgreSQL(), Redis()
        self.database = self.postgresql.url(self.postgresql.fresh())
        self._servers = []
        for each in range(number):
            folder = data / f"process{each}"
            folder.mkdir()
            self._servers.append(ServerProcess(folder, patience=600.0, database=self.database, redis=self.redis.url))
        self.urls = tuple(server.url for server in self._servers)

    def start(self, number: int) -> None:
        self._servers[number].start()

    def kill(self, number: int) -> None:
        self._servers[number].kill()

    def stop(self, number: int) -> None:
        self._servers[number].process.send_signal(signal.SIGSTOP)

    def cont(self, number: int) -> None:
        self._servers[number].process.send_signal(signal.SIGCONT)

    def close(self) -> None:
        for server in self._servers:
            server.kill()
        self.redis.close()
        self.postgresql.close()


Harm = Callable[[], Awaitable[None]]  # something that happens to the cluster, and is over when it returns


class Harms:
    """What can happen to the processes of a cluster."""

    def __init__(self, cluster: Cluster, dice: random.Random, down: float, still: float) -> None:
        self._cluster, self._dice, self._down, self._still = cluster, dice, down, still

    async def kill(self) -> None:
        """A process dies, and is started again after a while."""
        number = self._dice.randrange(len(self._cluster.urls))
        self._cluster.kill(number)
        await asyncio.sleep(self._dice.random() * self._down)
        await asyncio.to_thread(self._cluster.start, number)

    async def freeze(self) -> None:
        """A process stands still, and goes on as if nothing had been."""
        number = self._dice.randrange(len(self._cluster.urls))
        self._cluster.stop(number)
        await asyncio.sleep(self._still)
        self._cluster.cont(number)

    async def restart_database(self) -> None:
        """PostgreSQL falls, as by a power cut, and comes back."""
        await self._restart(self._cluster.postgresql, signal.SIGQUIT)

    async def restart_redis(self) -> None:
        """Redis falls, forgets everything and comes back."""
        await self._restart(self._cluster.redis, signal.SIGKILL)

    async def _restart(self, part: PostgreSQL | Redis, number: int) -> None:
        await asyncio.to_thread(part.stop, number)
        await asyncio.sleep(self._dice.random() * self._down)
        await asyncio.to_thread(part.start)


async def one_round(cluster: Cluster, plan: Plan, path: Path, harms: list[Harm], dice: random.Random, longest: float, done: Callable[[int], None]) -> Load:
    """Play while all this happens, each at a random moment after the tables have got on; what was measured."""
    history = History(path)
    async with Load(plan, history) as load:
        await load.open()
        load.set_pace(load.usual_pace())
        load.disturb()
        began = time.perf_counter()
        for number, harm in enumerate(harms):
            await got_on(load)
            await asyncio.sleep(dice.random() * longest)
            await harm()
            done(number + 1)
        await got_on(load)
        load.took = time.perf_counter() - began
        await load.stop()
    history.close()
    return load


async def got_on(load: Load) -> None:
    """Wait until the tables have played some more."""
    before = load.figures.counts["accepted"]
    while load.figures.counts["accepted"] < before + load.plan.tables:
        for person in load.people:
            person.check()
        await asyncio.sleep(0.02)


def run(number: int, wanted: argparse.Namespace, progress: Progress) -> dict[str, object]:
    """One round, and what is found."""
    dice, chosen, path = random.Random(f"{wanted.seed} {number}"), make_game(wanted.game, wanted.option), wanted.folder / f"round-{number}.jsonl"
    task = progress.add_task(f"round {number}", total=wanted.kills + wanted.freezes + wanted.databases + wanted.redises)
    with tempfile.TemporaryDirectory() as data:
        cluster = OneProcess(Path(data)) if wanted.processes == 1 else ManyProcesses(Path(data), wanted.processes)
        try:
            for each in range(len(cluster.urls)):
                cluster.start(each)
            plan = Plan(
                cluster.urls, chosen.name, wanted.tables, dict(chosen.options), wanted.rate, watchers=wanted.watchers, chat=30, drop_outs=wanted.drop_outs,
                seed=number,
            )  # fmt: skip
            happens = Harms(cluster, dice, wanted.down, wanted.still)
            harms = [*[happens.kill] * wanted.kills, *[happens.freeze] * wanted.freezes]
            harms += [*[happens.restart_database] * wanted.databases, *[happens.restart_redis] * wanted.redises]
            dice.shuffle(harms)
            load = uvloop.run(one_round(cluster, plan, path, harms, dice, wanted.longest, lambda done: progress.update(task, completed=done)))
            events = list(read_history(path))
            verdict = check(events, uvloop.run(stored(cluster.database, *spoken_of(events))))
        finally:
            cluster.close()
    progress.remove_task(task)
    show_verdict(console, path.name, verdict)
    waits = {name: load.figures.waits[name].json() for name in ("acknowledged", "opponent", "reconnect")}
    harmed = {"kills": wanted.kills, "freezes": wanted.freezes, "restarts": wanted.databases + wanted.redises}
    return {"round": number, **harmed, "holds": verdict.holds, **verdict.counts, "waits": waits}


def show(rows: list[dict]) -> None:
    """All rounds."""
    columns = ("round", "kills", "freezes", "restarts", "games", "actions", "acknowledged", "holds")
    table = Table(*columns, "seen p99 ms", "max", "again p99", "max", box=None)
    for row in rows:
        waits = row["waits"]
        numbers = [waits[name][part] for name in ("opponent", "reconnect") for part in ("p99_ms", "max_ms")]
        table.add_row(*(str(row[name]) for name in columns), *(f"{number:,.0f}" for number in numbers))
    console.print(table)
    kills, wrong = sum(row["kills"] for row in rows), sum(not row["holds"] for row in rows)
    console.print(f"{len(rows)} rounds, {kills} kills, {sum(row['acknowledged'] for row in rows):,} actions acknowledged, {wrong} rounds not explained")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--kills", type=int, default=10, help="in each round")
    parser.add_argument("--freezes", type=int, default=0, help="in each round: SIGSTOP, and SIGCONT after --still seconds")
    parser.add_argument("--processes", type=int, default=1, help="one with SQLite, or more with PostgreSQL and Redis")
    parser.add_argument("--databases", type=int, default=0, help="restarts of PostgreSQL in each round")
    parser.add_argument("--redises", type=int, default=0, help="restarts of Redis in each round")
    parser.add_argument("--still", type=float, default=10.0, metavar="SECONDS")
    parser.add_argument("--down", type=float, default=1.0, metavar="SECONDS", help="that a killed process stays away, at most")
    parser.add_argument("--longest", type=float, default=2.0, metavar="SECONDS", help="between two of these things, at most, once the tables have got on")
    parser.add_argument("--game", default="kulami")
    parser.add_argument("-o", "--option", action="append", metavar="KEY=VALUE")
    parser.add_argument("--tables", type=int, default=10)
    parser.add_argument("--rate", type=float, help="actions a second in all; as many as can be if left out")
    parser.add_argument("--watchers", type=int, default=1)
    parser.add_argument("--drop-outs", type=float, default=30.0, help="connections a minute that are cut and come back")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=Path("chaos"), help="histories, and the rows of finished rounds")
    wanted = parser.parse_args()
    if wanted.processes == 1 and (wanted.databases or wanted.redises):
        parser.error("--databases, --redises: one process has neither PostgreSQL nor Redis; use --processes 3")
    wanted.folder.mkdir(parents=True, exist_ok=True)
    kept = wanted.folder / "rounds.jsonl"
    rows = [json.loads(line) for line in kept.read_text().splitlines()] if kept.exists() else []
    with Progress(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=stderr) as progress:
        rounds = progress.add_task("rounds", total=wanted.rounds, completed=len(rows))
        try:
            for number in range(len(rows), wanted.rounds):
                rows.append(run(number, wanted, progress))
                with kept.open("a") as file:
                    file.write(json.dumps(rows[-1]) + "\n")
                progress.update(rounds, completed=len(rows))
        except KeyboardInterrupt:
            console.print(f"interrupted; the same command goes on with round {len(rows)}")
    show(rows)
    return 1 if any(not row["holds"] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
