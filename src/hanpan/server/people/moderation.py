"""Living together: who does not hear whom, what may be said and how fast, and what operators do about the rest."""

from __future__ import annotations

import importlib
import logging
import re
from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from hanpan.server.people.bans import Kind, banned
from hanpan.server.people.limits import Limits, local
from hanpan.server.protocol.refusals import Refused
from hanpan.server.settings import Settings
from hanpan.server.storage.models import FOREVER, Ban, Person

if TYPE_CHECKING:
    from hanpan.server.rooms.house import House

log = logging.getLogger("hanpan.operators")
Filter = Callable[[str], str]
_MINUTE = 60_000
PROPOSED_DAYS = 7  # after which nobody is asked any more whether they agree


def masking(words: Iterable[str]) -> Filter:
    """A filter that masks whole words, in any case.

    >>> masking(["ugh"])("Ugh, an ughly move")
    '•••, an ughly move'
    """
    listed = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    if not listed:
        return lambda text: text
    pattern = re.compile(rf"(?<!\w)(?:{listed})(?!\w)", re.IGNORECASE)
    return lambda text: pattern.sub(lambda found: "•" * len(found.group()), text)


def filter_of(settings: Settings) -> Filter:
    """The filter that the settings ask for: the operator's own function, or one that masks words."""
    if settings.filter is None:
        return masking(settings.filter_words)
    module, _, name = settings.filter.partition(":")
    try:
        found = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as wrong:
        raise ValueError(f"filter: {settings.filter!r} is not MODULE:FUNCTION ({wrong})") from None
    if not callable(found):
        raise ValueError(f"filter: {settings.filter!r} is not a function")
    return lambda text: str(found(text))


class Doer(NamedTuple):
    """Who does something, and why."""

    operator: str
    reason: str


