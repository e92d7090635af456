"""Leases: a room is one node's at a time, whoever lost it writes nothing any more, and only the database's clock counts."""

import asyncio
import time
from contextlib import asynccontextmanager

import pytest
from sqlalchemy import event, select, text, update
from sqlalchemy.engine import Engine
from storing import a_game, action, begun, newcomer, texts, with_store

from hanpan.server.storage.leases import HeldBy, Taken
from hanpan.server.storage.models import Expired, Fence, Fenced, Finish, Said
from hanpan.server.storage.store import Store
from hanpan.server.storage.tables import lease, node
from hanpan.server.storage.writes import Append, Change, perform

LONG = 3_600_000


@asynccontextmanager
async def stores(url, number):
    """As many processes would have them."""
    opened = [await Store.open(url) for _ in range(number)]
    try:
        yield opened
    finally:
        for each in opened:
            await each.close()


async def over(store, id):
    """A node's time is over, as the database sees it."""
    assert await store._writer.write(Change(lambda db: db.execute(update(node).where(node.c.id == id).values(alive_until=1)).rowcount == 1))


async def taken(store, id, room="room"):
    await store.leases.join(id, LONG)
    found = await store.leases.take(room, id)
    assert isinstance(found, Taken)
    return found.fence


# --- nodes ---


async def test_nodes_know_of_each_other_while_they_live(url):
    async with stores(url, 2) as (one, two):
        first = await one.leases.join("a", LONG, {"url": "http://a"})
        assert await two.leases.join("b", LONG) >= first
        assert await one.leases.beat("a", LONG) >= first
        assert [(each.id, each.document) for each in await two.leases.nodes()] == [("a", {"url": "http://a"}), ("b", {})]
        await one.leases.beat("a", LONG, {"draining": True})
        await over(two, "b")
        assert [(each.id, each.document) for each in await two.leases.nodes()] == [("a", {"draining": True})]
        await one.leases.leave("a")
        assert await two.leases.nodes() == []
        with pytest.raises(Expired):
            await one.leases.beat("a", LONG)


async def test_a_node_comes_back_unless_a_room_was_taken_from_it(url):
    async with stores(url, 2) as (one, two):
        await taken(one, "a")
        await over(one, "a")
        await one.leases.beat("a", LONG)  # nobody has noticed
        await two.leases.join("b", LONG)
        assert await two.leases.take("room", "b") == HeldBy("a")
        await over(one, "a")
        assert await two.leases.take("room", "b") == Taken(Fence("room", 2))
        with pytest.raises(Expired, match="node a"):
            await one.leases.beat("a", LONG)
        with pytest.raises(Expired, match="node a"):
            await one.leases.take("other", "a")


