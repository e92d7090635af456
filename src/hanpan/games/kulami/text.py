"""Kulami: its notation. A position is tiles, marbles, both last marbles and the side to move; an action is a hole or a tile and where it is laid."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hanpan.core.option import Value
from hanpan.core.refusal import IllegalAction
from hanpan.core.rule import CHANCE, OPEN, OVER, Record, Rng
from hanpan.core.scene import cell_name, read_cell
from hanpan.core.unfit import Unfit
from hanpan.core.words import Phrase

from . import boards, rules, table
from .boardcode import is_code, read_code, tiles_text
from .frame import CELLS, LINE, SHAPES, SIDE, SIZE, SIZES, TILES, area, read_size, whole
from .tiletext import check_square, check_together, read_board, read_tiles, rows_of, unfit, write_tiles

COLOURS = ("red", "black")
SIGNS = "rb"
MARBLES = str.maketrans("012", ".rb")
SHAPE_NAMES = tuple(f"{width}x{height}" for width, height in SHAPES)


def prepare(s: Record, options: dict[str, Value]) -> None:
    """Lay the tiles of an explicit board."""
    if s.board == rules.GIVEN:
        lay_board(s, read_board(str(options["board"])))


def lay_board(s: Record, placements: Sequence[int]) -> None:
    """Lay a whole board and let red begin."""
    for k in placements:
        boards.lay(s, k)
    rules.begin(s, rules.RED)


def clock(options: Mapping[str, Value]) -> dict[str, Any]:
    """What friends usually give each other: 5 minutes, then 20 seconds a turn."""
    return {"kind": "byoyomi", "main_ms": 300_000, "byoyomi_ms": 20_000}


# --- positions ---


def name(cell: int) -> str:
    """The text of a cell."""
    return _NAMES[cell]


_NAMES = tuple(cell_name(cell % SIDE, cell // SIDE) for cell in range(CELLS))  # every action asks for those of all that are legal


def format_position(s: Record) -> str:
    """Tiles, marbles, red's last, black's last, to move."""
    red, black = (int(f"{whole(half):b}", 16) for half in s.marble.tolist())  # one hexadecimal digit a hole, so that both sets are written at once
    marbles = f"{red + 2 * black:0{CELLS}x}"[::-1].translate(MARBLES)
    last = [name(cell) if cell >= 0 else "-" for cell in s.last.tolist()]
    turn = int(s.turn)
    return " ".join((write_tiles(s), rows_of(marbles), *last, {CHANCE: "r", OVER: "-"}.get(turn) or SIGNS[turn]))


def parse_position(s: Record, text: str, viewer: int) -> None:
    """Fill the record; its tiles stand above the option's."""
    fields = text.split(" ")
    if len(fields) != 5:
        raise Unfit("fields", __package__, n=len(fields))
    tiles, marbles, *last, turn = fields
    boards.clear(s)
    try:
        placements = read_tiles(tiles)
        for k in placements:
            boards.lay(s, k)
        if len(placements) < TILES:
            _parse_unfinished_board(s, placements, turn)
    except IllegalAction as reason:
        raise Unfit("field", field="tiles", reason=unfit(reason)) from None
    _parse_marbles(s, marbles)
    for seat in range(2):
        s.last[seat] = _parse_last(s, seat, last[seat])
    if len(placements) == TILES:
        _parse_turn(s, turn)


def _parse_unfinished_board(s: Record, placements: Sequence[int], turn: str) -> None:
    s.target[:] = 0
    if s.board == rules.BUILD:
        check_together(placements)
        if not boards.can_lay(s):
            raise Unfit("no-fit", __package__)
        if turn not in ("r", "b"):
            raise Unfit("move-laying", __package__, given=repr(turn[:60]))
        s.turn = SIGNS.index(turn)
    elif placements or s.board not in (rules.RANDOM, rules.RANDOM_SQUARE):
        raise IllegalAction("tiles-few", n=len(placements))
    else:
        if turn != "r":
            raise Unfit("move-drawing", __package__, given=repr(turn[:60]))
        s.turn = CHANCE


