"""What a search says of finished games in bulk: the value of every action that was played, and the positions in which one action alone wins."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hanpan.bots.alphabeta import SURE, WIN
from hanpan.bots.bot import Analysis, Bot
from hanpan.bots.jsonl import JsonLines
from hanpan.bots.levels import search_of
from hanpan.bots.workers import share_out
from hanpan.core.reading import read_json
from hanpan.game import State
from hanpan.record import GameRecord

Job = tuple[int, str]  # the number of a game in its file, and its record as JSON
Row = dict[str, Any]


@dataclass(frozen=True)
class Study:
    """One way to look at games, as work that is shared out. The same study of the same game says the same on any machine."""

    kind: str  # `annotations` or `puzzles`
    nodes: int  # a position
    megabytes: int = 64
    least: int = 3  # plies until a puzzle is won: what wins at once is none

    @contextmanager
    def open(self) -> Iterator[Callable[[Job], Row]]:
        """Computer players, one a game, and the function that looks at a record."""
        bots: dict[str, Bot] = {}

        def look(job: Job) -> Row:
            number, text = job
            record = GameRecord.from_json(text)
            bot = bots.setdefault(record.name, Bot(record.name, nodes=self.nodes, megabytes=self.megabytes))
            of = self.annotated if self.kind == "annotations" else self.puzzle
            found = [(ply, of(bot, state, action)) for ply, state, action in _decisions(record)]
            return {"number": number, "game": record.name, "options": record.options, self.kind: [{"ply": ply} | row for ply, row in found if row]}

        yield look

    def annotated(self, bot: Bot, state: State, action: str) -> Row | None:
        """What was played, what would have been best, and what both are worth to the seat that acts, in points."""
        last = _searched(bot, state)
        best = _best(last)
        return {"seat": state.seat, "action": action, "value": last.values.get(action), "best": best, "best_value": last.values[best]}

    def puzzle(self, bot: Bot, state: State, action: str) -> Row | None:
        """The position, if one action wins by force and no other does, as far as the search sees; None where the game's search looks for no shortest win."""
        if len(state.legal()) < 2 or search_of(state.game.name, state.game.seats) != "alphabeta":
            return None
        last = _searched(bot, state)
        solution = _best(last)
        plies = round(WIN - last.values[solution] * 100)
        if not _sure(last.values[solution]) or plies < self.least:
            return None
        if any(_wins(bot, state, other) for other in state.legal() if other != solution):  # a search that has found a win looks no further
            return None
        return {"position": str(state), "solution": solution, "wins_in": plies, "line": list(last.line)}


def _sure(value: float) -> bool:
    return value * 100 > SURE


def _wins(bot: Bot, state: State, action: str) -> bool:
    """Whether an action wins by force too, by a search of what comes after it."""
    after = state.play(action)
    if after.over:
        return after.winner == [state.seat]
    last = _searched(bot, after)
    best = last.values[_best(last)]
    return _sure(best if after.seat == state.seat else -best)


def _decisions(record: GameRecord) -> Iterator[tuple[int, State, str]]:
    for ply, (state, action) in enumerate(zip(record.states(), record.actions, strict=False)):
        if state.seat is not None:
            yield ply, state, action


def _best(analysis: Analysis) -> str:
    """The action the search would take. In a tree another one may look better that was hardly tried."""
    return next(iter(analysis.values))


def _searched(bot: Bot, state: State) -> Analysis:
    *_, last = bot.analyse(state)
    return last


def read_archive(path: Path) -> list[str]:
    """The records of a JSONL file: one that `hanpan archive` wrote, or with a record a line. ValueError names a line that is neither."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except OSError as wrong:
        raise ValueError(f"{path}: can't be read ({wrong.strerror})") from None
    except UnicodeDecodeError:
        raise ValueError(f"{path}: not a JSONL file") from None
    records = []
    for number, line in enumerate(lines, 1):
        try:
            data = read_json(line)
            text = json.dumps(data["record"] if isinstance(data, dict) and "record" in data else data, ensure_ascii=False)
            GameRecord.from_json(text)
        except ValueError as wrong:
            raise ValueError(f"{path}, line {number}: {wrong}") from None
        records.append(text)
    if not records:
        raise ValueError(f"{path}: there are no games in it")
    return records


def study(
    how: Study, archive: Path, to: Path, tell: Callable[[int, int], None] = lambda done, total: None, cores: int = 1, on: str | None = None
) -> Iterator[Row]:
    """Look at every game of an archive that has no line in the file `to` yet, and write one for each. Gives what was found, of all of them."""
    records = read_archive(archive)
    digest = hashlib.sha256("\n".join(records).encode()).hexdigest()[:16]
    head = {"nodes": how.nodes, "archive": digest} | ({"least": how.least} if how.kind == "puzzles" else {})
    file = JsonLines(to, how.kind, head)
    done = set()
    for row, where in file.rows:
        if not isinstance(row.get("number"), int) or not isinstance(row.get(how.kind), list):
            raise ValueError(f"{where}: not a line of {how.kind}")
        done.add(row["number"])
        yield row
    tell(len(done), len(records))
    jobs = [(number, text) for number, text in enumerate(records) if number not in done]
    with closing(share_out(how, jobs, cores, on)) as looked:
        for row in looked:
            file.append(row)
            done.add(row["number"])
            tell(len(done), len(records))
            yield row
