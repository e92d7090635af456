"""Which processes are there, by a real database and a real Redis."""

import asyncio
from contextlib import AsyncExitStack

from storing import opened

from hanpan.server.cluster.nodes import LEASE_MS, Nodes, SharedClock
from hanpan.server.cluster.redis_bus import RedisBus


async def test_a_process_that_has_just_been_started_is_known_as_soon_as_it_matters(postgresql_url, redis_url):
    async with opened(postgresql_url) as store:
        bus = RedisBus("a", redis_url, "test")
        await bus.open()
        nodes = Nodes(store.leases, bus, SharedClock())
        await nodes.open()
        try:
            await store.leases.join("b", 100 * LEASE_MS)
            await nodes.look()
            assert nodes.others == {"b"}
            await store.leases.leave("b")
            await nodes.look()
            assert nodes.others == set()
        finally:
            await nodes.close()
            await bus.close()


async def test_what_a_process_had_is_nobodys_when_others_hear_that_it_has_gone(postgresql_url, redis_url):
    async with opened(postgresql_url) as store, AsyncExitStack() as ended:

        async def begun(name):
            bus = RedisBus(name, redis_url, "test")
            await bus.open()
            ended.push_async_callback(bus.close)
            nodes = Nodes(store.leases, bus, SharedClock())
            await nodes.open()
            return bus, nodes

        (_, one), (bus, other) = await begun("a"), await begun("b")
        left = asyncio.get_running_loop().create_future()

        async def hear_gone(sender, body):
            left.set_result([node.id for node in await store.leases.nodes()])

        bus.on("gone", hear_gone)
        await one.close()
        assert await left == ["b"]
        await other.close()
