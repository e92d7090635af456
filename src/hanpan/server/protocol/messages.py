"""What clients are told: every event of the sockets and of the bot API, and its payload.

Seats are 0-based, times are milliseconds, positions and actions are the texts of the rule pages. Clients ignore fields they do not know.
"""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypeVar, cast

from pydantic import ConfigDict, Field, with_config
from typing_extensions import TypedDict

from hanpan.core import words
from hanpan.core.scene import Scene


@with_config(ConfigDict(extra="forbid"))  # for whoever checks one
class Outgoing(TypedDict):
    """Something a client is sent: the code makes it, mypy checks it, and the documents of the events are made from it. A field without a value is left out;
    null is a value."""


Value = bool | int | str  # of an option
Picture = Annotated[dict[str, object], Scene]  # the plain data of a scene, without a board that the reader knows already


class Phrase(Outgoing):
    """Something to say in the reader's language: a key of the words, and the values that it speaks of."""

    key: str
    values: NotRequired[dict[str, Phrase | str | int | float]]


def phrase(said: words.Phrase) -> Phrase:
    """A phrase as it is sent: its plain data, as pictures and records have it, too."""
    return cast(Phrase, said.json())


class InWords(Outgoing):
    """An action in the game's words, as it is read and as it is heard, where these are not its text."""

    say: NotRequired[Phrase]
    heard: NotRequired[Phrase]


Action = TypeVar("Action", bound=InWords)


def put_words(told: Action, read: words.Phrase | None, heard: words.Phrase | None) -> Action:
    """Add what the game has to say of an action; what is heard as it is read is told once."""
    if read is not None:
        told["say"] = phrase(read)
    if heard is not None and heard != read:
        told["heard"] = phrase(heard)
    return told


class Told(InWords):
    """An action, as the reader may know it; null: chance acted. `forced`: played for a seat whose time was up, or that had resigned."""

    action: str
    seat: int | None
    at: int
    forced: NotRequired[bool]


class NoClock(Outgoing):
    """Time does not matter."""

    kind: Literal["none"]


class Byoyomi(Outgoing):
    """A main time; when it is over, so much for each action."""

    kind: Literal["byoyomi"]
    main_ms: int
    byoyomi_ms: int


class TurnClock(Outgoing):
    """So much for each action."""

    kind: Literal["turn"]
    turn_ms: int


class Fischer(Outgoing):
    """A main time, and something more with each action."""

    kind: Literal["fischer"]
    main_ms: int
    increment_ms: int


Time = NoClock | Byoyomi | TurnClock | Fischer


class RoomSettings(Outgoing):
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


class PersonInfo(Outgoing):
    """Someone, as others see them: in a room with the rating in its game, in the lobby with the best of their `ratings`. `gone`: whose account is deleted."""

    id: str
    name: str
    rating: NotRequired[int]
    rank: NotRequired[str]
    colour: NotRequired[str]
    ratings: NotRequired[dict[str, int]]
    bot: NotRequired[bool]
    gone: NotRequired[bool]


class LoginInfo(Outgoing):
    """Who you are. `kind`: guest, account or bot. `token` is told once, to a guest whom this connection has made: it brings you back as the same person.
    `silent`: only operators may say anything here."""

    person: PersonInfo
    token: NotRequired[str]
    kind: str
    role: NotRequired[str]
    silent: NotRequired[bool]


class Refusal(Outgoing):
    """Why something was not done. `code` is stable; `text` is a sentence."""

    code: str
    text: str
    event: NotRequired[str]
    phrase: NotRequired[Phrase]


class Message(Outgoing):
    """Something that was said; `id`: in a room, where it is kept."""

    id: NotRequired[str]
    who: PersonInfo
    msg: str
    at: int
    spectator: NotRequired[bool]


class ChatHistory(Outgoing):
    """What was said in the room before, oldest first: the last 100 messages, as far as this person may read them."""

    messages: list[Message]


class RoomLine(Outgoing):
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
    watchers: Annotated[int, Field(description="how many of the people have no seat")]
    rating: Annotated[int | None, Field(description="the mean rating of the people who play")]
    since: Annotated[int | None, Field(description="when the running game began")]


class LobbyInfo(Outgoing):
    """The lobby: who is here and which rooms there are."""

    people: list[PersonInfo]
    rooms: list[RoomLine]


class OneRoom(Outgoing):
    """A room that is no more, or that you shall go to now."""

    id: str


class Invitation(Outgoing):
    """Someone invites you."""

    who: PersonInfo
    room: RoomLine


