"""Checking the two kinds of trace lines that only Reverse Drop Chess has: single landings, and boards at or before the end."""

import json
from collections.abc import Callable
from typing import Any

from hanpan.core.reading import quoted

from .landing import SIZE
from .text import name

_CASE = {"mover", "from", "to", "sides", "board", "results"}
_END = {"game", "board", "to_move", "over", "winner", "scores"}


def check(line: dict[str, Any], game: Callable[..., Any]) -> str | None:
    """The first difference between a line and the rules, or None."""
    kind = _END if "to_move" in line else _CASE
    if set(line) != kind:
        return f"line: its keys are {', '.join(sorted(line))}, expected {', '.join(sorted(kind))}"
    try:
        return _check_end(line, game) if kind is _END else _check_case(line, game)
    except (ValueError, TypeError, KeyError, IndexError, AttributeError) as reason:
        return f"line: {reason}"


def _differ(field: str, expected: Any, found: Any) -> str | None:
    """As JSON, so that 1 is not true and 2.0 is not 2."""
    if json.dumps(expected) == json.dumps(found):
        return None
    return f"{field}: expected {json.dumps(expected)}, found {json.dumps(found)}"


def _check_end(line: dict[str, Any], game: Callable[..., Any]) -> str | None:
    play = game("reversedrop", max_plies=0)
    if line["to_move"] not in ("b", "w"):
        return _differ("to_move", line["to_move"], "b or w")
    try:
        state = play.parse(f"{line['board']} {line['to_move']} 0")
    except ValueError:  # then only an ended game can be on that board
        state = play.parse(f"{line['board']} - 0")
    found = {"game": "reversedrop", "over": state.over, "winner": state.winner, "scores": state.scores}
    return next(filter(None, (_differ(field, line[field], found[field]) for field in found)), None)


# --- One landing ---


def _cell(at: Any) -> int:
    if not (isinstance(at, list) and len(at) == 2 and all(type(part) is int and 0 <= part < SIZE for part in at)):
        raise ValueError(f"{at} is not a [row, column]")
    return int(at[0] * SIZE + at[1])


def _grid(rows: Any) -> list[str]:
    grid = list("".join(rows.split("/")))
    if [len(row) for row in rows.split("/")] != [SIZE] * SIZE or set(grid) - set(".BW"):
        raise ValueError(f"{quoted(rows)} is not ten rows of . B W")
    return grid


def _rows(grid: list[str]) -> str:
    return "/".join("".join(grid[i : i + SIZE]) for i in range(0, SIZE * SIZE, SIZE)).lower()


def _spares(landing: int) -> dict[int, str]:
    """Two pieces of each colour in the corner farthest from a landing, none beside another, so that the game is not over."""
    x, y = (0 if part >= SIZE // 2 else SIZE - 3 for part in (landing % SIZE, landing // SIZE))
    return {(y + dy) * SIZE + x + dx: sign for dy, dx, sign in ((0, 0, "B"), (0, 2, "W"), (2, 0, "W"), (2, 2, "B"))}


def _with(grid: list[str], spares: dict[int, str]) -> list[str]:
    taken = [name(cell) for cell in spares if grid[cell] != "."]
    if taken:
        raise ValueError(f"{taken[0]} is not empty, but spare pieces have to lie there")
    return [spares.get(cell, sign) for cell, sign in enumerate(grid)]


def _sides(grid: list[str], mover: str, origin: int, landing: int) -> str:
    """The three sides as sorted letters: E empty, O own, X enemy, # off the board."""
    found = ""
    for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0)):
        x, y = landing % SIZE + dx, landing // SIZE + dy
        if not (0 <= x < SIZE and 0 <= y < SIZE):
            found += "#"
        elif y * SIZE + x != origin:
            found += {".": "E", mover: "O"}.get(grid[y * SIZE + x], "X")
    return "".join(sorted(found))


def _check_case(line: dict[str, Any], game: Callable[..., Any]) -> str | None:
    mover, origin, landing, grid = line["mover"], _cell(line["from"]), _cell(line["to"]), _grid(line["board"])
    if mover not in ("B", "W"):
        return _differ("mover", mover, "B or W")
    spares = _spares(landing)
    state = game("reversedrop", max_plies=0).parse(f"{_rows(_with(grid, spares))} {mover.lower()} 0")
    step = f"{name(origin)}-{name(landing)}"
    expected = {}
    for result in line["results"]:
        if set(result) != {"choice", "next"}:
            return f"results: the keys of one are {', '.join(sorted(result))}, expected choice, next"
        text = step if result["choice"] is None else f"{step}+{name(_cell(result['choice']))}"
        if text in expected:
            return f"results: {text} is there twice"
        expected[text] = _rows(_with(_grid(result["next"]), spares))
    offered = [text for text in state.legal() if text.partition("+")[0] == step]
    wrong = _differ("results", sorted(expected), offered) or _differ("sides", line["sides"], _sides(grid, mover, origin, landing))
    for text, after in expected.items():
        wrong = wrong or _differ(f"next of {text}", after, str(state.play(text)).partition(" ")[0])
    return wrong