class Community:
    """The manners of a house."""

    def __init__(self, house: House, settings: Settings, limits: Limits) -> None:
        self._house = house
        self.limits, self.filtered = limits, filter_of(settings)
        self._blocked: dict[str, set[str]] = {}  # person → whom they do not want to hear; of everyone who was here
        self._deaf: dict[str, set[str]] = {}  # the same the other way round: a message is not to cost a look at everyone who ever was here

    # --- hearing and saying ---

    async def know(self, person: str) -> set[str]:
        """Whom someone has blocked."""
        if person not in self._blocked:
            self._blocked[person] = await self._house.store.society.blocked_by(person)
            for other in self._blocked[person]:
                self._deaf.setdefault(other, set()).add(person)
        return self._blocked[person]

    def deaf_to(self, speaker: str) -> list[str]:
        """Everyone here who does not want to hear someone."""
        return list(self._deaf.get(speaker, ()))

    async def hears(self, person: str, speaker: str) -> bool:
        """Whether someone wants to hear someone else."""
        return speaker not in await self.know(person)

    def wants(self, person: str, speaker: str) -> bool:
        """Whether someone who is here wants to hear someone else."""
        return speaker not in self._blocked.get(person, ())

    def apart(self, one: str, other: str) -> bool:
        """Whether one of two people who are here does not want the other."""
        return other in self._blocked.get(one, ()) or one in self._blocked.get(other, ())

    async def may_speak(self, person: str) -> None:
        """Refused if someone may not speak, or speaks too fast. Whatever others get to see counts: messages, invitations, names."""
        speaker = await self._house.person(person)
        assert speaker is not None
        owner = await self._house.person(speaker.owner_id) if speaker.owner_id else None
        left = max((someone.muted_until or 0) for someone in (speaker, owner or speaker)) - self._house.now()
        if left > 0:
            raise Refused("muted", minutes=-(-left // _MINUTE))
        self.limits.messages.check(person)  # told at once and not made to wait: whoever talks too much may still want to play

    async def may_say(self, person: str, text: str, crowd: str = "") -> str:
        """What is shown of what someone wants to say; Refused if they may not speak, or speak too fast, alone or with all others of their crowd."""
        await self.may_speak(person)
        if crowd:
            self.limits.talk.check(crowd, code="many-talk")
        return self.filtered(text)

    async def rename(self, person: str, name: str) -> None:
        """Someone takes another name: Refused if they may not speak, or did so a moment ago."""
        await self.may_speak(person)
        wait = self.limits.renames.take(person)
        if wait:
            raise Refused("renamed-lately", minutes=-(-int(wait) // 60) or 1)
        try:
            await self._house.rename(person, name)
        except Refused:
            self.limits.renames.put_back(person)
            raise

    async def block(self, person: str, other: str) -> None:
        """From now on, do not hear someone."""
        if person == other:
            raise Refused("not-yourself")
        (await self.know(person)).add(other)
        self._deaf.setdefault(other, set()).add(person)
        await self._house.store.society.block(person, other)

    async def unblock(self, person: str, other: str) -> None:
        """Hear someone again."""
        (await self.know(person)).discard(other)
        self._deaf.get(other, set()).discard(person)
        await self._house.store.society.unblock(person, other)

    def forget(self, person: str) -> None:
        """What is known of someone must be read again."""
        for other in self._blocked.pop(person, ()):
            self._deaf.get(other, set()).discard(person)

    # --- operators ---

    async def act(self, operator: Person, verb: str, target: str, reason: str, **more: Any) -> bool:
        """Do what an operator wants, at once, and write it down. What concerns another operator waits for a second one's yes: then False."""
        if await self._needs_second(operator, verb, target, more):
            id = await self._house.store.society.propose(operator.id, verb, target, reason, more)
            await self._house.store.society.log(operator.id, "propose", target, reason, {"verb": verb, "proposal": id, **more})
            return False
        await self._do(operator, verb, target, reason, more)
        return True

    async def _needs_second(self, operator: Person, verb: str, target: str, more: dict[str, Any]) -> bool:
        """Nobody acts against another operator alone, nor makes someone an operator who would agree with them."""
        others = await self._house.store.society.operators() - {operator.id}
        return verb in ("mute", "ban", "rename", "role") and (target in others or (bool(others) and more.get("role") == "operator"))

    async def decide(self, operator: Person, id: str, yes: bool, reason: str) -> None:
        """A second operator agrees with what the first wants to do, or does not; whoever it is about has no say, the first may take it back."""
        society = self._house.store.society
        found = next((row for row in await society.proposals(self._house.now() - PROPOSED_DAYS * 24 * 60 * _MINUTE) if row["id"] == id), None)
        if found is None:
            raise Refused("no-such-proposal")
        first = await self._house.reload(found["operator_id"])
        if operator.id == found["target"] or (yes and (operator.id == first.id or first.role != "operator")):
            raise Refused("second-operator")
        if not await society.take_proposal(id):
            raise Refused("no-such-proposal")
        if not yes:
            await society.log(operator.id, "decline", found["target"], reason, {"verb": found["verb"], "proposal": id})
            return
        await self._do(first, found["verb"], found["target"], found["reason"], found["document"], second=operator, why=reason)

    async def _do(self, operator: Person, verb: str, target: str, reason: str, more: dict[str, Any], second: Person | None = None, why: str = "") -> None:
        acts: dict[str, Callable[..., Awaitable[dict[str, Any] | None]]] = {
            "mute": self._mute, "ban": self._ban, "rename": self._rename, "role": self._role, "close": self._close, "bar": self._bar, "lift": self._lift,
        }  # fmt: skip
        found = await acts[verb](Doer(operator.id, reason), target, **more) or {}  # what only turned out while it was done: the name before, the bans it made
        agreed = {} if second is None else {"second": second.name, "agreed": why}
        told = {key: value for key, value in (more | found | agreed).items() if key != "value"}  # addresses are kept in one place, where they become shorter
        await self._house.store.society.log(operator.id, verb, target, reason, told)
        log.info("operator %s: %s %s", operator.id, verb, target)

    async def _mute(self, by: Doer, target: str, minutes: int) -> None:
        await self._change(target, muted_until=self._until(minutes))

    async def _ban(self, by: Doer, target: str, minutes: int | None, addresses: bool = False, browsers: bool = False) -> dict[str, Any]:
        """Ban a person; also the addresses and browsers that they came from lately, if that is wanted. The end of it is the end of all of them."""
        found = await self._change(target, banned_until=self._until(minutes))
        bans = self._house.bans
        if minutes == 0:
            await bans.lift(person=target)
            return {}
        traces = await bans.stored.traces(target)
        wanted: list[tuple[Kind, str]] = [("address", address) for address in {each.address for each in traces} if addresses and not local(address)]
        wanted += [("browser", browser) for browser in {each.browser for each in traces} if browsers and browser]
        for one in (found, *await self._house.store.accounts.bots_of(found.id)):
            await self._house.outbox.disconnect(one.id, self._house.banned(found))
        made = [await bans.add(kind, value, minutes, by.reason, by.operator, target) for kind, value in wanted]
        for each in made:
            await self._shut(each)
        return {"bans": [each.id for each in made]}

    async def _bar(self, by: Doer, target: str, kind: Kind, value: str, minutes: int | None) -> None:
        """Ban a place."""
        try:
            new = await self._house.bans.add(kind, value, minutes, by.reason, by.operator, id=target)
        except ValueError as wrong:
            raise Refused.because(wrong) from None
        await self._shut(new)

    async def _shut(self, new: Ban) -> None:
        """Whoever is here from where nobody may come in any more has to go."""
        for person in self._house.bans.seen_from(new):
            if (await self._house.reload(person)).role != "operator":
                await self._house.outbox.disconnect(person, banned(new.until, here=True))

    async def _lift(self, by: Doer, target: str) -> None:
        if not await self._house.bans.lift(target):
            raise Refused("no-such-ban")

    async def _rename(self, by: Doer, target: str, name: str) -> dict[str, Any]:
        before = (await self._change(target)).name
        await self._house.rename(target, name)
        return {"before": before}

    async def _role(self, by: Doer, target: str, role: str | None) -> dict[str, Any]:
        before = (await self._change(target)).role
        await self._change(target, role=role)
        return {"was": before}

    async def _close(self, by: Doer, target: str) -> None:
        await self._house.close_room(self._house.room(target))

    def _until(self, minutes: int | None) -> int | None:
        return FOREVER if minutes is None else self._house.now() + minutes * _MINUTE if minutes else None

    async def _change(self, target: str, **columns: Any) -> Person:
        found = await self._house.person(target)
        if found is None:
            raise Refused("no-such-person")
        if columns:
            await self._house.store.accounts.change(target, **columns)
        return await self._house.reload(target)
