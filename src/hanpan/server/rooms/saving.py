"""A room and its players on their way into the storage."""

from __future__ import annotations

from hanpan.server.rooms.state import RoomState
from hanpan.server.storage.store import Store


class Saving:
    """Stores one room."""

    def __init__(self, store: Store, room: RoomState) -> None:
        self._store, self._room = store, room

    async def save(self) -> None:
        """Store the room."""
        await self._store.save_room(self._room.id, self._room.json())

    async def save_players(self) -> None:
        """Store who holds the seats of the running game."""
        await self.save()
        match = self._room.match
        if match is not None and match.result is None:
            await self._store.set_people(match.id, self._room.seating.people())
