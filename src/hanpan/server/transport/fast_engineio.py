"""Socket.IO as this server needs it: JSON by orjson, no bytes, and as little work for a message as possible, since an action makes half a dozen of them.

It stands on the insides of the libraries; `versions` says whether they are the ones it knows. Nobody imports this with others.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import socketio
from engineio import async_socket
from engineio import packet as engine
from engineio.async_socket import AsyncSocket
from engineio.exceptions import EngineIOError, QueueEmpty, SocketIsClosedError
from websockets.protocol import State

from hanpan.core.fastjson import FastJson
from hanpan.server.transport.asgi import Fields
from hanpan.server.transport.fast_websockets import MOST_WAITING, ShortProtocol


class TextPacket(socketio.packet.Packet):  # type: ignore[misc]  # python-socketio has no types
    """A packet that nobody searches for bytes: there are none in what we send."""

    uses_binary_events = False
    json = FastJson


def text_frame(text: str) -> bytes:
    """A text as a server's websockets carry it: the same for everyone, since nothing is compressed.

    >>> text_frame("2"), text_frame("x" * 300)[:5]
    (b'\\x81\\x012', b'\\x81~\\x01,x')
    """
    data = text.encode()
    size = len(data)
    return (b"\x81" + (bytes((size,)) if size < 126 else b"\x7e" + size.to_bytes(2) if size < 65536 else b"\x7f" + size.to_bytes(8))) + data


_EVENT, _ACK = socketio.packet.EVENT, socketio.packet.ACK


def _within(namespace: str) -> str:
    """How a packet says to which namespace it belongs."""
    return "" if namespace == "/" else f"{namespace},"


class Group(dict[str, str]):
    """Those who are told something together. The library has two dictionaries for each, to find someone by either of their names; one is enough here."""

    __slots__ = ()

    @property
    def _fwdm(self) -> Group:
        return self


class Post(socketio.AsyncManager):  # type: ignore[misc]
    """Hands a message to everyone it is for. The library makes a task for each of them, which costs more than the handing over."""

    def basic_enter_room(self, sid: str, namespace: str, room: str | None, eio_sid: str | None = None) -> None:
        """Be told from now on what is told to a group."""
        if room is None or namespace not in self.rooms:
            super().basic_enter_room(sid, namespace, room, eio_sid)
            return
        if sid != room and self.is_sid_room(namespace, room):
            raise ValueError("cannot enter a sid room")
        groups = self.rooms[namespace]
        groups.setdefault(room, Group())[sid] = groups[None][sid] if eio_sid is None else eio_sid

    async def emit(
        self, event: str, data: object, namespace: str, room: str | None = None,
        skip_sid: object = None, callback: object = None, to: str | None = None, **more: object,
    ) -> None:  # fmt: skip
        """Encode once, write it to each, or put it into their queues; these have no limit, so nobody waits here."""
        if callback is not None:
            await super().emit(event, data, namespace, room, skip_sid, callback, to, **more)
            return
        group = self.rooms.get(namespace, {}).get(to or room)
        if not group:
            return
        skipped = skip_sid if isinstance(skip_sid, list) else [skip_sid]
        packet = f"{_EVENT}{_within(namespace)}{FastJson.dumps([event, data])}"
        frame, sockets = text_frame(f"{engine.MESSAGE}{packet}"), self.server.eio.sockets
        for sid, eio_sid in list(group.items()):  # as they are now
            if sid in skipped or (socket := sockets.get(eio_sid)) is None or socket.closed or socket.tell(frame):
                continue
            with suppress(EngineIOError):  # someone who has just gone must not keep it from the others
                await socket.send(engine.Packet(engine.MESSAGE, packet))

    def answer(self, eio_sid: str, namespace: str, id: int, answer: object) -> bool:
        """Write the answer to an event at once; False where it has to go the library's way."""
        socket = self.server.eio.sockets.get(eio_sid)
        if socket is None or socket.closed:
            return False
        answered: bool = socket.tell(text_frame(f"{engine.MESSAGE}{_ACK}{_within(namespace)}{id}{FastJson.dumps([answer])}"))
        return answered


MANY = 16  # messages of one connection that wait; then no more is read from it
SWEEP_SECONDS = 5.0


