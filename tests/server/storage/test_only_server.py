"""One server alone serves a database, or processes that are one by Redis."""

import asyncio
import logging
import signal

import pytest
from databases import PostgreSQL, needed

from hanpan.server.storage import only_server as module
from hanpan.server.storage.models import StorageError, Unreachable
from hanpan.server.storage.only_server import only_server

pytestmark = pytest.mark.slow


async def refused(url, alone):
    with pytest.raises(StorageError) as found:
        async with only_server(url, alone, wait=0):
            pass
    return str(found.value)


async def test_a_database_has_one_server_at_a_time(url):
    async with only_server(url, alone=True):
        assert "another server uses" in await refused(url, alone=True)
    async with only_server(url, alone=True, wait=0):
        pass


async def test_processes_with_redis_serve_together_but_not_beside_one_without(postgresql_url):
    async with only_server(postgresql_url, alone=False), only_server(postgresql_url, alone=False, wait=0):
        assert "another server uses this database" in await refused(postgresql_url, alone=True)
    async with only_server(postgresql_url, alone=True, wait=0):
        assert "a server without Redis uses this database" in await refused(postgresql_url, alone=False)


async def test_whoever_comes_waits_for_one_that_is_going(postgresql_url):
    async def serve(opened):
        async with only_server(postgresql_url, alone=True):
            opened.set()
            await asyncio.Event().wait()

    here, there = asyncio.Event(), asyncio.Event()
    first = asyncio.create_task(serve(here))
    await here.wait()
    second = asyncio.create_task(serve(there))
    first.cancel()
    await there.wait()
    second.cancel()


async def test_after_the_database_was_started_again_it_is_held_anew(monkeypatch, caplog):
    needed("postgres", "postgresql")
    monkeypatch.setattr(module, "_LOOK", 0.05)
    database = PostgreSQL()
    try:
        url = database.url("postgres")
        async with only_server(url, alone=True):
            await asyncio.to_thread(database.stop, signal.SIGQUIT)
            with pytest.raises(Unreachable):
                async with only_server(url, alone=True, wait=0):
                    pass
            await asyncio.to_thread(database.start)
            with caplog.at_level(logging.ERROR, "hanpan.server"):
                while not await asyncio.to_thread(database.execute, "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted"):
                    await asyncio.sleep(0.05)
            assert "another server uses this database" in await refused(url, alone=True)
    finally:
        database.close()
