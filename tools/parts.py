"""Runs every part of the tests, whatever an earlier part said, and says at the end which failed: python tools/parts.py [fast] [arguments of pytest].

What the tests need is fetched (tools/fetch.py) while the games are compiled; then come the tests, the slow ones first (tests/conftest.py), so that no core is
left waiting at the end. What only looks at the sources runs beside all that, and is told of last.
What can't be fetched is named, with the tests that are left out for it; where CI is set, that fails.
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
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FrameType
from typing import IO

from fetch import missing

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 20  # seconds for a part to end by itself
NOTHING = 5  # pytest's exit status where no test was chosen
WORKERS = "4"  # for two cores: half of the tests wait for a browser, a disk or a clock
MEMORY = Path("/dev/shm")  # a folder in memory, where Linux has one
ROOM = 8 << 30  # bytes that are free there, and of memory, before it is used: several times what the tests' files take
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

    @contextmanager
    def beside(self, commands: Mapping[str, Sequence[str]]) -> Iterator[None]:
        """Run several parts at the same time, and beside what is done meanwhile; what each says is shown afterwards, in order."""
        if self._told:
            yield
            return
        with ExitStack() as stack:
            said = {name: stack.enter_context(tempfile.TemporaryFile()) for name in commands}
            started = {name: stack.enter_context(self._begin(command, said[name])) for name, command in commands.items()}
            yield
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


@contextmanager
def _files_in_memory() -> Iterator[None]:
    """Temporary files in memory meanwhile, where there is plenty and nobody has said where else: most of the servers' tests wait for a disk."""
    with ExitStack() as stack:
        if "TMPDIR" not in os.environ and _roomy():
            os.environ["TMPDIR"] = stack.enter_context(tempfile.TemporaryDirectory(prefix="hanpan-", dir=MEMORY, ignore_cleanup_errors=True))
            os.chmod(os.environ["TMPDIR"], 0o711)  # PostgreSQL, which root may not run, goes through it to its own
            stack.callback(os.environ.pop, "TMPDIR")
        yield


def _roomy() -> bool:
    try:
        available = next(int(line.split()[1]) for line in Path("/proc/meminfo").read_text().splitlines() if line.startswith("MemAvailable:"))
        return min(shutil.disk_usage(MEMORY).free, available << 10) >= ROOM and os.access(MEMORY, os.W_OK)
    except (OSError, StopIteration):  # another system
        return False


def main(arguments: list[str]) -> int:
    """Everything, in order."""
    began = time.monotonic()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # else each of the processes that are started would compile all of its modules anew
    fast = arguments[:1] == ["fast"]
    arguments = arguments[1:] if fast else arguments
    parts = Parts()
    run, some = [sys.executable, "-m"], ["fast"] if fast else []
    looks = {
        "ruff check": [*run, "ruff", "check"],
        "ruff format": [*run, "ruff", "format", "--check"],
        "mypy": [*run, "mypy"],
        "the page": [sys.executable, "tools/page.py", "--check"],
    }
    with parts.beside(looks):
        with parts.beside({"fetching": [sys.executable, "tools/fetch.py", *some]}):
            parts.run("compiling", [sys.executable, "tools/ready.py"])
        chosen = ["-m", "not slow"] if fast else []
        with _files_in_memory():
            if parts.run("tests", [*run, "pytest", "-n", WORKERS, "--maxschedchunk", CHUNK, *chosen, *arguments]) == NOTHING:
                parts.failed.append("no test was chosen")
    for lacking in missing(fast):
        print(f"\nLeft out: {lacking}.")
        if os.environ.get("CI"):
            parts.failed.append("something was left out, and this is CI")
    return parts.close(began)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
