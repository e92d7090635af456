"""Servers for the tests, each in a process of its own, with the chance of `deals.py`.

Here everything is loaded once, so that a server is there in a moment: for each message a process is forked that serves, and one that waits for its end.
`Forked` of `serving.py` sends them, with two files: what is told of the server (its number, then its exit status) goes to the first, its log to the second.
"""

import ctypes
import gc
import json
import mmap
import os
import signal
import socket
import sys
import time
import traceback
from importlib import import_module
from pathlib import Path

from deals import Deals
from hashes import LIGHT

import hanpan
from hanpan import rulebook
from hanpan.server.people import hashing
from hanpan.server.rooms import studio
from hanpan.server.run import serve
from hanpan.server.settings import Settings

LATER = (
    "hanpan.core.wasm",
    "hanpan.engine",
    "sqlalchemy.dialects.sqlite.aiosqlite",
    "uvicorn.lifespan.on",
    "uvicorn.protocols.websockets.websockets_sansio_impl",
    "uvloop",
)

hashing.HASHER = LIGHT
studio.SECONDS = 600.0  # what is drawn apart comes last, so on a busy machine it takes long


def enter(namespace):
    """From now on this process has only the cables of a network namespace (`ip netns add`)."""
    with Path("/run/netns", namespace).open() as file:
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.setns(file.fileno(), 0) != 0:
            raise OSError(ctypes.get_errno(), f"network namespace {namespace}")


def have_clock(path):
    """From now on this process's clock is wrong by as many ms as the file says, which others may write at any time."""
    with Path(path).open("r+b") as file:
        wrong = mmap.mmap(file.fileno(), 8)
    time_ns = time.time_ns
    time.time_ns = lambda: time_ns() + 1_000_000 * int.from_bytes(wrong[:8], "little", signed=True)
    time.time = lambda: time.time_ns() / 1e9


def have_games(folder):
    """From now on there are the games of this folder, too."""
    sys.path.insert(0, folder)
    os.environ["PYTHONPATH"] = os.pathsep.join([folder, os.environ["PYTHONPATH"]])
    rulebook._packages.cache_clear()


def become(data, port, settings, environment, broken=None, namespace=None, clock=None, games=None):
    """Be a server, in this process, to its end; told so, one with a broken part, in a network namespace, with a clock that can be set wrong, or more games."""
    os.environ.clear()
    os.environ.update(environment)
    try:
        if namespace is not None:
            enter(namespace)
        if clock is not None:
            have_clock(clock)
        if games is not None:
            have_games(games)
        if broken is not None:
            from broken import BROKEN

            BROKEN[broken]()
        serve(Settings(data=Path(data), port=port, **settings), chance=Deals())
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def bear(wanted, told, log):
    """Fork a server, and say when it has ended."""
    server = os.fork()
    if server == 0:
        os.setsid()
        os.dup2(log, 1)
        os.dup2(log, 2)
        os.write(told, b"%d\n" % os.getpid())
        os.closerange(3, max(told, log) + 1)
        status = become(**wanted)
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    _, status = os.waitpid(server, 0)
    os.write(told, b"%d\n" % os.waitstatus_to_exitcode(status))


def load():
    """Load what Numba needs for the first machine code, and what a server imports only when it needs it: each would take half a second for it.

    What is loaded is not looked through by the servers' garbage collection, which would copy all of it.
    """
    hanpan.game(rulebook.games()[0]).start(seed=1)
    for name in LATER:
        import_module(name)
    gc.collect()
    gc.freeze()


def main():
    line = socket.socket(fileno=int(sys.argv[1]))
    load()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those who wait
    while True:
        message, files, _, _ = socket.recv_fds(line, 1 << 16, 2)
        if os.fork() == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            bear(json.loads(message), *files)
            os._exit(0)
        for file in files:
            os.close(file)


if __name__ == "__main__":
    main()
