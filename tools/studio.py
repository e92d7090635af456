"""A server of its own with people and tables at which something can be seen: for pictures, and for measuring the page."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ports import free_port

import hanpan
from hanpan.client import Client, Room
from hanpan.server.storage.store import Store

ROOT = Path(__file__).parent.parent
PLIES = {"goita": 12, "kulami": 24, "puoribor": 26, "reversedrop": 24, "wallgo": 40}  # how far each board is played before its picture
END = 10_000
LEVEL = 3
CLOCK = {"kind": "byoyomi", "main_ms": 600_000, "byoyomi_ms": 30_000}
STALE = 240  # seconds until a table that waits for someone is laid anew: its clock runs
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--no-first-run", "--hide-scrollbars"]
PLAYERS = ("Haneul", "Sakura", "小明", "Robin")
OTHERS = ("Dana", "Ilsu", "xX_free_coins_Xx")  # two operators, and someone whom they have to deal with
HABITS = {"HANPAN_UNLIMITED_LOCAL": "true", "HANPAN_ROOMS_PER_PERSON": "200", "HANPAN_MESSAGES_PER_MINUTE": "600", "HANPAN_CONTACT": "dana@example.org"}


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
        """Let computer players act for everyone, with a rest before each action, until the first one is to act (or the game, or a part of it, is over)."""
        name = self.rooms[0].last["info"]["game"]
        bot = hanpan.bot(name, LEVEL)
        game = hanpan.game(name, **self.rooms[0].last["info"]["options"])
        while not self.rooms[0].board["over"] and not self.rooms[0].board.get("paused"):
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


async def sit_down(people: list[Client], game: str, options: dict[str, Any] | None = None, **settings: Any) -> Sitting:
    """Everyone sits down and is ready."""
    opened = await people[0].new_room(game, options=options or {}, settings={"pause": 0} | settings)
    await opened.until(lambda: "player info" in opened.last)
    seats = len(opened.last["player info"]["seats"])
    rooms = [opened, *[await person.enter(opened.id) for person in people[1:seats]]]
    for seat, room in enumerate(rooms):
        await room.call("sit on", seat=seat)
        await room.call("set ready")
    for room in rooms:
        await room.until(lambda r=room: bool(r.board))
    return Sitting(people, rooms)


# --- tables ---


Making = Callable[[list[Client]], Awaitable[Sitting]]


def played(game: str, plies: int, options: dict[str, Any] | None = None, **settings: Any) -> Making:
    """A table at which so much has been played."""

    async def make(people: list[Client]) -> Sitting:
        sitting = await sit_down(people, game, options, **({"time": CLOCK} | settings))
        await sitting.play(plies)
        return sitting

    return make


def opened_by(number: int, *events: str, game: str = "puoribor", **how: Any) -> Making:
    """A room in which nobody plays yet; whoever opened it sends these events."""

    async def make(people: list[Client]) -> Sitting:
        room = await people[number].new_room(game, **how)
        for event in events:
            await room.call(event, **({"seat": 0} if event == "sit on" else {}))
        return Sitting(people, [room])

    return make


def then(make: Making, number: int, event: str, *many: dict[str, Any]) -> Making:
    """The same, after someone there has sent an event (as often as there is something to say with it)."""

    async def more(people: list[Client]) -> Sitting:
        sitting = await make(people)
        for turn, said in enumerate(many or ({},)):
            await sitting.rooms[(number + turn) % len(sitting.rooms)].call(event, **said)
        return sitting

    return more


TALK = [{"msg": words} for words in ("Good luck!", "You too. Nice board.", "That was mine…", "<b>ha</b> :)")]
TABLES: dict[str, Making] = {
    **{f"{game}-begin": played(game, 0) for game in PLIES},
    **{game: played(game, plies) for game, plies in PLIES.items()},
    **{f"{game}-end": played(game, END) for game in PLIES},
    "kulami": then(played("kulami", PLIES["kulami"]), 0, "send msg", *TALK),
    "goita-round": played("goita", END, pause=300),
    "kulami-groups": played("kulami", END, {"level": 2}),
    "kulami-build": played("kulami", 8, {"board": "build"}),
    "wallgo-three": played("wallgo", 30, {"players": 3}),
    "offer": then(played("puoribor", 4, rated=False), 1, "ask takeback"),
    "draw": then(played("kulami", 6), 1, "offer draw"),
    "resigned": then(played("puoribor", 8), 0, "resign"),
    "waiting": opened_by(0, "sit on", "set ready"),
    "invited": opened_by(1, "sit on", "set ready", game="wallgo"),
    "four": opened_by(0, game="goita"),
    "locked": opened_by(1, game="goita", password="open sesame"),
}


@dataclass
class Studio:
    """The server, the people, and what they have laid out."""

    url: str
    people: list[Client]
    others: list[Client] = field(default_factory=list)
    _tables: dict[str, tuple[float, Sitting]] = field(default_factory=dict)  # when each was laid
    _ended: set[str] = field(default_factory=set)

    def called(self, name: str) -> Client:
        """Someone by the name that they came with."""
        return dict(zip((*PLAYERS, *OTHERS), (*self.people, *self.others), strict=True))[name]

    async def table(self, name: str) -> Sitting:
        """A table, laid when it is first asked for."""
        made, sitting = self._tables.get(name, (0.0, None))
        if sitting is None or (time.monotonic() - made > STALE and name not in self._ended):
            sitting = await TABLES[name](self.people)
            self._tables[name] = (time.monotonic(), sitting)
            if sitting.rooms[0].board.get("over"):
                self._ended.add(name)
        return sitting


# --- people ---


@contextlib.asynccontextmanager
async def opened(url: str) -> AsyncIterator[Studio]:
    """Four people who are there."""
    async with contextlib.AsyncExitStack() as stack:
        people = [await stack.enter_async_context(Client(url)) for _ in PLAYERS]
        for person, name in zip(people, PLAYERS, strict=True):
            await person.rename(name)
            await person.enter_lobby()
        yield Studio(url, people)


async def register(person: Client, email: str, data: Path) -> None:
    """Give someone an account; the mail is in the server's log."""
    await person.http("POST", "/api/login/email/register", json={"email": email})
    for _ in range(600):
        found = re.findall(rf"To: {email}\n.*?ticket=([\w-]+)", (data / "log").read_text("utf-8"), re.DOTALL)
        if found:
            await person.http("POST", "/api/login/email/password", json={"ticket": found[-1], "password": "correct horse"})
            return
        await asyncio.sleep(0.05)
    raise RuntimeError(f"no mail for {email}")


