"""Wall Go: its notation.

A position is the rows, the walls, the order and the seat to move: `.1./.../..2 a1|,b2- 21 2`. A piece is placed by `b2`; a turn is
`b2-c3r` (from b2 to c3, a wall on the right) or `b2r` (standing still); the dice are `dice 3 5`, seat 1's first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from hanpan.core.option import Value
from hanpan.core.refusal import IllegalAction
from hanpan.core.rule import Record, Rng, below, plain
from hanpan.core.scene import read_cell
from hanpan.core.unfit import Unfit
from hanpan.core.words import Phrase

from . import regions, rules, steps, table
from .names import action, edge_of, inner_edges, name, on_rim, placing, turn, way
from .regions import NOWHERE
from .steps import SIDES, STEPS
from .table import ENDED, PLACING, PLAYING, ROLLING

# Notation asks small questions one at a time: the interpreted twins answer them without anything to compile first.
contested, walks = plain(regions.contested), plain(steps.walks)
roll, placer, put, wall, free_edges = plain(rules.roll), plain(rules.placer), plain(table.put), plain(table.wall), plain(table.free_edges)

_TV: dict[str, Value] = {"players": 2, "size": 7, "pieces": 4, "tie_break": "largest"}
PRESETS = {"preset": {"tv": _TV}}
_ACTION = re.compile(r"([a-z][1-9][0-9]?)(?:-([a-z][1-9][0-9]?))?([udlr])?")
_DICE = re.compile(r"dice((?: (?:0|[1-9][0-9]{0,8}))+)")


# --- options ---


def settle(options: dict[str, Value], given: Mapping[str, Value]) -> dict[str, Value]:
    """What the preset says; all pieces must fit on the board."""
    if options["preset"] == "tv":
        for option, value in _TV.items():
            if given.get(option, value) != value:
                called, preset = Phrase(f"options.{option}.name"), Phrase("options.preset.values.tv")
                raise Unfit("preset", __package__, option=called, preset=preset, given=_chosen(option, given[option]), value=_chosen(option, value))
        return options | _TV
    players, size, pieces = int(options["players"]), int(options["size"]), int(options["pieces"])
    if players * pieces > size * size:
        raise Unfit("pieces", __package__, option=Phrase("options.pieces.name"), pieces=pieces, players=players, size=size)
    return options


def _chosen(option: str, value: Value) -> Phrase | Value:
    """A value of an option, as people read it."""
    return Phrase(f"options.{option}.values.{value}") if isinstance(value, str) else value


def clock(options: Mapping[str, Value]) -> dict[str, Any]:
    """A timer for each turn; on television it is a longer one."""
    return {"kind": "turn", "turn_ms": 90_000 if options["preset"] == "tv" else 30_000}


# --- positions ---


def walls(s: Record) -> list[str]:
    """The walled edges, sorted."""
    sides = s.open.tolist()
    return [text for text, cell, side in inner_edges(int(s.width)) if not sides[cell] >> side & 1]


def format_position(s: Record) -> str:
    """The canonical text of a position."""
    size = int(s.width)
    cells = "".join(".123"[seat] for seat in s.cell[: size * size].tolist())
    rows = "/".join(cells[y * size : (y + 1) * size] for y in range(size))
    order = "-" if s.phase == ROLLING else "".join(str(seat + 1) for seat in s.order[: int(s.players)].tolist())
    mover = int(rules.mover(s))
    return f"{rows} {','.join(walls(s)) or '-'} {order} {mover + 1 if mover >= 0 else '-'}"


def parse_position(s: Record, text: str, viewer: int) -> None:
    """Fill a fresh record from a position's text."""
    fields = text.split(" ")
    if len(fields) != 4:
        raise Unfit("fields", __package__)
    rows, edges, order, seat = fields
    _parse_rows(s, rows)
    if order == "-":
        if s.placed:
            raise Unfit("rows-early", __package__)
        if edges != "-":
            raise Unfit("walls-early", __package__)
    else:
        _parse_order(s, order)
        _check_pieces(s)
        s.phase = PLAYING if s.placed == int(s.players) * int(s.pieces) else PLACING
        s.turn = placer(s)
        _parse_walls(s, edges)
    _parse_seat(s, seat, 0 if edges == "-" else edges.count(",") + 1)


