"""Every event of the sockets and its payload: which requests clients may send, and what they are told.

Seats are 0-based, times are milliseconds, positions and actions are the texts of the rule pages. Clients ignore fields they do not know;
from clients unknown fields are refused.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from hanpan.core.scene import Scene
from hanpan.server.protocol.requests import (
    Answer,
    AnswerSeat,
    AutoMove,
    ChangeConfig,
    ClientRequest,
    Connect,
    Draft,
    Enter,
    Invite,
    NewRoom,
    Nothing,
    OneSeat,
    Play,
    PlyOnly,
    Preview,
    QuickMatch,
    Resign,
    SeatBot,
    SendDirect,
    SendMessage,
    SitOn,
    SwapSeats,
    Why,
)  # fmt: skip


class News(BaseModel):
    """Something a client is sent. A field without a value is left out; null is a value."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _left_out(cls, given: Any) -> Any:
        if isinstance(given, dict):
            for name, field in cls.model_fields.items():
                if name in given and given[name] is None and not field.is_required():
                    raise ValueError(f"{name} has no value: it is to be left out")
        return given


# --- to clients ---

Value = bool | int | str  # of an option
Picture = Annotated[dict[str, Any], Scene]  # the plain data of a scene, without a board that the reader knows already


class Phrase(News):
    """Something to say in the reader's language: a key of the words, and the values that it speaks of."""

    key: str
    values: dict[str, Phrase | str | int | float] | None = None


class Told(News):
    """An action, as the reader may know it; null: chance acted. `forced`: the clock, or a computer player in someone's place, did it."""

    action: str
    seat: int | None
    at: int
    say: Phrase | None = None
    forced: bool = False


class NoClock(News):
    """Time does not matter."""

    kind: Literal["none"]


class Byoyomi(News):
    """A main time; when it is over, so much for each action."""

    kind: Literal["byoyomi"]
    main_ms: int
    byoyomi_ms: int


class TurnClock(News):
    """So much for each action."""

    kind: Literal["turn"]
    turn_ms: int


class Fischer(News):
    """A main time, and something more with each action."""

    kind: Literal["fischer"]
    main_ms: int
    increment_ms: int


Time = NoClock | Byoyomi | TurnClock | Fischer


class RoomSettings(News):
    """How a room plays, beside the game's own options."""

    time: Time
    rated: bool
    lowest: int | None
    highest: int | None
    spectators: bool
    bots: bool
    on_timeout: Literal["rules", "random"]
    pause: int
    listed: bool
    substitute: bool


class PersonInfo(News):
    """Someone, as others see them: in a room with the rating in its game, in the lobby with the best of their `ratings`."""

    id: str
    name: str
    rating: int | None = None
    rank: str | None = None
    colour: str | None = None
    ratings: dict[str, int] | None = None
    bot: bool = False


class LoginInfo(News):
    """Who you are. `kind`: guest, account or bot. `token` is told once, to a guest whom this connection has made: it brings you back as the same person."""

    person: PersonInfo
    token: str | None = None
    kind: str
    role: str | None = None


class Refusal(News):
    """Why something was not done. `code` is stable; `text` is a sentence."""

    code: str
    text: str
    event: str = ""
    phrase: Phrase | None = None


class Message(News):
    """Something that was said; `id`: in a room, where it is kept."""

    id: str | None = None
    who: PersonInfo
    msg: str
    at: int
    spectator: bool = False


class ChatHistory(News):
    """What was said in the room before, oldest first: the last 100 messages, as far as this person may read them."""

    messages: list[Message]


class RoomLine(News):
    """A room in the lobby's list; `link` opens straight into it. `seats` and `ids`: names and ids of those who sit there."""

    id: str
    link: str
    game: str
    options: dict[str, Value]
    settings: RoomSettings
    locked: bool
    master: str
    seats: list[str | None]
    ids: list[str | None]
    people: int
    playing: bool
    watchers: int = Field(description="how many of the people have no seat")
    rating: int | None = Field(description="the mean rating of the people who play")
    since: int | None = Field(description="when the running game began")


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


