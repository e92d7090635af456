"""Everything of one server process: who is online, which rooms there are, who waits for a match."""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from typing import Any, Protocol

from pwdlib import PasswordHash

from hanpan.game import Game, game, games, rulebook
from hanpan.server.clock import TimeControl
from hanpan.server.faults import log_fault
from hanpan.server.luck import Luck
from hanpan.server.people import Tokens, guest_name
from hanpan.server.rating import START, changes, rank, shown
from hanpan.server.refused import Refused
from hanpan.server.room import Room
from hanpan.server.roombase import control_of
from hanpan.server.storage.models import Person
from hanpan.server.storage.store import Store
from hanpan.server.table import Result
from hanpan.server.thinkers import Thinkers
from hanpan.server.wishes import NewRoom, QuickMatch, Settings

MOST_ROOMS = 5000
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # nothing that is easily misread


class Outlet(Protocol):
    """The way out to people: the sockets, in the server; a list, in a test."""

    async def to_lobby(self, event: str, payload: dict[str, Any], skip: str | None = None) -> None:
        """Tell everyone in the lobby."""

    async def to_visitor(self, person: str, event: str, payload: dict[str, Any]) -> None:
        """Tell one person in the lobby."""

    async def to_room(self, room: str, event: str, payload: dict[str, Any], skip: str | None = None) -> None:
        """Tell everyone in a room."""

    async def to_member(self, room: str, person: str, event: str, payload: dict[str, Any]) -> None:
        """Tell one person in a room."""

    async def show_out(self, room: str, person: str, why: Refused) -> None:
        """Tell one person in a room why they can't stay, and nothing more."""

    def wants_scenes(self, room: str, person: str | None = None) -> bool:
        """Whether someone there (or that person) wants pictures with the positions."""

    def lag(self, person: str | None) -> int:
        """How many milliseconds a message to a person and the answer to it travel, as far as we know."""


