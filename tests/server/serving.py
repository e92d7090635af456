"""A real server in a process of its own, for every test that needs one."""

import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path

from kept import Kept, tell

FOLDER = Path(__file__).parent
sys.path.append(str(FOLDER.parent.parent / "tools"))

from ports import free_port  # noqa: E402

PATIENT = 600  # seconds: the machine may be busy, or pause


class Forked:
    """A process that `serve.py` has forked, used like a `Kept` one."""

    _lines = {}  # to the process that forks, by the process that asks
    _lock = threading.Lock()

    def __init__(self, wanted, log):
        paths = os.pathsep.join([str(FOLDER.parent / "toy"), *filter(None, [os.environ.get("PYTHONPATH")])])
        environment = {**os.environ, "PYTHONPATH": paths}
        with self._lock:
            if os.getpid() not in self._lines:
                line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
                Kept([sys.executable, str(FOLDER / "serve.py"), str(theirs.fileno())], pass_fds=[theirs.fileno()], env=environment, stdin=subprocess.DEVNULL)
                theirs.close()
                self._lines[os.getpid()] = line
        told, telling = os.pipe()
        with os.fdopen(telling, "w"):
            socket.send_fds(self._lines[os.getpid()], [json.dumps(wanted | {"environment": environment}).encode()], [telling, log.fileno()])
        self._told, self.returncode = os.fdopen(told), None
        self.pid = int(self._told.readline() or self._lost())
        tell(f"+{self.pid}")

    def _lost(self):
        raise AssertionError("no server can be started: tests/server/serve.py has ended, and said why above")

    def wait(self, timeout=None):
        if self.returncode is None:
            if not select.select([self._told], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("the server", timeout)
            self.returncode = int(self._told.readline() or -signal.SIGKILL)
            self._told.close()
            tell(f"-{self.pid}")
        return self.returncode

    def poll(self):
        with suppress(subprocess.TimeoutExpired):
            return self.wait(0)

    def send_signal(self, number):
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self):
        self.send_signal(signal.SIGTERM)


class ServerProcess:
    """`serve.py` on loopback; it can be killed at any moment and started again on the same data and port. `broken` names a part of it that is (`broken.py`)."""

    broken = None
    namespace = clock = games = None  # the name of a network namespace, a file with the ms by which its clock is wrong, a folder of games (`serve.py`)

    def __init__(self, data, host="127.0.0.1", **settings):
        self.data, self.port = data, free_port()
        self.settings = {"quick_bots": True, "patience": 2.0, "unlimited_local": True, "host": host} | settings
        self.url = f"http://{host}:{self.port}"
        self.log = data / "log"
        self.process = None

    def start(self):
        with self.log.open("ab") as log:
            wanted = {"data": str(self.data), "port": self.port, "settings": self.settings}
            self.process = Forked(wanted | {"broken": self.broken, "namespace": self.namespace, "clock": self.clock, "games": self.games}, log)
        for _ in range(PATIENT * 20):
            assert self.process.poll() is None, self.log.read_text()
            if self._ready():
                return self
            time.sleep(0.05)
        raise AssertionError(f"the server does not answer:\n{self.log.read_text()}")

    def _ready(self):
        try:
            with urllib.request.urlopen(f"{self.url}/readyz", timeout=5) as answer:
                return answer.status == 200
        except (urllib.error.URLError, OSError):
            return False

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(PATIENT)
            except subprocess.TimeoutExpired:
                self.kill()
                raise
