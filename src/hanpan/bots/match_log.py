"""The finished games of a match in a file, so that it can be interrupted and continued."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from hanpan.bots.jsonl import JsonLines
from hanpan.bots.tally import Played


class MatchLog:
    """A JSONL file of finished games. A file of another match is refused, and what differs is named."""

    def __init__(self, path: Path, head: dict[str, Any]) -> None:
        self._file = JsonLines(path, "match", head)
        self._games = [_game(data, where) for data, where in self._file.rows]

    def played(self, players: tuple[str, ...]) -> list[Played]:
        """The games that these two have finished."""
        return [played for who, played in self._games if who == players]

    def add(self, players: tuple[str, ...], played: Played) -> None:
        """Write down one more game."""
        self._games.append((players, played))
        self._file.append({"players": players, **asdict(played)})


def _game(data: dict[str, Any], where: str) -> tuple[tuple[str, ...], Played]:
    try:
        players = tuple(data.pop("players"))
        played = Played(**data | {"seconds": tuple(data["seconds"]), "actions": tuple(data["actions"])})
        if not 0 <= played.score <= 1 or not (isinstance(played.pair, int) and isinstance(played.side, int)) or len(played.seconds) != 2:
            raise TypeError
    except (KeyError, TypeError):
        raise ValueError(f"{where}: not a finished game") from None
    return players, played
