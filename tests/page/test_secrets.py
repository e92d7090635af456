"""What a spectator's browser is sent, and shows, holds nothing that spectators may not know."""

import json
import random
import re
from collections import Counter
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass

import pytest
from visitors import NO_CLOCK, beside

from hanpan.client import Client
from hanpan.record import GameRecord

pytestmark = pytest.mark.slow
OPTIONS = {"target": 10}  # one round decides
# What waits for a frame may be put off by another one: lib/afterpaint.ts.
AFTER_PAINT = """async () => {
    for (let frame = 0; frame < 3; frame++) await new Promise((done) => requestAnimationFrame(() => setTimeout(() => setTimeout(done))));
    return true;
}"""
KOMAS = dict(zip("123456789", "し香馬銀金角飛王玉", strict=True))


@dataclass
class Moment:
    """Everything that reached the spectator until another action was played, and the page as it was then."""

    ply: int
    sent: list[str]
    source: str
    komas: Counter  # written on the board
    named: Counter  # in the names of its places


class Table:
    """Four people who play at random, on a loop of their own beside the browser's."""

    def __init__(self, url, seed):
        self.url, self.dice, self.stack = url, random.Random(seed), AsyncExitStack()

    async def sit_down(self):
        people = [await self.stack.enter_async_context(Client(self.url)) for _ in range(4)]
        first = await people[0].new_room("goita", options=OPTIONS, settings={"rated": False, "time": NO_CLOCK})
        self.rooms = [first, *[await person.enter(first.id) for person in people[1:]]]
        for seat, room in enumerate(self.rooms):
            await room.call("sit on", seat=seat)
        return first.id

    async def begin(self):
        for room in self.rooms:
            await room.call("set ready")
        for room in self.rooms:
            await room.until(lambda room=room: bool(room.board))
        return self.rooms[0].ply

    async def act(self):
        """One action of whoever is to act; None after the last."""
        board = self.rooms[0].board
        own = await self.rooms[board["seat"]].my_turn()
        await self.rooms[board["seat"]].play(self.dice.choice(own["legal"]))
        for room in self.rooms:
            await room.until(lambda room=room: room.ply > board["ply"])
        return None if self.rooms[0].board["over"] else self.rooms[0].ply


@contextmanager
def table(url, seed):
    """A table, and how to have it do something."""
    sitting = Table(url, seed)
    with beside() as do:
        yield sitting, do
        do(sitting.stack.aclose())


def look(watcher, ply, sent):
    """What the page shows and holds now; meanwhile it asks for everything that can be asked about the game."""
    watcher.wait_for_ply(ply)
    told = watcher.page.evaluate(
        """async ([game, room]) => Promise.all([".json", ".txt", ".svg", ""].map((kind) => `/api/records/${game}${kind}`)
            .concat(`/api/rooms/${room}/scene`, "/api/rooms", "/watch").map(async (path) => (await fetch(path)).text()))""",
        [watcher.game_id(), watcher.room.split("/")[-1]],
    )
    watcher.page.wait_for_function(AFTER_PAINT)  # named, too
    written = watcher.page.locator(".board .koma text").all_text_contents()
    names = watcher.page.locator(".board [aria-label]").evaluate_all("(all) => all.map((each) => each.getAttribute('aria-label')).join()")
    moment = Moment(ply, [*sent, *told], watcher.page.content(), Counter(written), Counter(sign for sign in names if sign in KOMAS.values()))
    sent.clear()
    return moment


def test_no_hidden_koma_reaches_a_spectator(visitor, server):
    """Through a whole round, compared ply by ply with the true record when that is open."""
    watcher, sent, moments = visitor(), [], []
    watcher.page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: sent.append(frame if isinstance(frame, str) else repr(frame))))
    watcher.page.on("response", lambda answer: sent.append(answer.text()) if "/page/" not in answer.url and answer.status == 200 else None)
    with table(server.url, 8) as (sitting, do):
        watcher.go("/r/" + do(sitting.sit_down()))
        ply = do(sitting.begin())
        watcher.page.wait_for_selector(".board-frame[data-game]")
        while ply is not None:
            moments.append(look(watcher, ply, sent))
            ply = do(sitting.act())
        watcher.page.wait_for_selector('.board-frame[data-over="true"]')
        states = list(GameRecord.from_json(watcher.page.request.get(f"{server.url}/api/records/{watcher.game_id()}.json").text()).states())
    assert len(moments) >= 8
    assert sum(len(moment.sent) for moment in moments) > 5 * len(moments)
    for moment in moments:
        check(moment, states)


def check(moment, states):
    """Nothing but what everyone has seen at that ply."""
    state = states[moment.ply]
    seen = state.view(None)
    pieces = [piece for piece in seen.scene().json()["look"]["pieces"] if piece.get("text")]
    shown = Counter(piece["text"] for piece in pieces)
    named = Counter(piece["text"] for piece in pieces if piece["id"] != "attack")  # what must be answered is drawn once more, in the middle
    assert sum(shown.values()) < 32
    assert moment.komas == shown
    assert moment.named == named
    for text in (*moment.sent, moment.source):
        plain = re.sub(r"\d{13}", "", text)  # times
        for hand in unseen(state, seen):
            assert not any(form in plain for form in forms(hand)), (moment.ply, hand, text[:200])
        for told in parsed(text):
            agrees(told, states)


def unseen(state, seen):
    """What is left of each seat's hand when what everyone has seen is taken away, if that is long enough to be told from other numbers."""
    hands, known = (str(each).split(" ")[1].split(",")[:4] for each in (state, seen))
    left = ["".join(sorted((Counter(hand) - Counter(open_)).elements())) for hand, open_ in zip(hands, known, strict=True)]
    return [hand for hand in (*left, *hands) if len(hand) >= 6]


def forms(hand):
    """The ways in which a hand could be written."""
    signs = [KOMAS[koma] for koma in hand]
    return [joint.join(way) for way in (hand, signs, hand[::-1]) for joint in ("", ",", ", ", '","', '", "', " ")]


def parsed(text):
    """The JSON in an answer or a frame of the socket."""
    start = re.match(r"^[0-9]*(?:/\w+,)?[0-9]*(?=[\[{])", text)
    if not start:
        return []
    try:
        return [json.loads(text[start.end() :])]
    except json.JSONDecodeError:
        return []


def agrees(told, states):
    """Wherever a position or a picture of the game is told, it is the one that everyone may see."""
    if isinstance(told, list):
        for each in told:
            agrees(each, states)
    elif isinstance(told, dict):
        if "position" in told and "ply" in told:
            assert told["position"] == str(states[told["ply"]].view(None))
        if "scene" in told and "ply" in told:
            assert told["scene"]["look"] == json.loads(json.dumps(states[told["ply"]].view(None).scene().json()["look"]))
        assert not (told.get("face_down") and (told.get("text") or told.get("sign", "x") != "x")), told
        assert told.get("seat") is None or not re.fullmatch(r"deal .*\d.*", str(told.get("action", "")))
        for each in told.values():
            agrees(each, states)
