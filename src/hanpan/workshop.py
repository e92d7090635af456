"""Compiles what the games need in processes of their own, once, while a server already plays with the interpreted rules.

`python -m hanpan.workshop` is one such process: it is told on its standard input what to compile, and ends when that is closed.
"""

from __future__ import annotations

import hashlib
import logging
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

from hanpan.bots.bot import make_searcher
from hanpan.core.rule import INTERPRET
from hanpan.rulebook import games, rulebook
from hanpan.rulebook import package as package_of

log = logging.getLogger("hanpan.workshop")
_MOST = 6  # processes: each needs some 200 MB
_SOURCES = (".py", ".npy", ".npz")  # rules, and what they learnt
_UNKEPT = "what is compiled can't be written there"
_MEGABYTES = 8  # for a searcher that only says what it would call


@dataclass(frozen=True)
class Piece:
    """One function to compile: the number in the list that `pieces` makes in every process alike."""

    game: str
    number: int
    what: str
    bulk: int


def mark(what: str, names: Sequence[str]) -> Path:
    """A file that is there once all of something was found made: so the next start need not look at every function. Its name changes with any source."""
    from hanpan.core.compiled import TOOLS, cache_folder

    summed = hashlib.sha256(TOOLS.encode())
    folders = {Path(str(files(package))) for package in ("hanpan", "hanpan.core", "hanpan.bots", *map(package_of, names))}
    found = (path for folder in folders for path in folder.rglob("*") if folder.name != "hanpan" or path.parent == folder)
    for path in sorted(path for path in found if path.suffix in _SOURCES):
        with suppress(OSError):  # an editor's lock, which is a link to nowhere
            summed.update(f"{path} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())  # a time may be set, or be the same for all
    return cache_folder() / f"{what}-{summed.hexdigest()[:32]}"


def jobs_of(name: str) -> list[Any]:
    """Everything that playing a game on a server calls: its rules, and the computer players for every number of seats."""
    from hanpan.core.compiled import gather

    book = rulebook(name)
    found = gather(book.make_ready)
    for seats in range(2, book.rules.MOST_SEATS + 1):
        found += gather(lambda seats=seats: make_searcher(name, seats, _MEGABYTES, 1))  # type: ignore[misc]
    return found


def pieces(name: str) -> list[Piece]:
    """What is not on disk yet, the largest first."""
    from hanpan.core.compiled import bulk, is_ready

    jobs = jobs_of(name)
    known = {(id(function), types): number for number, (function, types) in reversed(list(enumerate(jobs)))}  # one search may serve several numbers of seats
    missing = [(number, job) for number, job in enumerate(jobs) if known[id(job[0]), job[1]] == number and not is_ready(job)]
    found = [Piece(name, number, job[0].py_func.__name__, bulk(job)) for number, job in missing]
    return sorted(found, key=lambda piece: -piece.bulk)


@dataclass
class Workshop:
    """Processes that compile; `first` says which game is wanted now. Nothing is started if everything is there."""

    processes: int = field(default_factory=lambda: min(_MOST, cores()))
    names: Sequence[str] | None = None  # the games to compile for; all of them if left out

    def __post_init__(self) -> None:
        self._games = tuple(games() if self.names is None else self.names)
        self._lock = threading.Condition()
        self._waiting: list[Piece] = []
        self._at: list[Piece] = []  # being compiled
        self._hurried: list[str] = []
        self._all = self._done = 0  # in bulk
        self._listed = self._closed = INTERPRET
        self._full = False  # the cache folder takes nothing more
        self._whole = Path()  # the mark that all is compiled, of the sources as they were in the beginning
        self._workers: list[subprocess.Popen[str]] = []
        self._line = _ProgressLine()
        self._began = time.monotonic()
        self.ended = threading.Event()  # everything is on disk
        self.compiled = self._failed = 0  # functions so far

    def open(self) -> Workshop:
        """Begin. Until everything is there, rules without machine code run as plain Python."""
        if INTERPRET:
            self.ended.set()
            return self
        from hanpan.core.compiled import interpret_meanwhile

        interpret_meanwhile(True)
        threading.Thread(target=self._list, name="workshop", daemon=True).start()
        return self

    def first(self, name: str) -> None:
        """Somebody has opened this game: it is compiled before the others."""
        with self._lock:
            if not self.ended.is_set() and name not in self._hurried:
                self._hurried.append(name)

    def close(self) -> None:
        """Stop compiling; what is done stays on disk."""
        with self._lock:
            self._closed = True
            self._lock.notify_all()
            for worker in self._workers:
                worker.kill()
        self._line.end()

    # --- what there is to do ---

    def _list(self) -> None:
        """Find out what is missing, game by game; the first pieces are compiled while the rest is still looked for."""
        self._whole = mark("whole", self._games)
        if known := self._whole.exists():
            with suppress(OSError):  # somebody else's
                os.utime(self._whole)
        for name in () if known else self._in_order():
            try:
                found = pieces(name)
            except Exception:  # one game that can't be loaded must not keep the others from being compiled
                log.exception("what %s needs can't be listed", name)
                self._failed += 1
                continue
            with self._lock:
                if self._closed:
                    return
                if self._full:
                    break
                self._waiting += found
                self._all += sum(piece.bulk for piece in found)
                self._lock.notify_all()
                while len(self._workers) < min(self.processes, len(self._waiting) + len(self._at)):
                    self._hire()
        with self._lock:
            self._listed = True
            self._lock.notify_all()
            if not self._workers:
                self._end()

    def _in_order(self) -> Iterator[str]:
        """The games, one after the other, those that are wanted first."""
        left = list(self._games)
        while left:
            with self._lock:
                left.sort(key=lambda name: self._hurried.index(name) if name in self._hurried else len(self._hurried))
            yield left.pop(0)

    def _take(self) -> Piece | None:
        """The next piece: of a game that was opened, else of one that nobody is at (its pieces share what they call); None when there is nothing left."""
        with self._lock:
            while not self._waiting and not self._listed and not self._closed:
                self._lock.wait()
            if self._closed or self._full or not self._waiting:
                return None
            busy = {piece.game for piece in self._at}

            def place(piece: Piece) -> tuple[int, bool]:
                return (self._hurried.index(piece.game) if piece.game in self._hurried else len(self._hurried), piece.game in busy)

            piece = min(self._waiting, key=place)
            self._waiting.remove(piece)
            self._at.append(piece)
            self._line.show(self._done, self._all, piece)
            return piece

    # --- who does it ---

    def _hire(self) -> None:
        command = [sys.executable, "-m", "hanpan.workshop"]
        worker = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._workers.append(worker)
        threading.Thread(target=self._employ, args=(worker,), name=f"workshop {worker.pid}", daemon=True).start()

    def _employ(self, worker: subprocess.Popen[str]) -> None:
        assert worker.stdin is not None
        assert worker.stdout is not None
        answer = "ok"
        while answer and (piece := self._take()) is not None:
            try:
                worker.stdin.write(f"{piece.game} {piece.number}\n")
                worker.stdin.flush()
                answer = worker.stdout.readline().strip()
            except OSError:
                answer = ""
            with self._lock:
                self._at.remove(piece)
                self._done += piece.bulk
                self.compiled += answer == "ok"
                self._failed += answer != "ok"
                if answer.endswith(_UNKEPT) and not self._full:  # nor would what is left
                    log.warning("%s; rules run as plain Python until there is room at another start", answer)
                    self._full = True
                    self._lock.notify_all()
                elif answer != "ok" and not self._closed and not self._full:  # it is compiled where it is called, then
                    log.warning("%s's %s was not compiled: %s", piece.game, piece.what, answer or "the process has ended")
                self._line.show(self._done, self._all, piece)
        worker.kill()
        worker.wait()
        with self._lock:
            self._workers.remove(worker)
            if not self._workers and self._listed:
                self._end()

    def _end(self) -> None:
        from hanpan.core.compiled import interpret_meanwhile

        interpret_meanwhile(self._full)
        all_done = not self._closed and not self._failed
        if all_done and self._whole == mark("whole", self._games):  # else a source was changed meanwhile
            with suppress(OSError):
                self._whole.touch()
        self._line.end(time.monotonic() - self._began if self._all and all_done else None)
        self.ended.set()


class _ProgressLine:
    """How far it is, on stderr: a bar with an estimate on a terminal, else a line at the beginning and one at the end. HANPAN_QUIET=1 silences it."""

    def __init__(self) -> None:
        self._began = 0.0
        self._silent = os.environ.get("HANPAN_QUIET", "") == "1" or sys.stderr is None
        self._live = not self._silent and sys.stderr.isatty()
        self._lock = threading.Lock()

    def show(self, done: int, total: int, piece: Piece) -> None:
        with self._lock:
            first, self._began = self._began == 0.0, self._began or time.monotonic()
            if self._live:
                share, passed = done / total, time.monotonic() - self._began
                left = f"about {max(1, round(passed / share - passed))} s left" if share > 0.05 else "a minute or so"
                text = f"hanpan: compiling for this machine, once [{'█' * int(16 * share):<16}] {share:4.0%}, {left} ({piece.game}: {piece.what})"
                sys.stderr.write(f"\r\033[K{text}")
                sys.stderr.flush()
            elif first and not self._silent:
                sys.stderr.write("hanpan: compiling for this machine, once; the games can be played meanwhile …\n")
                sys.stderr.flush()

    def end(self, seconds: float | None = None) -> None:
        with self._lock:
            if self._silent or not self._began:
                return
            sys.stderr.write("\r\033[K" if self._live else "")
            sys.stderr.write("" if seconds is None else f"hanpan: compiled in {seconds:.0f} s; from now on everything is fast from the start\n")
            sys.stderr.flush()
            self._silent = True


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _work() -> None:
    """One process: compile what the lines of the standard input name, and answer each with a line."""
    import signal

    from hanpan.core.compiled import cache_folder, interpret_meanwhile, is_ready, why_not

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for who started us; we end when our input does
    if hasattr(os, "nice"):
        os.nice(5)  # who plays comes first
    interpret_meanwhile(True)  # only what is asked for is compiled here
    sink, sys.stdout = sys.stdout, sys.stderr  # whatever a game prints is no answer
    told: queue.Queue[str] = queue.Queue()

    def listen() -> None:
        for line in sys.stdin:
            told.put(line)
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    jobs: dict[str, list[Any]] = {}
    while True:
        name, number = told.get().split()
        try:
            jobs[name] = jobs.get(name) or jobs_of(name)
            function, types = jobs[name][int(number)]
        except Exception as wrong:
            print(repr(wrong)[:300].replace("\n", " "), file=sink, flush=True)
            continue
        try:
            function.compile(types)
            answer = "ok" if is_ready((function, types)) else f"{cache_folder()}: {_UNKEPT}"
        except Exception as wrong:
            answer = why_not(function, wrong)
        print(answer, file=sink, flush=True)


if __name__ == "__main__":
    _work()
