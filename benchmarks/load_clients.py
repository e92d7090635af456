"""People for benchmarks/load.py: bare websockets that speak just enough Socket.IO, so that the clients cost little and the same for both servers."""

import asyncio
import random
import time
from dataclasses import dataclass, field

import orjson

CLOCK = {"kind": "byoyomi", "main_ms": 600_000, "byoyomi_ms": 30_000}


@dataclass
class Loop:
    """How everybody plays now, and what is measured."""

    interval: float | None = None  # seconds between the moves of one table; 0: as fast as they can; None: nobody plays
    accepted: int = 0
    bytes: int = 0  # that everybody was sent
    latencies: list[float] = field(default_factory=list)


@dataclass
class Table:
    """Two people who play one game after another."""

    number: int
    loop: Loop
    seats: list = field(default_factory=list)
    sent: tuple[int, float] = (-1, 0.0)  # the ply of the last move, and when it was sent
    due: float = 0.0  # when the next move may be made
    waiting: list = field(default_factory=list)  # the move that waits for the loop to start

    def move(self, seat, ply, send):
        """Make a move when it is time."""
        if self.loop.interval is None:
            self.waiting = [seat, ply, send]
            return
        now = asyncio.get_running_loop().time()
        if not self.loop.interval:
            self._send(ply, send)
            return
        self.due = max(self.due + self.loop.interval, now) if self.due else now + random.random() * self.loop.interval
        asyncio.get_running_loop().call_at(self.due, self._send, ply, send)

    def _send(self, ply, send):
        self.sent = (ply, time.perf_counter())
        send()

    def begin(self):
        """The loop has started, or has another pace."""
        self.due = 0.0
        if self.waiting:
            waiting, self.waiting = self.waiting, []
            self.move(*waiting)

    def heard(self, ply):
        """The other one sees the move."""
        before, at = self.sent
        if ply == before + 1:
            self.loop.latencies.append(time.perf_counter() - at)


class Seat:
    """One websocket."""

    def __init__(self, table, seat):
        self.table, self.seat = table, seat
        self._tasks = set()
        table.seats.append(self)

    async def connect(self, session, url, namespace, auth):
        self.namespace = namespace
        self._ws = await session.ws_connect(f"{url}/socket.io/?EIO=4&transport=websocket", max_msg_size=0)
        await self._ws.receive()
        await self._ws.send_str(f"40{namespace},{orjson.dumps(auth).decode()}")
        while not (await self._ws.receive()).data.startswith(f"40{namespace},"):
            pass
        self.listening = asyncio.create_task(self._listen())

    def send(self, event, *payload, ack=""):
        task = asyncio.ensure_future(self._ws.send_str(f"42{self.namespace},{ack}{orjson.dumps([event, *payload]).decode()}"))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _listen(self):
        async for message in self._ws:
            self.table.loop.bytes += len(message.data)
            if message.data == "2":
                await self._ws.send_str("3")
            else:
                self.hear(message.data)

    async def close(self):
        await self._ws.close()
        await asyncio.gather(self.listening, return_exceptions=True)


async def be_guest(session, url, **more):
    """A new guest's token: in the cookie, or, at a server from before there were sessions, in the answer."""
    async with session.post(f"{url}/api/guest", **more) as answer:
        told = await answer.json()
    session.cookie_jar.clear()
    return told.get("token") or next(cookie.value for name, cookie in answer.cookies.items() if name != "hanpan_browser")


class OurSeat(Seat):
    """At a Hanpan server."""

    def hear(self, text):
        if text.startswith('42/room,["board info"'):
            begin = text.index('"ply":') + 6
            if self is not self.mover:
                self.table.heard(int(text[begin : text.index(",", begin)]))
        elif text.startswith('42/room,["private board info"'):
            own = orjson.loads(text[8:])[1]
            if own["legal"]:
                request = {"ply": own["ply"], "action": random.choice(own["legal"])}
                self.table.move(self, own["ply"], lambda: self._play(request))
        elif text.startswith("43/room,7["):
            self.table.loop.accepted += '"ok":true' in text
        elif text.startswith('42/room,["game over"'):
            self.send("set ready")

    mover = None

    def _play(self, request):
        for seat in self.table.seats:
            seat.mover = self
        self.send("play", request, ack=7)

    async def sit_down(self, session, url, room):
        async with session.post(f"{url}/api/guest") as answer:
            token = answer.cookies["hanpan"].value
        session.cookie_jar.clear()
        await self.connect(session, url, "/room", {"token": token, "room": room} | self.telling)

    telling = {}


