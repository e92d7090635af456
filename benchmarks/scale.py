"""How many actions a second one process takes, and how many two; on one PostgreSQL and one Redis.

    python benchmarks/scale.py [--processes 1,2] [--share 0.25] [--tables 40] [--seconds 15] [--rounds 2]

Each process of the server gets only a share of a core (control groups, so as root): so the server is what is short of time, not this program, PostgreSQL or
Redis, which have the rest of the machine. Several processes are measured twice: with the people of each table *together* at one process, as deploy/nginx.conf
sends them (each room is opened at another one, and comes to them), and *apart*, each at the next process, as a balancer does that knows no rooms. All play as
fast as they can. The rounds of one and of several processes take turns. Where the time goes is printed as processor time an action: of the server's
processes, of PostgreSQL and of Redis.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

import uvloop
from clusters import ManyProcesses
from processes import Share, cpu
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from hanpan.client.load.plan import Plan
from hanpan.client.load.run import Load

console, stderr = Console(), Console(stderr=True)


async def loaded(plan: Plan, cluster: ManyProcesses) -> dict[str, float]:
    """What was measured under this load."""
    async with Load(plan) as load:
        await load.open()
        parts = {"server": cluster.processes(), "PostgreSQL": [cluster.postgresql.process.pid], "Redis": [cluster.redis.process.pid]}
        before = {name: sum(map(cpu, pids)) for name, pids in parts.items()}
        await load.play()
        actions = load.figures.counts["accepted"]
        costs = {name: 1e6 * (sum(map(cpu, pids)) - before[name]) / actions for name, pids in parts.items()}
        return {
            "actions": actions / load.took,
            **costs,
            "p50": 1000 * load.figures.waits["opponent"].at(0.5),
            "p99": 1000 * load.figures.waits["opponent"].at(0.99),
        }


def measured(number: int, together: bool, wanted: argparse.Namespace) -> dict[str, float]:
    """One round with so many processes."""
    with tempfile.TemporaryDirectory() as data:
        cluster, share = ManyProcesses(Path(data), number), None
        try:
            for each in range(number):
                cluster.start(each)
            share = Share(cluster.processes(), wanted.share)
            plan = Plan(cluster.urls, wanted.game, wanted.tables, seconds=wanted.seconds, brief=wanted.brief, together=together)
            return uvloop.run(loaded(plan, cluster))
        finally:
            cluster.close()
            if share is not None:
                share.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--processes", default="1,2", help="how many, separated by commas")
    parser.add_argument("--share", type=float, default=0.25, help="of a core, for each of them")
    parser.add_argument("--game", default="kulami")
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=15.0)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--brief", action="store_true", help="people are told briefly, as pages are that know the game themselves")
    wanted = parser.parse_args()
    numbers = [int(number) for number in wanted.processes.split(",")]
    ways = [(number, together) for number in numbers for together in ((True, False) if number > 1 else (True,))]
    rows: dict[tuple[int, bool], list[dict[str, float]]] = {way: [] for way in ways}
    with Progress(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=stderr) as progress:
        task = progress.add_task("rounds", total=wanted.rounds * len(ways))
        for _ in range(wanted.rounds):
            for way in ways:
                rows[way].append(measured(*way, wanted))
                progress.advance(task)
    table = Table("processes", "people", "actions/s", "ratio", "µs an action: server", "PostgreSQL", "Redis", "seen p50 ms", "p99", box=None)
    first = statistics.median(row["actions"] for row in rows[ways[0]])
    for (number, together), found in rows.items():
        median = {name: statistics.median(row[name] for row in found) for name in found[0]}
        costs = (f"{median[name]:,.0f}" for name in ("server", "PostgreSQL", "Redis", "p50", "p99"))
        table.add_row(str(number), "together" if together else "apart", f"{median['actions']:,.0f}", f"{median['actions'] / first:.2f}", *costs)
    console.print(table)
    console.print(f"each process had {wanted.share:g} of a core")


if __name__ == "__main__":
    sys.exit(main())
