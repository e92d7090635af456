"""The sockets: events in, checked against their schemas; news out. No rule of any game or room is here."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import Any

import socketio

from hanpan.core.fastjson import FastJson
from hanpan.server.faults import log_fault
from hanpan.server.people.bans import browser_key
from hanpan.server.people.identity import People
from hanpan.server.people.limits import Limits, address_of
from hanpan.server.people.sessions import Caller, Where
from hanpan.server.protocol.messages import OUTBOUND, LoginInfo, Payload
from hanpan.server.protocol.refusals import Refused
from hanpan.server.protocol.requests import Connect, Enter
from hanpan.server.rooms.lobby import Lobby
from hanpan.server.rooms.pace import Pace
from hanpan.server.rooms.registry import Registry
from hanpan.server.transport.dispatch import CONNECT, EVENTS, LOBBY, ROOM, Ack, Asker, Dispatch, checked, read, tell_everything
from hanpan.server.transport.shutdown import Shutdown
from hanpan.server.transport.sizes import MOST_BYTES, too_many_parts
from hanpan.server.transport.versions import unknown

log = logging.getLogger("hanpan.server")

Environ = Mapping[str, Any]  # what Engine.IO tells of a request

BROWSER = "hanpan_browser"  # the cookie that tells one browser from another, whoever sits before it
_BINARY = ("5", "6")  # how events and answers with bytes begin
_LOUD = 5.0  # messages: what a request counts as of which the whole lobby is told
_MOST_BEGUN = 20  # connections of one address that were begun without a websocket and wait to be continued
_COMING = 4.0  # messages: what coming into a namespace counts as, since much is told then


@dataclass
class Visit:
    """One connection to one namespace."""

    person: str
    room: str = ""
    scenes: bool = False


class SocketOutbox:
    """The way out through Socket.IO rooms: `lobby`, `room`, and one for each person in them."""

    def __init__(self, sio: Sockets) -> None:
        self._sio = sio
        self.pictured: dict[str, dict[str, int]] = {}  # room → person → connections that want scenes
        self.lags: dict[str, int] = {}  # person → milliseconds
        self.told_lobby = 0  # how often everyone in the lobby was told something
        self.pace = Pace()  # of coming, going and asking for everything
        self.ending: set[str] = set()  # connections that are being closed: no request of theirs is answered any more
        self._leaving: set[asyncio.Task[None]] = set()

    async def _emit(self, namespace: str, room: str, event: str, payload: Payload, skip: Iterable[str] = ()) -> None:
        try:
            skipped = [sid for other in skip for sid, _ in self._sio.manager.get_participants(namespace, other)]
            await self._sio.manager.emit(event, payload, namespace, room, skipped)
        except Exception as fault:  # what can't be told to someone must not keep the server from going on
            log_fault(f"telling {event!r}", fault)

    async def to_lobby(self, event: str, payload: Payload, skip: Collection[str] = ()) -> None:
        """Tell everyone in the lobby but some."""
        self.told_lobby += 1
        await self._emit("/lobby", "lobby", event, payload, [f"person {person}" for person in skip])

    async def to_visitor(self, person: str, event: str, payload: Payload) -> None:
        """Tell one person in the lobby."""
        await self._emit("/lobby", f"person {person}", event, payload)

    async def to_room(self, room: str, event: str, payload: Payload, skip: Collection[str] = ()) -> None:
        """Tell everyone in a room but some."""
        await self._emit("/room", f"room {room}", event, payload, [f"room {room} {person}" for person in skip])

    async def to_member(self, room: str, person: str, event: str, payload: Payload) -> None:
        """Tell one person in a room."""
        await self._emit("/room", f"room {room} {person}", event, payload)

    async def to_all(self, event: str, payload: Payload) -> None:
        """Tell everyone, wherever they are."""
        for namespace in OUTBOUND:
            await self._sio.emit(event, payload, namespace=namespace)

    def all_sent(self) -> bool:
        """Whether everything that was told is on its way."""
        return not self._sio.fast or all(socket.queue.empty() for socket in list(self._sio.eio.sockets.values()))

    def connections(self) -> dict[str, int]:
        """How many connections are open, by namespace."""
        return {namespace: sum(1 for _ in self._sio.manager.get_participants(namespace, None)) for namespace in OUTBOUND}

    async def show_out(self, room: str, person: str, why: Refused) -> None:
        """Tell one person in a room why they can't stay, and nothing more."""
        for sid, _ in list(self._sio.manager.get_participants("/room", f"room {room} {person}")):
            await self._sio.leave_room(sid, f"room {room}", namespace="/room")
            await self._sio.leave_room(sid, f"room {room} {person}", namespace="/room")
            await self._end(sid, "/room", why)

    async def disconnect(self, person: str, why: Refused) -> None:
        """Tell one person why they can't stay, wherever they are, and close their connections."""
        for namespace in OUTBOUND:
            for sid, _ in list(self._sio.manager.get_participants(namespace, f"person {person}")):
                await self._end(sid, namespace, why)

    async def disconnect_key(self, key: str, why: Refused) -> None:
        """Close the connections that were opened with one session or token, and say why."""
        for namespace in OUTBOUND:
            for sid, _ in list(self._sio.manager.get_participants(namespace, f"by {key}")):
                await self._end(sid, namespace, why)

    async def _end(self, sid: str, namespace: str, why: Refused) -> None:
        self.ending.add(sid)
        heard = "unauthorized" if why.code == "unauthorized" and namespace != "/room" else "invalid action"
        await self._sio.emit(heard, why.json(""), to=sid, namespace=namespace)
        task = asyncio.create_task(self._sio.disconnect(sid, namespace=namespace))  # apart: it comes back to the room, which may be busy with us
        self._leaving.add(task)
        task.add_done_callback(self._leaving.discard)

    def wants_scenes(self, room: str, person: str | None = None) -> bool:
        """Whether someone there (or that person) wants pictures with the positions."""
        wanted = self.pictured.get(room, {})
        return bool(wanted) if person is None else person in wanted

    def picture(self, room: str, person: str, more: int) -> None:
        """One connection more, or less, that wants scenes."""
        wanted = self.pictured.setdefault(room, {})
        wanted[person] = wanted.get(person, 0) + more
        if wanted[person] <= 0:
            del wanted[person]
        if not wanted:
            del self.pictured[room]

    def lag(self, person: str | None) -> int:
        """How many milliseconds a message to a person and the answer to it travel, by the last ping."""
        return self.lags.get(person, 0) if person is not None else 0

    def measure_lag(self, eio_sid: str, person: str) -> None:
        """Engine.IO knows when it sent a ping, and plans the next one when the answer has come: look at the time then."""
        socket = self._sio.eio.sockets.get(eio_sid)
        if socket is None or not self._sio.fast:
            return
        plan = type(socket).schedule_ping

        def answered() -> None:
            if isinstance(socket.last_ping, float):
                self.lags[person] = max(0, int((time.time() - socket.last_ping) * 1000))
            plan(socket)

        socket.schedule_ping = answered


