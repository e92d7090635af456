"""What the tests of the storage share."""

import asyncio
from contextlib import asynccontextmanager

from hanpan.server.storage.models import ActionRow, GameRow
from hanpan.server.storage.names import folded
from hanpan.server.storage.store import Store


@asynccontextmanager
async def opened(url, **options):
    """A store, while it is open."""
    store = await Store.open(url, **options)
    try:
        yield store
    finally:
        await store.close()


def with_store(url, work, **options):
    """What `work` gives with an open store."""

    async def done():
        async with opened(url, **options) as store:
            return await work(store)

    return asyncio.run(done())


async def newcomer(store, name, kind="guest", owner_id=None):
    """Someone with a name that nobody had."""
    person = await store.add_person(name, folded(name), kind, owner_id)
    assert person is not None, name
    return person


def action(ply):
    return ActionRow(f"a{ply}", ply % 2, 1000 + ply, 2000 + ply, 10, 1, False)


def a_game(id, name="toy", people=(), rated=False, started_at=5):
    return GameRow(id, "room", name, {"size": 3}, {"main": 600_000}, [{"person": who} for who in people], rated, started_at)


async def begun(store, id="g", plies=0, **more):
    assert await store.add_game(a_game(id, **more))
    for ply in range(plies):
        assert await store.append(id, ply, action(ply))


async def texts(store, id="g"):
    return [played.text for played in (await store.game(id)).actions]
