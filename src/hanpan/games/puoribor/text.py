"""Puoribor's notation: `e2` a pawn move, `e3h` and `e3v` walls, `c3r` a turn; `e1 e9 9 10 f3v,c5-,d2| 2` a position."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from hanpan.core.option import Value
from hanpan.core.reading import quoted
from hanpan.core.refusal import IllegalAction
from hanpan.core.rule import OVER, Record, Rng
from hanpan.core.scene import cell_name, read_cell
from hanpan.core.unfit import Unfit
from hanpan.core.words import Phrase

from . import rules
from .board import COLUMN, DOWN, LEFT, RIGHT, SIZE, UP, WORD, has_way
from .window import WINDOWS

_ACTION = re.compile(r"([a-z])(0|[1-9][0-9]?)([hvr]?)")
_NUMBER = re.compile(r"0|[1-9][0-9]{0,6}")
CENTRES = SIZE - 1


def clock(options: Mapping[str, Value]) -> dict[str, Any]:
    """What friends usually give each other: 10 minutes, then 30 seconds a turn."""
    return {"kind": "byoyomi", "main_ms": 600_000, "byoyomi_ms": 30_000}


def sites(pair: Record) -> int:
    """A set of two words as one integer: bit 10·x + y."""
    return int(pair[0]) | int(pair[1]) << WORD


def site_name(site: int) -> str:
    """The text of a cell."""
    return cell_name(site // COLUMN, site % COLUMN)


def whole_walls(s: Record) -> list[str]:
    """The whole walls on the board, as the actions that built such walls."""
    sets = ((sites(s.whole_h), "h"), (sites(s.whole_v), "v"))
    return [site_name(site) + kind for whole, kind in sets for site in range(2 * WORD) if whole >> site & 1]


def halves(s: Record) -> list[str]:
    """The one-long halves of cut walls, as unit edges."""
    whole_h, whole_v = sites(s.whole_h), sites(s.whole_v)
    cut_h, cut_v = sites(s.h) & ~(whole_h | whole_h << COLUMN), sites(s.v) & ~(whole_v | whole_v << 1)
    return [site_name(site) + kind for cut, kind in ((cut_h, "-"), (cut_v, "|")) for site in range(2 * WORD) if cut >> site & 1]


def format_position(s: Record) -> str:
    """Pawns, walls in hand, walls on the board, seat to move; under max_plies also the plies played."""
    walls = ",".join(sorted(whole_walls(s) + halves(s))) or "-"
    seat = "-" if rules.mover(s) == OVER else str(int(s.turn) + 1)
    plies = f" {s.ply}" if s.max_plies else ""
    return f"{site_name(int(s.pawn[0]))} {site_name(int(s.pawn[1]))} {s.hand[0]} {s.hand[1]} {walls} {seat}{plies}"


# --- reading a position ---


def parse_position(s: Record, text: str, viewer: int) -> None:
    """Fill the record; ValueError names the field that can't be."""
    fields = text.split(" ")
    if len(fields) != (7 if s.max_plies else 6):
        raise Unfit("fields", __package__, n=len(fields), fields=f"pawn 1, pawn 2, walls 1, walls 2, walls, seat{', plies' if s.max_plies else ''}")
    stock = int(s.hand[0])
    for seat in range(2):
        at = read_cell(fields[seat], SIZE, SIZE)
        if at is None:
            raise Unfit("cell", __package__, seat=seat + 1, given=quoted(fields[seat]))
        s.pawn[seat] = COLUMN * at[0] + at[1]
    if s.pawn[0] == s.pawn[1]:
        raise Unfit("same-cell", __package__, at=fields[1])
    if s.pawn[0] % COLUMN == SIZE - 1 and s.pawn[1] % COLUMN == 0:
        raise Unfit("both-arrived", __package__)
    for seat in range(2):
        s.hand[seat] = _number(fields[2 + seat], f"walls {seat + 1}", stock)
    if fields[4] != "-":
        for wall in fields[4].split(","):
            _stand(s, wall)
    _check_walls(s, stock)
    if s.max_plies:
        s.ply = _number(fields[6], "plies", int(s.max_plies))
    _set_turn(s, fields[5])
    if s.max_plies:
        _check_plies(s, stock)


def _number(text: str, field: str, most: int) -> int:
    if not _NUMBER.fullmatch(text) or int(text) > most:
        raise Unfit("number", __package__, field=field, given=quoted(text), most=most)
    return int(text)