def _parse_marbles(s: Record, text: str) -> None:
    rows = text.split("/")
    if len(rows) != SIDE or any(len(row) != SIDE or set(row) - set(".rb") for row in rows):
        raise Unfit("marbles", __package__, given=repr(text[:60]))
    for seat in range(2):
        number = text.count(SIGNS[seat])
        if number > rules.MARBLES:
            raise Unfit("marbles-many", __package__, n=number, colour=Phrase(f"seats.{seat}"), most=rules.MARBLES)
    for cell, sign in enumerate("".join(rows)):
        if sign == ".":
            continue
        if s.tile[cell] == 0 or s.tiles < TILES:
            raise Unfit("marbles-no-hole", __package__, at=name(cell)) if s.tile[cell] == 0 else Unfit("marbles-laying", __package__)
        table.put(s, SIGNS.index(sign), cell)
    if abs(int(s.left[0]) - int(s.left[1])) > 1:
        raise Unfit("marbles-turns", __package__, red=text.count("r"), black=text.count("b"))


def _parse_last(s: Record, seat: int, text: str) -> int:
    if text == "-":
        return -1
    at = read_cell(text, SIDE, SIDE)
    if at is None:
        raise Unfit("last", __package__, colour=Phrase(f"seats.{seat}"), given=repr(text[:60]))
    cell = at[1] * SIDE + at[0]
    if not whole(s.marble[seat]) >> cell & 1:
        raise Unfit("last-none", __package__, colour=Phrase(f"seats.{seat}"), at=text)
    return cell


def _parse_turn(s: Record, turn: str) -> None:
    """Set the side to move of a complete board. Last marbles may be unknown (a position may come from elsewhere) until both seats have moved."""
    if turn not in ("r", "b", "-"):
        raise Unfit("move", __package__, given=repr(turn[:60]))
    red, black = (int(cell) for cell in s.last)
    if red >= 0 and black >= 0:
        if s.tile[red] == s.tile[black]:
            raise Unfit("last-same-tile", __package__, at=name(black))
        if not whole(LINE[red]) >> black & 1:
            raise Unfit("last-not-in-line", __package__, at=name(black))
    stuck = []
    for seat in (SIGNS.index(turn),) if turn != "-" else (rules.RED, rules.BLACK):
        if s.left[seat] < s.left[1 - seat]:
            continue  # the other seat has moved less often, so it is to move
        if s.last[seat] >= 0 and s.last[1 - seat] < 0:
            continue  # the other seat has just moved, so its last marble is known
        s.turn = seat
        rules.find_targets(s)
        stuck.append(s.turn == OVER)
        if stuck[-1] == (turn == "-"):
            return
    if turn == "-":
        raise Unfit("move-goes-on", __package__)
    seat = SIGNS.index(turn)
    if stuck:
        raise Unfit("move-stuck", __package__, given=turn, colour=Phrase(f"seats.{seat}"))
    if s.left[seat] < s.left[1 - seat]:
        raise Unfit("move-more", __package__, given=turn, colour=Phrase(f"seats.{seat}"))
    raise Unfit("last-unknown", __package__, colour=Phrase(f"seats.{1 - seat}"))


def import_board_code(code: str, red_last: str = "-", black_last: str = "-", to_move: str = "r") -> str:
    """The position text of the 200-character board code that other Kulami programs use.

    The code knows neither last marbles nor the side to move: they are given beside it. With unknown last marbles the next marble may go anywhere.
    """
    if not isinstance(code, str):
        raise ValueError(f"code: {code!r} is not 200 signs, a letter and a digit a cell")
    try:
        placements, marbles = read_code(code)
    except IllegalAction as reason:
        raise Unfit("field", field="code", reason=unfit(reason)) from None
    text = f"{tiles_text(placements)} {rows_of(marbles)} {red_last} {black_last} {to_move}"
    s = np.zeros(1, rules.State)[0]
    rules.start(s, rules.A, 0)
    parse_position(s, text, OPEN)
    return text


def foreign_position(text: str) -> str | None:
    """A position as other programs write it, in our own words: a board code, alone or with both last marbles and the side to move. None: not such a text."""
    fields = text.split()
    return import_board_code(*fields) if len(fields) in (1, 4) and is_code(fields[0]) else None


