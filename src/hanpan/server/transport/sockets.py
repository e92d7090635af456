"""The namespaces of the sockets: who comes and goes, and what they ask. No rule of any game or room is here."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from http.cookies import CookieError, SimpleCookie

import socketio

from hanpan.server.faults import log_fault
from hanpan.server.people.bans import browser_key
from hanpan.server.people.identity import People
from hanpan.server.people.limits import Limits, address_of
from hanpan.server.people.sessions import Caller, Where
from hanpan.server.protocol.messages import LoginInfo, Payload
from hanpan.server.protocol.refusals import Refused
from hanpan.server.protocol.requests import Connect, Enter
from hanpan.server.rooms.lobby import Lobby
from hanpan.server.rooms.outbox import Telling
from hanpan.server.transport.asgi import Fields
from hanpan.server.transport.dispatch import CONNECT, EVENTS, Ack, checked
from hanpan.server.transport.gateway import Gateway, OwnLobby, Visitor
from hanpan.server.transport.shutdown import Shutdown
from hanpan.server.transport.socket_outbox import SocketOutbox

BROWSER = "hanpan_browser"  # the cookie that tells one browser from another, whoever sits before it
_LOUD = 5.0  # messages: what a request counts as of which the whole lobby is told


@dataclass(slots=True)
class Visit:
    """One connection to one namespace."""

    person: str
    ask: Callable[..., Awaitable[Ack | None]]  # an event and its payloads, at the place where they are
    visitor: Visitor | None = None  # of a room
    window: SocketAsker | None = None  # of the lobby


@dataclass(frozen=True)
class Shared:
    """What every namespace needs."""

    people: People
    limits: Limits
    outbox: SocketOutbox
    shutdown: Shutdown
    cookie: str  # the name of the one that has the session


@dataclass(frozen=True, slots=True)
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

    async def be_told(self, room: str, by: Telling) -> None:
        """Move this connection, while it is open, to those who are told in this way."""
        visit = self.namespace.visits.get(self.sid)
        if visit is None or self.sid in self.namespace.outbox.ending:
            return
        if visit.visitor is not None:
            visit.visitor.by = by
        for way in ("brief", "full"):
            move = self.namespace.enter_room if way == by else self.namespace.leave_room
            await move(self.sid, f"{way} room {room}")
            await move(self.sid, f"{way} room {room} {self.person}")


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
            with self._shutdown.under_way:
                answer = await visit.ask(event, *rest)
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

    async def _connect(self, sid: str, environ: Fields, auth: object) -> None:
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

    async def _caller(self, sid: str, token: object, environ: Fields) -> Caller:
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


class RootNamespace(Namespace):
    """Namespace `/`: who you are."""

    async def _caller(self, sid: str, token: object, environ: Fields) -> Caller:
        """Everyone is someone here: a newcomer becomes a guest, and is told this once what brings them back. A token that is not ours is said to be so."""
        caller = await self.people.caller(token, tickets=True)
        if caller is None and token:
            await self._refuse(sid, "connect", Refused("unauthorized"))
        return caller or await self.people.welcome(None, Where(self._coming[sid], environ.get("HTTP_USER_AGENT", ""), browser_key(self._browsers.get(sid))))

    async def came(self, sid: str, caller: Caller, given: Connect) -> None:
        """Tell them."""
        self.visits[sid] = Visit(caller.person.id, _nothing_to_ask)
        await self.enter_room(sid, f"person {caller.person.id}")
        await self.emit("login info", await _login(self.people, caller), to=sid)


class LobbyNamespace(Namespace):
    """Namespace `/lobby`."""

    def __init__(self, namespace: str, shared: Shared, lobby: Lobby, own: OwnLobby) -> None:
        super().__init__(namespace, shared)
        self.lobby, self._own = lobby, own

    async def came(self, sid: str, caller: Caller, given: Connect) -> None:
        """Someone opens the lobby."""
        person, address = caller.person.id, self._coming[sid]
        await self.lobby.arrive(person)
        window = SocketAsker(self, sid, person, address)
        self.visits[sid] = Visit(person, partial(self._own.do, window), window=window)
        await self.enter_room(sid, "lobby")
        await self.enter_room(sid, f"person {person}")
        await self.emit("account", await _login(self.people, caller), to=sid)
        await self.emit("info", self.lobby.listing(), to=sid)

    async def left(self, visit: Visit, lost: bool) -> None:
        """Someone closes the lobby."""
        await self.lobby.depart(visit.person, visit.window)


class RoomNamespace(Namespace):
    """Namespace `/room`: the room's id and, if needed, its password are in the connect payload."""

    def __init__(self, namespace: str, shared: Shared, gateway: Gateway) -> None:
        super().__init__(namespace, shared)
        self._gateway = gateway
        self._entering: dict[str, Visitor] = {}

    async def came(self, sid: str, caller: Caller, given: Connect) -> None:
        """Someone opens a room."""
        assert isinstance(given, Enter)
        person, address = caller.person.id, self._coming[sid]
        traces = {f"address {address}", *([f"browser {self._browsers[sid]}"] if sid in self._browsers else [])}
        asker = SocketAsker(self, sid, person, address)
        by: Telling = "brief" if given.brief else "full"
        visitor = Visitor(given.room, sid, asker, partial(self._join, sid), partial(self._show_out, sid), frozenset(traces), given.password, by, given.scenes)
        self._entering[sid] = visitor
        try:
            await self._gateway.enter(visitor)
        finally:
            del self._entering[sid]

    async def _join(self, sid: str) -> None:
        visitor = self._entering.get(sid) or (self.visits[sid].visitor if sid in self.visits else None)
        if visitor is None:
            return  # gone while their room moved: whoever lets them in anew has them leave
        person, room = visitor.asker.person, visitor.room
        if sid not in self.visits:
            self.visits[sid] = Visit(person, partial(self._gateway.do, visitor, visitor.asker), visitor)
            if visitor.scenes:
                self.outbox.picture(room, person, 1)
            self.outbox.measure_lag(self.server.manager.eio_sid_from_sid(sid, self.namespace), person)
        for group in (f"room {room}", f"room {room} {person}", f"person {person}"):
            await self.enter_room(sid, group)

    async def _show_out(self, sid: str, why: Refused) -> None:
        await self._refuse(sid, "connect", why)
        await self.disconnect(sid)

    async def left(self, visit: Visit, lost: bool) -> None:
        """Someone closes a room."""
        visitor = visit.visitor
        assert visitor is not None
        if visitor.scenes:
            self.outbox.picture(visitor.room, visit.person, -1)
        await self._gateway.leave(visitor, lost)


async def _nothing_to_ask(event: object, *payloads: object) -> Ack | None:
    raise Refused("unknown-event", event=str(event)[:60])


async def _login(people: People, caller: Caller) -> LoginInfo:
    person = caller.person
    told = LoginInfo(person=people.person_info(person.id), kind=person.kind)
    if person.role:
        told["role"] = person.role
    if await people.silent(person.id):
        told["silent"] = True
    if caller.token:
        told["token"] = caller.token
    return told


def _cookie(environ: Fields, name: str) -> str | None:
    try:
        cookie = SimpleCookie(environ.get("HTTP_COOKIE", ""))
    except CookieError:
        return None
    return cookie[name].value if name in cookie else None
