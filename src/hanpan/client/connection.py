"""A connection to a server: what is asked is answered, what is told is kept, and what is lost comes back by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from urllib.parse import quote

from hanpan.core.extras import needed
from hanpan.core.reading import check_json

with needed("hanpan.client", "hanpan[client]"):
    import aiohttp
    import socketio

    from hanpan.core.fastjson import FastJson

PATIENCE = 60.0  # seconds that waiting for something lasts at most, if not told otherwise
# Refusals at the door that may be over in a moment: it is tried again.
PASSING = ("closing", "interrupted", "our-fault", "room-moves", "too-fast", "too-many-connections")
_NAMED = 64  # letters of a room that an address names: no room's id is longer, and a server reads no endless address
_AGAIN = (0.1, 2.0)  # seconds between tries to connect again: at first, and at most


class Invalid(Exception):
    """The server refused: a stable `code` and a sentence."""

    def __init__(self, answer: dict[str, Any]) -> None:
        super().__init__(f"{answer.get('code')}: {answer.get('text')}")
        self.code: str = answer.get("code", "")
        self.text: str = answer.get("text", "")


class Lost(Exception):
    """The connection was lost before an answer came: whether it was done is not known."""


class Io(socketio.AsyncClient):  # type: ignore[misc]  # python-socketio has no types
    """A connection that says when it has ended, at whatever moment: the library tells nothing of one that ends before all its namespaces stand."""

    def __init__(self, line: Connection, session: aiohttp.ClientSession) -> None:
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


class Connection:
    """One Socket.IO connection to one namespace: what it was told of late, in order, and the last of each kind."""

    most_told = 1000  # so much of it is kept at least, and not twice as much: a bot may stay for months

    def __init__(self, url: str, namespace: str, first: str, auth: dict[str, Any]) -> None:
        self.url, self._namespace, self._first, self._auth = url, namespace, first, auth
        self.told: list[tuple[str, Any]] = []
        self.last: dict[str, Any] = {}
        self._changed = asyncio.Condition()
        self._io: Io | None = None
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

    async def _keep(self, io: Io) -> None:
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

    async def _connect(self) -> Io:
        """A connection on which one was greeted. Invalid if one is not let in, Lost if it ends before."""
        self._greeted = False
        self.forget()
        refusals = len(self.told)
        if self._session is None:
            self._session = self.session()
        io = self._io = Io(self, self._session)

        def answered() -> bool:
            return self._greeted or self._refusal(refusals) is not None or bool(io.failed_namespaces) or io.ended.is_set()

        try:
            async with asyncio.timeout(PATIENCE):
                await io.connect(self._address(), auth=self._auth, namespaces=[self._namespace], transports=["websocket"], wait=False)
            await self.until(answered)
            refusal = self._refusal(refusals)
            if not self._greeted:
                raise Lost("the connection was lost before the greeting") if refusal is None else Invalid(refusal)
        except BaseException:
            await io.end()
            raise
        return io

    def _address(self) -> str:
        """Where to connect. It names the room: whoever stands before several processes sends everyone who goes there to the same one."""
        return f"{self.url}?room={quote(str(self._auth['room'])[:_NAMED], safe='')}" if "room" in self._auth else self.url

    def session(self) -> aiohttp.ClientSession:
        """The HTTP session to connect with."""
        return aiohttp.ClientSession()

    def _refusal(self, since: int) -> dict[str, Any] | None:
        told = (payload for event, payload in self.told[since:] if event in ("unauthorized", "invalid action") and payload.get("event") == "connect")
        return next(told, None)

    async def _lost(self, io: Io) -> None:
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

    async def _say_goodbye(self, io: Io) -> None:
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
        if self._greeted and len(self.told) >= 2 * self.most_told:  # until then, a refusal is looked for there
            del self.told[: -self.most_told]
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
