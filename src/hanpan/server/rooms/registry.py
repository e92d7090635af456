"""The rooms of this process: opened, found, told about in the lobby, closed; all of them are there again after a restart."""

from __future__ import annotations

from collections.abc import Callable

from hanpan.server.faults import log_fault
from hanpan.server.people.identity import PeopleObserver
from hanpan.server.people.limits import Limits
from hanpan.server.people.rating import shown
from hanpan.server.people.tokens import new_id
from hanpan.server.protocol.messages import OneRoom, RoomLine
from hanpan.server.protocol.refusals import Refused
from hanpan.server.protocol.requests import NewRoom
from hanpan.server.rooms.context import Context
from hanpan.server.rooms.mirror import Mirror
from hanpan.server.rooms.room import Room
from hanpan.server.rooms.seats import NOBODY
from hanpan.server.rooms.state import control_of, link, settings_info, settled
from hanpan.server.storage.models import DAY, Fence, GameRow, RoomRow

MOST_ROOMS = 5000


class Ownership:
    """Whose the rooms are. Here: all are this process's own."""

    async def claim(self, id: str) -> Fence | None:
        """A room that is about to be stored for the first time is this process's own."""
        return None

    def changed(self, room: Room) -> None:
        """A room is this process's own, as it is now."""

    def removed(self, id: str) -> None:
        """A room is gone for good."""

    def lost(self, room: Room) -> None:
        """A room is another process's."""


class Places:
    """Who is in which rooms, sits there, or is their master: whoever changes is not looked for in all of them."""

    def __init__(self) -> None:
        self._rooms: dict[str, set[str]] = {}  # person → rooms
        self._people: dict[str, set[str]] = {}  # room → people

    def put(self, room: str, people: set[str]) -> None:
        """A room's people from now on; where there are none, it is gone."""
        before = self._people.pop(room, NOBODY)
        for person in before - people:
            self._rooms[person].discard(room)
            if not self._rooms[person]:
                del self._rooms[person]
        for person in people - before:
            self._rooms.setdefault(person, set()).add(room)
        if people:
            self._people[room] = people

    def of(self, person: str) -> set[str]:
        """The rooms of someone."""
        return set(self._rooms.get(person, ()))


