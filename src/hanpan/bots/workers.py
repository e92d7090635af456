"""Jobs shared out among workers, their results as they come: here, in processes of this machine; `on_ray` does the same on a cluster.

A worker that dies costs its current job, which another one does again.
"""

from __future__ import annotations

import os
import signal
import traceback
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, cast

from hanpan.bots.work import TRIES, J, R, Work

_FAREWELL = 5.0  # seconds for a process to end its programs


def all_cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def share_out(work: Work[J, R], jobs: Sequence[J], cores: int = 0, on: str | None = None) -> Generator[R]:
    """The results as they finish, in any order: on so many of this machine's processors (0: all), or on a Ray cluster (`on`: `ray`, `ray://HOST:PORT`).

    Closing the generator ends the workers at once.
    """
    if on is not None:
        from hanpan.bots.on_ray import share_out_on_ray

        yield from share_out_on_ray(work, jobs, on, cores)
    elif min(cores or all_cores(), len(jobs)) > 1:
        yield from _share_out_here(work, jobs, min(cores or all_cores(), len(jobs)))
    else:
        with work.open() as do:
            yield from map(do, jobs)


class _Worker(Generic[J, R]):
    """A process, the pipe to it, and the job that it does."""

    def __init__(self, work: Work[J, R]) -> None:
        context = get_context("spawn")  # no process inherits our threads
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=_work, args=(theirs, work), daemon=True)
        self.process.start()
        theirs.close()
        self.at: tuple[J, int]  # and how often it was begun

    def give(self, job: J, tries: int) -> None:
        self.at = job, tries
        with suppress(BrokenPipeError):  # it has died; whoever waits for it will see that
            self.pipe.send(job)


def _share_out_here(work: Work[J, R], jobs: Sequence[J], number: int) -> Iterator[R]:
    waiting = deque((job, 1) for job in jobs)
    crew: list[_Worker[J, R]] = []
    busy: dict[Connection, _Worker[J, R]] = {}

    def begin(worker: _Worker[J, R]) -> None:
        worker.give(*waiting.popleft())
        busy[worker.pipe] = worker

    try:
        for _ in range(number):
            crew.append(_Worker(work))
            begin(crew[-1])
        while busy:
            for pipe in cast(list[Connection], wait(list(busy))):
                worker = busy.pop(pipe)
                try:
                    told = pipe.recv()
                except (EOFError, ConnectionResetError):
                    job, tries = worker.at
                    if tries == TRIES:
                        raise RuntimeError(f"{tries} processes have died of the same job: {str(job)[:60]}") from None
                    pipe.close()
                    crew[crew.index(worker)] = worker = _Worker(work)
                    waiting.appendleft((job, tries + 1))
                else:
                    yield _result(told)
                if waiting:
                    begin(worker)
    finally:
        for worker in crew:
            worker.pipe.close()
            worker.process.terminate()
        for worker in crew:
            worker.process.join(_FAREWELL)
            if worker.process.is_alive():
                worker.process.kill()


def _result(told: tuple[str, Any]) -> Any:
    kind, value = told
    if kind == "done":
        return value
    raise ValueError(value) if kind == "wrong" else RuntimeError(value)


def _work(pipe: Connection, work: Work[Any, Any]) -> None:
    """Do what is asked for until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who asks
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that programs are ended too; a `SystemExit` would be taken for a player's fault
    os.environ["HANPAN_QUIET"] = "1"
    try:
        with work.open() as do:
            try:
                while True:
                    job = pipe.recv()
                    pipe.send(("done", do(job)))
            finally:
                signal.signal(signal.SIGTERM, signal.SIG_IGN)  # nothing interrupts the farewell to the programs
    except (EOFError, BrokenPipeError, KeyboardInterrupt):
        pass
    except ValueError as wrong:
        pipe.send(("wrong", str(wrong)))
    except Exception:
        pipe.send(("broken", traceback.format_exc()))