class BriefSeat(OurSeat):
    """At a Hanpan server, knowing the game itself: it is told the actions, and finds out what it may do."""

    telling = {"brief": True}

    def hear(self, text):
        if text.startswith('42/room,["ply"'):
            told = orjson.loads(text[8:])[1]
            for number, action in enumerate(told["actions"], told["ply"] - len(told["actions"])):
                cell = ord(action[0]) - 97 + 10 * (int(action[1:]) - 1)
                self.cells[cell], self.last[number % 2] = 1, cell
            if self is not self.mover:
                self.table.heard(told["ply"])
            if told["ply"] % 2 == self.seat:
                cell = random.choice(_wanted(self.cells, self.last[self.seat], self.last[1 - self.seat]))
                request = {"ply": told["ply"], "action": f"{chr(97 + cell % 10)}{cell // 10 + 1}"}
                self.table.move(self, told["ply"], lambda: self._play(request))
            return
        if text.startswith('42/room,["board info"'):
            self.cells, self.last = [0] * 100, [-1, -1]  # a game begins; or it has ended
        super().hear(text)


class OurServer:
    """Opens rooms."""

    seat = OurSeat

    def __init__(self, url):
        self.url = url

    async def open(self, session, number):
        """So many rooms, nobody in them yet; their ids."""
        async with session.post(f"{self.url}/api/guest") as answer:
            token = answer.cookies["hanpan"].value
        session.cookie_jar.clear()
        async with session.ws_connect(f"{self.url}/socket.io/?EIO=4&transport=websocket", max_msg_size=0) as ws:
            await ws.send_str(f'40/lobby,{{"token":"{token}"}}')
            rooms = []
            while len(rooms) < number:
                text = (await ws.receive()).data
                if text.startswith('42/lobby,["info"') or (text.startswith('42/lobby,["move to room"') and not rooms.append(orjson.loads(text[9:])[1]["id"])):
                    await ws.send_str("42/lobby," + orjson.dumps(["new room", {"game": "kulami", "settings": {"time": CLOCK}}]).decode())
                elif text == "2":
                    await ws.send_str("3")
        return rooms

    async def enter(self, session, table, room):
        """Two people go to a room."""
        for seat in (self.seat(table, 0), self.seat(table, 1)):
            await seat.sit_down(session, self.url, room)

    def begin(self, table):
        """They sit down and are ready."""
        for seat in table.seats:
            seat.send("sit on", {"seat": seat.seat})
            seat.send("set ready")


class BriefServer(OurServer):
    """The same, for people who are told briefly."""

    seat = BriefSeat


TILE = "...a....../...abbccdd/...abbccdd/.eefffggdd/heeiiijjkk/hlliiijjmm/.llnnnopmm/...nnnopmm/...qqqo.../..........".replace("/", "")
LINES = [[cell for cell in range(100) if (cell % 10 == at % 10 or cell // 10 == at // 10) and TILE[cell] not in (".", TILE[at])] for at in range(100)]


def _wanted(cells, own, other):
    """The holes that may be played on."""
    there = [cell for cell in range(100) if TILE[cell] != "."] if other < 0 else [cell for cell in LINES[other] if own < 0 or TILE[cell] != TILE[own]]
    return [cell for cell in there if not cells[cell]]


class PeerSeat(Seat):
    """At a boardgame.io server: the same game."""

    match = ""
    games = 0

    def join(self):
        """A new match: whoever synchronizes first makes it."""
        self.games += 1
        self.match = f"{self.table.number}-{self.games}"
        self.send("sync", self.match, str(self.seat), None, 2)

    def hear(self, text):
        if not text.startswith(('42/kulami,["update"', '42/kulami,["sync"')):
            return
        event, match, told = orjson.loads(text[10:])[:3]
        state = told["state"] if event == "sync" else told
        if match != self.match:
            return
        ply = state["_stateID"]
        if event == "update" and state["ctx"]["currentPlayer"] == str(self.seat):
            self.table.heard(ply)
            self.table.loop.accepted += 1
        if state["ctx"].get("gameover"):
            if event == "update" and state["ctx"]["currentPlayer"] != str(self.seat):
                self.table.heard(ply)
                self.table.loop.accepted += 1
            self.join()
        elif state["ctx"]["currentPlayer"] == str(self.seat):
            cells, last = state["G"]["cells"], state["G"]["last"]
            own, other = last[self.seat], last[1 - self.seat]
            cell = random.choice(_wanted(cells, own, other))
            action = {"type": "MAKE_MOVE", "payload": {"type": "place", "args": [cell], "playerID": str(self.seat)}}
            self.table.move(self, ply, lambda: self.send("update", action, ply, match, str(self.seat)))


class Peer:
    """boardgame.io needs no rooms."""

    def __init__(self, url):
        self.url = url

    async def open(self, session, number):
        return [""] * number

    async def enter(self, session, table, room):
        for seat in (PeerSeat(table, 0), PeerSeat(table, 1)):
            await seat.connect(session, self.url, "/kulami", {})

    def begin(self, table):
        for seat in table.seats:
            seat.join()
