"""Who does not hear whom, what may be said, and how fast."""

from __future__ import annotations

from collections.abc import Callable

from hanpan.server.people.filters import Filter
from hanpan.server.people.identity import People, PeopleObserver
from hanpan.server.people.limits import Limits
from hanpan.server.protocol.refusals import Refused
from hanpan.server.storage.models import DAY
from hanpan.server.storage.moderation import StoredModeration

_MINUTE = 60_000
_RENAMED = DAY  # for which a name that an operator has given holds


class Speech(PeopleObserver):
    """Whatever people say to others: messages, invitations, names."""

    def __init__(self, stored: StoredModeration, people: People, limits: Limits, filtered: Filter, now: Callable[[], int]) -> None:
        self._stored, self._people, self._limits, self._filtered, self._now = stored, people, limits, filtered, now
        self._blocked: dict[str, set[str]] = {}  # person → whom they do not want to hear; of everyone who was here
        self._deaf: dict[str, set[str]] = {}  # the same the other way round: a message is not to cost a look at everyone who ever was here
        self.blocked: Callable[[str], None] = lambda person: None  # where there are more processes: told who hears others now
        self._forgotten = 0  # how often what is known of someone was given up
        people.subscribe(self)

    async def know(self, person: str) -> set[str]:
        """Whom someone has blocked."""
        while person not in self._blocked:
            before = self._forgotten
            blocked = await self._stored.blocked_by(person)
            if person in self._blocked or before != self._forgotten:  # read twice at once, or outdated meanwhile
                continue
            self._blocked[person] = blocked
            for other in blocked:
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
        speaker = await self._people.person(person)
        assert speaker is not None
        owner = await self._people.person(speaker.owner_id) if speaker.owner_id else None
        left = max((someone.muted_until or 0) for someone in (speaker, owner or speaker)) - self._now()
        if left > 0:
            raise Refused("muted", minutes=-(-left // _MINUTE))
        self._limits.messages.check(person)  # told at once and not made to wait: whoever talks too much may still want to play

    async def may_say(self, person: str, text: str, crowd: str = "") -> str:
        """What is shown of what someone wants to say; Refused if they may not speak, or speak too fast, alone or with all others of their crowd."""
        said = await self.may_name(person, text)
        if await self._people.silent(person):
            raise Refused("chat-off")
        if crowd:
            self._limits.talk.check(crowd, code="many-talk")
        return said

    async def may_name(self, person: str, text: str) -> str:
        """What is shown of a name that someone gives; Refused if they may not speak, or speak too fast."""
        await self.may_speak(person)
        return self._filtered(text)

    async def rename(self, person: str, name: str) -> None:
        """Someone takes another name: Refused if they may not speak, did so a moment ago, or an operator gave them theirs within a day."""
        await self.may_speak(person)
        left = await self._stored.renamed_at(person) + _RENAMED - self._now()
        if left > 0:
            raise Refused("renamed-by-operator", hours=-(-left // (60 * _MINUTE)))
        wait = self._limits.renames.take(person)
        if wait:
            raise Refused("renamed-lately", minutes=-(-int(wait) // 60) or 1)
        try:
            await self._people.rename(person, name)
        except Refused:
            self._limits.renames.put_back(person)
            raise

    async def block(self, person: str, other: str) -> None:
        """From now on, do not hear someone."""
        if person == other:
            raise Refused("not-yourself")
        await self._stored.block(person, other)  # before it is known: whoever reads meanwhile finds it there
        (await self.know(person)).add(other)
        self._deaf.setdefault(other, set()).add(person)
        self.blocked(person)

    async def unblock(self, person: str, other: str) -> None:
        """Hear someone again."""
        await self._stored.unblock(person, other)
        (await self.know(person)).discard(other)
        self._deaf.get(other, set()).discard(person)
        self.blocked(person)

    async def person_moved(self, guest: str, account: str) -> None:
        """What is known of the account must be read again; whoever does not hear the guest does not hear the account."""
        self.person_forgotten(account)
        for person in self._deaf.pop(guest, set()):
            self._blocked[person].discard(guest)
            self._blocked[person].add(account)
            self._deaf.setdefault(account, set()).add(person)

    def person_forgotten_elsewhere(self, id: str) -> None:
        """What is known of someone must be read again."""
        self.person_forgotten(id)

    def person_forgotten(self, id: str) -> None:
        """What is known of someone must be read again."""
        self._forgotten += 1
        for other in self._blocked.pop(id, ()):
            self._deaf.get(other, set()).discard(id)
