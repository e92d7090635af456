"""Proving again: what keeps a thief with somebody's session from keeping the account.

Before logins, e-mail, password, second factors or bot tokens change, or everything is deleted, a route calls

    mine = await proved(request)          # in hanpan.server.http.session: the person, or the refusal `prove-again`

which wants a session whose owner has shown within the last ten minutes who they are: by logging in, or by one of the ways here. The page hears
`prove-again`, asks, and asks for it again. A further way is an object like those in `logins.py`, put into `Proving.ways` under its name; the routes
(`/api/prove`) are the same for all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from hanpan.server.people.sessions import Caller
from hanpan.server.protocol.refusals import Refused
from hanpan.server.storage.models import Person
from hanpan.server.storage.sessions import StoredSessions

FRESH_SECONDS = 600
Answer = str | dict[str, object]  # a text, or what a browser says; whether it is what the way wants is for the way to see


class Way(Protocol):
    """One way of proving who one is. Where someone has a way that is a `second` factor, only such ways count for them."""

    second: bool

    async def offered(self, person: Person) -> bool:
        """Whether this person can prove it so."""

    async def begin(self, caller: Caller, language: str) -> dict[str, object]:
        """What must happen first: a mail is sent, a challenge is made. What the page is to know of it."""

    async def check(self, caller: Caller, answer: Answer) -> bool:
        """Whether the answer is right. Tries are counted by whoever calls this."""


class Proving:
    """All ways of proving."""

    def __init__(self, sessions: StoredSessions, now: Callable[[], int]) -> None:
        self._sessions, self._now = sessions, now
        self.ways: dict[str, Way] = {}

    async def offered(self, person: Person) -> list[str]:
        """The ways that this person has."""
        theirs = [name for name, way in self.ways.items() if await way.offered(person)]
        second = [name for name in theirs if self.ways[name].second]
        return second or theirs

    async def way(self, caller: Caller, name: str) -> Way:
        """One of them, refused where they have not got it."""
        if name not in await self.offered(caller.person):
            raise Refused("no-such-login", provider=name[:20])
        return self.ways[name]

    async def prove(self, caller: Caller, name: str, answer: Answer) -> None:
        """Someone proves who they are, for a while; refused when the answer is wrong."""
        way = await self.way(caller, name)
        if caller.session is None or not await way.check(caller, answer):
            raise Refused("not-proved")
        await self._sessions.change(caller.session.id, proved_at=self._now())


def is_fresh(caller: Caller, now: int) -> bool:
    """Whether someone has shown a short while ago who they are. A guest has nothing to show, and nothing to lose to a thief but the guest."""
    if caller.person.kind == "guest":
        return True
    return caller.session is not None and now - (caller.session.proved_at or 0) <= FRESH_SECONDS * 1000


def check_fresh(caller: Caller, now: int) -> None:
    """Refuse whoever has to prove again who they are. A bot's token proves nothing about its owner."""
    if caller.person.is_bot:
        raise Refused("no-bots")
    if not is_fresh(caller, now):
        raise Refused("prove-again")
