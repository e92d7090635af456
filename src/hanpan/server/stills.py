"""The demo games as pictures in plain data. They are made when the package is built, so that the front page waits for no rules.

`python -m hanpan.server.stills` makes those that are not there as the sources say; it needs NumPy and nothing else (HANPAN_INTERPRET=1).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path

from hanpan.core.rule import below, rng
from hanpan.core.scene import Board
from hanpan.game import State, game, games
from hanpan.record import GameRecord
from hanpan.rulebook import package

FOLDER = Path(__file__).parent / "stills"
DEMO_PLIES = 40


@cache
def demo(name: str) -> list[dict[str, object]]:
    """A short game, one picture after the other: the record that the game brings along as `demo.txt`; else random play, always the same."""
    kept = _kept(name)
    return kept if kept is not None else _made(name)


def in_scenes(states: Iterable[State]) -> Iterator[dict[str, object]]:
    """Positions as pictures, one after the other. A scene without a board has the board of the one before."""
    board: Board | None = None
    for state in states:
        scene = state.scene()
        yield scene.json(board) | {"scores": state.scores, "over": state.over}
        board = scene.board


def _made(name: str) -> list[dict[str, object]]:
    record = files(package(name)).joinpath("demo.txt")
    if record.is_file():
        return list(in_scenes(state.view(0) for state in GameRecord.from_text(record.read_text("utf-8")).states()))
    states, r = [game(name).start(seed=7)], rng(7, 1)
    while len(states) < DEMO_PLIES and not states[-1].over:
        now, legal = states[-1], states[-1].legal()
        states.append(now.play(now.draw(len(states)) if now.chance else legal[below(r, len(legal))]))
    return list(in_scenes(state.view(0) for state in states))


def _digest(name: str) -> str:
    """Changes with every source that the pictures are made from."""
    own, whole = Path(str(files(package(name)))), Path(str(files("hanpan")))
    summed = hashlib.sha256()
    for path in [*sorted(own.glob("*.py")), own / "demo.txt", *sorted(whole.glob("*.py")), *sorted((whole / "core").glob("*.py")), Path(__file__)]:
        summed.update(path.name.encode() + (path.read_bytes() if path.is_file() else b""))
    return summed.hexdigest()


def _kept(name: str) -> list[dict[str, object]] | None:
    try:
        kept = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
        return list(kept["scenes"]) if kept["digest"] == _digest(name) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def make() -> None:
    """Make what is missing or out of date, of the games that are part of this package."""
    FOLDER.mkdir(exist_ok=True)
    for name in games():
        if package(name).startswith("hanpan.") and _kept(name) is None:
            made = {"digest": _digest(name), "scenes": _made(name)}
            (FOLDER / f"{name}.json").write_text(json.dumps(made, ensure_ascii=False, separators=(",", ":")), "utf-8")


if __name__ == "__main__":
    make()
