"""How soon a move is on the screen after it has arrived, with the page's thread slowed down four times.

    python benchmarks/page.py [GAME …] [--beside ANOTHER_WORKING_TREE] [--rounds 2]

A browser sits at a table where computer players act for everyone, with a rest before each action. The browser's own trace tells, from the message of the socket
on: when the board had changed (shown), when a frame with the change was presented (seen), and how much processor time the page's
thread took until that frame was handed over (work): the last depends least on what else the machine does.
Chromium draws with the processor here, not with a GPU.

`--beside FOLDER` measures the page of another working tree (built there by `python tools/page.py`) in turns with this one's; the last column is how much work
this one's page has for a move as a multiple of the other's. Moves differ from game to game, so few rounds say little.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))

import studio
from playwright.async_api import Browser, async_playwright

SLOWED = 4
REST = 0.9  # seconds before each action: everything of the last one has come to rest
BEFORE, MOVES = 4, 20  # plies before the browser comes in, and those that are measured
CATEGORIES = ["devtools.timeline", "disabled-by-default-devtools.timeline", "blink.user_timing", "cc", "benchmark", "toplevel"]
MARKS = """() => {
    const known = Object.getOwnPropertyDescriptor(MessageEvent.prototype, "data"), seen = new WeakSet();
    Object.defineProperty(MessageEvent.prototype, "data", { get() {
        const data = known.get.call(this);
        if (typeof data === "string" && /"(private )?board info"/.test(data) && !seen.has(this)) { seen.add(this); performance.mark("arrived"); }
        return data;
    } });
    const changes = new MutationObserver(() => performance.mark("shown"));
    for (const plane of document.querySelectorAll(".plane:not(.spots)")) changes.observe(plane, { subtree: true, childList: true });
}"""

Event = dict[str, Any]


@dataclass
class Move:
    """Milliseconds since the message arrived."""

    shown: float
    seen: float
    work: float


async def traced(browser: Browser, sitting: studio.Sitting, url: str) -> list[Event]:
    """Let the game go on before a slowed page; the browser's trace of it."""
    context = await browser.new_context(viewport={"width": 1280, "height": 900})
    await context.add_cookies([{"name": "hanpan", "value": sitting.people[0].token, "url": url}])
    page = await context.new_page()
    await page.goto(url + sitting.link)
    await page.wait_for_selector(".board-frame[data-ply]")
    await page.evaluate(MARKS)
    slow = await context.new_cdp_session(page)
    await slow.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
    await sitting.play(sitting.rooms[0].ply + 4, rest=REST)  # the first moves warm the page's code up
    tracer, events, done = await browser.new_browser_cdp_session(), [], asyncio.Event()
    tracer.on("Tracing.dataCollected", lambda told: events.extend(told["value"]))
    tracer.on("Tracing.tracingComplete", lambda _: done.set())
    await tracer.send("Tracing.start", {"transferMode": "ReportEvents", "traceConfig": {"includedCategories": CATEGORIES, "excludedCategories": ["*"]}})
    await sitting.play(sitting.rooms[0].ply + MOVES, rest=REST)
    await asyncio.sleep(REST)
    await tracer.send("Tracing.end")
    await done.wait()
    await context.close()
    return sorted(events, key=lambda event: event.get("ts", 0))


def presented(events: list[Event]) -> list[tuple[int, int]]:
    """For each frame that was presented: when the page handed it over, and when it was seen."""
    begun: dict[str, Event] = {}
    handed: dict[str, int] = {}
    found = []
    for event in events:
        key = event.get("id2", {}).get("local")
        if key is not None and event["name"] == "Commit" and event["ph"] == "b":
            handed[key] = event["ts"]
        elif event["name"] == "PipelineReporter" and event["ph"] == "b":
            begun[key] = event
            handed.pop(key, None)
        elif event["name"] == "PipelineReporter" and key in begun:
            if key in handed and "PRESENTED" in begun[key]["args"]["frame_reporter"]["state"]:
                found.append((handed[key], event["ts"]))
            del begun[key]
    return found


