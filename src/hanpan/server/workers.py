"""Several processes of one machine behind one port: started, watched, and exchanged one by one."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import signal
import time
from collections.abc import Callable
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from socket import socket
from types import FrameType

from hanpan.server.faults import log_fault
from hanpan.server.people.tokens import new_id
from hanpan.server.settings import Settings
from hanpan.server.storage.store import Store

log = logging.getLogger("hanpan.server")

_START = 120.0  # seconds that a process may take until people can come in
_STOP = 30.0  # seconds that it may take to hand over what it has
_AGAIN = 1.0  # seconds until one that ended by itself is started again

Serve = Callable[[Settings, socket, str, Connection], None]


class Worker:
    """One process. It says so through a pipe when it is open."""

    def __init__(self, serve: Serve, settings: Settings, listening: socket) -> None:
        self.node = new_id(12)
        context = multiprocessing.get_context("spawn")  # another process reads the code anew: that is how a new version comes
        self.opened, theirs = context.Pipe(duplex=False)
        self.process: BaseProcess = context.Process(target=serve, args=(settings, listening, self.node, theirs), name=f"hanpan {self.node}")
        self.process.start()
        theirs.close()

    def is_open(self, seconds: float) -> bool:
        """Whether people can come in, within some seconds."""
        try:
            return self.opened.poll(seconds) and self.opened.recv() == "open"
        except EOFError:
            return False

    def stop(self) -> None:
        """Ask it to hand over what it has, and to end."""
        if self.process.is_alive() and self.process.pid is not None:
            self.process.terminate()


class Workers:
    """Keeps so many processes open as are wanted. SIGHUP exchanges them one by one, for a new version; SIGTERM and Ctrl-C end them all."""

    def __init__(self, serve: Serve, settings: Settings, listening: socket) -> None:
        self._serve, self._settings, self._listening = serve, settings, listening
        self._workers: list[Worker] = []
        self._stopping = self._exchanging = False

    def run(self, opened: Callable[[], None]) -> None:
        """Until told to stop; `opened` is called when people can come in."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._told_to_stop)
        signal.signal(signal.SIGHUP, self._told_to_exchange)
        try:
            self._workers = [self._new() for _ in range(self._settings.workers)]
            if not all(worker.is_open(_START) for worker in self._workers):
                raise ValueError("a process of the server did not open; its log says why")
            opened()
            while not self._stopping:
                wait([worker.process.sentinel for worker in self._workers], timeout=0.5)
                self._look_after()
                if self._exchanging:
                    self._exchanging = False
                    self._exchange()
        finally:
            self._end(self._workers)

    def _new(self) -> Worker:
        return Worker(self._serve, self._settings, self._listening)

    def _told_to_stop(self, number: int, frame: FrameType | None) -> None:
        self._stopping = True

    def _told_to_exchange(self, number: int, frame: FrameType | None) -> None:
        self._exchanging = True

    def _look_after(self) -> None:
        """What one that ended by itself had goes to the others at once, not only when they miss its signs of life; another takes its place."""
        for place, worker in enumerate(self._workers):
            if not worker.process.is_alive() and not self._stopping:
                log.error("a process of the server ended (%s) and is started again", worker.process.exitcode)
                self._declare_gone(worker.node)
                time.sleep(_AGAIN)
                self._workers[place] = self._new()

    def _declare_gone(self, node: str) -> None:
        async def declare() -> None:
            store = await Store.open(self._settings.database_url, upgrade=False)
            try:
                await store.leases.leave(node)
            finally:
                await store.close()

        try:
            asyncio.run(declare())
        except Exception as fault:  # then the others find out by themselves, a little later
            log_fault("a process that has ended", fault)

    def _exchange(self) -> None:
        """First the new one opens, then the old one hands over what it has."""
        for place, old in enumerate(self._workers):
            new = self._new()
            if not new.is_open(_START):
                log.error("the new process did not open; the old ones stay")
                self._end([new])
                return
            self._workers[place] = new
            self._end([old])
        log.info("all processes are exchanged")

    def _end(self, workers: list[Worker]) -> None:
        for worker in workers:
            worker.stop()
        for worker in workers:
            worker.process.join(_STOP)
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()
