"""People play for an hour, come and go; does the server hold more and more?

    python benchmarks/soak.py [--minutes 60] [--tables 60] [--rate 200] [--processes 1] [--folder soak]

Every minute it is written down what the server holds: memory, asyncio tasks, open files, connections, rooms, and the rows of each of its database's tables.
In the end everyone leaves, and what is held then is the last row. Memory is flat if the line through its last two thirds hardly rises; tables that grow are
named, each with its rows for a thousand actions. The rows stay in the folder, also after an interruption (Ctrl-C), which ends the soak early.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import uvloop
from clusters import Cluster, ManyProcesses, OneProcess
from processes import cpu, kilobytes
from prometheus_client.parser import text_string_to_metric_families
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from sqlalchemy import func, inspect, select, table
from sqlalchemy.ext.asyncio import create_async_engine

from hanpan.client.load.plan import Plan
from hanpan.client.load.run import Load

console, stderr = Console(), Console(stderr=True)
TOKEN = "t" * 32
GAUGES = {"hanpan_tasks": "tasks", "process_open_fds": "files", "hanpan_connections": "connections", "hanpan_rooms": "rooms"}


def held(cluster: Cluster) -> dict[str, float]:
    """What all processes hold together."""
    found = {"MB": sum(map(kilobytes, cluster.processes())) / 1024, "cpu_s": sum(map(cpu, cluster.processes())), **dict.fromkeys(GAUGES.values(), 0.0)}
    for url in cluster.urls:
        request = urllib.request.Request(f"{url}/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            for family in text_string_to_metric_families(answer.read().decode()):
                if family.name in GAUGES:
                    found[GAUGES[family.name]] += sum(sample.value for sample in family.samples)
    return found


async def rows_of(database: str) -> dict[str, int]:
    """How many rows each table has."""
    engine = create_async_engine(database.replace("sqlite:", "sqlite+aiosqlite:"))
    try:
        async with engine.connect() as connection:
            names = await connection.run_sync(lambda sync: inspect(sync).get_table_names())
            return {name: (await connection.execute(select(func.count()).select_from(table(name)))).scalar_one() for name in sorted(names)}
    finally:
        await engine.dispose()


class Soak:
    """The rows of a soak, a minute each."""

    def __init__(self, cluster: Cluster, path: Path) -> None:
        self._cluster, self._path, self._began = cluster, path, time.monotonic()
        self.rows: list[dict] = []

    async def look(self, load: Load) -> None:
        """Write down what is held now, and what was done since the beginning."""
        counts, seen = load.figures.counts, load.figures.waits["opponent"]
        row = {"minute": round((time.monotonic() - self._began) / 60, 1), **await asyncio.to_thread(held, self._cluster)}
        row |= {"actions": counts["accepted"], "games": counts["games"], "cut": counts["cut"], "lost": counts["lost"], "p99_ms": round(1000 * seen.at(0.99), 1)}
        self.rows.append(row | {"tables": await rows_of(self._cluster.database)})
        with self._path.open("a") as file:
            file.write(json.dumps(self.rows[-1]) + "\n")

    async def run(self, plan: Plan, minutes: int, progress: Progress) -> None:
        """All of it."""
        task = progress.add_task("soak", total=minutes)
        async with Load(plan) as load:
            await load.open()
            load.set_pace(load.usual_pace())
            load.disturb()
            try:
                for minute in range(minutes + 1):
                    while (time.monotonic() - self._began) < 60 * minute:
                        for person in load.people:
                            person.check()
                        await asyncio.sleep(1)
                    await self.look(load)
                    progress.update(task, completed=minute)
            except asyncio.CancelledError:
                stderr.print("interrupted; what was seen so far is shown")
            await load.stop()
        await asyncio.sleep(5)  # what ends with the last connection has ended
        await self.look(load)


def rise(rows: list[dict], name: str) -> float:
    """How much it rises an hour, by the line through the last two thirds."""
    rows = rows[len(rows) // 3 :]
    return 60 * statistics.linear_regression([row["minute"] for row in rows], [row[name] for row in rows]).slope if len(rows) > 1 else 0.0


def show(rows: list[dict]) -> None:
    """What was seen."""
    columns = ("minute", "MB", "tasks", "files", "connections", "rooms", "actions", "games", "cut", "lost", "p99_ms")
    shown = Table(*columns, box=None)
    step = max(1, len(rows) // 12)
    for row in [*rows[:-2:step], *rows[-2:]]:
        shown.add_row(*(f"{row[name]:,.1f}" if isinstance(row[name], float) else f"{row[name]:,}" for name in columns))
    console.print(shown)
    played = rows[:-1]
    console.print(f"memory rises by {rise(played, 'MB'):+.1f} MB an hour, tasks by {rise(played, 'tasks'):+.1f}, open files by {rise(played, 'files'):+.1f}")
    first, last = played[len(played) // 3], played[-1]
    actions = max(1, last["actions"] - first["actions"])
    grown = {name: number - first["tables"].get(name, 0) for name, number in last["tables"].items()}
    told = ", ".join(f"{name} {1000 * number / actions:,.1f}" for name, number in grown.items() if number)
    console.print(f"rows that were added for 1,000 actions: {told or 'none'}")
    console.print(f"{(last['cpu_s'] - first['cpu_s']) / (60 * (last['minute'] - first['minute']) or 1):.0%} of a core")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--minutes", type=int, default=60)
    parser.add_argument("--game", default="kulami")
    parser.add_argument("--tables", type=int, default=60)
    parser.add_argument("--rate", type=float, default=200.0, help="actions a second in all")
    parser.add_argument("--watchers", type=int, default=1, help="at each table")
    parser.add_argument("--drop-outs", type=float, default=60.0, help="connections a minute that are cut and come back")
    parser.add_argument("--chat", type=float, default=60.0, help="messages a minute")
    parser.add_argument("--processes", type=int, default=1, help="one with SQLite, or more with PostgreSQL and Redis")
    parser.add_argument("--folder", type=Path, default=Path("soak"))
    wanted = parser.parse_args()
    wanted.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data:
        settings = {"metrics_token": TOKEN}
        cluster = OneProcess(Path(data), **settings) if wanted.processes == 1 else ManyProcesses(Path(data), wanted.processes, **settings)
        try:
            for each in range(len(cluster.urls)):
                cluster.start(each)
            plan = Plan(
                cluster.urls, wanted.game, wanted.tables, rate=wanted.rate, watchers=wanted.watchers, chat=wanted.chat, drop_outs=wanted.drop_outs,
            )  # fmt: skip
            soak = Soak(cluster, wanted.folder / "rows.jsonl")
            with Progress(TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn(), console=stderr) as progress:
                uvloop.run(soak.run(plan, wanted.minutes, progress))
        finally:
            cluster.close()
    show(soak.rows)


if __name__ == "__main__":
    sys.exit(main())
