"""People for benchmarks/load.py: those of `hanpan load`, and the same at a boardgame.io server, so that both cost little and the same."""

import asyncio
import random

import orjson

from hanpan.client.load.history import History
from hanpan.client.load.people import Player
from hanpan.client.load.plan import Plan
from hanpan.client.load.table import Table
from hanpan.client.load.wire import Host, Wire


class Seated(Table):
    """A table that knows who sits there."""

    def __init__(self, number, figures):
        super().__init__(number, figures, Plan(("http://",), "kulami", 1).played)
        self.seats = []


class OurServer:
    """Opens rooms at a Hanpan server."""

    brief = False

    def __init__(self, url):
        self.url = url

    async def open(self, session, number):
        """So many rooms, nobody in them yet; their ids."""
        host = Host()
        await host.come(session, self.url)
        rooms = [await host.open_room(Plan((self.url,), "kulami", 1).room) for _ in range(number)]
        await host.leave()
        return rooms

    async def enter(self, session, table, room):
        """Two people go to a room."""
        for seat in (0, 1):
            table.seats.append(Player(seat, f"{table.number}.{seat}", table, room, (self.url,), session, table.figures, History(), self.brief))
            await table.seats[-1].come()

    def begin(self, table):
        """They sit down and are ready."""
        for player in table.seats:
            player.begin()


class BriefServer(OurServer):
    """The same, for people who are told briefly."""

    brief = True


TILE = "...a....../...abbccdd/...abbccdd/.eefffggdd/heeiiijjkk/hlliiijjmm/.llnnnopmm/...nnnopmm/...qqqo.../..........".replace("/", "")
LINES = [[cell for cell in range(100) if (cell % 10 == at % 10 or cell // 10 == at // 10) and TILE[cell] not in (".", TILE[at])] for at in range(100)]


def _wanted(cells, own, other):
    """The holes that may be played on."""
    there = [cell for cell in range(100) if TILE[cell] != "."] if other < 0 else [cell for cell in LINES[other] if own < 0 or TILE[cell] != TILE[own]]
    return [cell for cell in there if not cells[cell]]


class PeerSeat(Wire):
    """At a boardgame.io server: the same game."""

    match = ""
    games, ply = 0, -1

    def __init__(self, table, seat):
        super().__init__("/kulami")
        self.table, self.seat, self.label = table, seat, f"{table.number}.{seat}"
        self._heard = 0
        table.seats.append(self)

    def begin(self):
        """A new match: whoever synchronizes first makes it."""
        self.games += 1
        self.match, self.ply = f"{self.table.number}-{self.games}", -1
        self.send("sync", self.match, str(self.seat), None, 2)

    def end(self):
        pass

    def hear(self, event, text):
        self.table.figures.counts["bytes"] += self.bytes - self._heard
        self._heard = self.bytes
        if event not in ("update", "sync"):
            return
        _, match, told = orjson.loads(text[len("42/kulami,") :])[:3]
        state = told["state"] if event == "sync" else told
        if match != self.match:
            return
        before, self.ply = self.ply, state["_stateID"]
        acting, over = state["ctx"]["currentPlayer"] == str(self.seat), state["ctx"].get("gameover")
        if event == "update" and before < self.ply:
            self.table.saw("opponent", self.label, match, before, self.ply)
            self.table.figures.counts["accepted"] += acting if not over else not acting
        if over:
            self.begin()
        elif acting:
            cells, last = state["G"]["cells"], state["G"]["last"]
            cell = random.choice(_wanted(cells, last[self.seat], last[1 - self.seat]))
            action = {"type": "MAKE_MOVE", "payload": {"type": "place", "args": [cell], "playerID": str(self.seat)}}
            self.table.act((match, self.ply), self.label, lambda: self._play(action, state["_stateID"], match))

    def _play(self, action, ply, match):
        self.send("update", action, ply, match, str(self.seat))
        return True

    async def go(self):
        await self.leave()
        await asyncio.gather(self.listening, return_exceptions=True)


class Peer:
    """boardgame.io needs no rooms."""

    def __init__(self, url):
        self.url = url

    async def open(self, session, number):
        return [""] * number

    async def enter(self, session, table, room):
        for seat in (PeerSeat(table, 0), PeerSeat(table, 1)):
            await seat.connect(session, self.url, {})
            seat.listening = asyncio.create_task(seat.listen())

    def begin(self, table):
        for seat in table.seats:
            seat.begin()
