"""The way from a room to its people: who is told what, each made only from what its reader may know (`views`)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any, Protocol

from hanpan.server.people.identity import People
from hanpan.server.rooms import views
from hanpan.server.rooms.match import Match
from hanpan.server.rooms.outbox import Outbox
from hanpan.server.rooms.state import RoomState, link

Piece = tuple[str, dict[str, Any]]  # an event and its payload


class RoomList(Protocol):
    """The list that a room is in."""

    async def room_changed(self, id: str) -> None:
        """Tell the lobby."""

    async def remove_room(self, id: str) -> None:
        """An empty room disappears."""


class Publisher:
    """Tells the people of one room."""

    def __init__(self, room: RoomState, outbox: Outbox, people: People, rooms: RoomList, now: Callable[[], int]) -> None:
        self._room, self._outbox, self._people, self._registry, self._now = room, outbox, people, rooms, now

    # --- to whom ---

    async def tell(self, event: str, payload: dict[str, Any], skip: Collection[str] = ()) -> None:
        """Tell everyone in the room but some."""
        await self._outbox.to_room(self._room.id, event, payload, skip)

    async def tell_one(self, person: str, event: str, payload: dict[str, Any]) -> None:
        """Tell one person in the room."""
        await self._outbox.to_member(self._room.id, person, event, payload)

    def person(self, person: str) -> dict[str, Any]:
        """Someone, as others see them."""
        return self._people.person_info(person, self._room.game.name)

    # --- the room ---

    def info(self) -> dict[str, Any]:
        """The room without its table."""
        room = self._room
        told = {
            "id": room.id, "link": link(room.id), "game": room.game.name, "options": room.game.options, "settings": room.settings.model_dump(),
            "locked": room.password is not None, "master": room.master, "people": [self.person(member) for member in room.members], "playing": room.playing,
        }  # fmt: skip
        return told | ({"game_id": self._room.match.id, "rated": self._room.rated} if self._room.match is not None else {})

    async def tell_room(self, event: str) -> None:
        """Tell everyone about the room itself."""
        await self.tell(event, self.info())
        await self._registry.room_changed(self._room.id)

    def players(self) -> dict[str, Any]:
        """All seats."""
        seats = []
        for seat, chair in enumerate(self._room.seating.chairs):
            sitter = None if chair.person is None else self.person(chair.person)
            connected = chair.person in self._room.members or chair.bot is not None
            line: dict[str, Any] = {"seat": seat, "person": sitter, "ready": chair.ready, "connected": connected}
            if chair.bot is not None:
                line["bot"] = chair.bot
            if chair.auto is not None:
                line["auto"] = chair.auto
            if chair.first is not None:
                line["first"] = chair.first
            if self._room.free_for_spectators(seat):
                line["free_for_spectators"] = True
            if away := self._room.away(seat):
                line["away"] = away
            if self._room.match is not None and seat in self._room.match.resigned:
                line["resigned"] = True
            seats.append(line)
        return {"seats": seats}

    async def tell_players(self) -> None:
        """Tell everyone about the seats."""
        await self.tell("player info", self.players())

    # --- the game ---

    async def tell_history(self) -> None:
        """Tell everyone the actions so far, each as they may know them."""
        match = self._room.last_game()
        if not match.secret:
            await self.tell("game history info", views.history(match, None))
            return
        for member in list(self._room.members):
            await self.tell_one(member, "game history info", views.history(match, self._room.seat_of(member)))

    async def tell_clock(self) -> None:
        """Tell everyone the remaining times."""
        await self.tell("clock info", self.clock())

    async def tell_position(self, since: int) -> None:
        """After an action: what everyone may see, the clock with it; what each seat may see; and what is to be decided."""
        match = self._room.last_game()
        board = views.board(match, since, self._room.waiting) | {"clock": self.clock()}
        scene = {"scene": match.scene(None).json(views.board_before(match, since, None))} if self._outbox.wants_scenes(self._room.id) else {}
        own = [member for member in self._room.members if self._room.has_own_eyes(member)]
        await self.tell("board info", board | scene, skip=own)
        for member in own:
            await self.tell_one(member, "board info", board)
        for seat, chair in enumerate(self._room.seating.chairs):
            # Without secrets a seat that is not to act has nothing of its own to know.
            if chair.person is not None and chair.person in self._room.members and (match.secret or seat == match.seat):
                pictured = self._outbox.wants_scenes(self._room.id, chair.person)
                known = views.board_before(match, since, seat) if pictured and match.secret else None
                await self.tell_one(chair.person, "private board info", views.private(match, seat, pictured, known))
        if match.result is None and match.closing(None):
            await self.tell_history()
        if self._room.waiting:
            await self.tell_players()
            await self.tell("ready timer", {"at": self._room.ready_at})
        decision = views.decision(match)
        if decision is not None:
            for member in list(self._room.members):
                await self.tell_one(member, *self._asked(decision, member))

    def _asked(self, decision: dict[str, Any], member: str) -> Piece:
        """A question that must be answered before the game goes on: asked of one seat, shown to the others as waiting."""
        return "goshi decision" if self._room.seating.chairs[decision["seat"]].person == member else "goshi wait", decision

    # --- to someone who comes in, or comes back ---

    def everything_for(self, person: str) -> Iterator[Piece]:
        """All there is to know, as it is now."""
        yield "info", self.info()
        yield "player info", self.players()
        if self._room.ready_at is not None and not self._room.playing:
            yield "ready timer", {"at": self._room.ready_at}
        yield from self.game_for(person)

    def game_for(self, person: str) -> Iterator[Piece]:
        """All there is to know about the game."""
        match = self._room.match
        if match is None:
            return
        pictured = self._outbox.wants_scenes(self._room.id, person)
        board = views.board(match, paused=self._room.waiting)
        if pictured and not self._room.has_own_eyes(person):
            board["scene"] = match.scene(None).json()
        yield "board info", board
        for seat in self._room.seating.of(person):
            yield "private board info", views.private(match, seat, pictured)
        yield "game history info", views.history(match, self._room.seat_of(person))
        yield "clock info", self.clock()
        if match.result is not None:
            if self._room.moved is not None:  # else it is told to everyone as soon as it is known
                yield "game over", self.over()
            return
        if self._room.waiting:
            yield "ready timer", {"at": self._room.ready_at}
        decision = views.decision(match)
        if decision is not None:
            yield self._asked(decision, person)
        sides, mine = match.sides(), self._room.seat_of(person)
        for seat in sorted(self._room.offers.giving_up):
            if mine is not None and sides[seat] == sides[mine]:
                yield "resign", {"kind": "resign", "seat": seat, "state": "asked"}
        for seat, asker in self._room.offers.asking.items():
            yield "ask seat", {"kind": "seat", "seat": seat, "state": "asked", "who": self.person(asker)}
        if self._room.offers.offer is not None:
            kind, seat = self._room.offers.offer
            yield ("offer draw" if kind == "draw" else "ask takeback"), {"kind": kind, "seat": seat, "state": "asked"}

    async def tell_game(self, person: str) -> None:
        """Tell one person all about the game."""
        for event, payload in self.game_for(person):
            await self.tell_one(person, event, payload)

    def clock(self, ledger: bool = False) -> dict[str, Any]:
        """The remaining times."""
        return views.clock(self._room.last_game(), self._now(), ledger)

    def over(self) -> dict[str, Any]:
        """The end: who won and why, and how ratings moved."""
        match, moved = self._room.last_game(), self._room.moved or {}
        return views.over(match, moved, self._counted(match, moved) if self._room.rated else None)

    def _counted(self, match: Match, moved: dict[str, dict[str, float]]) -> dict[str, Any]:
        """How much a rated game counted, and why not in full."""
        weight = self._room.counted
        if weight is None:
            return {"weight": 0.0, "why": "abandoned" if match.result is not None and match.result.reason == "abandoned" else "short"}
        if any(self._people.is_bot(person) for person in moved):
            return {"weight": weight, "why": "program"}
        return {"weight": weight} | ({"why": "again"} if weight < 1 else {})
