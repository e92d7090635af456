"""What was said in rooms, kept for a while."""

from __future__ import annotations

from dataclasses import asdict

from sqlalchemy import Connection, delete, insert, select

from hanpan.server.storage.database import Reader
from hanpan.server.storage.models import Fence, Said
from hanpan.server.storage.tables import said
from hanpan.server.storage.writer import Writer
from hanpan.server.storage.writes import Change


class ChatLog:
    """The messages of all rooms."""

    def __init__(self, reader: Reader, writer: Writer) -> None:
        self._reader, self._writer = reader, writer

    async def add(self, message: Said, since: int, fence: Fence | None = None) -> None:
        """Keep a message; what was said before a moment is forgotten."""

        def work(db: Connection) -> bool:
            db.execute(delete(said).where(said.c.at < since))
            db.execute(insert(said), [asdict(message)])
            return True

        await self._writer.write(Change(work, fence=fence))

    async def forget(self, since: int) -> None:
        """Forget what was said before a moment."""
        await self._writer.write(Change(lambda db: db.execute(delete(said).where(said.c.at < since)).rowcount >= 0))

    async def last(self, room_id: str, limit: int, since: int) -> list[Said]:
        """The last messages of a room, none from before a moment, oldest first."""
        query = select(said).where(said.c.room_id == room_id, said.c.at >= since).order_by(said.c.at.desc(), said.c.id.desc()).limit(limit)
        return (await self._reader.rows(Said, query))[::-1]

    async def by(self, person_id: str) -> list[Said]:
        """Everything that someone has said."""
        query = select(said).where(said.c.person_id == person_id).order_by(said.c.at)
        return await self._reader.rows(Said, query)

    async def said(self, id: str, person_id: str) -> Said | None:
        """A message of someone's, if it is kept."""
        query = select(said).where(said.c.id == id, said.c.person_id == person_id)
        return await self._reader.row(Said, query)
