"""Which processes are there, by a real database and a real Redis."""

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
