"""People before a browser: what they see, point at and type. They choose actions with the library, from what they may know."""

import asyncio
import json
import time
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager

import hanpan
from hanpan.client import Client

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
PATIENCE = 180_000  # milliseconds: the machine may be busy, or compiling

CLUB = "club.example"  # the tests' servers by a name that does not count as this machine itself: what browsers allow by https alone is not allowed there
NO_CLOCK = {"kind": "none"}  # the machine may be busy for longer than any clock allows

# What is said for some seconds only is written down, so that it is not missed while the machine is busy.
SAID = """
window.said = [];
window.saidBefore = 0;
window.saying = {};
new MutationObserver(() => {
    for (const voice of [".notice", ".prompt"]) {
        const text = document.querySelector(voice)?.textContent ?? "";
        if (text && text !== window.saying[voice]) window.said.push(text);
        window.saying[voice] = text;
    }
}).observe(document, { subtree: true, childList: true, characterData: true });
"""
HEARD = """([text, whole]) => {
    const now = [...document.querySelectorAll(".notice, .prompt")].map((line) => line.textContent);
    if (![...window.said.slice(window.saidBefore), ...now].some((line) => whole ? line === text : line.includes(text))) return false;
    window.saidBefore = window.said.length;
    return true;
}"""
TABLE = """() => {
    const { ply, over, turn } = document.querySelector(".board-frame")?.dataset ?? {};
    document.querySelector(".round-card .main")?.click();
    return [Number(ply ?? -1), over === "true", over !== "true" && turn !== undefined && document.querySelector(`.seat.mine[data-seat="${turn}"]`) !== null];
}"""

# What can be pointed at, once the page has been told; the names of places follow a frame later.
READY = ".board .targets > *, .board .buttons > *, .board-line [data-place]"

# The next keys on the way to a place of the board: straight on over as many places as lie before it.
WAY = """(place) => {
    const box = (e) => ["x", "y", "width", "height"].map((name) => Number(e.getAttribute(name)));
    const spot = (e) => {
        const [x, y, w, h] = box(e);
        return { x: x + w / 2, y: y + h / 2, layer: w > 2 * h ? "flat" : h > 2 * w ? "tall" : "cell" };
    };
    const focused = document.activeElement.closest(".board") && document.activeElement;
    const target = document.querySelector(`.board .spot[data-place="${place}"]`);
    if (!focused?.matches(".spot") || !target) return ["Tab"];
    if (focused === target) return ["Enter"];
    const here = spot(focused), there = spot(target);
    if (here.layer !== there.layer) return ["PageDown"];
    const along = Math.abs(there.x - here.x) > Math.abs(there.y - here.y) ? "x" : "y", on = there[along] > here[along];
    const passed = [...document.querySelectorAll(".board .spot")].map(spot).filter((each) => each.layer === here.layer).map((each) => each[along])
        .filter((at) => on ? at > here[along] + 0.01 && at < there[along] + 0.01 : at < here[along] - 0.01 && at > there[along] - 0.01);
    const steps = new Set(passed.map((at) => at.toFixed(2))).size;
    return Array(Math.max(1, steps)).fill(along === "x" ? (on ? "ArrowRight" : "ArrowLeft") : on ? "ArrowDown" : "ArrowUp");
}"""

STILL = """([board, place, look]) => {
    const box = document.querySelector(`${board} [data-place="${place}"]`)?.getBoundingClientRect();
    const now = `${look} ${JSON.stringify(box ?? null)}`, before = window.lastLook;
    window.lastLook = now;
    return box?.width && now === before ? box.toJSON() : null;
}"""


@contextmanager
def beside():
    """`do(work)` does something on a loop that runs beside the browser's, and waits for it."""
    begun = Future()

    async def stay():
        over = asyncio.Event()
        begun.set_result((asyncio.get_running_loop(), over))
        await over.wait()

    with ThreadPoolExecutor(1) as apart:
        apart.submit(asyncio.run, stay())
        loop, over = begun.result()
        try:
            yield lambda work: asyncio.run_coroutine_threadsafe(work, loop).result(120)
        finally:
            loop.call_soon_threadsafe(over.set)


def soon(look, wanted=True):
    """Wait until what is looked at is as wanted: what a page shows follows what was done a little later."""
    end = time.monotonic() + PATIENCE / 1000
    while (seen := look()) != wanted:
        if time.monotonic() > end:
            raise AssertionError(f"{seen!r} instead of {wanted!r}")
        time.sleep(0.02)


def title(game):
    """A game's name in English."""
    return hanpan.game(game).book.say(hanpan.core.words.Phrase("name"))


def called(game, option):
    """An option's name in English."""
    return hanpan.game(game).book.say(hanpan.core.words.Phrase(f"options.{option}.name"))


