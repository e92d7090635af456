"""What the tests of the page share: a real server, a real browser, and people who sit before it."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from visitors import Visitor

FOLDER = Path(__file__).parent
PATIENT = 120  # seconds: the machine may be busy
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run", "--disable-quic"]


def chromium():
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def pytest_collection_modifyitems(items):
    """Where there is no browser its tests are left out; but never in CI."""
    if chromium() is None and not os.environ.get("CI"):
        for item in items:
            if "browser" in getattr(item, "fixturenames", ()):
                item.add_marker(pytest.mark.skip(reason="no Chromium here (apt-get install chromium fonts-noto-cjk)"))


class Server:
    """`tests/server/serve.py` on loopback; it can be killed at any moment and started again on the same data and port."""

    def __init__(self, data, **settings):
        self.data, self.settings = data, {"quick_bots": True, "patience": 2.0} | settings
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.process = None

    def start(self):
        paths = os.pathsep.join([str(FOLDER.parent / "toy"), *filter(None, [os.environ.get("PYTHONPATH")])])
        with (self.data / "log").open("ab") as log:
            command = [sys.executable, str(FOLDER.parent / "server" / "serve.py"), str(self.data), str(self.port)]
            command += [f"{name}={json.dumps(value)}" for name, value in self.settings.items()]
            self.process = subprocess.Popen(command, stdout=log, stderr=log, env={**os.environ, "PYTHONPATH": paths})
        for _ in range(PATIENT * 20):
            assert self.process.poll() is None, (self.data / "log").read_text()
            try:
                with urllib.request.urlopen(f"{self.url}/readyz", timeout=5) as answer:
                    if answer.status == 200:
                        return self
            except (urllib.error.URLError, OSError):
                time.sleep(0.05)
        raise AssertionError("the server does not answer")

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(PATIENT)


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """One server for all tests that do not mind others beside them."""
    running = Server(tmp_path_factory.mktemp("page")).start()
    yield running
    running.stop()


@pytest.fixture
def own_server(tmp_path):
    """A server that a test may kill."""
    running = Server(tmp_path).start()
    yield running
    running.stop()


@pytest.fixture(scope="module")  # while it is there, no other test can have an event loop of its own
def browser():
    from playwright.sync_api import sync_playwright

    assert chromium(), "no Chromium here (apt-get install chromium fonts-noto-cjk)"
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium(), args=QUIET)
        yield running
        running.close()


@pytest.fixture
def visitor(browser, server):
    """`visitor()` is someone with a browser of their own, at the front page of the shared server."""
    came = []

    def come(kind=Visitor, at=None, **context):
        came.append(kind(browser, at or server, **context))
        return came[-1]

    yield come
    for each in came:
        each.leave()
