"""Living together in the storage: blocks, reports, and the log of what operators did."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping

from sqlalchemy import Connection, delete, func, insert, select, update

from hanpan.server.storage.database import Reader, dump
from hanpan.server.storage.models import Act, Report
from hanpan.server.storage.tables import LEFT, act, block, person, proposal, report
from hanpan.server.storage.writer import Writer
from hanpan.server.storage.writes import Change


class StoredModeration:
    """Who does not want to hear whom, who complains about whom, and what was done about it."""

    def __init__(self, reader: Reader, writer: Writer, now: Callable[[], int]) -> None:
        self._reader, self._writer, self._now = reader, writer, now

    async def blocked_by(self, person_id: str) -> set[str]:
        """Whom someone has blocked."""
        query = select(block.c.blocked_id).where(block.c.person_id == person_id)
        return set(await self._reader.read(lambda db: list(db.scalars(query))))

    async def block(self, person_id: str, other: str) -> None:
        """Do not want to hear someone."""
        row = {"person_id": person_id, "blocked_id": other, "created_at": self._now()}

        def work(db: Connection) -> bool:
            there = db.execute(select(block.c.person_id).where(block.c.person_id == person_id, block.c.blocked_id == other)).first()
            if not there:
                db.execute(insert(block), [row])
            return True

        await self._writer.write(Change(work))

    async def unblock(self, person_id: str, other: str) -> bool:
        """Hear someone again."""
        gone = delete(block).where(block.c.person_id == person_id, block.c.blocked_id == other)
        return await self._writer.write(Change(lambda db: db.execute(gone).rowcount == 1))

    async def report(self, person_id: str, about_id: str, text: str, message: str | None, room_id: str | None, message_id: str | None = None) -> str:
        """Tell the operators about someone. With a `message_id`, the message is quoted from what is kept."""
        id = secrets.token_hex(8)
        row = {
            "id": id,
            "person_id": person_id,
            "about_id": about_id,
            "text": text,
            "message": message,
            "room_id": room_id,
            "at": self._now(),
            "closed_at": None,
        }
        row["message_id"] = message_id
        await self._writer.write(Change(lambda db: bool(db.execute(insert(report), [row]))))
        return id

    async def reports(self, still_open: bool, limit: int = 100) -> list[Report]:
        """What was reported, newest first."""
        query = select(report).where(report.c.closed_at.is_(None) if still_open else report.c.closed_at.is_not(None))
        return await self._reader.rows(Report, query.order_by(report.c.at.desc(), report.c.id).limit(limit))

    async def reports_by(self, person_id: str) -> list[Report]:
        """What someone has reported."""
        return await self._reader.rows(Report, select(report).where(report.c.person_id == person_id).order_by(report.c.at))

    async def close_report(self, id: str) -> bool:
        """A report has been dealt with; False when there is no such open one. If someone of it has left for good, it goes."""
        mine = report.c.id == id, report.c.closed_at.is_(None)
        left = delete(report).where(*mine, report.c.person_id.in_(LEFT) | report.c.about_id.in_(LEFT))
        done = update(report).where(*mine).values(closed_at=self._now())
        return await self._writer.write(Change(lambda db: db.execute(left).rowcount == 1 or db.execute(done).rowcount == 1))

    async def log(self, operator_id: str, verb: str, target: str, reason: str, document: Mapping[str, object]) -> None:
        """Write down what an operator does."""
        row = {"id": secrets.token_hex(8), "at": self._now(), "operator_id": operator_id, "verb": verb, "target": target, "reason": reason}
        await self._writer.write(Change(lambda db: bool(db.execute(insert(act), [{**row, "document": dump(document)}]))))

    async def acts(self, limit: int = 100) -> list[Act]:
        """What operators did, newest first."""
        return await self._reader.rows(Act, select(act).order_by(act.c.at.desc(), act.c.id).limit(limit))

    async def renamed_at(self, person_id: str) -> int:
        """When an operator has last given someone another name; 0: never."""
        query = select(func.max(act.c.at)).where(act.c.verb == "rename", act.c.target == person_id)
        return await self._reader.read(lambda db: db.scalar(query)) or 0

    # --- what needs a second operator ---

    async def propose(self, operator_id: str, verb: str, target: str, reason: str, document: Mapping[str, object]) -> str:
        """Write down what an operator wants to do, until another one agrees."""
        id = secrets.token_hex(8)
        row = {"id": id, "at": self._now(), "operator_id": operator_id, "verb": verb, "target": target, "reason": reason, "document": dump(document)}
        await self._writer.write(Change(lambda db: bool(db.execute(insert(proposal), [row]))))
        return id

    async def proposals(self, since: int) -> list[Act]:
        """What waits for a second operator, newest first; what is older than a moment is not asked any more."""
        return await self._reader.rows(Act, select(proposal).where(proposal.c.at >= since).order_by(proposal.c.at.desc(), proposal.c.id))

    async def take_proposal(self, id: str) -> bool:
        """Someone deals with it; only the first who does is told True."""
        return await self._writer.write(Change(lambda db: db.execute(delete(proposal).where(proposal.c.id == id)).rowcount == 1))

    async def operators(self) -> set[str]:
        """Everyone who is an operator now."""
        query = select(person.c.id).where(person.c.role == "operator")
        return set(await self._reader.read(lambda db: list(db.scalars(query))))
