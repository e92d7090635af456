"""Every event of the sockets and its payload, in one place: what clients may send and what they are sent.

Seats are 0-based, times are milliseconds, positions and actions are the texts of the rule pages. Clients ignore fields they do not know;
from clients unknown fields are refused.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

Text = Annotated[str, StringConstraints(min_length=1, max_length=500, strip_whitespace=True)]
Name = Annotated[str, StringConstraints(min_length=1, max_length=24, strip_whitespace=True), AfterValidator(lambda name: _printable(name))]
Word = Annotated[str, StringConstraints(max_length=64)]
Id = Annotated[str, StringConstraints(min_length=1, max_length=40)]
Seat = Annotated[int, Field(ge=0, le=8)]
Ply = Annotated[int, Field(ge=0, le=1_000_000)]
Action = Annotated[str, StringConstraints(min_length=1, max_length=400)]
Options = dict[Word, bool | int | Annotated[str, StringConstraints(max_length=400)]]
TIME = "`kind`: none · byoyomi (with main_ms, byoyomi_ms) · turn (turn_ms) · fischer (main_ms, increment_ms)"


def _printable(name: str) -> str:
    if not name.isprintable():
        raise ValueError("a name is one line of ordinary letters")
    return name


class Wish(BaseModel):
    """Something a client sends: exactly the fields named here."""

    model_config = ConfigDict(extra="forbid", strict=True)


class News(BaseModel):
    """Something a client is sent."""

    model_config = ConfigDict(extra="forbid")


# --- settings of a room ---


class Settings(Wish):
    """How a room plays, beside the game's own options."""

    time: dict[str, Any] = Field(default_factory=lambda: {"kind": "none"}, description=TIME)
    rated: bool = True
    lowest: int | None = Field(default=None, ge=0, le=5000, description="lowest rating that may sit down")
    highest: int | None = Field(default=None, ge=0, le=5000, description="highest rating that may sit down")
    spectators: bool = True
    on_timeout: Literal["rules", "random"] = Field(default="rules", description="what a time-out does: the game's own rule, or a random legal action")
    substitute: bool = Field(default=False, description="a computer player plays on for someone who left")


# --- from clients ---


class Nothing(Wish):
    """No fields."""


class SendMessage(Wish):
    """Say something to everyone here."""

    msg: Text


class SendDirect(Wish):
    """Say something to one person."""

    to: Id
    msg: Text


class NewRoom(Wish):
    """Open a room."""

    game: Word
    options: Options = Field(default_factory=dict)
    settings: Settings = Field(default_factory=Settings)
    password: Word | None = None


class QuickMatch(Wish):
    """Find someone who wants the same game and clock."""

    game: Word
    options: Options = Field(default_factory=dict)
    time: dict[str, Any] = Field(default_factory=lambda: {"kind": "none"}, description=TIME)


class Rename(Wish):
    """Take another name (over HTTP)."""

    name: Name


class Invite(Wish):
    """Invite someone who is online."""

    to: Id


class ChangeConfig(Wish):
    """Change the game, its options or the settings (the master only, between games)."""

    game: Word | None = None
    options: Options | None = None
    settings: Settings | None = None
    password: Word | None = None


class SitOn(Wish):
    """Sit down; `local` takes a second seat at the same screen."""

    seat: Seat
    local: bool = False


class OneSeat(Wish):
    """A seat of one's own; the first of them if left out."""

    seat: Seat | None = None


class Resign(Wish):
    """Give up. With the seat of someone who has been away for five minutes, where no clock runs: claim that they have given up."""

    seat: Seat | None = None


class SwapSeats(Wish):
    """Exchange two seats (the master's, or one's own with an empty one)."""

    one: Seat
    other: Seat


class SeatBot(Wish):
    """Give a seat to a computer player, or take it back (level null)."""

    seat: Seat
    level: int | None = Field(ge=1, le=8)


class Play(Wish):
    """An action. ply: how many actions of this game are recorded so far, chance included. game_id: refuse it if another game is played by now."""

    ply: Ply
    action: Action
    game_id: Id | None = None


class PlyOnly(Wish):
    """A decision that needs no text."""

    ply: Ply


class Draft(Wish):
    """The places pointed at so far in an unfinished action."""

    ply: Ply
    clicks: list[Word] = Field(max_length=8)


class Why(Wish):
    """Why can't an action begin with pointing at these places? The answer has `code`, `text` and `phrase` (or none of them, if it can)."""

    ply: Ply
    clicks: list[Word] = Field(min_length=1, max_length=8)


class Preview(Wish):
    """What would an action of one's own look like? The answer has a `scene`."""

    ply: Ply
    action: Action


class Answer(Wish):
    """Yes or no to what was offered."""

    yes: bool


# --- to clients ---


class PersonInfo(News):
    """Someone, as others see them: in a room with the rating in its game, in the lobby with the best of their `ratings`."""

    id: str
    name: str
    rating: int | None = None
    rank: str | None = None
    colour: str | None = None
    ratings: dict[str, int] | None = None


class LoginInfo(News):
    """Who you are; `token` brings you back as the same person."""

    person: PersonInfo
    token: str


class Refusal(News):
    """Why something was not done. `code` is stable; `text` is a sentence."""

    code: str
    text: str
    event: str = ""
    phrase: dict[str, Any] | None = None


class Message(News):
    """Something that was said."""

    who: PersonInfo
    msg: str
    at: int
    spectator: bool = False


