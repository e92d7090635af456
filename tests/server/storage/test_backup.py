"""Copies of the database: made under a running server, put back only where nothing is lost, and refused with a reason otherwise."""

import asyncio
import os
import shutil
import sqlite3
import stat
import subprocess
import sys

import pytest
from storing import newcomer, with_store

from hanpan.server.app import make_app
from hanpan.server.people.tokens import secret_of
from hanpan.server.settings import Settings
from hanpan.server.storage.backup import Contents, backup, restore
from hanpan.server.storage.migrate import SchemaError
from hanpan.server.storage.models import ActionRow, Finish, GameRow, StorageError


@pytest.fixture
def url(tmp_path):
    return f"sqlite:///{tmp_path}/hanpan.db"


@pytest.fixture
def other(tmp_path):
    return f"sqlite:///{tmp_path}/other/hanpan.db"


async def filled(store):
    """A store with someone, a room and a game of three actions."""
    person = await newcomer(store, "Ann", "account")
    await store.save_room("room", {"seats": [person.id]})
    await store.add_game(GameRow("g", "room", "toy", {}, {}, [{"person": person.id}], True, 1))
    for ply in range(2):
        await store.append("g", ply, ActionRow(f"a{ply}", 0, 0, 0))
    await store.append("g", 2, ActionRow("a2", 0, 0, 0), Finish(9, {"winner": [0]}, {person.id: ("toy", 5.0)}))
    return person


async def everything(store):
    game = await store.game("g")
    return await store.rooms(), game, await store.games_of(game.people[0]["person"]), await store.leaderboard("toy"), await store.changes_of("g")


@pytest.mark.slow
def test_a_backup_brings_everything_back(url, other, tmp_path):
    with_store(url, filled)
    assert backup(url, tmp_path / "copy") == Contents(people=1, rooms=1, games=1, actions=3)
    assert stat.S_IMODE((tmp_path / "copy").stat().st_mode) == 0o600
    assert restore(tmp_path / "copy", other) == Contents(1, 1, 1, 3)
    assert with_store(other, everything) == with_store(url, everything)
    assert with_store(other, lambda store: newcomer(store, "Bob"))  # and it can be written to


def test_the_database_and_what_is_beside_it_are_their_owners_alone_whatever_was_there(tmp_path, monkeypatch):
    folder = tmp_path / "data"
    folder.mkdir(mode=0o755)
    before = os.umask(0)
    try:
        (folder / "hanpan.db").touch(mode=0o666)
        app = make_app(Settings(data=folder))
        secret_of(folder)  # as the server does when it opens

        async def work(store):
            await filled(store)
            return {file.name: stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()}

        rights = with_store(f"sqlite:///{folder / 'hanpan.db'}", work)
        restore_to = tmp_path / "elsewhere" / "other.db"
        backup(f"sqlite:///{folder / 'hanpan.db'}", tmp_path / "copy")
        restore(tmp_path / "copy", f"sqlite:///{restore_to}")
    finally:
        os.umask(before)
    assert app is not None
    assert {"hanpan.db", "hanpan.db-wal", "hanpan.db-shm", "secret"} <= rights.keys()
    assert set(rights.values()) == {0o600}
    assert [stat.S_IMODE(path.stat().st_mode) for path in (folder, tmp_path / "copy", restore_to, restore_to.parent)] == [0o700, 0o600, 0o600, 0o700]


@pytest.mark.slow
def test_a_backup_of_a_database_being_written_is_one_moment_of_it(url, other, tmp_path):
    async def work(store):
        await store.add_game(GameRow("g", "room", "toy", {}, {}, [], False, 1))
        plies, copies, stop = [], [], asyncio.Event()

        async def play():
            ply = 0
            while not stop.is_set():
                assert await store.append("g", ply, ActionRow(f"a{ply}", 0, 0, 0), None)
                ply += 1
                plies.append(ply)

        playing = asyncio.create_task(play())
        for number in range(5):
            while len(plies) < 20 * (number + 1):
                await asyncio.sleep(0)
            before = plies[-1]
            contents = await asyncio.to_thread(backup, url, tmp_path / f"copy{number}")
            copies.append((before, contents.actions, plies[-1] + 1))
        stop.set()
        await playing
        return copies

    for number, (before, copied, after) in enumerate(with_store(url, work)):
        assert before <= copied <= after
        restore(tmp_path / f"copy{number}", other, overwrite=True)
        game = with_store(other, lambda store: store.game("g"))
        assert [action.text for action in game.actions] == [f"a{ply}" for ply in range(copied)]


def test_a_backup_never_overwrites_a_file_and_leaves_nothing_half_made(url, tmp_path):
    with_store(url, filled)
    (tmp_path / "copy").write_text("precious")
    with pytest.raises(StorageError, match="exists already"):
        backup(url, tmp_path / "copy")
    assert (tmp_path / "copy").read_text() == "precious"
    with pytest.raises(StorageError, match="no/such"):
        backup(url, tmp_path / "no/such/folder/copy")
    (tmp_path / "again.part").write_text("left by one that was killed")
    backup(url, tmp_path / "again")
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith("again")) == ["again"]


