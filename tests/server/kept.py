"""Processes that never outlive the one that started them, however that ends: by itself, by Ctrl-C, by SIGTERM or by SIGKILL.

A keeper (this file as a program) reads from a pipe which processes there are. Only who started them can write to it, so its end is the end of that process,
and then the keeper kills whatever is left, with all that belongs to it, and removes the folders that were theirs.
"""

import os
import shutil
import signal
import subprocess
import sys
import threading
from contextlib import suppress

_keepers = {}  # of this process; one that was forked needs its own
_lock = threading.Lock()


def tell(line):
    """Tell the keeper of a process that leads its group: `+17` has begun, `-17` has ended; or of a folder that ends with us: `/tmp/…`."""
    with _lock:
        if os.getpid() not in _keepers:
            command = [sys.executable, "-S", __file__]
            _keepers[os.getpid()] = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True)
        keeper = _keepers[os.getpid()]
        with suppress(OSError, ValueError):
            print(line, file=keeper.stdin, flush=True)
            keeper.stdout.readline()  # it has understood: from here on nothing can happen unseen


class Kept(subprocess.Popen):
    """A process in a group of its own, which ends with us."""

    def __init__(self, *arguments, **more):
        super().__init__(*arguments, start_new_session=True, **more)
        tell(f"+{self.pid}")

    def poll(self):
        before, code = self.returncode, super().poll()
        if before is None and code is not None:
            tell(f"-{self.pid}")
        return code

    def wait(self, timeout=None):
        before, code = self.returncode, super().wait(timeout)
        if before is None:
            tell(f"-{self.pid}")
        return code


def keep():
    """What the keeper does."""
    left, folders = set(), []
    for line in sys.stdin:
        match line[0]:
            case "+":
                left.add(int(line[1:]))
            case "-":
                left.discard(int(line[1:]))
            case _:
                folders.append(line.rstrip("\n"))
        print("ok", flush=True)
    for pid in left:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    with suppress(BrokenPipeError):
        keep()
