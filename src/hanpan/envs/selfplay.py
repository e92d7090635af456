"""Training sets from self-play: games of computer players, in files that appear one by one, so that it can be interrupted and continued."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from hanpan.bots import Bot
from hanpan.core.reading import quoted, read_json
from hanpan.core.rule import below, rng
from hanpan.envs.dataset import FORMATS, FinishedGame, columns, decisions, save
from hanpan.game import Game, State
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


def generate(of: Game, folder: Path, who: str, games: int, shard: int, openings: int, seed: int, suffix: str, tell: Callable[[int], None]) -> Iterator[Path]:
    """Play so many games into files of `shard` games; files that are there already are kept, and what they hold is not played again.

    `tell` hears how many games are done. ValueError if the folder belongs to another plan.
    """
    if suffix not in FORMATS:
        raise ValueError(f"format: {suffix} is not one of {', '.join(FORMATS)}")
    plan = {"game": of.name, "options": of.options, "players": who, "shard": shard, "openings": openings, "seed": seed, "format": suffix}
    _agree(folder, plan)
    players = Players(of, who, openings)
    for first in range(0, games, shard):
        last = min(games, first + shard)
        path = folder / f"games-{first:08d}-{last - 1:08d}{suffix}"
        if not path.exists():
            rows: list[dict[str, Any]] = []
            for number in range(first, last):
                rows += decisions(of, players.play(number, seed))
                tell(number + 1)
            for older in folder.glob(f"games-{first:08d}-*{suffix}"):  # a last file that was shorter
                older.unlink()
            save(path, of, columns(rows))
        tell(last)
        yield path


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
