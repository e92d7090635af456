"""The schema: made by its steps, equal to the models, never changed twice, and refused when it is not ours."""

import asyncio
import shutil
import sqlite3

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from storing import newcomer

from hanpan.server.storage import migrate
from hanpan.server.storage.database import address, open_engine
from hanpan.server.storage.migrate import SchemaError
from hanpan.server.storage.models import StorageError
from hanpan.server.storage.store import Store
from hanpan.server.storage.tables import metadata

NEXT = '''"""A later step."""
import sqlalchemy as sa
from alembic import op

revision = "later"
down_revision = "{newest}"


def upgrade():
    op.add_column("person", sa.Column("motto", sa.Text()))
    {more}
'''


@pytest.fixture
def file(tmp_path):
    return tmp_path / "data" / "hanpan.db"


@pytest.fixture
def url(file):
    return f"sqlite:///{file}"


@pytest.fixture
def later_version(tmp_path, monkeypatch):
    """Makes the program one that knows a further step; gives a way back to the program of today."""

    def become(more="pass"):
        folder = tmp_path / "migrations"
        shutil.copytree(migrate.STEPS, folder, ignore=shutil.ignore_patterns("__pycache__"))
        (folder / "slater_next.py").write_text(NEXT.format(more=more, newest=migrate.newest()), "utf-8")
        monkeypatch.setattr(migrate, "STEPS", folder)
        return monkeypatch.undo

    return become


def schema(file):
    with sqlite3.connect(file) as connection:
        return connection.execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall(), connection.execute("PRAGMA schema_version").fetchone()


async def on(url, work):
    """What `work` finds in a database."""
    engine = open_engine(address(url))
    try:
        async with engine.begin() as connection:
            return await connection.run_sync(work)
    finally:
        await engine.dispose()


async def opened_and_closed(url, name="Ann", **options):
    store = await Store.open(url, **options)
    person = await newcomer(store, name)
    await store.close()
    return person


def test_steps_and_models_agree(empty_url):
    asyncio.run(migrate.migrate(empty_url))

    def differences(connection):
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        return compare_metadata(context, metadata)

    assert asyncio.run(on(empty_url, differences)) == []


def test_a_second_start_changes_nothing(url, file):
    assert asyncio.run(migrate.migrate(url))
    before = schema(file)
    assert not asyncio.run(migrate.migrate(url))
    asyncio.run(opened_and_closed(url))
    asyncio.run(opened_and_closed(url, "Ben", upgrade=False))
    assert schema(file) == before


def test_two_that_start_at_once_make_one_schema(empty_url):
    async def both():
        return await asyncio.gather(migrate.migrate(empty_url), migrate.migrate(empty_url))

    assert sorted(asyncio.run(both())) == [False, True]


def test_an_older_schema_is_brought_up_to_date_and_keeps_what_it_holds(url, file, later_version):
    person = asyncio.run(opened_and_closed(url))
    later_version()
    with pytest.raises(SchemaError, match="older than later"):
        asyncio.run(Store.open(url, upgrade=False))
    assert asyncio.run(migrate.migrate(url))
    with sqlite3.connect(file) as connection:
        assert connection.execute("SELECT id, name, motto FROM person").fetchall() == [(person.id, "Ann", None)]


def test_reports_from_before_chat_was_kept_stay_as_they_were(url, file, tmp_path, monkeypatch):
    shutil.copytree(migrate.STEPS, tmp_path / "older", ignore=shutil.ignore_patterns("__pycache__", "s000[4-9]*", "s00[1-9]*"))
    with monkeypatch.context() as patch:
        patch.setattr(migrate, "STEPS", tmp_path / "older")
        asyncio.run(migrate.migrate(url))
    with sqlite3.connect(file) as connection:
        connection.executemany("INSERT INTO person (id, name, kind, created_at, token_version) VALUES (?, ?, 'guest', 1, 0)", [("a", "Ann"), ("b", "Bob")])
        connection.execute("INSERT INTO report (id, person_id, about_id, text, message, at) VALUES ('r', 'a', 'b', 'rude', 'ugh', 5)")

    async def read():
        store = await Store.open(url)
        kept = await store.moderation.reports(still_open=True)
        said = await store.chat.last("room", 100, 0)
        await store.close()
        return kept, said

    (report,), said = asyncio.run(read())
    assert (report.text, report.message, report.message_id, said) == ("rude", "ugh", None, [])


def test_a_newer_schema_is_refused_and_left_alone(url, file, later_version):
    today = later_version()
    asyncio.run(migrate.migrate(url))
    today()
    before = schema(file)
    for options in ({}, {"upgrade": False}):
        with pytest.raises(SchemaError, match="later is newer than"):
            asyncio.run(Store.open(url, **options))
    assert schema(file) == before


def test_a_step_that_fails_leaves_the_schema_as_it_was(url, file, later_version):
    asyncio.run(migrate.migrate(url))
    before = schema(file)[0]
    later_version(more='op.execute("nonsense")')
    with pytest.raises(StorageError, match="nonsense"):
        asyncio.run(migrate.migrate(url))
    assert schema(file)[0] == before


def test_a_database_of_something_else_is_refused_and_left_alone(url, file):
    file.parent.mkdir()
    with sqlite3.connect(file) as connection:
        connection.execute("CREATE TABLE recipes (id)")
    before = file.read_bytes()
    with pytest.raises(SchemaError, match=r"something else already .*recipes"):
        asyncio.run(Store.open(url))
    assert file.read_bytes() == before
    file.write_bytes(b"a letter to my aunt, which is long enough to be taken for a database by its size alone" * 20)
    with pytest.raises(StorageError, match="not a database"):
        asyncio.run(Store.open(url))


def test_a_database_that_is_not_there_is_not_made_unless_wanted(url, file):
    with pytest.raises(SchemaError, match="there is no"):
        asyncio.run(Store.open(url, upgrade=False))
    assert not file.exists()


@pytest.mark.parametrize(
    ("address", "why"),
    [("mysql://host/x", "'mysql' is not known"), ("what?", "not a URL"), ("sqlite://", "is a file"), ("sqlite:///:memory:", "is a file")],
)
def test_an_address_that_is_none_is_refused_in_words(address, why):
    with pytest.raises(StorageError, match=why):
        asyncio.run(Store.open(address))


def test_a_folder_that_cannot_be_made_is_told(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StorageError, match="file"):
        asyncio.run(Store.open(f"sqlite:///{tmp_path}/file/hanpan.db"))
