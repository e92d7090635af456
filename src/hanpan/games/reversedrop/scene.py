"""Reverse Drop Chess: what one sees."""

from functools import cache
from itertools import pairwise

from hanpan.rule import CHANCE, Record
from hanpan.scene import Board, Counter, Ground, Look, Motion, Piece, Place, rim
from hanpan.words import Phrase

from . import rules, text
from .landing import ASSIMILATE, BRINGS, CELL_STEP, CELLS, SIZE, SPOT

COLOURS = ("black", "white")
_MARGIN = 0.5  # for the coordinates


def _centre(cell: int) -> tuple[float, float]:
    return _MARGIN + cell % SIZE + 0.5, _MARGIN + cell // SIZE + 0.5


@cache
def _board() -> Board:
    middle = _MARGIN + SIZE / 2
    places = tuple(Place(text.name(cell), "cell", *_centre(cell), 1, 1, Phrase("places.cell", {"at": text.name(cell)})) for cell in range(CELLS))
    return Board(SIZE + _MARGIN, SIZE + _MARGIN, (Ground("board", middle, middle, SIZE, SIZE),), places, rim(SIZE, SIZE, _MARGIN, _MARGIN))


def board(s: Record, viewer: int) -> Board:
    """Ten rows of ten cells."""
    return _board()


def look(s: Record, viewer: int) -> Look:
    """The discs, how many each seat has, and what is left to place or to play."""
    pieces = tuple(
        Piece(text.name(cell), "disc", *_centre(cell), 0.78, 0.78, seat, sign="bw"[seat], say=Phrase(f"pieces.{COLOURS[seat]}"))
        for cell, seat in enumerate(text.owners(s))
        if seat is not None
    )
    have = [int(rules.count(s, seat)) for seat in range(2)]
    counters = [Counter(seat, Phrase("counters.pieces"), str(have[seat])) for seat in range(2)]
    if s.plies == rules.SETUP and s.turn != CHANCE:
        counters += [Counter(seat, Phrase("counters.to_place"), str(most - have[seat])) for seat, most in enumerate((int(s.black), int(s.white)))]
    if s.plies != rules.SETUP and s.max_plies > 0:
        counters.append(Counter(None, Phrase("counters.plies_left"), str(s.max_plies - s.plies)))
    return Look(pieces, counters=tuple(counters))


def clicks(s: Record, a: int) -> tuple[str, ...]:
    """The piece, where it steps, and where the new one comes; or the cell to place one on."""
    return tuple(text.name(cell) for cell in text.cells(a))


def trail(s: Record, a: int) -> tuple[str, ...]:
    """Every cell that the action changed."""
    touched = clicks(s, a)
    if a < rules.PLACE:
        landing = text.cells(a)[1]
        brings = int(BRINGS[s.turn, s.around[SPOT[landing]]])
        if brings >= ASSIMILATE:
            touched += (text.name(landing + CELL_STEP[brings - ASSIMILATE]),)
    return touched


def motions(s: Record, a: int) -> tuple[Motion, ...]:
    """The step, and the new piece that buds off the one that landed."""
    return tuple(Motion("slide", start, to) for start, to in pairwise(clicks(s, a)))
