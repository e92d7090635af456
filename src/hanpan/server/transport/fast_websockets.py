"""The websockets under Socket.IO: what is written in one turn of the event loop goes out at once, and nobody's frames take much time in one.

It stands on the insides of uvicorn; `versions` says whether it is the one that is known here. Nobody imports this with others.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol, cast
from weakref import WeakKeyDictionary

from uvicorn._types import ASGISendEvent
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode, Frame, apply_mask  # type: ignore[attr-defined]
from websockets.http11 import Request
from websockets.protocol import Protocol as WebSocket
from websockets.protocol import State
from websockets.streams import StreamReader

from hanpan.server.people.limits import address_of
from hanpan.server.transport.hearing import Hearing

MOST_WAITING = 1_000_000  # bytes that wait for someone who does not read; then the connection ends, and whoever comes back is told everything anew
PIECE = 4096  # bytes of one connection that are looked at in one turn of the event loop
MOST_SMALL = 100  # frames a second that are no message: pings, pieces of a message
_CLOSE = 8  # the opcode of a websocket's last frame
_TEXT, _SHORT, _HEAD = 0x81, 126, 6  # how a whole text begins; the bytes that are told in one byte; and what stands before a short one, its mask too
_BETWEEN = StreamReader.at_eof.__code__  # where the library waits between two frames
_HEARING: WeakKeyDictionary[asyncio.AbstractEventLoop, Hearing] = WeakKeyDictionary()


class _Gathered:
    """A transport that hands over at once what is written in one turn of the event loop: an action's news are several messages for everyone."""

    __slots__ = ("_held", "_loop", "_read_on", "_transport", "paused")

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop, read_on: Callable[[], None]) -> None:
        self._transport, self._loop, self._read_on = transport, loop, read_on
        self._held: list[bytes] = []
        self.paused = False  # nothing more is to be read for now

    def pause_reading(self) -> None:
        """Read nothing more for now."""
        self.paused = True
        self._transport.pause_reading()

    def resume_reading(self) -> None:
        """Read on: first what has come already."""
        self.paused = False
        self._read_on()

    def write(self, data: bytes) -> None:
        """Write soon."""
        if not self._held:
            self._loop.call_soon(self._hand_over)
        self._held.append(data)

    def _hand_over(self) -> None:
        held, self._held = self._held, []
        if held and not self._transport.is_closing():  # who has gone in the meantime hears nothing any more
            self._transport.write(b"".join(held))

    def close(self) -> None:
        """Write what is left, and close."""
        self._hand_over()
        self._transport.close()

    def ended(self) -> None:
        """Nothing more is read."""
        self._read_on = _nothing

    def __getattr__(self, name: str) -> Any:  # whatever else a transport can do
        return getattr(self._transport, name)


def _nothing() -> None:
    """Do nothing."""


class _Flag:
    """Whether something is so: an event that nobody waits for, for a tenth of the memory."""

    __slots__ = ("_set",)

    def __init__(self) -> None:
        self._set = True

    def is_set(self) -> bool:
        """Whether it is so."""
        return self._set

    def set(self) -> None:
        """It is so."""
        self._set = True

    def clear(self) -> None:
        """It is not so."""
        self._set = False


class _Unheard:
    """A queue that nobody reads."""

    def put_nowait(self, event: object) -> None:
        """What is put here is gone."""


_UNHEARD = _Unheard()


class Owner(Protocol):
    """Whoever has a websocket to themselves."""

    def came(self, message: str | bytes) -> None:
        """A message."""

    def writable(self) -> None:
        """What was written has gone: there may be more."""

    def lost(self) -> None:
        """The connection has ended."""


