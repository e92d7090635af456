"""People before a browser: what they see, point at and type. They choose actions with the library, from what they may know."""

import asyncio
import json
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import hanpan
from hanpan.client import Client

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
PATIENCE = 180_000  # milliseconds: the machine may be busy, or compiling

STILL = """([place, look]) => {
    const box = document.querySelector(`.board [data-place="${place}"]`)?.getBoundingClientRect();
    const now = `${look} ${JSON.stringify(box ?? null)}`, before = window.lastLook;
    window.lastLook = now;
    return box?.width && now === before ? box.toJSON() : null;
}"""


@contextmanager
def beside():
    """`do(work)` does something on a loop that runs beside the browser's, and waits for it."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        yield lambda work: asyncio.run_coroutine_threadsafe(work, loop).result(120)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()


def title(game):
    """A game's name in English."""
    return hanpan.game(game).book.say(hanpan.core.words.Phrase("name"))


class Visitor:
    """Someone with a browser of their own."""

    def __init__(self, browser, server, **context):
        self.server = server
        self.context = browser.new_context(**({"viewport": {"width": 1280, "height": 900}, "locale": "en-US", "reduced_motion": "reduce"} | context))
        self.context.set_default_timeout(PATIENCE)
        self.page = self.context.new_page()
        self.troubles, self._looked = [], 0
        self.page.on("pageerror", lambda wrong: self.troubles.append(str(wrong)))
        self.touch = bool(context.get("has_touch"))
        self.go("/")

    def go(self, path):
        self.page.goto(self.server.url + path)
        self.page.wait_for_selector("main h1", state="attached")

    def leave(self):
        self.context.close()
        assert self.troubles == []

    # --- ways to a game ---

    def start(self, game, way):
        """From the front page to a game: `way` is the heading of one of the ways to play."""
        self.page.get_by_role("radio", name=title(game), exact=True).check()
        card = self.page.locator(".way", has=self.page.get_by_role("heading", name=way))
        unhurried = card.get_by_role("radio", name="no clock", exact=True)
        if unhurried.count():  # a busy machine would run out of time
            unhurried.check()
        card.get_by_role("button").first.click()
        self.page.wait_for_selector(".room-page .seats .seat")

    def press(self, name):
        self.page.get_by_role("button", name=name, exact=True).click()

    def new_room(self, game, **fields):
        """Open a room over a line of its own to the server, as this person; its address."""
        fields = {key: value for key, value in fields.items() if value is not None}
        token = self.token

        async def make():
            async with Client(self.server.url, token) as me:
                lobby = await me.enter_lobby()
                return (await lobby.call("new room", game=game, **fields))["id"]

        with ThreadPoolExecutor(1) as apart:  # the browser's own loop runs in this thread
            return "/r/" + apart.submit(lambda: asyncio.run(make())).result()

    def sit_down_with(self, *others, game, **fields):
        """Open a room, sit down there together, and begin."""
        room = self.new_room(game, **fields)
        for person in (self, *others):
            person.go(room)
            person.press("Sit down and play")
        for person in (self, *others):
            person.page.wait_for_selector(".board-frame[data-game]")

    @property
    def token(self):
        """What brings this browser back, which no script in it can read."""
        self.page.request.post(self.server.url + "/api/guest")
        return next(cookie["value"] for cookie in self.page.context.cookies() if cookie["name"] == "hanpan")

    @property
    def room(self):
        return self.page.evaluate("location.pathname")

    # --- the game ---

    def record(self):
        """What this person may know of the running game."""
        room = next(line for line in self._get("/api/rooms") if self.room.endswith(line["id"]))
        return room, self._get(f"/api/records/{self.game_id()}.json")

    def game_id(self):
        return self.page.get_attribute(".board-frame", "data-game")

    def _get(self, path):
        answer = self.page.request.get(self.server.url + path)
        assert answer.ok, (path, answer.status)
        return json.loads(answer.text())

    def ply(self):
        return int(self.page.get_attribute(".board-frame", "data-ply") or 0)

    def my_turn(self):
        """As the board says it; the bars beside it follow a frame later."""
        turn = self.page.get_attribute(".board-frame", "data-turn")
        return turn is not None and self.page.locator(f'.seat.mine[data-seat="{turn}"]').count() > 0

    def over(self):
        return self.page.get_attribute(".board-frame", "data-over") == "true"

    def wait_for_ply(self, ply):
        """Until that many actions have been seen."""
        self.page.wait_for_function("(ply) => Number(document.querySelector('.board-frame')?.dataset.ply) >= ply", arg=ply)

    def view(self):
        """The position as this person may know it, from the server's own record."""
        record = self._get(f"/api/records/{self.game_id()}.json")
        mine = self.page.get_attribute(".seat.mine", "data-seat")
        game = hanpan.game(record["game"], **record["options"])
        return game.parse(record["position"], int(mine))

    def point(self, place):
        """Point at a place of the board (or a button below it) with the mouse or a finger."""
        shelf = self.page.locator(f'.board-line [data-place="{place}"]')
        if shelf.count():
            shelf.tap() if self.touch else shelf.click()
            return
        box = self._box(place)
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        if box["width"] > 2 * box["height"]:  # two walls may cross in their middles: a person points beside it
            x += box["width"] / 5
        elif box["height"] > 2 * box["width"]:
            y += box["height"] / 5
        self.page.touchscreen.tap(x, y) if self.touch else self.page.mouse.click(x, y)

    def _box(self, place):
        """Where a place of the board lies on the screen, once it lies still: looked up and measured in one step, since a board may be laid anew between two."""
        self._looked += 1
        return self.page.wait_for_function(STILL, arg=[place, self._looked]).json_value()

    def play(self, action, view):
        """Walk an action's places."""
        before = self.ply()
        for place in view.clicks(action):
            self.page.wait_for_selector(f'[data-place="{place}"][aria-disabled="false"], .board-line [data-place="{place}"]', state="attached")
            self.point(place)
            yes = self.page.locator(".board-line .yes")
            if self.touch and yes.count():  # small places are aimed at first
                yes.tap()
        self.wait_for_ply(before + 1)
        told = self._get(f"/api/records/{self.game_id()}.json")["actions"][before]  # a finished game's are bare texts
        assert action == (told if isinstance(told, str) else told["action"]), (before, action, told)


