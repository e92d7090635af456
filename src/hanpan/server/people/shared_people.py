"""What one process has learnt about people, addresses and limits, told to the others: all of it is stored, or can be lost without harm."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

from hanpan.server.cluster.bus import Body, Bus
from hanpan.server.people.bans import Bans
from hanpan.server.people.identity import People, PeopleObserver
from hanpan.server.people.limits import Limits
from hanpan.server.people.speech import Speech


class SharedPeople(PeopleObserver):
    """Tells the others, and hears from them."""

    def __init__(self, people: People, speech: Speech, bans: Bans, limits: Limits, bus: Bus) -> None:
        self._people, self._bans, self._bus = people, bans, bus
        self.changed_here: Callable[[str], Awaitable[None]] | None = None  # told who has changed, once it is read again
        self._limits = limits.shared()
        self._moving: set[tuple[str, str]] = set()  # what another process has told: it is not told again
        people.subscribe(self)
        people.reloaded = speech.blocked = self._tell
        bans.changed = lambda: bus.broadcast("bans", {})
        for name, buckets in self._limits.items():
            buckets.took = partial(self._took, name)
        for kind, hear in (("person", self._hear_person), ("moved", self._hear_moved), ("bans", self._hear_bans), ("took", self._hear_took)):
            bus.on(kind, hear)

    def _took(self, limit: str, key: str, cost: float) -> None:
        self._bus.broadcast("took", {"limit": limit, "key": key, "cost": cost})

    def _tell(self, id: str) -> None:
        self._bus.broadcast("person", {"id": id})

    async def person_changed(self, id: str) -> None:
        """Someone has another name, or another rating."""
        self._tell(id)

    async def person_moved(self, guest: str, account: str) -> None:
        """A guest turned out to be an account."""
        if (guest, account) not in self._moving:
            self._bus.broadcast("moved", {"guest": guest, "account": account})

    def person_forgotten(self, id: str) -> None:
        """Someone has left for good."""
        self._tell(id)

    async def _hear_person(self, sender: str, body: Body) -> None:
        if await self._people.refresh(body["id"]) and self.changed_here is not None:
            await self.changed_here(body["id"])

    async def _hear_moved(self, sender: str, body: Body) -> None:
        move = body["guest"], body["account"]
        self._moving.add(move)
        try:
            await self._people.moved_elsewhere(*move)
        finally:
            self._moving.discard(move)

    async def _hear_bans(self, sender: str, body: Body) -> None:
        await self._bans.load()

    async def _hear_took(self, sender: str, body: Body) -> None:
        self._limits[body["limit"]].owe(body["key"], body["cost"])
