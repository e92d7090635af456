"""Who someone is: newcomers and those who come back, their sessions, names and ratings; and whoever may not come in."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from typing import Protocol

from hanpan.core.words import Phrase
from hanpan.game import games
from hanpan.result import Result
from hanpan.server.people.bans import Bans, banned
from hanpan.server.people.filters import Filter
from hanpan.server.people.limits import Limits
from hanpan.server.people.names import guest_names, likewise
from hanpan.server.people.rating import START, changes, rank, shown
from hanpan.server.people.scopes import Scope
from hanpan.server.people.scopes import read as read_scopes
from hanpan.server.people.sessions import MOST_SESSIONS, Caller, Sessions, Where
from hanpan.server.people.tokens import Tokens
from hanpan.server.protocol.messages import Moved, PersonInfo
from hanpan.server.protocol.names import GONE
from hanpan.server.protocol.refusals import Refused
from hanpan.server.storage.accounts import hashed
from hanpan.server.storage.models import Person, RatingChange
from hanpan.server.storage.names import folded
from hanpan.server.storage.store import Store


class Connections(Protocol):
    """What can be closed from here, wherever someone is."""

    async def disconnect(self, person: str, why: Refused) -> None:
        """Tell one person why they can't stay, wherever they are, and close their connections."""

    async def disconnect_key(self, key: str, why: Refused) -> None:
        """Close the connections that were opened with one session or token, and say why."""


class PeopleObserver:
    """Whoever keeps something about people, and has to know when that is another's, or nobody's, from now on. Nothing need be done about any of it."""

    def check_move(self, guest: str, account: str) -> None:
        """Refuse that a guest becomes an account now."""

    async def person_changed(self, id: str) -> None:
        """Someone has another name, or another rating."""

    async def person_moved(self, guest: str, account: str) -> None:
        """A guest turned out to be an account."""

    async def person_leaves(self, id: str) -> None:
        """Someone is about to leave for good, and is still who they were."""

    def person_forgotten(self, id: str) -> None:
        """Someone has left for good."""

    def person_forgotten_elsewhere(self, id: str) -> None:
        """Another process has changed something about someone: what is kept beside the storage must be read again."""


