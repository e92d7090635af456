"""The lobby: who is here, which rooms there are, what is said, and inviting someone to a room."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

from hanpan.game import games
from hanpan.server.people.identity import People, PeopleObserver
from hanpan.server.people.speech import Speech
from hanpan.server.protocol.messages import Invitation, LobbyInfo, Message, Payload, PersonInfo
from hanpan.server.protocol.refusals import Refused
from hanpan.server.protocol.requests import QuickMatch
from hanpan.server.rooms.matchmaking import Pairing
from hanpan.server.rooms.outbox import Outbox
from hanpan.server.rooms.registry import Registry
from hanpan.server.rooms.room import MOST_WINDOWS, Room
from hanpan.server.rooms.seats import NOBODY

_LOBBY_SECONDS = 1.0  # that the lobby's list may be old; what has changed since was told, or is not worth telling


class Window(Protocol):
    """One of the connections of someone who is in the lobby."""

    @property
    def person(self) -> str:
        """Whose it is."""

    async def tell(self, event: str, payload: Payload) -> None:
        """Tell them something there alone."""


class Lobby(PeopleObserver):
    """Where people meet."""

    def __init__(self, people: People, speech: Speech, outbox: Outbox, registry: Registry, matchmaking: Pairing, now: Callable[[], int]) -> None:
        self._people, self._speech, self._outbox, self._registry, self._matchmaking = people, speech, outbox, registry, matchmaking
        self._now, self._mirror = now, registry.mirror
        people.subscribe(self)
        self.told: Callable[[PersonInfo, bool], None] = lambda info, here: None  # where there are more processes: told who is in the lobby of this one
        self.online: dict[str, int] = {}  # person → open lobby connections
        self._seeking: dict[str, Window] = {}  # person → where they have looked for a match last
        self._listing: tuple[int, float, LobbyInfo] | None = None  # what whoever comes is told, as of how much was told, and when

    async def arrive(self, id: str) -> None:
        """Someone opens the lobby (or one more window on it)."""
        await self._speech.know(id)
        for name in games():
            await self._people.rating(id, name)
        if self.online.get(id, 0) >= MOST_WINDOWS:
            raise Refused("too-many-connections")
        self.online[id] = self.online.get(id, 0) + 1
        if self.online[id] == 1:
            info = self._people.person_info(id)
            self.told(info, True)
            if not self._mirror.is_online(id):
                await self._outbox.to_lobby("user joined", info, skip=(id,))

    async def depart(self, id: str, window: Window | None = None) -> None:
        """Someone closes the lobby (or a window on it: where they waited for a match, nobody would see that it has come)."""
        self.online[id] = self.online.get(id, 1) - 1
        if self.online[id] <= 0 or (window is not None and self._seeking.get(id) == window):
            self._seeking.pop(id, None)
            self._matchmaking.cancel(id)
        if self.online[id] <= 0:
            del self.online[id]
            info = self._people.person_info(id)
            self.told(info, False)
            if not self._mirror.is_online(id):
                await self._outbox.to_lobby("user left", info)

    async def seek(self, window: Window, request: QuickMatch) -> None:
        """Someone looks for a match; where they did so before, it is said that they do not any more."""
        before, self._seeking[window.person] = self._seeking.get(window.person), window
        if before is not None and before != window and self._matchmaking.waits(window.person):
            await before.tell("invalid action", Refused("seeks-elsewhere").json("quick match"))
        await self._matchmaking.ask(window.person, request)

    async def person_leaves(self, id: str) -> None:
        """Nobody is looked for who would play them."""
        self._matchmaking.cancel(id)

    def is_online(self, id: str) -> bool:
        """Whether someone is in the lobby, of whichever process."""
        return id in self.online or self._mirror.is_online(id)

    def people_here(self) -> list[PersonInfo]:
        """Who is in the lobby of this process."""
        return [self._people.person_info(id) for id in self.online]

    def listing(self) -> LobbyInfo:
        """Who is here and which rooms there are: made anew once everyone there has been told of a change, or after a moment, however many ask."""
        told, at = self._outbox.told_lobby, time.monotonic()
        if self._listing is None or self._listing[0] != told or at - self._listing[1] > _LOBBY_SECONDS:
            made = LobbyInfo(
                people=[*({**self._mirror.online(), **{info["id"]: info for info in self.people_here()}}).values()],
                rooms=[*(self._registry.line(room) for room in self._registry.rooms.values()), *(room.line for room in self._mirror.rooms.values())],
            )
            self._listing = told, at, made
        return self._listing[2]

    async def say(self, person: str, msg: str, to: str | None = None) -> None:
        """A message to everyone in the lobby, or to one of them."""
        if to is not None and not self.is_online(to):
            raise Refused("not-online")
        said = await self._speech.may_say(person, msg, "lobby" if to is None else "")
        message = Message(who=self._people.person_info(person), msg=said, at=self._now())
        if to is None:
            await self._outbox.to_lobby("recieve msg", message, skip=self._speech.deaf_to(person))
        elif await self._speech.hears(to, person):  # whoever is not heard is not told so
            await self._outbox.to_visitor(to, "recieve dm", message)

    async def invite(self, room: Room, person: str, to: str) -> None:
        """Invite someone who is in the lobby: that is a message, too."""
        await self._speech.may_speak(person)
        if not self.is_online(to):
            raise Refused("not-online")
        if not await self._speech.hears(to, person):  # whoever is not heard is not told so
            return
        async with room.state.lock:
            room.state.invited |= {to}
            if person == room.state.master:
                room.state.unwanted = room.state.unwanted - {to} or NOBODY
            await room.save()
        invitation = Invitation(who=self._people.person_info(person), room=self._registry.line(room))
        await self._outbox.to_visitor(to, "recieved invitation", invitation)
