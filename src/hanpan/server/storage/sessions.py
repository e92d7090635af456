"""Sessions in the storage: who is logged in where, until when."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from functools import partial

from sqlalchemy import Connection, Update, bindparam, delete, insert, select, update

from hanpan.server.storage.database import Reader
from hanpan.server.storage.models import DAY, Session
from hanpan.server.storage.tables import login, session
from hanpan.server.storage.writer import Writer
from hanpan.server.storage.writes import Change

_STEP = 100  # sessions in one write
_ASKED = 1000  # in one question
_BY_ID = select(session).where(session.c.id == bindparam("id"))


class StoredSessions:
    """All sessions; whether one is over is for the caller to say."""

    def __init__(self, reader: Reader, writer: Writer) -> None:
        self._reader, self._writer = reader, writer

    async def add(self, new: Session) -> None:
        """One more; those that are over by then are swept away."""

        def work(db: Connection) -> bool:
            db.execute(delete(session).where(session.c.ends_at < new.created_at))
            db.execute(insert(session), [asdict(new)])
            return True

        await self._writer.write(Change(work))

    async def get(self, id: str) -> Session | None:
        """A session by its id."""
        return await self._reader.row(Session, _BY_ID, {"id": id})

    async def of(self, person_id: str) -> list[Session]:
        """A person's sessions, the one used last first."""
        query = select(session).where(session.c.person_id == person_id).order_by(session.c.seen_at.desc(), session.c.created_at.desc())
        return await self._reader.rows(Session, query)

    async def change(self, id: str, **columns: int) -> bool:
        """Change columns of a session; False when it has ended."""
        return await self._writer.write(Change(lambda db: db.execute(update(session).where(session.c.id == id).values(**columns)).rowcount == 1))

    async def saw(self, ids: Iterable[str], now: int) -> None:
        """These sessions are in use, by connections that stay open: where that was last noticed a day ago, it is now, and their ends move on."""
        mine, old = sorted(set(ids)), session.c.seen_at < now - DAY
        moved = update(session).values(seen_at=now, ends_at=now + session.c.ends_at - session.c.seen_at)
        for at in range(0, len(mine), _STEP):
            await self._writer.write(Change(partial(_change, moved.where(session.c.id.in_(mine[at : at + _STEP]), old))))

    async def ended(self, keys: Iterable[str]) -> set[str]:
        """Those of these sessions and bots' tokens that are none any more."""
        asked = sorted(set(keys))
        found: set[str] = set()
        for at in range(0, len(asked), _ASKED):
            some = asked[at : at + _ASKED]
            tokens = select(login.c.subject).where(login.c.provider == "bot", login.c.subject.in_(some))
            found.update(await self._reader.rows(str, select(session.c.id).where(session.c.id.in_(some)).union_all(tokens)))
        return set(asked) - found

    async def end(self, id: str) -> bool:
        """A session ends; False when it had."""
        return await self._writer.write(Change(lambda db: db.execute(delete(session).where(session.c.id == id)).rowcount == 1))

    async def end_all(self, person_id: str, but: str | None = None) -> list[str]:
        """All sessions of a person end, but one; their ids."""
        ended: list[str] = []

        def work(db: Connection) -> bool:
            theirs = session.c.person_id == person_id, session.c.id != (but or "")
            ended[:] = list(db.scalars(select(session.c.id).where(*theirs)))
            db.execute(delete(session).where(*theirs))
            return True

        await self._writer.write(Change(work))
        return ended


def _change(new: Update, db: Connection) -> bool:
    return db.execute(new).rowcount > 0
