"""Finished games in bulk: one after the other, oldest first, as JSON lines or as a Parquet table."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import NotRequired, TypedDict

from hanpan.core.extras import needed
from hanpan.core.option import Value
from hanpan.record import FORMAT
from hanpan.server.storage.database import own_file
from hanpan.server.storage.models import Ending, GameRow, Person
from hanpan.server.storage.store import Store

_PAGE = 200  # games that are held in memory at a time


class PlainRecord(TypedDict):
    """A game as `hanpan replay` and the page read it."""

    hanpan: int
    game: str
    options: dict[str, Value]
    actions: list[str]
    forced: NotRequired[list[int]]
    over: NotRequired[bool]
    winner: NotRequired[list[int]]
    reason: NotRequired[str]
    last: NotRequired[list[int]]


class Seat(TypedDict):
    """Who began on a seat: a guest, an account, a bot, a computer player of a level; with names, if they are wanted."""

    kind: str
    level: int | None
    id: NotRequired[str]
    name: NotRequired[str]


class ArchiveLine(TypedDict):
    """A finished game. `times`: when each action arrived, since the beginning."""

    id: str
    record: PlainRecord
    seats: list[Seat]
    rated: bool
    started_at: int
    ended_at: int | None
    result: Ending | None
    times: list[int]
    charged: list[int]


async def write_archive(store: Store, file: Path, kind: str, name: str | None = None, names: bool = False) -> int:
    """Write all finished games (of one kind, if told so) to a new file, which with names is its owner's alone; how many. ValueError if that can't be done."""
    if file.exists():
        raise ValueError(f"archive: {file} exists already")
    part = file.with_name(f"{file.name}.part")
    try:
        if names:
            own_file(part)
        count = await (_parquet if kind == "parquet" else _json_lines)(part, lines(store, name, names))
        part.rename(file)
    except OSError as wrong:
        raise ValueError(f"archive: {wrong}") from None
    finally:
        part.unlink(missing_ok=True)
    return count


async def lines(store: Store, name: str | None, names: bool) -> AsyncIterator[ArchiveLine]:
    """Each finished game as plain data. `record` is one that `hanpan replay` and the page read."""
    after: tuple[int, str] | None = None
    while rows := await store.archive(name, _PAGE, after):
        last = rows[-1]
        assert last.ended_at is not None
        after = (last.ended_at, last.id)
        people = await store.people({id for row in rows for seat in row.people if (id := seat.get("first") or seat.get("person"))})
        for row in rows:
            yield archive_line(row, people, names)


def plain_record(row: GameRow) -> PlainRecord:
    """A finished game as a record's plain data, without names."""
    record: PlainRecord = {"hanpan": FORMAT, "game": row.name, "options": row.options, "actions": [action.text for action in row.actions]}
    if forced := [ply for ply, action in enumerate(row.actions) if action.forced]:
        record["forced"] = forced
    if (ended := row.ended) is not None and not ended.told_by_rules:
        record |= {"over": True, "winner": ended.winner, "reason": ended.reason, "last": list(ended.last)}
    return record


def archive_line(row: GameRow, people: dict[str, Person], names: bool) -> ArchiveLine:
    """A finished game as plain data."""
    seats: list[Seat] = []
    for seat in row.people:
        person = people.get(seat.get("first") or seat.get("person") or "")
        line: Seat = {"kind": "computer" if person is None else person.kind, "level": seat.get("bot")}
        if names and person is not None:
            line |= {"id": person.id, "name": person.name}
        seats.append(line)
    return {
        "id": row.id, "record": plain_record(row), "seats": seats, "rated": row.rated, "started_at": row.started_at, "ended_at": row.ended_at,
        "result": row.result, "times": [action.at - row.started_at for action in row.actions], "charged": [action.charged for action in row.actions],
    }  # fmt: skip


async def _json_lines(file: Path, games: AsyncIterator[ArchiveLine]) -> int:
    count = 0
    with file.open("w", encoding="utf-8") as out:
        async for line in games:
            out.write(json.dumps(line, ensure_ascii=False) + "\n")
            count += 1
    return count


async def _parquet(file: Path, games: AsyncIterator[ArchiveLine]) -> int:
    """One row a game; what differs from game to game (options, seats, result) is JSON text."""
    with needed("archive: Parquet", "hanpan[parquet]"):
        import pyarrow as arrow
        import pyarrow.parquet as parquet
    text, number, numbers = arrow.string(), arrow.int64(), arrow.list_(arrow.int64())
    schema = arrow.schema([
        ("id", text), ("game", text), ("options", text), ("actions", arrow.list_(text)), ("forced", numbers), ("seats", text), ("rated", arrow.bool_()),
        ("started_at", number), ("ended_at", number), ("winner", numbers), ("scores", numbers), ("reason", text), ("times", numbers), ("charged", numbers),
    ])  # fmt: skip
    count = 0
    with parquet.ParquetWriter(file, schema) as out:
        rows: list[dict[str, object]] = []
        async for line in games:
            rows.append(_row(line))
            count += 1
            if len(rows) == 5 * _PAGE:
                out.write_table(arrow.Table.from_pylist(rows, schema))
                rows = []
        out.write_table(arrow.Table.from_pylist(rows, schema))
    return count


def _row(line: ArchiveLine) -> dict[str, object]:
    record, result = line["record"], line["result"]
    assert result is not None
    return {
        "id": line["id"], "rated": line["rated"], "started_at": line["started_at"], "ended_at": line["ended_at"],
        "times": line["times"], "charged": line["charged"], "seats": json.dumps(line["seats"]),
        "game": record["game"], "options": json.dumps(record["options"]), "actions": record["actions"], "forced": record.get("forced", []),
        "winner": result["winner"], "scores": result["scores"], "reason": result["reason"],
    }  # fmt: skip
