"""A client for Hanpan servers: be someone, meet in the lobby, play in a room. Lost connections come back by themselves.

async with Client("http://127.0.0.1:8000") as me:
    room = await me.new_room("kulami")
    await room.call("sit on", seat=0)
    ...
    await room.play("e5")
"""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Any

from hanpan.client.connection import PATIENCE, Connection, Invalid, Io, Lost
from hanpan.core.extras import needed

with needed("hanpan.client", "hanpan[client]"):
    import aiohttp

COOKIES = ("__Host-hanpan", "hanpan")  # where a server tells whoever logs in what brings them back: with https, and without


class Room(Connection):
    """A seat, or a look, in a room."""

    def __init__(self, url: str, id: str, token: str, password: str | None = None, scenes: bool = False) -> None:
        super().__init__(url, "/room", "info", {"token": token, "room": id, "scenes": scenes} | ({"password": password} if password else {}))
        self.id = id
        self.private: dict[int, dict[str, Any]] = {}
        self._ready_for: tuple[Any, int] | None = None  # the game and the ply at which we last said that we are ready for its next part

    async def open(self) -> None:
        """Go in, and hear all about the room. Invalid says why one is not let in."""
        await super().open()
        await self.until(lambda: "chat history" in self.last or self._closed)  # the last of all that is told

    def heard(self, event: str, payload: Any) -> None:
        """Keep each seat's own view apart: it comes after what everyone may see, and what was known before is old then. The clock may come with the board."""
        if event == "board info":
            self.private = {}
            if "clock" in payload:
                self.last["clock info"] = payload["clock"]
        elif event == "private board info":
            self.private[payload["seat"]] = payload

    def forget(self) -> None:
        """What one may do now must come from the new connection."""
        self.private = {}

    @property
    def board(self) -> dict[str, Any]:
        """What everyone may see."""
        found = self.last.get("board info", {})
        assert isinstance(found, dict)
        return found

    @property
    def ply(self) -> int:
        """How many actions this client knows of."""
        return int(self.board.get("ply", 0))

    def mine(self) -> dict[str, Any] | None:
        """The view of the own seat that is to act; None while it is not one's turn."""
        board = self.board
        own = self.private.get(board.get("seat", -1)) if board and not board.get("over") else None
        return own if own is not None and own["ply"] == board["ply"] and own["legal"] else None

    async def play(self, action: str, ply: int | None = None, timeout: float = PATIENCE) -> dict[str, Any]:
        """Play an action at the ply this client knows of. When the connection is lost the request is repeated: the same ply counts once."""
        meant = self.ply if ply is None else ply
        game = {"game_id": self.board["game_id"]} if self.board else {}
        async with asyncio.timeout(timeout):
            while True:
                try:
                    return await self.call("play", timeout=timeout, ply=meant, action=action, **game)
                except Lost:
                    await self.back(timeout)

    async def my_turn(self, timeout: float = PATIENCE) -> dict[str, Any] | None:
        """Wait for one's turn: the own view, or None when the game has ended. Between the parts of a game, say that one is ready."""
        async with asyncio.timeout(timeout):
            while True:
                await self.until(lambda: bool(self.board.get("over")) or (self.connected and (self.mine() is not None or self._unready())), timeout)
                if self.board.get("over"):
                    return None
                if self.mine() is not None:
                    return self.mine()
                await self._say_ready(timeout)

    def _unready(self) -> bool:
        """Whether the next part of the game waits for us."""
        return bool(self.board.get("paused")) and bool(self.private) and self._ready_for != (self.board["game_id"], self.ply)

    async def _say_ready(self, timeout: float) -> None:
        meant = (self.board["game_id"], self.ply)
        try:
            await self.call("set ready", timeout=timeout)
        except Lost:
            return
        except Invalid:  # it has begun meanwhile
            pass
        self._ready_for = meant


class Lobby(Connection):
    """The lobby."""

    def __init__(self, url: str, token: str) -> None:
        super().__init__(url, "/lobby", "info", {"token": token})


class Client(Connection):
    """Someone at a server."""

    room_class: type[Room] = Room
    lobby_class: type[Lobby] = Lobby

    def __init__(self, url: str, token: str | None = None) -> None:
        super().__init__(url, "/", "login info", {"token": token} if token else {})
        self.token = token or ""
        self.person: dict[str, Any] = {}
        self.lobby: Lobby | None = None
        self._rooms: list[Room] = []
        self._asking = 0  # requests over HTTP that are not answered yet
        self._unknown = False  # the server has said that it does not know the token

    async def _connect(self) -> Io:
        """Not while something is asked over HTTP: logging in ends what the old token has opened, and only its answer brings the new one."""
        await self.until(lambda: self._asking == 0)
        return await super()._connect()

    def heard(self, event: str, payload: Any) -> None:
        """Who one is. Whoever was someone, and is not known any more, does not become someone else unasked."""
        if event == "login info" and not (self.person and self._unknown):
            self.person = payload["person"]
            self._come_back_with(payload.get("token"))
        elif event == "unauthorized" and payload.get("event") == "connect":
            self._unknown = True

    def forget(self) -> None:
        """The next connection says whether one is known."""
        self._unknown = False

    def _come_back_with(self, token: str | None) -> None:
        """A token with which one comes back as oneself: told to a newcomer, and whenever one logs in."""
        if token:
            self.token, self._auth = token, {"token": token}

    def _refusal(self, since: int) -> dict[str, Any] | None:
        found = super()._refusal(since)
        return None if self._unknown and not self.person else found  # then one is greeted as someone new

    @property
    def id(self) -> str:
        """The own id."""
        return str(self.person["id"])

    async def __aenter__(self) -> Client:
        await self.open()
        return self

    async def __aexit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        for line in (*self._rooms, *([self.lobby] if self.lobby else []), self):
            await line.close()

    async def http(self, method: str, path: str, **options: Any) -> Any:
        """Ask over HTTP, as oneself: JSON as data, anything else as text. Invalid if it is refused."""
        headers = {"Authorization": f"Bearer {self.token}"}
        self._asking += 1
        try:
            async with aiohttp.ClientSession(headers=headers) as session, session.request(method, self.url + path, **options) as answer:
                told = await (answer.json() if answer.content_type == "application/json" else answer.text())
                if answer.status >= 400:
                    raise Invalid({"code": str(answer.status), "text": str(told)})
                for name in COOKIES:
                    self._come_back_with(answer.cookies[name].value if name in answer.cookies else None)
                return told
        finally:
            self._asking -= 1
            await self._tell()

    async def rename(self, name: str) -> None:
        """Take another name."""
        self.person = await self.http("PATCH", "/api/me", json={"name": name})

    async def enter_lobby(self) -> Lobby:
        """Open the lobby."""
        if self.lobby is None:
            self.lobby = self.lobby_class(self.url, self.token)
            await self.lobby.open()
        return self.lobby

    async def new_room(self, game: str, **fields: Any) -> Room:
        """Open a room and go there."""
        lobby = await self.enter_lobby()
        made = await lobby.call("new room", game=game, **fields)
        return await self.enter(made["id"], fields.get("password"))

    async def enter(self, id: str, password: str | None = None, scenes: bool = False) -> Room:
        """Go to a room."""
        room = self.room_class(self.url, id, self.token, password, scenes)
        self._rooms.append(room)
        await room.open()
        return room
