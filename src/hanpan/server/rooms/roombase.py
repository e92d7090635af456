"""What all parts of a room stand on: its fields, what survives a restart, and what is planned for later."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Protocol, Self

from hanpan.game import Game, game
from hanpan.server.faults import log_fault
from hanpan.server.protocol.refusals import Refused
from hanpan.server.protocol.requests import Settings
from hanpan.server.rooms.clock import Clock, TimeControl
from hanpan.server.rooms.context import Context
from hanpan.server.rooms.match import Match
from hanpan.server.rooms.pace import Turns
from hanpan.server.rooms.seats import Seating
from hanpan.server.storage.models import GameRow

MISSED_TURNS = 2  # after so many missed turns in a row a seat without main time is free for spectators
AGAIN_SECONDS = 5.0  # until something that failed by our fault is tried again


class Listed(Protocol):
    """The list that a room is in."""

    async def room_changed(self, id: str) -> None:
        """Tell the lobby."""

    async def remove_room(self, id: str) -> None:
        """An empty room disappears."""


class RoomBase:
    """The fields of a room."""

    def __init__(self, context: Context, registry: Listed, id: str, chosen: Game, settings: Settings, password: str | None, master: str) -> None:
        self.context, self.registry, self.id, self.game, self.settings = context, registry, id, chosen, settings
        self.password, self.master = password, master  # the password is a hash
        self.invited: set[str] = set()  # they need no password
        self.control = control_of(settings)
        self.members: dict[str, int] = {}  # person → number of open connections; in the order they came
        self.seating = Seating(chosen.seats)
        self.match: Match | None = None
        self.awaited: set[str] = set()  # people whose clocks do not run because we wait for them
        self.lock = asyncio.Lock()
        self.crowd = Turns(1)  # of those without a chair, one at a time may wait for the lock
        self.ready_at: int | None = None
        self.paused_at: int | None = None  # the ply at which a part of the game has ended and the next one waits for everyone
        self.went_on_at: int | None = None  # the ply at which that waiting was over
        self.rematch: set[str] = set()
        self.offer: tuple[str, int] | None = None  # what stands at the table: its kind and the seat that offers
        self.agreed: set[str] = set()  # who has agreed to it so far
        self.giving_up: set[int] = set()  # seats that wait for their partner to resign too
        self.asking: dict[int, str] = {}  # seat → who would sit in there, if its partner agrees
        self.offered: set[int] = set()  # seats that everyone was told are free
        self.opened_from = ""  # the address of whoever opened it; never stored
        self.traces: dict[str, set[str]] = {}  # person → the addresses and browsers they came from; never stored
        self.rated = False  # the game that is played, or was played last
        self.moved: dict[str, dict[str, float]] | None = None  # how that game has moved ratings, once it has ended
        self.closed = False
        self._planned: dict[str, asyncio.TimerHandle | asyncio.Task[None]] = {}

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

    def json(self) -> dict[str, Any]:
        """Everything that must survive a restart."""
        match = self.match
        kept: dict[str, Any] = {
            "game": self.game.name, "options": self.game.options, "settings": self.settings.model_dump(), "password": self.password, "master": self.master,
            "invited": sorted(self.invited), "chairs": self.seating.json(), "table": None if match is None else match.id,
        }  # fmt: skip
        if match is not None:
            kept["resigned"] = sorted(match.resigned)
            kept["paused"] = self.paused_at
            kept["base"] = None if match.base is None else [match.base[0], match.base[1].json()]
        return kept

    @classmethod
    def from_json(cls, context: Context, registry: Listed, id: str, data: dict[str, Any], row: GameRow | None) -> Self:
        """A room as it was stored, with its last game."""
        if row is not None and row.id != data["table"]:  # the game was stored, and then we stopped before the room was
            data = data | {"game": row.name, "options": row.options, "settings": row.settings, "resigned": [], "base": None}
            data["chairs"] = [{**who, "held": [] if who["person"] is None else [who["person"]]} for who in row.people]
        room = cls(context, registry, id, game(data["game"], **data["options"]), Settings(**data["settings"]), data["password"], data["master"])
        room.seating = Seating.from_json(data["chairs"])
        room.invited = set(data["invited"])
        if row is not None:
            base = data.get("base")
            room.match = room.match_of(row, None if base is None else (base[0], Clock.from_json(base[1])))
            room.match.resigned = set(data.get("resigned", ()))
            room.paused_at = data.get("paused") if row.result is None else None
            room.rated = row.rated
        return room

    def match_of(self, row: GameRow, base: tuple[int, Clock] | None) -> Match:
        """A game as it was stored."""
        match = Match(row.id, self.game, self.control, row.started_at, row.actions, base)
        match.result, match.counted = row.ended, row.counted
        return match

    async def save(self) -> None:
        """Store the room."""
        await self.context.store.save_room(self.id, self.json())

    async def save_players(self) -> None:
        """Store who holds the seats of the running game."""
        await self.save()
        if self.match is not None and self.match.result is None:
            await self.context.store.set_people(self.match.id, self.seating.people())

    # --- how it stands ---

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
        return None if at is None else max(at, left_at + int(self.context.timeouts.patience * 1000))

    def free_for_spectators(self, seat: int) -> bool:
        """Whether a spectator may sit down here now."""
        at = self.free_at(seat)
        return at is not None and at <= self.context.now()

    def others_here(self, seat: int) -> bool:
        """Whether someone of the table is here, beside whoever holds that seat."""
        person = self.seating.chairs[seat].person
        return any(other.person is not None and other.person != person and other.person in self.members for other in self.seating.chairs)

    def away(self, seat: int) -> dict[str, Any] | None:
        """What comes of it that someone is not here, and when."""
        left_at, match, chair = self.left_at(seat), self.match, self.seating.chairs[seat]
        if left_at is None or match is None:
            return None
        if match.leaving_resigns() and chair.first == chair.person and self.others_here(seat):
            then, seconds = "resign", self.context.timeouts.patience
        elif match.control.kind == "none":
            then, seconds = "claim", self.context.timeouts.claim
        else:
            return None
        return {"then": then, "in_ms": max(0, left_at + int(seconds * 1000) - self.context.now())}

    @property
    def alive(self) -> bool:
        """Whether anyone is here for whom the game is played: people before programs, and where nobody has a seat, whoever watches."""
        known = self.seating.known()
        people = {person for person in known if not self.context.people.is_bot(person)} or known
        return bool(people & self.members.keys()) if people else bool(self.members)

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

    # --- things that happen later ---

    def later(self, name: str, seconds: float, doing: Callable[..., Awaitable[None]], *what: Any) -> None:
        """Do something after a while, instead of what was planned under that name."""
        self.cancel(name)
        self._planned[name] = asyncio.get_running_loop().call_later(seconds, self._now, name, doing, *what)

    def _now(self, name: str, doing: Callable[..., Awaitable[None]], *what: Any) -> None:
        """It is time: a task only now, since most of what is planned is cancelled before."""

        async def do() -> None:
            try:
                await doing(*what)
            except Exception as fault:
                log_fault(f"room {self.id}, {name}", fault)
            finally:
                if self._planned.get(name) is asyncio.current_task():
                    del self._planned[name]

        self._planned[name] = asyncio.get_running_loop().create_task(do())

    def planned(self, name: str) -> bool:
        """Whether something is planned under that name."""
        return name in self._planned

    def cancel(self, name: str) -> None:
        """Do not do what was planned under that name."""
        plan = self._planned.pop(name, None)
        if plan is not None and plan is not asyncio.current_task():
            plan.cancel()

    def close(self) -> None:
        """Forget everything that was planned: nobody comes in any more."""
        self.closed = True
        for name in list(self._planned):
            self.cancel(name)


def settled(settings: Settings, chosen: Game) -> Settings:
    """The settings with a clock: where none was asked for, the one that the game itself asks for."""
    if settings.time is not None:
        return settings
    return settings.model_copy(update={"time": usual_time(chosen)})


def link(room: str) -> str:
    """Where a room is opened."""
    return f"/r/{room}"


def usual_time(chosen: Game) -> dict[str, Any]:
    """The clock of a table that nobody has said anything about."""
    return chosen.clock if chosen.timed else {"kind": "none"}


def control_of(settings: Settings) -> TimeControl:
    """The time control that the settings ask for; ValueError names what is wrong."""
    return TimeControl.from_json(settings.time)
