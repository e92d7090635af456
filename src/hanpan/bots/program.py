"""A player that is a program of its own: a few lines of text over its standard input and output (docs/bots.md)."""

from __future__ import annotations

import json
import os
import queue
import shlex
import signal
import subprocess
import threading
import time
from collections import deque
from contextlib import suppress
from io import BufferedReader, RawIOBase
from typing import cast

from hanpan.game import Game, State

PROTOCOL = 1
_HELLO = 30.0  # seconds a program may take to start
_ALWAYS = 60.0  # and to answer a `go` without a time
_GRACE = 0.5  # and to be late, beyond a tenth of its time
_QUIT = 0.5  # and to end when it is asked to
_LAST_WORDS = 5.0  # that what it has said is waited for, when it has ended
_LINE = 1 << 16  # how much of a line is looked at
_BACKLOG = 100  # lines nobody asked for before a program counts as babbling


class Fault(Exception):
    """A player that did not answer, or not with an action it may play: it has lost this game."""


class Program:
    """A program that is asked for actions. It is started at its first use, and again for a new game; if it ends in the middle of one it has failed."""

    def __init__(self, command: str) -> None:
        self._command = command
        self._running: _Running | None = None
        self._told: Game | None = None

    def begin(self, seed: int) -> None:
        """A new game begins: the program is told before its next turn."""
        self._told = None

    def choose(self, state: State, seconds: float | None = None) -> str:
        """The program's action; `Fault` if it gives none in time. Whether it is legal is not checked here."""
        running = self._running if self._running is not None and self._told == state.game else self.start()
        try:
            if self._told != state.game:
                running.say(f"game {state.game.name} {json.dumps(state.game.options)}")
                self._told = state.game
            running.say(f"view {state.seat} {state}")
            running.say("legal " + " ".join(state.legal()))
            running.forget()
            running.say("go" if seconds is None else f"go {round(seconds * 1000)}")
            answer = running.hear(_ALWAYS if seconds is None else seconds * 1.1 + _GRACE)
            word, _, action = answer.partition(" ")
            if word != "action" or not action:
                raise Fault(f"answered {answer[:80]!r}, not `action …`")
            return action
        except Fault as fault:
            raise self._failed(fault) from None

    def start(self) -> _Running:
        """Start the program if it does not run, and greet it."""
        if self._running is not None and self._running.alive():
            return self._running
        self.close()
        try:
            self._running = _Running(self._command)
            self._running.say(f"hanpan {PROTOCOL}")
            answer = self._running.hear(_HELLO)
            if answer.partition(" ")[0] != "ready":
                raise Fault(f"answered {answer[:80]!r} to `hanpan {PROTOCOL}`, not `ready`")
            return self._running
        except Fault as fault:
            raise self._failed(fault) from None

    def stop(self) -> None:
        """Ask for the answer at once."""
        if (running := self._running) is not None:
            with suppress(Fault):  # whoever waits for the answer will hear of it
                running.say("stop")

    def close(self) -> None:
        """End the program: it is asked to quit, and killed if it does not."""
        if self._running is not None:
            self._running.end(patience=_QUIT)
        self._running, self._told = None, None

    def _failed(self, fault: Fault) -> Fault:
        """The fault with the program's name and its own last words; it is ended, so that the next game finds it fresh."""
        last = ""
        if self._running is not None:
            self._running.end(patience=0.0)
            last = " / ".join(self._running.stderr_lines)
        self._running, self._told = None, None
        return Fault(f"program {self._command!r}: {fault}" + (f"; its last words: {last}" if last else ""))


class _Running:
    """The running program, two threads that listen to it, and one that waits for its end."""

    def __init__(self, command: str) -> None:
        try:  # in a session of its own: Ctrl-C at the terminal is for us, not for it
            self._process = subprocess.Popen(
                shlex.split(command), bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
            )
        except (OSError, ValueError) as wrong:
            raise Fault(f"can't be started ({wrong})") from None
        assert self._process.stdin is not None
        os.set_blocking(self._process.stdin.fileno(), False)  # a program that never reads must not hold us up
        self._answers: queue.Queue[str | None] = queue.Queue()
        self._babbled = False
        self.stderr_lines: deque[str] = deque(maxlen=3)
        self._threads = [threading.Thread(target=listen, daemon=True) for listen in (self._listen, self._read_stderr, self._see_off)]
        for thread in self._threads:
            thread.start()

    def alive(self) -> bool:
        return self._process.poll() is None

    def say(self, line: str) -> None:
        assert self._process.stdin is not None
        data = line.encode() + b"\n"
        try:
            taken = self._process.stdin.write(data)
        except OSError:
            raise self._ended() from None
        if taken != len(data):
            raise Fault("does not read what it is told")

    def forget(self) -> None:
        """Drop what it said before it was asked."""
        while not self._answers.empty():
            if self._answers.get() is None:
                raise self._ended()

    def hear(self, seconds: float) -> str:
        """The next line that is not just information."""
        try:
            line = self._answers.get(timeout=seconds)
        except queue.Empty:
            if not self.alive():
                raise self._ended() from None
            raise Fault(f"did not answer within {seconds:.1f} s") from None
        if line is None:
            raise self._ended()
        return line

    def _ended(self) -> Fault:
        """That it has ended, and how, if it has: it may have closed its input or its output alone."""
        if self._babbled:
            return Fault(f"was stopped: it said more than {_BACKLOG} lines that nobody had asked for")
        try:
            status = self._process.wait(_LAST_WORDS)
        except subprocess.TimeoutExpired:
            return Fault("has closed its input or its output")
        return Fault(f"has ended (exit status {status})" if status >= 0 else f"has ended (killed by {_name_of(-status)})")

    def end(self, patience: float) -> None:
        try:
            if patience:
                self.say("quit")
                self._process.wait(patience)
        except (Fault, subprocess.TimeoutExpired):
            pass
        if self.alive():
            self._process.kill()
            self._process.wait()
        if self._process.stdin is not None:
            self._process.stdin.close()
        until = time.monotonic() + _LAST_WORDS
        for thread in self._threads:
            thread.join(max(0.0, until - time.monotonic()))

    def _listen(self) -> None:
        assert self._process.stdout is not None
        begins = True
        with BufferedReader(cast(RawIOBase, self._process.stdout)) as lines:  # alone, it would be asked for each byte
            while line := lines.readline(_LINE):
                words = line.decode("utf-8", "replace").strip() if begins else ""
                begins = line.endswith(b"\n")
                if words and words.partition(" ")[0] != "info":
                    self._answers.put(words)
                if self._answers.qsize() > _BACKLOG:
                    self._babbled = True
                    self._process.kill()
                    break
        self._answers.put(None)

    def _read_stderr(self) -> None:
        assert self._process.stderr is not None
        with BufferedReader(cast(RawIOBase, self._process.stderr)) as lines:
            while line := lines.readline(_LINE):
                if words := line.decode("utf-8", "replace").strip():
                    self.stderr_lines.append(words[:200])

    def _see_off(self) -> None:
        """What a program has started ends with it: else it would go on, and hold open what we listen to."""
        self._process.wait()
        with suppress(OSError):  # usually there is nothing
            os.killpg(self._process.pid, signal.SIGKILL)
        self._threads[0].join(_LAST_WORDS)
        self._answers.put(None)  # also where something that has left its session holds its output open


def _name_of(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # one of those without a name
        return f"signal {number}"
