"""What the tests of the page share: a real server, a real browser, and people who sit before it."""

import os
import shutil
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from visitors import CLUB, Visitor

sys.path.append(str(Path(__file__).parent.parent / "server"))

from serving import PATIENT, ServerProcess

BROWSERS = ("chromium", "chromium-browser", "google-chrome")  # not the headless shell, where nobody can be asked whether they want to be told of their turn
# Chromium opens two more pages in each window, for its address line. The option replaces Playwright's own of that name: its features stand here, too.
WITHOUT = (
    "WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup,"
    "AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,LensOverlay,MediaRouter,PaintHolding,"
    "ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect,OptimizationHints,NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch"
)
QUIET = [
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run", "--disable-quic",
    f"--disable-features={WITHOUT}", f"--host-resolver-rules=MAP {CLUB} 127.0.0.1",
]  # fmt: skip


def chromium():
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def pytest_collection_modifyitems(items):
    """Where there is no browser, the tests that need one are left out; but never in CI."""
    if chromium() is None and not os.environ.get("CI"):
        for item in items:
            if "browser" in getattr(item, "fixturenames", ()):
                item.add_marker(pytest.mark.skip(reason="no Chromium here (apt-get install chromium fonts-noto-cjk)"))


@contextmanager
def running_server(data, **settings):
    """A server that has patience with whoever reloads a page on a busy machine, if nothing else is asked for."""
    running = ServerProcess(data, **{"patience": PATIENT} | settings).start()
    try:
        yield running
    finally:
        running.stop()


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """One server for all tests that do not mind others beside them."""
    with running_server(tmp_path_factory.mktemp("page")) as running:
        yield running


@pytest.fixture
def own_server(tmp_path):
    """A server that a test may kill."""
    with running_server(tmp_path) as running:
        yield running


class Browser:
    """One browser for all tests that want one. While it is open no other test can have an event loop of its own: it closes before the next of those."""

    def __init__(self):
        self._playwright = self._running = None

    def open(self):
        from playwright.sync_api import sync_playwright

        assert chromium(), "no Chromium here (apt-get install chromium fonts-noto-cjk)"
        if self._running is None:
            self._playwright = sync_playwright().start()
            self._running = self._playwright.chromium.launch(executable_path=chromium(), args=QUIET)
        return self._running

    def close(self):
        if self._running is not None:
            self._running.close()
            self._playwright.stop()
            self._running = None


_browser = Browser()


@pytest.fixture(scope="module")
def browser():
    return _browser.open()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item, nextitem):
    try:
        return (yield)
    finally:
        if nextitem is None or (nextitem.path != item.path and "browser" not in nextitem.fixturenames):
            _browser.close()


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


@pytest.fixture(scope="module")
def login_server(tmp_path_factory):
    """A server with logins by e-mail (its mails are in its log), at another site, and by custom tokens."""
    from accounts import SECRET

    keys = {"google_client_id": "x", "google_client_secret": "y", "token_secret": SECRET, "token_site": "https://club.example/play"}
    with running_server(tmp_path_factory.mktemp("people"), tries_per_hour=1000, contact="desk@club.example", **keys) as running:
        yield running


@pytest.fixture
def person(visitor, login_server):
    """`person()` is someone at that server."""
    return lambda **context: visitor(at=login_server, **context)


@pytest.fixture(scope="module")
def operator(browser, login_server):
    """The cookies of an operator there."""
    from accounts import made_operator

    return made_operator(browser, login_server, "boss@example.org")
