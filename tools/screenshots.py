"""Takes pictures of every page and of the beginning, middle and end of every game, light and dark, from a server of its own, and looks for flaws in each.

python tools/screenshots.py [FOLDER] [NAME …] [--in LANGUAGE …] [--size WIDTHxHEIGHT …]     # into build/screenshots; NAMEs choose some of them

What the page's own elements tell of it (something cut off, covered, not translated, hard to read; see flaws.js) is written to FOLDER/flaws.txt.
That is no substitute for looking.
"""

from __future__ import annotations

import argparse
import asyncio
import collections
import contextlib
import itertools
import json
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, Error, Page, Route, async_playwright
from studio import PLIES, QUIET, ROOT, Studio, chromium, people_of_pictures, served

SIZES = [(390, 844), (1440, 900)]
HIGHEST = 6000  # pixels of a page that are shown
LANGUAGES = ("en", "ko", "ja", "zh")
THEMES = ("light", "dark")
FLAWS = (Path(__file__).parent / "flaws.js").read_text("utf-8")
LOBBY = {language: json.loads((ROOT / "web/src/words" / f"{language}.json").read_text("utf-8"))["head"]["lobby"] for language in LANGUAGES}
SETTLED = """(lobby) => document.querySelector(".head nav a")?.textContent === lobby && document.querySelector("main")
    && ![...document.querySelectorAll("[aria-busy=true], .skeleton-part, .skeleton-board, .room-page .board-frame:not(:has(svg))")]
        .some((element) => element.getBoundingClientRect().top < innerHeight)"""
SPEAK = """async (language) => {
    const menu = document.querySelector(".head .menu:not(.mine)"), button = menu.querySelector("button");
    const shut = button.getAttribute("aria-expanded") !== "true", frame = () => new Promise(requestAnimationFrame);
    if (shut) button.click();
    while (!menu.querySelector("select")) await frame();
    menu.querySelector("select").value = language;
    menu.querySelector("select").dispatchEvent(new Event("change", { bubbles: true }));
    if (shut) button.click();
    await frame();
}"""

Doing = Callable[[Page], Awaitable[None]]


async def nothing(page: Page) -> None:
    """Only look."""


def click(*selectors: str) -> Doing:
    """Press these, one after the other, where they are."""

    async def do(page: Page) -> None:
        for selector in selectors:
            found = page.locator(selector).first
            if await found.count():
                await found.click()
                await page.wait_for_timeout(150)

    return do


def write(selector: str, text: str) -> Doing:
    """Write something into a field, and send it."""

    async def do(page: Page) -> None:
        await page.locator(selector).first.fill(text)
        await page.locator(selector).first.evaluate("(field) => field.form.requestSubmit()")
        await page.wait_for_timeout(400)

    return do


async def aim(page: Page, number: int = 0) -> None:
    """Hold the mouse over a place that can be pointed at."""
    spot = page.locator('.board .spot[aria-disabled="false"]').nth(number)
    box = await spot.bounding_box()
    assert box is not None
    await page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    await page.wait_for_timeout(300)


async def choose_a_window(page: Page) -> None:
    """The turn of a window, before it is agreed to."""
    await page.locator(".board-line [data-place]").first.click()
    await aim(page, 7)


async def first_step(page: Page) -> None:
    """One step of an action that has more, and the mouse over the next."""
    spot = page.locator('.board .spot[aria-disabled="false"]').first
    await spot.dispatch_event("click", {"detail": 0})
    await page.wait_for_timeout(200)
    await aim(page, 1)


@dataclass(frozen=True)
class Shot:
    """A page: its address (`:` before a table or a person), what is done there first, whose browser it is, which tables there must be, what the server says."""

    path: str
    doing: Doing = nothing
    who: str = "Haneul"
    needs: tuple[str, ...] = ()
    told: Mapping[str, Any] = field(default_factory=dict)
    plain: bool = False  # not the page itself: one language
    anew: bool = False  # what is said there stays as it was said: asked again in each language


ELSEWHERE = {"google": "Google", "x": "X", "facebook": "Facebook", "yahoojp": "Yahoo! JAPAN"}
OFFERED = {"/api/logins": {"email": True, "mail": True, "contact": None, "elsewhere": ELSEWHERE, "custom": False, "custom_site": None}}
LIVELY = ("kulami", "wallgo", "goita", "waiting", "invited", "locked")
NEW = ""  # someone who has never been here

