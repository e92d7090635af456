"""Everything of one server process: who is online, which rooms there are, who waits for a match."""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any

from pwdlib import PasswordHash

from hanpan.core.words import Phrase
from hanpan.game import Game, game, games
from hanpan.result import Result
from hanpan.rulebook import rulebook
from hanpan.server.faults import log_fault
from hanpan.server.metrics import Metrics
from hanpan.server.people.bans import Bans, banned
from hanpan.server.people.limits import Limits
from hanpan.server.people.moderation import Community
from hanpan.server.people.names import GONE, folded, guest_names, likewise
from hanpan.server.people.rating import START, changes, rank, shown
from hanpan.server.people.scopes import Scope
from hanpan.server.people.scopes import read as read_scopes
from hanpan.server.people.sessions import MOST_SESSIONS, Caller, Sessions, Where
from hanpan.server.people.tokens import Tokens
from hanpan.server.protocol.refusals import Refused
from hanpan.server.protocol.requests import NewRoom, QuickMatch, Settings
from hanpan.server.rooms.bot_pool import BotPool
from hanpan.server.rooms.chance import Chance
from hanpan.server.rooms.chat import DAY
from hanpan.server.rooms.clock import TimeControl
from hanpan.server.rooms.outbox import Outbox
from hanpan.server.rooms.play import RETURN_SECONDS
from hanpan.server.rooms.room import MOST_WINDOWS, Room
from hanpan.server.rooms.roombase import control_of, settled, usual_time
from hanpan.server.rooms.studio import Studio
from hanpan.server.settings import Settings as ServerSettings
from hanpan.server.storage.accounts import hashed
from hanpan.server.storage.models import Person, RatingChange
from hanpan.server.storage.store import Store

MOST_ROOMS = 5000
COME_BACK_MS = 2000  # when to come back after a stop
_TIDY_SECONDS = 3600.0
_LOBBY_SECONDS = 1.0  # that the lobby's list may be old; what has changed since was told, or is not worth telling
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # nothing that is easily misread


