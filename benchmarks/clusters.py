"""Servers that a benchmark breaks, soaks or exchanges: one process with SQLite, or several with a PostgreSQL and a Redis of their own."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Protocol

ROOT = Path(__file__).parent.parent
sys.path += [str(ROOT / "tests" / "server"), str(ROOT / "tests" / "toy")]

from databases import PostgreSQL, Redis  # noqa: E402
from serving import ServerProcess  # noqa: E402

PATIENCE = 600.0  # where leaving is resigning, nobody has left who is slow to come back


class Cluster(Protocol):
    """The processes of a server, numbered from 0."""

    urls: tuple[str, ...]
    database: str  # its address, for whoever looks into it

    def start(self, number: int) -> None:
        """Start a process (again); it answers when this returns."""

    def kill(self, number: int) -> None:
        """SIGKILL."""

    def stop(self, number: int) -> None:
        """SIGSTOP: it does nothing any more, and nobody is told."""

    def cont(self, number: int) -> None:
        """SIGCONT."""

    def processes(self) -> list[int]:
        """Their numbers in the system."""

    def close(self) -> None:
        """End all of them."""


class OneProcess:
    """A single server with SQLite."""

    def __init__(self, data: Path, **settings: object) -> None:
        self._server = ServerProcess(data, patience=PATIENCE, **settings)
        self.urls, self.database = (self._server.url,), f"sqlite:///{data / 'hanpan.db'}"

    def start(self, number: int) -> None:
        self._server.start()

    def kill(self, number: int) -> None:
        self._server.kill()

    def stop(self, number: int) -> None:
        self._server.process.send_signal(signal.SIGSTOP)

    def cont(self, number: int) -> None:
        self._server.process.send_signal(signal.SIGCONT)

    def processes(self) -> list[int]:
        return [self._server.process.pid]

    def close(self) -> None:
        self._server.stop()


class ManyProcesses:
    """Several processes on one PostgreSQL and one Redis of their own, each with a clock that can be set wrong; with `cables`, each on a network of its own."""

    def __init__(self, data: Path, number: int, cables: bool = False, **settings: object) -> None:
        self.cables = Cables(number) if cables else None
        self.postgresql, self.redis = (PostgreSQL(DATABASE), Redis(REDIS)) if cables else (PostgreSQL(), Redis())
        self.database = self.postgresql.url(self.postgresql.fresh())
        self._servers = []
        for each in range(number):
            folder = data / f"process{each}"
            folder.mkdir()
            host = {"host": self.cables.host(each), **UNLIMITED} if self.cables is not None else {}
            server = ServerProcess(folder, patience=PATIENCE, database=self.database, redis=self.redis.url, **host, **settings)
            server.namespace = self.cables.namespace(each) if self.cables is not None else None
            server.clock = str(folder / "clock")
            self._servers.append(server)
            self.set_clock(each, 0)
        self.urls = tuple(server.url for server in self._servers)

    def start(self, number: int) -> None:
        self._servers[number].start()

    def kill(self, number: int) -> None:
        self._servers[number].kill()

    def stop(self, number: int) -> None:
        self._servers[number].process.send_signal(signal.SIGSTOP)

    def cont(self, number: int) -> None:
        self._servers[number].process.send_signal(signal.SIGCONT)

    def drain(self, number: int) -> None:
        """SIGTERM: it hands over what it has, and ends."""
        self._servers[number].stop()

    def set_clock(self, number: int, ms: int) -> None:
        """A process's clock is wrong by so many ms, at once."""
        path = Path(self._servers[number].clock)
        with path.open("r+b" if path.exists() else "wb") as file:
            file.write(ms.to_bytes(8, "little", signed=True))

    def processes(self) -> list[int]:
        return [server.process.pid for server in self._servers]

    def close(self) -> None:
        for server in self._servers:
            if server.process is not None:
                server.kill()
        self.redis.close()
        self.postgresql.close()
        if self.cables is not None:
            self.cables.close()


# Addresses that are set apart for trials of networks (RFC 2544); they are known only within the namespaces made here.
DATABASE, REDIS = "198.18.255.1", "198.18.255.2"
UNLIMITED = dict.fromkeys(("connections_per_address", "events_per_address", "requests_per_minute", "guests_per_hour", "rooms_per_address"), 1_000_000)


class Cables:
    """Each process in a network namespace of its own, with three cables to the one where this program, PostgreSQL and Redis are; any of them can be pulled."""

    KINDS = ("people", "database", "redis")

    def __init__(self, number: int) -> None:
        self._number = number
        if ctypes.CDLL(None, use_errno=True).unshare(0x40000000) != 0:  # CLONE_NEWNET: what follows touches no network of this machine
            raise SystemExit(f"--cuts: {os.strerror(ctypes.get_errno())}: network namespaces can be made by root only")
        ip("link", "set", "lo", "up")
        for address in (DATABASE, REDIS):
            ip("address", "add", f"{address}/32", "dev", "lo")
        for each in range(number):
            name = self.namespace(each)
            ip("netns", "add", name)
            ip("-n", name, "link", "set", "lo", "up")
            for kind in self.KINDS:
                ours = self._cable(each, kind)
                ip("link", "add", ours, "type", "veth", "peer", "name", kind, "netns", name)
                ip("address", "add", f"{self._subnet(each, kind)}.1/24", "dev", ours)
                ip("link", "set", ours, "up")
                ip("-n", name, "address", "add", f"{self._subnet(each, kind)}.2/24", "dev", kind)
                ip("-n", name, "link", "set", kind, "up")
            ip("-n", name, "route", "add", DATABASE, "via", f"{self._subnet(each, 'database')}.1")
            ip("-n", name, "route", "add", REDIS, "via", f"{self._subnet(each, 'redis')}.1")

    def namespace(self, number: int) -> str:
        """The name of a process's network namespace."""
        return f"hanpan-{os.getpid()}-{number}"

    def host(self, number: int) -> str:
        """The address where a process listens."""
        return f"{self._subnet(number, 'people')}.2"

    def _subnet(self, number: int, kind: str) -> str:
        return f"198.18.{50 * self.KINDS.index(kind) + number}"

    def _cable(self, number: int, kind: str) -> str:
        return f"{kind}{number}"

    def pull(self, number: int, kind: str) -> None:
        """Nothing passes any more between a process and the database, Redis or people."""
        ip("link", "set", self._cable(number, kind), "down")

    def plug(self, number: int, kind: str) -> None:
        """It passes again."""
        ip("link", "set", self._cable(number, kind), "up")

    def close(self) -> None:
        for each in range(self._number):
            ip("netns", "delete", self.namespace(each))


def ip(*words: str) -> None:
    """Debian's `iproute2`."""
    done = subprocess.run(["ip", *words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"ip {' '.join(words)}: {done.stderr.strip()}")
