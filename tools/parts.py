"""Runs every part of the tests, whatever an earlier part said, and says at the end which failed: python tools/parts.py [fast] [arguments of pytest].

What only looks at the sources runs side by side, and with it what compiles the games; then come the tests, the slow ones first (tests/conftest.py), so that
no core is left waiting at the end.
What the tests need beside Python's packages (a browser and its fonts, PostgreSQL, Redis and nginx, the real `fights`) is fetched where that may be done.
What can't be had is named, with the tests that are left out for it; where CI is set, that fails.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import FrameType
from typing import IO

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 20  # seconds for a part to end by itself
NOTHING = 5  # pytest's exit status where no test was chosen
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SERVERS = {"postgresql": "postgres", "redis-server": "redis-server", "nginx": "nginx"}  # Debian's packages, and the program of each
WORKERS = "4"  # for two cores: half of the tests wait for a browser, a disk or a clock
CHUNK = "2"  # tests that a worker is given at once: as few as can be, so that long ones in one file are shared out


class Parts:
    """The parts that run; `failed` names those that did not go well."""

    def __init__(self) -> None:
        self.failed: list[str] = []
        self._running: list[subprocess.Popen[bytes]] = []
        self._told = 0  # the signal that ends everything
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._end)

    def _end(self, number: int, frame: FrameType | None) -> None:
        self._told = self._told or number
        if number == signal.SIGTERM:
            self._terminate()
        else:  # after Ctrl-C the part knows already and tidies up; being told twice at once would keep it from that
            later = threading.Timer(PATIENCE, self._terminate)
            later.daemon = True
            later.start()

    def _terminate(self) -> None:
        for running in self._running:
            running.terminate()

    def _begin(self, command: Sequence[str], said: IO[bytes] | None = None) -> subprocess.Popen[bytes]:
        running = subprocess.Popen(command, cwd=ROOT, stdout=said, stderr=said)
        self._running.append(running)
        if self._told:  # meanwhile
            running.terminate()
        return running

    def run(self, name: str, command: Sequence[str]) -> int:
        """Run a part and remember whether it failed; its exit status."""
        if self._told:
            return 0
        print(f"── {name}", flush=True)
        with self._begin(command) as running:
            return self._ended(name, running)

    def run_together(self, commands: Mapping[str, Sequence[str]]) -> None:
        """Run several parts at the same time; what each says is shown when it is its turn."""
        if self._told:
            return
        with ExitStack() as stack:
            said = {name: stack.enter_context(tempfile.TemporaryFile()) for name in commands}
            started = {name: stack.enter_context(self._begin(command, said[name])) for name, command in commands.items()}
            for name, running in started.items():
                print(f"── {name}", flush=True)
                self._ended(name, running)
                said[name].seek(0)
                print(said[name].read().decode(errors="replace"), end="", flush=True)

    def _ended(self, name: str, running: subprocess.Popen[bytes]) -> int:
        status = running.wait()
        self._running.remove(running)
        if status != 0 and status != NOTHING and not self._told:
            self.failed.append(name)
        return status

    def close(self, began: float) -> int:
        """Say how it went; the exit status of it all."""
        took = f"{int(time.monotonic() - began) // 60} min {int(time.monotonic() - began) % 60} s"
        if self._told:
            print(f"\n./test: interrupted after {took}", flush=True)
            return 128 + self._told
        print(f"\n./test: {'failed: ' + ', '.join(self.failed) if self.failed else 'everything is fine'} ({took})", flush=True)
        return 1 if self.failed else 0


def install(*packages: str) -> bool:
    """Install packages of the system, where this may be done without asking anyone."""
    if shutil.which("apt-get") is None:
        return False
    may = [] if os.geteuid() == 0 else ["sudo", "-n"]
    if may and (shutil.which("sudo") is None or subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False).returncode != 0):
        return False
    print(f"Installing {', '.join(packages)} …", flush=True)
    quietly = {"check": False, "stdout": subprocess.DEVNULL}
    subprocess.run([*may, "apt-get", "update", "-qq"], **quietly)  # type: ignore[call-overload]
    done = subprocess.run([*may, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "-y", "-qq", *packages], **quietly)  # type: ignore[call-overload]
    return bool(done.returncode == 0)


def browser() -> bool:
    """A browser with letters for all four languages, fetched if need be."""

    def there() -> bool:
        return any(shutil.which(name) for name in BROWSERS)

    def letters() -> bool:
        listed = shutil.which("fc-list")
        return sys.platform != "linux" or (listed is not None and bool(subprocess.run([listed, ":lang=ko"], capture_output=True, check=False).stdout))

    lacking = ([] if there() else ["chromium"]) + ([] if letters() else ["fonts-noto-cjk"])
    if lacking:
        install(*lacking)
    return there()


def servers() -> list[str]:
    """The packages of servers that are not to be had here; the others are there now."""

    def lacking() -> list[str]:
        places = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin", *map(str, Path("/usr/lib/postgresql").glob("*/bin"))])
        return [package for package, program in SERVERS.items() if shutil.which(program, path=places) is None]

    if missing := lacking():
        install(*missing)
    return lacking()


def fights() -> bool:
    """The real `fights`, built from its source: its wheels are for another NumPy, and exist for few machines."""

    def works() -> bool:
        return subprocess.run([sys.executable, "-c", "import fights.envs.puoribor"], capture_output=True, check=False).returncode == 0

    def build() -> bool:
        pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "uninstall", "-y", "fights"], capture_output=True, check=False)  # a wheel that does not work here
        subprocess.run([*pip, "install", "-c", str(ROOT / "constraints.txt"), "fights"], check=False)
        return works()

    if works():
        return True
    print("Building fights from its source (a minute or two, once) …", flush=True)
    return build() or (shutil.which("cc") is None and install("build-essential", "python3-dev") and build())


def main(arguments: list[str]) -> int:
    """Everything, in order."""
    began = time.monotonic()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # else each of the processes that are started would compile all of its modules anew
    fast = arguments[:1] == ["fast"]
    arguments = arguments[1:] if fast else arguments
    parts = Parts()
    left_out = [] if fights() else ["the tests that play beside the real fights (tests/envs/test_fights.py): it could not be built here"]
    if not fast and not browser():
        left_out.append("all tests with a browser (tests/page): install chromium and fonts-noto-cjk to run them")
    left_out += [f"the tests with a real {package}: install it to run them" for package in servers()]
    run = [sys.executable, "-m"]
    parts.run_together({
        "ruff check": [*run, "ruff", "check"],
        "ruff format": [*run, "ruff", "format", "--check"],
        "mypy": [*run, "mypy"],
        "the page": [sys.executable, "tools/page.py", "--check"],
        "compiling": [sys.executable, "tools/ready.py"],
    })  # fmt: skip
    chosen = ["-m", "not slow"] if fast else []
    if parts.run("tests", [*run, "pytest", "-n", WORKERS, "--maxschedchunk", CHUNK, *chosen, *arguments]) == NOTHING:
        parts.failed.append("no test was chosen")
    for missing in left_out:
        print(f"\nLeft out: {missing}.")
        if os.environ.get("CI"):
            parts.failed.append("something was left out, and this is CI")
    return parts.close(began)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
