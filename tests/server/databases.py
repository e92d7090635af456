"""Real PostgreSQL and Redis servers for tests: on free ports of loopback, with their data in a temporary folder, ended with the tests however those end."""

import asyncio
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest
from kept import Kept, tell
from serving import PATIENT, free_port

from hanpan.server.storage import migrate

# Nothing here outlives a test run, so no commit needs to wait for the disk; it has reached the system, which is enough where only processes die.
QUICK = {"fsync": "off", "full_page_writes": "off", "shared_buffers": "32MB", "max_connections": "200", "dynamic_shared_memory_type": "mmap"}


def program(name):
    """A server's program, where Debian and others put it; None if it is not there."""
    found = shutil.which(name)
    return Path(found) if found else next(iter(sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), reverse=True)), None)


def needed(name, package):
    """A program without which a test is left out; in CI nothing is."""
    found = program(name)
    if found is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(f"no {name} here (apt-get install {package})")
    return found


def _unprivileged():
    """Who runs PostgreSQL, which refuses to be root's: us, or whoever is there for such things."""
    if os.geteuid() != 0:
        return {}
    for name in ("postgres", "nobody"):
        with suppress(KeyError):
            who = pwd.getpwnam(name)
            return {"user": who.pw_uid, "group": who.pw_gid, "extra_groups": []}
    raise AssertionError("PostgreSQL refuses to be root's, and there is no user postgres or nobody")


class Served:
    """A server program that can be stopped in any way and started again on the same data and port."""

    def __init__(self, name, host):
        self.host, self.folder, self.port, self.process = host, Path(tempfile.mkdtemp(prefix=f"hanpan-{name}-")), free_port(), None
        self.log = self.folder / "log"
        tell(str(self.folder))

    def start(self):
        with self.log.open("ab") as log:
            self.process = Kept(self.command(), cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log, **self.who())
        until = time.monotonic() + PATIENT
        while not self.ready():
            assert self.process.poll() is None, self.log.read_text()
            assert time.monotonic() < until, self.log.read_text()
            time.sleep(0.02)
        return self

    def who(self):
        return {}

    def stop(self, number):
        self.process.send_signal(number)
        self.process.wait(PATIENT)

    def close(self):
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait(PATIENT)
        shutil.rmtree(self.folder, ignore_errors=True)


class PostgreSQL(Served):
    """A PostgreSQL server. To stop it: SIGTERM waits for whoever is connected, SIGINT ends their transactions, SIGQUIT is as bad as a power cut."""

    def __init__(self, host="127.0.0.1", **settings):
        super().__init__("postgresql", host)
        self._settings, self._numbers = QUICK | settings, count()
        who = self.who()
        if who:
            os.chown(self.folder, who["user"], who["group"])
        initdb = [program("initdb"), "-D", "data", "-U", "hanpan", "--auth=trust", "--no-sync", "--encoding=UTF8", "--no-locale"]
        made = subprocess.run(initdb, cwd=self.folder, capture_output=True, text=True, check=False, **who)
        assert made.returncode == 0, made.stderr
        with (self.folder / "data" / "pg_hba.conf").open("a") as file:
            file.write("host all all samenet trust\n")
        self.start()
        self.migrated = None

    def who(self):
        return _unprivileged()

    def command(self):
        settings = [part for name, value in self._settings.items() for part in ("-c", f"{name}={value}")]
        return [program("postgres"), "-D", "data", "-h", self.host, "-p", str(self.port), "-k", "", *settings]

    def ready(self):
        asked = [program("pg_isready"), "-q", "-h", self.host, "-p", str(self.port), "-d", "postgres"]
        return subprocess.run(asked, check=False).returncode == 0

    def url(self, database):
        return f"postgresql+asyncpg://hanpan@{self.host}:{self.port}/{database}"

    def execute(self, statement, database="postgres"):
        """Do something outside of any transaction; what it finds."""
        import asyncpg

        async def work():
            connection = await asyncpg.connect(host=self.host, port=self.port, user="hanpan", database=database)
            try:
                return await connection.fetch(statement)
            finally:
                await connection.close()

        return asyncio.run(work())

    def empty(self):
        """The name of a new database."""
        name = f"d{next(self._numbers)}"
        self.execute(f"CREATE DATABASE {name}")
        return name

    def fresh(self):
        """The name of a new database with today's schema: a copy of one that was migrated once."""
        if self.migrated is None:
            migrated = self.empty()
            asyncio.run(migrate.migrate(self.url(migrated)))
            self.migrated = migrated
        name = f"d{next(self._numbers)}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE {self.migrated}")
        return name

    def drop(self, name):
        self.execute(f"DROP DATABASE {name} WITH (FORCE)")


class Redis(Served):
    """A Redis server that keeps nothing on disk."""

    def __init__(self, host="127.0.0.1"):
        super().__init__("redis", host)
        self.url = f"redis://{host}:{self.port}/0"
        self.start()

    def command(self):
        return [program("redis-server"), "--bind", self.host, "--port", str(self.port), "--save", "", "--appendonly", "no", "--protected-mode", "no"]

    def ready(self):
        with suppress(OSError):
            return self._told(b"PING").startswith(b"+PONG")
        return False

    def flush(self):
        """It forgets everything."""
        assert self._told(b"FLUSHALL").startswith(b"+OK")

    def _told(self, command):
        with socket.create_connection((self.host, self.port), timeout=10) as connection:
            connection.sendall(command + b"\r\n")
            return connection.recv(64)


@pytest.fixture(scope="session")
def postgresql():
    """One PostgreSQL server for all tests that do not stop it."""
    needed("postgres", "postgresql")
    running = PostgreSQL()
    yield running
    running.close()


@pytest.fixture(scope="session")
def redis_server():
    """One Redis server for all tests that do not stop it."""
    needed("redis-server", "redis-server")
    running = Redis()
    yield running
    running.close()


@pytest.fixture
def redis_url(redis_server):
    """The address of an empty Redis."""
    yield redis_server.url
    redis_server.flush()


@pytest.fixture
def postgresql_url(postgresql):
    """The address of a new database with today's schema, kept by a PostgreSQL server."""
    name = postgresql.fresh()
    yield postgresql.url(name)
    postgresql.drop(name)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def url(request, tmp_path):
    """The address of a new database of each kind."""
    return f"sqlite:///{tmp_path}/hanpan.db" if request.param == "sqlite" else request.getfixturevalue("postgresql_url")


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def empty_url(request, tmp_path):
    """The address of a database of each kind that has no table yet."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/data/hanpan.db"
        return
    postgresql = request.getfixturevalue("postgresql")
    name = postgresql.empty()
    yield postgresql.url(name)
    postgresql.drop(name)
