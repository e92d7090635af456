"""Training sets from self-play: games of computer players, in files that appear one by one, so that it can be interrupted and continued."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any

from hanpan.bots import Bot
from hanpan.bots.workers import share_out
from hanpan.core.option import Value
from hanpan.core.reading import quoted, read_json
from hanpan.core.rule import below, rng
from hanpan.envs.dataset import FORMATS, FinishedGame, check_format, columns, decisions, load, save
from hanpan.game import Game, State, game
from hanpan.record import GameRecord

_PLAN = "plan.json"


class Players:
    """Who plays all seats: `random`, or a level of the computer players. Some random plies at the start make games differ."""

    def __init__(self, of: Game, who: str, openings: int) -> None:
        if who != "random" and who not in tuple("12345678"):
            raise ValueError(f"{quoted(who)}: players are `random` or a level from 1 to 8")
        self._game, self._who, self._openings = of, who, openings

    def play(self, number: int, seed: int) -> FinishedGame:
        """Game number so-and-so: the same for the same seed."""
        chance, dice = rng(seed, 2 * number), rng(seed, 2 * number + 1)
        bot = None if self._who == "random" else Bot(self._game.name, int(self._who), seed=number, megabytes=64)
        state, record, plies = self._game.start(), GameRecord.begin(self._game), 0
        while not state.over:
            if state.chance:
                text, state = state.draw_and_play(chance)
            else:
                text = self._choose(state, bot, dice, plies)
                state, plies = state.play(text), plies + 1
            record = record.add(text)
        return FinishedGame(f"{seed}-{number}", record, list(state.winner or []))

    def _choose(self, state: State, bot: Bot | None, dice: Any, plies: int) -> str:
        if bot is not None and plies >= self._openings:
            return bot.choose(state)
        legal = state.legal()
        return legal[below(dice, len(legal))]


@dataclass(frozen=True)
class SelfPlay:
    """Self-play as work that is shared out: a job is a game's number, its result the number and the rows of the game."""

    game: str
    options: dict[str, Value]
    who: str
    openings: int
    seed: int

    @contextmanager
    def open(self) -> Iterator[Callable[[int], tuple[int, list[dict[str, Any]]]]]:
        """Who plays, and the function that plays one game."""
        of = game(self.game, **self.options)
        players = Players(of, self.who, self.openings)
        yield lambda number: (number, list(decisions(of, players.play(number, self.seed))))


def generate(
    of: Game,
    folder: Path,
    who: str,
    games: int,
    shard: int,
    openings: int,
    seed: int,
    suffix: str,
    tell: Callable[[int], None],
    cores: int = 1,
    on: str | None = None,
) -> Iterator[Path]:
    """Play so many games into files of `shard` games; files that are there already are kept, and what they hold is not played again.

    Games are shared out as `cores` and `on` say (`hanpan.bots.workers.share_out`); a file appears when all its games are there, or with the first of them when
    something ends the work before.
    `tell` hears how many games are done. Asked for fewer games than there are, it leaves them all. ValueError if the folder belongs to another plan.
    """
    if suffix not in FORMATS:
        raise ValueError(f"format: {quoted(suffix.removeprefix('.'))} is not one of {', '.join(known.removeprefix('.') for known in FORMATS)}")
    check_format(folder / f"games{suffix}")  # what it needs is there before anything is played or written
    plan = {"game": of.name, "options": of.options, "players": who, "shard": shard, "openings": openings, "seed": seed, "format": suffix}
    Players(of, who, openings)  # a wrong player is told before anything begins
    _agree(folder, plan)
    shards = [range(first, min(games, first + shard)) for first in range(0, games, shard)]
    paths = {numbers: folder / f"games-{numbers[0]:08d}-{numbers[-1]:08d}{suffix}" for numbers in shards}
    there = {numbers: longest for numbers in shards if (longest := _longest(folder, numbers[0], suffix)) is not None}
    kept = {numbers: longest for numbers, longest in there.items() if longest >= paths[numbers]}
    left = [numbers for numbers in shards if numbers not in kept]
    rows: dict[int, list[dict[str, Any]]] = {}
    for numbers in left:
        rows |= _rows(there[numbers]) if numbers in there else {}
    jobs = [number for numbers in left for number in numbers if number not in rows]
    done = sum(map(len, kept)) + len(rows)
    tell(done)
    yield from kept.values()
    try:
        with closing(share_out(SelfPlay(of.name, of.options, who, openings, seed), jobs, cores, on)) as played:
            for number, decided in played:
                rows[number] = decided
                done += 1
                tell(done)
                numbers = shards[number // shard]
                if all(one in rows for one in numbers):
                    _write(paths[numbers], of, [rows[one] for one in numbers])
                    for one in numbers:
                        del rows[one]
                    yield paths[numbers]
    except BaseException:
        for numbers in left:
            first = list(takewhile(rows.__contains__, numbers))
            if first:
                with suppress(ValueError):  # what ended the work is told
                    _write(folder / f"games-{first[0]:08d}-{first[-1]:08d}{suffix}", of, [rows[one] for one in first])
        raise


def _write(path: Path, of: Game, games: list[list[dict[str, Any]]]) -> None:
    """A file with these games, in place of a shorter one."""
    save(path, of, columns(row for rows in games for row in rows))
    _longest(path.parent, _numbers(path)[0], path.suffix)


def _rows(path: Path) -> dict[int, list[dict[str, Any]]]:
    """The rows of each game of a file; none, if it is damaged."""
    try:
        data = load(path).columns
    except ValueError:
        return {}
    rows: dict[int, list[dict[str, Any]]] = {number: [] for number in _numbers(path)}
    for at, id in enumerate(data["game"].tolist()):
        rows[int(id.rpartition("-")[2])].append({key: column[at] for key, column in data.items()})
    return rows


def held(folder: Path) -> int:
    """How many games the files of a folder have, whatever was asked for last."""
    return sum(len(_numbers(path)) for path in folder.glob("games-*-*") if path.suffix in FORMATS)


def _numbers(path: Path) -> range:
    """The numbers of a file's games, by its name."""
    first, last = path.stem.split("-")[1:]
    return range(int(first), int(last) + 1)


def _longest(folder: Path, first: int, suffix: str) -> Path | None:
    """The file that begins with this game; of several (the last one was shorter before) the longest, which has all that the others have: these go."""
    found = sorted(folder.glob(f"games-{first:08d}-*{suffix}"))
    for shorter in found[:-1]:
        shorter.unlink()
    return found[-1] if found else None


def _agree(folder: Path, plan: dict[str, Any]) -> None:
    """Write the plan into an empty folder, or check that the one there is the same."""
    where = folder / _PLAN
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not where.exists():
            where.write_text(json.dumps(plan, ensure_ascii=False), "utf-8")
        found = read_json(where.read_text("utf-8"))
        if not isinstance(found, dict):
            raise ValueError("not a JSON object")
    except (OSError, ValueError) as wrong:
        raise ValueError(f"{folder}: can't be used ({wrong})") from None
    for key, value in plan.items():
        if found.get(key) != value:
            raise ValueError(f"{folder}: belongs to another plan: {key} is {quoted(found.get(key))} there and {quoted(value)} here")
