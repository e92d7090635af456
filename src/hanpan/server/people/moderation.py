"""What operators do about people and rooms, each of it written down; what concerns another operator only together with a second one."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple

from hanpan.server.people.bans import Kind, banned, meets
from hanpan.server.people.identity import Connections, People
from hanpan.server.people.limits import local
from hanpan.server.people.sessions import Where
from hanpan.server.protocol.refusals import Refused
from hanpan.server.storage.models import DAY, FOREVER, Ban, Person
from hanpan.server.storage.store import Store

log = logging.getLogger("hanpan.operators")
_MINUTE = 60_000
Detail = str | int | None  # what is said of an act beside whom it is about: a name, a role, minutes …
PROPOSED_DAYS = 7  # after which nobody is asked any more whether they agree


class Doer(NamedTuple):
    """Who does something, and why."""

    operator: str
    reason: str


class Moderation:
    """Everything that operators can do. `close_room` closes the room of an id."""

    def __init__(self, store: Store, people: People, connections: Connections, close_room: Callable[[str], Awaitable[None]], now: Callable[[], int]) -> None:
        self._stored, self._accounts, self._people, self._bans = store.moderation, store.accounts, people, people.bans
        self._connections, self._close_room, self._now = connections, close_room, now

    async def act(self, operator: Person, where: Where, verb: str, target: str, reason: str, **more: Detail) -> bool:
        """Do what an operator wants, at once, and write it down. What concerns another operator waits for a second one's yes: then False."""
        await self._check_oneself(operator, where, verb, target, more)
        if await self._needs_second(operator, verb, target, more):
            id = await self._stored.propose(operator.id, verb, target, reason, more)
            await self._stored.log(operator.id, "propose", target, reason, {"verb": verb, "proposal": id, **more})
            return False
        await self._do(operator, verb, target, reason, more)
        return True

    async def _check_oneself(self, operator: Person, where: Where, verb: str, target: str, more: Mapping[str, object]) -> None:
        """Refuse an operator who would shut themselves out: the last one could not undo it."""
        if verb not in ("mute", "ban", "bar") or more["minutes"] == 0:
            return
        if target == operator.id:
            raise Refused("own-ban")
        places = [(more["kind"], more["value"])] if verb == "bar" else await self._places(target, bool(more.get("addresses")), bool(more.get("browsers")))
        if any(meets(str(kind), str(value), where.address, where.browser) for kind, value in places):
            raise Refused("own-place")

    async def _needs_second(self, operator: Person, verb: str, target: str, more: Mapping[str, object]) -> bool:
        """Nobody acts against another operator alone, nor makes someone an operator who would agree with them."""
        others = await self._stored.operators() - {operator.id}
        return verb in ("mute", "ban", "rename", "role") and (target in others or (bool(others) and more.get("role") == "operator"))

    async def decide(self, operator: Person, where: Where, id: str, yes: bool, reason: str) -> None:
        """A second operator agrees with what the first wants to do, or does not; whoever it is about has no say, the first may take it back."""
        found = next((row for row in await self._stored.proposals(self._now() - PROPOSED_DAYS * DAY) if row.id == id), None)
        if found is None:
            raise Refused("no-such-proposal")
        first = await self._people.reload(found.operator_id)
        if operator.id == found.target or (yes and (operator.id == first.id or first.role != "operator")):
            raise Refused("second-operator")
        if yes:
            await self._check_oneself(operator, where, found.verb, found.target, found.document)
        if not await self._stored.take_proposal(id):
            raise Refused("no-such-proposal")
        if not yes:
            await self._stored.log(operator.id, "decline", found.target, reason, {"verb": found.verb, "proposal": id})
            return
        await self._do(first, found.verb, found.target, found.reason, found.document, second=operator, why=reason)

    async def _do(self, operator: Person, verb: str, target: str, reason: str, more: Mapping[str, object], second: Person | None = None, why: str = "") -> None:
        acts: dict[str, Callable[..., Awaitable[dict[str, object] | None]]] = {
            "mute": self._mute, "ban": self._ban, "rename": self._rename, "role": self._role, "close": self._close, "bar": self._bar, "lift": self._lift,
        }  # fmt: skip
        found = await acts[verb](Doer(operator.id, reason), target, **more) or {}  # what only turned out while it was done: the name before, the bans it made
        agreed = {} if second is None else {"second": second.name, "agreed": why}
        all_of_it = {**more, **found, **agreed}
        told = {key: value for key, value in all_of_it.items() if key != "value"}  # addresses are kept in one place, where they become shorter
        await self._stored.log(operator.id, verb, target, reason, told)
        log.info("operator %s: %s %s", operator.id, verb, target)

    async def _mute(self, by: Doer, target: str, minutes: int) -> None:
        await self._change(target, muted_until=self._until(minutes))

    async def _ban(self, by: Doer, target: str, minutes: int | None, addresses: bool = False, browsers: bool = False) -> dict[str, object]:
        """Ban a person; also the addresses and browsers that they came from lately, if that is wanted. The end of it is the end of all of them."""
        found = await self._change(target, banned_until=self._until(minutes))
        bans = self._bans
        if minutes == 0:
            await bans.lift(person=target)
            return {}
        wanted = await self._places(target, addresses, browsers)
        for one in (found, *await self._accounts.bots_of(found.id)):
            await self._connections.disconnect(one.id, banned(found.banned_until))
        made = [await bans.add(kind, value, minutes, by.reason, by.operator, target) for kind, value in wanted]
        for each in made:
            await self._shut(each)
        return {"bans": [each.id for each in made]}

    async def _places(self, person: str, addresses: bool, browsers: bool) -> list[tuple[Kind, str]]:
        """From where someone came lately: the addresses, the browsers."""
        traces = await self._bans.stored.traces(person) if addresses or browsers else []
        wanted: list[tuple[Kind, str]] = [("address", address) for address in {each.address for each in traces} if addresses and not local(address)]
        return wanted + [("browser", browser) for browser in {each.browser for each in traces} if browsers and browser]

    async def _bar(self, by: Doer, target: str, kind: Kind, value: str, minutes: int | None) -> None:
        """Ban a place."""
        try:
            new = await self._bans.add(kind, value, minutes, by.reason, by.operator, id=target)
        except ValueError as wrong:
            raise Refused.because(wrong) from None
        await self._shut(new)

    async def _shut(self, new: Ban) -> None:
        """Whoever is here from where nobody may come in any more has to go."""
        for person in self._bans.seen_from(new):
            found = await self._people.look_up(person)
            if found is not None and found.role != "operator":
                await self._connections.disconnect(person, banned(new.until, here=True))

    async def _lift(self, by: Doer, target: str) -> None:
        if not await self._bans.lift(target):
            raise Refused("no-such-ban")

    async def _rename(self, by: Doer, target: str, name: str) -> dict[str, object]:
        before = (await self._change(target)).name
        await self._people.rename(target, name)
        return {"before": before}

    async def _role(self, by: Doer, target: str, role: str | None) -> dict[str, object]:
        before = (await self._change(target)).role
        await self._change(target, role=role)
        return {"was": before}

    async def _close(self, by: Doer, target: str) -> None:
        await self._close_room(target)

    def _until(self, minutes: int | None) -> int | None:
        return FOREVER if minutes is None else self._now() + minutes * _MINUTE if minutes else None

    async def _change(self, target: str, **columns: str | int | None) -> Person:
        found = await self._people.person(target)
        if found is None:
            raise Refused("no-such-person")
        if columns:
            await self._accounts.change(target, **columns)
        return await self._people.reload(target)
