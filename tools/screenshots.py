"""Takes pictures of every page and of the beginning, middle and end of every game, light and dark, from a server of its own.

python tools/screenshots.py [FOLDER] [NAME …] [--in LANGUAGE …] [--size WIDTHxHEIGHT …]     # into build/screenshots; NAMEs choose some of them
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, Page, async_playwright

import hanpan
from hanpan.client import Client, Room
from hanpan.server.storage.store import Store

ROOT = Path(__file__).parent.parent
SIZES = {"phone": (390, 844), "desk": (1440, 900)}
PLIES = {"goita": 12, "kulami": 24, "puoribor": 26, "reversedrop": 24, "wallgo": 40}  # how far each board is played before its picture
LEVEL = 3
OPENERS = itertools.cycle(range(3))
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--no-first-run", "--hide-scrollbars"]


@dataclass
class Sitting:
    """Two or more people at a table, the first of whom has the browser."""

    people: list[Client]
    rooms: list[Room]

    @property
    def link(self) -> str:
        """Where the room is."""
        return f"/r/{self.rooms[0].id}"

    async def play(self, plies: int, mine: bool = True, rest: float = 0) -> None:
        """Let computer players act for everyone, with a rest before each action, until the first one is to act (or the game is over)."""
        name = self.rooms[0].last["info"]["game"]
        bot = hanpan.bot(name, LEVEL)
        game = hanpan.game(name, **self.rooms[0].last["info"]["options"])
        while not self.rooms[0].board["over"]:
            seat, ply = self.rooms[0].board["seat"], self.rooms[0].ply
            if ply >= plies and (seat == 0) == mine:
                return
            mover = self.rooms[seat]
            await mover.until(lambda m=mover, p=ply: m.ply == p and m.mine() is not None)
            own = mover.mine()
            assert own is not None
            action = await asyncio.to_thread(bot.choose, game.parse(own["position"], seat), 0.1)
            await asyncio.sleep(rest)
            await mover.play(action)
            for room in self.rooms:
                await room.until(lambda r=room, p=ply: r.ply > p)


async def sit_down(url: str, people: list[Client], game: str, options: dict[str, Any] | None = None, **settings: Any) -> Sitting:
    """Everyone sits down and is ready."""
    opener = people[next(OPENERS)]  # nobody may have all rooms
    opened = await opener.new_room(game, options=options or {}, settings={"pause": 0} | settings)
    await opened.until(lambda: "player info" in opened.last)
    seats = len(opened.last["player info"]["seats"])
    rooms = [opened if person is opener else await person.enter(opened.id) for person in people[:seats]]
    for seat, room in enumerate(rooms):
        await room.call("sit on", seat=seat)
        await room.call("set ready")
    for room in rooms:
        await room.until(lambda r=room: bool(r.board))
    return Sitting(people, rooms)


@dataclass
class Studio:
    """The server, the people, and what they have prepared."""

    url: str
    people: list[Client]
    sittings: dict[str, Sitting]
    finished: str = ""


Shot = tuple[Callable[[Studio], str], Callable[[Page], Awaitable[None]]]  # the address, and what is done there first


async def nothing(page: Page) -> None:
    """Only look."""


def click(*selectors: str) -> Callable[[Page], Awaitable[None]]:
    """Press these, one after the other, where they are."""

    async def do(page: Page) -> None:
        for selector in selectors:
            found = page.locator(selector).first
            if await found.count():
                await found.click()
                await page.wait_for_timeout(250)

    return do


async def choose_a_window(page: Page) -> None:
    """The turn of a window, before it is agreed to."""
    await page.locator(".board-line [data-place]").first.click()
    await aim(page, 7)


async def aim(page: Page, number: int = 0) -> None:
    """Hold the mouse over a place that can be pointed at."""
    spot = page.locator('.board .spot[aria-disabled="false"]').nth(number)
    box = await spot.bounding_box()
    assert box is not None
    await page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    await page.wait_for_timeout(500)


async def first_step(page: Page) -> None:
    """One step of an action that has more, and the mouse over the next."""
    spot = page.locator('.board .spot[aria-disabled="false"]').first
    await spot.dispatch_event("click", {"detail": 0})
    await page.wait_for_timeout(200)
    await aim(page, 1)


def table(name: str) -> Callable[[Studio], str]:
    """The room of a sitting."""
    return lambda studio: studio.sittings[name].link


SHOTS: dict[str, Shot] = {
    "front": (lambda _: "/", nothing),
    "lobby": (lambda _: "/lobby", nothing),
    "watch": (lambda _: "/watch", nothing),
    "best": (lambda _: "/best/kulami", nothing),
    "person": (lambda studio: f"/people/{studio.people[0].id}", nothing),
    "learn": (lambda _: "/learn", nothing),
    **{f"rules-{name}": (lambda _, name=name: f"/learn/{name}", nothing) for name in PLIES},
    "replay": (lambda studio: f"/replay/{studio.finished}", nothing),
    "lost": (lambda _: "/no/such/page", nothing),
    "login": (lambda _: "/login", nothing),
    "me": (lambda _: "/me", nothing),
    "operator": (lambda _: "/operator/people", nothing),
    "waiting": (table("waiting"), nothing),
    "door": (table("locked"), nothing),
    "over": (table("over"), nothing),
    "chat": (table("kulami"), click('[data-tab="chat"]')),
    "people": (table("kulami"), click('[data-tab="people"]')),
    "settings": (table("waiting"), click('[data-tab="settings"]')),
    "chair": (table("four"), click(".seats.others .menu > button")),
    "preferences": (lambda _: "/", click(".head .menu > button")),
    "best-none": (lambda _: "/best/goita", nothing),
    "archive": (lambda _: "/archive", nothing),
    "upload": (lambda _: "/replay", nothing),
    "new-room": (lambda _: "/lobby", click(".lobby-head .main")),
    "offer": (table("offer"), nothing),
    **{f"{name}-begin": (table(f"{name}-begin"), nothing) for name in PLIES},
    **{name: (table(name), nothing) for name in PLIES},
    **{f"{name}-end": (table(f"{name}-end"), nothing) for name in PLIES},
    "kulami-groups": (table("groups"), nothing),
    "puoribor-turning": (table("puoribor"), choose_a_window),
    "wallgo-step": (table("wallgo"), first_step),
    "reversedrop-step": (table("reversedrop"), first_step),
    "kulami-build": (table("build"), nothing),
    "wallgo-three": (table("three"), nothing),
}


async def prepare(studio: Studio, wanted: set[str]) -> None:
    """Play whatever the wanted pictures show."""
    people = studio.people
    clock = {"kind": "byoyomi", "main_ms": 300_000, "byoyomi_ms": 20_000}
    for name, plies in PLIES.items():
        if f"{name}-begin" in wanted:
            studio.sittings[f"{name}-begin"] = await sit_down(studio.url, people, name, time=clock)
        if f"{name}-end" in wanted:
            studio.sittings[f"{name}-end"] = await sit_down(studio.url, people, name, time=clock)
            await studio.sittings[f"{name}-end"].play(10_000)
        halfway = any(shot.startswith(name) and not shot.endswith(("-begin", "-end")) for shot in wanted)
        if halfway or (name == "kulami" and wanted & {"chat", "people", "lobby", "watch"}):
            studio.sittings[name] = await sit_down(studio.url, people, name, time=clock)
            await studio.sittings[name].play(plies)
    if wanted & {"chat", "lobby"} and "kulami" in studio.sittings:
        for room, words in zip(studio.sittings["kulami"].rooms * 2, ("Good luck!", "You too. Nice board.", "That was mine…", "<b>ha</b> :)"), strict=False):
            await room.call("send msg", msg=words)
    if "kulami-build" in wanted:
        studio.sittings["build"] = await sit_down(studio.url, people, "kulami", {"board": "build"})
        await studio.sittings["build"].play(8)
    if "kulami-groups" in wanted:
        studio.sittings["groups"] = await sit_down(studio.url, people, "kulami", {"level": 2})
        await studio.sittings["groups"].play(10_000)
    if "offer" in wanted:
        studio.sittings["offer"] = await sit_down(studio.url, people, "puoribor", time=clock, rated=False)
        await studio.sittings["offer"].play(4)
        await studio.sittings["offer"].rooms[1].call("ask takeback")
    if "wallgo-three" in wanted:
        studio.sittings["three"] = await sit_down(studio.url, people, "wallgo", {"players": 3})
        await studio.sittings["three"].play(30)
    if wanted & {"over", "replay", "best", "person"}:
        studio.sittings["over"] = await sit_down(studio.url, people, "kulami", time=clock)
        await studio.sittings["over"].play(10_000)
        studio.finished = studio.sittings["over"].rooms[0].board["game_id"]
    if wanted & {"waiting", "settings", "lobby"}:
        room = await people[0].new_room("puoribor")
        await room.call("sit on", seat=0)
        await room.call("set ready")
        studio.sittings["waiting"] = Sitting(people, [room])
    if "chair" in wanted:
        studio.sittings["four"] = Sitting(people, [await people[0].new_room("goita")])
    if wanted & {"door", "lobby"}:
        studio.sittings["locked"] = Sitting(people, [await people[1].new_room("goita", password="open sesame")])


@contextlib.asynccontextmanager
async def opened(url: str) -> AsyncIterator[Studio]:
    """Four people who are there."""
    async with contextlib.AsyncExitStack() as stack:
        people = [await stack.enter_async_context(Client(url)) for _ in range(4)]
        for person, name in zip(people, ("Haneul", "Sakura", "小明", "Robin"), strict=True):
            await person.rename(name)
            await person.enter_lobby()
        yield Studio(url, people, {})


async def take(browser: Browser, studio: Studio, folder: Path, wanted: list[str], sizes: dict[str, tuple[int, int]], languages: list[str]) -> None:
    """All pictures, in every size and language and both themes."""
    for language, (size, (width, height)) in itertools.product(languages, sizes.items()):
        for theme in ("light", "dark"):
            phone = width < 600
            context = await browser.new_context(
                viewport={"width": width, "height": height}, color_scheme=theme, locale=language, reduced_motion="reduce", is_mobile=phone, has_touch=phone,
                device_scale_factor=1,
            )  # fmt: skip
            await context.add_init_script("localStorage.setItem('hanpan.notify', 'off')")  # asked and answered
            await context.add_cookies([{"name": "hanpan", "value": studio.people[0].token, "url": studio.url}])
            page = await context.new_page()
            for name in wanted:
                address, doing = SHOTS[name]
                await page.mouse.move(1, 1)
                await page.goto(studio.url + address(studio))
                await page.wait_for_selector("main:not([aria-busy])")
                await page.wait_for_timeout(900)
                await doing(page)
                parts = (name, size, theme, language) if len(languages) > 1 else (name, size, theme)
                await page.screenshot(path=str(folder / f"{'-'.join(parts)}.png"))
            await context.close()
            print(f"{language}, {size}, {theme}: {len(wanted)} pictures", flush=True)


@contextlib.contextmanager
def served() -> Iterator[tuple[str, str]]:
    """A server of our own on loopback, with data that is thrown away; its address, and where the data is."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "-m", "hanpan.cli", "serve", "--port", str(port), "--data", data]
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": str(ROOT / "src")})
        try:
            for _ in range(1200):
                with contextlib.suppress(OSError), urllib.request.urlopen(f"{url}/readyz", timeout=5):
                    break
                time.sleep(0.1)
            yield url, data
        finally:
            server.terminate()
            server.wait(30)