@dataclass(frozen=True)
class Shared:
    """What every namespace needs."""

    people: People
    limits: Limits
    outbox: SocketOutbox
    shutdown: Shutdown
    cookie: str  # the name of the one that has the session


@dataclass(frozen=True)
class SocketAsker:
    """Someone who asks at one connection."""

    namespace: Namespace
    sid: str
    person: str
    address: str

    async def tell(self, event: str, payload: Payload) -> None:
        """One event."""
        await self.namespace.emit(event, payload, to=self.sid)

    async def show(self, event: str, payload: Payload) -> None:
        """An event of its own; the answer says only that it was done."""
        await self.tell(event, payload)


class Namespace(socketio.AsyncNamespace):  # type: ignore[misc]  # python-socketio has no types
    """What all namespaces share: who is speaking, schemas, refusals."""

    def __init__(self, namespace: str, shared: Shared) -> None:
        super().__init__(namespace)
        self.people, self.outbox = shared.people, shared.outbox
        self._limits, self._shutdown, self._session_cookie = shared.limits, shared.shutdown, shared.cookie
        self._loud = [name for name, known in EVENTS[namespace].items() if known.loud]
        self.visits: dict[str, Visit] = {}
        self._coming: dict[str, str] = {}  # visits whose "connect" we have seen, and the address each is from
        self._browsers: dict[str, str] = {}  # the browser of each, where it says so

    async def trigger_event(self, event: object, sid: str, *rest: object) -> object:
        """Everything goes through here: coming, going, a known request, or nonsense (also what only sounds like coming or going)."""
        if event == "connect" and sid not in self._coming:
            environ = rest[0]
            assert isinstance(environ, dict)
            self._coming[sid] = address_of(environ["asgi.scope"])
            if browser := _cookie(environ, BROWSER):
                self._browsers[sid] = browser[:64]
            await self._connect(sid, environ, rest[1] if len(rest) > 1 else None)
            return None
        if event == "disconnect" and not self.server.manager.is_connected(sid, self.namespace):
            await self._disconnect(sid, rest[0] if rest else "")
            return None
        try:
            visit = self.visits.get(sid)
            if visit is None:
                raise Refused("unauthorized")
            await self._limits.events.slow_down(visit.person, _LOUD if event in self._loud else 1.0)
            if sid in self.outbox.ending:
                raise Refused("unauthorized")
            with self._shutdown.under_way():
                answer = await self.do(event, rest, visit, SocketAsker(self, sid, visit.person, self._coming.get(sid, "")))
            return {"ok": True, **(answer or {})}
        except Refused as refused:
            return await self._refuse(sid, event, refused)
        except Exception as fault:  # a fault of ours never ends a connection or decides a game
            log_fault(f"event {str(event)[:60]!r}", fault)
            return await self._refuse(sid, event, Refused("our-fault"))

    async def _refuse(self, sid: str, event: object, refused: Refused) -> dict[str, object]:
        answer = refused.json(str(event)[:60])
        heard = "unauthorized" if refused.code == "unauthorized" and self.namespace != "/room" else "invalid action"
        await self.emit(heard, answer, to=sid)
        return {"ok": False, **answer}

    async def _connect(self, sid: str, environ: Environ, auth: object) -> None:
        """Let someone in, or say why not and close the door."""
        try:
            given = checked(CONNECT[self.namespace], auth)
            caller = await self._caller(sid, given.token or _cookie(environ, self._session_cookie), environ)
            await self.enter_room(sid, f"by {caller.key}")
            place = self._coming[sid], browser_key(self._browsers.get(sid))
            await self.people.bans.saw(caller.person.id, *place)
            await self.people.check_place(caller.person, *place)
            await self.outbox.pace.enter(place[0], counted=False)
            if sid not in self._coming:
                return  # gone meanwhile
            await self.came(sid, caller, given)
            await self.people.check_place(caller.person, *place)  # once more, now that they can be shown out
            self.people.check_ban(self.people.known[caller.person.id])
            if not await self.people.still(caller):  # it was ended while they came in
                raise Refused("unauthorized")
        except Refused as refused:
            await self._refuse(sid, "connect", refused)
            await self.disconnect(sid)
        except Exception as fault:
            log_fault("connect", fault)
            await self._refuse(sid, "connect", Refused("our-fault"))
            await self.disconnect(sid)
        if sid in self.visits and not self.server.manager.is_connected(sid, self.namespace):  # gone while we were busy
            await self._disconnect(sid, "")

    async def _caller(self, sid: str, token: object, environ: Environ) -> Caller:
        caller = await self.people.caller(token, tickets=True)
        if caller is None:
            raise Refused("unauthorized")
        return caller

    async def _disconnect(self, sid: str, reason: object) -> None:
        address = self._coming.pop(sid, "")
        self._browsers.pop(sid, None)
        self.outbox.ending.discard(sid)
        visit = self.visits.pop(sid, None)
        if visit is not None:
            await self.outbox.pace.enter(address, counted=False)
            try:
                await self.left(visit, lost=reason != self.server.reason.CLIENT_DISCONNECT)
            except Exception as fault:
                log_fault("disconnect", fault)

    async def came(self, sid: str, caller: Caller, given: Connect) -> None:
        """Someone has connected."""

    async def left(self, visit: Visit, lost: bool) -> None:
        """Someone has disconnected, or the connection was lost."""

    async def do(self, event: object, payloads: tuple[object, ...], visit: Visit, asker: Asker) -> Ack | None:
        """A request."""
        raise Refused("unknown-event", event=str(event)[:60])


