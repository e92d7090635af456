"""The Socket.IO server: what it counts and refuses before an event is read."""

from __future__ import annotations

import logging
import re
from collections.abc import Collection

import socketio

from hanpan.core.fastjson import FastJson
from hanpan.server.people.limits import Limits, address_of
from hanpan.server.protocol.messages import OUTBOUND
from hanpan.server.protocol.refusals import Refused
from hanpan.server.transport.asgi import Fields
from hanpan.server.transport.sizes import MOST_BYTES, too_many_parts
from hanpan.server.transport.versions import unknown

log = logging.getLogger("hanpan.server")

_BINARY = ("5", "6")  # how events and answers with bytes begin
_EVENT = re.compile(r"2(?:(/[a-z]+),)?([0-9]{1,15})?(?=\[)", re.ASCII)  # how events begin: namespace, number; the library reads what is unusual
_MOST_BEGUN = 20  # connections of one address that were begun without a websocket and wait to be continued
_COMING = 4.0  # messages: what coming into a namespace counts as, since much is told then


class Sockets(socketio.AsyncServer):  # type: ignore[misc]  # python-socketio has no types
    """A Socket.IO server that counts connections and messages before it reads them, and answers also what is no Socket.IO message at all."""

    def __init__(self, limits: Limits, fast: bool, **more: object) -> None:
        super().__init__(**more)
        self._limits = limits
        self.fast = fast  # messages take the short way; if not, the library's own
        self._addresses: dict[str, str] = {}  # connections and where each is from
        self._begun: dict[str, set[str]] = {}  # address → its connections without a websocket that were begun last

    async def sweep(self) -> None:
        """For ever: forget connections that have gone. On its own way the library does that by itself."""
        if self.fast:
            from hanpan.server.transport.fast_engineio import sweep

            await sweep(self)

    async def _handle_eio_connect(self, eio_sid: str, environ: Fields) -> object:
        address = address_of(environ["asgi.scope"])
        try:
            begun = self._begun_by(address) if not environ.get("HTTP_UPGRADE") else None
            self._limits.connect(address)
        except Refused as refused:
            return refused.json("")
        self._addresses[eio_sid] = address
        if begun is not None:
            self._begun[address] = begun | {eio_sid}
        kept = {name: environ[name] for name in ("HTTP_COOKIE", "HTTP_USER_AGENT") if name in environ}
        return await super()._handle_eio_connect(eio_sid, {**kept, "asgi.scope": {"client": environ["asgi.scope"].get("client")}})

    def _begun_by(self, address: str) -> set[str]:
        """The connections of an address that were begun without a websocket and not continued; one more is refused where they are many."""
        sockets = self.eio.sockets
        begun = {sid for sid in self._begun.get(address, ()) if sid in sockets and not getattr(sockets[sid], "continued", True) and not sockets[sid].closed}
        if len(begun) >= _MOST_BEGUN and not self._limits.exempt(address):
            raise Refused("too-many-connections")
        return begun

    async def _handle_eio_disconnect(self, eio_sid: str, reason: object) -> None:
        address = self._addresses.pop(eio_sid, None)
        if address is not None:
            self._limits.disconnect(address)
            self._begun.get(address, set()).discard(eio_sid)
            if not self._begun.get(address, True):
                del self._begun[address]
        await super()._handle_eio_disconnect(eio_sid, reason)

    async def _handle_eio_message(self, eio_sid: str, data: object) -> None:
        """A message. An event is handed on and answered here: the library asks for whom it is in four more steps, and makes two packets for the answer."""
        await self._slow_down(eio_sid, data)
        try:
            if not isinstance(data, str) or data[:1] in _BINARY or too_many_parts(data):
                raise ValueError("no event of ours has bytes, or that many fields")
            if (event := _EVENT.match(data)) is None:
                await super()._handle_eio_message(eio_sid, data)
                return
            (namespace, id), (name, *given) = event.groups("/"), FastJson.loads(data[event.end() :])
            sid, handler = self.manager.sid_from_eio_sid(eio_sid, namespace), self.namespace_handlers.get(namespace)
            if handler is not None and self.manager.is_connected(sid, namespace):
                answer = await handler.trigger_event(name, sid, *given)
                if event[2] and not (self.fast and self.manager.answer(eio_sid, namespace, int(id), answer)):
                    await self._send_packet(eio_sid, self.packet_class(socketio.packet.ACK, namespace=namespace, id=int(id), data=[answer]))
        except Exception:  # nothing of ours comes this far: the message could not be read
            answer = Refused("bad-payload", reason="not a Socket.IO message").json("")
            for namespace in OUTBOUND:
                sid = self.manager.sid_from_eio_sid(eio_sid, namespace)
                if sid is not None and self.manager.is_connected(sid, namespace):
                    await self.emit("invalid action", answer, to=sid, namespace=namespace)

    async def _slow_down(self, eio_sid: str, data: object) -> None:
        """Nothing more is read meanwhile from whoever sends too much, nor from an address of which too much comes."""
        await self._limits.packets.wait(eio_sid)
        address = self._addresses.get(eio_sid, "")
        if not self._limits.exempt(address):
            await self._limits.crowds.wait(address, _COMING if isinstance(data, str) and data[:1] == "0" else 1.0)


def make_sockets(limits: Limits, origins: Collection[str] = (), alone: bool = True) -> Sockets:
    """The Socket.IO server: events of one client are handled in their order, and nobody is told anything before the connection stands.

    Where this process is not `alone`, only websockets are taken: requests of one visitor without them would reach one process after the other.
    """
    same: dict[str, object] = {
        "async_mode": "asgi", "async_handlers": False, "always_connect": True,
        "max_http_buffer_size": MOST_BYTES, "cors_allowed_origins": list(origins) or None, "ping_interval": 10, "ping_timeout": 20,
        **({} if alone else {"transports": ["websocket"]}),
    }  # fmt: skip
    if others := unknown():
        log.warning("messages take the libraries' own way, which is slower and has fewer limits: %s", ", ".join(others))
        return Sockets(limits, fast=False, json=FastJson, **same)
    from hanpan.server.transport.fast_engineio import Post, TextPacket, hasten

    sio = Sockets(limits, fast=True, monitor_clients=False, serializer=TextPacket, client_manager=Post(), **same)
    hasten(sio)
    return sio
