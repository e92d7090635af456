"""Copies of the embedded database: one made while the server runs, and the way back."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import create_engine, func, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from hanpan.server.storage.database import address, embedded_file, own_file
from hanpan.server.storage.migrate import SchemaError, revision
from hanpan.server.storage.models import StorageError
from hanpan.server.storage.tables import action, game, person, room

_HEAD = b"SQLite format 3\0"


@dataclass(frozen=True)
class Contents:
    """How much a database holds."""

    people: int
    rooms: int
    games: int
    actions: int

    def __str__(self) -> str:
        return f"{self.people} people, {self.rooms} rooms, {self.games} games, {self.actions} actions"


def backup(url: str, file: str | Path) -> Contents:
    """Copy a database, as it is at one moment, into a new file; a server may be writing meanwhile. StorageError says why it cannot."""
    source, target = _embedded(url, "backup", "pg_dump --format=custom --file=FILE"), Path(file)
    if target.exists():
        raise StorageError(f"backup: {target} exists already")
    _look(source, "backup")
    part = target.with_name(f"{target.name}.part")
    try:
        part.unlink(missing_ok=True)
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))  # for the operator's eyes: it holds everybody's games
        with closing(sqlite3.connect(_uri(source, "rw"), uri=True)) as connection:
            connection.execute("VACUUM INTO ?", (str(part),))
        part.chmod(0o600)
        contents = _look(part, "backup")
        _keep(part)
        part.rename(target)
        _keep(target.parent)
    except (sqlite3.Error, OSError) as wrong:
        part.unlink(missing_ok=True)
        raise StorageError(f"backup: {wrong}") from wrong
    return contents


def restore(file: str | Path, url: str, overwrite: bool = False) -> Contents:
    """Put a backup in the place of a database that is empty, or may be overwritten, and that no server uses. StorageError says why it cannot."""
    source, target = Path(file), _embedded(url, "restore", "pg_restore --clean --dbname=URL FILE")
    contents = _look(source, "restore")
    if not overwrite and target.exists() and target.stat().st_size:
        held = _look(target, "restore", empty=True)
        if held != Contents(0, 0, 0, 0):
            raise StorageError(f"restore: {target} is not empty ({held}); it is replaced only when you say so")
    try:
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        own_file(target)
        with closing(sqlite3.connect(_uri(source, "ro"), uri=True)) as old, closing(sqlite3.connect(_uri(target, "rwc"), uri=True, timeout=1)) as new:
            _alone(new, target)
            old.backup(new)  # in one transaction: killed half-way, the old contents come back
    except (sqlite3.Error, OSError) as wrong:
        raise StorageError(f"restore: {wrong}") from wrong
    return contents


def _embedded(url: str, what: str, tool: str) -> Path:
    file = embedded_file(address(url))
    if file is None:
        raise StorageError(f"{what}: a PostgreSQL server keeps this database, and its own tool does this: {tool}")
    return file


def _look(file: Path, what: str, empty: bool = False) -> Contents:
    """What a file holds, after checking that it is an undamaged database of ours (or, where that will do, one without any table)."""
    try:
        with file.open("rb") as opened:
            if opened.read(len(_HEAD)) != _HEAD:
                raise StorageError(f"{what}: {file} is not a database of ours")
        engine = create_engine("sqlite://", creator=lambda: sqlite3.connect(_uri(file, "rw"), uri=True), poolclass=NullPool)
        with engine.connect() as db:
            found = revision(db)
            if found is None and not empty:
                raise SchemaError(f"{what}: {file} is an empty database")
            if (damage := db.exec_driver_sql("PRAGMA quick_check(1)").scalar()) != "ok":
                raise StorageError(f"{what}: {file} is damaged ({damage})")
            if found is None:
                return Contents(0, 0, 0, 0)
            return Contents(*(db.scalar(select(func.count()).select_from(table)) or 0 for table in (person, room, game, action)))
    except SchemaError as wrong:
        raise SchemaError(f"{what}: {file}: {str(wrong).removeprefix('database: ')}") from None
    except DBAPIError as wrong:
        raise StorageError(f"{what}: {file} is damaged or in use ({wrong.orig})") from wrong
    except OSError as wrong:
        raise StorageError(f"{what}: {wrong}") from wrong


def _alone(connection: sqlite3.Connection, target: Path) -> None:
    """Leave the mode in which several use a database at once: SQLite allows that only to the last one."""
    try:
        mode = connection.execute("PRAGMA journal_mode=DELETE").fetchone()[0]
    except sqlite3.OperationalError:
        mode = "in use"
    if mode != "delete":
        raise StorageError(f"restore: {target} is in use; stop the server first")


def _uri(file: Path, mode: str) -> str:
    return f"{file.absolute().as_uri()}?mode={mode}"


def _keep(path: Path) -> None:
    """Make sure that the disk has it."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