class Away(Outgoing):
    """What comes of someone's absence, and in how many milliseconds: their seat resigns, or the others may claim."""

    then: Literal["resign", "claim"]
    in_ms: int


class SeatInfo(Outgoing):
    """One seat of a table. `bot`: the level of the computer player that sits here; `auto`: of the one that acts for the person. `first`: who sat there when
    the game began, and may come back; `away`: what comes of it that they are not here."""

    seat: int
    person: PersonInfo | None
    ready: bool
    connected: bool
    bot: NotRequired[int]
    auto: NotRequired[int]
    first: NotRequired[str]
    free_for_spectators: NotRequired[bool]
    away: NotRequired[Away]
    resigned: NotRequired[bool]


class PlayerInfo(Outgoing):
    """All seats."""

    seats: list[SeatInfo]


class RoomInfo(Outgoing):
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
    game_id: NotRequired[str]
    rated: NotRequired[Annotated[bool, Field(description="whether the game that is played, or was played last, counts for ratings")]]


class Remaining(Outgoing):
    """Milliseconds that a seat has left; 0 also where the clock knows no such time."""

    main: int
    byoyomi: int
    turn: int


class LedgerLine(Outgoing):
    """What the clock took for an action."""

    ply: int
    seat: int | None
    at: int
    charged: int
    forgiven: int
    forced: bool


class ClockInfo(Outgoing):
    """Remaining times by seat; `now` is the server's clock, `deadline` when the seat to act runs out."""

    now: int
    seat: int | None
    deadline: int | None
    remaining: list[Remaining]
    ledger: NotRequired[list[LedgerLine]]


class BoardInfo(Outgoing):
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
    recent: NotRequired[list[Told]]
    draft: NotRequired[list[str]]
    scene: NotRequired[Picture]
    clock: NotRequired[ClockInfo]
    paused: NotRequired[bool]


class Ply(Outgoing):
    """What has happened in the game that was told last, for those who asked to be told briefly: they play it themselves. `actions` as the reader may know
    them, each with its milliseconds since the game began (`at`); `forced`: which of them were played for someone. `sum`: the CRC-32 of the
    record that the reader should have then; whoever has another one asks for everything. `clock`: of each seat that has acted or is to act, the seat, and
    what is left of its main time, byo-yomi and turn, without zeros at the end (the others have what they had), `now` milliseconds after the last action;
    `deadline`: when time runs out, in milliseconds from then, where that is not all that the seat to act has left. Where some know more than others, actions
    do not tell all: then `seen` has what changes in the reader's own record (base64 of pieces: a byte, the new bytes; the lower three bits of the first say
    how many, the others how far behind the last piece), `trail` the numbers of the places on the reader's own board where the last action is seen,
    `motions` how it moves things."""

    ply: int
    actions: list[str]
    at: list[int]
    forced: NotRequired[list[int]]
    sum: int
    now: NotRequired[int]
    clock: NotRequired[list[list[int]]]
    deadline: NotRequired[int | None]
    seen: NotRequired[str]
    trail: NotRequired[list[int]]
    motions: NotRequired[list[Picture]]


class DraftInfo(Outgoing):
    """The places pointed at so far in an unfinished action."""

    seat: int
    ply: int
    clicks: list[str]


class PrivateBoardInfo(Outgoing):
    """What only that seat may see, and what it may do. `scene`: the picture with that seat's eyes, where others do not see the same."""

    seat: int
    ply: int
    position: str
    legal: list[str]
    info: dict[str, object]
    scene: NotRequired[Picture]
    clicks: NotRequired[dict[str, list[str]]]


class RoundInfo(Outgoing):
    """A part of the game that has ended, after so many actions (`ply`): who dealt, who ended it (null: nobody), the points that brought, why (phrases in
    the game's words), and the scores by seat before and after."""

    ply: int
    dealer: int
    out: int | None
    points: int
    why: list[Phrase]
    before: list[int]
    scores: list[int]


class HistoryInfo(Outgoing):
    """The actions so far, each as this viewer may know it; `rounds`: the parts of the game that have ended; `closing`: how the last of them lay, until a
    seat acts again (its `position` as text, and `info` for programs)."""

    game_id: str
    start: int
    actions: list[Told]
    rounds: NotRequired[list[RoundInfo]]
    closing: NotRequired[dict[str, object]]


class ReadyTimer(Outgoing):
    """When the game, or its next part, starts by itself; null: not any more."""

    at: int | None