async def test_only_the_databases_clock_counts(url, monkeypatch):
    async with stores(url, 2) as (one, two):
        real = await one.leases.now()
        assert abs(real - time.time_ns() // 1_000_000) < LONG
        await taken(one, "a")
        await two.leases.join("b", LONG)
        for hours in (-24, 24):
            monkeypatch.setattr(time, "time_ns", lambda hours=hours: (real + hours * LONG) * 1_000_000)
            monkeypatch.setattr(time, "time", lambda hours=hours: real / 1000 + hours * 3600)
            assert real <= await two.leases.beat("b", LONG) < real + LONG
            assert await two.leases.take("room", "b") == HeldBy("a")
            assert await two.leases.owner("room") == "a"


# --- rooms ---


async def test_a_room_is_taken_given_and_left(url):
    async with stores(url, 2) as (one, two):
        assert await two.leases.owner("room") is None
        assert await taken(one, "a") == Fence("room", 1)
        assert await one.leases.take("room", "a") == Taken(Fence("room", 1))  # it is ours already
        await two.leases.join("b", LONG)
        assert await two.leases.take("room", "b") == HeldBy("a")
        assert await two.leases.owner("room") == "a"
        assert await two.leases.give("room", "b", "b") is None
        assert await one.leases.give("room", "a", "nobody") is None
        assert await one.leases.give("room", "a", "b") == Fence("room", 2)
        assert await one.leases.take("room", "a") == HeldBy("b")
        await two.leases.leave("b")
        assert await one.leases.owners(["room", "other"]) == {}
        assert await one.leases.take("room", "a") == Taken(Fence("room", 3))
        assert await one.leases.owners(["room", "other"]) == {"room": "a"}


async def test_orphans_are_rooms_that_no_living_node_holds(url):
    async with stores(url, 2) as (one, two):
        for id in ("r1", "r2", "r3", "r4"):
            await one.save_room(id, {})
        await two.leases.join("b", LONG)
        await taken(one, "a", "r1")
        await one.leases.take("r2", "a")
        await two.leases.take("r3", "b")
        assert await two.leases.orphans() == ["r4"]
        await over(one, "a")
        assert await two.leases.orphans() == ["r1", "r2", "r4"]
        assert await two.leases.orphans(limit=2) == ["r1", "r2"]
        await two.leases.leave("b")
        assert await two.leases.orphans() == ["r1", "r2", "r3", "r4"]


async def leased(store):
    return sorted(await store._reader.read(lambda db: list(db.scalars(select(lease.c.room_id)))))


async def test_a_lease_goes_with_its_room(url):
    async with stores(url, 1) as (store,):
        for id in ("room", "other"):
            await store.save_room(id, {})
        fence = await taken(store, "a")
        await store.leases.take("other", "a")
        await store.remove_room("room", fence)
        assert await leased(store) == ["other"]
        assert await store.leases.orphans() == []


async def test_leases_of_rooms_that_are_gone_are_forgotten_unless_a_living_node_holds_them(url):
    async with stores(url, 1) as (store,):
        await store.save_room("there", {})
        for node, rooms in {"a": ("there", "dead"), "b": ("held",), "c": ("left",)}.items():
            await store.leases.join(node, LONG)
            for id in rooms:
                await store.leases.take(id, node)
        await over(store, "a")
        await store.leases.leave("c")
        await store.leases.forget()
        assert await leased(store) == ["held", "there"]


@pytest.mark.slow
async def test_of_twenty_who_take_at_once_one_has_it(url):
    async with stores(url, 4) as four:
        names = [f"n{number}" for number in range(20)]
        for name in names:
            await four[0].leases.join(name, LONG)
        for fence in range(1, 6):  # first it is nobody's, then always a dead node's
            found = await asyncio.gather(*(four[number % 4].leases.take("room", name) for number, name in enumerate(names)))
            winners = [name for name, each in zip(names, found, strict=True) if isinstance(each, Taken)]
            assert len(winners) == 1
            assert found[names.index(winners[0])] == Taken(Fence("room", fence))
            assert {each.owner for each in found if isinstance(each, HeldBy)} == set(winners)
            names.remove(winners[0])
            await over(four[0], winners[0])


# --- fences ---


async def test_who_has_lost_a_room_writes_nothing_about_it(url):
    async with stores(url, 2) as (zombie, heir):
        old = await taken(zombie, "a")
        ann = await newcomer(zombie, "Ann")
        await zombie.save_room("room", {"is": 1}, old)
        assert await zombie.add_game(a_game("g"), old)
        assert await zombie.append("g", 0, action(0), fence=old)
        await over(zombie, "a")
        new = await taken(heir, "b")
        message = Said("m", "room", ann.id, "hello", 10, False)
        for write in (
            lambda fence: zombie.save_room("room", {"is": 2}, fence),
            lambda fence: zombie.remove_room("room", fence),
            lambda fence: zombie.add_game(a_game("g2"), fence),
            lambda fence: zombie.append("g", 1, action(1), fence=fence),
            lambda fence: zombie.append("g", 1, None, Finish(9, {}), fence),
            lambda fence: zombie.take_back("g", 0, 1, ("room", {"is": 3}), fence),
            lambda fence: zombie.set_people("g", [{"person": ann.id}], fence),
            lambda fence: zombie.chat.add(message, 0, fence),
        ):
            for fence in (old, Fence("room", 99), Fence("never taken", 1)):
                with pytest.raises(Fenced):
                    await write(fence)
        game = await heir.game("g")
        assert (len(game.actions), game.ended_at, game.people) == (1, None, [])
        assert await heir.game("g2") is None
        assert [row.document for row in await heir.rooms()] == [{"is": 1}]
        assert await heir.chat.last("room", 10, 0) == []
        assert await heir.append("g", 1, action(1), fence=new)
        await heir.remove_room("room", new)
        with pytest.raises(Fenced):  # a room that is gone does not come back
            await zombie.save_room("room", {}, old)
        assert await heir.rooms() == []


async def test_what_is_fenced_takes_nobody_else_of_its_group_along(url):
    async with stores(url, 1) as (store,):
        fence = await taken(store, "a")
        mine = (await store.leases.take("mine", "a")).fence
        await asyncio.gather(begun(store, "g"), begun(store, "h"), begun(store, "free"))
        await store.leases.join("b", LONG)
        assert await store.leases.give("room", "a", "b")
        before = store.commits
        answers = await asyncio.gather(
            store.append("g", 0, action(0), fence=fence),
            store.append("h", 0, action(0), fence=mine),
            store.append("free", 0, action(0)),
            return_exceptions=True,
        )
        assert isinstance(answers[0], Fenced)
        assert answers[1:] == [True, True]
        assert store.commits == before + 1
        assert [await texts(store, id) for id in ("g", "h", "free")] == [[], ["a0"], ["a0"]]


async def test_a_write_that_waits_while_the_room_is_taken_is_not_stored(postgresql_url):
    """The heir is in the middle of taking the room: a write that came before is waited for, one that comes after waits, and is refused."""
    async with stores(postgresql_url, 2) as (zombie, heir):
        ann, bob = [(await newcomer(zombie, name, "account")).id for name in ("Ann", "Bob")]
        fence = await taken(zombie, "a")
        await begun(zombie, plies=3, people=[ann, bob], rated=True)
        end = Finish(77, {"winner": [0]}, {ann: ("toy", 10.0), bob: ("toy", -10.0)})
        await over(zombie, "a")
        await heir.leases.join("b", LONG)
        holding, go_on = asyncio.Event(), asyncio.Event()

        async def take():
            async with heir._writer._transactions._engine.begin() as db:
                await db.execute(select(lease).where(lease.c.room_id == "room").with_for_update())
                holding.set()
                await go_on.wait()
                await db.execute(update(lease).where(lease.c.room_id == "room").values(owner="b", fence=fence.number + 1))

        taking = asyncio.create_task(take())
        await holding.wait()
        late = [asyncio.create_task(zombie.append("g", 3, action(3), end, fence)) for _ in range(2)]
        while not await waits_for_a_lock(heir):
            await asyncio.sleep(0.01)
        assert not any(task.done() for task in late)
        go_on.set()
        await taking
        assert all(isinstance(answer, Fenced) for answer in await asyncio.gather(*late, return_exceptions=True))
        assert len(await texts(heir)) == 3
        again = Finish(78, {"winner": [0]}, {ann: ("toy", 10.0), bob: ("toy", -10.0)})
        assert await heir.append("g", 3, action(3), again, Fence("room", fence.number + 1))
        with pytest.raises(Fenced):
            await zombie.append("g", 3, action(3), end, fence)
        assert [(step.before, step.after) for step in await heir.history(ann, "toy")] == [(1300, 1310)]


async def waits_for_a_lock(store):
    query = text("select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")
    return await store._reader.read(lambda db: db.scalar(query)) > 0


async def test_a_taking_waits_for_what_the_owner_is_writing(postgresql_url):
    async with stores(postgresql_url, 2) as (owner, heir):
        fence = await taken(owner, "a")
        await begun(owner)
        await over(owner, "a")
        await heir.leases.join("b", LONG)
        writing, go_on = asyncio.Event(), asyncio.Event()

        async def slow():
            async with owner._writer._transactions._engine.begin() as db:
                await db.run_sync(perform, [Append("g", 0, action(0), None, None, fence=fence)])
                writing.set()
                await go_on.wait()

        writes = asyncio.create_task(slow())
        await writing.wait()
        taking = asyncio.create_task(heir.leases.take("room", "b"))
        while not await waits_for_a_lock(heir):
            await asyncio.sleep(0.01)
        assert not taking.done()
        go_on.set()
        await writes
        assert await taking == Taken(Fence("room", 2))
        assert await texts(heir) == ["a0"]  # who has the room now sees all that was written before


def test_without_a_fence_nothing_more_is_asked(url):
    """A single process, which has no leases, pays nothing for them."""
    asked = []

    def count(connection, cursor, statement, *_):
        asked.append(statement)

    async def work(store):
        await begun(store)
        event.listen(Engine, "before_cursor_execute", count)
        try:
            assert await store.append("g", 0, action(0))
        finally:
            event.remove(Engine, "before_cursor_execute", count)

    with_store(url, work)
    assert asked
    assert not any("lease" in statement for statement in asked)