class Registry(PeopleObserver):
    """The rooms of this process; `mirror` has those of the others."""

    def __init__(self, context: Context, limits: Limits, per_person: int, per_address: int, mirror: Mirror) -> None:
        self._context, self._people, self._limits = context, context.people, limits
        self._rooms_per_person, self._rooms_per_address = per_person, per_address
        self.rooms: dict[str, Room] = {}
        self.places = Places()
        self.mirror, self.ownership = mirror, Ownership()
        context.people.subscribe(self)

    async def open(self) -> None:
        """Take up every room and every game that was going on; what was said too long ago is forgotten."""
        await self._context.store.chat.forget(self._context.now() - self._context.chat_days * DAY)
        running = {row.room_id: row for row in await self._context.store.running_games()}
        for stored in await self._context.store.rooms():
            await self._take_up(stored, running.get(stored.id), None)

    async def take_up(self, id: str, fence: Fence, ours: Callable[[], bool], opened_from: str) -> Room:
        """Take up one room, and the game that was going on there, since it is this process's own from now on; unless it is not any more once it is read."""
        stored = await self._context.store.room(id)
        if stored is None:
            raise Refused("no-such-room")
        room = await self._take_up(stored, await self._context.store.running_game(id), fence, ours, opened_from)
        if room is None:
            raise Refused("our-fault" if ours() else "interrupted")
        return room

    async def _take_up(
        self, stored: RoomRow, running: GameRow | None, fence: Fence | None, ours: Callable[[], bool] = lambda: True, opened_from: str = ""
    ) -> Room | None:
        try:
            room = await self._read(stored, running)
            if not ours():
                return None
            room.state.fence, room.state.opened_from = fence, opened_from
            self.rooms[stored.id] = room
            await room.take_up()
        except Exception as fault:  # one room that can't be read must not keep the others closed; it stays stored
            self.rooms.pop(stored.id, None)
            self.places.put(stored.id, set())
            log_fault(f"room {stored.id} can't be opened", fault)
            return None
        if self.rooms.get(stored.id) is room:
            self._changed(room)
        return room

    async def _read(self, stored: RoomRow, running: GameRow | None) -> Room:
        last = stored.document.get("table")
        row = running or (await self._context.store.game(last) if last else None)
        room = Room.from_json(self._context, self, stored.id, stored.document, row)
        for person in room.state.seating.known() | {room.state.master} | {who["person"] for who in room.state.sat if who["person"] is not None}:
            await self._people.person(person)
            await self._people.rating(person, room.state.game.name)
        return room

    async def stored(self, id: str) -> bool:
        """Whether a room is stored."""
        return await self._context.store.room(id) is not None

    async def look(self, id: str) -> Room | None:
        """A room, to look at only: this process's own, or another's as it is stored."""
        if id in self.rooms or id not in self.mirror.rooms:
            return self.rooms.get(id)
        stored = await self._context.store.room(id)
        return None if stored is None else await self._read(stored, await self._context.store.running_game(id))

    def lost(self, id: str) -> None:
        """Another process has taken a room: here nothing more happens in it."""
        room = self.rooms.pop(id, None)
        if room is not None:
            room.close()
            self.places.put(id, set())
            self.ownership.lost(room)

    def close(self) -> None:
        """Stop: nothing is planned any more; what was acknowledged is stored."""
        for room in self.rooms.values():
            room.close()

    async def new_room(self, person: str, request: NewRoom, address: str = "") -> Room:
        """Open a room, for someone at an address."""
        await self._make_room_for(person, address)
        chosen = await self._context.games.load(request.game, request.options)
        settings = settled(request.settings, chosen)
        try:
            control_of(settings)
        except ValueError as wrong:
            raise Refused.because(wrong) from None
        password = await self._context.passwords.hashed(request.password, person) if request.password else None
        self.check_own_rooms(person, address)  # once more: while they waited, they may have opened others
        id = new_id(6)
        while id in self.rooms or id in self.mirror.rooms:
            id = new_id(6)
        room = self.rooms[id] = Room.new(self._context, self, id, chosen, settings, password, person)
        room.state.opened_from = address
        try:
            room.state.fence = await self.ownership.claim(id)
            await room.save()
        except Exception:
            del self.rooms[id]
            raise
        self._changed(room)
        room.state.timers.later("empty", max(self._context.timeouts.patience, 60.0), room.finisher.vanish)
        await self._context.outbox.to_lobby("room created", self.line(room))
        return room

    async def _make_room_for(self, person: str, address: str) -> None:
        """Refuse whoever has many rooms already; where there are too many in all, those go that nobody is in, but no more than have to: the one first that
        would disappear next, since to a new one somebody may be on the way."""
        self.check_own_rooms(person, address)
        empty = [room for room in self.rooms.values() if not room.state.members and not room.state.playing] if len(self.rooms) >= MOST_ROOMS else []
        for room in sorted(empty, key=lambda room: room.state.timers.left("empty")):
            if len(self.rooms) >= MOST_ROOMS and not room.state.members and not room.state.playing:  # as it is by now
                await self.remove_room(room.id)
        if len(self.rooms) >= MOST_ROOMS:
            raise Refused("too-many-rooms")

    def check_own_rooms(self, person: str, address: str = "") -> None:
        """Refuse whoever has many rooms already, or opens one where many were opened; those from nobody knows where are no crowd."""
        elsewhere = list(self.mirror.rooms.values())
        masters = [*(room.state.master for room in self.rooms.values()), *(room.master for room in elsewhere)]
        if masters.count(person) >= self._rooms_per_person:
            raise Refused("too-many-own-rooms", most=self._rooms_per_person)
        addresses = [*(room.state.opened_from for room in self.rooms.values()), *(room.opened_from for room in elsewhere)]
        if address and not self._limits.exempt(address) and addresses.count(address) >= self._rooms_per_address:
            raise Refused("too-many-own-rooms", most=self._rooms_per_address)

    def room(self, id: object) -> Room:
        """A room by its id."""
        if not isinstance(id, str) or id not in self.rooms:
            raise Refused("no-such-room")
        return self.rooms[id]

    def exists(self, id: str) -> bool:
        """Whether there is such a room, of whichever process."""
        return id in self.rooms or id in self.mirror.rooms

    def with_chair_of(self, person: str) -> set[str]:
        """The rooms in which someone holds a chair, or held one."""
        here = {room.id for room in self.rooms.values() if person in room.state.seating.known()}
        return here | {id for id, room in self.mirror.rooms.items() if person in room.line["ids"]}

    def people_needed(self) -> set[str]:
        """Everyone whom a room of this process shows to others."""
        states = [room.state for room in self.rooms.values()]
        here = {person for state in states for person in (*state.members, *state.seating.known(), state.master)}
        return here | {who for state in states for who in (*(sat["person"] for sat in state.sat), *(said.person_id for said in state.said or ())) if who}

    async def room_changed(self, id: str) -> None:
        """Tell the lobby."""
        if id in self.rooms:
            self._changed(self.rooms[id])
            await self._context.outbox.to_lobby("room updated", self.line(self.rooms[id]))

    def _changed(self, room: Room) -> None:
        """Others are here, sit here, or are master, or something else of it that is told elsewhere."""
        self.places.put(room.id, {*room.state.members, *room.state.seating.everyone(), room.state.master})
        self.ownership.changed(room)

    async def remove_room(self, id: str) -> None:
        """An empty room disappears."""
        room = self.rooms.pop(id, None)
        if room is not None:
            room.close()
            self.places.put(id, set())
            await self._context.store.remove_room(id, room.state.fence)
            self.ownership.removed(id)
            await self._context.outbox.to_lobby("room removed", OneRoom(id=id))

    async def close_room(self, id: str) -> None:
        """An operator closes a room: a game that is played there ends without a result."""
        room = self.room(id)
        async with room.state.lock:
            await room.commit(room.finisher.abandon())
            for member in list(room.state.members):
                del room.state.members[member]
                await self._context.outbox.show_out(room.id, member, Refused("room-closed"))
            await self.remove_room(room.id)

    async def check_password(self, room: Room, person: str, password: object, address: str) -> None:
        """Refuse a wrong password, and whoever tries many. Whoever sits or sat there, or was invited, needs none; nor do operators."""
        if room.state.password is None or person in room.state.seating.known() | room.state.invited | {room.state.master}:
            return
        if not await self._people.oversees(person):
            await self._context.passwords.check(room.state.password, password, person, address)

    def line(self, room: Room) -> RoomLine:
        """A room in the lobby's list."""
        state, chairs = room.state, room.state.seating.chairs
        seats = [None if not chair.taken else f"bot {chair.bot}" if chair.person is None else self._people.called(chair.person) for chair in chairs]
        ratings = [self._people.rating_known(person, state.game.name) for person in state.seating.everyone()]
        return RoomLine(
            id=state.id, link=link(state.id), game=state.game.name, options=state.game.options, settings=settings_info(state.settings),
            locked=state.password is not None, master=self._people.person_info(state.master)["name"], seats=seats,
            ids=[chair.person for chair in chairs], people=len(state.members), playing=state.playing,
            watchers=len(state.members.keys() - state.seating.everyone()), rating=shown(sum(ratings) / len(ratings)) if ratings else None,
            since=state.match.started_at if state.playing and state.match else None,
        )  # fmt: skip

    # --- what becomes of people ---

    def check_move(self, guest: str, account: str) -> None:
        """Nobody becomes someone against whom they play."""
        here: list[set[str]] = [room.state.seating.known() for room in self.rooms.values() if room.state.playing]
        elsewhere = [{id for id in room.line["ids"] if id is not None} for room in self.mirror.rooms.values() if room.line["playing"]]
        if any({guest, account} <= table for table in (*here, *elsewhere)):
            raise Refused("both-play")

    async def person_moved(self, guest: str, account: str) -> None:
        """A guest's chairs and words become the account's."""
        for room in list(self.rooms.values()):
            await self._people.rating(account, room.state.game.name)
            room.state.said_by_another(guest, account)
            await room.do(room.replace, guest, account)

    async def person_leaves(self, id: str) -> None:
        """They resign, stand up, and are in no room any more."""
        for room in list(self.rooms.values()):
            if id in room.state.members or id in room.state.seating.known() or id == room.state.master:
                await room.do(room.part_with, id)

    def person_forgotten(self, id: str) -> None:
        """What someone has said is gone with them, and where they came from."""
        for room in self.rooms.values():
            room.state.said_by_another(id, None)
            room.state.traces.pop(id, None)

    async def person_changed(self, id: str) -> None:
        """Everyone who sees someone is told."""
        await self._context.outbox.to_lobby("user updated", self._people.person_info(id))
        await self.person_changed_here(id)

    async def person_changed_here(self, id: str) -> None:
        """Everyone who sees someone in a room of this process is told."""
        if self._people.is_gone(id):  # from another process: here their games still run
            await self.person_leaves(id)
        for room in [self.rooms[place] for place in self.places.of(id)]:
            if id in room.state.members:
                await room.publisher.tell("user updated", room.publisher.person(id))
            if id == room.state.master or room.state.seating.of(id):  # the lobby's list names them
                await self.room_changed(room.id)
