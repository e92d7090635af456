"""Has what pages need to play by themselves made in a process apart, once everything is compiled; until then, and where it can't be, pages ask the server."""

from __future__ import annotations

import json
import logging
import re
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hanpan.core.rule import INTERPRET
from hanpan.rulebook import games

if TYPE_CHECKING:
    from hanpan.engine import Built

_NAMED = re.compile(r"(engine|facts|views)-\w+-[0-9a-f]{16}\.(wasm|json|js)")  # what it is, of which game, which version
log = logging.getLogger("hanpan.server")


class Engines:
    """What there is so far."""

    def __init__(self, ready: threading.Event, names: Sequence[str] | None = None) -> None:
        self._ready, self._names = ready, tuple(games() if names is None else names)
        self._hurried: list[str] = []
        self._built: dict[str, Built] = {}
        self._lock, self._closed = threading.Lock(), INTERPRET
        self._maker: subprocess.Popen[str] | None = None
        self.ended = threading.Event()

    def open(self) -> Engines:
        """Begin when everything is compiled."""
        threading.Thread(target=self._make, name="engines", daemon=True).start()
        return self

    def first(self, name: str) -> None:
        """Somebody has opened this game: what it needs is made before what the others need."""
        if name in self._names and name not in self._hurried:
            self._hurried.append(name)

    def close(self) -> None:
        """Make nothing any more."""
        with self._lock:
            self._closed = True
            if self._maker is not None:
                self._maker.kill()

    def told(self) -> dict[str, Built | None]:
        """Of every game the names of its files; None as long as it has none."""
        built = {name: self._built.get(name) for name in self._names}
        return {name: None if one is None or "wrong" in one else one for name, one in built.items()}

    def _make(self) -> None:
        self._ready.wait()
        if not self._closed:
            from hanpan.engine import known

            found = known(self._names)
            if found is None:
                self._ask()
            else:
                self._take(found)
        self.ended.set()

    def _ask(self) -> None:
        with self._lock:
            if self._closed:
                return
            command = [sys.executable, "-m", "hanpan.engine", *dict.fromkeys((*self._hurried, *self._names))]
            self._maker = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._maker.stdout is not None
        for line in self._maker.stdout:
            self._take(json.loads(line))
        status = self._maker.wait()
        if status != 0 and not self._closed:
            log.warning("no modules for pages were made: the process has ended with %d", status)

    def _take(self, found: dict[str, Built]) -> None:
        self._built.update(found)
        for name, built in found.items():
            if "wrong" in built:
                log.warning("%s can't be played in pages by themselves: %s", name, built["wrong"])


def file(name: str) -> Path | None:
    """A file that was made, of this version or an earlier one, for those who still have that page."""
    if INTERPRET or not _NAMED.fullmatch(name):  # what a stranger names is nowhere looked for
        return None
    from hanpan.core.compiled import cache_folder

    found = cache_folder() / name
    return found if found.is_file() else None
