"""Processes that share out the games of a match: each has its own players, and the next free one takes the next game."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Iterator
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Any, cast

from hanpan.bots.pairs import Plan, Players
from hanpan.bots.tally import Played

_FAREWELL = 5.0  # seconds for a process to end its programs


def all_cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def share_out(plan: Plan, jobs: list[tuple[int, int]], cores: int) -> Iterator[Played]:
    """The games as they finish, in any order. Closing the iterator ends the processes at once."""
    context = get_context("spawn")  # no process inherits our threads
    crew: list[tuple[Any, Connection]] = []
    busy: list[Connection] = []
    waiting = iter(jobs)
    try:
        for _ in range(min(cores, len(jobs))):
            ours, theirs = context.Pipe()
            process = context.Process(target=_work, args=(theirs, plan), daemon=True)
            process.start()
            theirs.close()
            crew.append((process, ours))
            ours.send(next(waiting))
            busy.append(ours)
        while busy:
            for pipe in cast(list[Connection], wait(busy)):
                yield _answer(pipe)
                if job := next(waiting, None):
                    pipe.send(job)
                else:
                    busy.remove(pipe)
    finally:
        for process, pipe in crew:
            pipe.close()
            process.terminate()
        for process, _ in crew:
            process.join(_FAREWELL)
            if process.is_alive():
                process.kill()


def _answer(pipe: Connection) -> Played:
    try:
        answer = pipe.recv()
    except EOFError:
        raise RuntimeError("a process that played games of this match has died") from None
    if isinstance(answer, Played):
        return answer
    kind, text = answer
    raise ValueError(text) if kind == "wrong" else RuntimeError(text)


def _work(pipe: Connection, plan: Plan) -> None:
    """Play what is asked for until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who asks
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # so that programs are ended too
    os.environ["HANPAN_QUIET"] = "1"
    try:
        with Players(plan) as players:
            try:
                while True:
                    pair, side = pipe.recv()
                    pipe.send(players.play(pair, side))
            finally:
                signal.signal(signal.SIGTERM, signal.SIG_IGN)  # nothing interrupts the farewell to the programs
    except (EOFError, BrokenPipeError):
        pass
    except ValueError as wrong:
        pipe.send(("wrong", str(wrong)))
    except Exception:
        pipe.send(("broken", traceback.format_exc()))