class Away(News):
    """What comes of someone's absence, and in how many milliseconds: their seat resigns, or the others may claim."""

    then: Literal["resign", "claim"]
    in_ms: int


class SeatInfo(News):
    """One seat of a table. `bot`: the level of the computer player that sits here; `auto`: of the one that acts for the person. `first`: who sat there when
    the game began, and may come back; `away`: what comes of it that they are not here."""

    seat: int
    person: PersonInfo | None
    ready: bool
    connected: bool
    bot: int | None = None
    auto: int | None = None
    first: str | None = None
    free_for_spectators: bool = False
    away: Away | None = None
    resigned: bool = False


class PlayerInfo(News):
    """All seats."""

    seats: list[SeatInfo]


class RoomInfo(News):
    """The room without its table; `link` opens straight into it."""

    id: str
    link: str
    game: str
    options: dict[str, Value]
    settings: RoomSettings
    locked: bool
    master: str
    people: list[PersonInfo]
    playing: bool
    game_id: str | None = None
    rated: bool = Field(default=False, description="whether the game that is played, or was played last, counts for ratings")


class Remaining(News):
    """Milliseconds that a seat has left; 0 also where the clock knows no such time."""

    main: int
    byoyomi: int
    turn: int


class LedgerLine(News):
    """What the clock took for an action."""

    ply: int
    seat: int | None
    at: int
    charged: int
    forgiven: int
    forced: bool


class ClockInfo(News):
    """Remaining times by seat; `now` is the server's clock, `deadline` when the seat to act runs out."""

    now: int
    seat: int | None
    deadline: int | None
    remaining: list[Remaining]
    ledger: list[LedgerLine] | None = None


class BoardInfo(News):
    """What everyone may see of the game. `recent`: the actions since the last time, as everyone may know them; `last`: the last one; `clock`: the times;
    `scene`: the picture, for those who asked for pictures and have none of their own (see `private board info`);
    `paused`: a part of the game has ended, and the next one begins when everyone at the table has said `set ready`, or when the `ready timer` ends."""

    game_id: str
    ply: int
    position: str
    seat: int | None
    scores: list[int]
    over: bool
    winner: list[int] | None
    last: str | None
    recent: list[Told] = Field(default_factory=list)
    draft: list[str] = Field(default_factory=list)
    scene: Picture | None = None
    clock: ClockInfo | None = None
    paused: bool = False


class DraftInfo(News):
    """The places pointed at so far in an unfinished action."""

    seat: int
    ply: int
    clicks: list[str]


class PrivateBoardInfo(News):
    """What only that seat may see, and what it may do. `scene`: the picture with that seat's eyes, where others do not see the same."""

    seat: int
    ply: int
    position: str
    legal: list[str]
    info: dict[str, Any]
    scene: Picture | None = None
    clicks: dict[str, list[str]] | None = None


class RoundInfo(News):
    """A part of the game that has ended, after so many actions (`ply`): who dealt, who ended it (null: nobody), the points that brought, why (phrases in
    the game's words), and the scores by seat before and after."""

    ply: int
    dealer: int
    out: int | None
    points: int
    why: list[Phrase]
    before: list[int]
    scores: list[int]


class HistoryInfo(News):
    """The actions so far, each as this viewer may know it; `rounds`: the parts of the game that have ended; `closing`: how the last of them lay, until a
    seat acts again (its `position` as text, and `info` for programs)."""

    game_id: str
    start: int
    actions: list[Told]
    rounds: list[RoundInfo] = Field(default_factory=list)
    closing: dict[str, Any] | None = None


class ReadyTimer(News):
    """When the game, or its next part, starts by itself; null: not any more."""

    at: int | None


