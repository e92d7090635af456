"""What the tests of the page share: a real server, a real browser, and people who sit before it."""

import os
import shutil
import sys
from pathlib import Path

import pytest
from visitors import Visitor

sys.path.append(str(Path(__file__).parent.parent / "server"))

from serving import ServerProcess

QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run", "--disable-quic"]


def chromium():
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def pytest_collection_modifyitems(items):
    """Where there is no browser its tests are left out; but never in CI."""
    if chromium() is None and not os.environ.get("CI"):
        for item in items:
            if "browser" in getattr(item, "fixturenames", ()):
                item.add_marker(pytest.mark.skip(reason="no Chromium here (apt-get install chromium fonts-noto-cjk)"))


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """One server for all tests that do not mind others beside them."""
    running = ServerProcess(tmp_path_factory.mktemp("page")).start()
    yield running
    running.stop()


@pytest.fixture
def own_server(tmp_path):
    """A server that a test may kill."""
    running = ServerProcess(tmp_path).start()
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