class RootNamespace(Namespace):
    """Namespace `/`: who you are."""

    async def _caller(self, sid: str, token: object, environ: Environ) -> Caller:
        """Everyone is someone here: a newcomer becomes a guest, and is told this once what brings them back. A token that is not ours is said to be so."""
        caller = await self.people.caller(token, tickets=True)
        if caller is None and token:
            await self._refuse(sid, "connect", Refused("unauthorized"))
        return caller or await self.people.welcome(None, Where(self._coming[sid], environ.get("HTTP_USER_AGENT", ""), browser_key(self._browsers.get(sid))))

    async def came(self, sid: str, caller: Caller, given: Connect) -> None:
        """Tell them."""
        self.visits[sid] = Visit(caller.person.id)
        await self.enter_room(sid, f"person {caller.person.id}")
        await self.emit("login info", _login(self.people, caller), to=sid)


class LobbyNamespace(Namespace):
    """Namespace `/lobby`."""

    def __init__(self, namespace: str, shared: Shared, lobby: Lobby, dispatch: Dispatch) -> None:
        super().__init__(namespace, shared)
        self.lobby, self._dispatch = lobby, dispatch

    async def came(self, sid: str, caller: Caller, given: Connect) -> None:
        """Someone opens the lobby."""
        person = caller.person.id
        await self.lobby.arrive(person)
        self.visits[sid] = Visit(person)
        await self.enter_room(sid, "lobby")
        await self.enter_room(sid, f"person {person}")
        await self.emit("account", _login(self.people, caller), to=sid)
        await self.emit("info", self.lobby.listing(), to=sid)

    async def left(self, visit: Visit, lost: bool) -> None:
        """Someone closes the lobby."""
        await self.lobby.depart(visit.person)

    async def do(self, event: object, payloads: tuple[object, ...], visit: Visit, asker: Asker) -> Ack | None:
        """A request in the lobby."""
        return await self._dispatch.in_lobby(read(LOBBY, event, *payloads), asker)


