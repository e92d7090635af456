"""The way to a database: its address, reading from it, and transactions that write to it."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TypedDict, TypeVar

from sqlalchemy import URL, Connection, Engine, Executable, RootTransaction, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnection
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from hanpan.server.storage.models import StorageError, Unreachable

T = TypeVar("T")

BESIDE = ("-wal", "-shm", "-journal")  # what SQLite keeps beside a database, by the end of its name
_DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg"}
_BUSY_MS = 5000  # how long another process may hold the embedded database
_RETRY_MS = 5
_ATTEMPTS = 4  # for what was only overtaken by someone else, or met a connection that had ended long ago
_CONNECTING, _ANSWERING = 5, 10  # seconds that a server has; then it counts as away
_UNFINISHED_MS = 3000  # a process that stops in the middle of a transaction holds what others need no longer than this


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
    except (ArgumentError, ValueError):  # neither it nor what they say of it is told: there may be a password in it
        raise StorageError("database: not a URL such as sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME") from None
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
    """A folder for what is nobody else's business: made if it is not there, and open to its owner only. StorageError if it can't be made."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as wrong:
        raise StorageError(f"data: the folder {folder} can't be made ({wrong.strerror})") from None
    with suppress(PermissionError):  # someone else's, who decides about it
        folder.chmod(0o700)


def own_file(file: Path) -> None:
    """A file that its owner only may read, made if it is not there; of a database SQLite gives the files beside it (-wal, -shm) the same rights."""
    os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))
    for each in (file, *(file.with_name(file.name + end) for end in BESIDE)):
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


def wall_clock() -> int:
    """The time by this machine's clock, in milliseconds."""
    return time.time_ns() // 1_000_000


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
    """An engine whose transactions write and may take their time: for migrations."""
    if embedded_file(url) is None:
        return _served(url, None)
    engine = create_async_engine(url, **engine_options())
    prepare_embedded(engine.sync_engine, "BEGIN IMMEDIATE", f"busy_timeout={_BUSY_MS}")
    return engine


def _served(url: URL, answering: float | None, **options: object) -> AsyncEngine:
    """An engine for a database that a server keeps."""
    settings = {"application_name": "hanpan"} | ({} if answering is None else {"idle_in_transaction_session_timeout": str(_UNFINISHED_MS)})
    arguments = {"timeout": _CONNECTING, "command_timeout": answering, "server_settings": settings}
    try:
        return create_async_engine(url, connect_args=arguments, **engine_options(), **options)
    except ModuleNotFoundError as missing:
        raise StorageError(f"database: {missing.name}, which speaks to it, is not installed (pip install 'hanpan[cluster]')") from None


def is_unreachable(failure: BaseException) -> bool:
    """Whether a database's server is at fault that cannot be reached, is going down or coming up, or does not answer."""
    if isinstance(failure, DBAPIError):
        state = _state(failure)
        return failure.connection_invalidated or state.startswith("08") or state in ("25P03", "53300", "57P01", "57P02", "57P03")
    return isinstance(failure, OSError | NoConnection)


def _overtaken(failure: BaseException) -> bool:
    """Whether a transaction was undone only because of another one's."""
    return isinstance(failure, DBAPIError) and _state(failure) in ("40001", "40P01")


def _state(failure: DBAPIError) -> str:
    """What a server says is wrong, by the five letters of the SQL standard."""
    return getattr(failure.orig, "sqlstate", None) or ""


async def _let_go(connection: AsyncConnection, failure: BaseException | None) -> None:
    """Give a connection back, or end it where nothing can be said over it any more (also not that a transaction is undone)."""
    if failure is not None and is_unreachable(failure):
        await connection.invalidate()
    await connection.close()


def made(db: Connection, kind: Callable[..., T], query: Executable, given: Mapping[str, object] | None = None) -> list[T]:
    """What a query finds; of each row's columns, in their order, a `kind` is made."""
    return [kind(*row) for row in db.execute(query, given)]


class Reader:
    """Reads in transactions that see one moment of the database."""

    def __init__(self, url: URL) -> None:
        if embedded_file(url) is None:
            self._engine = _served(url, 3 * _ANSWERING, isolation_level="REPEATABLE READ", max_overflow=5)
        else:
            self._engine = create_async_engine(url, **engine_options())
            prepare_embedded(self._engine.sync_engine, "BEGIN", f"busy_timeout={_BUSY_MS}", "query_only=ON")

    async def read(self, work: Callable[[Connection], T]) -> T:
        """What `work` finds. Unreachable: the database cannot be reached now."""
        attempts = _ATTEMPTS
        while True:
            attempts -= 1
            try:
                return await self._once(work)
            except (DBAPIError, OSError, NoConnection) as failure:
                if not attempts or not (isinstance(failure, DBAPIError) and is_unreachable(failure)):
                    raise (Unreachable if is_unreachable(failure) else StorageError)(f"not read: {reason(failure)}") from failure

    async def _once(self, work: Callable[[Connection], T]) -> T:
        connection, failed = await self._engine.connect(), None
        try:
            return await connection.run_sync(work)
        except BaseException as failure:
            failed = failure
            raise
        finally:
            await _let_go(connection, failed)

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


def reason(failure: BaseException) -> str:
    """What a failure says, or what it is called if it says nothing."""
    return str(getattr(failure, "orig", None) or failure) or type(failure).__name__


class ServedTransactions:
    """Transactions on a database kept by a server."""

    parallel = True

    def __init__(self, url: URL) -> None:
        self._engine = _served(url, _ANSWERING, pool_size=3, max_overflow=2)

    async def transact(self, work: Callable[[Connection], None]) -> None:
        """Do `work` and commit it; on any exception nothing is changed, but on Unreachable that is not certain.

        What did not come as far as its commit is done once more where that may help: after another transaction was in its way, and where the connection had
        ended meanwhile, as all do when the server is started again.
        """
        attempts = _ATTEMPTS
        while True:
            attempts -= 1
            committing: list[bool] = []
            try:
                await self._once(work, committing)
                return
            except (DBAPIError, OSError, NoConnection) as failure:
                ended = isinstance(failure, DBAPIError) and is_unreachable(failure) and not committing
                if attempts and (ended or _overtaken(failure)):
                    continue
                if is_unreachable(failure):
                    raise Unreachable(f"not stored, as far as is known: {reason(failure)}") from failure
                raise

    async def _once(self, work: Callable[[Connection], None], committing: list[bool]) -> None:
        connection, failed = await self._engine.connect(), None
        try:
            transaction = await connection.begin()
            await connection.run_sync(work)
            committing.append(True)
            await transaction.commit()
        except BaseException as failure:
            failed = failure
            raise
        finally:
            await _let_go(connection, failed)

    async def close(self) -> None:
        """Let go of all connections."""
        await self._engine.dispose()


class EmbeddedTransactions:
    """Transactions on an SQLite file.

    Statements run right here on the event loop and only the commit, which waits for the disk, in a thread: SQLite's part of a statement takes
    microseconds, while each step of a thread beside a busy loop waits up to five milliseconds for the interpreter's lock.
    """

    parallel = False

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