OfferKind = Literal["draw", "takeback", "resign", "rematch", "seat"]
OfferState = Literal["asked", "accepted", "declined", "withdrawn"]


class Offer(Outgoing):
    """What stands at the table: a draw, a takeback, a resignation that needs a partner, a rematch; or `who` would sit in on a seat, if its partner agrees."""

    kind: OfferKind
    seat: int
    state: OfferState
    who: NotRequired[PersonInfo]


class Decision(Outgoing):
    """A decision that one seat has to make before the game goes on."""

    seat: int
    ply: int
    choices: list[str]


class Counted(Outgoing):
    """How much of the usual points a rated game moved, and why not all of them: it was too `short`, everyone left it (`abandoned`), it went on
    for too long (`length`), the same people have played often today (`again`), or a `program` played, whose rating alone moves."""

    weight: float
    why: NotRequired[Literal["short", "abandoned", "length", "again", "program"]]


class Moved(Outgoing):
    """A rating before and after a game."""

    before: float
    after: float


class EndSeat(Outgoing):
    """Who held a seat when the game ended; nobody, once a person has been forgotten. `resigned`: they had given up before that."""

    seat: int
    person: PersonInfo | None
    bot: NotRequired[int]
    resigned: NotRequired[bool]


class GameOver(Outgoing):
    """The end: who won and why, who sat where then (some may have left since), and how ratings moved; `counted`: in a rated game, how much."""

    game_id: str
    seats: list[EndSeat]
    winner: list[int]
    scores: list[int]
    reason: str
    ratings: dict[str, Moved]
    counted: NotRequired[Counted]


class ComeBack(Outgoing):
    """The server is about to stop, and will be back soon: connect again after so many milliseconds."""

    after_ms: int


class Interrupted(Outgoing):
    """Play pauses (`yes`), because a part of the server is away, and clocks stand still; or it goes on."""

    yes: bool


class BotAccount(Outgoing):
    """Who a bot is: how its stream begins."""

    person: PersonInfo


# Whatever is told to anyone.
Payload = (
    LoginInfo | BotAccount | Refusal | ComeBack | Interrupted | LobbyInfo | PersonInfo | Message | ChatHistory | RoomLine | OneRoom | Invitation
    | RoomInfo | PlayerInfo | HistoryInfo | BoardInfo | PrivateBoardInfo | Decision | ReadyTimer | DraftInfo | Ply | Offer | ClockInfo | GameOver
)  # fmt: skip


# --- answers: what comes back to whoever asked, beside `ok` ---


class Recorded(Outgoing):
    """An action is recorded, as this ply."""

    ply: int


class Asked(Outgoing):
    """Someone else is asked first."""

    asked: Literal[True]


class Sketch(Outgoing):
    """What an action would look like."""

    scene: Picture


class Hint(InWords):
    """What a strong computer player would do."""

    action: str


OUTBOUND: dict[str, dict[str, type[Outgoing]]] = {
    "/": {"login info": LoginInfo, "unauthorized": Refusal, "invalid action": Refusal, "come back": ComeBack, "interrupted": Interrupted},
    "/lobby": {
        "account": LoginInfo, "info": LobbyInfo, "user joined": PersonInfo, "user left": PersonInfo, "user updated": PersonInfo, "recieve msg": Message,
        "room created": RoomLine, "room updated": RoomLine, "room removed": OneRoom, "move to room": OneRoom, "recieved invitation": Invitation,
        "recieve dm": Message, "unauthorized": Refusal, "invalid action": Refusal, "come back": ComeBack, "interrupted": Interrupted,
    },
    "/room": {
        "info": RoomInfo, "user joined": PersonInfo, "user left": PersonInfo, "user updated": PersonInfo, "recieve msg": Message, "config updated": RoomInfo,
        "chat history": ChatHistory,
        "room updated": RoomInfo, "player info": PlayerInfo, "game history info": HistoryInfo, "board info": BoardInfo, "private board info": PrivateBoardInfo,
        "goshi decision": Decision, "goshi wait": Decision, "goshi solve": Decision, "ready timer": ReadyTimer, "draft": DraftInfo, "ply": Ply,
        "offer draw": Offer,
        "answer draw": Offer, "ask takeback": Offer, "answer takeback": Offer, "resign": Offer, "answer resign": Offer, "rematch": Offer, "ask seat": Offer,
        "answer seat": Offer,
        "clock info": ClockInfo, "game over": GameOver, "invalid action": Refusal, "come back": ComeBack, "interrupted": Interrupted,
    },
}  # fmt: skip
