"""Boards from outside: the code of 200 signs that other Kulami programs use, and what may stand for the option `board`.

A code has a letter and a digit for each cell, row by row: the letter says which tile, the digit which marble.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from hanpan.core.refusal import IllegalAction
from hanpan.core.scene import cell_name

from .frame import CELLS, SIDE, area
from .tiletext import LETTERS, placement, read_board, rows_of, unfit

CODE_HOLES = {letter: holes for letters, holes in (("bcde", 6), ("fghij", 4), ("klmn", 3), ("opqr", 2)) for letter in letters}
CODE_MARBLES = {"0": ".", "1": "b", "2": "r"}
CODE_SIGNS = 2 * CELLS
_PAIRS = re.compile("(?:[a-z][0-9]){10}")


def is_code(text: str) -> bool:
    """Whether a text is meant to be a code: as long as one, or letters and digits in turn; what is wrong with it is said by `read_code`."""
    return text.isascii() and text.isalnum() and (len(text) == CODE_SIGNS or _PAIRS.match(text) is not None)


def read_code(code: str) -> tuple[list[int], str]:
    """The placements of the tiles in a code, in reading order, and its hundred marbles as `.`, `r` and `b`."""
    if len(code) != CODE_SIGNS:
        raise IllegalAction("code-length", n=len(code))
    letters, digits = code[::2], code[1::2]
    for cell, (letter, digit) in enumerate(zip(letters, digits, strict=True)):
        if (letter not in CODE_HOLES and letter != "a") or digit not in CODE_MARBLES:
            raise IllegalAction("code-signs", signs=letter + digit, at=cell_name(cell % SIDE, cell // SIDE))
    placements = []
    for letter, holes in CODE_HOLES.items():
        cells = [cell for cell in range(CELLS) if letters[cell] == letter]
        found = placement(cells) if len(cells) == holes else None
        if found is None:
            raise IllegalAction("code-tile", tile=letter, holes=holes)
        placements.append(found)
    return sorted(placements, key=lambda k: k % CELLS), "".join(CODE_MARBLES[digit] for digit in digits)


def tiles_text(placements: Sequence[int]) -> str:
    """The text of tiles that lie, given in reading order."""
    lying = {LETTERS[number]: area(k) for number, k in enumerate(placements)}
    return rows_of("".join(next((letter for letter, cells in lying.items() if cells >> cell & 1), ".") for cell in range(CELLS)))


def read_option(text: str) -> str:
    """An explicit board as ten rows joined by `/`, from that, from ten lines, or from a code without marbles. ValueError if it is not a whole board."""
    try:
        text = "/".join(text.split())
        if not is_code(text):
            read_board(text)
            return text
        placements, marbles = read_code(text)
        if marbles.strip("."):
            raise IllegalAction("code-marbles", n=CELLS - marbles.count("."))
        return tiles_text(placements)
    except IllegalAction as reason:
        raise unfit(reason) from reason
