"""The way to a database: its address, reading from it, and transactions that write to it."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TypedDict, TypeVar

from sqlalchemy import URL, Connection, Engine, Executable, RootTransaction, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from hanpan.server.storage.models import StorageError

T = TypeVar("T")

_DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg"}
_BUSY_MS = 5000  # how long another process may hold the embedded database
_RETRY_MS = 5


def address(url: str) -> URL:
    """A database's URL with the driver that is used here.

    >>> address("sqlite:///games.db").drivername
    'sqlite+aiosqlite'
    >>> address("mysql://host/games")
    Traceback (most recent call last):
    hanpan.server.storage.models.StorageError: database: 'mysql' is not known here; use sqlite:///FILE or postgresql://…
    """
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise StorageError(f"database: {url!r} is not a URL such as sqlite:///FILE or postgresql://…") from None
    kind = parsed.get_backend_name()
    if kind not in _DRIVERS:
        raise StorageError(f"database: {kind!r} is not known here; use sqlite:///FILE or postgresql://…")
    if kind == "sqlite" and (parsed.database or ":memory:").startswith((":memory:", "file:")):
        raise StorageError("database: the embedded one is a file: sqlite:///FILE")
    return parsed.set(drivername=_DRIVERS[kind])


def embedded_file(url: URL) -> Path | None:
    """The file of an embedded database; None where a server keeps it."""
    return Path(str(url.database)) if url.get_backend_name() == "sqlite" else None


def own_folder(folder: Path) -> None:
    """A folder for what is nobody else's business: made if it is not there, and open to its owner only."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with suppress(PermissionError):  # someone else's, who decides about it
        folder.chmod(0o700)


def own_file(file: Path) -> None:
    """A database's file that its owner only may read; SQLite gives the files beside it (-wal, -shm) the same rights."""
    os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))
    for each in (file, *(file.with_name(file.name + end) for end in ("-wal", "-shm", "-journal"))):
        with suppress(FileNotFoundError, PermissionError):
            each.chmod(0o600)


class _JsonWays(TypedDict):
    json_serializer: Callable[[str], str]
    json_deserializer: Callable[[str], object]


def engine_options() -> _JsonWays:
    """Documents are handed over as JSON text (see `dump`), so nothing is left to serialize."""
    return {"json_serializer": _as_it_is, "json_deserializer": json.loads}


def _as_it_is(text: str) -> str:
    return text


def dump(document: object) -> str:
    """A document as JSON text; TypeError or ValueError when it is none."""
    return json.dumps(document, allow_nan=False, separators=(",", ":"))


def prepare_embedded(engine: Engine, begin: str, *pragmas: str) -> None:
    """Let every connection of an SQLite engine start its transactions explicitly: the driver alone begins none before a first change."""

    @event.listens_for(engine, "connect")
    def connected(connection: sqlite3.Connection, _: object) -> None:  # or the asynchronous driver's, which looks the same
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in pragmas:
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def started(connection: Connection) -> None:
        connection.exec_driver_sql(begin)


def open_engine(url: URL) -> AsyncEngine:
    """An engine whose transactions write: for migrations, and for a database kept by a server."""
    try:
        engine = create_async_engine(url, **engine_options())
    except ModuleNotFoundError as missing:
        raise StorageError(f"database: {missing.name}, which speaks to it, is not installed") from None
    if embedded_file(url) is not None:
        prepare_embedded(engine.sync_engine, "BEGIN IMMEDIATE", f"busy_timeout={_BUSY_MS}")
    return engine


def made(db: Connection, kind: Callable[..., T], query: Executable, given: Mapping[str, object] | None = None) -> list[T]:
    """What a query finds; of each row's columns, in their order, a `kind` is made."""
    return [kind(*row) for row in db.execute(query, given)]


class Reader:
    """Reads in transactions that see one moment of the database."""

    def __init__(self, url: URL) -> None:
        if embedded_file(url) is None:
            self._engine = create_async_engine(url, isolation_level="REPEATABLE READ", **engine_options())
        else:
            self._engine = create_async_engine(url, **engine_options())
            prepare_embedded(self._engine.sync_engine, "BEGIN", f"busy_timeout={_BUSY_MS}", "query_only=ON")

    async def read(self, work: Callable[[Connection], T]) -> T:
        """What `work` finds."""
        try:
            async with self._engine.connect() as connection:
                return await connection.run_sync(work)
        except (DBAPIError, OSError) as failure:
            raise StorageError(f"not read: {getattr(failure, 'orig', failure)}") from failure

    async def rows(self, kind: Callable[..., T], query: Executable, given: Mapping[str, object] | None = None) -> list[T]:
        """What a query finds, as `made` has it."""
        return await self.read(lambda db: made(db, kind, query, given))

    async def row(self, kind: Callable[..., T], query: Executable, given: Mapping[str, object] | None = None) -> T | None:
        """The only row that a query finds, or none."""
        found = await self.rows(kind, query, given)
        return found[0] if found else None

    async def close(self) -> None:
        """Let go of all connections."""
        await self._engine.dispose()


class ServedTransactions:
    """Transactions on a database kept by a server."""

    def __init__(self, url: URL) -> None:
        self._engine = open_engine(url)

    async def transact(self, work: Callable[[Connection], None]) -> None:
        """Do `work` and commit it; on any exception nothing is changed."""
        async with self._engine.begin() as connection:
            await connection.run_sync(work)

    async def close(self) -> None:
        """Let go of all connections."""
        await self._engine.dispose()


class EmbeddedTransactions:
    """Transactions on an SQLite file.

    Statements run right here on the event loop and only the commit, which waits for the disk, in a thread: SQLite's part of a statement takes
    microseconds, while each step of a thread beside a busy loop waits up to five milliseconds for the interpreter's lock.
    """

    def __init__(self, url: URL, synchronous: str) -> None:
        self._engine = create_engine(url.set(drivername="sqlite"), connect_args={"check_same_thread": False}, **engine_options())
        pragmas = (f"busy_timeout={_BUSY_MS}", "journal_mode=WAL", "busy_timeout=0", "foreign_keys=ON", f"synchronous={synchronous}")
        prepare_embedded(self._engine, "BEGIN IMMEDIATE", *pragmas)
        self._connection: Connection | None = None
        self._thread = ThreadPoolExecutor(1, "commit")

    async def transact(self, work: Callable[[Connection], None]) -> None:
        """Do `work` and commit it; on any exception nothing is changed."""
        if self._connection is None:
            self._connection = self._engine.connect()
        try:
            transaction = await self._begin(self._connection)
            work(self._connection)
            await asyncio.get_running_loop().run_in_executor(self._thread, transaction.commit)
        except Exception:
            self._connection.invalidate()  # closing rolls back whatever is open, even when the file is beyond use
            self._connection.close()
            self._connection = None
            raise

    async def _begin(self, connection: Connection) -> RootTransaction:
        """Begin as soon as no other process writes; the loop goes on meanwhile, which SQLite's own way to wait would not allow."""
        for _ in range(_BUSY_MS // _RETRY_MS):
            try:
                return connection.begin()
            except OperationalError as refused:
                if "locked" not in str(refused.orig):
                    raise
            await asyncio.sleep(_RETRY_MS / 1000)
        return connection.begin()

    async def close(self) -> None:
        """Let go of the connection and the thread."""
        self._thread.shutdown()
        if self._connection is not None:
            self._connection.close()
        self._engine.dispose()
