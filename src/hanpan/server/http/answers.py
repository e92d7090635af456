"""What is answered over HTTP, as FastAPI checks it and shows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from typing_extensions import TypedDict

from hanpan.server.people.second_factor import SecondFactors
from hanpan.server.protocol.messages import PersonInfo
from hanpan.server.storage.models import GameRow, RatingChange, Report

Stored = Mapping[str, object]  # a document as it was stored, maybe long ago: whatever is in it is told


class Entered(TypedDict):
    """Who you are now."""

    person: PersonInfo
    kind: str
    role: str | None


class HalfOpen(TypedDict):
    """What is left to show: one of these second factors."""

    second: list[str]


class Around(TypedDict):
    """`address`: what others open, if that is known; `alone`: nobody else can open it."""

    address: str | None
    alone: bool


class RatingStep(TypedDict):
    """A rating before and after a game; without its id, where the asker does not find it."""

    game_id: str | None
    before: float
    after: float
    at: int


def rating_step(change: RatingChange, hidden: bool = False) -> RatingStep:
    """A step of a rating as plain data."""
    return {"game_id": None if hidden else change.game_id, "before": change.before, "after": change.after, "at": change.at}


# --- games ---


class GameLine(TypedDict):
    """A game without its actions; `names`: who began on each seat, null for a computer player."""

    id: str
    game: str
    options: Stored
    settings: Stored
    people: Sequence[Stored]
    names: list[str | None]
    rated: bool
    counted: float | None
    started_at: int
    ended_at: int | None
    result: Stored | None


class Leader(TypedDict):
    """A line of a leaderboard."""

    id: str
    name: str
    bot: bool
    rating: int
    games: int
    rank: str
    colour: str


# --- about oneself ---


class LoginLine(TypedDict):
    """A way into an account."""

    id: str
    provider: str
    email: str | None
    since: int


class SessionLine(TypedDict):
    """Where one is logged in; `id` is the beginning of what we keep, which opens nothing."""

    id: str
    here: bool
    browser: str
    place: str
    since: int
    seen: int
    ends: int


class Named(TypedDict):
    """Someone."""

    id: str
    name: str


class BotLine(TypedDict):
    """A bot that one answers for, and what its token may do."""

    id: str
    name: str
    scopes: Sequence[str]


class AboutMe(TypedDict):
    """Who you are, and what is yours."""

    person: PersonInfo
    kind: str
    role: str | None
    muted_until: int | None
    logins: list[LoginLine]
    second: SecondFactors
    sessions: list[SessionLine]
    blocked: list[Named]
    bots: list[BotLine]


class PlayedGame(TypedDict):
    """A game of yours."""

    id: str
    game: str
    options: Stored
    started_at: int
    result: Stored | None


def played_game(row: GameRow) -> PlayedGame:
    """A game as plain data, in few words."""
    return {"id": row.id, "game": row.name, "options": row.options, "started_at": row.started_at, "result": row.result}


class SaidLine(TypedDict):
    """A message of yours."""

    room: str
    at: int
    text: str


class Export(AboutMe):
    """All data about you."""

    created_at: int
    games: list[PlayedGame]
    ratings: dict[str, list[RatingStep]]
    reports: list[Report]
    messages: list[SaidLine]


class ProofWays(TypedDict):
    """How one can prove who one is."""

    fresh: bool
    ways: list[str]
    elsewhere: dict[str, str]
    site: str | None