class RoomNamespace(Namespace):
    """Namespace `/room`: the room's id and, if needed, its password are in the connect payload."""

    def __init__(self, namespace: str, shared: Shared, registry: Registry, dispatch: Dispatch) -> None:
        super().__init__(namespace, shared)
        self.registry, self._dispatch = registry, dispatch

    async def came(self, sid: str, caller: Caller, given: Connect) -> None:
        """Someone opens a room."""
        assert isinstance(given, Enter)
        person = caller.person.id
        room = self.registry.room(given.room)
        await self.registry.check_password(room, person, given.password, self._coming[sid])
        await self.people.rating(person, room.state.game.name)
        await room.enter(person, {f"address {self._coming[sid]}", *([f"browser {self._browsers[sid]}"] if sid in self._browsers else [])})
        visit = self.visits[sid] = Visit(person, room.id, given.scenes)
        if visit.scenes:
            self.outbox.picture(room.id, person, 1)
        self.outbox.measure_lag(self.server.manager.eio_sid_from_sid(sid, self.namespace), person)
        await self.enter_room(sid, f"room {room.id}")
        await self.enter_room(sid, f"room {room.id} {person}")
        await self.enter_room(sid, f"person {person}")
        await tell_everything(SocketAsker(self, sid, person, self._coming.get(sid, "")), room)

    async def left(self, visit: Visit, lost: bool) -> None:
        """Someone closes a room."""
        if visit.scenes:
            self.outbox.picture(visit.room, visit.person, -1)
        room = self.registry.rooms.get(visit.room)
        if room is not None:
            await room.leave(visit.person, lost)

    async def do(self, event: object, payloads: tuple[object, ...], visit: Visit, asker: Asker) -> Ack | None:
        """A request in a room."""
        call = read(ROOM, event, *payloads)
        return await self._dispatch.in_room(call, asker, self.registry.room(visit.room))


