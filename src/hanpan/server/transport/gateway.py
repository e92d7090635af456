"""The way of a connection into a room: coming in, asking there, leaving."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from hanpan.server.people.identity import People
from hanpan.server.protocol.refusals import Refused
from hanpan.server.rooms.lobby import Lobby
from hanpan.server.rooms.matchmaking import Pairing
from hanpan.server.rooms.outbox import Telling
from hanpan.server.rooms.registry import Registry
from hanpan.server.rooms.room import Room
from hanpan.server.transport.dispatch import LOBBY, ROOM, Ack, Asker, InLobby, InRoom, read, tell_everything


@dataclass(eq=False)
class Visitor:
    """A connection that is in a room, or on its way into it."""

    room: str
    key: str  # what tells it from other connections of this process
    asker: Asker
    join: Callable[[], Awaitable[None]]  # hear the room's news from now on; done again when the room has moved
    out: Callable[[Refused], Awaitable[None]]  # be shown out
    traces: frozenset[str] = frozenset()
    password: str | None = None
    by: Telling = "full"
    scenes: bool = False
    answered: bool = False  # what is shown to it is the answer itself
    within: Room | None = None  # the room of this process that it is in


class Gateway(Protocol):
    """The way into rooms, wherever they are."""

    async def enter(self, visitor: Visitor) -> None:
        """Go into the room; then all about it is told."""

    async def leave(self, visitor: Visitor, lost: bool) -> None:
        """Be there no more."""

    async def do(self, visitor: Visitor, asker: Asker, event: object, *payloads: object) -> Ack | None:
        """Ask something there."""


class OwnRooms:
    """The way into the rooms of this process."""

    def __init__(self, people: People, registry: Registry, lobby: Lobby) -> None:
        self._people, self._registry, self._lobby = people, registry, lobby

    async def enter(self, visitor: Visitor, admitted: bool = False) -> None:
        """Go into the room; `admitted`: they were in it already, and need no password."""
        room, asker = self._registry.room(visitor.room), visitor.asker
        if not admitted:
            await self._registry.check_password(room, asker.person, visitor.password, asker.address)
        await self._people.rating(asker.person, room.state.game.name)

        async def join() -> None:
            visitor.within = room
            await visitor.join()
            await asker.be_told(room.id, visitor.by)
            await tell_everything(asker, room)

        if visitor.within is room:
            async with room.state.in_turn(asker.person):
                await join()
        else:
            await room.enter(asker.person, visitor.traces, join)

    async def leave(self, visitor: Visitor, lost: bool) -> None:
        """Be there no more."""
        room, visitor.within = visitor.within, None
        if room is not None and self._registry.rooms.get(visitor.room) is room:
            await room.leave(visitor.asker.person, lost)

    async def do(self, visitor: Visitor, asker: Asker, event: object, *payloads: object) -> Ack | None:
        """Ask something there, if one may."""
        call, room = read(ROOM, event, *payloads), self._registry.room(visitor.room)
        self._people.check_scope(asker.person, call.scope)
        return await call.do(InRoom(asker, self._lobby, room))


class OwnLobby:
    """What is asked in the lobby."""

    def __init__(self, people: People, lobby: Lobby, registry: Registry, matchmaking: Pairing) -> None:
        self._people, self._lobby, self._registry, self._matchmaking = people, lobby, registry, matchmaking

    async def do(self, asker: Asker, event: object, *payloads: object) -> Ack | None:
        """Ask something there, if one may."""
        call = read(LOBBY, event, *payloads)
        self._people.check_scope(asker.person, call.scope)
        return await call.do(InLobby(asker, self._lobby, self._registry, self._matchmaking))