class House:
    """One server process. The storage is the truth; what is here can be rebuilt from it."""

    def __init__(
        self,
        store: Store,
        outbox: Outbox,
        tokens: Tokens,
        bots: BotPool,
        chance: Chance,
        settings: ServerSettings,
        limits: Limits,
        hurry: Callable[[str], None],
    ) -> None:
        self._hurry = hurry  # told which game somebody has opened
        self.store, self.outbox, self.tokens, self.bots, self.chance = store, outbox, tokens, bots, chance
        self.claim_seconds, self.abandoned_seconds = settings.claim_seconds, settings.abandoned_seconds
        self.patience, self.ready_seconds, self.chat_days = settings.patience, settings.ready_seconds, settings.chat_days
        self.sessions = Sessions(store.sessions, store.accounts, lambda: self.now())
        self.community, self.metrics = Community(self, settings, limits), Metrics()
        self.bans = Bans(store.barring, settings.address_days, lambda: self.now())
        self.metrics.watch(self)
        self.closing = False
        self.busy = 0  # wishes that are being granted
        self.rooms: dict[str, Room] = {}
        self.known: dict[str, Person] = {}
        self.online: dict[str, int] = {}  # person → open lobby connections
        self._lobby: tuple[int, float, dict[str, Any]] | None = None  # what whoever comes is told, as of how much was told, and when
        self._ratings: dict[tuple[str, str], float] = {}
        self._waiting: dict[str, list[str]] = {}  # what is wanted → who want it, but not each other
        self._wanted: dict[str, str] = {}  # who waits → what they want
        self.cookie = settings.cookie
        self.sketches = Studio()  # of single positions, which wait for no record
        self._rooms_per_person, self._rooms_per_address = settings.rooms_per_person, settings.rooms_per_address
        self._hasher, self._hashing = PasswordHash.recommended(), asyncio.Semaphore(1)

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
        """Take up every room and every game that was going on; what was said too long ago is forgotten."""
        await self.bans.load()
        await self.store.chat.forget(self.now() - self.chat_days * DAY)
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

    async def tidy(self) -> None:
        """For as long as the house is open: what has become old is made shorter."""
        while True:
            await asyncio.sleep(_TIDY_SECONDS)
            try:
                await self.bans.tidy()
            except Exception as fault:  # it is tried again
                log_fault("tidying", fault)

    async def farewell(self) -> None:
        """We are about to stop: everyone is told to come back, and wishes that are under way are still granted."""
        if self.closing:
            return
        self.closing = True
        await self.outbox.to_all("come back", {"after_ms": COME_BACK_MS})
        for _ in range(200):
            await asyncio.sleep(0.01)
            if not self.busy and self.outbox.all_sent():
                return

    async def close(self) -> None:
        """Stop: nothing is planned any more; what was acknowledged is stored."""
        for room in self.rooms.values():
            room.close()
        self.bots.close()
        self.sketches.close()

    # --- people ---

    async def welcome(self, signed: object, where: Where, language: str = "en") -> Caller:
        """A new guest from there, with a name in that language and a token to come back with; or the guest that a signed token from long ago names."""
        await self.check_place(None, where.address, where.browser)
        known = await self._from_before(signed, where)
        if known is not None:
            return known
        if not self.community.limits.exempt(where.address):
            self.community.limits.guests.check(where.address)
        found = await self.newcomer(language)
        self.known[found.id] = found
        await self.bans.saw(found.id, where.address, where.browser)
        return await self.let_in(found, where)

    async def let_in(self, person: Person, where: Where, proved: bool = False) -> Caller:
        """Someone comes in: a session of their own begins, which nothing given before can open."""
        token, session = await self.sessions.begin(person, where, proved)
        if person.kind != "guest":
            for old in (await self.sessions.stored.of(person.id))[MOST_SESSIONS:]:
                await self.log_out(old.id)
        return Caller(person, session.id, session, token)

    async def _from_before(self, token: object, where: Where) -> Caller | None:
        """A guest with a signed token from before there were sessions gets one for it, once. Whoever has an account logs in again."""
        read = self.tokens.read(token)
        found = await self.person(read[0]) if read else None
        if found is None or read is None or found.kind != "guest" or found.token_version != read[1]:
            return None
        self.check_ban(found)
        await self.store.accounts.raise_version(found.id)
        return await self.let_in(await self.reload(found.id), where)

    async def newcomer(self, language: str = "en", wished: str = "") -> Person:
        """A new guest with a name that nobody has, as they wish if that is possible."""
        for name in (*(likewise(self.community.filtered(wished)) if wished else ()), *guest_names(language)):
            if (found := await self.store.add_called(name, folded(name))) is not None:
                return found
        raise AssertionError("no name is free")

    async def whoever(self, token: object) -> Person | None:
        """The person that a token names."""
        found = await self.caller(token)
        return found.person if found is not None else None

    async def caller(self, token: object, tickets: bool = False) -> Caller | None:
        """Who asks with a token: a bot's, or that of a session; or, where tickets are taken, with one, which is used up."""
        if isinstance(token, str) and token.startswith("bot_"):
            bot = await self.store.accounts.bot_of(token)
            if bot is None:
                return None
            await self.person(bot.id)
            await self.person(bot.owner_id or "")
            self.check_ban(bot)
            return Caller(bot, hashed(token))
        session = await self.sessions.find(token, tickets)
        found = await self.person(session.person_id) if session is not None else None
        if found is None or session is None:
            return None
        self.check_ban(found)
        return Caller(found, session.id, session)

    async def still(self, caller: Caller) -> bool:
        """Whether that by which someone asked has not been ended meanwhile."""
        if caller.session is None:
            return await self.store.accounts.login("bot", caller.key) is not None
        return await self.sessions.stored.get(caller.key) is not None

    def check_ban(self, person: Person) -> None:
        """Refuse someone whom an operator has banned, and the bots that they answer for."""
        owner = self.known.get(person.owner_id or "", person)
        for one in (person, owner):
            if (one.banned_until or 0) > self.now():
                raise self.banned(one)

    def check_still(self, came: Person) -> None:
        """Refuse someone who came in as they were then, and may not any more: another token has been given since, or they are banned.

        Whoever comes in asks this once they can be found by `disconnect`, so that nobody slips in while the door is being closed.
        """
        now = self.known.get(came.id)
        if now is None or now.token_version != came.token_version:
            raise Refused("unauthorized")
        self.check_ban(now)

    def check_scope(self, id: str, scope: Scope | None) -> None:
        """Refuse a bot whose token is not good for this."""
        found = self.known.get(id)
        if found is not None and found.is_bot and scope is not None and scope not in read_scopes(found.scopes):
            raise Refused("no-scope", scope=Phrase(f"scopes.{scope}"))

    def banned(self, person: Person) -> Refused:
        """What someone is told who is banned."""
        return banned(person.banned_until)

    async def check_place(self, person: Person | None, address: str, browser: str) -> None:
        """Refuse whoever comes from where nobody may come in. Operators may, so that none of them shuts themselves out."""
        why = self.bans.found(address, browser)
        if why is not None and (person is None or (await self.reload(person.id)).role != "operator"):
            raise banned(why.until, here=True)

    async def person(self, id: str) -> Person | None:
        """Someone by their id."""
        if id not in self.known:
            found = await self.store.person(id)
            if found is None:
                return None
            self.known[id] = found
        return self.known[id]

    async def reload(self, id: str) -> Person:
        """Someone as the storage knows them now."""
        found = await self.store.person(id)
        assert found is not None
        self.known[id] = found
        return found

    def is_bot(self, id: str | None) -> bool:
        """Whether a program plays under this name."""
        return id in self.known and self.known[id].is_bot

    def person_info(self, id: str, name: str | None = None) -> dict[str, Any]:
        """Someone as others see them: with a game's name, their rating in it; without, the best of all."""
        found = self.known.get(id)
        info: dict[str, Any] = {"id": id, "name": found.name if found else "?"} | ({"bot": True} if self.is_bot(id) else {})
        all_of_them = {game: self._ratings[id, game] for game in games() if (id, game) in self._ratings}
        if name is None:
            info["ratings"] = {game: shown(value) for game, value in all_of_them.items()}
        rating = max(all_of_them.values(), default=START) if name is None else all_of_them.get(name, START)
        return info | {"rating": shown(rating), "rank": rank(rating).key, "colour": rank(rating).colour}

    async def rename(self, id: str, name: str) -> None:
        """Take another name, which nobody else has."""
        name = self.community.filtered(name)
        if not await self.store.rename(id, name, folded(name)):
            raise Refused("name-taken")
        await self.reload(id)
        await self._person_changed(id)

    async def log_out(self, session: str) -> None:
        """A session ends, at once: also its sockets."""
        await self.sessions.stored.end(session)
        await self.outbox.disconnect_key(session, Refused("unauthorized"))

    async def log_out_everywhere(self, id: str, but: str | None = None) -> None:
        """All sessions of someone end, but one if told so."""
        ended = await self.sessions.stored.end_all(id, but)
        await self.store.accounts.raise_version(id)
        await self.reload(id)
        if but is None:
            await self.outbox.disconnect(id, Refused("unauthorized"))
        for session in ended:
            await self.outbox.disconnect_key(session, Refused("unauthorized"))

    async def new_bot_token(self, id: str, scopes: str | None) -> str:
        """Another token for a bot: the old one opens nothing any more, and whoever came in with it is shown out."""
        token = f"bot_{secrets.token_urlsafe(32)}"
        await self.store.accounts.set_bot_token(id, token, scopes)
        await self.reload(id)
        await self.outbox.disconnect(id, Refused("unauthorized"))
        return token

    async def move(self, guest: str, account: str) -> None:
        """A guest turns out to be an account: their chairs and games become the account's."""
        if any({guest, account} <= room.seating.known() for room in self.rooms.values() if room.playing):
            raise Refused("both-play")
        await self.person(account)
        await self.store.accounts.move(guest, account)
        for name in games():
            self._ratings.pop((account, name), None)
        for room in list(self.rooms.values()):
            await self.rating(account, room.game.name)
            room.said_by_another(guest, account)
            await room.replace(guest, account)
        self.community.forget(account)
        await self.reload(guest)
        await self.outbox.disconnect(guest, Refused("unauthorized"))

    async def forget(self, id: str) -> None:
        """Someone leaves for good: nothing about them stays but the games, which are others' too."""
        bots = [bot.id for bot in await self.store.accounts.bots_of(id)]
        await self.store.accounts.forget(id, GONE)
        for gone in (id, *bots):
            for name in games():
                self._ratings.pop((gone, name), None)
            self.community.forget(gone)
            for room in self.rooms.values():
                room.said_by_another(gone, None)
            await self.reload(gone)
            await self.outbox.disconnect(gone, Refused("unauthorized"))
            await self._person_changed(gone)

    async def _person_changed(self, id: str) -> None:
        await self.outbox.to_lobby("user updated", self.person_info(id))
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
        moved = changes([await self.rating(person, name) for person in people], sides, result.winner, scores, result.last)
        return {person: (name, change) for person, change in zip(people, moved, strict=True)}

    async def ratings_moved(self, moved: list[RatingChange]) -> dict[str, dict[str, float]]:
        """How a finished game has moved ratings; everyone is told who is now how strong."""
        for change in moved:
            self._ratings[change.person_id, change.name] = change.after
            await self._person_changed(change.person_id)
        return {change.person_id: {"before": change.before, "after": change.after} for change in moved}

    # --- the lobby ---

    async def arrive(self, id: str) -> None:
        """Someone opens the lobby (or one more window on it)."""
        await self.community.know(id)
        for name in games():
            await self.rating(id, name)
        if self.online.get(id, 0) >= MOST_WINDOWS:
            raise Refused("too-many-connections")
        self.online[id] = self.online.get(id, 0) + 1
        if self.online[id] == 1:
            await self.outbox.to_lobby("user joined", self.person_info(id), skip=(id,))

    async def depart(self, id: str) -> None:
        """Someone closes the lobby."""
        self.online[id] = self.online.get(id, 1) - 1
        if self.online[id] <= 0:
            del self.online[id]
            self.cancel_match(id)
            await self.outbox.to_lobby("user left", self.person_info(id))

    def lobby(self) -> dict[str, Any]:
        """Who is here and which rooms there are: made anew once everyone there has been told of a change, or after a moment, however many ask."""
        told, at = self.outbox.told_lobby, time.monotonic()
        if self._lobby is None or self._lobby[0] != told or at - self._lobby[1] > _LOBBY_SECONDS:
            made = {"people": [self.person_info(id) for id in self.online], "rooms": [self.line(room) for room in self.rooms.values()]}
            self._lobby = told, at, made
        return self._lobby[2]

    def line(self, room: Room) -> dict[str, Any]:
        """A room in the lobby's list."""
        seats = [None if not chair.taken else f"bot {chair.bot}" if chair.person is None else self.called(chair.person) for chair in room.seating.chairs]
        ratings = [self._ratings.get((person, room.game.name), START) for person in room.seating.everyone()]
        return {
            "id": room.id, "link": self.link(room.id), "game": room.game.name, "options": room.game.options, "settings": room.settings.model_dump(),
            "locked": room.password is not None, "master": self.person_info(room.master)["name"], "seats": seats,
            "ids": [chair.person for chair in room.seating.chairs], "people": len(room.members), "playing": room.playing,
            "watchers": len(room.members.keys() - room.seating.everyone()), "rating": shown(sum(ratings) / len(ratings)) if ratings else None,
            "since": room.match.started_at if room.playing and room.match else None,
        }  # fmt: skip

    def called(self, id: str) -> str:
        """Someone's name where there is nothing but the name: programs are marked there too."""
        return f"bot {self.known[id].name}" if self.is_bot(id) else str(self.person_info(id)["name"])

    # --- rooms ---

    async def game(self, name: str, options: dict[str, Any]) -> Game:
        """A game with its options. Its rules and their machine code may have to be loaded at their first use, so that is done apart."""
        try:
            if name in games():
                self._hurry(name)
                await asyncio.to_thread(_loaded, name)
            return game(name, **options)
        except ValueError as wrong:
            raise Refused.because(wrong) from None

    async def new_room(self, person: str, wish: NewRoom, address: str = "") -> Room:
        """Open a room, for someone at an address."""
        await self._make_room_for(person, address)
        chosen = await self.game(wish.game, wish.options)
        settings = settled(wish.settings, chosen)
        try:
            control_of(settings)
        except ValueError as wrong:
            raise Refused.because(wrong) from None
        password = await self.hashed(wish.password, person) if wish.password else None
        id = self.new_id(6)
        while id in self.rooms:
            id = self.new_id(6)
        room = self.rooms[id] = Room(self, id, chosen, settings, password, person)
        room.opened_from = address
        try:
            await room.save()
        except Exception:
            del self.rooms[id]
            raise
        room.later("empty", max(self.patience, 60.0), room.vanish)
        await self.outbox.to_lobby("room created", self.line(room))
        return room

    async def _make_room_for(self, person: str, address: str) -> None:
        """Refuse whoever has many rooms already; where there are too many in all, those that nobody is in go first."""
        if sum(room.master == person for room in self.rooms.values()) >= self._rooms_per_person:
            raise Refused("too-many-own-rooms", most=self._rooms_per_person)
        if not self.community.limits.exempt(address) and sum(room.opened_from == address for room in self.rooms.values()) >= self._rooms_per_address:
            raise Refused("too-many-own-rooms", most=self._rooms_per_address)
        if len(self.rooms) >= MOST_ROOMS:
            for empty in [room for room in self.rooms.values() if not room.members and not room.playing]:
                await self.remove_room(empty.id)
        if len(self.rooms) >= MOST_ROOMS:
            raise Refused("too-many-rooms")

    def room(self, id: object) -> Room:
        """A room by its id."""
        if not isinstance(id, str) or id not in self.rooms:
            raise Refused("no-such-room")
        return self.rooms[id]

    async def open_door(self, room: Room, person: str, password: object, address: str) -> None:
        """Refuse a wrong password, and whoever tries many. Whoever sits or sat there, or was invited, needs none."""
        if room.password is None or person in room.seating.known() | room.invited | {room.master}:
            return
        if isinstance(password, str):
            tries = self.community.limits.tries
            tries.check(f"door {person}")
            if not self.community.limits.exempt(address):
                tries.check(address)
        if not isinstance(password, str):
            raise Refused("wrong-password")
        async with self._hashing:
            if not await asyncio.to_thread(self._hasher.verify, password[:64], room.password):
                raise Refused("wrong-password")

    async def hashed(self, password: str, person: str) -> str:
        """A password as it is stored, for someone who may not want many; making it takes a while on purpose, so it is done apart, one at a time."""
        self.community.limits.tries.check(f"lock {person}")
        async with self._hashing:
            return await asyncio.to_thread(self._hasher.hash, password)

    async def room_changed(self, id: str) -> None:
        """Tell the lobby."""
        if id in self.rooms:
            await self.outbox.to_lobby("room updated", self.line(self.rooms[id]))

    async def remove_room(self, id: str) -> None:
        """An empty room disappears."""
        room = self.rooms.pop(id, None)
        if room is not None:
            room.close()
            await self.store.remove_room(id)
            await self.outbox.to_lobby("room removed", {"id": id})

    async def close_room(self, room: Room) -> None:
        """An operator closes a room: a game that is played there ends without a result."""
        async with room.lock:
            await room.abandon()
            for member in list(room.members):
                del room.members[member]
                await self.outbox.show_out(room.id, member, Refused("room-closed"))
            await self.remove_room(room.id)

    async def invite(self, room: Room, person: str, to: str) -> None:
        """Invite someone who is in the lobby: that is a message, too."""
        await self.community.may_speak(person)
        if to not in self.online:
            raise Refused("not-online")
        if not await self.community.hears(to, person):  # whoever is not heard is not told so
            return
        async with room.lock:
            room.invited.add(to)
            await room.save()
        await self.outbox.to_visitor(to, "recieved invitation", {"who": self.person_info(person), "room": self.line(room)})

    # --- quick match ---

    async def match(self, person: str, wish: QuickMatch) -> None:
        """Pair two people who want the same game and clock."""
        chosen = await self.game(wish.game, wish.options)
        try:
            control = TimeControl.from_json(usual_time(chosen) if wish.time is None else wish.time)
        except ValueError as wrong:
            raise Refused.because(wrong) from None
        if chosen.seats != 2:
            raise Refused("two-seats-only")
        if self.is_bot(person):
            raise Refused("no-bots")
        self.cancel_match(person)
        key = json.dumps([chosen.name, chosen.options, control.json()], sort_keys=True)
        await self.community.know(person)
        waiting = self._waiting.setdefault(key, [])
        matching = [who for who in waiting if not self.community.apart(who, person)]
        if not matching:
            waiting.append(person)
            self._wanted[person] = key
            return
        other = matching[0]
        self.cancel_match(other)
        room = await self.new_room(other, NewRoom(game=chosen.name, options=dict(chosen.options), settings=Settings(time=control.json())))
        async with room.lock:
            for seat, who in enumerate((other, person)):
                await self.rating(who, chosen.name)
                room.seating.sit(who, seat, local=False)
            await room.begin_game(waiting=True)
            for who in room.awaited:
                room.gone(who, max(self.patience, RETURN_SECONDS))
        for who in (other, person):
            await self.outbox.to_visitor(who, "move to room", {"id": room.id})

    def cancel_match(self, person: str) -> None:
        """Wait for a match no longer."""
        key = self._wanted.pop(person, None)
        if key is not None:
            self._waiting[key].remove(person)
            if not self._waiting[key]:
                del self._waiting[key]


@cache
def _loaded(name: str) -> None:
    """Have everything in memory that the first position of a game needs, and hardly anything is left for later ones."""
    rulebook(name)
    with suppress(Exception):  # what is wrong with the rules is said where they are played
        first = game(name).start(seed=1)
        following = first.play(first.legal()[0])
        for seat in (None, *range(first.game.seats)):
            seen = following.view(seat)
            _ = seen.scene(), seen.info(), seen.scores, str(seen), seen.legal()
