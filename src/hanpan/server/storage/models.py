"""What is kept: the rows that go in and come out, and the shapes of what is JSON inside them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, NotRequired  # the standard library's are not read by Pydantic before Python 3.12

from typing_extensions import TypedDict

from hanpan.core.option import Value
from hanpan.result import Result

FIRST_RATING = 1300.0
DAY = 24 * 3600 * 1000  # in milliseconds, as all times here are
FOREVER = 253_402_300_799_000  # the last second of the year 9999: what has no end


class StorageError(Exception):
    """Nothing was stored, and why. (Only after `Unreachable` that is not certain.)"""


class Unreachable(StorageError):
    """The database cannot be reached now; it is tried again with whatever comes next.

    Whether what was being written is stored is not known: the connection may have ended during the commit. Nothing is written twice by itself, so whoever
    wants to go on reads first what there is.
    """


class Fenced(StorageError):
    """Not stored, because somebody else has the room now."""


class Expired(StorageError):
    """This process was taken for dead, and its rooms may be others' now."""


@dataclass(frozen=True, slots=True)
class Fence:
    """How often a room has changed hands: what is written about it with an older number comes from someone who has it no more."""

    room: str
    number: int


# --- inside a row: the shapes of what is kept as JSON ---

Ticket = dict[str, str | None]  # what a ticket says


class Sitter(TypedDict):
    """Who holds a seat of a game: a person's id, or the level of a computer player; and who began there."""

    person: str | None
    bot: NotRequired[int | None]
    first: NotRequired[str | None]


class Ending(TypedDict):
    """How a game ended."""

    winner: list[int]
    reason: str
    scores: list[int]
    last: NotRequired[list[int]]


class ChairDocument(TypedDict, total=False):
    """One chair of a room (see `rooms.seats.Chair`)."""

    person: str | None
    bot: int | None
    ready: bool
    first: str | None
    missed: int
    left_at: int | None
    substitute: bool
    held: list[str]
    auto: int | None


class RoomDocument(TypedDict):
    """A room (see `rooms.state`). `table`: its last game; `base`: a ply, and the clock at it."""

    game: str
    options: dict[str, Value]
    settings: dict[str, object]
    password: str | None
    master: str
    invited: list[str]
    chairs: list[ChairDocument]
    table: str | None
    unwanted: NotRequired[list[str]]
    resigned: NotRequired[list[int]]
    paused: NotRequired[int | None]
    base: NotRequired[tuple[int, object] | None]


# --- rows ---


@dataclass(frozen=True, slots=True)
class Person:
    """Someone who can sit down."""

    id: str
    name: str
    kind: str
    created_at: int
    token_version: int
    owner_id: str | None = None
    role: str | None = None
    muted_until: int | None = None
    banned_until: int | None = None
    scopes: str | None = None

    @property
    def is_bot(self) -> bool:
        """Whether a program plays under this name."""
        return self.kind == "bot"


@dataclass(frozen=True, slots=True)
class Session:
    """Someone is logged in somewhere."""

    id: str
    person_id: str
    created_at: int
    seen_at: int
    ends_at: int
    proved_at: int | None
    place: str
    browser: str


@dataclass(frozen=True, slots=True)
class RoomRow:
    """A room's document and when it was saved."""

    id: str
    document: RoomDocument
    updated_at: int


class ActionRow(NamedTuple):
    """An action with its times: when it arrived, when the turn after it began, what was charged and what was forgiven. Chance has no seat."""

    text: str
    seat: int | None
    at: int
    started_at: int
    charged: int = 0
    forgiven: int = 0
    forced: bool = False


@dataclass(frozen=True, slots=True)
class Trace:
    """Someone was here, from there."""

    person_id: str
    address: str
    browser: str
    seen_at: int


@dataclass(frozen=True, slots=True)
class Ban:
    """From there nobody may come in."""

    id: str
    kind: str
    value: str
    until: int | None
    reason: str
    at: int
    operator_id: str
    person_id: str | None
    lifted_at: int | None


@dataclass(frozen=True, slots=True)
class Said:
    """A message in a room."""

    id: str
    room_id: str
    person_id: str
    text: str
    at: int
    spectator: bool
    game_id: str | None = None


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game; its ply is the number of its actions. `people` has one entry a seat, whose `person` is an id, or None for a computer player."""

    id: str
    room_id: str
    name: str
    options: dict[str, Value]
    settings: dict[str, object]
    people: list[Sitter]
    rated: bool
    started_at: int
    ended_at: int | None = None
    result: Ending | None = None
    among: str | None = None
    counted: float | None = None
    private: bool | None = None
    actions: list[ActionRow] = field(default_factory=list)

    @property
    def ended(self) -> Result | None:
        """How it ended; None while it runs."""
        return None if self.result is None else Result(self.result["winner"], self.result["reason"], tuple(self.result.get("last", ())))


@dataclass(frozen=True, slots=True)
class Finish:
    """The end of a game: when, how, and by how much it moves which rating (person → name of the game and change), among whom.

    `among` are the names, hashes all of them, by which games of the same people are found: that counts which most of today's have, the first of equals.
    Once stored, `moved` is known: less where the same people have played often within a day. A game that is not worth keeping is removed instead.
    """

    at: int
    result: Ending
    changes: Mapping[str, tuple[str, float]] = field(default_factory=dict)
    among: tuple[str, ...] = ()
    kept: bool = True
    counted: list[float] = field(default_factory=list, compare=False)
    moved: list[RatingChange] = field(default_factory=list, compare=False)


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong a person is at one game, after how many rated games."""

    person_id: str
    name: str
    value: float = FIRST_RATING
    games: int = 0


@dataclass(frozen=True, slots=True)
class RatingChange:
    """One step of a rating."""

    game_id: str
    person_id: str
    name: str
    before: float
    after: float
    at: int


@dataclass(frozen=True, slots=True)
class Report:
    """What someone tells the operators about another; `message` is what that one said."""

    id: str
    person_id: str
    about_id: str
    text: str
    message: str | None
    room_id: str | None
    at: int
    closed_at: int | None
    message_id: str | None


@dataclass(frozen=True, slots=True)
class Act:
    """What an operator did, or wants to do together with a second one."""

    id: str
    at: int
    operator_id: str
    verb: str
    target: str
    reason: str
    document: dict[str, object]