async def make_operator(id: str, data: Path) -> None:
    """Make someone an operator, with a second factor, which operators need."""
    store = await Store.open(f"sqlite:///{data}/hanpan.db")
    await store.accounts.change(id, role="operator")
    await store.factors.add_totp(id, "sealed", 0, ["one", "two"])
    await store.close()


@contextlib.asynccontextmanager
async def people_of_pictures(url: str, data: Path) -> AsyncIterator[Studio]:
    """The people of the pictures: the same four, two of them with accounts; and operators, who have had something to do."""
    async with contextlib.AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(Client(url)) for _ in (*PLAYERS, *OTHERS)]
        for person, name in zip(clients, (*PLAYERS, *OTHERS), strict=True):
            await person.rename(name)
        studio = Studio(url, clients[: len(PLAYERS)], clients[len(PLAYERS) :])
        dana, ilsu, loud = studio.others
        for person in (*studio.people[:2], dana, ilsu):
            await register(person, f"{person.person['name'].lower()}@example.org", data)
        for person in (dana, ilsu):
            await make_operator(person.id, data)
        for person in (*studio.people, loud):
            await person.enter_lobby()
        haneul, sakura, ming, robin = studio.people
        for path, more in (("bots", {"name": "Hanbot", "scopes": ["play", "chat"]}), ("blocks", {"id": loud.id})):
            await haneul.http("POST", f"/api/me/{path}", json=more)
        for by, report in (
            (sakura, {"about": loud.id, "text": "In every room.", "message": "FREE COINS at coins.example !!!"}),
            (ming, {"about": robin.id, "text": "Left three games in a row, each time when it got difficult."}),
        ):
            await by.http("POST", "/api/reports", json=report)
        about = {name: f"/api/operator/people/{person.id}" for name, person in (("loud", loud), ("robin", robin), ("ilsu", ilsu))}
        bar = {"kind": "address", "reason": "Advertising from there since Monday"}
        for doer, path, act in (
            (dana, f"{about['loud']}/mute", {"minutes": 1440, "reason": "Advertising"}),
            (dana, f"{about['loud']}/rename", {"name": "Quiet Guest", "reason": "An advertisement is not a name"}),
            (dana, "/api/operator/bans", bar | {"value": "203.0.113.0/24", "minutes": 10080}),
            (ilsu, "/api/operator/bans", bar | {"value": "2001:db8:1:2::/64", "minutes": None}),
            (ilsu, f"{about['robin']}/role", {"role": "operator", "reason": "Helps newcomers every evening"}),
            (dana, f"{about['ilsu']}/mute", {"minutes": 60, "reason": "Asked for it: a day without talk"}),
        ):
            await doer.http("POST", path, json=act)
        yield studio


# --- the server and the browser ---


@contextlib.contextmanager
def served() -> Iterator[tuple[str, Path]]:
    """A server of our own on loopback, with data that is thrown away; its address, and where the data (and its log) is."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        command = [sys.executable, "-m", "hanpan.cli", "serve", "--port", str(port), "--data", folder]
        with (data / "log").open("w") as log:
            server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=log, env={**os.environ, **HABITS, "PYTHONPATH": str(ROOT / "src")})
        try:
            for _ in range(1200):
                with contextlib.suppress(OSError), urllib.request.urlopen(f"{url}/readyz", timeout=5):
                    break
                time.sleep(0.1)
            yield url, data
        finally:
            server.terminate()
            server.wait(30)


def chromium() -> str:
    """The browser."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        raise SystemExit("chromium is needed (apt-get install chromium fonts-noto-cjk)")
    return found
