"""The way of a connection into a room of whichever process: what is asked is passed on to the one that has the room, and what it tells comes back."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from hanpan.server.cluster.bus import Body, Bus, Unanswered
from hanpan.server.cluster.nodes import NodeObserver, Nodes
from hanpan.server.cluster.tasks import Tasks
from hanpan.server.faults import log_fault
from hanpan.server.people.identity import People
from hanpan.server.protocol.messages import Payload
from hanpan.server.protocol.refusals import Refused
from hanpan.server.rooms.outbox import Telling
from hanpan.server.rooms.registry import Registry
from hanpan.server.rooms.shared_rooms import SharedRooms
from hanpan.server.transport.cluster_outbox import ClusterOutbox, Place, Remote
from hanpan.server.transport.dispatch import Ack, Asker
from hanpan.server.transport.gateway import OwnRooms, Visitor

_ASK = 10.0  # seconds that another process may take to answer
_TRIES = 60  # until a room that moves counts as away
_PAUSE = 0.1  # seconds between two of them


@dataclass(frozen=True)
class RemoteAsker:
    """Someone who asks at a connection of another process."""

    bus: Bus
    outbox: ClusterOutbox
    room: str
    place: Place
    person: str
    address: str
    answered: bool

    async def tell(self, event: str, payload: Payload) -> None:
        """One event, in its order."""
        self.bus.send(self.place[0], "tell", {"room": self.room, "key": self.place[1], "event": event, "payload": payload})

    async def show(self, event: str, payload: Payload) -> Ack | None:
        """What was asked for: the answer itself, or an event of its own."""
        if self.answered:
            return payload
        await self.tell(event, payload)
        return None

    async def be_told(self, room: str, by: Telling) -> None:
        """Tell this connection of the games in this way from now on."""
        remote = self.outbox.remote.get(room, {}).get(self.place)
        if remote is not None:
            remote.by = by
        self.bus.send(self.place[0], "be told", {"key": self.place[1], "room": room, "by": by})


class ClusterGateway(NodeObserver):
    """Knows all connections of this process that are in rooms, and where these rooms are; lets them in anew when a room has moved."""

    def __init__(self, own: OwnRooms, registry: Registry, shared: SharedRooms, people: People, nodes: Nodes, bus: Bus, outbox: ClusterOutbox) -> None:
        self._own, self._registry, self._shared, self._people, self._nodes, self._bus, self._outbox = own, registry, shared, people, nodes, bus, outbox
        self._visitors: dict[str, dict[str, Visitor]] = {}  # room → connections of this process
        self._connections: dict[str, Visitor] = {}  # the same by their key and room, and those on their way in
        self._entered: dict[str, str] = {}  # room → the process at which they are
        self._moving: dict[str, asyncio.Task[None]] = {}  # rooms that are looked for
        self._tasks = Tasks()
        shared.moved = self.moved
        nodes.subscribe(self)
        for kind, hear in (("entered", self._hear_entered), ("tell", self._hear_tell), ("be told", self._hear_be_told), ("leave", self._hear_leave)):
            bus.on(kind, hear)
        bus.answer("enter", self._answer_enter)
        bus.answer("do", self._answer_do)

    # --- connections of this process ---

    async def enter(self, visitor: Visitor) -> None:
        """Go into the room; then all about it is told."""
        await self._settled(visitor.room)
        try:
            await self._enter(visitor, admitted=False)
        except BaseException:
            self._connections.pop(_connection(visitor.room, visitor.key), None)
            raise
        self._visitors.setdefault(visitor.room, {})[visitor.key] = visitor

    async def _enter(self, visitor: Visitor, admitted: bool) -> None:
        for turn in range(_TRIES):
            node = await self._shared.find(visitor.room, coming=turn == 0 and not admitted)  # once: two who come at once don't take it from each other
            if node == self._nodes.node:
                if not self._nodes.sure:
                    raise Refused("interrupted")
                try:
                    await self._own.enter(visitor, admitted)
                except Refused as refused:
                    if refused.code in ("no-such-room", "room-moves") and visitor.room not in self._registry.rooms and self._registry.exists(visitor.room):
                        continue
                    raise
            elif not node or not await self._enter_elsewhere(visitor, node, admitted):
                await asyncio.sleep(_PAUSE)
                continue
            self._entered[visitor.room] = node
            return
        raise Refused("interrupted")

    async def _enter_elsewhere(self, visitor: Visitor, node: str, admitted: bool) -> bool:
        """Whether that process has the room."""
        self._connections[_connection(visitor.room, visitor.key)] = visitor
        asked = {
            "room": visitor.room, "key": visitor.key, "person": visitor.asker.person, "address": visitor.asker.address, "traces": sorted(visitor.traces),
            "password": visitor.password, "by": visitor.by, "scenes": visitor.scenes, "admitted": admitted, "lag": self._outbox.lag(visitor.asker.person),
        }  # fmt: skip
        try:
            answer = await self._bus.ask(node, "enter", asked, _ASK)
        except Unanswered:
            return False
        if "elsewhere" in answer:
            self._shared.not_there(visitor.room, node)
            return False
        if "refused" in answer:
            raise Refused.unpacked(answer["refused"])
        return True

    async def leave(self, visitor: Visitor, lost: bool) -> None:
        """Be there no more."""
        there = self._visitors.get(visitor.room, {})
        there.pop(visitor.key, None)
        self._connections.pop(_connection(visitor.room, visitor.key), None)
        if not there:
            self._visitors.pop(visitor.room, None)
        node = self._entered.get(visitor.room)
        if node == self._nodes.node:
            await self._own.leave(visitor, lost)
        elif node is not None:
            self._bus.send(node, "leave", {"room": visitor.room, "key": visitor.key, "lost": lost})
        if not there:
            self._entered.pop(visitor.room, None)

    async def do(self, visitor: Visitor, asker: Asker, event: object, *payloads: object) -> Ack | None:
        """Ask something there. An action may be passed on twice, because it counts once; what else was under way when a room moves is refused."""
        for _ in range(_TRIES):
            await self._settled(visitor.room)
            node = self._entered.get(visitor.room, "")
            if node == self._nodes.node:
                if not self._nodes.sure:
                    raise Refused("interrupted")
                try:
                    return await self._own.do(visitor, asker, event, *payloads)
                except Refused as refused:
                    if refused.code not in ("no-such-room", "room-moves") or visitor.room in self._registry.rooms:
                        raise
            elif node:
                try:
                    body = {"room": visitor.room, "key": visitor.key, "address": asker.address, "lag": self._outbox.lag(asker.person)}
                    body["answered"] = visitor.answered
                    answer = await self._bus.ask(node, "do", {**body, "event": event, "payloads": payloads}, _ASK)
                except Unanswered:
                    if event != "play":
                        raise Refused("interrupted") from None
                else:
                    if "ack" in answer:
                        ack: Ack | None = answer["ack"]
                        return ack
                    if "refused" in answer and answer["refused"]["code"] != "room-moves":
                        raise Refused.unpacked(answer["refused"])
                    self._shared.not_there(visitor.room, node)
            self.moved(visitor.room)
            await asyncio.sleep(_PAUSE)
        raise Refused("interrupted")

    # --- rooms that move ---

    def moved(self, room: str) -> None:
        """A room may be elsewhere: those who are in it are let in anew, wherever it is."""
        if room not in self._registry.rooms:
            self._outbox.remote.pop(room, None)
        if room in self._visitors and room not in self._moving:
            self._moving[room] = task = asyncio.create_task(self._follow(room))
            task.add_done_callback(lambda _: self._moving.pop(room, None))

    async def _follow(self, room: str) -> None:
        for visitor in list(self._visitors.get(room, {}).values()):
            try:
                while not self._nodes.standing:
                    await asyncio.sleep(_PAUSE)
                await self._enter(visitor, admitted=True)
                if visitor.key not in self._visitors.get(room, {}):  # gone meanwhile
                    await self.leave(visitor, lost=True)
            except Refused as refused:
                if refused.code == "interrupted":
                    self._tasks.spawn(self._later(room))
                    return
                await visitor.out(refused)
            except Exception as fault:
                log_fault(f"room {room}, letting someone in anew", fault)
                await visitor.out(Refused("our-fault"))

    async def _later(self, room: str) -> None:
        await asyncio.sleep(1.0)
        self.moved(room)

    async def _settled(self, room: str) -> None:
        """Wait until a room that moves has been found."""
        if room in self._moving:
            await asyncio.wait([self._moving[room]], timeout=_ASK)

    def node_gone(self, node: str) -> None:
        """Its rooms are looked for; its connections are lost."""
        for room, where in list(self._entered.items()):
            if where == node:
                self.moved(room)
        for id, there in list(self._outbox.remote.items()):
            for place in [place for place in there if place[0] == node]:
                self._drop(id, place, lost=True)

    def node_came(self, node: str) -> None:
        """It may have missed something, or we something of it: those who are in its rooms are told everything anew."""
        for room, where in list(self._entered.items()):
            if where == node:
                self.moved(room)
        self._bus.send(node, "leave", {"room": None, "key": None, "lost": True, "but": [[room, *visitors] for room, visitors in self._visitors.items()]})

    def recovered(self) -> None:
        """What this process had may be another's by now."""
        for room in list(self._visitors):
            self.moved(room)

    # --- what other processes tell connections of this one ---

    async def _hear_entered(self, sender: str, body: Body) -> None:
        visitor = self._connections.get(_connection(body["room"], body["key"]))
        if visitor is not None:
            await visitor.join()

    async def _hear_tell(self, sender: str, body: Body) -> None:
        visitor = self._connections.get(_connection(body["room"], body["key"]))
        if visitor is not None:
            await visitor.asker.tell(body["event"], body["payload"])

    async def _hear_be_told(self, sender: str, body: Body) -> None:
        visitor = self._connections.get(_connection(body["room"], body["key"]))
        if visitor is not None:
            await visitor.asker.be_told(body["room"], body["by"])

    # --- what connections of other processes ask here ---

    def _here(self, room: str) -> bool:
        return room in self._registry.rooms and self._nodes.sure

    async def _answer_enter(self, sender: str, body: Body) -> Body:
        room, place = body["room"], (sender, body["key"])
        try:
            await self._shared.take(room)  # whoever asks has found in the database that it is ours
        except Refused as refused:
            return {"refused": refused.packed()}
        if not self._here(room):
            return {"elsewhere": True}
        await self._people.person(body["person"])
        self._outbox.lags[body["person"]] = body["lag"]
        asker = RemoteAsker(self._bus, self._outbox, room, place, body["person"], body["address"], False)
        remote = Remote(body["person"], body["by"], body["scenes"])
        again = place in self._outbox.remote.get(room, {})  # they have missed something

        async def join() -> None:
            self._outbox.remote.setdefault(room, {})[place] = remote
            self._bus.send(sender, "entered", {"room": room, "key": body["key"]})

        visitor = Visitor(room, body["key"], asker, join, _nobody, frozenset(body["traces"]), body["password"], body["by"], body["scenes"])
        try:
            visitor.within = self._registry.room(room) if again else None
            await self._own.enter(visitor, body["admitted"] or again)
        except Refused as refused:
            self._drop(room, place, lost=True)
            return {"elsewhere": True} if room not in self._registry.rooms else {"refused": refused.packed()}
        return {}

    async def _answer_do(self, sender: str, body: Body) -> Body:
        room, place = body["room"], (sender, body["key"])
        remote = self._outbox.remote.get(room, {}).get(place)
        if remote is None or not self._here(room):
            return {"elsewhere": True}
        self._outbox.lags[remote.person] = body["lag"]
        asker = RemoteAsker(self._bus, self._outbox, room, place, remote.person, body["address"], body["answered"])
        visitor = Visitor(room, body["key"], asker, _nothing, _nobody)
        try:
            ack = await self._own.do(visitor, asker, body["event"], *body["payloads"])
        except Refused as refused:
            return {"refused": refused.packed()}
        except Exception as fault:
            log_fault(f"event {str(body['event'])[:60]!r}", fault)
            return {"refused": Refused("our-fault").packed()}
        return {"ack": ack}

    async def _hear_leave(self, sender: str, body: Body) -> None:
        if body["room"] is not None:
            self._drop(body["room"], (sender, body["key"]), body["lost"])
            return
        kept = {(room, key) for room, *keys in body["but"] for key in keys}
        for id, there in list(self._outbox.remote.items()):
            for place in [place for place in there if place[0] == sender and (id, place[1]) not in kept]:
                self._drop(id, place, lost=True)

    def _drop(self, id: str, place: Place, lost: bool) -> None:
        """A connection of another process is not in a room any more."""
        there = self._outbox.remote.get(id, {})
        remote = there.pop(place, None)
        if not there:
            self._outbox.remote.pop(id, None)
        room = self._registry.rooms.get(id)
        if remote is not None and room is not None:
            self._tasks.spawn(room.leave(remote.person, lost))


def _connection(room: str, key: str) -> str:
    return f"{room} {key}"


async def _nothing() -> None:
    return None


async def _nobody(why: Refused) -> None:
    return None
