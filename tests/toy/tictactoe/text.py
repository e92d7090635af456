"""Tic-tac-toe: its notation. A position is three rows of `.xo` and the side to move."""

from hanpan.core.refusal import IllegalAction
from hanpan.core.rule import OVER
from hanpan.core.scene import cell_name, read_cell

from . import rules


def format_position(s):
    cells = "".join(".xo"[c] for c in s.cell)
    turn = "-" if rules.mover(s) == OVER else "xo"[s.turn]
    return "/".join(cells[i : i + 3] for i in (0, 3, 6)) + " " + turn


def parse_position(s, text, viewer):
    rows, _, turn = text.partition(" ")
    cells = rows.split("/")
    if len(cells) != 3 or any(len(row) != 3 or set(row) - set(".xo") for row in cells):
        raise ValueError(f"rows: {rows[:60]!r} is not three rows of three")
    for i, sign in enumerate("".join(cells)):
        s.cell[i] = ".xo".index(sign)
    x, o = ("".join(cells).count(sign) for sign in "xo")
    if x - o not in (0, 1):
        raise ValueError(f"rows: {x} crosses and {o} noughts can't be")
    s.turn = x - o
    if turn != ("-" if rules.mover(s) == OVER else "xo"[s.turn]):
        raise ValueError(f"side: it can't be {turn[:60]!r}")


def format_action(s, a):
    return cell_name(a % 3, a // 3)


def parse_action(s, text):
    at = read_cell(text, 3, 3)
    if at is None:
        raise IllegalAction("unreadable", text=text[:60])
    return at[0] + 3 * at[1]


def refusal(s, a):
    return IllegalAction("taken", at=format_action(s, a))


def draw_chance(s, rng):
    raise ValueError("chance never acts in this game")


def parse_chance(s, text):
    raise ValueError("chance never acts in this game")