SHOTS: dict[str, Shot] = {
    "front": Shot("/", who=NEW, needs=LIVELY),
    "front-own": Shot("/", needs=LIVELY),
    "preferences": Shot("/", click(".head .menu:not(.mine) > button")),
    "mine": Shot("/", click(".head .mine > button")),
    "lobby": Shot("/lobby", needs=LIVELY),
    "lobby-chat": Shot("/lobby", click('[data-tab="chat"]')),
    "lobby-people": Shot("/lobby", click('[data-tab="people"]')),
    "new-room": Shot("/lobby", click(".lobby-head .main")),
    "watch": Shot("/watch", who=NEW, needs=LIVELY),
    "best": Shot("/best/kulami", needs=("kulami-end",)),
    "best-none": Shot("/best/goita", who=NEW),
    "person": Shot("/people/:Sakura", needs=("kulami-end", "puoribor-end")),
    "report": Shot("/people/:Robin", click("main .row .item >> nth=1")),
    "learn": Shot("/learn", who=NEW),
    **{f"rules-{name}": Shot(f"/learn/{name}", who=NEW) for name in PLIES},
    "archive": Shot("/archive", needs=("kulami-end", "resigned")),
    "upload": Shot("/replay"),
    "upload-wrong": Shot("/replay", write("textarea", "kulami\n1 e5\n2 e5"), anew=True),
    "replay": Shot("/replay/:kulami-end"),
    "replay-goita": Shot("/replay/:goita-end"),
    "ledger": Shot("/replay/:kulami-end", click(".replay-files > button")),
    "lost": Shot("/no/such/page", who=NEW),
    "login": Shot("/login", who=NEW, told=OFFERED),
    "register": Shot("/login", click(".turns button"), who=NEW, told=OFFERED),
    "reset": Shot("/login", click(".turns button >> nth=1"), who=NEW),
    "password": Shot("/login/password?ticket=x", who=NEW, told={"/api/login/email/password": {"email": "haneul@example.org"}}),
    "password-old": Shot("/login/password?ticket=x", who=NEW),
    "token": Shot("/login/token?token=x", who=NEW, told={"/api/login/token": {"name": "Haneul"}}),
    "second": Shot("/login/second", who=NEW, told={"/api/login/second": {"ways": ["totp", "passkey", "recovery"]}}),
    "attach": Shot("/login", told=OFFERED),
    "me": Shot("/me"),
    "me-guest": Shot("/me", who=NEW),
    "me-operator": Shot("/me", who="Dana"),
    "delete": Shot("/me", click("button.danger")),
    "operator": Shot("/operator", who="Dana"),
    "operator-people": Shot("/operator/people", write("[role=search] input", "a"), who="Dana"),
    "operator-rooms": Shot("/operator/rooms", who="Dana", needs=LIVELY),
    "operator-bans": Shot("/operator/bans", who="Dana"),
    "operator-ban": Shot("/operator/bans", click("main .row > .main"), who="Dana"),
    "operator-proposals": Shot("/operator/proposals", who="Dana"),
    "operator-log": Shot("/operator/log", who="Dana"),
    "operator-person": Shot("/people/:xX_free_coins_Xx", click("main summary"), who="Dana"),
    "operator-act": Shot("/people/:xX_free_coins_Xx", click("[aria-labelledby=moderation] .row button >> nth=1"), who="Dana"),
    "operator-not": Shot("/operator"),
    "docs": Shot("/docs", who=NEW, plain=True),
    "waiting": Shot("/r/:waiting"),
    "welcome": Shot("/r/:invited", who=NEW),
    "settings": Shot("/r/:waiting", click('[data-tab="settings"]')),
    "chair": Shot("/r/:four", click(".seats.others .menu > button")),
    "door": Shot("/r/:locked"),
    "watching": Shot("/r/:kulami", who=NEW),
    "chat": Shot("/r/:kulami", click('[data-tab="chat"]')),
    "people": Shot("/r/:kulami", click('[data-tab="people"]')),
    "resigning": Shot("/r/:kulami", click(".board-line button:last-of-type")),
    "offer": Shot("/r/:offer"),
    "draw": Shot("/r/:draw"),
    "resigned": Shot("/r/:resigned"),
    **{f"{name}{part}": Shot(f"/r/:{name}{part}") for name in PLIES for part in ("-begin", "", "-end")},
    "goita-round": Shot("/r/:goita-round"),
    "kulami-groups": Shot("/r/:kulami-groups"),
    "kulami-build": Shot("/r/:kulami-build"),
    "puoribor-turning": Shot("/r/:puoribor", choose_a_window),
    "wallgo-step": Shot("/r/:wallgo", first_step),
    "wallgo-three": Shot("/r/:wallgo-three"),
    "reversedrop-step": Shot("/r/:reversedrop", first_step),
}


def says(answer: Any) -> Callable[[Route], Awaitable[None]]:
    """What the server is said to say."""
    return lambda route: route.fulfill(json=answer)


async def address(studio: Studio, path: str) -> str:
    """Where it is by now."""
    before, _, name = path.partition(":")
    if before == "/people/":
        return before + studio.called(name).id
    if not name:
        return path
    sitting = await studio.table(name)
    return before + str(sitting.rooms[0].board["game_id"] if before == "/replay/" else sitting.rooms[0].id)


