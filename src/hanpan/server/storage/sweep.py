"""What has become old goes: once a day, in small steps, so that nobody who plays waits for it. Games are written to a file first."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import ColumnElement, Connection, Table, delete, or_, select, tuple_

from hanpan.server.storage.archive import ArchiveLine, archive_line
from hanpan.server.storage.database import own_folder
from hanpan.server.storage.models import DAY, GameRow, RatingChange, RoomDocument
from hanpan.server.storage.store import Store
from hanpan.server.storage.tables import act, ban, called, metadata, person, proposal, report, session, trace

_STEP = 100  # rows, or a quarter as many games: what one transaction removes
_OWN = (called, session, trace)  # what a guest has who did nothing
_DEEDS = [  # whoever is named in one of these did something, or something was done about them
    *(column for table in metadata.sorted_tables if table not in _OWN for column in table.columns if column.references(person.c.id)),
    *(person.c.owner_id, act.c.target, proposal.c.target, ban.c.person_id),
]


@dataclass(frozen=True, slots=True)
class Ages:
    """After how many days things go; 0: never."""

    games: int = 0
    log: int = 0
    traces: int = 0
    guests: int = 0


class SweptGame(ArchiveLine):
    """A line of an archive with what else was kept about the game."""

    room_id: str
    private: bool
    ratings: list[tuple[str, float, float]]  # who, before, after


class Sweep:
    """Removes what is older than it may be."""

    def __init__(self, store: Store, folder: Path, ages: Ages, now: Callable[[], int], pause: float = 0.05) -> None:
        self._store, self._folder, self._ages, self._now, self._pause = store, folder, ages, now, pause

    async def nightly(self) -> dict[str, int] | None:
        """Sweep, unless that was done today already, by this process or another one."""
        today = self._now() // DAY
        return await self.run() if await self._store.accounts.remember("sweep", f"sweep {today}", {}, 2 * DAY / 1000) else None

    async def run(self) -> dict[str, int]:
        """Sweep; how many of each kind are gone."""
        await self._store.leases.forget()
        gone = {"games": await self._games(self._before(self._ages.games))} if self._ages.games else {}
        if self._ages.log:
            before = self._before(self._ages.log)
            gone["acts"] = await self._rows(act, act.c.at < before)
            gone["reports"] = await self._rows(report, report.c.closed_at < before)
            gone["proposals"] = await self._rows(proposal, proposal.c.at < before)
            gone["bans"] = await self._rows(ban, or_(ban.c.lifted_at < before, ban.c.until < before))
        if self._ages.traces:
            gone["traces"] = await self._rows(trace, trace.c.seen_at < self._before(self._ages.traces))
        if self._ages.guests:
            gone["guests"] = await self._guests(self._before(self._ages.guests))
        return gone

    def _before(self, days: int) -> int:
        return self._now() - days * DAY

    async def _rows(self, table: Table, old: ColumnElement[bool]) -> int:
        key = tuple_(*table.primary_key.columns)
        some = delete(table).where(key.in_(select(*table.primary_key.columns).where(old).limit(_STEP)))
        count = 0
        while True:
            gone: list[int] = []

            def work(db: Connection, gone: list[int] = gone) -> bool:
                gone[:] = [db.execute(some).rowcount]
                return True

            await self._store.apart(work)
            count += gone[0]
            if gone[0] < _STEP:
                return count
            await asyncio.sleep(self._pause)

    async def _games(self, before: int) -> int:
        count = 0
        while rows := await self._store.old_games(before, _STEP // 4):
            people = await self._store.people({id for row in rows for seat in row.people if (id := seat.get("first") or seat.get("person"))})
            steps = await self._store.changes_of_games([row.id for row in rows])
            lines = [_swept(row, archive_line(row, people, names=True), steps.get(row.id, [])) for row in rows]
            await asyncio.to_thread(self._keep, lines)
            await self._store.remove_games([row.id for row in rows])  # whoever is stopped before this writes them once more tomorrow
            count += len(rows)
            await asyncio.sleep(self._pause)
        return count

    async def _guests(self, before: int) -> int:
        """Guests who did nothing and have not been here since then, some after the other by their ids. Those of a room that is there stay."""
        in_rooms = {id for row in await self._store.rooms() for id in _named(row.document)}
        count, last = 0, ""
        while ids := await self._store.ids_after(last, _STEP):
            last = ids[-1]
            some, gone = [id for id in ids if id not in in_rooms], [0]

            def work(db: Connection, some: list[str] = some, gone: list[int] = gone) -> bool:
                gone[:] = [_forget_guests(db, some, before)]
                return True

            await self._store.apart(work)
            count += gone[0]
            await asyncio.sleep(self._pause)
        return count

    def _keep(self, lines: Sequence[SweptGame]) -> None:
        """Append games to the day's file and wait for the disk: after this they are nowhere else."""
        own_folder(self._folder)
        file = os.open(self._folder / f"games-{self._now() // DAY}.jsonl.gz", os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
        with os.fdopen(file, "ab") as out:
            with gzip.GzipFile(fileobj=out, mode="wb", mtime=0) as packed:
                for line in lines:
                    packed.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")
            out.flush()
            os.fsync(out.fileno())


def _swept(row: GameRow, line: ArchiveLine, steps: Sequence[RatingChange]) -> SweptGame:
    return {**line, "room_id": row.room_id, "private": bool(row.private), "ratings": [(step.person_id, step.before, step.after) for step in steps]}


def _forget_guests(db: Connection, ids: list[str], before: int) -> int:
    """Remove those of these people who are guests, did nothing and have not been seen since then. Whoever comes back in the same moment has moved on their
    session, which then stays, and they with it; or finds it gone, and is a newcomer."""
    seen = [table.c.person_id for table in (session, trace)]
    idle = [
        person.c.id.in_(ids), person.c.kind == "guest", person.c.role.is_(None), person.c.created_at < before,
        *(or_(column.is_(None), column < before) for column in (person.c.muted_until, person.c.banned_until)),
        *(person.c.id.not_in(select(column).where(column.in_(ids), column.table.c.seen_at >= before)) for column in seen),
        *(person.c.id.not_in(select(column).where(column.in_(ids))) for column in _DEEDS),
    ]  # fmt: skip
    found = list(db.scalars(select(person.c.id).where(*idle)))
    if not found:
        return 0
    db.execute(delete(session).where(session.c.person_id.in_(found), session.c.seen_at < before))
    back = set(db.scalars(select(session.c.person_id).where(session.c.person_id.in_(found))))
    found = [id for id in found if id not in back]
    for table in (called, trace):
        db.execute(delete(table).where(table.c.person_id.in_(found)))
    return db.execute(delete(person).where(person.c.id.in_(found))).rowcount


def _named(document: RoomDocument) -> set[str | None]:
    """Everyone whom a room names."""
    chairs = document.get("chairs", ())
    sat = {id for chair in chairs for id in (chair["person"], chair.get("first"), *chair.get("held", ()))}
    return {document.get("master"), *document.get("invited", ()), *sat}
