"""What every game is like, and its demo as pictures, in plain data. They are made when the package is built, so that the front page waits for no rules;
those of games that are not part of it before a server opens (see `outside`).

`python -m hanpan.server.stills` makes those that are not there as the sources say; it needs NumPy and nothing else (HANPAN_INTERPRET=1).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from hanpan.core.option import Option
from hanpan.core.rule import INTERPRET, below, hide_nothing, rng
from hanpan.core.scene import Board
from hanpan.game import Game, State, game, games
from hanpan.record import GameRecord
from hanpan.rulebook import is_own, package

FOLDER = Path(__file__).parent / "stills"
DEMO_PLIES = 40
SHARE = 0.45  # of the demo, after which its one picture is taken


class Still(NamedTuple):
    """What is told of a game before anybody plays it: JSON, as it is sent."""

    about: bytes
    demo: bytes
    picture: bytes  # one of the demo's


@dataclass(frozen=True)
class TableLike:
    """What a table of a game is like."""

    seats: int
    clock: Mapping[str, object]
    timed: bool
    leaving: str

    @staticmethod
    def of(chosen: Game) -> TableLike:
        """With these options."""
        return TableLike(chosen.seats, chosen.clock, chosen.timed, chosen.book.rules.LEAVING)


def about(name: str) -> bytes:
    """A game's options, what a table with the plain ones is like, the side that each seat plays for, and whether there are rounds."""
    kept = _kept(name)
    return _about(game(name)) if kept is None else kept.about


def demo(name: str) -> bytes:
    """A short game, one picture after the other."""
    kept = _kept(name)
    return _shown(name)[0] if kept is None else kept.demo


def picture(name: str) -> bytes:
    """One of them: a position where one sees what the game is."""
    kept = _kept(name)
    return _shown(name)[1] if kept is None else kept.picture


def in_scenes(states: Iterable[State]) -> Iterator[dict[str, object]]:
    """Positions as pictures, one after the other. A scene without a board has the board of the one before."""
    board: Board | None = None
    for state in states:
        scene = state.scene()
        yield scene.json(board) | {"scores": state.scores, "over": state.over}
        board = scene.board


def made(name: str) -> Still:
    """All of it, from the rules."""
    return Still(_about(game(name)), *_shown(name))


def _plain(told: object) -> bytes:
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()


def _about(found: Game) -> bytes:
    sides = found.book.rules.sides(found.book.rules.MOST_SEATS)
    options = [_option(option) | _fixed(found, option) for option in found.book.options]
    secrets = found.book.rules.hide is not hide_nothing
    return _plain({"options": options, **asdict(TableLike.of(found)), "sides": list(sides), "rounds": found.book.rounds is not None, "secrets": secrets})


def _fixed(found: Game, option: Option) -> dict[str, object]:
    """What its choices say of other options, where they do."""
    fixes = found.book.text.PRESETS.get(option.name)
    return {"fixes": fixes} if fixes else {}


def _option(option: Option) -> dict[str, object]:
    line: dict[str, object] = {"name": option.name, "default": option.default}
    if option.choices:
        return line | {"choices": list(option.choices), "free": option.free is not None, "laid": option.laid}
    return line if isinstance(option.default, bool) else line | {"low": option.low, "high": option.high}


@cache
def _shown(name: str) -> tuple[bytes, bytes]:
    """The demo, and the picture of it."""
    scenes = _scenes(name)
    seen = scenes[: int(len(scenes) * SHARE) + 1]
    return _plain(scenes), _plain({**seen[-1], "board": next(scene["board"] for scene in reversed(seen) if "board" in scene)})


def _scenes(name: str) -> list[dict[str, object]]:
    """The demo: the record that the game brings along as `demo.txt`; else random play, always the same."""
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
    for path in [*sorted(own.rglob("*.py")), own / "demo.txt", *sorted(whole.glob("*.py")), *sorted((whole / "core").glob("*.py")), Path(__file__)]:
        summed.update(path.name.encode() + (path.read_bytes() if path.is_file() else b""))
    return summed.hexdigest()


_known: dict[str, Still] = {}  # of games that are not part of this package


def is_kept(name: str) -> bool:
    """Whether it was made from the sources as they are, now or before this process."""
    if (found := _kept(name)) is not None:
        _known[name] = found
    return found is not None


def keep(name: str, still: Still) -> None:
    """Have what was made of a game that is not part of this package, for this process and later ones."""
    _known[name] = still
    if not INTERPRET:
        from hanpan.core.compiled import keep as keep_file

        keep_file(_file(name), b"\n".join([_digest(name).encode(), *still]))


def _file(name: str) -> Path:
    if is_own(name) or INTERPRET:  # which keeps nothing
        return FOLDER / f"{name}.jsonl"
    from hanpan.core.compiled import cache_folder

    return cache_folder() / f"still-{name}.jsonl"


def _kept(name: str) -> Still | None:
    """One line each, so that nobody has to read what is sent as it is."""
    if name in _known:
        return _known[name]
    try:
        digest, *lines = _file(name).read_bytes().splitlines()
        return Still(*lines) if digest.decode() == _digest(name) else None
    except (OSError, ValueError, TypeError):
        return None


def make() -> None:
    """Make what is missing or out of date, of the games that are part of this package; what is of no use any more goes."""
    FOLDER.mkdir(exist_ok=True)
    own = [name for name in games() if is_own(name)]
    for name in own:
        if _kept(name) is None:
            (FOLDER / f"{name}.jsonl").write_bytes(b"\n".join([_digest(name).encode(), *made(name)]))
    for old in {*FOLDER.iterdir()} - {FOLDER / f"{name}.jsonl" for name in own}:
        old.unlink()


if __name__ == "__main__":
    make()