class Typist(Visitor):
    """Someone without a mouse."""

    def tab_to(self, wanted):
        """Go on with the tab key until something with these words (or this place of the board) is focused."""
        script = "() => { const e = document.activeElement; return e.dataset.place ?? (e.getAttribute('aria-label') || e.innerText || '').trim(); }"
        for _ in range(150):
            if self.page.evaluate(script).startswith(wanted):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"the tab key does not lead to {wanted!r}")

    def start(self, game, way):
        """From the front page to a game: tab to the games, choose with the arrows, tab on to the way's button."""
        self._tab_until("document.activeElement.matches('.chooser input')")
        for _ in range(20):
            if self.page.get_by_role("radio", name=title(game), exact=True).is_checked():
                break
            self.page.keyboard.press("ArrowRight")
        else:
            raise AssertionError(f"the arrows do not lead to {game}")
        card = self.page.locator(".way", has=self.page.get_by_role("heading", name=way))
        unhurried = card.get_by_role("radio", name="no clock", exact=True)
        if unhurried.count():  # a busy machine would run out of time
            self._tab_until(f"document.activeElement.name === {unhurried.get_attribute('name')!r}")
            while not unhurried.is_checked():
                self.page.keyboard.press("ArrowRight")
        self._tab_until(
            f"document.activeElement.matches('button') && document.activeElement.closest('.way')?.querySelector('h3').innerText.startsWith({way!r})"
        )
        self.page.keyboard.press("Enter")
        self.page.wait_for_selector(".room-page .seats .seat")

    def _tab_until(self, condition):
        for _ in range(150):
            if self.page.evaluate(f"() => {condition}"):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"the tab key does not lead to where {condition}")

    def press(self, name):
        self.page.get_by_role("button", name=name, exact=True).wait_for()
        self.tab_to(name)
        self.page.keyboard.press("Enter")

    def _focused(self):
        return self.page.evaluate("() => document.activeElement.closest('.board') ? document.activeElement.dataset.place ?? null : null")

    def _spots(self):
        """Where every place is, and in which layer one walks over it."""
        script = """(all) => all.map((e) => [e.dataset.place, ...["x", "y", "width", "height"].map((name) => Number(e.getAttribute(name)))])"""
        found = self.page.locator(".board .spot").evaluate_all(script)
        return {id: (x + w / 2, y + h / 2, "flat" if w > 2 * h else "tall" if h > 2 * w else "cell") for id, x, y, w, h in found}

    def point(self, place):
        """Walk there with the arrows, from layer to layer with page down, and press enter."""
        if self._focused() is None:
            self.page.keyboard.press("Tab")
            for _ in range(150):
                if self._focused() is not None:
                    break
                self.page.keyboard.press("Tab")
        spots = self._spots()
        x, y, layer = spots[place]
        for _ in range(80):
            here = self._focused()
            if here == place:
                self.page.keyboard.press("Enter")
                return
            at_x, at_y, at_layer = spots[here]
            if at_layer != layer:
                self.page.keyboard.press("PageDown")
            elif abs(x - at_x) > abs(y - at_y):
                self.page.keyboard.press("ArrowRight" if x > at_x else "ArrowLeft")
            else:
                self.page.keyboard.press("ArrowDown" if y > at_y else "ArrowUp")
        raise AssertionError(f"the arrows do not lead to {place}")


def play_to_the_end(people, choose, most=600):
    """Everyone plays when it is their turn, until the game is over. `choose` picks an action from a view."""
    for _ in range(most):
        if all(person.over() for person in people):
            return
        ply = max(person.ply() for person in people)
        for person in people:
            person.wait_for_ply(ply)
        mover = next((person for person in people if person.my_turn()), None)
        if mover is None:
            for person in people:  # between two rounds
                person.page.evaluate("document.querySelector('.round-card .main')?.click()")
            people[0].page.wait_for_timeout(20)
            continue
        view = mover.view()
        mover.play(choose(view), view)
    raise AssertionError(f"not over after {most} turns")