def measured(events: list[Event]) -> list[Move]:
    """The times of every move."""
    marks = [event for event in events if event.get("cat") == "blink.user_timing" and event["name"] in ("arrived", "shown")]
    events = [event for event in events if event["pid"] == marks[0]["pid"]]
    frames = presented(events)
    tasks = [event for event in events if event["name"] == "RunTask" and event["ph"] == "X" and event["tid"] == marks[0]["tid"]]
    found = []
    messages: list[float] = []
    for mark in marks:  # what a seat alone is told comes together with what all are told
        if mark["name"] == "arrived" and (not messages or mark["ts"] > messages[-1] + REST * 500_000):
            messages.append(mark["ts"])
    for arrived, until in zip(messages, [*messages[1:], float("inf")], strict=True):
        shown = next((mark["ts"] for mark in marks if mark["name"] == "shown" and arrived <= mark["ts"] < until), None)
        frame = next((frame for frame in frames if shown is not None and frame[0] >= shown), None)
        if shown is None or frame is None:
            continue
        work = sum(task["tdur"] for task in tasks if task["ts"] + task["dur"] > arrived and task["ts"] < frame[0])
        found.append(Move((shown - arrived) / 1000, (frame[1] - arrived) / 1000, work / 1000))
    return found


async def measure(name: str) -> list[Move]:
    """The times of one game."""
    with studio.served() as (url, _):
        async with studio.opened(url) as there, async_playwright() as playwright:
            sitting = await studio.sit_down(there.people, name)
            await sitting.play(BEFORE)
            browser = await playwright.chromium.launch(executable_path=studio.chromium(), args=studio.QUIET)
            moves = measured(await traced(browser, sitting, url))
            await browser.close()
            return moves


COLUMNS = ("shown", "seen", "work")
HEAD = f"{'(milliseconds)':<14}{'moves':>6}" + "".join(f"   {column:>7}{'worst':>7}" for column in COLUMNS)


async def main(names: list[str]) -> None:
    """A table of all games."""
    print(HEAD)
    for name in names:
        moves = await measure(name)
        columns = [[getattr(move, column) for move in moves] for column in COLUMNS]
        print(f"{name:<14}{len(moves):>6}   " + "   ".join(f"{statistics.median(times):>7.1f}{max(times):>7.1f}" for times in columns))


def row(tree: Path, name: str) -> list[float]:
    """What the benchmark of a working tree says of one game."""
    words = [sys.executable, str(tree / "benchmarks" / "page.py"), name]
    told = subprocess.run(words, cwd=tree, env={**os.environ, "PYTHONPATH": str(tree / "src")}, stdout=subprocess.PIPE, text=True, check=True).stdout
    return [float(number) for number in told.splitlines()[-1].split()[1:]]


def beside(other: Path, names: list[str], rounds: int) -> None:
    """A table of all games in two working trees, in turns: the mean of what each round said."""
    print(f"{'':<14}{HEAD}   {'ratio':>7}")
    for name in names:
        told: dict[Path, list[list[float]]] = {other: [], Path(__file__).resolve().parent.parent: []}
        for each in range(rounds):
            for tree in sorted(told, reverse=bool(each % 2)):
                told[tree].append(row(tree, name))
                print(f"{name}: round {each + 1} of {rounds}, {tree.name}", file=sys.stderr)
        means = {tree: [statistics.mean(column) for column in zip(*rows, strict=True)] for tree, rows in told.items()}
        for tree, (moves, *times) in means.items():
            ratio = "" if tree == other else f"{times[4] / means[other][5]:>9.2f}×"
            print(f"{tree.name:<14}{name:<14}{moves:>6.0f}" + "".join(f"   {times[at]:>7.1f}{times[at + 1]:>7.1f}" for at in (0, 2, 4)) + ratio, flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game", nargs="*", help="all, unless some are named")
    parser.add_argument("--beside", type=Path, metavar="FOLDER", help="another working tree, whose page is measured in turns with this one's")
    parser.add_argument("--rounds", type=int, default=2, help="how often each page is measured beside the other")
    wanted = parser.parse_args()
    for name in wanted.game:
        if name not in studio.PLIES:
            parser.error(f"'{name}' is not a game; there are {', '.join(studio.PLIES)}")
    if wanted.beside is not None and not (wanted.beside / "benchmarks" / "page.py").exists():
        parser.error(f"--beside {wanted.beside}: no working tree of Hanpan is there")
    if wanted.beside is None:
        asyncio.run(main(wanted.game or list(studio.PLIES)))
    else:
        beside(wanted.beside.resolve(), wanted.game or list(studio.PLIES), wanted.rounds)