PING = text_frame(engine.Packet(engine.PING).encode())


class Unsent:
    """What waits for a slow reader: the library's queue, as far as anybody asks for it, without a task that reads it and nearly without memory."""

    __slots__ = ("_frames",)

    def __init__(self) -> None:
        self._frames: list[bytes] | None = None

    def empty(self) -> bool:
        """Whether nothing waits."""
        return not self._frames

    def put_nowait(self, frame: bytes | None) -> None:
        """One more; None, which is the library's word for the end, needs no place here."""
        if frame is not None:
            self._frames = self._frames or []
            self._frames.append(frame)

    def take(self) -> list[bytes]:
        """All that waits, which then waits no more."""
        frames, self._frames = self._frames, None
        return frames or []

    async def join(self) -> None:
        """Nobody waits here until a slow reader has read."""


class FastSocket(AsyncSocket):  # type: ignore[misc]
    """An Engine.IO connection that takes the short way once it is a websocket: messages go straight to the protocol and come straight from it.

    The library makes two tasks and four hops for each message, and has four tasks for a connection that does nothing. One that is a websocket from the
    beginning owns it and has none; what began without a websocket stays with the library, and its short way is for messages alone.
    """

    protocol: ShortProtocol | None = None  # of a websocket
    queue: Any  # of the library, or Unsent
    connected: bool
    last_ping: float | None
    _owns = False  # the protocol is ours alone
    continued = False  # whoever began it has come back
    lag: Callable[[float], None] | None = None  # told how many seconds a ping and its answer took
    _next_ping: asyncio.TimerHandle | None = None
    _writer_waits = False  # nothing is on its way through the library

    def __init__(self, server: object, sid: str) -> None:
        super().__init__(server, sid)
        self._heard: list[str | engine.Packet] = []
        self._listening: asyncio.Task[None] | None = None
        self._through_library = 0  # messages that came before the short way was open, and are not done yet
        self._waiting = 0  # bytes in the queue
        self._asked = False  # somebody without a websocket waits for what there is to tell
        self._ending: asyncio.Task[None] | None = None

    async def _upgrade_websocket(self, environ: Fields) -> object:
        self.protocol = environ["asgi.scope"].get("state", {}).get("protocol")
        if self.protocol is not None:
            self.protocol.hear = self._hear
        return await super()._upgrade_websocket(environ)

    async def _websocket_handler(self, ws: object) -> None:
        """The websocket stands. The library stays here until it has ended; the short way needs nobody who waits."""
        if self.protocol is None or self.connected:
            await super()._websocket_handler(ws)
            return
        waiting, self.queue = self.queue, Unsent()
        self.connected = self.upgraded = self._owns = self._writer_waits = True
        self._through_library = 0
        while not waiting.empty():
            packet = waiting.get_nowait()
            if packet is not None:
                await self.send(packet)
        self.protocol.leave_to(self)
        if self.closed:  # while the websocket was being opened
            self.protocol.say_farewell()

    # --- out ---

    def tell(self, frame: bytes) -> bool:
        """Write a packet in its frame, unless something else must be written before it, or there is no websocket."""
        protocol = self.protocol
        if protocol is None or not (self.upgraded and self._writer_waits and protocol.writable.is_set() and self.queue.empty()):
            return False
        if not protocol.close_sent and not protocol.disconnected and protocol.conn.state is State.OPEN:  # after the end nobody reads it
            protocol.transport.write(frame)
        return True

    async def send(self, pkt: engine.Packet) -> None:
        """Send a packet."""
        text = pkt.encode()
        if self._ending is not None or (not self.closed and self.tell(text_frame(text))):
            return
        self._waiting += len(text)
        if self._waiting > MOST_WAITING and not self.closed and not self.closing:
            self._give_up(self.server.reason.TRANSPORT_ERROR)
        elif not self._owns:
            await super().send(pkt)
        elif await self.check_ping_timeout():
            self.queue.put_nowait(text_frame(text))

    def writable(self) -> None:
        """A slow reader has read: what waits is written."""
        assert self.protocol is not None
        if not self.queue.empty():
            self._waiting = 0
            if not self.protocol.close_sent and not self.protocol.transport.is_closing():
                self.protocol.transport.write(b"".join(self.queue.take()))

    def schedule_ping(self) -> None:
        """The last ping was answered: plan the next one. The library has a task wait for it."""
        if self.last_ping:
            if self.lag is not None:
                self.lag(time.time() - self.last_ping)
            self.last_ping = None
            self._next_ping = asyncio.get_running_loop().call_later(self.server.ping_interval, self._ping)

    def _ping(self) -> None:
        if not self.closing and not self.closed:
            self.last_ping = time.time()
            if not self.tell(PING):
                self.server.start_background_task(self.send, engine.Packet(engine.PING))

    async def check_ping_timeout(self) -> bool:
        """Whether they still answer. Whoever does not is gone, but nobody waits here until they are: two who tell each other something would, for ever."""
        if self.closed:
            raise SocketIsClosedError
        if self._ending is None and self.last_ping and time.time() - self.last_ping > self.server.ping_timeout:
            self._give_up(self.server.reason.PING_TIMEOUT)
        return self._ending is None

    def _give_up(self, reason: object) -> None:
        """End it without waiting for the other side, which does not read what it is told, or is not there."""
        self._ending = asyncio.create_task(self.close(wait=False, abort=True, reason=reason))
        if self.protocol is not None:
            self.protocol.transport.abort()
        if self._owns:
            self.queue.take()
        while not self.queue.empty():
            self.queue.get_nowait()
            self.queue.task_done()
        self._waiting = 0
        self.queue.put_nowait(None)

    async def handle_get_request(self, environ: Fields) -> object:
        """A request of someone without a websocket for what there is to tell, or for a websocket. One waits at a time."""
        self.continued = True
        if environ.get("HTTP_UPGRADE"):
            return await super().handle_get_request(environ)
        if self._asked:
            raise EngineIOError("asked twice at the same time")
        self._asked = True
        try:
            return await super().handle_get_request(environ)
        finally:
            self._asked = False

    async def poll(self) -> list[engine.Packet]:
        """Wait for something to send, and take all there is. The library limits the waiting, at the price of one more task; pings end it just as well."""
        self._writer_waits = True
        try:
            packets = [await self.queue.get()]
            while packets[-1] is not None and not self.queue.empty():
                packets.append(self.queue.get_nowait())
        except asyncio.CancelledError:
            raise QueueEmpty from None
        finally:
            self._writer_waits = False
        self._waiting = 0  # all there was has been taken
        for _ in packets:
            self.queue.task_done()
        if packets[-1] is None:  # the end, after what is still to be sent
            packets.pop()
            if packets:
                self.queue.put_nowait(None)
        return packets

    # --- in ---

    def _hear(self, text: str) -> bool:
        """Take a message; what is none is for the library, and what must wait for one that is there already."""
        if text[:1] != "4":
            return False
        if not self.upgraded or self._through_library or len(text) > self.server.max_http_buffer_size:
            self._through_library += 1
            return False
        self.came(text)
        return True

    def came(self, message: str | bytes) -> None:
        """Take whatever comes; what is no packet ends the connection."""
        kind, heard = message[:1], message[1:]
        if kind == "3":
            self.schedule_ping()
            return
        if kind != "4":
            try:
                heard = engine.Packet(encoded_packet=message)
            except (ValueError, LookupError, TypeError, RecursionError):
                self._give_up(self.server.reason.TRANSPORT_ERROR)
                return
        self._heard.append(heard)
        if self._listening is None:
            self._listening = asyncio.create_task(self._listen())
        elif len(self._heard) == MANY and self.protocol is not None:
            self.protocol.read(False)

    def lost(self) -> None:
        """The websocket has ended."""
        assert self.protocol is not None
        task = asyncio.create_task(self.close(wait=False, abort=True, reason=self.server.reason.TRANSPORT_CLOSE))
        self.protocol.tasks.add(task)  # a server that is being closed waits for these
        task.add_done_callback(self.protocol.tasks.discard)

    async def handle_post_request(self, environ: Fields) -> None:
        """A post of someone without a websocket. The library takes one that can't be read for a fault of its own, with a long word in the log for each."""
        self.continued = True
        try:
            await super().handle_post_request(environ)
        except (ValueError, LookupError, TypeError, RecursionError):
            await self.close(wait=False)  # or the library would wait until someone fetches the end
            raise EngineIOError("not a payload") from None

    async def receive(self, pkt: engine.Packet) -> None:
        """A packet that came through the library."""
        try:
            await super().receive(pkt)
        finally:
            if pkt.packet_type == engine.MESSAGE and self._through_library:
                self._through_library -= 1

    async def _listen(self) -> None:
        """One message after the other; between them it is others' turn."""
        try:
            while self._heard and not self.closed and not _cancelled():  # the library forgets that it was cancelled
                if len(self._heard) == MANY and self.protocol is not None:
                    self.protocol.read(True)
                heard = self._heard.pop(0)
                if isinstance(heard, str):
                    await self.server.handlers["message"](self.sid, heard)
                else:
                    with suppress(EngineIOError):
                        await self.receive(heard)
                if self._heard:
                    await asyncio.sleep(0)
        finally:
            self._listening = None

    async def close(self, wait: bool = True, abort: bool = False, reason: object = None) -> None:
        """Close it, after what has been heard before; what has only come is not looked at any more, or whoever sends much could not be closed."""
        if self.protocol is not None:
            self.protocol.deafen()
        if self._listening not in (None, asyncio.current_task()):
            await asyncio.wait([self._listening])
        await super().close(wait, abort, reason)
        if self._next_ping is not None:
            self._next_ping.cancel()
        if self._owns and self.protocol is not None and self.closed:
            self.server.sockets.pop(self.sid, None)
            self.writable()
            self.protocol.say_farewell()