def test_there_must_be_something_to_back_up(url, tmp_path):
    with pytest.raises(StorageError, match="No such file"):
        backup(url, tmp_path / "copy")
    sqlite3.connect(tmp_path / "hanpan.db").execute("VACUUM").close()
    with pytest.raises(StorageError):
        backup(url, tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


def test_a_database_that_holds_something_is_replaced_only_on_demand(url, other, tmp_path):
    with_store(url, filled)
    backup(url, tmp_path / "copy")
    with_store(other, lambda store: newcomer(store, "Bob"))
    with pytest.raises(StorageError, match=r"not empty \(1 people, 0 rooms, 0 games, 0 actions\)"):
        restore(tmp_path / "copy", other)
    assert with_store(other, lambda store: store.leaderboard("toy")) == []
    restore(tmp_path / "copy", other, overwrite=True)
    assert with_store(other, everything) == with_store(url, everything)


def test_a_new_database_without_contents_may_be_replaced(url, other, tmp_path):
    with_store(url, filled)
    backup(url, tmp_path / "copy")
    with_store(other, lambda store: store.ping())
    restore(tmp_path / "copy", other)
    assert with_store(other, everything) == with_store(url, everything)


def test_a_running_servers_database_is_not_replaced(url, tmp_path):
    async def refused(store):
        await filled(store)
        await asyncio.to_thread(backup, url, tmp_path / "copy")
        with pytest.raises(StorageError, match="stop the server first"):
            await asyncio.to_thread(restore, tmp_path / "copy", url, overwrite=True)
        assert await store.save_room("later", {}) is None
        assert len(await store.rooms()) == 2

    with_store(url, refused)


def test_only_a_whole_backup_of_a_known_schema_is_restored(url, other, tmp_path):
    with_store(url, filled)
    backup(url, tmp_path / "copy")
    (tmp_path / "letter").write_text("Dear aunt, " * 500)
    with pytest.raises(StorageError, match="not a database of ours"):
        restore(tmp_path / "letter", other)
    with pytest.raises(StorageError, match="No such file"):
        restore(tmp_path / "nothing", other)
    whole = (tmp_path / "copy").read_bytes()
    (tmp_path / "torn").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(StorageError, match="damaged"):
        restore(tmp_path / "torn", other)
    shutil.copy(tmp_path / "copy", tmp_path / "newer")
    with sqlite3.connect(tmp_path / "newer") as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(SchemaError, match="9999 is newer"):
        restore(tmp_path / "newer", other)
    with sqlite3.connect(tmp_path / "recipes") as connection:
        connection.execute("CREATE TABLE recipes (id)")
    with pytest.raises(SchemaError, match="recipes"):
        restore(tmp_path / "recipes", other)
    with_store(url, everything)
    assert not (tmp_path / "other").exists()


def _scribbled(whole):
    return b"scribble" * 16 + whole[128:]


def _in_the_middle(whole):
    return whole[: len(whole) // 4] + b"scribble" * (len(whole) // 16) + whole[3 * len(whole) // 4 :]


@pytest.mark.parametrize(
    "spoil",
    [lambda whole: whole[:5000], _scribbled, _in_the_middle, lambda whole: bytes(len(whole)), lambda whole: b"Dear aunt, " * 500],
    ids=["torn", "its head", "its middle", "zeros", "a letter"],
)
def test_a_damaged_database_is_moved_aside_for_a_backup_and_never_lost(url, tmp_path, spoil):
    with_store(url, filled)
    kept, file = with_store(url, everything), tmp_path / "hanpan.db"
    backup(url, tmp_path / "copy")
    for name in ("hanpan.db.damaged", "hanpan.db.damaged2"):
        damaged = spoil(file.read_bytes())
        file.write_bytes(damaged)
        (tmp_path / "hanpan.db-wal").write_bytes(b"what was written last")
        with pytest.raises(StorageError, match=r"hanpan\.db can't be read .*--replace moves it aside"):
            restore(tmp_path / "copy", url)
        assert file.read_bytes() == damaged
        told = []
        assert restore(tmp_path / "copy", url, overwrite=True, tell=told.append) == Contents(1, 1, 1, 3)
        assert (tmp_path / name).read_bytes() == damaged
        assert (tmp_path / f"{name}-wal").read_bytes() == b"what was written last"
        assert len(told) == 1
        assert str(tmp_path / name) in told[0]
        assert with_store(url, everything) == kept


def test_what_was_written_last_is_not_lost_where_the_database_itself_is_gone(url, tmp_path):
    with_store(url, filled)
    backup(url, tmp_path / "copy")
    (tmp_path / "hanpan.db").write_bytes(b"")
    (tmp_path / "hanpan.db-wal").write_bytes(b"what was written last")
    with pytest.raises(StorageError, match="--replace moves it aside"):
        restore(tmp_path / "copy", url)
    restore(tmp_path / "copy", url, overwrite=True)
    assert (tmp_path / "hanpan.db.damaged-wal").read_bytes() == b"what was written last"


def test_a_damaged_database_is_not_moved_away_from_under_a_running_server(url, tmp_path):
    with_store(url, filled)
    backup(url, tmp_path / "copy")
    file = tmp_path / "hanpan.db"
    other = "import sqlite3, sys; db = sqlite3.connect(sys.argv[1]); db.execute('SELECT * FROM person').fetchall(); print(flush=True); sys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", other, file], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as running:
        running.stdout.readline()
        damaged = _scribbled(file.read_bytes())
        file.write_bytes(damaged)
        with pytest.raises(StorageError, match="stop the server first"):
            restore(tmp_path / "copy", url, overwrite=True)
        assert file.read_bytes() == damaged
        running.stdin.close()
    assert restore(tmp_path / "copy", url, overwrite=True) == Contents(1, 1, 1, 3)


def test_a_database_kept_by_a_server_is_left_to_its_own_tool(tmp_path):
    with pytest.raises(StorageError, match="pg_dump"):
        backup("postgresql://host/hanpan", tmp_path / "copy")
    with pytest.raises(StorageError, match="pg_restore"):
        restore(tmp_path / "copy", "postgresql://host/hanpan")