class House:
    """One server process. The storage is the truth; what is here can be rebuilt from it."""

    def __init__(self, store: Store, outlet: Outlet, tokens: Tokens, bots: Thinkers, luck: Luck, patience: float = 20.0, ready_seconds: float = 60.0) -> None:
        self.store, self.outlet, self.tokens, self.bots, self.luck = store, outlet, tokens, bots, luck
        self.patience, self.ready_seconds = patience, ready_seconds
        self.rooms: dict[str, Room] = {}
        self.known: dict[str, Person] = {}
        self.online: dict[str, int] = {}  # person → open lobby connections
        self._ratings: dict[tuple[str, str], float] = {}
        self._waiting: dict[str, str] = {}  # what is wanted → who wants it
        self._hasher = PasswordHash.recommended()

    def now(self) -> int:
        """The server's clock, in milliseconds."""
        return time.time_ns() // 1_000_000

    def new_id(self, length: int) -> str:
        """A short id that people can tell each other."""
        return "".join(secrets.choice(_LETTERS) for _ in range(length))

    def link(self, room: str) -> str:
        """Where a room is opened."""
        return f"/r/{room}"

    async def open(self) -> None:
        """Take up every room and every game that was going on."""
        running = {row.room_id: row for row in await self.store.running_games()}
        for stored in await self.store.rooms():
            last = stored.document.get("table")
            try:
                row = running.get(stored.id) or (await self.store.game(last) if last else None)
                room = self.rooms[stored.id] = Room.from_json(self, stored.id, stored.document, row)
                for person in room.seating.known() | {room.master}:
                    await self.person(person)
                    await self.rating(person, room.game.name)
                await room.take_up()
            except Exception as fault:  # one room that can't be read must not keep the others closed; it stays stored
                self.rooms.pop(stored.id, None)
                log_fault(f"room {stored.id} can't be opened", fault)

    async def close(self) -> None:
        """Stop: nothing is planned any more; what was acknowledged is stored."""
        for room in self.rooms.values():
            room.close()
        self.bots.close()

    # --- people ---

    async def welcome(self, token: object) -> tuple[Person, str]:
        """The person that a token names, or a new guest; and the token to come back with."""
        found = await self.whoever(token)
        if found is None:
            found = await self.store.add_person(guest_name(), "guest")
            self.known[found.id] = found
        return found, self.tokens.give(found.id, found.token_version)

    async def whoever(self, token: object) -> Person | None:
        """The person that a token names."""
        read = self.tokens.read(token)
        found = await self.person(read[0]) if read else None
        return found if found is not None and read is not None and found.token_version == read[1] else None

    async def person(self, id: str) -> Person | None:
        """Someone by their id."""
        if id not in self.known:
            found = await self.store.person(id)
            if found is None:
                return None
            self.known[id] = found
        return self.known[id]

    def person_info(self, id: str, name: str | None = None) -> dict[str, Any]:
        """Someone as others see them: with a game's name, their rating in it; without, the best of all."""
        found = self.known.get(id)
        info: dict[str, Any] = {"id": id, "name": found.name if found else "?"}
        all_of_them = {game: self._ratings[id, game] for game in games() if (id, game) in self._ratings}
        if name is None:
            info["ratings"] = {game: shown(value) for game, value in all_of_them.items()}
        rating = max(all_of_them.values(), default=START) if name is None else all_of_them.get(name, START)
        return info | {"rating": shown(rating), "rank": rank(rating).key, "colour": rank(rating).colour}

    async def rename(self, id: str, name: str) -> None:
        """Take another name."""
        await self.store.rename(id, name)
        found = await self.store.person(id)
        assert found is not None
        self.known[id] = found
        await self._person_changed(id)

    async def _person_changed(self, id: str) -> None:
        await self.outlet.to_lobby("user updated", self.person_info(id))
        for room in list(self.rooms.values()):
            if id in room.members:
                await room.tell("user updated", room.person(id))

    async def rating(self, id: str, name: str) -> float:
        """Someone's rating in a game."""
        if (id, name) not in self._ratings:
            found = await self.store.ratings([id], name)
            self._ratings[id, name] = found[id].value
        return self._ratings[id, name]

    async def rating_changes(self, people: list[str], name: str, sides: list[int], result: Result, scores: list[int]) -> dict[str, tuple[str, float]]:
        """How ratings move by a result."""
        now = await self.store.ratings(people, name)
        moved = changes([now[person].value for person in people], sides, result.winner, scores, result.last)
        return {person: (name, change) for person, change in zip(people, moved, strict=True)}

    async def ratings_moved(self, game_id: str) -> dict[str, dict[str, float]]:
        """How a finished game has moved ratings; everyone is told who is now how strong."""
        moved = await self.store.changes_of(game_id)
        for change in moved:
            self._ratings[change.person_id, change.name] = change.after
            await self._person_changed(change.person_id)
        return {change.person_id: {"before": change.before, "after": change.after} for change in moved}

    # --- the lobby ---

    async def arrive(self, id: str) -> None:
        """Someone opens the lobby (or one more window on it)."""
        for name in games():
            await self.rating(id, name)
        self.online[id] = self.online.get(id, 0) + 1
        if self.online[id] == 1:
            await self.outlet.to_lobby("user joined", self.person_info(id), skip=id)

    async def depart(self, id: str) -> None:
        """Someone closes the lobby."""
        self.online[id] = self.online.get(id, 1) - 1
        if self.online[id] <= 0:
            del self.online[id]
            self.cancel_match(id)
            await self.outlet.to_lobby("user left", self.person_info(id))

    def lobby(self) -> dict[str, Any]:
        """Who is here and which rooms there are."""
        return {"people": [self.person_info(id) for id in self.online], "rooms": [self.line(room) for room in self.rooms.values()]}

    def line(self, room: Room) -> dict[str, Any]:
        """A room in the lobby's list."""
        seats = [
            None if not chair.taken else f"bot {chair.bot}" if chair.person is None else self.person_info(chair.person)["name"] for chair in room.seating.chairs
        ]
        return {
            "id": room.id, "link": self.link(room.id), "game": room.game.name, "options": room.game.options, "settings": room.settings.model_dump(),
            "locked": room.password is not None, "master": self.person_info(room.master)["name"], "seats": seats, "people": len(room.members),
            "playing": room.playing,
        }  # fmt: skip

    # --- rooms ---

    async def game(self, name: str, options: dict[str, Any]) -> Game:
        """A game with its options. Its rules may have to be compiled at their first use, so that is done apart."""
        try:
            if name in games():
                await asyncio.to_thread(rulebook, name)
            return game(name, **options)
        except ValueError as wrong:
            raise Refused.because(wrong) from None

    async def new_room(self, person: str, wish: NewRoom) -> Room:
        """Open a room."""
        chosen = await self.game(wish.game, wish.options)
        try:
            control_of(wish.settings)
        except ValueError as wrong:
            raise Refused.because(wrong) from None
        password = await self.hashed(wish.password) if wish.password else None
        if len(self.rooms) >= MOST_ROOMS:
            raise Refused("too-many-rooms")
        id = self.new_id(6)
        while id in self.rooms:
            id = self.new_id(6)
        room = self.rooms[id] = Room(self, id, chosen, wish.settings, password, person)
        try:
            await room.save()
        except Exception:
            del self.rooms[id]
            raise
        room.later("empty", max(self.patience, 60.0), room.vanish)
        await self.outlet.to_lobby("room created", self.line(room))
        return room

    def room(self, id: object) -> Room:
        """A room by its id."""
        if not isinstance(id, str) or id not in self.rooms:
            raise Refused("no-such-room")
        return self.rooms[id]

    async def open_door(self, room: Room, person: str, password: object) -> None:
        """Refuse a wrong password. Whoever sits or sat there, or was invited, needs none."""
        if room.password is None or person in room.seating.known() | room.invited | {room.master}:
            return
        if not isinstance(password, str) or not await asyncio.to_thread(self._hasher.verify, password[:64], room.password):
            raise Refused("wrong-password")

    async def hashed(self, password: str) -> str:
        """A password as it is stored; making it takes a while on purpose, so it is done apart."""
        return await asyncio.to_thread(self._hasher.hash, password)

    async def room_changed(self, id: str) -> None:
        """Tell the lobby."""
        if id in self.rooms:
            await self.outlet.to_lobby("room updated", self.line(self.rooms[id]))

    async def remove_room(self, id: str) -> None:
        """An empty room disappears."""
        room = self.rooms.pop(id, None)
        if room is not None:
            room.close()
            await self.store.remove_room(id)
            await self.outlet.to_lobby("room removed", {"id": id})

    async def invite(self, room: Room, person: str, to: str) -> None:
        """Invite someone who is in the lobby."""
        if to not in self.online:
            raise Refused("not-online")
        async with room.lock:
            room.invited.add(to)
            await room.save()
        await self.outlet.to_visitor(to, "recieved invitation", {"who": self.person_info(person), "room": self.line(room)})

    # --- quick match ---

    async def match(self, person: str, wish: QuickMatch) -> None:
        """Pair two people who want the same game and clock."""
        chosen = await self.game(wish.game, wish.options)
        try:
            control = TimeControl.from_json(wish.time)
        except ValueError as wrong:
            raise Refused.because(wrong) from None
        if chosen.seats != 2:
            raise Refused("two-seats-only")
        self.cancel_match(person)
        key = json.dumps([chosen.name, chosen.options, control.json()], sort_keys=True)
        other = self._waiting.pop(key, None)
        if other is None:
            self._waiting[key] = person
            return
        room = await self.new_room(other, NewRoom(game=chosen.name, options=dict(chosen.options), settings=Settings(time=wish.time)))
        async with room.lock:
            for seat, who in enumerate((other, person)):
                await self.rating(who, chosen.name)
                room.seating.sit(who, seat, local=False)
            await room.begin_game(waiting=True)
        for who in (other, person):
            await self.outlet.to_visitor(who, "move to room", {"id": room.id})

    def cancel_match(self, person: str) -> None:
        """Wait for a match no longer."""
        for key in [key for key, who in self._waiting.items() if who == person]:
            del self._waiting[key]
