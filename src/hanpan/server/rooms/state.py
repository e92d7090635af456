"""What a room has: its people, its chairs, its match, what is offered there; how it stands with them, and what of it survives a restart.

The verbs of a room (`turns`, `finish`, `offers`, `presence`, `pause`, `chat`, `advice`) work on this; `room` puts them together.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Literal, cast

from hanpan.game import Game, game
from hanpan.server.protocol.messages import Away, Moved, RoomSettings, Time
from hanpan.server.protocol.refusals import Refused
from hanpan.server.protocol.requests import PlaySettings
from hanpan.server.rooms.alike import alike, alike_settings
from hanpan.server.rooms.clock import Clock, TimeControl
from hanpan.server.rooms.context import Timeouts
from hanpan.server.rooms.match import Match
from hanpan.server.rooms.pace import FairSemaphore
from hanpan.server.rooms.seats import NOBODY, Seating
from hanpan.server.rooms.timers import Calendar, Timers
from hanpan.server.storage.models import ChairDocument, Fence, GameRow, RatingChange, RoomDocument, Said, Sitter

MISSED_TURNS = 2  # after so many missed turns in a row a seat without main time is free for spectators
AGAIN_SECONDS = 5.0  # until something that failed by our fault is tried again
RETURN_SECONDS = 30.0  # after a restart nobody's clock runs until they are back, or for so long


@dataclass(slots=True)
class OpenOffers:
    """What is asked at the table, and not answered yet."""

    offer: tuple[Literal["draw", "takeback"], int] | None = None  # its kind and the seat that offers
    agreed: frozenset[str] = NOBODY  # who has agreed to it so far
    asked: dict[tuple[str, int], int] = field(default_factory=dict)  # a kind and a seat → the ply at which that seat asked for it last
    giving_up: frozenset[int] = NOBODY  # seats that wait for their partner to resign too
    asking: dict[int, str] = field(default_factory=dict)  # seat → who would sit in there, if its partner agrees
    rematch: frozenset[str] = NOBODY  # who wants to play again


class RoomState:
    """A room as it is at this moment. Whoever changes it holds its lock."""

    __slots__ = (
        "_is_bot", "_now", "_timeouts", "awaited", "changes", "closed", "control", "counted", "crowd", "fence", "game", "id", "invited", "lock", "master",
        "match", "members", "moved", "offered", "offers", "opened_from", "overseers", "password", "paused_at", "rated", "ready_at", "said", "sat", "seating",
        "settings", "timers", "traces", "unwanted", "went_on_at",
    )  # fmt: skip

    def __init__(
        self, id: str, chosen: Game, settings: PlaySettings, password: str | None, master: str,
        timeouts: Timeouts, calendar: Calendar, now: Callable[[], int], is_bot: Callable[[str], bool],
    ) -> None:  # fmt: skip
        self.id, self.game, self.timers = id, chosen, Timers(id, calendar)
        self._timeouts, self._now, self._is_bot = timeouts, now, is_bot
        self.password, self.master = password, master  # the password is a hash
        self.invited: frozenset[str] = NOBODY  # they need no password
        self.unwanted: frozenset[str] = NOBODY  # the master has freed their seats: they sit down here only once invited
        self.control, self.settings = control_of(settings), alike_settings(settings)
        self.members: dict[str, int] = {}  # person → number of open connections; in the order they came
        self.overseers: frozenset[str] = NOBODY  # operators among them, who may watch in any room
        self.seating = Seating(chosen.seats)
        self.match: Match | None = None
        self.awaited: frozenset[str] = NOBODY  # people whose clocks do not run because we wait for them
        self.lock = asyncio.Lock()
        self.crowd = FairSemaphore(1)  # of those without a chair, one at a time may wait for the lock
        self.offers = OpenOffers()
        self.ready_at: int | None = None
        self.paused_at: int | None = None  # the ply at which a part of the game has ended and the next one waits for everyone
        self.went_on_at: int | None = None  # the ply at which the waiting was over
        self.said: list[Said] | None = None  # the last messages; None: they are recalled when someone enters
        self.offered: frozenset[int] = NOBODY  # seats that everyone was told are free
        self.opened_from = ""  # the address of whoever opened it; never stored
        self.traces: dict[str, tuple[str, ...]] = {}  # person → the addresses and browsers they came from; never stored
        self.rated = False  # the game that is played, or was played last
        self.sat: list[Sitter] = []  # who sat where when the last game ended
        self.moved: dict[str, Moved] | None = None  # how that game has moved ratings, once it has ended
        self.changes: list[RatingChange] = []  # the same as the storage told it
        self.counted: float | None = None  # how much of the usual points it was worth
        self.closed = False  # it has disappeared: nobody comes in any more
        self.fence: Fence | None = None  # where there are many processes: the proof that it is this one's

    @asynccontextmanager
    async def in_turn(self, person: str) -> AsyncIterator[None]:
        """The lock, for someone who comes, goes or asks how it stands. Whoever has no chair here waits for the others like them first, so that those who play
        wait for one of a crowd at most."""
        if person in self.seating.known():
            async with self.lock:
                yield
            return
        await self.crowd.take(person)
        try:
            async with self.lock:
                yield
        finally:
            self.crowd.give()

    # --- what survives a restart ---

    def json(self) -> RoomDocument:
        """Everything that must survive a restart."""
        match = self.match
        kept: RoomDocument = {
            "game": self.game.name, "options": self.game.options, "settings": self.settings.model_dump(), "password": self.password, "master": self.master,
            "invited": sorted(self.invited), "unwanted": sorted(self.unwanted), "chairs": self.seating.json(), "table": None if match is None else match.id,
        }  # fmt: skip
        if match is not None:
            kept["resigned"] = sorted(match.resigned)
            kept["paused"] = self.paused_at
            kept["base"] = None if match.base is None else (match.base[0], match.base[1].json())
        return kept

    @classmethod
    def from_json(
        cls, id: str, data: RoomDocument, row: GameRow | None,
        timeouts: Timeouts, calendar: Calendar, now: Callable[[], int], is_bot: Callable[[str], bool],
    ) -> RoomState:  # fmt: skip
        """A room as it was stored, with its last game."""
        if row is not None and row.id != data["table"]:  # the game was stored, and then we stopped before the room was
            sitters = [(who["person"], who.get("bot"), who.get("first")) for who in row.people]
            chairs = [ChairDocument(person=who, bot=bot, first=first, held=[] if who is None else [who]) for who, bot, first in sitters]
            data = {**data, "game": row.name, "options": row.options, "settings": row.settings, "chairs": chairs, "resigned": [], "base": None}
        chosen, settings = alike(game(data["game"], **data["options"])), PlaySettings.model_validate(data["settings"])
        room = cls(id, chosen, settings, data["password"], data["master"], timeouts, calendar, now, is_bot)
        room.seating = Seating.from_json(data["chairs"])
        room.invited, room.unwanted = frozenset(data["invited"]) or NOBODY, frozenset(data.get("unwanted", ())) or NOBODY
        if row is not None:
            base = data.get("base")
            room.match = room.match_of(row, None if base is None else (base[0], Clock.from_json(base[1])))
            room.match.resigned = frozenset(data.get("resigned", ())) or NOBODY
            room.paused_at = data.get("paused") if row.result is None else None
            room.rated, room.counted = row.rated, row.counted
            room.sat = row.people if row.result is not None else []
        return room

    def match_of(self, row: GameRow, base: tuple[int, Clock] | None) -> Match:
        """A game as it was stored."""
        match = Match(row.id, self.game, self.control, row.started_at, row.actions, base)
        match.result = row.ended
        return match

    def said_by_another(self, person: str, now: str | None) -> None:
        """What someone has said is another's from now on (a guest turned out to be an account), or (None) is gone with them."""
        if self.said is not None:
            kept = [message if message.person_id != person else None if now is None else replace(message, person_id=now) for message in self.said]
            self.said = [message for message in kept if message is not None]

    def rest(self) -> None:
        """Nobody is here: keep no more than can't be made anew quickly."""
        self.said = None
        if self.match is not None:
            self.match.rest()

    # --- how it stands ---

    def last_game(self) -> Match:
        """The game that is played, or was played last."""
        if self.match is None:
            raise Refused("no-game")
        return self.match

    @property
    def place(self) -> str:
        """The address that shares with others what is done for this room; where it is not known, the room counts as one."""
        return self.opened_from or self.id

    @property
    def playing(self) -> bool:
        """Whether a game is going on."""
        return self.match is not None and self.match.result is None

    @property
    def waiting(self) -> bool:
        """Whether a part of the game has ended, and the next one waits for everyone at the table."""
        return self.playing and self.match is not None and self.paused_at == self.match.ply

    def left_at(self, seat: int) -> int | None:
        """Since when the person of a seat that is still played is away; None while they are here, or a computer player acts for them."""
        match, chair = self.match, self.seating.chairs[seat]
        if match is None or match.result is not None or chair.person is None or chair.auto or chair.person in self.members or seat in match.resigned:
            return None
        return chair.left_at

    def free_at(self, seat: int) -> int | None:
        """From when on a spectator may sit down here: its person is gone, and has no main time left or has missed its turns. None: not foreseen."""
        left_at, match = self.left_at(seat), self.match
        if left_at is None or match is None or match.leaving_resigns():
            return None
        if match.control.main_ms and match.control.byoyomi_ms:
            at = match.clock.main_ends(seat)
        else:
            at = 0 if self.seating.chairs[seat].missed >= MISSED_TURNS else None
        return None if at is None else max(at, left_at + int(self._timeouts.patience * 1000))

    def free_for_spectators(self, seat: int) -> bool:
        """Whether a spectator may sit down here now."""
        at = self.free_at(seat)
        return at is not None and at <= self._now()

    def others_here(self, seat: int) -> bool:
        """Whether someone of the table is here, beside whoever holds that seat."""
        person = self.seating.chairs[seat].person
        return any(other.person is not None and other.person != person and other.person in self.members for other in self.seating.chairs)

    def away(self, seat: int) -> Away | None:
        """What comes of it that someone is not here, and when."""
        left_at, match, chair = self.left_at(seat), self.match, self.seating.chairs[seat]
        if left_at is None or match is None:
            return None
        if match.leaving_resigns() and chair.first == chair.person and self.others_here(seat):
            return Away(then="resign", in_ms=self._until(left_at, self._timeouts.patience))
        if match.control.kind == "none":
            return Away(then="claim", in_ms=self._until(left_at, self._timeouts.claim))
        return None

    def _until(self, left_at: int, seconds: float) -> int:
        """Milliseconds that are left of so many seconds since then."""
        return max(0, left_at + int(seconds * 1000) - self._now())

    @property
    def alive(self) -> bool:
        """Whether anyone is here for whom the game is played: people before programs, and where nobody has a seat, whoever watches."""
        known = self.seating.known()
        people = {person for person in known if not self._is_bot(person)} or known
        return bool(people & self.members.keys()) if people else bool(self.members)

    @property
    def deserted(self) -> bool:
        """Whether nobody is here and no time is lost: no game is played, or its clock waits for all who play it."""
        return not self.members and (not self.playing or (bool(self.awaited) and self.awaited >= self.seating.everyone()))

    def may_watch(self, person: str | None) -> bool:
        """Whether someone may see the running game without coming in: where anyone may come in, anyone may."""
        return person in self.members or person in self.seating.known() or (self.settings.spectators and self.password is None)

    def master_only(self, person: str) -> None:
        """Refuse anyone but the master."""
        if person != self.master:
            raise Refused("master-only")

    def between_games(self) -> None:
        """Refuse while a game is going on."""
        if self.playing:
            raise Refused("during-game")

    def seat_of(self, person: str) -> int | None:
        """Whose eyes a person sees the game with: a seat's, or a spectator's."""
        seats = self.seating.of(person)
        return seats[0] if seats else None

    def has_own_eyes(self, person: str) -> bool:
        """Whether someone sees what others may not: then the picture with those eyes is all they are sent, and nobody else's."""
        return self.match is not None and self.match.secret and bool(self.seating.of(person))

    def decides(self, seat: int) -> str | None:
        """Who decides for a seat; None where a computer player or someone who sits in plays: they follow the others in what is not on the board."""
        chair = self.seating.chairs[seat]
        return chair.person if chair.person == chair.first else None

    def to_agree(self, seat: int) -> list[int]:
        """The partners of a seat who have not agreed yet that their side resigns, and have to."""
        own = self.seating.chairs[seat].person
        return [other for other in self.partners(seat) if other not in self.offers.giving_up and self.decides(other) not in (None, own)]

    def partners(self, seat: int) -> list[int]:
        """The other seats of that seat's side."""
        sides = self.match.sides() if self.match is not None else []
        return [other for other, side in enumerate(sides) if side == sides[seat] and other != seat]


def settled(settings: PlaySettings, chosen: Game) -> PlaySettings:
    """The settings with a clock: where none was asked for, the one that the game itself asks for."""
    if settings.time is not None:
        return settings
    return settings.model_copy(update={"time": usual_time(chosen)})


def settings_info(settings: PlaySettings) -> RoomSettings:
    """The settings as they are sent."""
    return RoomSettings(
        time=cast(Time, settings.time),  # `control_of` has read it
        rated=settings.rated, lowest=settings.lowest, highest=settings.highest, spectators=settings.spectators, bots=settings.bots,
        on_timeout=settings.on_timeout, pause=settings.pause, listed=settings.listed, substitute=settings.substitute,
    )  # fmt: skip


def link(room: str) -> str:
    """Where a room is opened."""
    return f"/r/{room}"


def usual_time(chosen: Game) -> dict[str, object]:
    """The clock of a table that nobody has said anything about."""
    return chosen.clock if chosen.timed else {"kind": "none"}


def control_of(settings: PlaySettings) -> TimeControl:
    """The time control that the settings ask for; ValueError names what is wrong."""
    return alike(TimeControl.from_json(settings.time))
