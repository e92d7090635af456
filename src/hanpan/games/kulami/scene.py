"""Kulami: what one sees. Wooden tiles with holes and glass marbles; while the board is laid, the bare frame and the tiles to choose from."""

from __future__ import annotations

import numpy as np

from hanpan.core.rule import OVER, Record, plain
from hanpan.core.scene import Board, Counter, Ground, Look, Mark, Piece, Place, Stroke, Tint, cell_name, rim
from hanpan.core.words import Phrase

from . import rules, score
from .frame import CELLS, SHAPES, SIDE, SIZE, SIZES, TILES, area, beside, read_size, whole
from .text import SHAPE_NAMES, name

largest_group, long_runs = plain(score.largest_group), plain(score.long_runs)

COLOURS = ("red", "black")
MARGIN = 0.5
HOLE, MARBLE = 0.72, 0.7
SEAM = 0.06  # between neighbouring tiles
SHELF = 1.2  # below the frame, where the tiles to choose from lie


def _tones(s: Record) -> list[int]:
    """A shade for each tile that no neighbour before it has."""
    tones: list[int] = []
    for t in range(int(s.tiles)):
        near = beside(area(int(s.laid[t])))
        taken = {tones[u] for u in range(t) if near & area(int(s.laid[u]))}
        tones.append(min(set(range(TILES)) - taken))
    return tones


def _centre(cell: int) -> tuple[float, float]:
    return MARGIN + cell % SIDE + 0.5, MARGIN + cell // SIDE + 0.5


def _building(s: Record) -> bool:
    return bool(s.turn >= 0 and s.tiles < TILES)


