"""Which processes there are, and which room is whose. All times here are the database's own, so no process needs to trust its clock or another's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlalchemy import BigInteger, ColumnElement, Connection, delete, func, insert, or_, select, update
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler

from hanpan.server.storage.database import Reader, dump
from hanpan.server.storage.models import DAY, Expired, Fence
from hanpan.server.storage.tables import lease, node, room
from hanpan.server.storage.writer import Writer


class Now(ColumnElement[int]):
    """The database's time in ms: not when the transaction began, but when this is looked at."""

    type = BigInteger()
    inherit_cache = True


@compiles(Now, "postgresql")
def _served_now(element: Now, compiler: SQLCompiler, **options: object) -> str:
    return "floor(extract(epoch from clock_timestamp()) * 1000)::bigint"


@compiles(Now, "sqlite")
def _embedded_now(element: Now, compiler: SQLCompiler, **options: object) -> str:
    return "cast(round((julianday('now') - 2440587.5) * 86400000) as integer)"


@dataclass(frozen=True, slots=True)
class Node:
    """A process that lives until some moment, and what it wants others to know."""

    id: str
    started_at: int
    alive_until: int
    document: dict[str, object]


@dataclass(frozen=True, slots=True)
class Taken:
    """The room is ours: whatever is written about it carries this fence."""

    fence: Fence


@dataclass(frozen=True, slots=True)
class HeldBy:
    """The room is a living node's."""

    owner: str


_ALIVE = select(node.c.id).where(node.c.alive_until > Now())


class Leases:
    """Nodes, and the rooms that they hold.

    A node is dead once its time is over *and* somebody has taken a room from it: until then its next beat brings it back. Nothing written with the fence of an
    earlier owner is stored, so a node that does not know yet that it is dead does no harm.
    """

    def __init__(self, reader: Reader, writer: Writer) -> None:
        self._reader, self._writer = reader, writer

    # --- nodes ---

    async def join(self, id: str, ms: int, document: Mapping[str, object] | None = None) -> int:
        """A new node, which lives for so many ms unless it says more; the database's time. An id works once: whoever starts again takes another."""
        said = dump(document or {})
        times: list[int] = []

        def work(db: Connection) -> bool:
            times[:] = [_now(db)]
            db.execute(insert(node), [{"id": id, "started_at": times[0], "alive_until": times[0] + ms, "document": said}])
            return True

        await self._writer.apart(work)
        return times[0]

    async def beat(self, id: str, ms: int, document: Mapping[str, object] | None = None) -> int:
        """A node lives for so many ms more, with another document if it has one; the database's time. Expired: it is dead, and must stop."""
        said = {} if document is None else {"document": dump(document)}
        times: list[int] = []

        def work(db: Connection) -> bool:
            times[:] = [_now(db)]
            return db.execute(update(node).where(node.c.id == id).values(alive_until=Now() + ms, **said)).rowcount == 1

        if not await self._writer.apart(work):
            raise Expired(f"node {id}: it was taken for dead")
        return times[0]

    async def leave(self, id: str) -> None:
        """A node ends, and nobody's are the rooms that it still held."""

        def work(db: Connection) -> bool:
            mine = list(db.scalars(select(lease.c.room_id).where(lease.c.owner == id).order_by(lease.c.room_id).with_for_update()))
            db.execute(update(lease).where(lease.c.room_id.in_(mine)).values(owner=None))
            return db.execute(delete(node).where(node.c.id == id)).rowcount == 1

        await self._writer.apart(work)

    async def nodes(self) -> list[Node]:
        """Those that live, oldest first."""
        return await self._reader.rows(Node, select(node).where(node.c.alive_until > Now()).order_by(node.c.started_at, node.c.id))

    async def now(self) -> int:
        """The database's time in ms."""
        return await self._reader.read(_now)

    # --- rooms ---

    async def take(self, room_id: str, id: str) -> Taken | HeldBy:
        """Take a room that is nobody's, a dead node's or one's own already; with each other owner its fence is one more. Expired: who wants it is dead."""
        found: list[Taken | HeldBy] = []

        def work(db: Connection) -> bool:
            if db.scalar(select(node.c.id).where(node.c.id == id)) is None:
                return False
            found[:] = [_take(db, room_id, id)]
            return True

        if not await self._writer.apart(work):
            raise Expired(f"node {id}: it was taken for dead")
        return found[0]

    async def give(self, room_id: str, id: str, to: str) -> Fence | None:
        """Hand a room over to another living node; the fence that it has there. None if it was not ours to give, or the other one is dead."""
        fences: list[Fence] = []

        def work(db: Connection) -> bool:
            held = db.execute(_LEASE.where(lease.c.room_id == room_id)).first()
            if held is None or held.owner != id or db.scalar(_ALIVE.where(node.c.id == to)) is None:
                return False
            fences[:] = [_set(db, room_id, to, held.fence + 1)]
            return True

        return fences[0] if await self._writer.apart(work) else None

    async def owner(self, room_id: str) -> str | None:
        """The living node that holds a room; None if there is none: it can be taken."""
        return (await self.owners([room_id])).get(room_id)

    async def owners(self, room_ids: Iterable[str]) -> dict[str, str]:
        """The same for many rooms: those that can be taken are left out."""
        query = select(lease.c.room_id, lease.c.owner).where(lease.c.room_id.in_(set(room_ids)), lease.c.owner.in_(_ALIVE))
        return dict(await self._reader.rows(lambda room_id, owner: (room_id, owner), query))

    async def orphans(self, limit: int = 100) -> list[str]:
        """Rooms that no living node holds."""
        held = select(lease.c.room_id).where(lease.c.owner.in_(_ALIVE))
        return await self._reader.rows(str, select(room.c.id).where(room.c.id.not_in(held)).order_by(room.c.id).limit(limit))

    async def forget(self) -> None:
        """Leases of rooms that are gone, and that no living node holds, are not kept; nor are nodes that died with nothing to take from them."""
        gone = lease.c.room_id.not_in(select(room.c.id))

        def work(db: Connection) -> bool:
            db.execute(delete(lease).where(gone, or_(lease.c.owner.is_(None), lease.c.owner.not_in(_ALIVE))))
            db.execute(delete(node).where(node.c.alive_until < Now() - _LONG, node.c.id.not_in(select(lease.c.owner).where(lease.c.owner.is_not(None)))))
            return True

        await self._writer.apart(work)


_LONG = DAY
_LEASE = select(lease.c.owner, lease.c.fence).with_for_update()


def _now(db: Connection) -> int:
    return int(db.scalar(select(Now())) or 0)


def _take(db: Connection, room_id: str, id: str) -> Taken | HeldBy:
    held = db.execute(_LEASE.where(lease.c.room_id == room_id)).first()  # waits for what its owner is writing
    if held is None:
        db.execute(insert(lease), [{"room_id": room_id, "owner": id, "fence": 1}])  # of two who come first, one fails here and looks again
        return Taken(Fence(room_id, 1))
    if held.owner == id:
        return Taken(Fence(room_id, held.fence))
    if held.owner is not None:
        db.execute(delete(node).where(node.c.id == held.owner, node.c.alive_until <= Now()))  # from here on it can not come back
        if db.scalar(select(func.count()).select_from(node).where(node.c.id == held.owner)):
            return HeldBy(held.owner)
    return Taken(_set(db, room_id, id, held.fence + 1))


def _set(db: Connection, room_id: str, owner: str, fence: int) -> Fence:
    db.execute(update(lease).where(lease.c.room_id == room_id).values(owner=owner, fence=fence))
    return Fence(room_id, fence)