def _parse_rows(s: Record, text: str) -> None:
    size, players = int(s.width), int(s.players)
    rows = text.split("/")
    if len(rows) != size or any(len(row) != size for row in rows):
        raise Unfit("rows", __package__, size=size)
    held = [0] * players
    for cell, sign in enumerate("".join(rows)):
        if sign == ".":
            continue
        seat = "123".find(sign)
        if not 0 <= seat < players:
            raise Unfit("sign", __package__, sign=repr(sign), at=name(size, cell), players=players)
        held[seat] += 1
        if held[seat] > s.pieces:
            raise Unfit("many", __package__, seat=sign, n=int(s.pieces))
        put(s, seat, NOWHERE, cell)
        s.placed += 1


def _parse_order(s: Record, text: str) -> None:
    players = int(s.players)
    if sorted(text) != list("123"[:players]):
        raise Unfit("order", __package__, given=repr(text[:60]), players=players)
    for place, sign in enumerate(text):
        s.order[place] = int(sign) - 1


def _check_pieces(s: Record) -> None:
    """As many pieces of each seat as placing in this order gives."""
    placed, expected = int(s.placed), [0] * int(s.players)
    s.placed = 0
    if s.tv:
        if placed < 4:
            raise Unfit("fixed", __package__)
        s.placed, expected = 4, [2, 2]
    while s.placed < placed:
        expected[int(s.order[placer(s)])] += 1
        s.placed += 1
    held = [sum(int(cell) != NOWHERE for cell in cells) for cells in s.at[: int(s.players)]]
    if held != expected:
        raise Unfit("by-seat", __package__, placed=placed, expected=str(expected), held=str(held))


def _parse_walls(s: Record, text: str) -> None:
    if text == "-":
        if s.tv:
            _check_fixed(s)
        return
    if s.phase != PLAYING:
        raise Unfit("walls-placing", __package__)
    size = int(s.width)
    inner = {edge: (cell, side) for edge, cell, side in inner_edges(size)}
    built = text.split(",")
    for edge in built:
        if edge not in inner:
            on_board = edge[-1:] in ("-", "|") and read_cell(edge[:-1], size, size)
            raise Unfit("wall-rim" if on_board else "wall-edge", __package__, given=repr(edge[:60]))
        wall(s, *inner[edge])
    if built != sorted(set(built)):
        raise Unfit("walls-sorted", __package__)


def _check_fixed(s: Record) -> None:
    """The fixed pieces stand where they were put, because nobody has had a turn yet."""
    for place in range(2):
        for cell in rules.TV_FIXED[place]:
            if s.cell[cell] != s.order[place] + 1:
                raise Unfit("fixed-missing", __package__, seat=int(s.order[place]) + 1, at=name(7, int(cell)))


def _parse_seat(s: Record, text: str, turns: int) -> None:
    if s.phase == PLAYING and not contested(s):
        s.phase, s.turn = ENDED, 0
    if s.phase in (ROLLING, ENDED):
        if text != "-":
            raise Unfit("seat-over" if s.phase == ENDED else "seat-dice", __package__, given=repr(text[:60]))
        return
    places = _possible_turns(s, turns) if turns else [int(s.turn)]
    seats = {str(int(s.order[place]) + 1): place for place in places}
    if text == "-":
        raise Unfit("seat-goes-on", __package__)
    if text not in seats:
        raise Unfit("seat-turns" if turns else "seat-pieces", __package__, given=repr(text[:60]), n=turns or int(s.placed), seats=" / ".join(seats))
    s.turn = seats[text]


def _possible_turns(s: Record, turns: int) -> list[int]:
    """The places in the order that can be to move after so many turns; a seat that was walled in was skipped from some moment on."""
    players, size = int(s.players), int(s.width)
    stuck = [place for place in range(players) if free_edges(s, int(s.order[place])) == 0]
    if not stuck:
        return [turns % players]
    # Only three seats come here, and only one of them is stuck: else nothing would be contested. It was so at the earliest after as many
    # turns as its pieces have walls around them; from then on the two others took turns.
    others = [(stuck[0] + 1) % 3, (stuck[0] + 2) % 3]
    cells = s.at[int(s.order[stuck[0]]), : int(s.pieces)].tolist()
    around = {edge_of(size, cell, side) for cell in cells for side in range(4) if not on_rim(size, cell, side)}
    found = set()
    for since in range(len(around), turns + 1):
        first = others.index(since % 3) if since % 3 in others else 0
        found.add(others[(first + turns - since) % 2])
    return sorted(found)


