"""Socket.IO as this house needs it: JSON by orjson, no bytes, and as little work for a message as possible, since an action makes half a dozen of them."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any, cast

import socketio
from engineio import packet as engine
from engineio.async_socket import AsyncSocket
from engineio.exceptions import EngineIOError, QueueEmpty
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from hanpan.fastjson import FastJson


class TextPacket(socketio.packet.Packet):  # type: ignore[misc]  # python-socketio has no types
    """A packet that nobody searches for bytes: there are none in what we send."""

    uses_binary_events = False
    json = FastJson


class Post(socketio.AsyncManager):  # type: ignore[misc]
    """Hands a message to everyone it is for. The library makes a task for each of them, which costs more than the handing over."""

    async def emit(
        self, event: str, data: Any, namespace: str, room: Any = None, skip_sid: Any = None, callback: Any = None, to: Any = None, **more: Any
    ) -> None:
        """Encode once, put it into each one's queue; these have no limit, so nobody waits here."""
        if callback is not None:
            await super().emit(event, data, namespace, room, skip_sid, callback, to, **more)
            return
        if namespace not in self.rooms:
            return
        skipped = skip_sid if isinstance(skip_sid, list) else [skip_sid]
        text = TextPacket(socketio.packet.EVENT, namespace=namespace, data=[event, data]).encode()
        message, sockets = engine.Packet(engine.MESSAGE, text), self.server.eio.sockets
        for sid, eio_sid in self.get_participants(namespace, to or room):  # as they are now: it goes through a copy
            if sid in skipped or (socket := sockets.get(eio_sid)) is None or socket.closed:
                continue
            if socket.upgraded:
                socket.queue.put_nowait(message)  # whether a websocket is still alive, its reader notices
            else:
                with suppress(EngineIOError):  # someone who has just gone must not keep it from the others
                    await socket.send(message)


async def _poll(socket: Any) -> list[Any]:
    """Wait for something to send, and take all there is. The library limits the waiting, at the price of one more task a message; pings end it just as well."""
    try:
        packets = [await socket.queue.get()]
        while packets[-1] is not None and not socket.queue.empty():
            packets.append(socket.queue.get_nowait())
    except asyncio.CancelledError:
        raise QueueEmpty from None
    for _ in packets:
        socket.queue.task_done()
    if packets[-1] is None:  # the end, after what is still to be sent
        packets.pop()
        if packets:
            socket.queue.put_nowait(None)
    return packets


AsyncSocket.poll = _poll


class _Gathered:
    """A transport that hands over at once what is written in one turn of the event loop: an action's news are several messages for everyone."""

    def __init__(self, transport: Any, loop: asyncio.AbstractEventLoop) -> None:
        self._transport, self._loop = transport, loop
        self._held: list[bytes] = []

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

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


class GatheringProtocol(WebSocketsSansIOProtocol):
    """uvicorn's websockets, gathering what they write."""

    def connection_made(self, transport: Any) -> None:
        """A connection stands."""
        super().connection_made(cast(asyncio.Transport, _Gathered(transport, self.loop)))