class ShortProtocol(WebSocketsSansIOProtocol):
    """uvicorn's websockets: what they write is gathered, texts can be had as they come, and nobody's frames take much time in one turn of the loop.

    The application may leave a websocket to an owner and return: then no task waits for what comes, and nothing is kept of the request that it began with.
    A connection that does nothing takes a third of the memory so.
    """

    hear: Callable[[str], bool] = staticmethod(lambda text: False)  # takes a text, or leaves it to the application
    owner: Owner | None = None
    _came = b""  # what has come and was not looked at yet
    _planned = False  # the next piece of it will be looked at
    _deaf = False  # nothing more is looked at
    _small = 0  # frames since _second that are no message: pings, pieces
    _second = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """A connection stands."""
        super().connection_made(cast(asyncio.Transport, _Gathered(transport, self.loop, self._read_on)))
        self._hearing = _HEARING.setdefault(self.loop, Hearing())

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has ended; where many end at once, each is dealt with in its turn."""
        end = partial(self._end, exc)
        if self._hearing.now():
            end()
        else:
            self.disconnected = True
            self._hearing.later(self._address(), end)

    def _end(self, exc: Exception | None) -> None:
        """Whatever it was made of holds nothing of the others any more: then it goes at once, and not when all memory is looked through, which is seldom."""
        super().connection_lost(exc)
        owner, self.owner = self.owner, None
        cast(_Gathered, self.transport).ended()
        self.conn.parser.close()
        if owner is not None:
            owner.lost()

    # --- an owner ---

    def leave_to(self, owner: Owner) -> None:
        """Everything that comes is for the owner from now on; what has come and was not read by anyone is the first."""
        came, self.owner = self.queue, owner
        self.request = self.response = None  # type: ignore[assignment]
        self.scope = {"client": self.scope["client"]}  # type: ignore[typeddict-item]
        self.queue, self.writable = _UNHEARD, _Flag()  # type: ignore[assignment]
        self.__dict__.pop("hear", None)
        while not came.empty():
            event = came.get_nowait()
            if event["type"] == "websocket.receive":
                owner.came(cast(str | bytes, event["text"] if "text" in event else event["bytes"]))
        if self.read_paused:
            self.read_paused = False
            self.transport.resume_reading()
        if self.disconnected:
            owner.lost()

    async def run_asgi(self) -> None:
        """The application deals with the connection until it has ended, or until somebody else has it."""
        try:
            await self.app(self.scope, self.receive, self.send)
            left = self.owner is not None
        except ClientDisconnected:
            left = False
        except BaseException:
            left = False
            self.logger.exception("Exception in ASGI application")
        if not self.handshake_complete:
            self.send_500_response()
        if self.close_timer is None and not left:
            self.transport.close()

    def resume_writing(self) -> None:
        """What was written has gone."""
        super().resume_writing()
        if self.owner is not None:
            self.owner.writable()

    def say_farewell(self) -> None:
        """Close it, after what has been written; whoever does not answer that is not waited for for long."""
        if not self.close_sent and not self.disconnected and not self.transport.is_closing() and self.conn.state is State.OPEN:
            self.conn.send_close(1000)
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.close_sent = True
            self.close_timer = self.loop.call_later(self.close_timeout, self.transport.close)

    # --- an end, in whatever state it comes: uvicorn's own ways take it that the websocket is open, and throw if not ---

    def shutdown(self) -> None:
        """The server stops. Whoever has had the last word already (theirs was the goodbye, and it is answered) is told nothing more."""
        if self.conn.eof_sent and not self.close_sent:
            self.transport.close()
        else:
            super().shutdown()

    async def send(self, message: ASGISendEvent) -> None:
        """Say something, unless it is a second refusal."""
        if self.handshake_complete or not self.conn.eof_sent or message["type"] == "websocket.accept":
            await super().send(message)

    def send_500_response(self) -> None:
        """Refuse it, once."""
        if not self.conn.eof_sent:
            super().send_500_response()

    def handle_parser_exception(self) -> None:
        """What comes can't be read: say so, if the websocket stands, and close it."""
        if self.conn.close_sent is None:
            self.close_sent = True
            self.transport.close()
        else:
            super().handle_parser_exception()

    def _address(self) -> str:
        return address_of(getattr(self, "scope", {"client": self.client}))

    def data_received(self, data: bytes) -> None:
        """Some bytes have come: they are looked at now; of many, a piece at a time; none while it is too much for us; and whoever leaves, in their turn."""
        transport = cast(_Gathered, self.transport)
        if self._deaf:
            return
        if not self.handshake_initiated:
            self._begin(data)
            return
        leaves = data[0] & 0x0F == _CLOSE
        if not self._came and len(data) <= PIECE and not transport.paused and (not leaves or self._hearing.now()):
            if not self._took(data):
                super().data_received(data)
            return
        self._came += data
        transport._transport.pause_reading()
        if not transport.paused:
            self._plan()

    def _begin(self, head: bytes) -> None:
        """The request that a websocket begins with; it comes whole. What websockets can't read of it (too many lines), uvicorn neither answers nor closes."""
        super().data_received(head)
        if not self.handshake_initiated:
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.transport.close()

    def _took(self, data: bytes) -> bool:
        """Take one whole short text, as nearly everything is that comes; the library reads all else, in six functions and four generators."""
        size, conn = len(data) - _HEAD, self.conn
        if self.owner is None or not 0 <= size < _SHORT or data[0] != _TEXT or data[1] != 0x80 | size:
            return False
        waits = getattr(conn.parser, "gi_yieldfrom", None)  # it is given the next bytes; in the middle of a message these may be anything
        if waits is None or waits.gi_code is not _BETWEEN or conn.current_size is not None or conn.state is not State.OPEN or self.close_sent:
            return False
        try:
            text = apply_mask(data[_HEAD:], data[2:_HEAD]).decode()
        except UnicodeDecodeError:
            return False
        self.owner.came(text)
        return True

    def deafen(self) -> None:
        """Look at nothing more of what has come; that the other side has gone is noticed all the same."""
        if self._came:
            self._deaf, self._came = True, b""
            self.read(True)

    def _read_on(self) -> None:
        if self._came:
            self._plan()
        elif not self.transport.is_closing():
            cast(_Gathered, self.transport)._transport.resume_reading()

    def _plan(self) -> None:
        if not self._planned:
            self._planned = True
            self._hearing.later(self._address(), self._look)

    def _look(self) -> None:
        self._planned = False
        transport = cast(_Gathered, self.transport)
        if transport.is_closing() or self._deaf:
            self._came = b""
        elif not transport.paused:
            piece, self._came = self._came[:PIECE], self._came[PIECE:]
            super().data_received(piece)
            if not transport.paused:
                self._read_on()

    def _bother(self) -> None:
        """A frame that is no message: nobody needs many."""
        now = self.loop.time()
        if now - self._second > 1.0:
            self._second, self._small = now, 0
        self._small += 1
        if self._small > MOST_SMALL or cast(_Gathered, self.transport).get_write_buffer_size() > MOST_WAITING:
            self.transport.abort()

    def handle_ping(self) -> None:
        """Answer it, unless there are too many, or the answers are not read."""
        self._bother()
        super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        """Nobody asked for one."""
        self._bother()

    def handle_cont(self, event: Frame) -> None:
        """One more piece of a message; one that has hardly anything in it is a bother."""
        if len(event.data) < PIECE and not event.fin:
            self._bother()
        super().handle_cont(event)

    def handle_connect(self, event: Request) -> None:
        """The application is told where to find us."""
        super().handle_connect(event)
        if not self.close_sent:
            self.scope["state"]["protocol"] = self
        if not self.close_sent and not self.conn.reader.buffer:  # no frame has begun: they are read by someone who does not keep the request
            self.conn.parser = WebSocket.parse(self.conn)
            next(self.conn.parser)

    def send_receive_event_to_app(self) -> None:
        """A whole message has come. What can't be read closes the connection."""
        if not self.close_sent and (self.curr_msg_data_type == "text" or self.owner is not None):
            data = bytes(self.frames[0] if len(self.frames) == 1 else b"".join(self.frames))
            try:
                message = data.decode() if self.curr_msg_data_type == "text" else data
            except UnicodeDecodeError:
                self.conn.fail(CloseCode.INVALID_DATA)
                self.handle_parser_exception()
                return
            if self.owner is not None:
                self.frames = []
                self.owner.came(message)
                return
            if isinstance(message, str) and self.hear(message):
                self.frames = []
                return
        super().send_receive_event_to_app()

    def read(self, on: bool) -> None:
        """Read on, or nothing more for now."""
        if not self.transport.is_closing():
            (self.transport.resume_reading if on else self.transport.pause_reading)()