class People:
    """Everyone who is here, or was asked for of late. The storage is the truth; what is here can be read again."""

    def __init__(self, store: Store, connections: Connections, tokens: Tokens, bans: Bans, limits: Limits, filtered: Filter, now: Callable[[], int]) -> None:
        self._store, self._connections, self._tokens, self._limits, self._filtered, self._now = store, connections, tokens, limits, filtered, now
        self.masked = tokens.masked
        self.sessions, self.bans = Sessions(store.sessions, store.accounts, now), bans
        self.known: dict[str, Person] = {}
        self._ratings: dict[tuple[str, str], float] = {}
        self._asked: set[str] = set()  # who was asked for since others were let go
        self._observers: list[PeopleObserver] = []
        self.reloaded: Callable[[str], None] = lambda person: None  # where there are more processes: told who was found changed

    def subscribe(self, one: PeopleObserver) -> None:
        """From now on, let it know what becomes of people."""
        self._observers.append(one)

    async def welcome(self, signed: object, where: Where, language: str = "en") -> Caller:
        """A new guest from there, with a name in that language and a token to come back with; or the guest that a signed token from long ago names."""
        await self.check_place(None, where.address, where.browser)
        known = await self._from_before(signed, where)
        if known is not None:
            return known
        if not self._limits.exempt(where.address):
            self._limits.guests.check(where.address)
        found = await self.newcomer(language)
        self.known[found.id] = found
        self._asked.add(found.id)
        await self.bans.saw(found.id, where.address, where.browser)
        return await self.let_in(found, where)

    async def let_in(self, person: Person, where: Where, proved: bool = False) -> Caller:
        """Someone comes in: a session of their own begins, which nothing given before can open."""
        token, session = await self.sessions.begin(person, where, proved)
        if person.kind != "guest":
            for old in (await self.sessions.stored.of(person.id))[MOST_SESSIONS:]:
                await self.log_out(old.id)
        self._limits.knows(session.id, person.id)
        return Caller(person, session.id, session, token)

    async def _from_before(self, token: object, where: Where) -> Caller | None:
        """A guest with a signed token from before there were sessions gets one for it, once. Whoever has an account logs in again."""
        read = self._tokens.read(token)
        found = await self.person(read[0]) if read else None
        if found is None or read is None or found.kind != "guest" or found.token_version != read[1]:
            return None
        self.check_ban(found)
        await self._store.accounts.raise_version(found.id)
        return await self.let_in(await self.reload(found.id), where)

    async def newcomer(self, language: str = "en", preferred: str = "") -> Person:
        """A new guest with a name that nobody has, the preferred one if that is possible."""
        for name in (*(likewise(self._filtered(preferred)) if preferred else ()), *guest_names(language)):
            if (found := await self._store.add_person(name, folded(name))) is not None:
                return found
        raise AssertionError("no name is free")

    async def whoever(self, token: object) -> Person | None:
        """The person that a token names."""
        found = await self.caller(token)
        return found.person if found is not None else None

    async def caller(self, token: object, tickets: bool = False) -> Caller | None:
        """Who asks with a token: a bot's, or that of a session; or, where tickets are taken, with one, which is used up."""
        if isinstance(token, str) and token.startswith("bot_"):
            bot = await self._store.accounts.bot_of(token)
            if bot is None:
                return None
            await self.person(bot.id)
            await self.person(bot.owner_id or "")
            self.check_ban(bot)
            self._limits.knows(key := hashed(token), bot.owner_id or bot.id)
            return Caller(bot, key)
        session = await self.sessions.find(token, tickets)
        found = await self.person(session.person_id) if session is not None else None
        if found is None or session is None:
            return None
        self.check_ban(found)
        self._limits.knows(session.id, found.id)
        return Caller(found, session.id, session)

    async def still(self, caller: Caller) -> bool:
        """Whether that by which someone asked has not been ended meanwhile."""
        if caller.session is None:
            return await self._store.accounts.login("bot", caller.key) is not None
        return await self.sessions.stored.get(caller.key) is not None

    async def silent(self, id: str) -> bool:
        """Whether someone may say nothing here, because only operators may; a command makes one at any moment."""
        return self._limits.silent and (await self.reload(id)).role != "operator"

    def check_ban(self, person: Person) -> None:
        """Refuse someone whom an operator has banned, and the bots that they answer for."""
        owner = self.known.get(person.owner_id or "", person)
        for one in (person, owner):
            if (one.banned_until or 0) > self._now():
                raise self.banned(one)

    def check_still(self, came: Person) -> None:
        """Refuse someone who came in as they were then, and may not any more: another token has been given since, or they are banned.

        Whoever comes in asks this once they can be found by `disconnect`, so that nobody slips in while the door is being closed.
        """
        now = self.known.get(came.id)
        if now is None or now.token_version != came.token_version:
            raise Refused("unauthorized", phrase=Phrase("server.unknown-token") if came.is_bot else None)
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
        self._asked.add(id)
        if id not in self.known:
            found = await self._store.person(id)
            if found is None:
                return None
            self.known[id] = found
        return self.known[id]

    async def reload(self, id: str) -> Person:
        """Someone as the storage knows them now."""
        found = await self.look_up(id)
        assert found is not None
        return found

    async def look_up(self, id: str) -> Person | None:
        """Someone as the storage knows them now; None when they are gone."""
        self._asked.add(id)
        found = await self._store.person(id)
        if found is None:
            return None
        before, self.known[id] = self.known.get(id), found
        if before is not None and before != found:
            self.reloaded(id)
        return found

    async def refresh(self, id: str) -> bool:
        """Another process has changed something about someone: read it again; False if nobody here knows them."""
        if id not in self.known:
            return False
        found = await self._store.person(id)
        if found is not None:
            self.known[id] = found
        for name in games():
            if (id, name) in self._ratings:
                self._ratings[id, name] = (await self._store.ratings([id], name))[id].value
        for one in self._observers:
            one.person_forgotten_elsewhere(id)
        return True

    def let_go(self, needed: Iterable[str]) -> None:
        """Keep nobody whom nobody has asked for since the last time, but these and whoever answers for them: they are shown, and their scopes looked at, as
        they are known here."""
        kept = self._asked.union(needed)
        kept.update([owner for id in kept if id in self.known and (owner := self.known[id].owner_id) is not None])
        self.known = {id: person for id, person in self.known.items() if id in kept}
        self._ratings = {(id, name): value for (id, name), value in self._ratings.items() if id in kept}
        self._asked = set()

    async def moved_elsewhere(self, guest: str, account: str) -> None:
        """At another process a guest turned out to be an account."""
        await self.person(account)
        await self.refresh(account)
        for one in self._observers:
            await one.person_moved(guest, account)
        await self.refresh(guest)

    async def oversees(self, id: str) -> bool:
        """Whether someone is an operator, with more than a password, at this moment."""
        found = await self.person(id)
        if found is None or found.role != "operator":
            return False
        return (await self.reload(id)).role == "operator" and (await self._store.factors.held(id)).any

    def is_bot(self, id: str | None) -> bool:
        """Whether a program plays under this name."""
        return id in self.known and self.known[id].is_bot

    def is_gone(self, id: str) -> bool:
        """Whether someone has left for good."""
        return id in self.known and self.known[id].kind == "deleted"

    def person_info(self, id: str, name: str | None = None) -> PersonInfo:
        """Someone as others see them: with a game's name, their rating in it; without, the best of all."""
        found = self.known.get(id)
        info = PersonInfo(id=id, name=found.name if found else "?")
        if found is not None and found.is_bot:
            info["bot"] = True
        if self.is_gone(id):
            info["gone"] = True
        all_of_them = {game: self._ratings[id, game] for game in games() if (id, game) in self._ratings}
        if name is None:
            info["ratings"] = {game: shown(value) for game, value in all_of_them.items()}
        rating = max(all_of_them.values(), default=START) if name is None else all_of_them.get(name, START)
        info["rating"], info["rank"], info["colour"] = shown(rating), rank(rating).key, rank(rating).colour
        return info

    def called(self, id: str) -> str:
        """Someone's name where there is nothing but the name: programs are marked there too."""
        return f"bot {self.known[id].name}" if self.is_bot(id) else self.person_info(id)["name"]

    async def rename(self, id: str, name: str) -> None:
        """Take another name, which nobody else has."""
        name = self._filtered(name)
        if not await self._store.rename(id, name, folded(name)):
            raise Refused("name-taken")
        await self.reload(id)
        await self._changed(id)

    async def log_out(self, session: str) -> None:
        """A session ends, at once: also its sockets."""
        await self.sessions.stored.end(session)
        await self._connections.disconnect_key(session, Refused("unauthorized"))

    async def log_out_everywhere(self, id: str, but: str | None = None) -> None:
        """All sessions of someone end, but one if told so."""
        ended = await self.sessions.stored.end_all(id, but)
        await self._store.accounts.raise_version(id)
        await self.reload(id)
        if but is None:
            await self._connections.disconnect(id, Refused("unauthorized"))
        for session in ended:
            await self._connections.disconnect_key(session, Refused("unauthorized"))

    async def show_out(self, keys: Iterable[str]) -> None:
        """Close the connections that were opened by those of these sessions and tokens that have ended meanwhile, without this server's doing."""
        for key in await self.sessions.stored.ended(keys):
            await self._connections.disconnect_key(key, Refused("unauthorized"))

    async def new_bot_token(self, id: str, scopes: str | None) -> str:
        """Another token for a bot: the old one opens nothing any more, and whoever came in with it is shown out."""
        token = f"bot_{secrets.token_urlsafe(32)}"
        await self._store.accounts.set_bot_token(id, token, scopes)
        await self.reload(id)
        await self._connections.disconnect(id, Refused("unauthorized"))
        return token

    async def move(self, guest: str, account: str) -> None:
        """A guest turns out to be an account: their chairs and games become the account's."""
        for one in self._observers:
            one.check_move(guest, account)
        await self.person(account)
        await self._store.accounts.move(guest, account)
        self._forget_ratings(account)
        for one in self._observers:
            await one.person_moved(guest, account)
        await self.reload(guest)
        await self._connections.disconnect(guest, Refused("unauthorized"))

    async def forget(self, id: str) -> None:
        """Someone leaves for good: what stays is the games, which are others' too, reports for as long as they are open, and what operators did."""
        everyone = [id, *(bot.id for bot in await self._store.accounts.bots_of(id))]
        for leaving in everyone:
            for one in self._observers:
                await one.person_leaves(leaving)
        await self._store.accounts.forget(id, GONE)
        for gone in everyone:
            self._forget_ratings(gone)
            for one in self._observers:
                one.person_forgotten(gone)
            await self.reload(gone)
            await self._connections.disconnect(gone, Refused("unauthorized"))
            await self._changed(gone)

    async def _changed(self, id: str) -> None:
        for one in self._observers:
            await one.person_changed(id)

    # --- ratings ---

    def _forget_ratings(self, id: str) -> None:
        for name in games():
            self._ratings.pop((id, name), None)

    def rating_known(self, id: str, name: str) -> float:
        """Someone's rating in a game, as far as it was read already."""
        return self._ratings.get((id, name), START)

    async def rating(self, id: str, name: str) -> float:
        """Someone's rating in a game."""
        self._asked.add(id)
        if (id, name) not in self._ratings:
            found = await self._store.ratings([id], name)
            self._ratings[id, name] = found[id].value
        return self._ratings[id, name]

    async def rating_changes(self, people: list[str], name: str, sides: list[int], result: Result, scores: list[int]) -> dict[str, tuple[str, float]]:
        """How ratings move by a result."""
        moved = changes([await self.rating(person, name) for person in people], sides, result.winner, scores, result.last)
        return {person: (name, change) for person, change in zip(people, moved, strict=True)}

    async def ratings_moved(self, moved: list[RatingChange]) -> dict[str, Moved]:
        """How a finished game has moved ratings; everyone is told who is now how strong."""
        for change in moved:
            self._ratings[change.person_id, change.name] = change.after
            await self._changed(change.person_id)
        return {change.person_id: Moved(before=change.before, after=change.after) for change in moved}
