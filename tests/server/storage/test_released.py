"""Two versions on one database: the rows of the last release are kept, and its code goes on while this version is beside it (expand, then contract).

`released_0012.json` has rows of every table, written by the code of that release itself.
"""

import asyncio
import json
import shutil
from pathlib import Path

import pytest
from sqlalchemy import JSON, MetaData, delete, insert, select, update
from storing import with_store

from hanpan.server.storage import migrate
from hanpan.server.storage.database import address, open_engine
from hanpan.server.storage.leases import Taken

RELEASED = "0012"
ROWS = json.loads(Path(__file__).with_name(f"released_{RELEASED}.json").read_text("utf-8"))


def on(url, work):
    """What `work` finds in a database."""

    async def opened():
        engine = open_engine(address(url))
        try:
            async with engine.begin() as connection:
                return await connection.run_sync(work)
        finally:
            await engine.dispose()

    return asyncio.run(opened())


def packed(table, row):
    """A row as the storage hands it over: documents as JSON text."""
    return {name: json.dumps(value) if isinstance(table.c[name].type, JSON) and value is not None else value for name, value in row.items()}


@pytest.fixture
def released(empty_url, tmp_path, monkeypatch):
    """A database of the last release with its rows, and the tables as that release knows them."""
    newer = [step.name for step in migrate.STEPS.glob("s*.py") if step.name[1:5] > RELEASED]
    assert newer
    shutil.copytree(migrate.STEPS, tmp_path / "released", ignore=shutil.ignore_patterns("__pycache__", *newer))
    with monkeypatch.context() as patch:
        patch.setattr(migrate, "STEPS", tmp_path / "released")
        asyncio.run(migrate.migrate(empty_url))

    def fill(db):
        tables = MetaData()
        tables.reflect(db)
        for table in tables.sorted_tables:
            if table.name in ROWS:
                db.execute(insert(table), [packed(table, row) for row in ROWS[table.name]])
        return tables

    tables = on(empty_url, fill)
    assert set(tables.tables) - {"alembic_version"} == set(ROWS)
    return empty_url, tables


def plain(table, rows):
    return sorted(json.dumps({column.name: row[column.name] for column in table.c}, sort_keys=True) for row in rows)


def stored(db, table):
    return plain(table, [dict(row._mapping) for row in db.execute(select(table))])


@pytest.mark.slow
def test_the_rows_of_the_last_release_are_kept(released):
    url, tables = released
    assert asyncio.run(migrate.migrate(url))
    for name, rows in ROWS.items():
        assert on(url, lambda db, table=tables.tables[name]: stored(db, table)) == plain(tables.tables[name], rows)

    async def used(store):
        game = await store.game("g-running")
        assert [action.text for action in game.actions] == [row["text"] for row in ROWS["action"] if row["game_id"] == "g-running"]
        assert [row.id for row in await store.rooms()] == await store.leases.orphans() == ["r-open"]
        await store.leases.join("node", 60_000)
        taken = await store.leases.take("r-open", "node")
        assert isinstance(taken, Taken)
        assert await store.append("g-running", len(game.actions), game.actions[-1], fence=taken.fence)

    with_store(url, used)


def test_what_the_last_release_says_is_still_understood(released):
    """Each of its tables: what its code reads, adds, changes and removes, by the columns that it knows."""
    url, tables = released
    asyncio.run(migrate.migrate(url))

    def old_code(db):
        for table in tables.sorted_tables:
            if table.name not in ROWS:
                continue
            row = ROWS[table.name][0]
            key = next((column for column in table.primary_key if not column.foreign_keys), None)
            if key is None:  # its key is someone else's: the same row is removed and added again
                mine = [column == row[column.name] for column in table.primary_key]
                assert db.execute(delete(table).where(*mine)).rowcount == 1
                new = row
            else:
                new = row | {key.name: 999 if isinstance(row[key.name], int) else "new one"}
            db.execute(insert(table), [packed(table, new)])
            mine = [column == new[column.name] for column in table.primary_key]
            assert plain(table, [dict(each._mapping) for each in db.execute(select(table).where(*mine))]) == plain(table, [new])
            values = packed(table, {name: value for name, value in new.items() if name not in {column.name for column in table.primary_key}})
            if values:
                assert db.execute(update(table).where(*mine).values(**values)).rowcount == 1
        for table in reversed(tables.sorted_tables):
            if table.name in ROWS:
                db.execute(delete(table))
        return True

    assert on(url, old_code)


@pytest.mark.slow
def test_what_this_version_adds_has_no_demands_on_the_older_one(released):
    """A step may add tables, and columns that may be empty or have a value by themselves; it takes nothing away and makes nothing narrower."""
    url, tables = released
    asyncio.run(migrate.migrate(url))

    def look(db):
        now = MetaData()
        now.reflect(db)
        return now

    now = on(url, look)
    for name, table in tables.tables.items():
        assert set(table.c.keys()) <= set(now.tables[name].c.keys())
        for column in now.tables[name].c:
            if column.name in table.c:
                before = table.c[column.name]
                assert str(before.type) == str(column.type)
                assert (before.nullable, before.primary_key) == (column.nullable, column.primary_key)
            else:
                assert column.nullable or column.server_default is not None, f"{name}.{column.name}: the older version says nothing about it"