# --- actions ---


def format_action(s: Record, a: int) -> str:
    """The text of an action."""
    return action(int(s.width), a)


def parse_action(s: Record, text: str) -> int:
    """The number of an action."""
    if _DICE.fullmatch(text):
        raise IllegalAction("already-rolled")
    read = _ACTION.fullmatch(text)
    if read is None or (read[2] and not read[3]) or read[1] == read[2]:
        raise IllegalAction("unreadable", text=text[:60])
    size = int(s.width)
    start = _read_on_board(size, read[1])
    if not read[3]:
        return size * size * STEPS * 4 + start
    end = _read_on_board(size, read[2] or read[1])
    step, side = way(size, start, end), SIDES.index(read[3])
    if step is None:
        raise _turn_refusal(s, start, end, side)
    return (start * STEPS + step) * 4 + side


def _read_on_board(size: int, text: str) -> int:
    at = read_cell(text, size, size)
    if at is None:
        raise IllegalAction("off-board", at=text)
    return at[0] + size * at[1]


def refusal(s: Record, a: int) -> IllegalAction:
    """Why an action is not allowed here."""
    size = int(s.width)
    cell = placing(size, a)
    if cell is None:
        return _turn_refusal(s, *turn(size, a))
    if s.phase == PLAYING:
        return IllegalAction("already-placed")
    return IllegalAction("taken", at=name(size, cell))


def _turn_refusal(s: Record, start: int, end: int, side: int) -> IllegalAction:
    size = int(s.width)
    at, to, step = name(size, start), name(size, end), way(size, start, end)
    if s.phase == PLACING:
        return IllegalAction("place-first")
    if s.cell[start] == 0:
        return IllegalAction("no-piece", at=at)
    if s.cell[start] != rules.mover(s) + 1:
        return IllegalAction("not-your-piece", at=at, seat=int(s.cell[start]))
    if step is None:
        return IllegalAction("too-far", at=at, to=to)
    if start != end and s.cell[end] != 0:
        return IllegalAction("onto-piece", at=to)
    if step not in _open_steps(s, start):
        return IllegalAction("blocked", at=at, to=to)
    code = "edge-of-board" if on_rim(size, end, side) else "edge-taken"
    return IllegalAction(code, at=to, side=Phrase(f"sides.{SIDES[side]}"))


def _open_steps(s: Record, cell: int) -> list[int]:
    """The steps that a piece can make from a cell."""
    listed = int(walks(s, cell))
    steps = [0]
    while listed:
        steps.append(listed & 15)
        listed >>= 4
    return steps


# --- the dice ---


def spoken(text: str) -> Phrase | None:
    """The dice in words; other actions are read as they are written."""
    return Phrase("moves.dice", {"faces": " · ".join(text.split()[1:])}) if text.startswith("dice ") else None


def heard(text: str) -> Phrase | None:
    """A piece that is placed, and a turn, in words; the dice are said as they are read."""
    read = _ACTION.fullmatch(text)
    if read is None:
        return None
    if not read[3]:
        return Phrase("heard.place", {"at": text})
    side = Phrase(f"sides.{read[3]}")
    return Phrase("heard.turn", {"from": read[1], "to": read[2], "side": side}) if read[2] else Phrase("heard.stay", {"at": read[1], "side": side})


def draw_chance(s: Record, rng: Rng) -> str:
    """Every seat rolls a die: `dice 3 5 2`."""
    dice = [1 + int(below(rng, 6)) for _ in range(int(s.players))]
    rules.roll(s, *dice, *[0] * (3 - len(dice)))
    return "dice " + " ".join(map(str, dice))


def parse_chance(s: Record, text: str) -> None:
    """Give the seats the order that the dice say."""
    read = _DICE.fullmatch(text)
    if read is None:
        raise IllegalAction("roll-first") if _ACTION.fullmatch(text) else IllegalAction("unreadable", text=text[:60])
    dice = [int(die) for die in read[1].split()]
    if len(dice) != s.players:
        raise IllegalAction("dice-count", count=len(dice), seats=int(s.players))
    for die in dice:
        if not 1 <= die <= 6:
            raise IllegalAction("bad-dice", die=die)
    roll(s, *dice, *[0] * (3 - len(dice)))