class Camera:
    """A browser with windows of several sizes, one for each person who looks through it."""

    def __init__(self, browser: Browser, studio: Studio, folder: Path, languages: list[str]) -> None:
        self._browser, self._studio, self._folder, self._languages = browser, studio, folder, languages
        self._pages: dict[tuple[str, tuple[int, int]], Page] = {}
        self.flaws: list[str] = []
        self.taken = 0

    async def _page(self, who: str, size: tuple[int, int]) -> Page:
        if (who, size) not in self._pages:
            phone = min(size) < 600
            context = await self._browser.new_context(
                viewport={"width": size[0], "height": size[1]}, locale=self._languages[0], reduced_motion="reduce", is_mobile=phone, has_touch=phone
            )
            context.set_default_timeout(20_000)
            await context.add_init_script("localStorage.setItem('hanpan.notify', 'off')")  # asked and answered
            if who:
                await context.add_cookies([{"name": "hanpan", "value": self._studio.called(who).token, "url": self._studio.url}])
            self._pages[who, size] = await context.new_page()
        return self._pages[who, size]

    async def take(self, name: str, size: tuple[int, int]) -> None:
        """One page in one size, in every language and both themes."""
        shot = SHOTS[name]
        for need in shot.needs:
            await self._studio.table(need)
        at, page = self._studio.url + await address(self._studio, shot.path), await self._page(shot.who, size)
        for path, answer in shot.told.items():
            await page.route(f"**{path}*", says(answer))
        for number, language in enumerate(self._languages[:1] if shot.plain else self._languages):
            await page.mouse.move(1, 1)
            if number == 0 or shot.anew:
                await page.goto(at)
            if not shot.plain:
                await page.wait_for_selector(".head .menu")
                await page.evaluate(SPEAK, language)
                await self._settle(page, language, name)
            if number == 0 or shot.anew:
                if await page.locator(".skeleton-part").count():  # further down, where pictures wait until they are seen
                    await page.evaluate("scrollTo(0, document.body.scrollHeight)")
                    await page.wait_for_timeout(300)
                    await page.evaluate("scrollTo(0, 0)")
                await page.wait_for_timeout(150)
                await shot.doing(page)
            for theme in THEMES:
                await self._shoot(page, name, size, language, theme)
        await page.unroute_all()

    async def _settle(self, page: Page, language: str, name: str) -> None:
        """Wait until nothing is on its way any more."""
        try:
            await page.wait_for_function(SETTLED, arg=LOBBY[language], timeout=8000)
        except Error:
            self.flaws.append(f"unsettled | {name} {language} | {await page.evaluate('location.pathname')}")
        await page.wait_for_timeout(50)

    async def _shoot(self, page: Page, name: str, size: tuple[int, int], language: str, theme: str) -> None:
        await page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]
        file = f"{name}-{size[0]}x{size[1]}-{language}-{theme}"
        found = [] if SHOTS[name].plain else await page.evaluate(f"(rough) => ({FLAWS})(rough)", theme != THEMES[0])
        self.flaws += [f"{kind} | {file} | {what}" for kind, what in found]
        whole = await page.evaluate("document.querySelector('.room-page, dialog[open], .sheet:not([hidden])') ? 0 : document.documentElement.scrollHeight")
        shown = {"x": 0, "y": 0, "width": size[0], "height": max(size[1], min(whole, HIGHEST))}
        await page.screenshot(path=self._folder / f"{file}.jpg", type="jpeg", quality=88, full_page=whole > size[1], clip=shown)  # type: ignore[arg-type]
        self.taken += 1


async def main(folder: Path, wanted: list[str], sizes: list[tuple[int, int]], languages: list[str]) -> None:
    """Start a server, prepare, take the pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    with served() as (url, data):
        async with people_of_pictures(url, data) as studio, async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=chromium(), args=QUIET)
            camera = Camera(browser, studio, folder, languages)
            try:
                for name, size in itertools.product(wanted, sizes):
                    before, since = camera.taken, time.monotonic()
                    try:
                        await camera.take(name, size)
                    except (Error, AssertionError) as wrong:
                        camera.flaws.append(f"failed | {name} {size[0]}x{size[1]} | {str(wrong).splitlines()[0] if str(wrong) else type(wrong).__name__}")
                    print(f"{name} {size[0]}x{size[1]}: {camera.taken - before} in {time.monotonic() - since:.1f} s", flush=True)
            finally:
                (folder / "flaws.txt").write_text("\n".join(camera.flaws) + "\n", "utf-8")
            with contextlib.suppress(Error):
                await browser.close()
    kinds = collections.Counter(flaw.split(" | ")[0] for flaw in camera.flaws)
    print(f"{camera.taken} pictures; flaws: {', '.join(f'{kind} {count}' for kind, count in kinds.most_common()) or 'none'}")


def size(text: str) -> tuple[int, int]:
    """WIDTHxHEIGHT."""
    width, _, height = text.partition("x")
    return int(width), int(height)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "build" / "screenshots")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(SHOTS))
    parser.add_argument("--in", dest="languages", nargs="+", default=["en"], choices=LANGUAGES, metavar="LANGUAGE", help=", ".join(LANGUAGES))
    parser.add_argument("--size", type=size, nargs="+", default=SIZES, metavar="WIDTHxHEIGHT", help="other sizes than a phone and a desk")
    given = parser.parse_args()
    if unknown := set(given.names) - set(SHOTS):
        parser.error(f"there is no {', '.join(sorted(unknown))}; there are {', '.join(SHOTS)}")
    asyncio.run(main(given.folder, given.names or list(SHOTS), given.size, given.languages))
