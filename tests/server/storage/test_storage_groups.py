"""Many writes a commit: nothing that failed drags others along, and a group does what its writes would do one by one."""

import asyncio
import sqlite3
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import event
from sqlalchemy.engine import Engine
from storing import action, begun, texts, with_store

from hanpan.server.storage import database
from hanpan.server.storage.models import ActionRow, Finish, StorageError
from hanpan.server.storage.store import Store


@pytest.fixture
def file_url(tmp_path):
    return f"sqlite:///{tmp_path}/hanpan.db"


def test_writes_that_wait_together_are_one_commit(url):
    async def work(store):
        await asyncio.gather(*(begun(store, f"g{number}") for number in range(200)))
        before = store.commits
        assert all(await asyncio.gather(*(store.append(f"g{number}", 0, action(0)) for number in range(200))))
        assert store.commits == before + 1

    with_store(url, work)


def test_what_fails_alone_does_not_take_its_neighbours_down(url):
    async def work(store):
        await asyncio.gather(*(begun(store, f"g{number}") for number in range(5)))
        answers = await asyncio.gather(
            store.append("g0", 0, action(0)),
            store.append("g1", 7, action(7)),
            store.append("g2", 0, ActionRow("\ud800", 0, 0, 0)),  # cannot be encoded
            store.append("g3", 0, action(0), Finish(1, {}, {"nobody": ("toy", 1.0)})),
            store.append("g4", 0, action(0)),
            store.save_room("room", {"kept": True}),
            return_exceptions=True,
        )
        assert [answer if isinstance(answer, bool | None) else type(answer) for answer in answers] == [True, False, StorageError, StorageError, True, None]
        assert [await texts(store, f"g{number}") for number in range(5)] == [["a0"], [], [], [], ["a0"]]
        assert (await store.game("g3")).ended_at is None
        assert [row.id for row in await store.rooms()] == ["room"]
        with pytest.raises(TypeError):
            await store.save_room("room", {"not JSON": object()})

    with_store(url, work)


def test_when_the_database_is_locked_nobody_is_acknowledged_and_nothing_is_stored(file_url, tmp_path, monkeypatch):
    monkeypatch.setattr(database, "_BUSY_MS", 20)

    async def work(store):
        await asyncio.gather(begun(store, "g"), begun(store, "h"))
        lock = sqlite3.connect(tmp_path / "hanpan.db", isolation_level=None)
        lock.execute("BEGIN IMMEDIATE")
        failed = await asyncio.gather(store.append("g", 0, action(0)), store.append("h", 0, action(0)), return_exceptions=True)
        assert [type(failure) for failure in failed] == [StorageError] * 2
        assert "locked" in str(failed[0])
        lock.execute("ROLLBACK")
        lock.close()
        assert await texts(store, "g") == await texts(store, "h") == []
        assert await store.append("g", 0, action(0))

    with_store(file_url, work)


def test_when_the_disk_is_full_a_group_fails_as_a_whole(file_url):
    def small(connection, _):
        connection.execute("PRAGMA max_page_count=100").close()

    async def work(store):
        await asyncio.gather(begun(store, "g"), begun(store, "h"))
        ply = 0
        while True:
            wide = ActionRow("x" * 20_000, 0, 0, 0)
            answers = await asyncio.gather(store.append("g", ply, action(ply)), store.append("h", ply, wide), return_exceptions=True)
            if answers != [True, True]:
                break
            ply += 1
        assert [type(answer) for answer in answers] == [StorageError] * 2
        assert "full" in str(answers[0])
        assert len(await texts(store, "g")) == len(await texts(store, "h")) == ply > 0
        return ply

    event.listen(Engine, "connect", small)
    try:
        stored = with_store(file_url, work)
    finally:
        event.remove(Engine, "connect", small)

    async def with_space_again(store):
        assert await store.append("g", stored, action(stored))

    with_store(file_url, with_space_again)


def test_whoever_stops_waiting_does_not_stop_the_others(url):
    async def work(store):
        await begun(store)
        leaver = asyncio.create_task(store.append("g", 0, action(0)))
        stayer = asyncio.create_task(store.append("g", 1, action(1)))
        await asyncio.sleep(0)
        leaver.cancel()
        assert await stayer
        assert await texts(store) == ["a0", "a1"]

    with_store(url, work)


def test_closing_writes_what_waits_and_then_refuses(url):
    async def work():
        store = await Store.open(url)
        await begun(store)
        await store.ping()
        waiting = [asyncio.create_task(store.append("g", ply, action(ply))) for ply in range(10)]
        await asyncio.sleep(0)
        await store.close()
        assert [task.result() for task in waiting] == [True] * 10
        with pytest.raises(StorageError, match="closed"):
            await store.append("g", 10, action(10))
        with pytest.raises(StorageError, match="closed"):
            await store.ping()

    asyncio.run(work())


# A write to one of two games: how far its ply is from where the game stands, and whether it ends the game, or knows where it stands.
OFTEN_RIGHT = st.sampled_from([0, 0, 0, 0, 0, 0, 1, -1])
NEW = count()  # games that nobody had before
WRITE = st.one_of(
    st.tuples(st.just("append"), st.sampled_from("gh"), OFTEN_RIGHT, st.sampled_from([False] * 9 + [True])),
    st.tuples(st.just("append"), st.sampled_from("gh"), st.just(0), st.just(False)),
    st.tuples(st.just("take back"), st.sampled_from("gh"), st.integers(-4, 0), st.none() | OFTEN_RIGHT),
)


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def running(request, tmp_path_factory):
    """A loop with an open store."""
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path_factory.mktemp('groups')}/hanpan.db"
    else:
        postgresql = request.getfixturevalue("postgresql")
        url = postgresql.url(postgresql.fresh())
    with asyncio.Runner() as runner:
        store = runner.run(Store.open(url))
        yield runner, store
        runner.run(store.close())


class Expected:
    """What a game should be, one write after another."""

    def __init__(self):
        self.actions, self.ended = [], False

    def append(self, ply, text, end):
        if self.ended or ply != len(self.actions):
            return False
        self.actions.append(text)
        self.ended = end
        return True

    def take_back(self, ply, stands):
        if self.ended or not 0 <= ply < len(self.actions) or stands not in (None, len(self.actions)):
            return False
        del self.actions[ply:]
        return True


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(groups=st.lists(st.lists(WRITE, min_size=1, max_size=12), max_size=4))
def test_a_group_does_what_its_requests_would_do_one_by_one(running, groups):
    runner, store = running

    async def work():
        ids = {name: f"{next(NEW):016x}" for name in "gh"}
        expected = {name: Expected() for name in "gh"}
        for id in ids.values():
            await begun(store, id)
        for number, group in enumerate(groups):
            writes, should = [], []
            for place, (kind, name, offset, more) in enumerate(group):
                now, said = len(expected[name].actions), f"{number}.{place}"
                if kind == "append":
                    writes.append(store.append(ids[name], now + offset, ActionRow(said, 0, 0, 0), Finish(1, {}) if more else None))
                    should.append(expected[name].append(now + offset, said, more))
                else:
                    stands = None if more is None else now + more
                    writes.append(store.take_back(ids[name], now + offset, stands))
                    should.append(expected[name].take_back(now + offset, stands))
            before = store.commits
            assert await asyncio.gather(*writes) == should
            assert store.commits == before + 1  # nothing had to be tried alone
        for name, id in ids.items():
            found = await store.game(id)
            assert ([played.text for played in found.actions], found.ended_at is not None) == (expected[name].actions, expected[name].ended)

    runner.run(work())
