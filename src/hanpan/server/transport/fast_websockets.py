"""The websockets under Socket.IO: what is written in one turn of the event loop goes out at once, and nobody's frames take much time in one.

It stands on the insides of uvicorn; `versions` says whether it is the one that is known here. Nobody imports this with others.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, cast
from weakref import WeakKeyDictionary

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request

from hanpan.server.people.limits import address_of
from hanpan.server.transport.hearing import Hearing

MOST_WAITING = 1_000_000  # bytes that wait for someone who does not read; then the connection ends, and whoever comes back is told everything anew
PIECE = 4096  # bytes of one connection that are looked at in one turn of the event loop
MOST_SMALL = 100  # frames a second that are no message: pings, pieces of a message
_CLOSE = 8  # the opcode of a websocket's last frame
_HEARING: WeakKeyDictionary[asyncio.AbstractEventLoop, Hearing] = WeakKeyDictionary()


class _Gathered:
    """A transport that hands over at once what is written in one turn of the event loop: an action's news are several messages for everyone."""

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
        if self._held:
            self._transport.write(b"".join(self._held))
            self._held.clear()

    def close(self) -> None:
        """Write what is left, and close."""
        self._hand_over()
        self._transport.close()

    def __getattr__(self, name: str) -> Any:  # whatever else a transport can do
        return getattr(self._transport, name)


class ShortProtocol(WebSocketsSansIOProtocol):
    """uvicorn's websockets: what they write is gathered, texts can be had as they come, and nobody's frames take much time in one turn of the loop."""

    hear: Callable[[str], bool] = staticmethod(lambda text: False)  # takes a text, or leaves it to the application
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
        end = partial(super().connection_lost, exc)
        if self._hearing.now():
            end()
        else:
            self.disconnected = True
            self._hearing.later(self._address(), end)

    def _address(self) -> str:
        return address_of(getattr(self, "scope", {"client": self.client}))

    def data_received(self, data: bytes) -> None:
        """Some bytes have come: they are looked at now; of many, a piece at a time; none while it is too much for us; and whoever leaves, in their turn."""
        transport = cast(_Gathered, self.transport)
        if self._deaf:
            return
        leaves = self.handshake_initiated and data[0] & 0x0F == _CLOSE
        if not self._came and len(data) <= PIECE and not transport.paused and (not leaves or self._hearing.now()):
            super().data_received(data)
            return
        self._came += data
        transport._transport.pause_reading()
        if not transport.paused:
            self._plan()

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

    def send_receive_event_to_app(self) -> None:
        """A whole message has come."""
        if self.curr_msg_data_type == "text" and not self.close_sent:
            data = self.frames[0] if len(self.frames) == 1 else b"".join(self.frames)
            with suppress(UnicodeDecodeError):
                if self.hear(bytes(data).decode()):
                    self.frames = []
                    return
        super().send_receive_event_to_app()

    def read(self, on: bool) -> None:
        """Read on, or nothing more for now."""
        if not self.transport.is_closing():
            (self.transport.resume_reading if on else self.transport.pause_reading)()
