"""Copies of the embedded database: one made while the server runs, and the way back."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from sqlalchemy import create_engine, func, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from hanpan.server.storage.database import BESIDE, address, embedded_file, own_file
from hanpan.server.storage.migrate import SchemaError, revision
from hanpan.server.storage.models import StorageError
from hanpan.server.storage.tables import action, game, person, room

try:
    import fcntl
except ImportError:  # not on this system: there nobody can move a file that is open
    fcntl = None  # type: ignore[assignment]

_HEAD = b"SQLite format 3\0"
_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_IOERR)
_LOCKS = (0x40000000, 512)  # where SQLite locks the file of a database, from and how many bytes: connections keep some of them


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


def restore(file: str | Path, url: str, overwrite: bool = False, tell: Callable[[str], None] = lambda said: None) -> Contents:
    """Put a backup in the place of a database that is empty, or may be overwritten, and that no server uses. StorageError says why it cannot.

    What is there and can't be read is moved aside if it may be overwritten, and `tell` is told where it is.
    """
    source, target = Path(file), _embedded(url, "restore", "pg_restore --clean --dbname=URL FILE")
    contents = _look(source, "restore")
    try:
        if damage := _damage(target):
            if not overwrite:
                raise StorageError(f"restore: {target} can't be read ({damage}); --replace moves it aside")
            tell(f"{target} can't be read ({damage}); it is kept as {_move_aside(target)}")
        elif not overwrite and target.exists() and target.stat().st_size:
            held = _look(target, "restore", empty=True)
            if held != Contents(0, 0, 0, 0):
                raise StorageError(f"restore: {target} is not empty ({held}); --replace puts the backup in its place, and what it holds is lost")
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        own_file(target)
        with closing(sqlite3.connect(_uri(source, "ro"), uri=True)) as old, closing(sqlite3.connect(_uri(target, "rwc"), uri=True, timeout=1)) as new:
            _alone(new, target)
            old.backup(new)  # in one transaction: killed half-way, the old contents come back
    except (sqlite3.Error, OSError) as wrong:
        raise StorageError(f"restore: {wrong}") from wrong
    return contents


def _damage(file: Path) -> str | None:
    """Why the file of a database can't be read; None where it can, or where there is none. Nothing is changed."""
    if not file.exists() or not file.stat().st_size:  # SQLite would delete what is beside it, which may be all that is left
        wal = file.with_name(file.name + "-wal")
        return f"it is empty, but {wal.name} is not" if wal.exists() and wal.stat().st_size else None
    try:
        with closing(sqlite3.connect(_uri(file, "ro"), uri=True, timeout=1)) as connection:
            found = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
    except sqlite3.DatabaseError as wrong:
        if wrong.sqlite_errorcode & 0xFF in _DAMAGE:
            return str(wrong)
        raise
    return None if found == "ok" else found


def _move_aside(file: Path) -> Path:
    """Give a database that can't be read, with what is beside it, a name that says so; which. StorageError if a server has it open."""
    if file.exists() and fcntl is not None:
        with file.open("rb+") as opened:
            try:
                fcntl.lockf(opened, fcntl.LOCK_EX | fcntl.LOCK_NB, _LOCKS[1], _LOCKS[0])
            except OSError:
                raise _in_use(file) from None
    names = (f"{file.name}.damaged{number if number > 1 else ''}" for number in count(1))
    aside = file.with_name(next(name for name in names if not any(file.with_name(name + end).exists() for end in ("", *BESIDE))))
    for end in (*BESIDE, ""):  # what is beside it first: it would be taken for the new one's
        if (each := file.with_name(file.name + end)).exists():
            each.rename(aside.with_name(aside.name + end))
    return aside


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
        raise _in_use(target)


def _in_use(target: Path) -> StorageError:
    return StorageError(f"restore: {target} is in use; stop the server first")


def _uri(file: Path, mode: str) -> str:
    return f"{file.absolute().as_uri()}?mode={mode}"


def _keep(path: Path) -> None:
    """Make sure that the disk has it."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
