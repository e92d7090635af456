"""Where people came from, and from where nobody may come in: kept only as exactly and as long as that is needed."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from dataclasses import asdict

from sqlalchemy import Connection, delete, insert, or_, select, update

from hanpan.server.storage.addresses import shortened
from hanpan.server.storage.database import Reader
from hanpan.server.storage.models import Ban, Trace
from hanpan.server.storage.tables import ban, trace
from hanpan.server.storage.writer import Writer
from hanpan.server.storage.writes import Change


class Barring:
    """Traces of people, and bans of places."""

    def __init__(self, reader: Reader, writer: Writer) -> None:
        self._reader, self._writer = reader, writer

    # --- where people came from ---

    async def saw(self, seen: Trace) -> None:
        """Somebody was here, from there."""

        def work(db: Connection) -> bool:
            _keep(db, seen)
            return True

        await self._writer.write(Change(work))

    async def traces(self, person_id: str, limit: int = 20) -> list[Trace]:
        """Where somebody came from, the last first."""
        query = select(trace).where(trace.c.person_id == person_id).order_by(trace.c.seen_at.desc()).limit(limit)
        return await self._reader.rows(Trace, query)

    # --- bans of places ---

    async def add(self, new: Ban) -> None:
        """From now on nobody comes in from there."""
        await self._writer.write(Change(lambda db: bool(db.execute(insert(ban), [asdict(new)]))))

    async def bans(self, limit: int = 500) -> list[Ban]:
        """All of them, newest first."""
        query = select(ban).order_by(ban.c.at.desc(), ban.c.id).limit(limit)
        return await self._reader.rows(Ban, query)

    async def these(self, ids: Collection[str]) -> dict[str, Ban]:
        """Some of them, by id."""
        query = select(ban).where(ban.c.id.in_(ids))
        found = await self._reader.rows(Ban, query) if ids else []
        return {each.id: each for each in found}

    async def in_force(self, now: int) -> list[Ban]:
        """Those that are not over."""
        query = select(ban).where(ban.c.lifted_at.is_(None), or_(ban.c.until.is_(None), ban.c.until > now))
        return await self._reader.rows(Ban, query)

    async def lift(self, now: int, id: str | None = None, person_id: str | None = None) -> bool:
        """End a ban, or all those that came of one person's; False when there was none in force."""
        mine = ban.c.id == id if id is not None else ban.c.person_id == person_id
        done = update(ban).where(mine, ban.c.lifted_at.is_(None), or_(ban.c.until.is_(None), ban.c.until > now)).values(lifted_at=now)
        return await self._writer.write(Change(lambda db: db.execute(done).rowcount > 0))

    # --- forgetting ---

    async def shorten(self, before: int) -> None:
        """Addresses from before a moment are made shorter; of bans, those that were over by then."""

        def work(db: Connection) -> bool:
            for row in db.execute(select(trace).where(trace.c.seen_at < before)).all():
                old = Trace(*row)
                short = shortened(old.address)
                if short != old.address:
                    db.execute(delete(trace).where(trace.c.person_id == old.person_id, trace.c.address == old.address, trace.c.browser == old.browser))
                    _keep(db, Trace(old.person_id, short, old.browser, old.seen_at))
            over = or_(ban.c.lifted_at < before, ban.c.until < before)
            for row in db.execute(select(ban.c.id, ban.c.value).where(ban.c.kind == "address", over)).all():
                if (short := shortened(row.value)) != row.value:
                    db.execute(update(ban).where(ban.c.id == row.id).values(value=short))
            return True

        await self._writer.write(Change(work))


def _keep(db: Connection, seen: Trace) -> None:
    mine = trace.c.person_id == seen.person_id, trace.c.address == seen.address, trace.c.browser == seen.browser
    known = db.scalar(select(trace.c.seen_at).where(*mine))
    if known is None:
        db.execute(insert(trace), [asdict(seen)])
    elif known < seen.seen_at:
        db.execute(update(trace).where(*mine).values(seen_at=seen.seen_at))


def new_ban_id() -> str:
    """An id for a ban."""
    return secrets.token_hex(8)