class Visitor:
    """Someone with a browser of their own. Whoever does not go elsewhere first is at the front page."""

    LOCAL = False  # whether games without other people are played in the browser alone; else, as where that can't be, in rooms of the server

    def __init__(self, browser, server, **context):
        self.server = server
        context = {"viewport": {"width": 1280, "height": 900}, "locale": "en-US", "reduced_motion": "reduce", "service_workers": "block"} | context
        self.context = browser.new_context(**context)
        self.context.set_default_timeout(PATIENCE)
        self.context.add_init_script(SAID)
        if not self.LOCAL:
            self.context.add_init_script("delete globalThis.WebAssembly")
        self._page, self._came = self.context.new_page(), False
        self.troubles, self._looked = [], 0
        self._page.on("pageerror", lambda wrong: self.troubles.append(str(wrong)))
        self.touch, self._languages = bool(context.get("has_touch")), {"Accept-Language": context["locale"]}

    @property
    def page(self):
        """The page that is open."""
        if not self._came:  # to load a page that nobody looks at takes half a second
            self.go("/")
        return self._page

    @page.setter
    def page(self, page):
        self._page, self._came = page, True

    def go(self, path):
        self._came = True
        self._page.goto(self.server.url + path)
        self._page.wait_for_selector("main h1", state="attached")

    def enter_lobby(self):
        """Until one is there, and hears what the others say: oneself is shown before."""
        self.go("/lobby")
        self.page.wait_for_function("() => document.querySelector('.lobby-columns') && !document.querySelector('.lobby-columns .skeleton')")

    def leave(self):
        self.context.close()
        assert self.troubles == []

    def shows(self, count, selector):
        """So many things of that kind, now or soon."""
        soon(self.page.locator(selector).count, count)

    def watch_for(self, text):
        """From now on; calling what is given back waits until it is or was to be seen, however shortly."""
        script = """(text) => {
            const watch = { seen: false }, look = () => { watch.seen ||= document.body.innerText.includes(text); };
            new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
            look();
            return watch;
        }"""
        watch = self.page.evaluate_handle(script, text)
        return lambda: self.page.wait_for_function("(watch) => watch.seen", arg=watch)

    def heard(self, text, whole=False):
        """A notice or the line at the board says so, or has since one listened last."""
        self.page.wait_for_function(HEARD, arg=[text, whole])

    # --- ways to a game ---

    def start(self, game, way, **options):
        """From the front page to a game: `way` is the heading of one of the ways to play; options by their values."""
        self.page.get_by_role("radio", name=title(game), exact=True).check()
        if options:
            self.page.get_by_text("Options of the game").click()
        for option, value in options.items():
            field = self.page.get_by_label(called(game, option))
            field.fill(value) if field.evaluate("(field) => field.matches('input')") else field.select_option(value)
            field.press("Tab")
        card = self.page.locator(".way", has=self.page.get_by_role("heading", name=way))
        card.get_by_role("button").first.wait_for()
        unhurried = card.get_by_role("radio", name="no clock", exact=True)
        if unhurried.count():  # a busy machine would run out of time
            unhurried.check()
        card.get_by_role("button").first.click()
        self.page.wait_for_selector(".room-page .seats .seat")

    def press(self, name):
        self.page.get_by_role("button", name=name, exact=True).click()

    def new_room(self, game, **fields):
        """Open a room over a line of its own to the server, as this person; its address. Without a clock, if none is asked for."""
        fields = {key: value for key, value in fields.items() if value is not None}
        fields["settings"] = {"time": NO_CLOCK} | fields.get("settings", {})
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

    def be_someone(self):
        """A guest, if no page was looked at yet: each makes its reader one."""
        if not self._came:
            assert self.token

    @property
    def token(self):
        """What brings this browser back, which no script in it can read."""
        self.context.request.post(self.server.url + "/api/guest", headers=self._languages)
        return next(cookie["value"] for cookie in self.context.cookies() if cookie["name"] == "hanpan")

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
        answer = self.context.request.get(self.server.url + path, max_retries=2)  # as a browser does by itself, should an idle connection just be closed
        assert answer.ok, (path, answer.status)
        return json.loads(answer.text())

    def ply(self):
        return int(self.page.get_attribute(".board-frame", "data-ply") or 0)

    def my_turn(self):
        """As the board says it; the bars beside it follow a frame later."""
        return self.page.evaluate("""() => {
            const turn = document.querySelector(".board-frame")?.dataset.turn;
            return turn !== undefined && document.querySelector(`.seat.mine[data-seat="${turn}"]`) !== null;
        }""")

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

    def point(self, place, board=".board"):
        """Point at a place of the board (or a button below it) with the mouse or a finger."""
        shelf = self.page.locator(f'.board-line [data-place="{place}"]')
        if shelf.count():
            shelf.tap() if self.touch else shelf.click()
            return
        box = self._box(place, board)
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        if box["width"] > 2 * box["height"]:  # two walls may cross in their middles: a person points beside it
            x += box["width"] / 5
        elif box["height"] > 2 * box["width"]:
            y += box["height"] / 5
        self.page.touchscreen.tap(x, y) if self.touch else self.page.mouse.click(x, y)

    def _box(self, place, board):
        """Where a place of the board lies on the screen, once it lies still: looked up and measured in one step, since a board may be laid anew between two."""
        self._looked += 1
        return self.page.wait_for_function(STILL, arg=[board, place, self._looked]).json_value()

    def play(self, action, view):
        """Walk an action's places."""
        before = self.ply()
        places = view.clicks(action)
        self.page.wait_for_selector(READY, state="attached")
        for number, place in enumerate(places, 1):
            self.page.wait_for_selector(f'[data-place="{place}"][aria-disabled="false"], .board-line [data-place="{place}"]', state="attached")
            self.point(place)
            if self.touch and number == len(places) and self.page.locator(f'.board :is(.slot, .handle)[data-place="{place}"]').count():
                self.page.locator(".board-line .yes").tap()  # small places are aimed at first
        self.wait_for_ply(before + 1)
        told = self.recorded()[before]  # a finished game's are bare texts
        assert action == (told if isinstance(told, str) else told["action"]), (before, action, told)

    def until_playable(self, game):
        """What games are played with in a browser is made once everything is compiled."""
        while self._get("/api/engines").get(game) is None:
            time.sleep(0.2)

    def recorded(self):
        """The actions so far, by the server's own record."""
        return self._get(f"/api/records/{self.game_id()}.json")["actions"]


