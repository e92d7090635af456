"""A real server in a process of its own, for every test that needs one."""

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

from kept import Kept

FOLDER = Path(__file__).parent
sys.path.append(str(FOLDER.parent.parent / "tools"))

from ports import free_port  # noqa: E402

PATIENT = 120  # seconds: the machine may be busy


class ServerProcess:
    """`tests/server/serve.py` on loopback; it can be killed at any moment and started again on the same data and port."""

    def __init__(self, data, **settings):
        self.data, self.port = data, free_port()
        self.settings = {"quick_bots": True, "patience": 2.0, "unlimited_local": True} | settings
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = data / "log"
        self.process = None

    def start(self):
        words = [f"{key}={json.dumps(value)}" for key, value in self.settings.items()]
        paths = os.pathsep.join([str(FOLDER.parent / "toy"), *filter(None, [os.environ.get("PYTHONPATH")])])
        with self.log.open("ab") as log:
            command = [sys.executable, str(FOLDER / "serve.py"), str(self.data), str(self.port), *words]
            self.process = Kept(command, stdout=log, stderr=log, env={**os.environ, "PYTHONPATH": paths})
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
