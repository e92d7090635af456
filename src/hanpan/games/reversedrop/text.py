"""Reverse Drop Chess: its notation. A position is ten rows of `.bw`, the side to move and the plies played: `…/….b…/… b 12`."""

import re
from collections.abc import Mapping
from typing import Any

from hanpan.core.option import Value
from hanpan.core.refusal import IllegalAction
from hanpan.core.rule import CHANCE, OVER, Record, Rng
from hanpan.core.scene import cell_name, read_cell
from hanpan.core.unfit import Unfit
from hanpan.core.words import Phrase

from . import rules, table
from .landing import ASSIMILATE, BRINGS, CELL_STEP, CELLS, COPY, EMPTY_AROUND, SIZE, SPOT, STEP, side

_SIGNS = "bw"
_CELL = "([a-z](?:0|[1-9][0-9]?))"
_ACTION = re.compile(f"{_CELL}(?:-{_CELL}(?:[+]{_CELL})?)?")


def clock(options: Mapping[str, Value]) -> dict[str, Any]:
    """What friends usually give each other: 5 minutes, then 20 seconds a turn."""
    return {"kind": "byoyomi", "main_ms": 300_000, "byoyomi_ms": 20_000}


def name(cell: int) -> str:
    """The text of a cell."""
    return cell_name(cell % SIZE, cell // SIZE)


def owners(s: Record) -> list[int | None]:
    """Whose piece lies on each cell."""
    found: list[int | None] = [None] * CELLS
    for seat in range(2):
        for half in range(2):
            left = int(s.pieces[seat, half])
            while left:
                place = left.bit_length() - 1
                found[half * CELLS // 2 + place // (SIZE + 1) * SIZE + place % (SIZE + 1)] = seat
                left ^= 1 << place
    return found


def _format_rows(s: Record) -> str:
    signs = "".join("." if seat is None else _SIGNS[seat] for seat in owners(s))
    return "/".join(signs[i : i + SIZE] for i in range(0, CELLS, SIZE))


def _lay_rows(s: Record, text: str) -> None:
    """Put the pieces of ten rows on an empty board."""
    rows = text.split("/")
    if len(rows) != SIZE:
        raise Unfit("rows", __package__, size=SIZE, n=len(rows))
    for number, row in enumerate(rows, 1):
        if len(row) != SIZE or set(row) - set(".bw"):
            raise Unfit("row", __package__, row=number, given=repr(row[:20]), size=SIZE)
    for cell, sign in enumerate("".join(rows)):
        if sign != ".":
            table.toggle(s, _SIGNS.index(sign), int(SPOT[cell]))


# --- Positions ---


def format_position(s: Record) -> str:
    """Rows, side, and plies or `setup`."""
    turn = "-" if s.turn == OVER else "b" if s.turn == CHANCE else _SIGNS[s.turn]
    return f"{_format_rows(s)} {turn} {'setup' if s.plies == table.SETUP else s.plies}"


def parse_position(s: Record, text: str, viewer: int) -> None:
    """Fill a fresh record. A position in play may hold any pieces and either side to move, so that one can compose studies."""
    fields = text.split(" ")
    if len(fields) != 3:
        raise Unfit("fields", __package__, n=len(fields))
    rows, turn, plies = fields
    try:
        _lay_rows(s, rows)
    except ValueError as reason:
        raise Unfit("field", field="rows", reason=reason) from None
    if turn not in ("b", "w", "-"):
        raise Unfit("side", __package__, given=repr(turn[:20]))
    if plies == "setup":
        _check_setup(s, turn)
        return
    if not re.fullmatch("0|[1-9][0-9]{0,9}", plies) or int(plies) > rules.MOST_PLIES:
        raise Unfit("plies", __package__, given=repr(plies[:20]), most=rules.MOST_PLIES)
    if 0 < s.max_plies < int(plies):
        raise Unfit("plies-many", __package__, n=plies, most=int(s.max_plies))
    s.plies = int(plies)
    s.turn = 1 if turn == "w" else 0
    rules.judge(s)
    if turn == "-" and s.turn != OVER:
        raise Unfit("side-goes-on", __package__)
    if turn != "-" and s.turn == OVER:
        raise Unfit("side-over", __package__, given=repr(turn))


def _check_setup(s: Record, turn: str) -> None:
    black, white = (int(table.count(s, seat)) for seat in range(2))
    if turn != "b":
        raise Unfit("setup-side", __package__, given=repr(turn))
    if s.turn == CHANCE and black + white:
        raise Unfit("setup-empty", __package__)
    if black > s.black or white > s.white:
        raise Unfit("setup-many", __package__, black=black, white=white, most_black=int(s.black), most_white=int(s.white))
    if white and black < s.black:
        raise Unfit("setup-order", __package__, n=int(s.black))
    if black == s.black and white == s.white:
        raise Unfit("setup-done", __package__)


# --- Actions ---


def cells(a: int) -> list[int]:
    """The cells of an action: from, to, and the chosen one if there is a choice; or the one a piece is placed on."""
    if a >= rules.PLACE:
        return [a - rules.PLACE]
    direction, choice = a >> 2 & 3, a & 3
    landing = (a >> 4) + CELL_STEP[direction]
    return [a >> 4, landing, *([landing + CELL_STEP[side(direction, choice)]] if choice else [])]


def format_action(s: Record, a: int) -> str:
    """`c3-c4`, `c3-c4+d4`, or `c3` while setting up."""
    names = [name(cell) for cell in cells(a)]
    return "-".join(names[:2]) + "".join(f"+{chosen}" for chosen in names[2:])


def _read(text: str) -> list[int]:
    found = _ACTION.fullmatch(text)
    if found is None:
        raise IllegalAction("unreadable", text=text[:60])
    read = []
    for word in filter(None, found.groups()):
        at = read_cell(word, SIZE, SIZE)
        if at is None:
            raise IllegalAction("off-board", at=word)
        read.append(at[0] + SIZE * at[1])
    return read


def parse_action(s: Record, text: str) -> int:
    """Its number. What is no action anywhere (a step to a cell far away) is refused here."""
    read = _read(text)
    if len(read) == 1:
        return rules.PLACE + read[0]
    for a in range(read[0] * 16, read[0] * 16 + 16):
        direction = a >> 2 & 3
        if EMPTY_AROUND[SPOT[read[0]]] >> 2 * direction & 3 == 0 and cells(a) == read:
            return a
    raise _why_not(s, read)


def refusal(s: Record, a: int) -> IllegalAction:
    """Why this action is not legal here."""
    return _why_not(s, cells(a))


def _setup_first(s: Record) -> IllegalAction:
    return IllegalAction("setup-first", black=int(s.black - table.count(s, 0)), white=int(s.white - table.count(s, 1)))


def _why_not(s: Record, read: list[int]) -> IllegalAction:
    owner = owners(s)
    at = [name(cell) for cell in read]
    if len(read) == 1:
        return IllegalAction("taken", at=at[0]) if s.plies == table.SETUP else IllegalAction("already-set-up")
    if s.plies == table.SETUP:
        return _setup_first(s)
    if owner[read[0]] is None:
        return IllegalAction("no-piece", at=at[0])
    if owner[read[0]] != s.turn:
        return IllegalAction("not-your-piece", at=at[0])
    spots = [int(SPOT[cell]) for cell in read]
    if spots[1] - spots[0] not in STEP:
        return IllegalAction("not-neighbour", origin=at[0], at=at[1])
    if owner[read[1]] is not None:
        return IllegalAction("taken", at=at[1])
    if not _chooses(s, spots[1]):
        return IllegalAction("choice-not-allowed", at=at[1])
    sides = [read[1] + step for step in CELL_STEP if read[1] + step != read[0]]  # all on the board: at the rim there is no choice
    if len(read) == 2:
        free = [name(cell) for cell in sides if owner[cell] is None]
        return IllegalAction("choice-missing", at=at[1], free=", ".join(sorted(free)))
    if read[2] not in sides:
        return IllegalAction("choice-not-a-side", at=at[1], chosen=at[2])
    return IllegalAction("choice-taken", chosen=at[2])


def _chooses(s: Record, spot: int) -> bool:
    """Whether a new piece comes when the seat to move lands there."""
    brings = BRINGS[s.turn, s.around[spot]]
    return bool(brings == COPY or brings >= ASSIMILATE)


# --- The random set-up ---


def spoken(text: str) -> Phrase | None:
    """A random set-up in words: it is to be seen, not read; other actions are read as they are written."""
    return Phrase("moves.setup") if text.startswith("setup ") else None


def heard(text: str) -> Phrase | None:
    """A piece that is placed, a step, and where it brings a new piece, in words; a set-up is said as it is read."""
    read = _ACTION.fullmatch(text)
    if read is None:
        return None
    if not read[2]:
        return Phrase("heard.place", {"at": text})
    step = {"from": read[1], "to": read[2]}
    return Phrase("heard.doubled", step | {"new": read[3]}) if read[3] else Phrase("heard.step", step)


def draw_chance(s: Record, rng: Rng) -> str:
    """Lay the pieces at random: `setup` and ten rows."""
    rules.chance(s, rng)
    return f"setup {_format_rows(s)}"


def parse_chance(s: Record, text: str) -> None:
    """Lay the pieces that chance gave; their numbers are those of the options."""
    word, _, rows = text.partition(" ")
    if word != "setup":
        if _ACTION.fullmatch(text):
            raise _setup_first(s)
        raise IllegalAction("unreadable", text=text[:60])
    try:
        _lay_rows(s, rows)
    except ValueError:
        raise IllegalAction("bad-rows", size=SIZE) from None
    black, white = (int(table.count(s, seat)) for seat in range(2))
    if (black, white) != (s.black, s.white):
        raise IllegalAction("wrong-numbers", black=int(s.black), white=int(s.white), given_black=black, given_white=white)
    rules.begin(s)
