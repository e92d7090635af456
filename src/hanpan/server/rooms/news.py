"""What a room tells its people: each piece of news on its own, made only from what its reader may know."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any

from hanpan.server.rooms.roombase import RoomBase, link

if TYPE_CHECKING:
    from hanpan.core.scene import Board
    from hanpan.result import Result

Piece = tuple[str, dict[str, Any]]  # an event and its payload


class RoomNews(RoomBase):
    """The telling half of a room."""

    # --- to whom ---

    async def tell(self, event: str, payload: dict[str, Any], skip: Collection[str] = ()) -> None:
        """Tell everyone in the room but some."""
        await self.context.outbox.to_room(self.id, event, payload, skip)

    async def tell_one(self, person: str, event: str, payload: dict[str, Any]) -> None:
        """Tell one person in the room."""
        await self.context.outbox.to_member(self.id, person, event, payload)

    def person(self, person: str) -> dict[str, Any]:
        """Someone, as others see them."""
        return self.context.people.person_info(person, self.game.name)

    def seat_of(self, person: str) -> int | None:
        """Whose eyes a person sees the game with: a seat's, or a spectator's."""
        seats = self.seating.of(person)
        return seats[0] if seats else None

    # --- the room ---

    def info(self) -> dict[str, Any]:
        """The room without its table."""
        told = {
            "id": self.id, "link": link(self.id), "game": self.game.name, "options": self.game.options, "settings": self.settings.model_dump(),
            "locked": self.password is not None, "master": self.master, "people": [self.person(member) for member in self.members], "playing": self.playing,
        }  # fmt: skip
        return told | ({"game_id": self.match.id, "rated": self.rated} if self.match is not None else {})

    async def tell_room(self, event: str) -> None:
        """Tell everyone about the room itself."""
        await self.tell(event, self.info())
        await self.registry.room_changed(self.id)

    def players(self) -> dict[str, Any]:
        """All seats."""
        seats = []
        for seat, chair in enumerate(self.seating.chairs):
            sitter = None if chair.person is None else self.person(chair.person)
            line: dict[str, Any] = {"seat": seat, "person": sitter, "ready": chair.ready, "connected": chair.person in self.members or chair.bot is not None}
            if chair.bot is not None:
                line["bot"] = chair.bot
            if chair.auto is not None:
                line["auto"] = chair.auto
            if chair.first is not None:
                line["first"] = chair.first
            if self.free_for_spectators(seat):
                line["free_for_spectators"] = True
            if away := self.away(seat):
                line["away"] = away
            if self.match is not None and seat in self.match.resigned:
                line["resigned"] = True
            seats.append(line)
        return {"seats": seats}

    async def tell_players(self) -> None:
        """Tell everyone about the seats."""
        await self.tell("player info", self.players())

    def has_own_eyes(self, person: str) -> bool:
        """Whether someone sees what others may not: then the picture with those eyes is all they are sent, and nobody else's."""
        return self.match is not None and self.match.secret and bool(self.seating.of(person))

    # --- the game ---

    def board(self, since: int | None = None) -> dict[str, Any]:
        """What everyone may see of the game; with a ply, also the actions since then."""
        assert self.match is not None
        match, seen = self.match, self.match.view(None)
        told: dict[str, Any] = {"game_id": match.id, "ply": match.ply, "position": str(seen), "seat": match.seat}
        told |= {"scores": seen.scores, "over": match.result is not None}
        recent = [] if since is None else match.told(None, since)
        latest = recent or (match.told(None, match.ply - 1) if match.ply else [])
        told |= {"winner": None if match.result is None else match.result.winner, "last": latest[-1]["action"] if latest else None}
        if since is not None:
            told["recent"] = recent
        if match.draft:
            told["draft"] = list(match.draft)
        if self.waiting:
            told["paused"] = True
        return told

    def private(self, seat: int, pictured: bool, known: Board | None = None) -> dict[str, Any]:
        """What only that seat may see, and what it may do. Without secrets everyone sees the same picture."""
        assert self.match is not None
        seen = self.match.view(seat)
        legal = seen.legal() if self.match.result is None else []
        told: dict[str, Any] = {"seat": seat, "ply": self.match.ply, "position": str(seen), "legal": legal, "info": (seen.closing or seen).info()}
        if pictured:
            told["clicks"] = {text: list(seen.clicks(text)) for text in legal}
        if pictured and self.match.secret:
            told["scene"] = self.match.scene(seat).json(known)
        return told

    def history(self, seat: int | None) -> dict[str, Any]:
        """The actions so far, as a viewer may know them."""
        assert self.match is not None
        told: dict[str, Any] = {"game_id": self.match.id, "start": self.match.started_at, "actions": self.match.told(seat)}
        rounds, closing = self.match.rounds(seat), self.match.closing(seat)
        return told | ({"rounds": rounds} if rounds else {}) | ({"closing": closing} if closing else {})

    async def tell_history(self) -> None:
        """Tell everyone the actions so far, each as they may know them."""
        assert self.match is not None
        if not self.match.secret:
            await self.tell("game history info", self.history(None))
            return
        for member in list(self.members):
            await self.tell_one(member, "game history info", self.history(self.seat_of(member)))

    def clock(self, ledger: bool = False) -> dict[str, Any]:
        """The remaining times."""
        assert self.match is not None
        now = self.context.now()
        left = [{"main": r.main_ms, "byoyomi": r.byoyomi_ms, "turn": r.turn_ms} for r in self.match.clock.remaining(now)]
        deadline = self.match.clock.deadline() if self.match.result is None else None
        told: dict[str, Any] = {"now": now, "seat": self.match.seat, "deadline": deadline, "remaining": left}
        return told | ({"ledger": self.match.ledger()} if ledger else {})

    async def tell_clock(self) -> None:
        """Tell everyone the remaining times."""
        await self.tell("clock info", self.clock())

    def _board_before(self, since: int, seat: int | None) -> Board | None:
        """The still part of the picture that everyone with these eyes has seen at that ply; None after a takeback."""
        assert self.match is not None
        return self.match.scene(seat, since).board if since < self.match.ply else None

    async def tell_position(self, since: int) -> None:
        """After an action: what everyone may see, the clock with it; what each seat may see; and what is to be decided."""
        assert self.match is not None
        board = self.board(since) | {"clock": self.clock()}
        scene = {"scene": self.match.scene(None).json(self._board_before(since, None))} if self.context.outbox.wants_scenes(self.id) else {}
        own = [member for member in self.members if self.has_own_eyes(member)]
        await self.tell("board info", board | scene, skip=own)
        for member in own:
            await self.tell_one(member, "board info", board)
        for seat, chair in enumerate(self.seating.chairs):
            # Without secrets a seat that is not to act has nothing of its own to know.
            if chair.person is not None and chair.person in self.members and (self.match.secret or seat == self.match.seat):
                pictured = self.context.outbox.wants_scenes(self.id, chair.person)
                known = self._board_before(since, seat) if pictured and self.match.secret else None
                await self.tell_one(chair.person, "private board info", self.private(seat, pictured, known))
        if self.match.result is None and self.match.closing(None):
            await self.tell_history()
        if self.waiting:
            await self.tell_players()
            await self.tell("ready timer", {"at": self.ready_at})
        decision = self.decision()
        if decision is not None:
            for member in list(self.members):
                await self.tell_one(member, *self._asked(decision, member))

    def _asked(self, decision: dict[str, Any], member: str) -> Piece:
        """A question that must be answered before the game goes on: asked of one seat, shown to the others as waiting."""
        return "goshi decision" if self.seating.chairs[decision["seat"]].person == member else "goshi wait", decision

    def decision(self) -> dict[str, Any] | None:
        """The decision that is pending, where the game has such decisions."""
        assert self.match is not None
        shorthands = getattr(self.game.book.text, "SHORTHANDS", {})
        seat = self.match.seat
        if not shorthands or seat is None:
            return None
        choices = self.match.view(seat).legal()
        if not choices or not set(choices) <= set(shorthands.values()):
            return None
        return {"seat": seat, "ply": self.match.ply, "choices": choices}

    # --- to someone who comes in, or comes back ---

    def everything_for(self, person: str) -> Iterator[Piece]:
        """All there is to know, as it is now."""
        yield "info", self.info()
        yield "player info", self.players()
        if self.ready_at is not None and not self.playing:
            yield "ready timer", {"at": self.ready_at}
        yield from self.game_for(person)

    def game_for(self, person: str) -> Iterator[Piece]:
        """All there is to know about the game."""
        if self.match is None:
            return
        pictured = self.context.outbox.wants_scenes(self.id, person)
        board = self.board()
        if pictured and not self.has_own_eyes(person):
            board["scene"] = self.match.scene(None).json()
        yield "board info", board
        for seat in self.seating.of(person):
            yield "private board info", self.private(seat, pictured)
        yield "game history info", self.history(self.seat_of(person))
        yield "clock info", self.clock()
        if self.match.result is not None:
            if self.moved is not None:  # else it is told to everyone as soon as it is known
                yield "game over", self.over()
            return
        if self.waiting:
            yield "ready timer", {"at": self.ready_at}
        decision = self.decision()
        if decision is not None:
            yield self._asked(decision, person)
        sides, mine = self.match.sides(), self.seat_of(person)
        for seat in sorted(self.giving_up):
            if mine is not None and sides[seat] == sides[mine]:
                yield "resign", {"kind": "resign", "seat": seat, "state": "asked"}
        for seat, asker in self.asking.items():
            yield "ask seat", {"kind": "seat", "seat": seat, "state": "asked", "who": self.person(asker)}
        if self.offer is not None:
            kind, seat = self.offer
            yield ("offer draw" if kind == "draw" else "ask takeback"), {"kind": kind, "seat": seat, "state": "asked"}

    async def tell_game(self, person: str) -> None:
        """Tell one person all about the game."""
        for event, payload in self.game_for(person):
            await self.tell_one(person, event, payload)

    def over(self) -> dict[str, Any]:
        """The end: who won and why, and how ratings moved."""
        assert self.match is not None
        assert self.match.result is not None
        result = self.match.result
        told = {"game_id": self.match.id, "winner": result.winner, "scores": self.match.state.scores, "reason": result.reason}
        return told | {"ratings": self.moved or {}} | ({"counted": self._counted(result)} if self.rated else {})

    def _counted(self, result: Result) -> dict[str, Any]:
        """How much a rated game counted, and why not in full."""
        assert self.match is not None
        weight = self.match.counted
        if weight is None:
            return {"weight": 0.0, "why": "abandoned" if result.reason == "abandoned" else "short"}
        if any(self.context.people.is_bot(person) for person in self.moved or ()):
            return {"weight": weight, "why": "program"}
        return {"weight": weight} | ({"why": "again"} if weight < 1 else {})
