"""What has happened in a room: its verbs check a request, change what the room has, and return this, in order. `commit` stores it, and only then tells it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum, auto
from typing import NamedTuple

from hanpan.game import State
from hanpan.result import Result
from hanpan.server.protocol.messages import Decision, Payload
from hanpan.server.protocol.refusals import Refused
from hanpan.server.rooms.clock import Clock
from hanpan.server.rooms.match import Match
from hanpan.server.rooms.seats import Seating
from hanpan.server.storage.models import ActionRow, GameRow, Said

# --- what is to be stored ---


@dataclass(frozen=True, slots=True)
class Changed:
    """The room is not as it is stored; with `players`, neither is who holds the seats of the running game."""

    players: bool = False


@dataclass(frozen=True, slots=True)
class Spoken:
    """Someone has said something; what was said before `since` need not be kept any more."""

    message: Said
    since: int


@dataclass(frozen=True, slots=True)
class Begun:
    """A new game, once it is stored, and who sits where in it."""

    row: GameRow
    seating: Seating


class Acted(NamedTuple):
    """An action of the seat to act, or of chance, once it is stored: its row, and the position and the clock after it. The game goes on from there.
    `solves` is the question that it answers."""

    match: Match
    row: ActionRow
    following: State
    clock: Clock
    solves: Decision | None = None


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The game goes back to an earlier ply, once that is stored; the clock is as it will be then."""

    match: Match
    ply: int
    clock: Clock


@dataclass(frozen=True, slots=True)
class Ended:
    """A result that no action brought, once it is stored: resignation, time, agreement, claim. `news` is told before everything else."""

    match: Match
    result: Result
    news: tuple[News, ...] = ()


# --- what is to be told ---


@dataclass(frozen=True, slots=True)
class News:
    """A message to everyone in the room but some, or to one person there."""

    event: str
    payload: Payload
    to: str | None = None
    skip: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class ShownOut:
    """Someone can't stay, and is told why, and nothing more."""

    person: str
    why: Refused


class Show(Enum):
    """What everyone is shown as it is now."""

    PLAYERS = auto()
    CLOCK = auto()
    HISTORY = auto()
    OVER = auto()  # how the game has ended
    LOBBY = auto()  # the room's line in the lobby's list
    ROOM = auto()  # the room itself; and that line
    CONFIG = auto()  # the same, where its game or its settings are others


@dataclass(frozen=True, slots=True)
class ShowGame:
    """All about the game, for one person."""

    person: str


# --- what comes next ---


class Next(Enum):
    """What comes of it, once all before is stored and told."""

    BEGIN = auto()  # a new game
    VANISH = auto()  # nobody is here any more, and nothing keeps the room


@dataclass(frozen=True, slots=True)
class GoesOn:
    """The game goes on from how it stands: chance acts, everyone is told what was played since a ply, and the next one is to act."""

    since: int


# A refusal is a fact too: what was asked for was not done, but something else was, before.
Fact = Changed | Spoken | Acted | TakenBack | Ended | News | ShownOut | Show | ShowGame | Next | GoesOn | Refused
Happened = list[Fact]
