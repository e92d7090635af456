"""The schema's steps: brings a database to the schema of this version, or says why it cannot."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import aclosing
from errno import EACCES
from pathlib import Path
from typing import TypeVar

from alembic.migration import MigrationContext
from alembic.operations import Operations
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import URL, Connection, func, inspect, select
from sqlalchemy.exc import DBAPIError

from hanpan.server.storage.database import address, embedded_file, is_unreachable, open_engine, own_file, reason
from hanpan.server.storage.models import StorageError, Unreachable

T = TypeVar("T")

_LOCK = 0x68616E70616E  # any number that nobody else locks in the same database
STEPS = Path(__file__).with_name("migrations")


class SchemaError(StorageError):
    """The database is not one that this version can use."""


async def migrate(url: str) -> bool:
    """Bring a database to the newest schema, whole or not at all; whether anything was to do."""
    file = embedded_file(address(url))
    if file is not None:
        try:
            file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            own_file(file)
        except OSError as wrong:
            raise StorageError(f"database: {wrong}") from None
    return await _connected(url, upgrade)


async def check(url: str) -> None:
    """SchemaError unless a database is there and has the newest schema, StorageError if one may not use it. Nothing is changed."""
    file = embedded_file(address(url))
    blank = file is not None and not _size(file)  # SQLite would make a database of it
    found = None if blank else await _connected(url, revision)
    if found is None:
        raise SchemaError(f"database: {file or 'it'} is empty; no server has opened it yet")
    if found != newest():
        raise SchemaError(f"database: its schema {found} is older than {newest()}; start the server, which brings it up to date")


def _size(file: Path) -> int:
    """How many bytes a database has; SchemaError where there is none, StorageError where it is not one's own to read and write."""
    try:
        size = file.stat().st_size
        if not os.access(file, os.R_OK | os.W_OK, effective_ids=os.access in os.supports_effective_ids):
            raise PermissionError(EACCES, os.strerror(EACCES))
    except (FileNotFoundError, NotADirectoryError):
        raise SchemaError(f"database: there is no {file}; --data names the folder in which a server keeps its data") from None
    except OSError as wrong:
        raise StorageError(f"database: {file} can't be used ({wrong.strerror}); whoever the server runs as can") from None
    return size


async def _connected(url: str, work: Callable[[Connection], T]) -> T:
    where = address(url)
    engine = open_engine(where)
    try:
        try:
            connection = await engine.connect()
        except Exception as wrong:  # before there is a connection drivers raise what they like
            raise unusable(where, wrong) from wrong
        async with aclosing(connection), connection.begin():
            return await connection.run_sync(work)
    except (DBAPIError, OSError) as wrong:
        raise unusable(where, wrong) from wrong
    finally:
        await engine.dispose()


def unusable(url: URL, wrong: Exception) -> StorageError:
    """What is wrong with a database that can't be opened."""
    file = embedded_file(url)
    return (Unreachable if is_unreachable(wrong) else StorageError)(f"database: {reason(wrong)}" if file is None else f"database: {file}: {reason(wrong)}")


def newest() -> str:
    """The revision of the newest schema."""
    return str(_steps().get_current_head())


def revision(connection: Connection) -> str | None:
    """The revision of a database's schema, None when it is empty. SchemaError when it is not one of ours."""
    found = MigrationContext.configure(connection).get_current_heads()
    if not found:
        if others := sorted(set(inspect(connection).get_table_names()) - {"alembic_version"}):
            raise SchemaError(f"database: it holds something else already (the table {others[0]!r})")
        return None
    try:
        _steps().get_revisions(found)
    except CommandError:
        raise SchemaError(f"database: its schema {found[0]} is newer than {newest()}, the newest that this version knows; use a newer version") from None
    return found[0]


def upgrade(connection: Connection) -> bool:
    """Take the steps that are missing, inside the caller's transaction; others who want to wait until it has ended."""
    if connection.dialect.name == "postgresql":  # elsewhere the transaction keeps them out
        connection.execute(select(func.pg_advisory_xact_lock(_LOCK)))
    have, steps = revision(connection), _steps()
    missing = list(steps.iterate_revisions("head", have or "base"))
    context = MigrationContext.configure(connection)
    with Operations.context(context):
        for step in reversed(missing):
            step.module.upgrade()
    if missing:
        context.stamp(steps, "head")
    return bool(missing)


def _steps() -> ScriptDirectory:
    return ScriptDirectory(STEPS, version_locations=[STEPS])
