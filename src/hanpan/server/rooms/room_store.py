"""What a room stores, with the proof that it is still this process's own."""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType

from hanpan.server.protocol.refusals import Refused
from hanpan.server.rooms.publisher import RoomList
from hanpan.server.rooms.state import RoomState
from hanpan.server.storage.models import ActionRow, Fence, Fenced, Finish, GameRow, RatingChange, Said, Sitter
from hanpan.server.storage.store import Store


class _Own:
    """While something is written: the room's fence. Where another process has taken the room, the list of rooms is told that it is lost."""

    __slots__ = ("_registry", "_room")

    def __init__(self, room: RoomState, rooms: RoomList) -> None:
        self._room, self._registry = room, rooms

    def __enter__(self) -> Fence | None:
        if self._room.closed:  # while someone waited for their turn there; without a fence it can't be elsewhere
            raise Refused("no-such-room" if self._room.fence is None else "room-moves")
        return self._room.fence

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None) -> None:
        if isinstance(fault, Fenced):
            self._registry.lost(self._room.id)
            raise Refused("room-moves") from None


class RoomStore:
    """The storage of one room. Where the room has disappeared, or another process has taken it, nothing is written any more; in the second case the list of
    rooms is told that it is lost."""

    __slots__ = ("_own", "_room", "_store")

    def __init__(self, store: Store, room: RoomState, rooms: RoomList) -> None:
        self._store, self._room, self._own = store, room, _Own(room, rooms)

    async def save(self, document: Mapping[str, object]) -> None:
        """The room as it is now."""
        with self._own as fence:
            await self._store.save_room(self._room.id, document, fence)

    async def set_people(self, game_id: str, people: list[Sitter]) -> None:
        """Who holds the seats of the running game."""
        with self._own as fence:
            await self._store.set_people(game_id, people, fence)

    async def add_game(self, new: GameRow) -> None:
        """A new game."""
        with self._own as fence:
            await self._store.add_game(new, fence)

    async def append(self, game_id: str, ply: int, played: ActionRow | None, finish: Finish | None = None) -> bool:
        """An action, an end, or both; False where the game stands elsewhere."""
        with self._own as fence:
            return await self._store.append(game_id, ply, played, finish, fence)

    async def take_back(self, game_id: str, from_ply: int, ply: int, document: Mapping[str, object]) -> bool:
        """The removal of actions, and the room as it is then; False where the game stands elsewhere."""
        with self._own as fence:
            return await self._store.take_back(game_id, from_ply, ply, (self._room.id, document), fence)

    async def say(self, message: Said, since: int) -> None:
        """A message; what was said before `since` goes."""
        await self._store.chat.add(message, since)

    async def game(self, id: str) -> GameRow | None:
        """A game as it is stored."""
        return await self._store.game(id)

    async def changes_of(self, game_id: str) -> list[RatingChange]:
        """How a game has moved ratings."""
        return await self._store.changes_of(game_id)
