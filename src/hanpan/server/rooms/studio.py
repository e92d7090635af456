"""Plays games through and draws positions in a process of its own, one piece of work after the other, for whoever asks over HTTP.

All threads of a process share one interpreter, so long work in a thread makes moves wait; and memory that much work has left in pieces is given back by the
end of a process only. `python -m hanpan.server.rooms.studio` is that process: it is told on its standard input what to do (see `showing`), and ends when
that is closed, when nobody needs it, or after work that has made it large. It runs the rules as plain Python: most of the time goes into pictures anyway,
and it is small and soon there.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import pickle
import signal
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, TypeVar, cast

from hanpan.server.protocol.refusals import Refused
from hanpan.server.rooms.pace import FairSemaphore

log = logging.getLogger("hanpan.server")
T = TypeVar("T")
SECONDS = 15.0  # for one piece of work, at most
IDLE = 600.0  # after which it ends, if nobody has asked for anything
MEGABYTES = 60  # a process that is larger after its work is replaced; a new one has half of that
_MOST_MEGABYTES = 1024  # that it can be
NICE = 10  # who plays comes first
_LENGTH = struct.Struct("!Q")


class Studio:
    """The process; it is started when it is needed, and ends when it is not needed any more, or has become large."""

    def __init__(self, seconds: float | None = None, megabytes: int = MEGABYTES, idle: float = IDLE, nice: int = NICE) -> None:
        self._seconds, self._megabytes, self._idle, self._nice = SECONDS if seconds is None else seconds, megabytes, idle, nice
        self._resting: asyncio.TimerHandle | None = None  # ends it when nobody has asked for anything for a while
        self.turns = FairSemaphore(1)
        self.process: subprocess.Popen[bytes] | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="studio")  # which waits for answers
        self._lock, self._closed = threading.Lock(), False

    async def do(self, whose: str, work: Callable[..., T], *arguments: object, unless: Callable[[], Awaitable[bool]] | None = None) -> T:
        """Call a function there, when it is the turn of whoever asks (who has used it much lately comes after others), `unless` by then nobody wants it any
        more. ValueError and Refused come back; anything else is a fault of ours."""
        await self.turns.take(whose)
        since = time.monotonic()
        try:
            if self._closed or (unless is not None and await unless()):
                raise Refused("closing")
            kind, told = await asyncio.get_running_loop().run_in_executor(self._thread, self._ask, work, arguments)
        finally:
            self.turns.give(whose, seconds=time.monotonic() - since)
            self._plan_rest()
        if isinstance(told, Exception):
            raise told
        if kind == "fault":
            log.error("studio: %s", told)
            raise RuntimeError(told)
        return cast(T, told)

    def close(self) -> None:
        """End it."""
        self._closed = True
        if self._resting is not None:
            self._resting.cancel()
        self._rest()
        self._thread.shutdown()

    def _plan_rest(self) -> None:
        if self._resting is not None:
            self._resting.cancel()
        if not self._closed:
            self._resting = asyncio.get_running_loop().call_later(self._idle, self._thread.submit, self._rest)

    def _rest(self) -> None:
        with self._lock:
            if self.process is not None:
                self._end(self.process)

    def _ask(self, work: Callable[..., T], arguments: tuple[object, ...]) -> tuple[str, T | Exception | str]:
        """One piece of work and its answer."""
        process = self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        timer = threading.Timer(self._seconds, process.kill)
        timer.start()
        try:
            _write(process.stdin, pickle.dumps((work, arguments)))
            answer = _read(process.stdout)
        except OSError:
            answer = None
        finally:
            timer.cancel()
        kind, told, last = ("refused", Refused("too-big"), True) if answer is None else pickle.loads(answer)
        if last:
            with self._lock:
                self._end(process)
        return kind, told

    def _started(self) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._closed:
                raise Refused("closing")
            if self.process is None or self.process.poll() is not None:
                paths = os.pathsep.join(path for path in sys.path if path)
                more = {"PYTHONPATH": paths, "HANPAN_INTERPRET": "1", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
                command = [sys.executable, "-P", "-m", "hanpan.server.rooms.studio", str(self._megabytes), str(self._nice)]
                self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, **more})
            return self.process

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        if self.process is process:
            self.process = None


def _write(to: IO[bytes], data: bytes) -> None:
    to.write(_LENGTH.pack(len(data)) + data)
    to.flush()


def _read(source: IO[bytes]) -> bytes | None:
    """The next message; None if there is none any more."""
    head = source.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    data = source.read(_LENGTH.unpack(head)[0])
    return data if len(data) == _LENGTH.unpack(head)[0] else None


def _answered(asked: bytes) -> tuple[str, object]:
    try:
        work, arguments = pickle.loads(asked)
        return "done", work(*arguments)
    except (ValueError, Refused) as refused:
        return "refused", ValueError(str(refused)) if isinstance(refused, ValueError) else refused
    except MemoryError:
        return "refused", Refused("too-big")
    except Exception as fault:  # its kind and place, not what it says: see faults
        place = fault.__traceback__
        while place is not None and place.tb_next is not None:
            place = place.tb_next
        return "fault", f"{type(fault).__name__} at {place.tb_frame.f_code.co_filename}:{place.tb_lineno}" if place is not None else type(fault).__name__


def _work(megabytes: int, nice: int) -> None:
    """The process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for who started us; we end when our input does
    if hasattr(os, "nice"):
        os.nice(nice)
    with contextlib.suppress(ImportError):  # Windows has none: there it is as large as it gets
        import resource

        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        most = _MOST_MEGABYTES << 20
        resource.setrlimit(resource.RLIMIT_AS, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # whatever a game prints is no answer
    while (asked := _read(source)) is not None:
        kind, told = _answered(asked)
        _write(sink, pickle.dumps((kind, told, _size() > megabytes << 20)))


def _size() -> int:
    """Bytes of memory that this process holds; 0 where that can't be told."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


if __name__ == "__main__":
    _work(*map(int, sys.argv[1:]))