def _login(people: People, caller: Caller) -> LoginInfo:
    person = caller.person
    told = LoginInfo(person=people.person_info(person.id), kind=person.kind)
    if person.role:
        told["role"] = person.role
    if caller.token:
        told["token"] = caller.token
    return told


def _cookie(environ: Environ, name: str) -> str | None:
    try:
        cookie = SimpleCookie(environ.get("HTTP_COOKIE", ""))
    except CookieError:
        return None
    return cookie[name].value if name in cookie else None


class Sockets(socketio.AsyncServer):  # type: ignore[misc]
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

    async def _handle_eio_connect(self, eio_sid: str, environ: Environ) -> object:
        address = address_of(environ["asgi.scope"])
        try:
            begun = self._begun_by(address) if not environ.get("HTTP_UPGRADE") else None
            self._limits.connect(address)
        except Refused as refused:
            return refused.json("")
        self._addresses[eio_sid] = address
        if begun is not None:
            self._begun[address] = begun | {eio_sid}
        return await super()._handle_eio_connect(eio_sid, environ)

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
        await self._limits.packets.wait(eio_sid)  # nothing more is read from it meanwhile
        address = self._addresses.get(eio_sid, "")
        if not self._limits.exempt(address):
            await self._limits.crowds.wait(address, _COMING if isinstance(data, str) and data[:1] == "0" else 1.0)
        try:
            if not isinstance(data, str) or data[:1] in _BINARY or too_many_parts(data):
                raise ValueError("no event of ours has bytes, or that many fields")
            await super()._handle_eio_message(eio_sid, data)
        except Exception:  # nothing of ours comes this far: the message could not be read
            answer = Refused("bad-payload", reason="not a Socket.IO message").json("")
            for namespace in OUTBOUND:
                sid = self.manager.sid_from_eio_sid(eio_sid, namespace)
                if sid is not None and self.manager.is_connected(sid, namespace):
                    await self.emit("invalid action", answer, to=sid, namespace=namespace)


def make_sockets(limits: Limits, origins: Collection[str] = ()) -> Sockets:
    """The Socket.IO server: events of one client are handled in their order, and nobody is told anything before the connection stands."""
    same: dict[str, object] = {
        "async_mode": "asgi", "async_handlers": False, "always_connect": True,
        "max_http_buffer_size": MOST_BYTES, "cors_allowed_origins": list(origins) or None, "ping_interval": 10, "ping_timeout": 20,
    }  # fmt: skip
    if others := unknown():
        log.warning("messages take the libraries' own way, which is slower and has fewer limits: %s", ", ".join(others))
        return Sockets(limits, fast=False, json=FastJson, **same)
    from hanpan.server.transport.fast_engineio import Post, TextPacket, hasten

    sio = Sockets(limits, fast=True, monitor_clients=False, serializer=TextPacket, client_manager=Post(), **same)
    hasten(sio)
    return sio