class RoomLine(News):
    """A room in the lobby's list; `link` opens straight into it."""

    id: str
    link: str
    game: str
    options: dict[str, bool | int | str]
    settings: dict[str, Any]
    locked: bool
    master: str
    seats: list[str | None]
    people: int
    playing: bool


class LobbyInfo(News):
    """The lobby: who is here and which rooms there are."""

    people: list[PersonInfo]
    rooms: list[RoomLine]


class OneRoom(News):
    """A room that is no more, or that you shall go to now."""

    id: str


class Invitation(News):
    """Someone invites you."""

    who: PersonInfo
    room: RoomLine


class SeatInfo(News):
    """One seat of a table."""

    seat: int
    person: PersonInfo | None
    ready: bool
    connected: bool
    bot: int | None = None
    first: str | None = None
    free_for_spectators: bool = False
    resigned: bool = False


class PlayerInfo(News):
    """All seats."""

    seats: list[SeatInfo]


class RoomInfo(News):
    """The room without its table; `link` opens straight into it."""

    id: str
    link: str
    game: str
    options: dict[str, bool | int | str]
    settings: dict[str, Any]
    locked: bool
    master: str
    people: list[PersonInfo]
    playing: bool
    game_id: str | None = None


class BoardInfo(News):
    """What everyone may see of the game. `recent`: the actions since the last time, as everyone may know them; `last`: the last action."""

    game_id: str
    ply: int
    position: str
    seat: int | None
    scores: list[int]
    over: bool
    winner: list[int] | None
    last: str | None = None
    recent: list[dict[str, Any]] = Field(default_factory=list)
    draft: list[str] = Field(default_factory=list)
    scene: dict[str, Any] | None = None


class DraftInfo(News):
    """The places pointed at so far in an unfinished action."""

    seat: int
    ply: int
    clicks: list[str]


class PrivateBoardInfo(News):
    """What only that seat may see, and what it may do."""

    seat: int
    ply: int
    position: str
    legal: list[str]
    info: dict[str, Any]
    scene: dict[str, Any] | None = None
    clicks: dict[str, list[str]] | None = None


class HistoryInfo(News):
    """The actions so far, each as this viewer may know it. `closing`: what a part of the game that just ended looks like in the open."""

    game_id: str
    start: int
    actions: list[dict[str, Any]]
    closing: dict[str, Any] | None = None


class ClockInfo(News):
    """Remaining times by seat; `now` is the server's clock, `deadline` when the seat to act runs out."""

    now: int
    seat: int | None
    deadline: int | None
    remaining: list[dict[str, int | None]]
    ledger: list[dict[str, Any]] | None = None


class ReadyTimer(News):
    """When the game starts by itself; null: not any more."""

    at: int | None


class Offer(News):
    """What stands at the table: a draw, a takeback, a resignation that needs a partner, a rematch."""

    kind: Literal["draw", "takeback", "resign", "rematch"]
    seat: int
    state: Literal["asked", "accepted", "declined", "withdrawn"]


class Decision(News):
    """A decision that one seat has to make before the game goes on."""

    seat: int
    ply: int
    choices: list[str]


class GameOver(News):
    """The end: who won and why, and how ratings moved."""

    game_id: str
    winner: list[int]
    scores: list[int]
    reason: str
    ratings: dict[str, dict[str, float]] = Field(default_factory=dict)


INBOUND: dict[str, dict[str, type[Wish]]] = {
    "/": {},
    "/lobby": {
        "req info": Nothing, "send msg": SendMessage, "new room": NewRoom, "send dm": SendDirect, "quick match": QuickMatch, "cancel match": Nothing,
    },
    "/room": {
        "send invitation": Invite, "req info": Nothing, "send msg": SendMessage, "change config": ChangeConfig, "sit on": SitOn, "stand up": OneSeat,
        "set ready": OneSeat, "cancel ready": OneSeat, "swap seats": SwapSeats, "play": Play, "goshi proceed": PlyOnly, "goshi deal again": PlyOnly,
        "draft": Draft, "resign": Resign, "offer draw": OneSeat, "answer draw": Answer, "ask takeback": OneSeat, "answer takeback": Answer,
        "rematch": Nothing, "seat bot": SeatBot, "clock info": Nothing, "why": Why, "preview": Preview, "hint": PlyOnly,
    },
}  # fmt: skip

OUTBOUND: dict[str, dict[str, type[News]]] = {
    "/": {"login info": LoginInfo, "unauthorized": Refusal, "invalid action": Refusal},
    "/lobby": {
        "account": LoginInfo, "info": LobbyInfo, "user joined": PersonInfo, "user left": PersonInfo, "user updated": PersonInfo, "recieve msg": Message,
        "room created": RoomLine, "room updated": RoomLine, "room removed": OneRoom, "move to room": OneRoom, "recieved invitation": Invitation,
        "recieve dm": Message, "unauthorized": Refusal, "invalid action": Refusal,
    },
    "/room": {
        "info": RoomInfo, "user joined": PersonInfo, "user left": PersonInfo, "user updated": PersonInfo, "recieve msg": Message, "config updated": RoomInfo,
        "room updated": RoomInfo, "player info": PlayerInfo, "game history info": HistoryInfo, "board info": BoardInfo, "private board info": PrivateBoardInfo,
        "goshi decision": Decision, "goshi wait": Decision, "goshi solve": Decision, "ready timer": ReadyTimer, "draft": DraftInfo, "offer draw": Offer,
        "answer draw": Offer, "ask takeback": Offer, "answer takeback": Offer, "resign": Offer, "rematch": Offer, "clock info": ClockInfo,
        "game over": GameOver, "invalid action": Refusal,
    },
}  # fmt: skip