def _stand(s: Record, text: str) -> None:
    """Put one wall or half of a position text onto the board."""
    kind, at = text[-1:], read_cell(text[:-1], SIZE, SIZE)
    if at is None or kind not in ("h", "v", "-", "|"):
        raise Unfit("wall", __package__, given=quoted(text))
    whole, flat, site = kind in "hv", kind in "h-", COLUMN * at[0] + at[1]
    last_x, last_y = SIZE - 1 - (whole or not flat), SIZE - 1 - (whole or flat)
    if at[0] > last_x or at[1] > last_y:
        raise Unfit("wall-off", __package__, given=text)
    if not whole and not s.rotation:
        raise Unfit("wall-half", __package__, given=text)
    edges, centres, crossing = (s.h, s.whole_h, s.whole_v) if flat else (s.v, s.whole_v, s.whole_h)
    covered = (site, site + (COLUMN if flat else 1)) if whole else (site,)
    for edge in covered:
        if sites(edges) >> edge & 1:
            raise Unfit("wall-twice", __package__, at=f"{site_name(edge)}{'-' if flat else '|'}")
        edges[edge // WORD] |= 1 << edge % WORD
    if whole and sites(crossing) >> site & 1:
        raise Unfit("wall-cross", __package__, given=text, at=f"{site_name(site)}{'v' if flat else 'h'}")
    if whole:
        centres[site // WORD] |= 1 << site % WORD


def _check_walls(s: Record, stock: int) -> None:
    """What stands on the board must be what was spent: a wall costs one, a turn two, and only turns cut and destroy walls."""
    whole, cut = len(whole_walls(s)), len(halves(s))
    spent = [stock - int(hand) for hand in s.hand]
    never_turned = whole == sum(spent) and cut == 0
    turned = s.rotation and max(spent) >= 2 and sum(spent) - 2 >= whole + (cut + 1) // 2
    if not never_turned and not turned:
        raise Unfit("walls-spent", __package__, spent=sum(spent), whole=whole, cut=cut)
    if (shut := closed_seat(s)) is not None:
        raise Unfit("walls-shut", __package__, seat=shut + 1)


def _set_turn(s: Record, text: str) -> None:
    won = rules.winner(s)
    if won >= 0:
        s.turn = 1 - won
    elif s.max_plies:
        s.turn = s.ply % 2
    elif text == "2":
        s.turn = 1
    if rules.mover(s) == OVER:
        if text != "-":
            raise Unfit("seat-over", __package__, given=quoted(text))
    elif text == "-":
        raise Unfit("seat-goes-on", __package__)
    elif text not in ("1", "2"):
        raise Unfit("seat", __package__, given=quoted(text))
    elif text != str(s.turn + 1):
        raise Unfit("seat-turn", __package__, n=int(s.ply), seat=text)


def _check_plies(s: Record, stock: int) -> None:
    """Each seat must have had time to spend its walls and to walk: one wall (a turn: two) or two steps a ply at most."""
    if s.ply % 2 != s.turn:
        raise Unfit("plies-last", __package__, n=int(s.ply), seat=2 - int(s.turn))
    for seat, (home, acted) in enumerate(((COLUMN * 4, (s.ply + 1) // 2), (COLUMN * 4 + SIZE - 1, s.ply // 2))):
        spent, pawn = stock - int(s.hand[seat]), int(s.pawn[seat])
        walked = abs(pawn // COLUMN - home // COLUMN) + abs(pawn % COLUMN - home % COLUMN)
        if acted < (walked + 1) // 2 + ((spent + 1) // 2 if s.rotation else spent):
            raise Unfit("plies-few", __package__, n=int(s.ply), seat=seat + 1)


# --- actions ---


def format_action(s: Record, a: int) -> str:
    """`e2`, `e3h`, `e3v` or `c3r`."""
    if a < rules.FLAT:
        return cell_name(a // SIZE, a % SIZE)
    if a < rules.TURN:
        centre = (a - rules.FLAT) % CENTRES**2
        return cell_name(centre // CENTRES, centre % CENTRES) + ("h" if a < rules.TALL else "v")
    return cell_name((a - rules.TURN) // WINDOWS, (a - rules.TURN) % WINDOWS) + "r"


def parse_action(s: Record, text: str) -> int:
    """The number of an action; walls and windows that would not lie on the board are refused here."""
    read = _ACTION.fullmatch(text)
    if read is None:
        raise IllegalAction("unreadable", text=text[:60])
    kind = read[3]
    if kind == "r" and not s.rotation:
        raise IllegalAction("rotation-off")
    size = {"": SIZE, "h": CENTRES, "v": CENTRES, "r": WINDOWS}[kind]
    at = read_cell(read[1] + read[2], size, size)
    if at is None:
        raise IllegalAction("window-off-board" if kind == "r" else "off-board", at=text)
    first = {"": 0, "h": rules.FLAT, "v": rules.TALL, "r": rules.TURN}[kind]
    return first + size * at[0] + at[1]


def say_wall(wall: str) -> Phrase:
    """A wall by the rows and columns it lies between, whichever way the board is turned: `e3h` between rows 3 and 4, `e3v` between columns e and f."""
    at = read_cell(wall[:-1], SIZE, SIZE)
    assert at is not None
    beyond = cell_name(at[0] + 1, at[1] + 1)
    values = {"column": wall[0], "column2": beyond[0], "row": wall[1], "row2": beyond[1]}
    return Phrase("places.flat" if wall[-1] == "h" else "places.tall", values)


def say_window(corner: str) -> Phrase:
    """A window by its first cell and its last."""
    at = read_cell(corner, SIZE, SIZE)
    assert at is not None
    return Phrase("places.window", {"from": corner, "to": cell_name(at[0] + 3, at[1] + 3)})


def heard(text: str) -> Phrase | None:
    """A step, a wall or a turn in words."""
    if text[-1] == "r":
        return Phrase("heard.turn", {"block": say_window(text[:-1])})
    return say_wall(text) if text[-1] in "hv" else Phrase("heard.pawn", {"at": text})


def closed_seat(s: Record) -> int | None:
    """The first seat without a way to its goal row."""
    return next((seat for seat in range(2) if not has_way(int(s.pawn[seat]), seat, s.h[0], s.h[1], s.v[0], s.v[1])), None)


def refusal(s: Record, a: int) -> IllegalAction:
    """Why this action is not legal here."""
    if a < rules.FLAT:
        return _refused_step(s, a + a // SIZE)
    if a < rules.TURN:
        if s.hand[s.turn] < 1:
            return IllegalAction("no-walls")
        centre = (a - rules.FLAT) % CENTRES**2
        site, flat = centre // CENTRES * COLUMN + centre % CENTRES, a < rules.TALL
        for edge in (site, site + (COLUMN if flat else 1)):
            if sites(s.h if flat else s.v) >> edge & 1:
                return IllegalAction("edge-taken", at=site_name(edge), next=site_name(edge + (1 if flat else COLUMN)))
        if sites(s.whole_v if flat else s.whole_h) >> site & 1:
            return IllegalAction("crosses-wall", wall=say_wall(site_name(site) + ("v" if flat else "h")))
    elif not s.rotation:
        return IllegalAction("rotation-off")
    elif s.hand[s.turn] < 2:
        return IllegalAction("too-few-walls", left=int(s.hand[s.turn]))
    after = np.array([s], rules.State)
    rules.apply(after[0], a)
    shut = closed_seat(after[0])
    assert shut is not None, f"{format_action(s, a)} is legal"
    return IllegalAction("closes-way", seat=shut + 1)


def _refused_step(s: Record, there: int) -> IllegalAction:
    here, other, at = int(s.pawn[s.turn]), int(s.pawn[1 - s.turn]), site_name(there)
    across, along = there // COLUMN - here // COLUMN, there % COLUMN - here % COLUMN
    if there == other:
        return IllegalAction("onto-pawn", at=at)
    if there == here:
        return IllegalAction("no-step", at=at)
    if abs(across) + abs(along) > 2:
        return IllegalAction("too-far", at=at)
    if abs(across) == 1 and abs(along) == 1:
        if other not in (here + across * COLUMN, here + along):
            return IllegalAction("not-neighbour", at=at)
        sideways = other == here + across * COLUMN
        direction = (RIGHT if across > 0 else LEFT) if sideways else (DOWN if along > 0 else UP)
        if rules.is_open(s, here, direction) and rules.is_open(s, other, direction):
            return IllegalAction("straight-jump-possible", at=at, jump=site_name(2 * other - here))
    elif abs(across) + abs(along) == 2 and 2 * other != here + there:
        return IllegalAction("jump-over-nothing", at=at)
    return IllegalAction("wall-in-way", at=at)


def draw_chance(s: Record, rng: Rng) -> str:
    """Chance never acts in this game."""
    raise ValueError("chance never acts in this game")


def parse_chance(s: Record, text: str) -> None:
    """Chance never acts in this game."""
    raise ValueError("chance never acts in this game")
