"""Firefox, where it is installed, driven by what it speaks itself: WebDriver BiDi. (Playwright's own Firefox is not among the packages, and what it wants of
others not all of them know.)"""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
import time
from itertools import count
from pathlib import Path
from typing import Any

from websockets.sync.client import connect

BROWSERS = ("firefox", "firefox-esr")
LISTENS = "WebDriver BiDi listening on "
PATIENCE = 60  # seconds until it listens


def firefox() -> str | None:
    """The browser, if there is one."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


class Firefox:
    """A browser without a window, with a profile of its own that is thrown away."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        said = Path(self._folder.name) / "said"
        command = [str(firefox()), "--headless", "--no-remote", "--remote-debugging-port=0", "--profile", self._folder.name, "about:blank"]
        with said.open("w") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log)
        self._socket = connect(f"{_address(said)}/session", max_size=None)
        self._numbers = count(1)
        self.version: str = self.ask("session.new", capabilities={})["capabilities"]["browserVersion"]

    def ask(self, method: str, **how: Any) -> Any:
        """A command of WebDriver BiDi; what it is answered."""
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": how}))
        while (told := json.loads(self._socket.recv())).get("id") != number:
            pass
        if told["type"] != "success":
            raise RuntimeError(f"{method}: {told['error']}: {told['message']}")
        return told["result"]

    def new_page(self) -> Page:
        """An empty page."""
        return Page(self, self.ask("browsingContext.create", type="tab")["context"])

    def close(self) -> None:
        """End it."""
        self._socket.close()
        self._process.terminate()
        self._process.wait(30)
        self._folder.cleanup()


def _address(said: Path) -> str:
    """Where it listens, as it says when it does."""
    for _ in range(PATIENCE * 20):
        for line in said.read_text("utf-8", "replace").splitlines():
            if line.startswith(LISTENS):
                return line.removeprefix(LISTENS)
        time.sleep(0.05)
    raise RuntimeError("Firefox does not listen")


class Page:
    """A page of it."""

    def __init__(self, browser: Firefox, context: str) -> None:
        self._browser, self._context = browser, context

    def evaluate(self, function: str, given: Any = None) -> Any:
        """What a function answers, or promises, to what it is given; both as JSON."""
        asked = f"(async () => JSON.stringify(await ({function})({json.dumps(given)})) ?? 'null')()"
        told = self._browser.ask("script.evaluate", expression=asked, target={"context": self._context}, awaitPromise=True)
        if told["type"] != "success":
            raise RuntimeError(told["exceptionDetails"]["text"])
        return json.loads(told["result"]["value"])

    def close(self) -> None:
        """Close it."""
        self._browser.ask("browsingContext.close", context=self._context)
