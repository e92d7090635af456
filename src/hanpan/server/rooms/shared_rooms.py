"""Rooms of many processes: each room is one process's own at a time, by a lease in the database; when that one dies, whoever is asked next takes it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from weakref import WeakValueDictionary

from hanpan.server.cluster.bus import Body, Bus, Unanswered
from hanpan.server.cluster.nodes import NodeObserver, Nodes
from hanpan.server.cluster.tasks import Tasks
from hanpan.server.faults import faults_logged, log_fault
from hanpan.server.protocol.messages import PersonInfo
from hanpan.server.protocol.refusals import Refused
from hanpan.server.rooms.lobby import Lobby
from hanpan.server.rooms.mirror import RoomElsewhere
from hanpan.server.rooms.registry import Ownership, Registry
from hanpan.server.rooms.room import Room
from hanpan.server.storage.leases import HeldBy, Leases
from hanpan.server.storage.models import Fence

_SWEEP = 1.0  # seconds between two looks for rooms that nobody has
_AT_ONCE = 20  # of them
_ASK = 5.0  # seconds that another process may take to answer


class SharedRooms(Ownership, NodeObserver):
    """Which rooms are this process's own, and where the others are; and who is in the lobby of which."""

    def __init__(self, registry: Registry, lobby: Lobby, leases: Leases, nodes: Nodes, bus: Bus) -> None:
        self._registry, self._lobby, self._leases, self._nodes, self._bus = registry, lobby, leases, nodes, bus
        self._mirror, self._node = registry.mirror, nodes.node
        self.moved: Callable[[str], None] = lambda room: None  # a room may be elsewhere
        self.listed: Callable[[], None] = lambda: None  # the list of the lobby is another
        self.left: Callable[[list[PersonInfo]], None] = lambda gone: None  # people of a process that has gone
        self._taking: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()  # by room, for as long as someone takes it or waits for that
        self._owed: set[str] = set()  # rooms that are ours, as far as we know, and that we don't have
        self._tasks = Tasks()
        self._sweeping: asyncio.Task[None] | None = None
        registry.ownership, lobby.told = self, self._present
        nodes.subscribe(self)
        bus.on("draining", self._hear_draining)
        for kind, hear in (("room", self._hear_room), ("no room", self._hear_no_room), ("present", self._hear_present), ("lobby", self._hear_lobby)):
            bus.on(kind, hear)
        bus.on("take", self._hear_take)
        bus.answer("close room", self._answer_close)
        bus.answer("give room", self._answer_give)

    def open(self) -> None:
        """Begin to look for rooms that nobody has."""
        self._sweeping = asyncio.create_task(self._sweep(), name="rooms without a process")

    def close(self) -> None:
        """Look for no more."""
        self._tasks.close()
        if self._sweeping is not None:
            self._sweeping.cancel()

    # --- where a room is ---

    async def find(self, id: str, coming: bool = False) -> str:
        """The process that has a room; this one takes it if nobody has it, or if someone is `coming` to it here and nobody is there. Empty: nobody can be
        asked yet."""
        if id in self._registry.rooms:
            return self._node
        known = self._mirror.rooms.get(id)
        node = known.node if known is not None and known.node in self._nodes.others else await self.take(id)
        if coming and node not in ("", self._node) and (known is None or known.line["people"] == 0):
            return await self._take_from(id, node)
        return node

    async def _take_from(self, id: str, node: str) -> str:
        """The process that has a room, once the one that had it was asked to give it to this one."""
        if not self._nodes.sure or self._node in self._nodes.draining:
            return node
        try:
            answer = await self._bus.ask(node, "give room", {"id": id}, _ASK)
        except Unanswered:
            return node
        if not answer["given"]:
            return node
        node = await self.take(id)
        room = self._registry.rooms.get(id)
        if room is not None and not answer["waits"]:
            room.state.timers.cancel("master")
        return node

    def not_there(self, id: str, node: str) -> None:
        """A process does not have a room."""
        known = self._mirror.rooms.get(id)
        if known is not None and known.node == node:
            self._mirror.rooms[id] = RoomElsewhere("", known.line, known.master, known.opened_from)

    async def take(self, id: str) -> str:
        """The process that has a room by the database, which knows; this one takes it if it is nobody's, or its own already."""
        lock = self._taking.setdefault(id, asyncio.Lock())
        async with lock:
            if id in self._registry.rooms:
                return self._node
            if not self._nodes.sure or self._node in self._nodes.draining:
                return ""
            self._owed.discard(id)
            lapses = self._nodes.lapses
            if not await self._registry.stored(id):
                self._mirror.rooms.pop(id, None)
                raise Refused("no-such-room")
            found = await self._leases.take(id, self._node)
            if isinstance(found, HeldBy):
                if found.owner not in self._nodes.others:
                    await self._nodes.look()  # it has just been started
                return found.owner if found.owner in self._nodes.others else ""
            self._owed.add(id)
            known = self._mirror.rooms.pop(id, None)
            opened_from = "" if known is None else known.opened_from
            await self._registry.take_up(id, found.fence, lambda: self._nodes.sure and self._nodes.lapses == lapses, opened_from)
            self._owed.discard(id)
            return self._node

    async def _sweep(self) -> None:
        """Clocks run also where nobody looks: rooms that no living process has are taken, a few at a time."""
        while True:
            await asyncio.sleep(_SWEEP)
            if not self._nodes.sure or self._node in self._nodes.draining:
                continue
            try:
                orphans = await self._leases.orphans(_AT_ONCE)
            except Exception as fault:
                log_fault("rooms without a process", fault)
                continue
            for id in [*orphans, *list(self._owed)[:_AT_ONCE]]:
                if id not in self._registry.rooms:
                    with faults_logged(f"room {id}, which no process has"), suppress(Refused):
                        await self.take(id)

    async def hand_over(self) -> None:
        """Give all rooms to other processes, one by one: this one is about to stop."""
        self._nodes.draining.add(self._node)
        self._bus.broadcast("draining", {})
        targets = sorted(self._nodes.others - self._nodes.draining)
        for turn, id in enumerate(list(self._registry.rooms) if targets else []):
            room, target = self._registry.rooms.get(id), targets[turn % len(targets)]
            if room is None:
                continue
            with faults_logged(f"room {id}, handing over"):
                async with room.state.lock:
                    await self._leases.give(id, self._node, target)
                    self._gave(room, target)

    async def _answer_give(self, sender: str, body: Body) -> Body:
        """Someone comes to a room at another process: if nobody is in it and no clock runs, it is that one's from now on, and nothing has to be passed on."""
        room = self._registry.rooms.get(body["id"])
        if room is None or not self._nodes.sure or sender in self._nodes.draining:  # whether it lives, the database knows: it may have just been started
            return {"given": False}
        async with room.state.lock:
            if not room.state.deserted or room.state.closed or await self._leases.give(room.id, self._node, sender) is None:
                return {"given": False}
            waits = room.state.timers.planned("master")  # for its master, who may be back in a moment; else whoever comes first is it
            self._gave(room, sender)
        return {"given": True, "waits": waits}

    def _gave(self, room: Room, target: str) -> None:
        """A room is another process's, which is told so."""
        self._registry.lost(room.id)
        self._mirror.rooms[room.id] = RoomElsewhere(target, self._registry.line(room), room.state.master, room.state.opened_from)
        self._bus.send(target, "take", {"id": room.id})

    async def close_room(self, id: str) -> None:
        """An operator closes a room, of whichever process."""
        node = await self.find(id)
        if node == self._node:
            await self._registry.close_room(id)
            return
        try:
            answer = await self._bus.ask(node, "close room", {"id": id}, _ASK)
        except Unanswered:
            raise Refused("interrupted") from None
        if "refused" in answer:
            raise Refused.unpacked(answer["refused"])

    async def _answer_close(self, sender: str, body: Body) -> Body:
        try:
            await self._registry.close_room(body["id"])
        except Refused as refused:
            return {"refused": refused.packed()}
        return {}

    async def _hear_draining(self, sender: str, body: Body) -> None:
        self._nodes.draining.add(sender)

    async def _hear_take(self, sender: str, body: Body) -> None:
        async def take() -> None:
            with faults_logged(f"room {body['id']}, taking over"):
                await self.take(body["id"])

        self._tasks.spawn(take())

    # --- what becomes of rooms here ---

    async def claim(self, id: str) -> Fence | None:
        """A room that is about to be stored for the first time is this process's own."""
        if not self._nodes.sure:
            raise Refused("interrupted")
        found = await self._leases.take(id, self._node)
        if isinstance(found, HeldBy):
            raise Refused("our-fault")
        return found.fence

    def changed(self, room: Room) -> None:
        """A room is this process's own, as it is now."""
        self._bus.broadcast("room", self._told(room))

    def removed(self, id: str) -> None:
        """A room is gone for good."""
        self._bus.broadcast("no room", {"id": id})

    def lost(self, room: Room) -> None:
        """A room is another process's: it is looked for."""
        self._mirror.rooms[room.id] = RoomElsewhere("", self._registry.line(room), room.state.master, room.state.opened_from)
        self.moved(room.id)

    def _told(self, room: Room) -> Body:
        return {"id": room.id, "line": self._registry.line(room), "master": room.state.master, "opened_from": room.state.opened_from}

    # --- what other processes tell ---

    async def _hear_room(self, sender: str, body: Body) -> None:
        id = body["id"]
        before = self._mirror.rooms.get(id)
        self._mirror.rooms[id] = RoomElsewhere(sender, body["line"], body["master"], body["opened_from"])
        if id in self._registry.rooms:  # it can't be both's: the database knows
            self._tasks.spawn(self._whose(id))
        if before is None or before.node != sender:
            self.moved(id)

    async def _whose(self, id: str) -> None:
        with faults_logged(f"room {id}, whose it is"):
            found = await self._leases.take(id, self._node)
            if isinstance(found, HeldBy):
                self._registry.lost(id)
            elif id in self._registry.rooms:
                self._mirror.rooms.pop(id, None)

    async def _hear_no_room(self, sender: str, body: Body) -> None:
        self._mirror.rooms.pop(body["id"], None)

    def _present(self, info: PersonInfo, here: bool) -> None:
        self._bus.broadcast("present", {"info": info, "here": here})

    async def _hear_present(self, sender: str, body: Body) -> None:
        there, info = self._mirror.people.setdefault(sender, {}), body["info"]
        if body["here"]:
            there[info["id"]] = info
        else:
            there.pop(info["id"], None)

    async def _hear_lobby(self, sender: str, body: Body) -> None:
        rooms = {each["id"]: RoomElsewhere(sender, each["line"], each["master"], each["opened_from"]) for each in body["rooms"]}
        new = [id for id in rooms if id not in self._mirror.rooms or self._mirror.rooms[id].node != sender]
        self._mirror.take(sender, body["people"], {id: room for id, room in rooms.items() if id not in self._registry.rooms})
        for id in new:
            self.moved(id)
        self.listed()

    # --- processes that come and go ---

    def node_came(self, node: str) -> None:
        """Tell it all about this one."""
        rooms = [self._told(room) for room in self._registry.rooms.values()]
        self._bus.send(node, "lobby", {"people": self._lobby.people_here(), "rooms": rooms})

    def node_gone(self, node: str) -> None:
        """Whoever was there is not here any more."""
        known = dict(self._mirror.people.get(node, {}))
        gone = [known[person] for person in self._mirror.forget(node) if person not in self._lobby.online]
        self.left(gone)

    def lapsed(self) -> None:
        """What this process has may be another's by now: it has nothing, until it has taken it again."""
        self._owed.update(self._registry.rooms)  # if nobody else takes them, nobody else can: they are leased to this process
        for id in list(self._registry.rooms):
            self._registry.lost(id)
