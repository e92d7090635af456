"""A load for whoever looks on: a table that is kept up to date, the result, and the verdict on its history."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import orjson
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Column, Table

from hanpan.client.load.check import Verdict
from hanpan.client.load.figures import WAITS
from hanpan.client.load.run import Load, Tell

_MOST = 20  # wrong things that are shown; all of them are in the JSON result


def figures(load: Load) -> RenderableType:
    """How it stands."""
    numbers = (Column(name, justify="right", no_wrap=True) for name in ("count", "p50", "p90", "p99", "p99.9", "max"))
    table = Table(Column("milliseconds", no_wrap=True), *numbers, box=None)
    for name, said in WAITS.items():
        waits = load.figures.waits[name]
        if waits.count:
            parts = (f"{1000 * seconds:,.1f}" for seconds in (*map(waits.at, (0.5, 0.9, 0.99, 0.999)), waits.most))
            table.add_row(said, f"{waits.count:,}", *parts)
    counts = load.figures.counts
    rate = counts["accepted"] / load.took if load.took else 0.0
    refused = ", ".join(f"{number} {name.removeprefix('refused ')}" for name, number in counts.items() if name.startswith("refused "))
    said = f"{counts['accepted']:,} actions in {load.took:.0f} s, {rate:,.1f} a second; {counts['games']:,} games ended; {counts['bytes'] / 1e6:,.1f} MB heard"
    more = [f"{counts['lost']} connections lost, {counts['cut']} cut"]
    more += [f"{counts['said']} messages said, {counts['heard']} heard"] * bool(counts["said"]) + [f"refused: {refused}"] * bool(refused)
    return Group(table, said, "; ".join(more))


@contextmanager
def watched(console: Console, load: Load) -> Iterator[Tell]:
    """Show how a load goes on; what it gives is to be told about each step."""
    counted = TextColumn("{task.completed:.0f}/{task.total:.0f}")
    progress = Progress(TextColumn("{task.description}"), BarColumn(), counted, TimeRemainingColumn(), console=console)
    task = progress.add_task("", total=1)
    with Live(console=console, refresh_per_second=4, transient=True) as live:

        def tell(what: str, done: float, of: float) -> None:
            progress.update(task, description=what, completed=done, total=of)
            live.update(Group(figures(load), progress))

        yield tell


def show_verdict(console: Console, name: str, verdict: Verdict) -> None:
    """What was looked at, and everything that no order explains, with the lines that show it."""
    counts = ", ".join(f"{number:,} {kind}" for kind, number in verdict.counts.items())
    if verdict.holds:
        console.print(f"{name}: one order of actions explains everything ({counts})", style="green", highlight=False, markup=False, soft_wrap=True)
    else:
        kinds = ", ".join(f"{number} {kind}" for kind, number in verdict.kinds().most_common())
        console.print(f"{name}: NO order of actions explains this: {kinds} ({counts})", style="bold red", highlight=False, markup=False, soft_wrap=True)
    for wrong in verdict.wrong[:_MOST]:
        console.print(f"  {wrong}", style="red", highlight=False, markup=False, soft_wrap=True)
        for event in wrong.events:
            console.print(f"      {_short(orjson.dumps(event).decode())}", highlight=False, markup=False, soft_wrap=True)
    if len(verdict.wrong) > _MOST:
        console.print(f"  … and {len(verdict.wrong) - _MOST} more", style="red", highlight=False)
    for note in verdict.notes:
        console.print(f"  {note}", highlight=False, markup=False, soft_wrap=True)


def _short(line: str) -> str:
    return line if len(line) <= 400 else f"{line[:400]} …"
