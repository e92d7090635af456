"""The history of a load: a line of JSON for each thing that people sent, were answered and were told, in the order in which this process knew of it.

| `e` | is written when | with |
| --- | --- | --- |
| `load` | it begins | `plan` |
| `connect` | someone asks to be let in | `person`, `room`, `seat` (null: a spectator), `url` |
| `here` | they were told everything there is | |
| `lost` | their connection has ended | |
| `sent` | they sent an action | `game`, `ply`, `action` |
| `answer` | it was answered | `game`, `ply`, `action`, `ok`, `code` if it was refused |
| `saw` | they were told how a game stands | `game`, `ply`, `told` (the last actions), `position` or `sum`, `over`, `clock` (a seat and what it has left) |
| `over` | they were told how it ended | `game`, `winner`, `scores`, `reason`, `ratings` |
| `game`, `rating` | the load has ended | what the server has in the end (see `truth`) |

Every line of what happens has `t` (seconds), and those of people `who` (table and seat, `3.1`; spectators `3.w0`) and `n`, the number of their connection.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from hanpan.core.extras import needed

with needed("hanpan load", "hanpan[client]"):
    import orjson

Event = dict[str, Any]


class History:
    """Where it is written; without a file, nowhere."""

    def __init__(self, path: Path | None = None) -> None:
        self._file: IO[bytes] | None = None
        if path is not None:
            try:
                self._file = path.open("wb")
            except OSError as wrong:
                raise ValueError(f"--history {path}: can't be written ({wrong.strerror})") from None

    @property
    def kept(self) -> bool:
        """Whether anybody will read it."""
        return self._file is not None

    def add(self, event: str, /, **fields: Any) -> None:
        """One more line."""
        if self._file is not None:
            self.put({"e": event, "t": round(time.time(), 4), **fields})

    def put(self, event: Event) -> None:
        """A line that is made already."""
        if self._file is not None:
            self._file.write(orjson.dumps(event) + b"\n")

    def flush(self) -> None:
        """Whoever reads the file now reads all of it."""
        if self._file is not None:
            self._file.flush()

    def close(self) -> None:
        """Write what is left."""
        if self._file is not None:
            self._file.close()
            self._file = None


def read_history(path: Path) -> Iterator[Event]:
    """The lines of a history; ValueError names the one that is none. A last line that was cut off, because whoever wrote it was killed, is left out."""
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as wrong:
        raise ValueError(f"{path}: can't be read ({wrong.strerror})") from None
    for number, line in enumerate(lines, 1):
        if not line:
            continue
        try:
            event = orjson.loads(line)
        except ValueError:
            if number == len(lines):
                return
            raise ValueError(f"{path}, line {number}: not JSON") from None
        if not isinstance(event, dict) or not isinstance(event.get("e"), str):
            raise ValueError(f"{path}, line {number}: no event of a history")
        yield event
