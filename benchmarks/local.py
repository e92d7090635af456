"""How soon a game in the browser alone can be played, and how soon the analysis board says something: prints a table.

    pip install -e '.[test]' && python tools/page.py
    python benchmarks/local.py [GAME …] [--tries 5]

A half-played game, and one that somebody has given up later, are put into the browser's storage, as if it had played them. Milliseconds, the median of
some tries, from the beginning of loading the page (for a move: from pointing):

open: until one can act, with the page's thread slowed down four times.
move: until the frame after an action is handed over, from the last click of a mouse on, at full speed and slowed down likewise.
value: until the analysis board tells what the actions in the last position are worth, at full speed; loaded anew, and (where nobody holds secrets) by the
key A from the game's page.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

import hanpan
from hanpan.core.rule import rng
from hanpan.engine import facts

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))

from studio import QUIET, chromium, served

SLOWED = 4
MOST = 120  # plies: two computer players may walk in a circle
DEVICES: dict[str, dict[str, Any]] = {
    "desk": {"viewport": {"width": 1280, "height": 900}},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
}
CAN_ACT = '.board-frame .spot[aria-disabled="false"]'
JUDGED = ".analysis .board-frame[data-judged]"
# When something is first there, in milliseconds since the page began to load (or since `began` was set).
WATCH = """
globalThis.first = (selector) => new Promise((done) => {
    const look = () => document.querySelector(selector) && (watcher.disconnect(), done(performance.now()));
    const watcher = new MutationObserver(look);
    watcher.observe(document, { subtree: true, childList: true, attributes: true });
    look();
});
"""
# How long after pointing the frame was handed over in which the board had changed.
MOVED = """() => addEventListener("pointerup", () => {
    const began = performance.now(), after = new MessageChannel();
    after.port1.onmessage = () => { globalThis.handed ??= performance.now() - began; };
    const changes = new MutationObserver(() => requestAnimationFrame(() => after.port2.postMessage(0)));
    changes.observe(document.querySelector(".board-frame"), { attributeFilter: ["data-ply"] });
}, { capture: true, once: true })"""


def played(name: str, part: float) -> tuple[list[dict[str, Any]], Any]:
    """A part of a game between two computer players, as a browser keeps it; and how it stands."""
    game, bot, dice = hanpan.game(name), hanpan.bot(name, 2), rng(1)
    states, actions = [game.start()], list[dict[str, Any]]()
    while not states[-1].over and len(actions) < MOST:
        state = states[-1]
        action, after = state.draw_and_play(dice) if state.chance else (choice := bot.choose(state.view(state.seat)), state.play(choice))
        actions.append({"action": action, "seat": None if state.chance else state.seat, "at": 1000 * len(actions)})
        states.append(after)
    end = int(part * len(actions))
    while end < len(actions) and states[end].chance:
        end += 1
    return actions[:end], states[end]


def kept(name: str, part: float, given_up: bool = False) -> tuple[dict[str, Any], Any]:
    """A game that a browser keeps: everyone sits before its screen; and how it stands."""
    actions, state = played(name, part)
    result = {"winner": [0], "reason": "resigned"} if given_up else None
    now = int(time.time() * 1000)
    made = {"id": f"{name}{len(actions)}", "game": name, "options": {}, "chairs": [{}] * state.game.seats, "started": now, "changed": now}
    return made | {"actions": actions, "resigned": [], "result": result}, state


def opened(page: Page, address: str, until: str) -> float:
    """Load a page anew; when something was there."""
    page.goto("about:blank")
    page.goto(address, wait_until="commit")
    return float(page.evaluate("first", until))


def moved(page: Page, clicks: Sequence[str]) -> float:
    """Play an action with a mouse; how long its last click took."""
    page.wait_for_timeout(1000)
    for place in clicks[:-1]:
        page.locator(f'.spot[data-place="{place}"]').click(force=True)
        page.wait_for_timeout(300)
    page.evaluate(MOVED)
    page.locator(f'.spot[data-place="{clicks[-1]}"]').click(force=True)
    page.wait_for_function("() => globalThis.handed !== undefined")
    return float(page.evaluate("handed"))


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("games", nargs="*", default=hanpan.games())
    asked.add_argument("--tries", type=int, default=5)
    given = asked.parse_args()
    with served() as (url, _), sync_playwright() as playwright:
        while not all(json.load(urllib.request.urlopen(f"{url}/api/engines")).get(game) for game in given.games):
            time.sleep(1)
        browser = playwright.chromium.launch(executable_path=chromium(), args=QUIET)
        print(f"Chromium {browser.version}\n\n| game | device | open | move | move, slowed | value | value by A |")
        print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
        for name in given.games:
            (half, state), (ended, _) = kept(name, 0.4), kept(name, 0.7, given_up=True)
            clicks = min((state.clicks(action) for action in state.legal()), key=len)
            for device, how in DEVICES.items():
                context = browser.new_context(**how)
                context.add_init_script(WATCH)
                page = context.new_page()
                page.goto(url)
                for game in (half, ended):
                    page.evaluate("game => localStorage.setItem('hanpan.local.' + game.id, JSON.stringify(game))", game)
                found: dict[str, list[float]] = {"open": [], "move": [], "move, slowed": [], "value": [], "by key": []}
                for _ in range(given.tries):
                    found["value"].append(opened(page, f"{url}/analysis/{ended['id']}", JUDGED))
                    if not facts(name)["hides"]:
                        opened(page, f"{url}/local/{ended['id']}", 'a[href^="/analysis/"]')
                        page.wait_for_timeout(1000)  # whoever asks has looked at the result first
                        began = page.evaluate("performance.now()")
                        page.keyboard.press("a")
                        found["by key"].append(page.evaluate("first", JUDGED) - began)
                    slow = context.new_cdp_session(page)
                    for rate, what in ((1, "move"), (SLOWED, "move, slowed")):
                        slow.send("Emulation.setCPUThrottlingRate", {"rate": rate})
                        page.evaluate("game => localStorage.setItem('hanpan.local.' + game.id, JSON.stringify(game))", half)
                        able = opened(page, f"{url}/local/{half['id']}", CAN_ACT)
                        if rate == SLOWED:
                            found["open"].append(able)
                        if device == "desk":  # a finger is asked whether it meant it
                            found[what].append(moved(page, clicks))
                    slow.send("Emulation.setCPUThrottlingRate", {"rate": 1})
                told = [f"{statistics.median(times):.0f}" if times else "–" for times in found.values()]
                print(f"| {name} | {device} | {' | '.join(told)} |", flush=True)
                context.close()
        browser.close()


if __name__ == "__main__":
    main()
