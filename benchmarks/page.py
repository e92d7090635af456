"""How soon a move is on the screen after it has arrived, with the processor slowed down four times.

python benchmarks/page.py [GAME …]

A browser watches a game between computer players. The time runs from the message of the socket to the frame in which the board shows it.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))

import screenshots
from playwright.async_api import async_playwright

WATCH = """() => {
    window.times = [];
    const arrived = [];
    const frame = document.querySelector(".board-frame");
    const known = Object.getOwnPropertyDescriptor(MessageEvent.prototype, "data");
    Object.defineProperty(MessageEvent.prototype, "data", { get() {
        const data = known.get.call(this);
        if (typeof data === "string" && data.includes('"board info"') && !this.seen) { this.seen = true; arrived.push(performance.now()); }
        return data;
    } });
    new MutationObserver(() => {
        const at = arrived.shift();
        if (at !== undefined) requestAnimationFrame(() => setTimeout(() => times.push(performance.now() - at)));
    }).observe(frame, { attributes: true, attributeFilter: ["data-ply"] });
}"""


async def measure(url: str, name: str) -> list[float]:
    """The times of one game."""
    async with screenshots.opened(url) as studio, async_playwright() as playwright:
        sitting = await screenshots.sit_down(url, studio.people, name)
        browser = await playwright.chromium.launch(executable_path=screenshots.chromium(), args=screenshots.QUIET)
        page = await browser.new_page()
        await page.goto(url + sitting.link)
        await page.wait_for_selector(".board-frame[data-ply]")
        await page.evaluate(WATCH)
        slow = await page.context.new_cdp_session(page)
        await slow.send("Emulation.setCPUThrottlingRate", {"rate": 4})
        await sitting.play(screenshots.PLIES[name])
        await page.wait_for_timeout(1000)
        times: list[float] = await page.evaluate("times")
        await browser.close()
        return times


async def main(names: list[str]) -> None:
    """A table of all games."""
    print(f"{'game':<14}{'moves':>6}{'median':>10}{'slowest':>10}   (milliseconds)")
    for name in names:
        with screenshots.served() as url:
            times = await measure(url, name)
        print(f"{name:<14}{len(times):>6}{statistics.median(times):>10.1f}{max(times):>10.1f}")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:] or list(screenshots.PLIES)))
