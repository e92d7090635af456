"""The vocabulary in which a game says what one sees: a still board, and what stands on it now.

Lengths are in cells; x grows to the right, y downwards, and an element's x, y is its centre. The drawing code and the page
know these few shapes and no game. Every element that a person can point at is a `Place` with an id; the ids of a click
path (see `clicks` in a game's scene.py) are such ids.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any, ClassVar

from hanpan.core.words import Phrase


@dataclass(frozen=True)
class Ground:
    """An inert surface. Kinds: `table` (the whole background of a scene), `cloth` (what lies on a table), `board` (a board's body), `tile` (a wooden block),
    `field` (a mat where one seat's things lie), `goal` (what a seat is to reach: a page shows a board with
    the goal of whoever sits before it at the far side)."""

    KINDS: ClassVar = ("table", "cloth", "board", "tile", "field", "goal")

    kind: str
    x: float
    y: float
    w: float
    h: float
    seat: int | None = None
    tone: int = 0  # shade of a tile, so that neighbours can differ


@dataclass(frozen=True)
class Place:
    """Something that can be pointed at. Kinds: `cell` (square), `hole` (round), `slot` (where a wall may come: a bar, unseen until
    pointed at), `handle` (a small round grip at a corner), `spot` (where a koma lies), `hand` (where one stands in a hand: nothing is
    drawn there), `button` (a choice with words, drawn below the board where it lies outside)."""

    KINDS: ClassVar = ("cell", "hole", "slot", "handle", "spot", "hand", "button")

    id: str
    kind: str
    x: float
    y: float
    w: float
    h: float
    say: Phrase  # its spoken name, e.g. Phrase("places.cell", {"at": "c3"}); a button's inscription


@dataclass(frozen=True)
class Caption:
    """A few letters on the board: coordinates along the rim, a name beside a field."""

    text: str
    x: float
    y: float
    size: float = 0.26
    seat: int | None = None


@dataclass(frozen=True)
class Board:
    """What does not change while the game is played."""

    width: float
    height: float
    grounds: tuple[Ground, ...]
    places: tuple[Place, ...]
    captions: tuple[Caption, ...] = ()


NO_BOARD = Board(0, 0, (), ())


@dataclass(frozen=True)
class Piece:
    """A thing on the board. Kinds: `pawn`, `stone`, `marble`, `disc`, `koma`, `wall` (a whole bar), `half` (a cut bar, broken at its ends).

    The id stays the same while the thing lives, so that a page can move it instead of drawing a new one. `seat` is its owner (None: nobody's).
    `text` is written on it. `sign` is its letter in a terminal drawing (a wall needs none).
    """

    id: str
    kind: str
    x: float
    y: float
    w: float
    h: float
    seat: int | None = None
    text: str = ""
    sign: str = ""
    turned: int = 0  # degrees clockwise
    face_down: bool = False
    say: Phrase | None = None  # its spoken name


@dataclass(frozen=True)
class Tint:
    """Places that belong together: washed in the owner's colour, or hatched when contested (seat None). `closed`: only their outline
    is drawn, since nothing may be put there now."""

    places: tuple[str, ...]
    seat: int | None
    closed: bool = False


@dataclass(frozen=True)
class Mark:
    """A sign on a place. Kinds: `last` (soft halo), `ring` (a white border around the piece there), `partner`, `attack`."""

    KINDS: ClassVar = ("last", "ring", "partner", "attack")

    place: str
    kind: str
    seat: int | None = None


@dataclass(frozen=True)
class Stroke:
    """A line from the middle of one place to that of another. Kinds: `tie` (below the pieces, between neighbours that count together), `row` (over the pieces
    that stand in one line)."""

    KINDS: ClassVar = ("tie", "row")

    kind: str
    start: str
    to: str
    seat: int


@dataclass(frozen=True)
class Counter:
    """A number that people watch: `Counter(0, Phrase("counters.walls"), "7")`. seat None: it belongs to the whole table."""

    seat: int | None
    say: Phrase
    value: str


@dataclass(frozen=True)
class Label:
    """Words on the board that change: phrases, one after the other, no wider than `w`. A page calls `seats.N` by who sits there. With a seat, in its colour."""

    say: tuple[Phrase, ...]
    x: float
    y: float
    size: float
    w: float
    seat: int | None = None


@dataclass(frozen=True)
class Look:
    """What changes: everything that stands on the board now. `alike`: places that mean the same in an action; pointing at any of them is pointing at the
    first of them that has not been pointed at yet."""

    pieces: tuple[Piece, ...] = ()
    tints: tuple[Tint, ...] = ()
    marks: tuple[Mark, ...] = ()
    counters: tuple[Counter, ...] = ()
    labels: tuple[Label, ...] = ()
    alike: tuple[tuple[str, ...], ...] = ()
    strokes: tuple[Stroke, ...] = ()


@dataclass(frozen=True)
class Round:
    """What a part of a game that has ended brought: who began it, who ended it (None: nobody), how many points their side got, and why."""

    dealer: int
    out: int | None
    points: int
    why: tuple[Phrase, ...]


@dataclass(frozen=True)
class Motion:
    """How the last action moved things, for a page that shows it. Kinds: `slide` (what comes to the place `to` comes from the place `start`),
    `turn` (everything inside the rectangle turns about its middle by `degrees`, clockwise), `dice` (each seat rolls a die; `faces` are what they show)."""

    kind: str
    start: str = ""
    to: str = ""
    x: float = 0.0
    y: float = 0.0
    w: float = 0.0
    h: float = 0.0
    degrees: int = 0
    faces: tuple[int, ...] = ()


@dataclass(frozen=True)
class Past:
    """What a picture tells of how a position came about. It is no part of the position: a text does not know it, and equal positions may differ in it."""

    trail: tuple[str, ...] = ()  # places that wear the last-action halo
    motions: tuple[Motion, ...] = ()  # how the last action moved things
    builders: dict[str, int] = field(default_factory=dict)  # which seat put a piece there that belongs to nobody, by the piece's id


@dataclass(frozen=True)
class Scene:
    """One position as one viewer sees it."""

    board: Board
    look: Look
    colours: tuple[str, ...]  # of the seats: names from the palette in draw/palette.py
    turn: int | None  # the seat to act
    targets: tuple[str, ...] = field(default=())  # places worth pointing at next
    motions: tuple[Motion, ...] = ()  # what the last action moved
    reason: Phrase | None = None  # of a finished position: why it ended as it did, in the game's words
    prompt: Phrase | None = None  # what the seat to act is to do now

    def json(self, known: Board | None = None) -> dict[str, Any]:
        """The scene as plain data, without empty fields; and without the board, where the reader knows that one already."""
        if known != self.board:
            return dict(self._plain)
        plain = _json(dataclasses.replace(self, board=NO_BOARD))
        assert isinstance(plain, dict)
        del plain["board"]
        return plain

    @cached_property
    def _plain(self) -> dict[str, Any]:
        """All of it: whoever comes later is shown the same."""
        plain = _json(self)
        assert isinstance(plain, dict)
        return plain


def plain(element: Motion) -> dict[str, Any]:
    """One element as plain data, without empty fields."""
    made = _json(element)
    assert isinstance(made, dict)
    return made


_PLAIN = frozenset((str, int, float, bool))  # a scene has hundreds of these: they need no closer look


@cache
def _fields(kind: type) -> tuple[tuple[str, Any], ...] | None:
    """The fields of an element and their defaults; None for what is no element."""
    return tuple((f.name, f.default) for f in dataclasses.fields(kind)) if dataclasses.is_dataclass(kind) else None


def _json(value: Any) -> Any:
    kind: Any = type(value)
    if kind is tuple:
        return [_json(item) for item in value]
    if kind is Phrase:
        return value.json()
    fields = _fields(kind)
    if fields is None:
        return value
    own = value.__dict__
    pairs = ((name, own[name]) for name, default in fields if own[name] is not None and own[name] != default)
    return {name: item if type(item) in _PLAIN else _json(item) for name, item in pairs}


def column(x: int) -> str:
    """The letter of a column.

    >>> column(0) + column(10)
    'ak'
    """
    return chr(ord("a") + x)


def cell_name(x: int, y: int) -> str:
    """The text of a cell: column letter and row number, both counted from the top left.

    >>> cell_name(2, 3)
    'c4'
    """
    return f"{column(x)}{y + 1}"


def read_cell(text: str, width: int, height: int) -> tuple[int, int] | None:
    """The (x, y) of a cell's text, or None if it is not one on such a board.

    >>> read_cell("c4", 9, 9), read_cell("c04", 9, 9), read_cell("z1", 9, 9)
    ((2, 3), None, None)
    """
    letter, number = text[:1], text[1:]
    if not (letter.isascii() and number.isascii() and number.isdigit() and not number.startswith("0") and len(number) <= 2):
        return None
    x, y = ord(letter) - ord("a"), int(number) - 1
    return (x, y) if 0 <= x < width and 0 <= y < height else None


def rim(width: int, height: int, left: float = 0.0, top: float = 0.0) -> tuple[Caption, ...]:
    """Faint coordinates along the top and left rim of a board whose first cell begins at (left, top)."""
    columns = (Caption(column(x), left + x + 0.5, top - 0.3) for x in range(width))
    rows = (Caption(str(y + 1), left - 0.35, top + y + 0.5) for y in range(height))
    return (*columns, *rows)
