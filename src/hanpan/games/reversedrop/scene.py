"""Reverse Drop Chess: what one sees."""

from functools import cache
from itertools import pairwise
from typing import Any

from hanpan.core.rule import CHANCE, OVER, Record, plain
from hanpan.core.scene import Board, Counter, Ground, Look, Motion, Piece, Place, Tint, rim
from hanpan.core.words import Phrase

from . import rules, table, text
from .landing import ASSIMILATE, BRINGS, CELL_STEP, CELLS, SIZE, SPOT

COLOURS = ("black", "white")
_MARGIN = 0.5  # for the coordinates

landings = plain(table.landings)


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
    have = [int(table.count(s, seat)) for seat in range(2)]
    counters = [Counter(seat, Phrase("counters.pieces"), str(have[seat])) for seat in range(2)]
    if s.plies == table.SETUP and s.turn != CHANCE:
        counters += [Counter(seat, Phrase("counters.to_place"), str(most - have[seat])) for seat, most in enumerate((int(s.black), int(s.white)))]
    if s.plies != table.SETUP and s.max_plies > 0:
        counters.append(Counter(None, Phrase("counters.plies_left"), str(s.max_plies - s.plies)))
    return Look(pieces, _won(s, have) if s.turn == OVER else (), counters=tuple(counters))


def _won(s: Record, have: list[int]) -> tuple[Tint, ...]:
    """At the end the pieces that are counted: those of the seat that has more."""
    if have[0] == have[1]:
        return ()
    winner = 0 if have[0] > have[1] else 1
    return (Tint(tuple(text.name(cell) for cell, seat in enumerate(text.owners(s)) if seat == winner), winner),)


def reason(s: Record, viewer: int) -> Phrase:
    """What ended the game, and how many pieces each seat has."""
    have = [int(table.count(s, seat)) for seat in range(2)]
    stuck = next((seat for seat in range(2) if landings(s, seat, 0) | landings(s, seat, 1) == 0), None)
    few = next((seat for seat in range(2) if have[seat] < 2), None)
    values: dict[str, Any] = {"black": have[0], "white": have[1]}
    if few is not None:
        return Phrase("reasons.none" if have[few] == 0 else "reasons.one", {"seat": Phrase(f"seats.{few}"), **values})
    if stuck is not None:
        return Phrase("reasons.stuck", {"seat": Phrase(f"seats.{stuck}"), **values})
    return Phrase("reasons.limit", {"n": int(s.max_plies), **values})


def prompt(s: Record, viewer: int) -> Phrase:
    """A piece to place, or the one that steps."""
    if s.plies != table.SETUP:
        return Phrase("prompts.step")
    left = [int(most) - int(table.count(s, seat)) for seat, most in enumerate((s.black, s.white))]
    colour = 0 if left[0] else 1
    return Phrase("prompts.place", {"piece": Phrase(f"pieces.{COLOURS[colour]}"), "n": left[colour]})


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
