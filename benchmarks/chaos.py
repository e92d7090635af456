"""Breaks a server in all ways while people play there, and lets the history checker decide whether anything was lost, doubled or told wrongly.

    python benchmarks/chaos.py --processes 3 --rounds 20 --kills 10 --freezes 1 --databases 1 --redises 1 --flushes 1 --cuts 2 --steps 2 --folder chaos

Each round begins on fresh data: people play (with spectators, chat and drop-outs), and meanwhile, at random moments, a process of the cluster is killed
(SIGKILL) and started again, or stopped for a while (SIGSTOP) and continued; PostgreSQL or Redis restarts; Redis forgets everything; nothing passes between a
process and one of the two for a while (network namespaces, so as root); a process's clock jumps by 5 s; or all are exchanged
one by one, as for a new version. Then everything that everybody sent and was told is
checked against what is stored. A round's history and its row stay in the folder; after an interruption (Ctrl-C) the same command goes on with the round that
was not finished. The exit status is 1 if a round could not be explained.
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

import uvloop
from clusters import Cluster, ManyProcesses, OneProcess, PostgreSQL, Redis
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from hanpan.cli.loading import stored
from hanpan.cli.options import make_game
from hanpan.client.load.check import check
from hanpan.client.load.history import History, read_history
from hanpan.client.load.plan import Plan
from hanpan.client.load.run import Load
from hanpan.client.load.show import show_verdict
from hanpan.client.load.truth import spoken_of

console, stderr = Console(), Console(stderr=True)


Harm = Callable[[], Awaitable[None]]  # something that happens to the cluster, and is over when it returns
HARMS = {
    "kills": "SIGKILL of a process, which is started again",
    "freezes": "SIGSTOP of a process, and SIGCONT after --still seconds",
    "databases": "restarts of PostgreSQL, as by a power cut",
    "redises": "restarts of Redis, which forgets everything",
    "flushes": "times that Redis forgets everything while it runs",
    "cuts": "networks cut for --still seconds between a process and PostgreSQL or Redis",
    "steps": "jumps of a process's clock by 5 s, forward or back",
    "deploys": "rolling ones: each process hands over what it has (SIGTERM) and is started again, one after the other",
}
OF_ONE = ("kills", "freezes")  # those that one process with SQLite can have


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

    async def flush_redis(self) -> None:
        """Redis forgets everything, and nobody is told."""
        await asyncio.to_thread(self._cluster.redis.flush)

    async def cut(self) -> None:
        """Nothing passes between a process and PostgreSQL, or Redis, for a while."""
        number, kind = self._dice.randrange(len(self._cluster.urls)), self._dice.choice(("database", "redis"))
        self._cluster.cables.pull(number, kind)
        await asyncio.sleep(self._still)
        self._cluster.cables.plug(number, kind)

    async def step(self) -> None:
        """A process's clock jumps forward or back, and after a while to where it was."""
        number = self._dice.randrange(len(self._cluster.urls))
        self._cluster.set_clock(number, self._dice.choice((-5000, 5000)))
        await asyncio.sleep(self._dice.random() * self._still)
        self._cluster.set_clock(number, 0)

    async def deploy(self) -> None:
        """All processes are exchanged, one after the other."""
        for number in range(len(self._cluster.urls)):
            await asyncio.to_thread(self._cluster.drain, number)
            await asyncio.to_thread(self._cluster.start, number)

    def named(self, name: str) -> Harm:
        """What the command line calls so."""
        named = {"kills": self.kill, "freezes": self.freeze, "databases": self.restart_database, "redises": self.restart_redis}
        return (named | {"flushes": self.flush_redis, "cuts": self.cut, "steps": self.step, "deploys": self.deploy})[name]


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
    task = progress.add_task(f"round {number}", total=sum(getattr(wanted, name) for name in HARMS))
    with tempfile.TemporaryDirectory() as data:
        cluster = OneProcess(Path(data)) if wanted.processes == 1 else ManyProcesses(Path(data), wanted.processes, wanted.cuts > 0)
        try:
            for each in range(len(cluster.urls)):
                cluster.start(each)
            plan = Plan(
                cluster.urls, chosen.name, wanted.tables, dict(chosen.options), wanted.rate, watchers=wanted.watchers, chat=30, drop_outs=wanted.drop_outs,
                seed=number,
            )  # fmt: skip
            happens = Harms(cluster, dice, wanted.down, wanted.still)
            harms = [happens.named(name) for name in HARMS for _ in range(getattr(wanted, name))]
            dice.shuffle(harms)
            load = uvloop.run(one_round(cluster, plan, path, harms, dice, wanted.longest, lambda done: progress.update(task, completed=done)))
            events = list(read_history(path))
            verdict = check(events, uvloop.run(stored(cluster.database, *spoken_of(events))))
        finally:
            cluster.close()
    progress.remove_task(task)
    show_verdict(console, path.name, verdict)
    waits = {name: load.figures.waits[name].json() for name in ("acknowledged", "opponent", "reconnect")}
    return {"round": number, **{name: getattr(wanted, name) for name in HARMS}, "holds": verdict.holds, **verdict.counts, "waits": waits}


def show(rows: list[dict]) -> None:
    """All rounds."""
    columns = ("round", "games", "actions", "acknowledged", "holds")
    table = Table(*columns, "acknowledged, p99 ms", "max", "seen, p99 ms", "max", "connected again, p99 ms", "max", "what happened", box=None)
    for row in rows:
        waits = row["waits"]
        numbers = [waits[name][part] for name in ("acknowledged", "opponent", "reconnect") for part in ("p99_ms", "max_ms")]
        happened = ", ".join(f"{row[name]} {name}" for name in HARMS if row[name])
        table.add_row(*(str(row[name]) for name in columns), *(f"{number:,.0f}" for number in numbers), happened)
    console.print(table)
    total = {name: sum(row[name] for row in rows) for name in (*HARMS, "acknowledged")}
    told = ", ".join(f"{number:,} {name}" for name, number in total.items() if number)
    console.print(f"{len(rows)} rounds, {told}; {sum(not row['holds'] for row in rows)} rounds not explained")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    for name, meaning in HARMS.items():
        parser.add_argument(f"--{name}", type=int, default=10 if name == "kills" else 0, help=f"in each round: {meaning}")
    parser.add_argument("--processes", type=int, default=1, help="one with SQLite, or more with PostgreSQL and Redis")
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
    if wanted.processes == 1 and any(getattr(wanted, name) for name in HARMS if name not in OF_ONE):
        parser.error(f"one process with SQLite can have --{' and --'.join(OF_ONE)} only; use --processes 3")
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