# --- actions ---


def format_action(s: Record, a: int) -> str:
    """`c5`, or `2x3@d4` while the board is laid."""
    return name(a) if a < CELLS else f"{SHAPE_NAMES[(a - CELLS) // CELLS]}@{name(a % CELLS)}"


def parse_action(s: Record, text: str) -> int:
    """The number of a hole or of a tile and where it is laid."""
    match = re.fullmatch(r"(?:([1-9])x([1-9])@)?([a-z][1-9][0-9]?)", text, re.ASCII)
    if match is None:
        raise IllegalAction("unreadable", text=text[:60])
    width, height, cell = match.groups()
    at = read_cell(cell, SIDE, SIDE)
    if at is None:
        raise IllegalAction("off-board", at=cell)
    if width is None:
        return at[1] * SIDE + at[0]
    if (int(width), int(height)) not in SHAPES:
        raise IllegalAction("no-such-tile", size=f"{width}×{height}")
    return CELLS + SHAPES.index((int(width), int(height))) * CELLS + at[1] * SIDE + at[0]


def refusal(s: Record, a: int) -> IllegalAction:
    """Why this action is not legal here."""
    if a >= CELLS:
        return _tile_refusal(s, a - CELLS)
    at = name(a)
    if s.tiles < TILES:
        return IllegalAction("still-building", n=TILES - int(s.tiles))
    if s.tile[a] == 0:
        return IllegalAction("no-hole", at=at)
    if not whole(s.empty) >> a & 1:
        return IllegalAction("taken", at=at)
    own, other = int(s.last[s.turn]), int(s.last[1 - s.turn])
    if not whole(LINE[other]) >> a & 1:
        return IllegalAction("not-in-line", at=at, last=name(other))
    if s.tile[a] == s.tile[other]:
        return IllegalAction("opponents-tile", at=at, last=name(other))
    return IllegalAction("own-tile", at=at, last=name(own))


def _tile_refusal(s: Record, k: int) -> IllegalAction:
    tile = read_size(format_action(s, CELLS + k))
    if s.tiles == TILES:
        return IllegalAction("already-built")
    size = int(SIZE[k // CELLS])
    if s.stock[size] == 0:
        return IllegalAction("tile-used-up", size=read_size(SIZES[size]))
    if area(k) == 0:
        return IllegalAction("off-frame", tile=tile)
    covered = area(k) & whole(s.empty)
    if covered:
        return IllegalAction("overlaps", tile=tile, at=name((covered & -covered).bit_length() - 1))
    return IllegalAction("not-touching", tile=tile)


def drawn_board(s: Record) -> str | None:
    """The whole board that players have laid, as the option `board` takes it."""
    return write_tiles(s) if s.tiles == TILES else None


# --- chance ---


def spoken(text: str) -> Phrase | None:
    """A drawn board in words: it is to be seen, not read; a tile as its size and where it lies; a hole is read as it is written."""
    if text.startswith("board "):
        return Phrase("moves.board")
    size, laid, at = text.partition("@")
    return Phrase("moves.tile", {"size": read_size(size), "at": at}) if laid else None


def heard(text: str) -> Phrase | None:
    """A marble and a tile in words; a drawn board is said as it is read."""
    size, laid, at = text.partition("@")
    if laid:
        return Phrase("heard.tile", {"size": read_size(size), "at": at})
    return Phrase("heard.hole", {"at": text}) if " " not in text else None


def draw_chance(s: Record, rng: Rng) -> str:
    """Lay a random board: `board <tiles>`."""
    rules.chance(s, rng)
    return f"board {write_tiles(s)}"


def parse_chance(s: Record, text: str) -> None:
    """Lay a board that this option could have drawn."""
    word, _, tiles = text.partition(" ")
    if word != "board":
        raise IllegalAction("unreadable", text=text[:60])
    placements = read_board(tiles)
    if s.board == rules.RANDOM:
        check_together(placements)
    else:
        check_square(placements)
    lay_board(s, placements)
