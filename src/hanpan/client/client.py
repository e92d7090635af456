"""A client for Hanpan servers: be someone, meet in the lobby, play in a room. Lost connections come back by themselves.

async with Client("http://127.0.0.1:8000") as me:
    room = await me.new_room("kulami")
    await room.call("sit on", seat=0)
    ...
    await room.play("e5")
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Any

from hanpan.core.extras import needed
from hanpan.core.reading import check_json

with needed("hanpan.client", "hanpan[client]"):
    import aiohttp
    import socketio

    from hanpan.core.fastjson import FastJson

PATIENCE = 60.0  # seconds that waiting for something lasts at most, if not told otherwise
PASSING = ("closing", "our-fault", "too-fast", "too-many-connections")  # refusals at the door that may be over in a moment: it is tried again
COOKIES = ("__Host-hanpan", "hanpan")  # where a server tells whoever logs in what brings them back: with https, and without
_AGAIN = (0.1, 2.0)  # seconds between tries to connect again: at first, and at most


class Invalid(Exception):
    """The server refused: a stable `code` and a sentence."""

    def __init__(self, answer: dict[str, Any]) -> None:
        super().__init__(f"{answer.get('code')}: {answer.get('text')}")
        self.code: str = answer.get("code", "")
        self.text: str = answer.get("text", "")


class Lost(Exception):
    """The connection was lost before an answer came: whether it was done is not known."""


class _Io(socketio.AsyncClient):  # type: ignore[misc]  # python-socketio has no types
    """A connection that says when it has ended, at whatever moment: the library tells nothing of one that ends before all its namespaces stand."""

    def __init__(self, line: _Connection, session: aiohttp.ClientSession) -> None:
        super().__init__(reconnection=False, handle_sigint=False, json=FastJson, http_session=session)
        self._line, self.ended = line, asyncio.Event()

    async def _handle_eio_disconnect(self, reason: Any) -> None:
        await super()._handle_eio_disconnect(reason)
        self.ended.set()
        await self._line._lost(self)

    async def _trigger_event(self, event: str, namespace: str, *payload: Any) -> None:
        library = event in ("connect", "disconnect", "connect_error", "__disconnect_final")
        if not library and self._line._io is self and not self.ended.is_set():  # nothing from one that was given up, or has gone
            await self._line._hear(event, payload[0] if payload else None)

    async def _handle_error(self, namespace: str, data: Any) -> None:
        await super()._handle_error(namespace, data)
        await self._line._tell()

    async def end(self) -> None:
        """Disconnect; a connection that never stood is no trouble."""
        with suppress(socketio.exceptions.SocketIOError):
            await self.disconnect()
        self.ended.set()


class _Connection:
    """One Socket.IO connection to one namespace: what it was told, in order, and the last of each kind."""

    def __init__(self, url: str, namespace: str, first: str, auth: dict[str, Any]) -> None:
        self.url, self._namespace, self._first, self._auth = url, namespace, first, auth
        self.told: list[tuple[str, Any]] = []
        self.last: dict[str, Any] = {}
        self._changed = asyncio.Condition()
        self._io: _Io | None = None
        self._pending: set[asyncio.Future[Any]] = set()
        self._closed = False
        self._keeping: asyncio.Task[None] | None = None
        self._greeted = False
        self._session: aiohttp.ClientSession | None = None

    # --- the connection ---

    async def open(self) -> None:
        """Connect, and hear who one is or what is here. Invalid says why one is not let in."""
        self._closed = False
        try:
            io = await self._connect()
        except Exception as wrong:
            self._closed = True
            await self._close_session()
            raise wrong if isinstance(wrong, Invalid) else Invalid({"code": "connection", "text": str(wrong) or type(wrong).__name__}) from None
        self._keeping = asyncio.create_task(self._keep(io))

    async def _keep(self, io: _Io) -> None:
        """Whenever the connection has ended, try until another one stands, or until one is not let in any more. One task does so from the first to the last."""
        while not self._closed:
            await io.ended.wait()
            pause, most = _AGAIN
            while not self._closed:
                await asyncio.sleep(pause)
                pause = min(most, 2 * pause)
                try:
                    io = await self._connect()
                    break
                except Invalid as refused:
                    if refused.code not in PASSING:
                        self._closed = True
                except Exception:  # whatever the libraries say of a server that is away, or goes away meanwhile
                    continue
        await self._close_session()
        await self._tell()

    async def _connect(self) -> _Io:
        """A connection on which one was greeted. Invalid if one is not let in, Lost if it ends before."""
        self._greeted = False
        self.forget()
        refusals = len(self.told)
        if self._session is None:
            self._session = self.session()
        io = self._io = _Io(self, self._session)

        def answered() -> bool:
            return self._greeted or self._refusal(refusals) is not None or bool(io.failed_namespaces) or io.ended.is_set()

        try:
            async with asyncio.timeout(PATIENCE):
                await io.connect(self.url, auth=self._auth, namespaces=[self._namespace], transports=["websocket"], wait=False)
            await self.until(answered)
            refusal = self._refusal(refusals)
            if not self._greeted:
                raise Lost("the connection was lost before the greeting") if refusal is None else Invalid(refusal)
        except BaseException:
            await io.end()
            raise
        return io

    def session(self) -> aiohttp.ClientSession:
        """The HTTP session to connect with."""
        return aiohttp.ClientSession()

    def _refusal(self, since: int) -> dict[str, Any] | None:
        told = (payload for event, payload in self.told[since:] if event in ("unauthorized", "invalid action") and payload.get("event") == "connect")
        return next(told, None)

    async def _lost(self, io: _Io) -> None:
        if io is self._io:
            self._greeted = False
            for waiting in self._pending:
                if not waiting.done():
                    waiting.set_exception(Lost("the connection was lost"))
            await self._tell()

    async def _tell(self) -> None:
        """Whoever waits for something looks again."""
        async with self._changed:
            self._changed.notify_all()

    async def close(self) -> None:
        """Disconnect."""
        self._closed = True
        if self._keeping is not None:
            self._keeping.cancel()
            await asyncio.gather(self._keeping, return_exceptions=True)
        if self._io is not None:
            await self._say_goodbye(self._io)
            await self._io.end()
        await self._close_session()

    async def ended(self) -> None:
        """Wait until one has left for good, or is not let in any more."""
        await self.until(lambda: self._closed, None)

    async def _say_goodbye(self, io: _Io) -> None:
        """Let the server hear that one leaves: the library closes the connection before it has written that, which looks like a lost one."""
        with suppress(socketio.exceptions.SocketIOError, TimeoutError):
            if io.connected and self._namespace in io.namespaces:
                await io._send_packet(io.packet_class(socketio.packet.DISCONNECT, namespace=self._namespace))
                async with asyncio.timeout(1.0):
                    await io.eio.queue.join()

    async def _close_session(self) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def drop(self) -> None:
        """Lose the connection as if a cable were pulled, without coming back: for tests of what happens then."""
        self._closed = True
        socket = self._io.eio.ws if self._io is not None else None
        if socket is not None:
            await socket.close()

    @property
    def connected(self) -> bool:
        """Whether the connection stands and the server has greeted us on it."""
        return self._greeted

    # --- hearing and sending ---

    async def _hear(self, event: str, payload: Any = None) -> None:
        self.told.append((event, payload))
        self.last[event] = payload
        self.heard(event, payload)
        if event == self._first:
            self._greeted = True
        await self._tell()

    def heard(self, event: str, payload: Any) -> None:
        """Keep what an event says."""

    def forget(self) -> None:
        """A new connection tells everything anew."""

    async def until(self, condition: Callable[[], bool], timeout: float | None = PATIENCE) -> None:
        """Wait until something is true that news can make true."""
        async with asyncio.timeout(timeout), self._changed:
            await self._changed.wait_for(condition)

    async def back(self, timeout: float = PATIENCE) -> None:
        """Wait until the connection stands again; Lost if it never will."""
        await self.until(lambda: self._greeted or self._closed, timeout)
        if self._closed:
            raise Lost("the connection was lost, and one is not let in any more")

    async def call(self, event: str, timeout: float = PATIENCE, **payload: Any) -> dict[str, Any]:
        """Send a request; Invalid if it is refused, Lost if the connection was lost meanwhile."""
        return await self.send(event, payload, timeout)

    async def send(self, event: str, payload: Any, timeout: float = PATIENCE) -> dict[str, Any]:
        """Send a request, with any payload; ValueError if it can't be sent at all."""
        check_json(payload)
        waiting: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

        def answered(*answer: Any) -> None:
            if not waiting.done():
                waiting.set_result(answer)

        self._pending.add(waiting)
        try:
            if self._io is None or not self._greeted:
                raise Lost("not connected")
            await self._io.emit(event, payload, namespace=self._namespace, callback=answered)
            async with asyncio.timeout(timeout):
                answer = await waiting
        except socketio.exceptions.SocketIOError as wrong:
            raise Lost(str(wrong)) from None
        finally:
            self._pending.discard(waiting)
        told = answer[0] if answer and isinstance(answer[0], dict) else {"code": "no-answer", "text": "The server did not answer."}
        if not told.get("ok"):
            raise Invalid(told)
        return told


class Room(_Connection):
    """A seat, or a look, in a room."""

    def __init__(self, url: str, id: str, token: str, password: str | None = None, scenes: bool = False) -> None:
        super().__init__(url, "/room", "info", {"token": token, "room": id, "scenes": scenes} | ({"password": password} if password else {}))
        self.id = id
        self.private: dict[int, dict[str, Any]] = {}
        self._ready_for: tuple[Any, int] | None = None  # the game and the ply at which we last said that we are ready for its next part

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


class Lobby(_Connection):
    """The lobby."""

    def __init__(self, url: str, token: str) -> None:
        super().__init__(url, "/lobby", "info", {"token": token})


class Client(_Connection):
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

    async def _connect(self) -> _Io:
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
