"""Who may serve a database: one server alone, or processes that are one by Redis. Each room lives in one process, and two strangers would both have it."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path

from sqlalchemy import URL
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from hanpan.server.storage.database import address, embedded_file, open_engine
from hanpan.server.storage.migrate import unusable
from hanpan.server.storage.models import StorageError

try:
    import fcntl
except ImportError:  # not on every system
    fcntl = None  # type: ignore[assignment]

log = logging.getLogger("hanpan.server")

_LOCK = 0x736572766572  # any number that nobody else locks in the same database
_WAIT = 20.0  # seconds that whoever has it may need to go: as long as it takes until the database notices that a machine is gone
_ASK, _LOOK, _ANSWERING = 0.5, 5.0, 10.0
_NOTICED = {"idle": 5, "interval": 5, "count": 2}  # of a connection's other end: seconds, seconds, times


@asynccontextmanager
async def only_server(url: str, alone: bool, wait: float = _WAIT) -> AsyncIterator[None]:
    """What a server holds while it is open; `alone` says that it shares with no other process. StorageError says who is in the way.

    It ends with the process however that ends; commands that read or write beside the server need none.
    """
    where = address(url)
    file = embedded_file(where)
    if file is not None:
        with _held(file):
            yield
        return
    claim = Claim(where, alone)
    try:
        await claim.take(wait)
        keeping = asyncio.create_task(claim.keep())
        try:
            yield
        finally:
            keeping.cancel()
            with suppress(asyncio.CancelledError):
                await keeping
    finally:
        await claim.close()


@contextmanager
def _held(file: Path) -> Iterator[None]:
    """A lock of the system's beside an embedded database."""
    if fcntl is None:
        yield
        return
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        held = os.open(file.with_name(f"{file.name}.lock"), os.O_CREAT | os.O_RDWR, 0o600)
    except OSError as wrong:
        raise StorageError(f"database: nothing can be kept in {file.parent} ({wrong.strerror})") from None
    try:
        _hold(held, file.parent)
        yield
    finally:
        os.close(held)


def _hold(file: int, folder: Path) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise StorageError(f"another server uses {folder} already; stop it first, or give this one a folder of its own (--data)") from None
    except OSError:
        pass  # a file system that knows no locks


class Claim:
    """A lock of PostgreSQL's, which ends with its connection: whoever serves alone has it alone, processes with Redis have it together."""

    def __init__(self, url: URL, alone: bool) -> None:
        self._url, self._alone = url, alone
        self._engine = open_engine(url)
        self._connection: AsyncConnection | None = None

    async def take(self, wait: float) -> None:
        """Have it, within some seconds; StorageError if someone else keeps it, or the database cannot be reached."""
        until, told = time.monotonic() + wait, False
        while not await self._try():
            if time.monotonic() > until:
                raise StorageError(self._in_the_way())
            if not told:
                log.warning("%s; waiting for it to go", self._in_the_way())
                told = True
            await asyncio.sleep(_ASK)

    async def keep(self) -> None:
        """As long as the server is open: where the connection has ended (the database was started again), have it again."""
        lost = False
        while True:
            await asyncio.sleep(_LOOK)
            with suppress(StorageError):  # the database is away, as others say
                had = await self._try()
                if not had and not lost:
                    log.error("%s", self._in_the_way())
                lost = not had

    async def close(self) -> None:
        """Let go of it."""
        await self._forget()
        await self._engine.dispose()

    async def _try(self) -> bool:
        """Whether it is ours, now or since before."""
        try:
            async with asyncio.timeout(_ANSWERING):
                if self._connection is not None:
                    await self._connection.exec_driver_sql("SELECT 1")
                    return True
                self._connection = await self._connected()
                kind = "" if self._alone else "_shared"
                if (await self._connection.exec_driver_sql(f"SELECT pg_try_advisory_lock{kind}({_LOCK})")).scalar_one():
                    return True
        except (DBAPIError, OSError, TimeoutError) as wrong:
            await self._forget()
            raise unusable(self._url, wrong) from wrong
        await self._forget()
        return False

    async def _connected(self) -> AsyncConnection:
        try:
            connection = await self._engine.connect()
        except Exception as wrong:  # before there is a connection drivers raise what they like
            raise unusable(self._url, wrong) from wrong
        await connection.execution_options(isolation_level="AUTOCOMMIT")
        for name, value in _NOTICED.items():  # else a machine that has lost its power would have it for hours
            await connection.exec_driver_sql(f"SET tcp_keepalives_{name} = {value}")
        return connection

    async def _forget(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.invalidate()
            await connection.close()

    def _in_the_way(self) -> str:
        if self._alone:
            return "another server uses this database already; stop it first, or make both one server by giving them one Redis (--redis)"
        return "a server without Redis uses this database already; stop it first, or give it the same Redis (--redis)"