class Offer(News):
    """What stands at the table: a draw, a takeback, a resignation that needs a partner, a rematch; or `who` would sit in on a seat, if its partner agrees."""

    kind: Literal["draw", "takeback", "resign", "rematch", "seat"]
    seat: int
    state: Literal["asked", "accepted", "declined", "withdrawn"]
    who: PersonInfo | None = None


class Decision(News):
    """A decision that one seat has to make before the game goes on."""

    seat: int
    ply: int
    choices: list[str]


class Counted(News):
    """How much of the usual points a rated game moved, and why not all of them: it was too `short`, everyone left it (`abandoned`), the same people
    have played often today (`again`), or a `program` played, whose rating alone moves."""

    weight: float
    why: Literal["short", "abandoned", "again", "program"] | None = None


class Moved(News):
    """A rating before and after a game."""

    before: float
    after: float


class GameOver(News):
    """The end: who won and why, and how ratings moved; `counted`: in a rated game, how much."""

    game_id: str
    winner: list[int]
    scores: list[int]
    reason: str
    ratings: dict[str, Moved]
    counted: Counted | None = None


class ComeBack(News):
    """The server is about to stop, and will be back soon: connect again after so many milliseconds."""

    after_ms: int


CONNECT: dict[str, type[Connect]] = {"/": Connect, "/lobby": Connect, "/room": Enter}

INBOUND: dict[str, dict[str, type[ClientRequest]]] = {
    "/": {},
    "/lobby": {
        "req info": Nothing, "send msg": SendMessage, "new room": NewRoom, "send dm": SendDirect, "quick match": QuickMatch, "cancel match": Nothing,
    },
    "/room": {
        "send invitation": Invite, "req info": Nothing, "send msg": SendMessage, "change config": ChangeConfig, "sit on": SitOn, "stand up": OneSeat,
        "set ready": OneSeat, "cancel ready": OneSeat, "swap seats": SwapSeats, "play": Play, "goshi proceed": PlyOnly, "goshi deal again": PlyOnly,
        "draft": Draft, "resign": Resign, "offer draw": OneSeat, "answer draw": Answer, "ask takeback": OneSeat, "answer takeback": Answer,
        "rematch": Nothing, "restart": Nothing, "seat bot": SeatBot, "auto move": AutoMove, "answer seat": AnswerSeat, "leave room": Nothing,
        "clock info": Nothing, "why": Why, "preview": Preview, "hint": PlyOnly,
    },
}  # fmt: skip

OUTBOUND: dict[str, dict[str, type[News]]] = {
    "/": {"login info": LoginInfo, "unauthorized": Refusal, "invalid action": Refusal, "come back": ComeBack},
    "/lobby": {
        "account": LoginInfo, "info": LobbyInfo, "user joined": PersonInfo, "user left": PersonInfo, "user updated": PersonInfo, "recieve msg": Message,
        "room created": RoomLine, "room updated": RoomLine, "room removed": OneRoom, "move to room": OneRoom, "recieved invitation": Invitation,
        "recieve dm": Message, "unauthorized": Refusal, "invalid action": Refusal, "come back": ComeBack,
    },
    "/room": {
        "info": RoomInfo, "user joined": PersonInfo, "user left": PersonInfo, "user updated": PersonInfo, "recieve msg": Message, "config updated": RoomInfo,
        "chat history": ChatHistory,
        "room updated": RoomInfo, "player info": PlayerInfo, "game history info": HistoryInfo, "board info": BoardInfo, "private board info": PrivateBoardInfo,
        "goshi decision": Decision, "goshi wait": Decision, "goshi solve": Decision, "ready timer": ReadyTimer, "draft": DraftInfo, "offer draw": Offer,
        "answer draw": Offer, "ask takeback": Offer, "answer takeback": Offer, "resign": Offer, "rematch": Offer, "ask seat": Offer, "answer seat": Offer,
        "clock info": ClockInfo, "game over": GameOver, "invalid action": Refusal, "come back": ComeBack,
    },
}  # fmt: skip
