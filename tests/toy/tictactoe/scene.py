"""Tic-tac-toe: what one sees."""

from hanpan.core.rule import plain
from hanpan.core.scene import Board, Ground, Look, Piece, Place, Tint, cell_name, rim
from hanpan.core.words import Phrase

from . import rules

COLOURS = ("vermilion", "indigo")


def board(s, viewer):
    ground = Ground("board", 2, 2, 3, 3)
    cells = tuple(Place(cell_name(x, y), "cell", x + 1, y + 1, 1, 1, Phrase("places.cell", {"at": cell_name(x, y)})) for y in range(3) for x in range(3))
    return Board(3.5, 3.5, (ground,), cells, rim(3, 3, 0.5, 0.5))


def look(s, viewer):
    return Look(
        tuple(
            Piece(
                f"piece{i}", "stone", i % 3 + 1, i // 3 + 1, 0.7, 0.7, int(s.cell[i]) - 1, sign="xo"[s.cell[i] - 1], say=Phrase(f"pieces.{'xo'[s.cell[i] - 1]}")
            )
            for i in range(9)
            if s.cell[i]
        ),
        _row(s),
    )


def _row(s):
    """At the end: the three in a row."""
    owner = plain(rules.line)(s)
    row = next((row for row in rules.LINES.tolist() if owner and all(s.cell[i] == owner for i in row)), None)
    return () if row is None else (Tint(tuple(cell_name(i % 3, i // 3) for i in row), owner - 1),)


def reason(s, viewer):
    owner = plain(rules.line)(s)
    if not owner:
        return Phrase("reasons.full")
    return Phrase("reasons.misere" if s.misere else "reasons.line", {"seat": Phrase(f"seats.{owner - 1}")})


def prompt(s, viewer):
    return Phrase("prompts.place")


def clicks(s, a):
    return (cell_name(a % 3, a // 3),)