class Hermit(Visitor):
    """Someone who plays without a server: what happened is kept in the browser."""

    LOCAL = True

    def start(self, game, way, **options):
        self.until_playable(game)
        self.go("/")
        super().start(game, way, **options)

    def kept(self):
        """The game that is open, as it is kept."""
        return json.loads(self.page.evaluate("localStorage.getItem('hanpan.local.' + location.pathname.split('/').pop())"))

    def recorded(self):
        return self.kept()["actions"]

    def states(self):
        """Every position so far, replayed by the library."""
        kept = self.kept()
        state = hanpan.game(kept["game"], **kept["options"]).start()
        yield state
        for played in kept["actions"]:
            state = state.play(played["action"])
            yield state

    def view(self):
        *_, state = self.states()
        return state.view(state.seat)


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

    def start(self, game, way, **options):
        """From the front page to a game: tab to the games, choose with the arrows, tab on to the options and the way's button."""
        self._tab_until("document.activeElement.matches('.chooser input')")
        for _ in range(20):
            if self.page.evaluate("() => document.activeElement.closest('label').querySelector('b').innerText") == title(game):
                break
            self.page.keyboard.press("ArrowRight")
        else:
            raise AssertionError(f"the arrows do not lead to {game}")
        if options:
            self._tab_until("document.activeElement.matches('summary')")
            self.page.keyboard.press("Enter")
        for option, value in options.items():
            self._tab_until(f"document.activeElement.labels?.[0]?.innerText.startsWith({called(game, option)!r})")
            self.page.keyboard.type(value)
        card = self.page.locator(".way", has=self.page.get_by_role("heading", name=way))
        card.get_by_role("button").first.wait_for()
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

    def point(self, place):
        """Walk there with the arrows, from layer to layer with page down, and press enter."""
        for _ in range(150):
            keys = self.page.evaluate(WAY, place)
            for key in keys:
                self.page.keyboard.press(key)
            if keys == ["Enter"]:
                return
        raise AssertionError(f"the keys do not lead to {place}")


def mover_of(people):
    """Whoever of these people is to act, as soon as all have seen the same; None: the game is over. Between two rounds they go on."""
    found = []

    def look():
        seen = [person.page.evaluate(TABLE) for person in people]
        found[:] = [person for person, (ply, over, mine) in zip(people, seen, strict=True) if mine]
        return len({(ply, over) for ply, over, mine in seen}) == 1 and (bool(found) or seen[0][1])

    soon(look)
    return found[0] if found else None


def play_to_the_end(people, choose, most=600):
    """Everyone plays when it is their turn, until the game is over. `choose` picks an action from a view."""
    for _ in range(most):
        mover = mover_of(people)
        if mover is None:
            return
        view = mover.view()
        mover.play(choose(view), view)
    raise AssertionError(f"not over after {most} turns")
