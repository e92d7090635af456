"""The way from a room to its people: who is told what, each made only from what its reader may know (`views`)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Protocol

from hanpan.server.people.identity import People
from hanpan.server.protocol import messages
from hanpan.server.protocol.messages import ClockInfo, Counted, Decision, EndSeat, Moved, Offer, Payload, PersonInfo, PlayerInfo, ReadyTimer, RoomInfo, SeatInfo
from hanpan.server.protocol.refusals import Refused
from hanpan.server.rooms import views
from hanpan.server.rooms.match import Match
from hanpan.server.rooms.outbox import Outbox, Telling
from hanpan.server.rooms.state import RoomState, link, settings_info

Piece = tuple[str, Payload]  # an event and its payload


class RoomList(Protocol):
    """The list that a room is in."""

    async def room_changed(self, id: str) -> None:
        """Tell the lobby."""

    async def remove_room(self, id: str) -> None:
        """An empty room disappears."""

    def lost(self, id: str) -> None:
        """Another process has taken a room."""


class Publisher:
    """Tells the people of one room."""

    __slots__ = ("_now", "_outbox", "_people", "_registry", "_room")

    def __init__(self, room: RoomState, outbox: Outbox, people: People, rooms: RoomList, now: Callable[[], int]) -> None:
        self._room, self._outbox, self._people, self._registry, self._now = room, outbox, people, rooms, now

    # --- to whom ---

    async def tell(self, event: str, payload: Payload, skip: Collection[str] = ()) -> None:
        """Tell everyone in the room but some."""
        await self._outbox.to_room(self._room.id, event, payload, skip)

    async def tell_one(self, person: str, event: str, payload: Payload) -> None:
        """Tell one person in the room."""
        await self._outbox.to_member(self._room.id, person, event, payload)

    async def show_out(self, person: str, why: Refused) -> None:
        """Tell one person why they can't stay, and nothing more."""
        await self._outbox.show_out(self._room.id, person, why)

    def person(self, person: str) -> PersonInfo:
        """Someone, as others see them."""
        return self._people.person_info(person, self._room.game.name)

    # --- the room ---

    def info(self) -> RoomInfo:
        """The room without its table."""
        room = self._room
        told = RoomInfo(
            id=room.id, link=link(room.id), game=room.game.name, options=room.game.options, settings=settings_info(room.settings),
            locked=room.password is not None, master=room.master, people=[self.person(member) for member in room.members], playing=room.playing,
        )  # fmt: skip
        if room.match is not None:
            told["game_id"], told["rated"] = room.match.id, room.rated
        return told

    async def tell_room(self, event: str) -> None:
        """Tell everyone about the room itself."""
        await self.tell(event, self.info())
        await self._registry.room_changed(self._room.id)

    def players(self) -> PlayerInfo:
        """All seats."""
        seats = []
        for seat, chair in enumerate(self._room.seating.chairs):
            sitter = None if chair.person is None else self.person(chair.person)
            connected = chair.person in self._room.members or chair.bot is not None
            line = SeatInfo(seat=seat, person=sitter, ready=chair.ready, connected=connected)
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
        return PlayerInfo(seats=seats)

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
        by: Telling = ""
        if self._all_is_said_by_actions(match, since) and self._outbox.hears(self._room.id, "brief"):
            await self._tell_ply(match, since)
            by = "full"
        if self._outbox.hears(self._room.id, by):
            await self._tell_board(match, since, by)
        if match.result is None and match.closing(None):
            await self.tell_history()
        if self._room.waiting:
            await self.tell_players()
            await self.tell("ready timer", ReadyTimer(at=self._room.ready_at))
        decision = views.decision(match)
        if decision is not None:
            for member in list(self._room.members):
                await self.tell_one(member, *self._asked(decision, member))

    def _all_is_said_by_actions(self, match: Match, since: int) -> bool:
        """Whether the actions since a ply, and the clock, are all there is to tell: nothing was taken back, nothing has ended; with secrets it was one
        action, and nobody sees two of them."""
        plain = since < match.ply and match.result is None and not self._room.waiting and not match.closing(None)
        return plain and not (match.secret and (match.ply - since > 1 or any(len(self._room.seating.of(member)) > 1 for member in self._room.members)))

    async def _tell_ply(self, match: Match, since: int) -> None:
        """Tell those who want it briefly what has happened."""
        now = self._now()
        own = [member for member in self._room.members if self._room.has_own_eyes(member)]
        await self._outbox.to_room(self._room.id, "ply", views.ply(match, None, since, now), own, "brief")
        for member in own:
            await self._outbox.to_member(self._room.id, member, "ply", views.ply(match, self._room.seat_of(member), since, now), "brief")

    async def _tell_board(self, match: Match, since: int, by: Telling) -> None:
        """Tell how it stands now, in full."""
        board = views.board(match, since, self._room.waiting)
        board["clock"] = self.clock()
        pictured = board.copy()
        if self._outbox.wants_scenes(self._room.id):
            pictured["scene"] = match.scene(None).json(views.board_before(match, since, None))
        own = [member for member in self._room.members if self._room.has_own_eyes(member)]
        await self._outbox.to_room(self._room.id, "board info", pictured, own, by)
        for member in own:
            await self._outbox.to_member(self._room.id, member, "board info", board, by)
        for seat, chair in enumerate(self._room.seating.chairs):
            # Without secrets a seat that is not to act has nothing of its own to know.
            if chair.person is not None and chair.person in self._room.members and (match.secret or seat == match.seat):
                wants_scene = self._outbox.wants_scenes(self._room.id, chair.person)
                known = views.board_before(match, since, seat) if wants_scene and match.secret else None
                await self._outbox.to_member(self._room.id, chair.person, "private board info", views.private(match, seat, wants_scene, known), by)

    def _asked(self, decision: Decision, member: str) -> Piece:
        """A question that must be answered before the game goes on: asked of one seat, shown to the others as waiting."""
        return "goshi decision" if self._room.seating.chairs[decision["seat"]].person == member else "goshi wait", decision

    # --- to someone who comes in, or comes back ---

    def everything_for(self, person: str) -> Iterator[Piece]:
        """All there is to know, as it is now."""
        yield "info", self.info()
        yield "player info", self.players()
        yield from self.game_for(person)
        if self._room.ready_at is not None and not self._room.playing:
            yield "ready timer", ReadyTimer(at=self._room.ready_at)

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
            for wants in sorted(self._room.offers.rematch):
                for seat in self._room.seating.of(wants)[:1]:
                    yield "rematch", Offer(kind="rematch", seat=seat, state="asked")
            return
        if self._room.waiting:
            yield "ready timer", ReadyTimer(at=self._room.ready_at)
        decision = views.decision(match)
        if decision is not None:
            yield self._asked(decision, person)
        sides, mine = match.sides(), self._room.seat_of(person)
        for seat in sorted(self._room.offers.giving_up):
            if mine is not None and sides[seat] == sides[mine]:
                yield "resign", Offer(kind="resign", seat=seat, state="asked")
        for seat, asker in self._room.offers.asking.items():
            yield "ask seat", Offer(kind="seat", seat=seat, state="asked", who=self.person(asker))
        if self._room.offers.offer is not None:
            kind, seat = self._room.offers.offer
            yield ("offer draw" if kind == "draw" else "ask takeback"), Offer(kind=kind, seat=seat, state="asked")

    async def tell_game(self, person: str) -> None:
        """Tell one person all about the game."""
        for event, payload in self.game_for(person):
            await self.tell_one(person, event, payload)

    def clock(self, ledger: bool = False) -> ClockInfo:
        """The remaining times."""
        return views.clock(self._room.last_game(), self._now(), ledger)

    def over(self) -> messages.GameOver:
        """The end: who won and why, and how ratings moved."""
        match, moved = self._room.last_game(), self._room.moved or {}
        return views.over(match, self._end_seats(match), moved, self._counted(match, moved) if self._room.rated else None)

    def _end_seats(self, match: Match) -> list[EndSeat]:
        told = []
        for seat, sitter in enumerate(self._room.sat):
            who, level = sitter["person"], sitter.get("bot")
            line = EndSeat(seat=seat, person=self.person(who) if who in self._people.known else None)
            if level is not None:
                line["bot"] = level
            if seat in match.resigned:
                line["resigned"] = True
            told.append(line)
        return told

    def _counted(self, match: Match, moved: dict[str, Moved]) -> Counted:
        """How much a rated game counted, and why not in full."""
        weight = self._room.counted
        if weight is None:
            reason = None if match.result is None else match.result.reason
            return Counted(weight=0.0, why="abandoned" if reason == "abandoned" else "length" if reason == "length" else "short")
        if any(self._people.is_bot(person) for person in moved):
            return Counted(weight=weight, why="program")
        return Counted(weight=weight, why="again") if weight < 1 else Counted(weight=weight)
