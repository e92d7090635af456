"""What clients may send: one schema for each kind of payload. Unknown fields are refused."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, model_validator

from hanpan.core.reading import check_json, quoted, whole
from hanpan.server.protocol.names import MOST_LETTERS, proper

Text = Annotated[str, StringConstraints(min_length=1, max_length=500, strip_whitespace=True)]
Name = Annotated[str, StringConstraints(min_length=1, max_length=MOST_LETTERS, strip_whitespace=True), AfterValidator(proper)]
Word = Annotated[str, StringConstraints(max_length=64)]
Id = Annotated[str, StringConstraints(min_length=1, max_length=40)]
Seat = Annotated[int, Field(ge=0, le=8)]
Ply = Annotated[int, Field(ge=0, le=1_000_000)]
Action = Annotated[str, StringConstraints(min_length=1, max_length=400)]
Options = dict[Word, bool | int | Annotated[str, StringConstraints(max_length=400)]]
TIME = (
    "`kind`: none · byoyomi (main_ms: 1, 2, 3, 5 or 10 minutes, or 0; byoyomi_ms: 5, 10, 20 or 30 seconds, or 0; not both 0) · "
    "turn (turn_ms: whole seconds, 5 to 600) · fischer (main_ms: 1, 2, 3, 5 or 10 minutes; increment_ms: whole seconds, 1 to 60)"
)


def _plain_digits(given: object) -> object:
    if isinstance(given, str) and whole(given) is None:
        raise ValueError(f"{quoted(given)} is not a whole number")
    return given


Whole = Annotated[int, BeforeValidator(_plain_digits)]  # in an address, where everything is text


class ClientRequest(BaseModel):
    """Something a client sends: exactly the fields named here."""

    model_config = ConfigDict(extra="forbid", strict=True)

    @model_validator(mode="before")
    @classmethod
    def _can_be_kept(cls, given: object) -> object:
        """Nothing that is nested too deeply, and no text that could not be written down."""
        check_json(given)
        return given


# --- settings of a room ---


class PlaySettings(ClientRequest):
    """How a room plays, beside the game's own options."""

    time: dict[str, object] | None = Field(default=None, description=f"{TIME}; if left out, the clock that the game itself asks for")
    rated: bool = True
    lowest: int | None = Field(default=None, ge=0, le=5000, description="lowest rating that may sit down")
    highest: int | None = Field(default=None, ge=0, le=5000, description="highest rating that may sit down")
    spectators: bool = True
    bots: bool = Field(default=True, description="programs with an account of their own may sit down")
    on_timeout: Literal["rules", "random"] = Field(default="rules", description="what a time-out does: the game's own rule, or a random legal action")
    pause: int = Field(default=20, ge=0, le=300, description="seconds between the parts of a game, unless all are ready before; 0: none")
    listed: bool = Field(default=False, description="of a room with a password: its games are found in public lists all the same")
    substitute: bool = Field(default=False, description="a computer player plays on for someone who left")


# --- from clients ---


class Nothing(ClientRequest):
    """No fields."""


class Connect(ClientRequest):
    """The connect payload: a `token` (from `login info`, a ticket from POST /api/ticket, a bot's), unless a cookie says who one is."""

    token: str | None = None


class Enter(Connect):
    """The connect payload of a room: its id, its password if it has one; `scenes`: also send pictures, as data to draw; `brief`: tell what happens in a `ply`,
    where there is nothing more to tell than that, for whoever has the game's own module (GET /api/engines) and makes texts, lists and pictures itself."""

    room: str
    password: str | None = None
    scenes: bool = False
    brief: bool = False


class Brief(ClientRequest):
    """Be told of the game by a `ply` from now on, or in full again: as `brief` does when one comes in, for whoever gets the game's module later."""

    yes: bool


class SendMessage(ClientRequest):
    """Say something to everyone here."""

    msg: Text


class SendDirect(ClientRequest):
    """Say something to one person."""

    to: Id
    msg: Text


class NewRoom(ClientRequest):
    """Open a room. The answer has its `id`; going there is another step."""

    game: Word
    options: Options = Field(default_factory=dict)
    settings: PlaySettings = Field(default_factory=PlaySettings)
    password: Word | None = None


class QuickMatch(ClientRequest):
    """Find someone who wants the same game and clock."""

    game: Word
    options: Options = Field(default_factory=dict)
    time: dict[str, object] | None = Field(default=None, description=f"{TIME}; if left out, the clock that the game itself asks for")


class RenameRequest(ClientRequest):
    """Take another name (over HTTP)."""

    name: Name


class Invite(ClientRequest):
    """Invite someone who is online."""

    to: Id


class ChangeConfig(ClientRequest):
    """Change the game, its options or the settings (the master only, between games)."""

    game: Word | None = None
    options: Options | None = None
    settings: PlaySettings | None = None
    password: Word | None = None


class SitOn(ClientRequest):
    """Sit down; `local` takes a second seat at the same screen."""

    seat: Seat
    local: bool = False


class OneSeat(ClientRequest):
    """A seat of one's own; the first of them if left out."""

    seat: Seat | None = None


class StandUp(ClientRequest):
    """Stand up. With the seat of another, the master only: whoever holds it stands, and sits down here again only once the master has invited them."""

    seat: Seat | None = None


class Resign(ClientRequest):
    """Give up. With the seat of someone who has been away for five minutes, where no clock runs: claim that they have given up."""

    seat: Seat | None = None


class AnswerSeat(ClientRequest):
    """Yes or no to someone who would sit in on one's partner's seat."""

    seat: Seat
    yes: bool


class SwapSeats(ClientRequest):
    """Exchange two seats (the master's, or one's own with an empty one)."""

    one: Seat
    other: Seat


class SeatBot(ClientRequest):
    """Give a seat to a computer player, or take it back (level null)."""

    seat: Seat
    level: int | None = Field(ge=1, le=8)


class AutoMove(ClientRequest):
    """Let a computer player act for a seat of one's own (the first of them if left out), or act oneself again (level null); in unrated games."""

    seat: Seat | None = None
    level: int | None = Field(ge=1, le=8)


class Play(ClientRequest):
    """An action. ply: how many actions of this game are recorded so far, chance included. game_id: refuse it if another game is played by now."""

    ply: Ply
    action: Action
    game_id: Id | None = None


class PlyOnly(ClientRequest):
    """A decision that needs no text."""

    ply: Ply


class Draft(ClientRequest):
    """The places pointed at so far in an unfinished action."""

    ply: Ply
    clicks: list[Word] = Field(max_length=8)


class Why(ClientRequest):
    """Why can't an action begin with pointing at these places? The answer has `code`, `text` and `phrase` (or none of them, if it can)."""

    ply: Ply
    clicks: list[Word] = Field(min_length=1, max_length=8)


class Preview(ClientRequest):
    """What would an action of one's own look like? The answer has a `scene`."""

    ply: Ply
    action: Action


class Answer(ClientRequest):
    """Yes or no to what was offered."""

    yes: bool
