"""The way out to people at sockets and streams of all processes."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from hanpan.server.cluster.bus import Body, Bus
from hanpan.server.protocol.messages import Payload
from hanpan.server.protocol.refusals import Refused
from hanpan.server.rooms.mirror import Mirror
from hanpan.server.rooms.outbox import Telling
from hanpan.server.transport.bot_streams import StreamOutbox
from hanpan.server.transport.socket_server import Sockets


@dataclass
class Remote:
    """A connection of another process, in a room of this one."""

    person: str
    by: Telling
    scenes: bool


Place = tuple[str, str]  # a process, and one of its connections


class ClusterOutbox(StreamOutbox):
    """What is told here is told at every process where someone hears it."""

    def __init__(self, sio: Sockets, bus: Bus, mirror: Mirror) -> None:
        super().__init__(sio)
        self._bus, self._mirror = bus, mirror
        self.remote: dict[str, dict[Place, Remote]] = {}  # room → connections of other processes
        bus.on("out", self._out)

    def _nodes(self, room: str, person: str | None = None) -> Iterable[str]:
        """The processes that have connections in a room, or a person's there."""
        return {node for (node, _), remote in self.remote.get(room, {}).items() if person is None or remote.person == person}

    def _pass_on(self, nodes: Iterable[str], call: str, *arguments: object) -> None:
        for node in nodes:
            self._bus.send(node, "out", {"call": call, "arguments": arguments})

    async def _out(self, sender: str, body: Body) -> None:
        """Another process tells something to connections of this one."""
        arguments = body["arguments"]
        match body["call"]:
            case "to_lobby":
                await super().to_lobby(*arguments)
            case "to_visitor":
                await super().to_visitor(*arguments)
            case "to_room":
                await super().to_room(*arguments)
            case "to_member":
                await super().to_member(*arguments)
            case "show_out":
                await super().show_out(arguments[0], arguments[1], Refused.unpacked(arguments[2]))
            case "disconnect":
                await super().disconnect(arguments[0], Refused.unpacked(arguments[1]))
            case "disconnect_key":
                await super().disconnect_key(arguments[0], Refused.unpacked(arguments[1]))

    async def to_lobby(self, event: str, payload: Payload, skip: Collection[str] = ()) -> None:
        """Tell everyone in the lobby but some."""
        await super().to_lobby(event, payload, skip)
        self._bus.broadcast("out", {"call": "to_lobby", "arguments": [event, payload, list(skip)]})

    async def to_lobby_here(self, event: str, payload: Payload) -> None:
        """Tell everyone in the lobby of this process: the others know by themselves."""
        await super().to_lobby(event, payload)

    async def to_visitor(self, person: str, event: str, payload: Payload) -> None:
        """Tell one person in the lobby."""
        await super().to_visitor(person, event, payload)
        self._pass_on(self._mirror.nodes_of(person), "to_visitor", person, event, payload)

    async def to_room(self, room: str, event: str, payload: Payload, skip: Collection[str] = (), by: Telling = "") -> None:
        """Tell everyone in a room but some."""
        await super().to_room(room, event, payload, skip, by)
        self._pass_on(self._nodes(room), "to_room", room, event, payload, list(skip), by)

    async def to_member(self, room: str, person: str, event: str, payload: Payload, by: Telling = "") -> None:
        """Tell one person in a room."""
        await super().to_member(room, person, event, payload, by)
        self._pass_on(self._nodes(room, person), "to_member", room, person, event, payload, by)

    def hears(self, room: str, by: Telling) -> bool:
        """Whether someone there is told things in this way."""
        return super().hears(room, by) or any(by in ("", remote.by) for remote in self.remote.get(room, {}).values())

    def people(self) -> set[str]:
        """Everyone who has an open connection or a stream here, or is in a room of this process from elsewhere."""
        return super().people() | {remote.person for there in self.remote.values() for remote in there.values()}

    async def show_out(self, room: str, person: str, why: Refused) -> None:
        """Tell one person in a room why they can't stay, and nothing more."""
        await super().show_out(room, person, why)
        nodes, there = self._nodes(room, person), self.remote.pop(room, {})
        if others := {place: remote for place, remote in there.items() if remote.person != person}:
            self.remote[room] = others
        self._pass_on(nodes, "show_out", room, person, why.packed())

    async def disconnect(self, person: str, why: Refused) -> None:
        """Tell one person why they can't stay, wherever they are, and close their connections."""
        await super().disconnect(person, why)
        self._bus.broadcast("out", {"call": "disconnect", "arguments": [person, why.packed()]})

    async def disconnect_key(self, key: str, why: Refused) -> None:
        """Close the connections that were opened with one session or token, and say why."""
        await super().disconnect_key(key, why)
        self._bus.broadcast("out", {"call": "disconnect_key", "arguments": [key, why.packed()]})

    def wants_scenes(self, room: str, person: str | None = None) -> bool:
        """Whether someone there (or that person) wants pictures with the positions."""
        return super().wants_scenes(room, person) or any(remote.scenes and person in (None, remote.person) for remote in self.remote.get(room, {}).values())