def board(s: Record, viewer: int) -> Board:
    """The frame, the tiles that lie and their holes; while the players lay the board, its bare cells and a button for each way a tile can lie."""
    size = SIDE + 2 * MARGIN
    grounds = [Ground("board", size / 2, size / 2, SIDE, SIDE)]
    for tone, lying in zip(_tones(s), s.laid, strict=False):
        width, height = SHAPES[lying // CELLS]
        x, y = _centre(lying % CELLS)
        grounds.append(Ground("tile", x + (width - 1) / 2, y + (height - 1) / 2, width - SEAM, height - SEAM, tone=tone))
    building = _building(s)
    places = []
    for cell in range(CELLS):
        if s.tile[cell]:
            places.append(Place(name(cell), "hole", *_centre(cell), HOLE, HOLE, _say_hole(s, cell)))
        elif building:
            places.append(Place(name(cell), "cell", *_centre(cell), 1, 1, Phrase("places.cell", {"at": name(cell)})))
    if building:
        step = SIDE / len(SHAPES)
        places += [
            Place(text, "button", MARGIN + (shape + 0.5) * step, size + SHELF / 2, step - 0.1, SHELF - 0.3, Phrase("actions.tile", {"size": read_size(text)}))
            for shape, text in enumerate(SHAPE_NAMES)
            if s.stock[SIZE[shape]]
        ]
    return Board(size, size + SHELF if building else size, tuple(grounds), tuple(places), rim(SIDE, SIDE, MARGIN, MARGIN))


def look(s: Record, viewer: int) -> Look:
    """Marbles, a white border around each seat's last one, points and marbles left; while the players lay the board, the tiles left."""
    pieces = tuple(
        Piece(f"marble-{name(cell)}", "marble", *_centre(cell), MARBLE, MARBLE, seat, sign="rb"[seat], say=Phrase(f"pieces.{COLOURS[seat]}"))
        for cell in range(CELLS)
        for seat in range(2)
        if whole(s.marble[seat]) >> cell & 1
    )
    rings = tuple(Mark(name(int(s.last[seat])), "ring", seat) for seat in range(2) if s.last[seat] >= 0)
    points = _points(s)
    counters = []
    for seat in range(2):
        counters += [Counter(seat, Phrase("counters.points"), str(points[seat])), Counter(seat, Phrase("counters.marbles"), str(s.left[seat]))]
    if _building(s):
        counters += [Counter(None, Phrase(f"counters.{size}"), str(left)) for size, left in zip(SIZES, s.stock, strict=True)]
    if s.turn != OVER:
        return Look(pieces, _closed(s), rings, tuple(counters))
    strokes = [stroke for seat in range(2) for stroke in (*_group(s, seat), *_runs(s, seat))]
    return Look(pieces, _won(s), rings, tuple(counters), strokes=tuple(strokes))


def _say_hole(s: Record, cell: int) -> Phrase:
    """A hole with its tile, which is what the rules speak of: two marbles on one tile are told apart from two neighbours on two tiles."""
    tile = int(s.tile[cell]) - 1
    width, height = SHAPES[int(s.laid[tile]) // CELLS]
    return Phrase("places.hole", {"at": name(cell), "tile": tile + 1, "size": f"{width}×{height}"})


def _points(s: Record) -> list[int]:
    points = np.zeros(2, np.int32)
    rules.outcome(s, points)
    return [int(seat) for seat in points]


def _on_tile(s: Record, tile: int) -> tuple[str, ...]:
    return tuple(name(cell) for cell in range(CELLS) if s.tile[cell] == tile + 1)


def _won(s: Record) -> tuple[Tint, ...]:
    """At the end: every tile in the colour of the seat that has more marbles on it."""
    return tuple(Tint(_on_tile(s, tile), 0 if lead > 0 else 1) for tile, lead in enumerate(s.lead.tolist()) if lead != 0)


def _group(s: Record, seat: int) -> list[Stroke]:
    """Where groups count: ties between the marbles of the seat's largest one (of equals, the first that is met)."""
    if s.level < 1:
        return []
    left, largest = whole(s.marble[seat]), 0
    while left:
        group, before = left & -left, 0
        while group != before:
            group, before = group | beside(group) & left, group
        left ^= group
        largest = max(largest, group, key=int.bit_count)
    cells = {(cell % SIDE, cell // SIDE) for cell in range(CELLS) if largest >> cell & 1}
    beyond = [(x, y, x + dx, y + dy) for x, y in sorted(cells) for dx, dy in ((1, 0), (0, 1))]
    return [Stroke("tie", cell_name(x, y), cell_name(p, q), seat) for x, y, p, q in beyond if (p, q) in cells]


def _runs(s: Record, seat: int) -> list[Stroke]:
    """Where long rows count: a line through each."""
    if s.level < 2:
        return []
    marbles = whole(s.marble[seat])
    cells = {(cell % SIDE, cell // SIDE) for cell in range(CELLS) if marbles >> cell & 1}
    strokes = []
    for dx, dy in zip(score.STEP_X.tolist(), score.STEP_Y.tolist(), strict=True):
        for x, y in sorted(cells):
            length = 1
            while (x + length * dx, y + length * dy) in cells:
                length += 1
            if length >= score.SHORTEST_RUN and (x - dx, y - dy) not in cells:
                strokes.append(Stroke("row", cell_name(x, y), cell_name(x + (length - 1) * dx, y + (length - 1) * dy), seat))
    return strokes


def _closed(s: Record) -> tuple[Tint, ...]:
    """The two tiles that nobody may play on now: those of the last two marbles."""
    if s.turn < 0 or _building(s):
        return ()
    return tuple(Tint(_on_tile(s, int(s.tile[s.last[seat]]) - 1), seat, closed=True) for seat in range(2) if s.last[seat] >= 0)


def reason(s: Record, viewer: int) -> Phrase:
    """Who leads by how much, and why no marble can follow; where more than tiles count, also what each of it brought."""
    red, black = _points(s)
    why = Phrase("reasons.marbles" if not s.left.any() else "reasons.holes")
    if red == black:
        told = Phrase("reasons.equal", {"points": red, "why": why})
    else:
        told = Phrase("reasons.ahead", {"seat": Phrase(f"seats.{0 if red > black else 1}"), "by": abs(red - black), "red": red, "black": black, "why": why})
    if s.level == 0:
        return told
    parts = {"tiles": s.points.tolist(), "group": [largest_group(s, seat) for seat in range(2)], "rows": [long_runs(s, seat) for seat in range(2)]}
    return Phrase(f"reasons.finer_{s.level}", {"told": told} | {part: f"{one} : {other}" for part, (one, other) in parts.items()})


def prompt(s: Record, viewer: int) -> Phrase:
    """A tile to lay, the first marble, or where the last one allows the next."""
    if _building(s):
        return Phrase("prompts.tile")
    last = int(s.last[1 - s.turn])
    return Phrase("prompts.marble", {"last": name(last)}) if last >= 0 else Phrase("prompts.first")


def clicks(s: Record, a: int) -> tuple[str, ...]:
    """A hole; or a tile and the cell where its top left corner comes."""
    return (name(a),) if a < CELLS else (SHAPE_NAMES[(a - CELLS) // CELLS], name(a % CELLS))


def trail(s: Record, a: int) -> tuple[str, ...]:
    """The hole, or all cells of the tile that was laid."""
    if a < CELLS:
        return (name(a),)
    return tuple(name(cell) for cell in range(CELLS) if area(a - CELLS) >> cell & 1)
