"""Checking records and traces: every position, legal list and result in a file is made again and compared."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from hanpan.core.reading import label, quoted, read_json
from hanpan.core.refusal import IllegalAction
from hanpan.game import State, game, games
from hanpan.record import GameRecord
from hanpan.rulebook import rulebook

_PLIES = {"game", "options", "start", "plies", "over", "winner", "scores"}
_PLY = {"seat", "legal", "n", "action", "after"}
_ACTIONS = {"game", "options", "start", "actions", "over", "winner", "scores"}


def check_file(path: Path, tell: Callable[[int, int], None] = lambda done, total: None) -> tuple[int, str | None]:
    """The number of games that a file holds, and the first difference (None: all is reproduced). `tell` hears of progress.

    Files: a record as JSON or text; records, an archive or traces, one JSON object a line (`.jsonl`), any of them gzipped.
    """
    try:
        raw = path.read_bytes()
        text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode()
    except (EOFError, ValueError, zlib.error, gzip.BadGzipFile) as wrong:
        return 0, f"{path}: not a text ({wrong})"
    except OSError as wrong:
        return 0, f"{path}: can't be read ({wrong.strerror or wrong})"
    if ".jsonl" not in path.suffixes:
        difference = check_record(text)
        return (1, None) if difference is None else (0, f"{path}: {difference}")
    lines = text.split("\n")  # and nowhere else: a JSON text may hold other signs that end a line
    if not lines[-1]:
        del lines[-1]
    for number, line in enumerate(lines, 1):
        difference = check_line(line, path.name)
        if difference is not None:
            return number - 1, f"{path}: line {number}: {difference}"
        tell(number, len(lines))
    return len(lines), None


def check_record(text: str) -> str | None:
    """What is wrong with a record, JSON or text."""
    try:
        GameRecord.read(text)
    except ValueError as wrong:
        return str(wrong)
    return None


def check_line(line: str, file_name: str = "") -> str | None:
    """The first difference between one line of a file (a record, a game of an archive, a trace) and what the rules give."""
    try:
        data = read_json(line)
    except ValueError as wrong:
        return str(wrong)
    if not isinstance(data, dict):
        return "not a JSON object"
    if "hanpan" in data:
        return check_record(line)
    if "record" in data:
        return _check_archived(data)
    name = data.get("game", file_name.partition("-")[0].partition(".")[0])
    if not isinstance(name, str) or name not in games():
        return f"game: {quoted(name)} is not one of {', '.join(games())}"
    try:
        return next(_differences(name, data), None)
    except (KeyError, TypeError, AttributeError, IndexError) as wrong:
        return f"not a trace line ({type(wrong).__name__}: {wrong})"[:200]
    except ValueError as wrong:
        return str(wrong)


def _check_archived(data: dict[str, Any]) -> str | None:
    """What is wrong with a line of an archive: its record, or a result that is not the record's."""
    try:
        record = GameRecord.from_json(json.dumps(data["record"]))
    except ValueError as wrong:
        return str(wrong)
    last = record.final()
    ended, written = record.outcome(last), data.get("result")
    true = None if ended is None else {"winner": ended.winner, "reason": ended.reason, "scores": last.scores}
    if true is None or not isinstance(written, dict):
        return None if true is written else f"result: {quoted(written)} is written, the record gives {true!r}"
    others = (key for key, value in true.items() if key not in written or written[key] != value)
    return next((f"result: {key}: {quoted(written.get(key))} is written, the record gives {true[key]!r}" for key in others), None)


def _differences(name: str, data: dict[str, Any]) -> Iterator[str]:
    own = rulebook(name).traces
    if "plies" in data or "actions" in data:
        known = _PLIES if "plies" in data else _ACTIONS
        yield from _game_differences(data)
        if extra := sorted(set(data) - known):
            if own is None or own.check_round is None:
                yield f"{label(extra[0])}: a trace has no such field"
            elif difference := own.check_round(data, game):
                yield difference
    elif own is None:
        yield f"not a kind of line that {name} knows"
    elif difference := own.check(data, game):
        yield difference


def _game_differences(data: dict[str, Any]) -> Iterator[str]:
    state = game(data["game"], **data["options"]).parse(data["start"])
    plies = data["plies"] if "plies" in data else [{"action": action} for action in data["actions"]]
    for number, ply in enumerate(plies, 1):
        found = list(_ply_differences(state, ply))
        if found:
            yield f"ply {number}: {found[0]}"
            return
        try:
            state = state.play(ply["action"])
        except IllegalAction as refused:
            yield f"ply {number}: action: {quoted(ply['action'])}: {refused.message}"
            return
        if "after" in ply and str(state) != ply["after"]:
            yield f"ply {number}: after: {quoted(ply['after'])} is written, the rules give {str(state)!r}"
            return
    end: list[tuple[str, object]] = [("over", state.over), ("winner", state.winner)]
    if "scores" in data:
        end.append(("scores", state.scores))
    for key, true in end:
        if data[key] != true or type(data[key]) is not type(true):
            yield f"after ply {len(plies)}: {key}: {quoted(data[key])} is written, the rules give {true!r}"


def _ply_differences(state: State, ply: dict[str, Any]) -> Iterator[str]:
    if extra := sorted(set(ply) - _PLY):
        yield f"{label(extra[0])}: a ply has no such field"
    if "seat" in ply and ply["seat"] != state.seat:
        yield f"seat: {quoted(ply['seat'])} is written, the rules give {state.seat!r}"
    legal = state.legal()
    if "legal" in ply and ply["legal"] != legal:
        wrong = sorted(set(map(str, ply["legal"])) ^ set(legal))
        yield f"legal: differs at {', '.join(wrong[:3]) or 'its order'}"
    if "n" in ply and ply["n"] != len(legal):
        yield f"n: {quoted(ply['n'])} is written, the rules give {len(legal)}"
