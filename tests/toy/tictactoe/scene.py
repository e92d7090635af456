"""Tic-tac-toe: what one sees."""

from hanpan.scene import Board, Ground, Look, Piece, Place, cell_name, rim
from hanpan.words import Phrase

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
        )
    )


def clicks(s, a):
    return (cell_name(a % 3, a // 3),)
