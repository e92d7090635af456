"""Wall Go: what one sees. A piece is chosen, then the cell where it ends (itself to stand still), then the edge to wall."""

from __future__ import annotations

from hanpan.core.rule import Record, plain
from hanpan.core.scene import Board, Counter, Ground, Look, Motion, Piece, Place, Tint, rim
from hanpan.core.words import Phrase

from . import names, regions
from .table import ENDED, PLACING, PLAYING
from .text import walls

COLOURS = ("vermilion", "indigo", "jade")
_MARGIN = 0.6  # around the cells, for the coordinates
_WALL = 0.14  # how thick a wall is
_SLOT = 0.26  # how thick the bar is that one points at to build it

region, holds, holders, area = plain(regions.region), plain(regions.holds), plain(regions.holders), plain(regions.area)


def _at(size: int, cell: int) -> tuple[float, float]:
    """The middle of a cell."""
    return _MARGIN + cell % size + 0.5, _MARGIN + cell // size + 0.5


def _bar(size: int, edge: str, long: float, thick: float) -> tuple[float, float, float, float]:
    """The middle, width and height of a bar on an edge."""
    cell, side = next((cell, side) for text, cell, side in names.inner_edges(size) if text == edge)
    x, y = _at(size, cell)
    return (x, y + 0.5, long, thick) if side == 1 else (x + 0.5, y, thick, long)


def _say_edge(edge: str) -> Phrase:
    return Phrase("places.below" if edge.endswith("-") else "places.right", {"at": edge[:-1]})


def board(s: Record, viewer: int) -> Board:
    """The cells, and between them the slots where walls may come."""
    size = int(s.width)
    full, middle = size + 2 * _MARGIN, _MARGIN + size / 2
    cells = tuple(
        Place(at, "cell", *_at(size, cell), 1, 1, Phrase("places.cell", {"at": at})) for cell, at in ((c, names.name(size, c)) for c in range(size * size))
    )
    slots = tuple(Place(edge, "slot", *_bar(size, edge, 1 - _SLOT, _SLOT), _say_edge(edge)) for edge, _, _ in names.inner_edges(size))
    return Board(full, full, (Ground("board", middle, middle, size, size),), cells + slots, rim(size, size, _MARGIN, _MARGIN))


def look(s: Record, viewer: int) -> Look:
    """The pieces and walls; once all pieces are placed, whose land every region is."""
    pieces = tuple(_stone(s, seat, i) for seat in range(int(s.players)) for i in range(int(s.pieces)) if s.at[seat, i] != regions.NOWHERE)
    built = tuple(_wall(int(s.width), edge) for edge in walls(s))
    playing = s.phase in (PLAYING, ENDED)
    return Look(pieces + built, tuple(_tints(s)) if playing else (), (), tuple(_counter(s, seat, playing) for seat in range(int(s.players))))


def _stone(s: Record, seat: int, i: int) -> Piece:
    cell, size = int(s.at[seat, i]), int(s.width)
    return Piece(f"s{seat + 1}-{i}", "stone", *_at(size, cell), 0.62, 0.62, seat, sign=str(seat + 1), say=Phrase("pieces.stone", {"seat": seat + 1}))


def _wall(size: int, edge: str) -> Piece:
    return Piece(f"wall-{edge}", "wall", *_bar(size, edge, 1, _WALL), say=Phrase("pieces.wall"))


def _tints(s: Record) -> list[Tint]:
    """Every region that somebody holds."""
    size = int(s.width)
    tints: list[Tint] = []
    seen: set[int] = set()
    for seat in range(int(s.players)):
        for stone in s.at[seat, : int(s.pieces)].tolist():
            if stone not in seen:
                low, high = region(s, stone, -1)
                land = [cell for cell in range(size * size) if holds(low, high, cell)]
                seen.update(land)
                alone = holders(s, low, high) == 1 << seat
                tints.append(Tint(tuple(names.name(size, cell) for cell in land), seat if alone else None))
    return tints


def reason(s: Record, viewer: int) -> Phrase:
    """How the land is divided. Who has won is not said here: whoever left finishes last, whatever they hold."""
    land = [area(s, seat) for seat in range(int(s.players))]
    values = {f"seat{seat + 1}": Phrase(f"seats.{seat}") for seat in range(len(land))} | {f"land{seat + 1}": total for seat, (total, _) in enumerate(land)}
    divided = Phrase(f"reasons.divided{len(land)}", values)
    best = max(total for total, _ in land)
    tied = [largest for total, largest in land if total == best]
    return Phrase("reasons.largest", {"divided": divided, "n": max(tied)}) if s.largest and len(tied) > 1 and tied.count(max(tied)) == 1 else divided


def _left(s: Record, seat: int) -> int:
    """How many pieces a seat has still to place."""
    return sum(int(cell) == regions.NOWHERE for cell in s.at[seat, : int(s.pieces)])


def _counter(s: Record, seat: int, playing: bool) -> Counter:
    """The seat's area; before that, how many pieces it has still to place."""
    if playing:
        return Counter(seat, Phrase("counters.area"), str(area(s, seat)[0]))
    return Counter(seat, Phrase("counters.left"), str(_left(s, seat)))


def prompt(s: Record, viewer: int) -> Phrase:
    """Place a piece, or choose the one that moves."""
    return Phrase("prompts.place", {"n": _left(s, int(s.order[s.turn]))}) if s.phase == PLACING else Phrase("prompts.move")


def clicks(s: Record, a: int) -> tuple[str, ...]:
    """A cell to place a piece; else the piece, the cell where it ends, and the edge."""
    return names.path(int(s.width), a)


def built(s: Record, a: int) -> tuple[str, ...]:
    """The wall, which bears its builder's colour."""
    path = clicks(s, a)
    return (f"wall-{path[-1]}",) if len(path) > 1 else ()


def chance_motions(s: Record, text: str) -> tuple[Motion, ...]:
    """The dice that decide the order."""
    return (Motion("dice", faces=tuple(int(die) for die in text.split()[1:])),)


def motions(s: Record, a: int) -> tuple[Motion, ...]:
    """The walk of a piece."""
    path = clicks(s, a)
    return (Motion("slide", path[0], path[1]),) if len(path) > 1 and path[0] != path[1] else ()
