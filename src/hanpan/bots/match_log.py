"""Finished games in a file, so that a match can be interrupted and continued: a first line that says which match, then a line a game."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from hanpan.bots.tally import Played
from hanpan.core.reading import quoted, read_json

_FORMAT = 1


class MatchLog:
    """A JSONL file of finished games. A file of another match is refused, and what differs is named."""

    def __init__(self, path: Path, head: dict[str, Any]) -> None:
        self._path = path
        self._head = {"hanpan": "match", "format": _FORMAT, **head}
        self._games: list[tuple[tuple[str, ...], Played]] = []
        lines = self._whole_lines()
        if not lines:
            self._append(self._head, "w")
            return
        self._check_head(_read(lines[0], f"{path}, line 1"))
        for number, line in enumerate(lines[1:], 2):
            where = f"{path}, line {number}"
            self._games.append(_game(_read(line, where), where))

    def played(self, players: tuple[str, ...]) -> list[Played]:
        """The games that these two have finished."""
        return [played for who, played in self._games if who == players]

    def add(self, players: tuple[str, ...], played: Played) -> None:
        """Write down one more game."""
        self._games.append((players, played))
        self._append({"players": players, **asdict(played)}, "a")

    def _whole_lines(self) -> list[str]:
        """The lines of the file; one that was cut short by a crash is taken away."""
        try:
            data = self._path.read_bytes()
        except FileNotFoundError:
            return []
        except OSError as wrong:
            raise ValueError(f"{self._path}: can't be read ({wrong.strerror})") from None
        end = data.rfind(b"\n") + 1
        try:
            lines = data[:end].decode().split("\n")[:-1]
        except UnicodeDecodeError:
            raise ValueError(f"{self._path}: not a file of finished games") from None
        if end < len(data):
            if end == 0:  # not even a first line: this is someone else's file
                raise ValueError(f"{self._path}: not a file of finished games")
            self._check_head(_read(lines[0], f"{self._path}, line 1"))
            self._path.write_bytes(data[:end])
        return lines

    def _check_head(self, found: dict[str, Any]) -> None:
        if found.get("hanpan") != "match" or found.get("format") != _FORMAT:
            raise ValueError(f"{self._path}: not a file of finished games")
        ours = json.loads(json.dumps(self._head))
        for key in sorted(ours.keys() | found.keys()):
            if ours.get(key) != found.get(key):
                raise ValueError(f"{self._path}: belongs to another match: {key} is {quoted(found.get(key))} there and {quoted(ours.get(key))} here")

    def _append(self, data: dict[str, Any], mode: str) -> None:
        try:
            with self._path.open(mode, encoding="utf-8") as file:
                file.write(json.dumps(data, ensure_ascii=False) + "\n")
        except OSError as wrong:
            raise ValueError(f"{self._path}: can't be written ({wrong.strerror})") from None


def _read(line: str, where: str) -> dict[str, Any]:
    try:
        data = read_json(line)
    except ValueError:
        data = None
    if not isinstance(data, dict):
        raise ValueError(f"{where}: not a JSON object")
    return data


def _game(data: dict[str, Any], where: str) -> tuple[tuple[str, ...], Played]:
    try:
        players = tuple(data.pop("players"))
        played = Played(**data | {"seconds": tuple(data["seconds"]), "actions": tuple(data["actions"])})
        if not 0 <= played.score <= 1 or not (isinstance(played.pair, int) and isinstance(played.side, int)) or len(played.seconds) != 2:
            raise TypeError
    except (KeyError, TypeError):
        raise ValueError(f"{where}: not a finished game") from None
    return players, played