def _cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


class _Body:
    """What comes with a request, read as Engine.IO reads it."""

    __slots__ = ("_event", "_receive")

    def __init__(self, event: Fields, receive: Callable[[], Awaitable[Any]]) -> None:
        self._event, self._receive = event, receive

    async def read(self, length: int) -> bytes:
        """So many bytes, or as many as there are."""
        whole = bytearray(self._event.get("body") or b"")
        while self._event.get("more_body") and len(whole) < length:
            self._event = await self._receive()
            whole += self._event.get("body") or b""
        return bytes(whole[:length])


async def translated(scope: Fields, receive: Callable[[], Awaitable[Any]], send: object) -> dict[str, Any]:
    """A request as Engine.IO reads it. The library's own way makes a class for each one, which stays, with what it was begun with, until all memory is looked
    through: 5 kB for everyone who comes back."""
    event = await receive()
    if event["type"] not in ("http.request", "websocket.connect"):
        return {}
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope.get("method", "GET"),
        "PATH_INFO": scope["path"],
        "QUERY_STRING": scope.get("query_string", b"").decode("latin-1"),
        "asgi.receive": receive,
        "asgi.send": send,
        "asgi.scope": scope,
    }
    if event["type"] == "http.request":
        environ["wsgi.input"] = _Body(event, receive)
    for header, value in scope["headers"]:
        said = value.decode("utf-8", "replace")
        if header in (b"content-type", b"content-length"):
            environ[header.decode().upper().replace("-", "_")] = said
        else:
            name = "HTTP_" + header.decode("latin-1").upper().replace("-", "_")
            environ[name] = f"{environ[name]},{said}" if name in environ else said
    environ["wsgi.url_scheme"] = environ.get("HTTP_X_FORWARDED_PROTO", "http")
    return environ


def hasten(sio: socketio.AsyncServer) -> None:
    """Let the connections of a server take the short way, from the first one on."""
    sio.eio.connection_class = FastSocket
    sio.eio._async = {**sio.eio._async, "translate_request": translated}


def _connection(server: object, sid: str) -> AsyncSocket:
    """What Engine.IO makes where it would make a connection of its own; it asks nobody which."""
    return getattr(server, "connection_class", AsyncSocket)(server, sid)


async_socket.AsyncSocket = _connection


async def sweep(sio: socketio.AsyncServer) -> None:
    """For ever: forget connections that are closed, and close those that were begun and never continued, or have gone without a word."""
    while True:
        await asyncio.sleep(SWEEP_SECONDS)
        for sid, line in list(sio.eio.sockets.items()):
            if line.closed:
                sio.eio.sockets.pop(sid, None)
            elif not line.closing:
                with suppress(EngineIOError):
                    await line.check_ping_timeout()
