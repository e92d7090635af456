"""A JSONL file that grows, so that long work can be interrupted and continued: a first line that says which work, then a line for each game that is done."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hanpan.core.reading import quoted, read_json

_FORMAT = 1

Row = tuple[dict[str, Any], str]  # a line's object, and where it stands


class JsonLines:
    """Such a file of one kind (what its first line calls `hanpan`). One that holds something else is refused, and what differs is named."""

    def __init__(self, path: Path, kind: str, head: dict[str, Any]) -> None:
        self._path, self._kind = path, kind
        self._head = {"hanpan": kind, "format": _FORMAT, **head}
        rows, rest = _rows(path, kind)
        if not rows:
            self._write(self._head, "w")
        else:
            self._check_head(rows[0][0])
        if rest:  # cut short by a crash
            with path.open("r+b") as file:
                file.truncate(path.stat().st_size - rest)
        self.rows: list[Row] = rows[1:]

    @staticmethod
    def read(path: Path, kind: str) -> list[Row]:
        """The rows of a file that is there, whatever else its first line says."""
        rows, _ = _rows(path, kind)
        if not rows:
            raise ValueError(f"{path}: there is no such file, or it is empty")
        return rows[1:]

    def append(self, data: dict[str, Any]) -> None:
        """Write down one more."""
        self._write(data, "a")

    def _check_head(self, found: dict[str, Any]) -> None:
        ours = json.loads(json.dumps(self._head))
        for key in sorted(ours.keys() | found.keys()):
            if ours.get(key) != found.get(key):
                raise ValueError(f"{self._path}: belongs to another {self._kind}: {key} is {quoted(found.get(key))} there and {quoted(ours.get(key))} here")

    def _write(self, data: dict[str, Any], mode: str) -> None:
        try:
            with self._path.open(mode, encoding="utf-8") as file:
                file.write(json.dumps(data, ensure_ascii=False) + "\n")
        except OSError as wrong:
            raise ValueError(f"{self._path}: can't be written ({wrong.strerror})") from None


def _rows(path: Path, kind: str) -> tuple[list[Row], int]:
    """The whole lines of a file, the first included, and how many bytes come after them."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return [], 0
    except OSError as wrong:
        raise ValueError(f"{path}: can't be read ({wrong.strerror})") from None
    end = data.rfind(b"\n") + 1
    other = f'{path}: something else is in it: its first line does not say "hanpan": "{kind}"'
    try:
        lines = data[:end].decode().split("\n")[:-1]
    except UnicodeDecodeError:
        raise ValueError(other) from None
    first = _read(lines[0], f"{path}, line 1") if lines else {}
    if data and (first.get("hanpan") != kind or first.get("format") != _FORMAT):
        raise ValueError(other)
    rows = [(first, f"{path}, line 1")] if lines else []
    for number, line in enumerate(lines[1:], 2):
        rows.append((_read(line, where := f"{path}, line {number}"), where))
    return rows, len(data) - end


def _read(line: str, where: str) -> dict[str, Any]:
    try:
        data = read_json(line)
    except ValueError:
        data = None
    if not isinstance(data, dict):
        raise ValueError(f"{where}: not a JSON object")
    return data
