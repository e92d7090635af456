"""Puoribor: what one sees. Cells apart from each other with grooves between them, where the walls stand."""

from __future__ import annotations

from hanpan.core.rule import Record, plain
from hanpan.core.scene import Board, Counter, Ground, Look, Motion, Piece, Place, Tint, cell_name, read_cell, rim
from hanpan.core.words import Phrase

from . import rules, text, ways
from .board import COLUMN, SIZE
from .window import WINDOWS

COLOURS = ("vermilion", "indigo")
MARGIN = 0.5
CELL = 0.86
LONG, SHORT, THICK = 1.9, 0.9, 0.14  # a wall, a half, and both across
GRIP = 0.5
SHELF = 0.9  # below the board, where the button for turning is
TURN_BUTTON = "turn"

winner, is_open, openings, way_length = plain(rules.winner), plain(rules.is_open), plain(ways.openings), plain(ways.way_length)


def _centre(x: int, y: int) -> tuple[float, float]:
    return MARGIN + x + 0.5, MARGIN + y + 0.5


def _bar(name: str) -> tuple[float, float, float, float]:
    """Centre, width and height of a wall (`e3h`, `e3v`) or a half (`e3-`, `e3|`)."""
    at = read_cell(name[:-1], SIZE, SIZE)
    assert at is not None
    right, below = MARGIN + at[0] + 1, MARGIN + at[1] + 1
    return {
        "h": (right, below, LONG, THICK),
        "v": (right, below, THICK, LONG),
        "-": (right - 0.5, below, SHORT, THICK),
        "|": (right, below - 0.5, THICK, SHORT),
    }[name[-1]]


def board(s: Record, viewer: int) -> Board:
    """The ground with a strip along each goal row, the cells, the grooves, and the grips that turn a window."""
    side = SIZE + 2 * MARGIN
    grounds = (
        Ground("board", side / 2, side / 2, SIZE, SIZE),
        Ground("goal", side / 2, _centre(0, SIZE - 1)[1], SIZE, 1, 0),
        Ground("goal", side / 2, _centre(0, 0)[1], SIZE, 1, 1),
    )
    places = []
    for x in range(SIZE):
        for y in range(SIZE):
            at = cell_name(x, y)
            places.append(Place(at, "cell", *_centre(x, y), CELL, CELL, Phrase("places.cell", {"at": at})))
    for x in range(SIZE - 1):
        for y in range(SIZE - 1):
            at = cell_name(x, y)
            places.append(Place(f"{at}h", "slot", *_bar(f"{at}h"), text.say_wall(f"{at}h")))
            places.append(Place(f"{at}v", "slot", *_bar(f"{at}v"), text.say_wall(f"{at}v")))
    if s.rotation:
        places.append(Place(TURN_BUTTON, "button", side / 2, side + SHELF / 2, 4, SHELF - 0.3, Phrase("actions.turn")))
        for x in range(WINDOWS):
            for y in range(WINDOWS):
                at = cell_name(x, y)
                places.append(Place(f"{at}r", "handle", MARGIN + x + 2, MARGIN + y + 2, GRIP, GRIP, text.say_window(at)))
    return Board(side, side + SHELF if s.rotation else side, grounds, tuple(places), rim(SIZE, SIZE, MARGIN, MARGIN))


def look(s: Record, viewer: int) -> Look:
    """Pawns, walls, and the walls that each seat has left."""
    pieces = [Piece(f"wall-{name}", "wall", *_bar(name), say=Phrase("pieces.wall")) for name in text.whole_walls(s)]
    pieces += [Piece(f"half-{name}", "half", *_bar(name), say=Phrase("pieces.half")) for name in text.halves(s)]
    for seat in range(2):
        x, y = divmod(int(s.pawn[seat]), COLUMN)
        pieces.append(Piece(f"pawn-{seat + 1}", "pawn", *_centre(x, y), 0.62, 0.62, seat, sign=str(seat + 1), say=Phrase("pieces.pawn", {"seat": seat + 1})))
    counters = tuple(Counter(seat, Phrase("counters.walls"), str(s.hand[seat])) for seat in range(2))
    won = winner(s)
    return Look(tuple(pieces), (Tint(_way(s, won), won),) if won >= 0 else (), counters=counters)


def _way(s: Record, seat: int) -> tuple[str, ...]:
    """The shortest way between the walls from the seat's own side to where its pawn has arrived; only that cell, if turning has cut all ways since."""
    arrived = int(s.pawn[seat])
    home = 0 if seat == 0 else SIZE - 1
    before = {arrived: arrived}
    reached = [arrived]
    for site in reached:  # grows while one walks through it
        if site % COLUMN == home:
            way = [site]
            while way[-1] != arrived:
                way.append(before[way[-1]])
            return tuple(text.site_name(cell) for cell in way)
        for direction, step in enumerate(rules.STEP.tolist()):
            if is_open(s, site, direction) and site + step not in before:
                before[site + step] = site
                reached.append(site + step)
    return (text.site_name(arrived),)


def reason(s: Record, viewer: int) -> Phrase:
    """Who has arrived, and how far the other still had to go."""
    won = winner(s)
    if won < 0:
        return Phrase("reasons.limit", {"n": int(s.max_plies)})
    left = int(way_length(int(s.pawn[1 - won]), 1 - won, *openings(s)))
    return Phrase("reasons.arrived", {"seat": Phrase(f"seats.{won}"), "other": Phrase(f"seats.{1 - won}"), "n": left})


def prompt(s: Record, viewer: int) -> Phrase:
    """The pawn, or a wall while there are some, or a turn of the board while there are two."""
    left = int(s.hand[s.turn])
    if not left:
        return Phrase("prompts.pawn")
    return Phrase("prompts.rotate" if left >= 2 and s.rotation else "prompts.turn", {"n": left})


def clicks(s: Record, a: int) -> tuple[str, ...]:
    """The cell, the groove, or the button and the grip in the middle of the window."""
    action = text.format_action(s, a)
    return (TURN_BUTTON, action) if a >= rules.TURN else (action,)


def trail(s: Record, a: int) -> tuple[str, ...]:
    """Where the pawn came from and went, the wall, or the cells of the turned window."""
    if a < rules.FLAT:
        return text.site_name(int(s.pawn[s.turn])), text.format_action(s, a)
    if a < rules.TURN:
        return (text.format_action(s, a),)
    x, y = divmod(a - rules.TURN, WINDOWS)
    return tuple(cell_name(x + p, y + q) for p in range(4) for q in range(4))


def motions(s: Record, a: int) -> tuple[Motion, ...]:
    """A turned window."""
    if a < rules.TURN:
        return ()
    x, y = divmod(a - rules.TURN, WINDOWS)
    return (Motion("turn", x=MARGIN + x + 2, y=MARGIN + y + 2, w=4, h=4, degrees=90),)
