"""The way out to people, as rooms see it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, Protocol

from hanpan.server.people.identity import Connections
from hanpan.server.protocol.messages import Payload
from hanpan.server.protocol.refusals import Refused

Telling = Literal["", "brief", "full"]  # how a connection is told of a game: by a `ply` where that is enough, or always in full; empty: either


class Outbox(Connections, Protocol):
    """The way out to people: the sockets, in the server; a list, in a test."""

    told_lobby: int  # how often everyone in the lobby was told something

    async def to_lobby(self, event: str, payload: Payload, skip: Collection[str] = ()) -> None:
        """Tell everyone in the lobby but some."""

    async def to_visitor(self, person: str, event: str, payload: Payload) -> None:
        """Tell one person in the lobby."""

    async def to_room(self, room: str, event: str, payload: Payload, skip: Collection[str] = (), by: Telling = "") -> None:
        """Tell everyone in a room but some; `by`: only at connections that are told things in this way."""

    async def to_member(self, room: str, person: str, event: str, payload: Payload, by: Telling = "") -> None:
        """Tell one person in a room."""

    def hears(self, room: str, by: Telling) -> bool:
        """Whether someone there is told things in this way."""

    async def to_all(self, event: str, payload: Payload) -> None:
        """Tell everyone, wherever they are."""

    def all_sent(self) -> bool:
        """Whether everything that was told is on its way."""

    async def show_out(self, room: str, person: str, why: Refused) -> None:
        """Tell one person in a room why they can't stay, and nothing more."""

    def wants_scenes(self, room: str, person: str | None = None) -> bool:
        """Whether someone there (or that person) wants pictures with the positions."""

    def connections(self) -> dict[str, int]:
        """How many connections are open, by namespace."""

    def lag(self, person: str | None) -> int:
        """How many milliseconds a message to a person and the answer to it travel, as far as we know."""
