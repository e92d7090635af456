"""People before a browser: what they see, point at and type. They choose actions with the library, from what they may know."""

import json

import hanpan

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
PATIENCE = 60_000  # milliseconds


class Visitor:
    """Someone with a browser of their own."""

    def __init__(self, browser, server, **context):
        self.server = server
        self.context = browser.new_context(**({"viewport": {"width": 1280, "height": 900}, "locale": "en-US", "reduced_motion": "reduce"} | context))
        self.context.set_default_timeout(PATIENCE)
        self.page = self.context.new_page()
        self.troubles = []
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
        """From the front page to a game: `way` is the words on the button."""
        name = hanpan.game(game).book.say(hanpan.words.Phrase("name"))
        card = self.page.locator("main li", has=self.page.get_by_role("heading", name=name, exact=True))
        card.get_by_role("button", name=way).click()
        self.page.wait_for_selector(".room-page .seats .seat")

    def press(self, name):
        self.page.get_by_role("button", name=name, exact=True).click()

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
        return self.page.locator(".seat.mine.acting").count() > 0

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
        box = self.page.locator(f'.board [data-place="{place}"]').bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.page.touchscreen.tap(x, y) if self.touch else self.page.mouse.click(x, y)

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
            people[0].page.wait_for_timeout(20)
            continue
        view = mover.view()
        mover.play(choose(view), view)
    raise AssertionError(f"not over after {most} turns")
