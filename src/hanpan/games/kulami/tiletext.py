"""Tiles in writing: ten rows of letters, `.` where no tile lies; and whether such a board can be one.

What is wrong with a text is an `IllegalAction`, so that the same sentence answers a position, an option and what chance is said to have drawn.
"""

from __future__ import annotations

from collections.abc import Sequence

from hanpan.core.refusal import IllegalAction
from hanpan.core.rule import Record
from hanpan.core.unfit import Unfit

from .frame import CELLS, SHAPES, SIDE, SIZE, SIZES, SQUARE, STOCK, TILES, area, beside, read_size, rectangle

LETTERS = "abcdefghijklmnopq"
SIGNS = b"." + LETTERS.encode().ljust(255)  # of each number in a record's `tile`


def unfit(reason: IllegalAction) -> Unfit:
    """The same reason, for a text that is not played but read."""
    return Unfit(reason.code, __package__, reason.phrase)


def placement(cells: Sequence[int]) -> int | None:
    """The placement that covers exactly these cells, if there is one."""
    wanted = sum(1 << cell for cell in cells)
    placements = range(min(cells), len(SHAPES) * CELLS, CELLS)
    return next((k for k in placements if area(k) == wanted), None)


def read_tiles(text: str) -> list[int]:
    """The placements of the tiles in a text, in reading order."""
    rows = text.split("/")
    if len(rows) != SIDE or any(len(row) != SIDE or set(row) - set(LETTERS + ".") for row in rows):
        raise IllegalAction("tiles-rows", text=text[:60])
    lying: dict[str, list[int]] = {}
    for cell, letter in enumerate("".join(rows)):
        if letter != ".":
            lying.setdefault(letter, []).append(cell)
    for letter, due in zip(lying, LETTERS, strict=False):
        if letter != due:
            raise IllegalAction("tiles-letters", tile=letter, due=due)
    placements = []
    for letter, cells in lying.items():
        found = placement(cells)
        if found is None:
            raise IllegalAction("tiles-shape", tile=letter)
        placements.append(found)
    for size, name in enumerate(SIZES):
        n = sum(int(SIZE[k // CELLS]) == size for k in placements)
        if n > STOCK[size]:
            raise IllegalAction("tiles-many", size=read_size(name), n=n, most=int(STOCK[size]))
    return placements


def read_board(text: str) -> list[int]:
    """The placements of a whole board: all seventeen tiles."""
    placements = read_tiles(text)
    if len(placements) < TILES:
        raise IllegalAction("tiles-few", n=len(placements))
    return placements


def write_tiles(s: Record) -> str:
    """The text of the tiles that lie."""
    return rows_of(s.tile.tobytes().translate(SIGNS).decode())


def rows_of(signs: str) -> str:
    """A hundred signs as ten rows."""
    return "/".join(signs[row : row + SIDE] for row in range(0, CELLS, SIDE))


def check_together(placements: Sequence[int]) -> None:
    """Refuse tiles that do not all hang together by their edges."""
    joined, apart = 0, dict(zip(LETTERS, placements, strict=False))
    reached = list(apart)[:1]
    while reached:
        joined |= sum(area(apart.pop(letter)) for letter in reached)
        reached = [letter for letter, k in apart.items() if area(k) & beside(joined)]
    if apart:
        raise IllegalAction("tiles-apart", tile=min(apart))


def check_square(placements: Sequence[int]) -> None:
    """Refuse tiles that do not fill the closed 8×8 square in the frame's top left."""
    if sum(area(k) for k in placements) != rectangle(0, 0, SQUARE, SQUARE):
        raise IllegalAction("tiles-not-square")