async def make_operator(id: str, data: str) -> None:
    """Make someone an operator, with a second factor, which operators need."""
    store = await Store.open(f"sqlite:///{data}/hanpan.db")
    await store.accounts.change(id, role="operator")
    await store.factors.add_totp(id, "sealed", 0, [])
    await store.close()


def chromium() -> str:
    """The browser."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        raise SystemExit("chromium is needed (apt-get install chromium fonts-noto-cjk)")
    return found


async def main(folder: Path, wanted: list[str], sizes: dict[str, tuple[int, int]], languages: list[str]) -> None:
    """Start a server, prepare, take the pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    with served() as (url, data):
        async with opened(url) as studio, async_playwright() as playwright:
            if "operator" in wanted:
                await make_operator(studio.people[0].id, data)
            await prepare(studio, set(wanted))
            browser = await playwright.chromium.launch(executable_path=chromium(), args=QUIET)
            await take(browser, studio, folder, wanted, sizes, languages)
            await browser.close()


def size(text: str) -> tuple[int, int]:
    """WIDTHxHEIGHT."""
    width, _, height = text.partition("x")
    return int(width), int(height)


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("folder", nargs="?", type=Path, default=ROOT / "build" / "screenshots")
    asked.add_argument("names", nargs="*", choices=[*SHOTS, []], metavar="NAME", help=", ".join(SHOTS))
    asked.add_argument("--in", dest="languages", nargs="+", default=["en"], metavar="LANGUAGE", help="en, ko, ja, zh")
    asked.add_argument("--size", type=size, nargs="+", metavar="WIDTHxHEIGHT", help="sizes of your own instead of the phone and the desk")
    given = asked.parse_args()
    sizes = {f"{width}x{height}": (width, height) for width, height in given.size} if given.size else SIZES
    asyncio.run(main(given.folder, given.names or list(SHOTS), sizes, given.languages))
