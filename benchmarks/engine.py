"""Level 8's search in browsers, beside the same search in native code, in one run: prints a table with ratios.

    pip install -e '.[test]' && python tools/page.py
    python benchmarks/engine.py [--seconds 1] [--browsers chromium firefox]

All look at the same positions in the same order, turn by turn; the best of some tries counts, by the time that the thread was at work (of Firefox, which does
not tell it, by the time of day), so that it matters less what else the machine does (an idle one is better still). The browsers are those on the PATH;
Firefox is left out where there is none. What the native code may use of the processor is Numba's to say: with `NUMBA_CPU_NAME=x86-64-v2
NUMBA_CPU_FEATURES=+popcnt,+sse4.2 HANPAN_CACHE=<an empty folder>` it has vectors of 128 bits, as WebAssembly has.
"""

from __future__ import annotations

import argparse
import base64
import platform
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import Browser, sync_playwright

import hanpan
from hanpan import engine
from hanpan.bots.bot import make_searcher
from hanpan.core.rule import rng

ROOT = Path(__file__).resolve().parent.parent
for folder in ("tools", "tests"):
    sys.path.insert(0, str(ROOT / folder))

from firefox import Firefox, firefox  # noqa: E402
from studio import QUIET, chromium  # noqa: E402
from typescript import bundle  # noqa: E402

MEGABYTES = 64
TRIES = 4
BEFORE, POSITIONS = 6, 4  # plies; positions, of which the first is not counted: memory is new then, and code
GAMES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("goita", {}),
    ("kulami", {}),
    ("puoribor", {}),
    ("reversedrop", {}),
    ("wallgo", {}),
    ("wallgo", {"players": 3}),
)


def positions(name: str, options: dict[str, Any]) -> list[Any]:
    """What seats with a choice see, some plies after the start and further on."""
    state, found, ply = hanpan.game(name, **options).start(seed=1), list[Any](), 0
    while len(found) < POSITIONS:
        while state.chance:
            state = state.draw_and_play(rng(1))[1]
        if ply >= BEFORE and len(state.legal()) > 4:
            found.append(state.view(state.seat))
        state, ply = state.play(state.legal()[ply * 7 % len(state.legal())]), ply + 1
    return found


class Native:
    """The search in Python's process."""

    def __init__(self, name: str, seats: int) -> None:
        self._name, self._seats = name, seats
        self._searcher: Any = None

    def begin(self) -> None:
        """Forget everything."""
        self._searcher = make_searcher(self._name, self._seats, MEGABYTES, 1)

    def think(self, record: Any, nodes: int) -> int:
        """How many nodes were looked at."""
        *_, last = self._searcher.think(record, None, nodes, 64, 0, 1)
        return int(last.nodes)

    def clock(self) -> float:
        """Seconds that this thread was at work."""
        return time.thread_time()


class Page:
    """The same search in a page."""

    def __init__(self, name: str, seats: int, page: Any) -> None:
        self._page, self._told = page, [engine.facts(name), seats, MEGABYTES]
        page.evaluate("module => load(module)", base64.b64encode(engine.module(name)).decode())
        self._metrics = None
        if hasattr(page, "context"):  # Chromium's
            self._metrics = page.context.new_cdp_session(page)
            self._metrics.send("Performance.enable", {"timeDomain": "threadTicks"})

    def begin(self) -> None:
        """Forget everything."""
        self._page.evaluate("told => begin(...told)", self._told)

    def think(self, record: Any, nodes: int) -> int:
        """How many nodes were looked at."""
        return int(self._page.evaluate("told => think(...told)", [list(record.tobytes()), nodes]))

    def clock(self) -> float:
        """Seconds that the page's thread was at work; of other browsers than Chromium the time of day."""
        if self._metrics is None:
            return time.perf_counter()
        told = {metric["name"]: metric["value"] for metric in self._metrics.send("Performance.getMetrics")["metrics"]}
        return float(told["TaskDuration"])


def rate(where: Native | Page, records: list[Any], nodes: int) -> float:
    """Nodes a second; the first position is not counted."""
    where.begin()
    where.think(records[0], nodes)
    began = where.clock()
    done = sum(where.think(record, nodes) for record in records[1:])
    return done / (where.clock() - began)


def opened(browser: Browser | Firefox, script: str) -> Any:
    """A page that can think."""
    page = browser.new_page()
    page.evaluate("script => { document.body.append(Object.assign(document.createElement('script'), { type: 'module', text: script })); }", script)
    page.evaluate("async () => { while (!('think' in globalThis)) await new Promise((done) => setTimeout(done, 10)); }")
    return page


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--seconds", type=float, default=1.0, help="of native thinking, for each try")
    asked.add_argument("--browsers", nargs="+", choices=("chromium", "firefox"), default=["chromium", "firefox"] if firefox() else ["chromium"])
    given = asked.parse_args()
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        browsers: dict[str, Browser | Firefox] = {
            name: Firefox() if name == "firefox" else playwright.chromium.launch(executable_path=chromium(), args=QUIET) for name in given.browsers
        }
        script = bundle("engine/measure.ts", folder).read_text("utf-8")
        titles = [f"{name} {browser.version}" for name, browser in browsers.items()]
        print(f"{platform.machine()}: nodes a second of level 8's search, the best of {TRIES} tries\n")
        print(f"| game | native | {' | ratio | '.join(titles)} | ratio |\n| --- |{' ---: |' * (1 + 2 * len(titles))}")
        for name, options in GAMES:
            seen = positions(name, options)
            records, seats = [view.record for view in seen], seen[0].game.seats
            pages = [opened(browser, script) for browser in browsers.values()]
            native, there = Native(name, seats), [Page(name, seats, page) for page in pages]
            nodes = max(5_000, int(rate(native, records, 5_000) * given.seconds / (POSITIONS - 1)))
            rates = zip(*[[rate(each, records, nodes) for each in (native, *there)] for _ in range(TRIES)], strict=True)
            best, *others = map(max, rates)
            title = name + "".join(f", {key}={value}" for key, value in options.items())
            print(f"| {title} | {best:,.0f} |{''.join(f' {other:,.0f} | {other / best:.2f} |' for other in others)}", flush=True)
            for page in pages:
                page.close()
        for browser in browsers.values():
            browser.close()


if __name__ == "__main__":
    main()
