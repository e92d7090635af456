"""What is kept: the tables, and the rows that go in and come out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import JSON, BigInteger, Boolean, Column, Double, ForeignKey, Index, Integer, MetaData, String, Table, Text

FIRST_RATING = 1300.0

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)

ID = String(64)
NAME = String(64)  # of a game
DOCUMENT = JSON(none_as_null=True)

# Whom a token speaks for. Raising token_version makes all tokens given so far worthless.
person = Table(
    "person",
    metadata,
    Column("id", ID, primary_key=True),
    Column("name", Text, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("token_version", Integer, nullable=False),
)

# A room as its server wants to find it again after a restart. Nothing is asked about its parts, so it is one document.
room = Table(
    "room",
    metadata,
    Column("id", ID, primary_key=True),
    Column("document", DOCUMENT, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
)

# A game, running or in the archive. It outlives its room, so room_id refers to nothing.
game = Table(
    "game",
    metadata,
    Column("id", ID, primary_key=True),
    Column("room_id", ID, nullable=False),
    Column("name", NAME, nullable=False),
    Column("options", DOCUMENT, nullable=False),
    Column("settings", DOCUMENT, nullable=False),
    Column("people", DOCUMENT, nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("started_at", BigInteger, nullable=False),
    Column("ended_at", BigInteger),
    Column("result", DOCUMENT),
    Index(None, "ended_at", "id"),  # running games, and the archive newest first
    Index(None, "name", "ended_at", "id"),  # the archive of one game
)

# Who held a seat of a game at any time: a person's games are found without reading everyone's.
player = Table(
    "player",
    metadata,
    Column("game_id", ID, ForeignKey("game.id"), primary_key=True),
    Column("person_id", ID, ForeignKey("person.id"), primary_key=True),
    Column("started_at", BigInteger, nullable=False),
    Index(None, "person_id", "started_at", "game_id"),
)

# What was played, with the ledger of the clock. The key is the compare-and-set: a ply exists once.
action = Table(
    "action",
    metadata,
    Column("game_id", ID, ForeignKey("game.id"), primary_key=True),
    Column("ply", Integer, primary_key=True, autoincrement=False),
    Column("text", Text, nullable=False),
    Column("seat", Integer),
    Column("at", BigInteger, nullable=False),
    Column("started_at", BigInteger, nullable=False),
    Column("charged", BigInteger, nullable=False),
    Column("forgiven", BigInteger, nullable=False),
    Column("forced", Boolean, nullable=False),
)

# How strong a person is now, at one game: what leaderboards are sorted by.
rating = Table(
    "rating",
    metadata,
    Column("person_id", ID, ForeignKey("person.id"), primary_key=True),
    Column("name", NAME, primary_key=True),
    Column("value", Double, nullable=False),
    Column("games", Integer, nullable=False),
    Index(None, "name", "value"),
)

# Each step of a rating: the history, and the proof that a game moved it once.
rating_change = Table(
    "rating_change",
    metadata,
    Column("game_id", ID, ForeignKey("game.id"), primary_key=True),
    Column("person_id", ID, ForeignKey("person.id"), primary_key=True),
    Column("name", NAME, nullable=False),
    Column("before", Double, nullable=False),
    Column("after", Double, nullable=False),
    Column("at", BigInteger, nullable=False),
    Index(None, "person_id", "name", "at"),
)


class StorageError(Exception):
    """Nothing was stored, and why."""


@dataclass(frozen=True, slots=True)
class Person:
    """Someone who can sit down."""

    id: str
    name: str
    kind: str
    created_at: int
    token_version: int


@dataclass(frozen=True, slots=True)
class RoomRow:
    """A room's document and when it was saved."""

    id: str
    document: dict[str, Any]
    updated_at: int


@dataclass(frozen=True, slots=True)
class ActionRow:
    """An action with its times: when it arrived, when the turn after it began, what was charged and what was forgiven. Chance has no seat."""

    text: str
    seat: int | None
    at: int
    started_at: int
    charged: int = 0
    forgiven: int = 0
    forced: bool = False


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game; its ply is the number of its actions. `people` has one entry a seat, whose `person` is an id, or None for a computer player."""

    id: str
    room_id: str
    name: str
    options: dict[str, Any]
    settings: dict[str, Any]
    people: list[dict[str, Any]]
    rated: bool
    started_at: int
    ended_at: int | None = None
    result: dict[str, Any] | None = None
    actions: list[ActionRow] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Finish:
    """The end of a game: when, how, and by how much it moves which rating (person → name of the game and change)."""

    at: int
    result: dict[str, Any]
    changes: Mapping[str, tuple[str, float]] = field(default_factory=dict)


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
