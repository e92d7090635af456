"""Sessions: one for each time somebody came in, kept until it ends, is left, or is ended from elsewhere; and tickets for sockets.

What a browser or a program keeps is a random text, of which we keep only the hash. Programs may give it as a bearer token or in a socket's connect payload;
browsers have it in a cookie that no script can read, so the page's sockets open by the cookie alone.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from ipaddress import IPv6Address, ip_address, ip_network

from hanpan.server.storage.accounts import Accounts, hashed
from hanpan.server.storage.models import DAY, Person, Session
from hanpan.server.storage.sessions import StoredSessions

HOUR = 3_600_000
GUEST_DAYS, ACCOUNT_DAYS = 400, 90  # without coming back; a guest has no other way in
TICKET_SECONDS = 60.0
MOST_SESSIONS = 50  # that one person has; the one unused for longest makes room
_TICKET = "ticket_"
_BROWSERS = (
    ("Edg", "Edge"), ("OPR", "Opera"), ("SamsungBrowser", "Samsung Internet"), ("Firefox", "Firefox"), ("FxiOS", "Firefox"), ("CriOS", "Chrome"),
    ("Chrome", "Chrome"), ("Safari", "Safari"),
)  # fmt: skip
_SYSTEMS = ("Windows", "Android", "iPhone", "iPad", "Mac OS", "CrOS", "Linux")


@dataclass(frozen=True)
class Where:
    """Where somebody comes from: the address, what the browser calls itself, and what it is known by."""

    address: str = ""
    agent: str = ""
    browser: str = ""


@dataclass(frozen=True)
class Caller:
    """Who asks, and by what: a session, or a bot's token. `key` names that, `token` is set for a newcomer only, who has to keep it."""

    person: Person
    key: str
    session: Session | None = None
    token: str | None = None


class Sessions:
    """Everyone's sessions."""

    def __init__(self, stored: StoredSessions, accounts: Accounts, now: Callable[[], int]) -> None:
        self.stored, self._accounts, self._now = stored, accounts, now

    async def begin(self, person: Person, where: Where, proved: bool = False) -> tuple[str, Session]:
        """A session of its own for whoever has come in just now; the text that brings them back, told this once. `proved`: they have shown who they are."""
        token, now = secrets.token_urlsafe(32), self._now()
        days = GUEST_DAYS if person.kind == "guest" else ACCOUNT_DAYS
        place, browser = place_of(where.address), browser_of(where.agent)
        new = Session(hashed(token), person.id, now, now, now + days * DAY, now if proved else None, place, browser)
        await self.stored.add(new)
        return token, new

    async def find(self, token: object, tickets: bool = False) -> Session | None:
        """The session that a text belongs to; None when there is none (any more). Where tickets are taken, one is used up by this."""
        if not isinstance(token, str) or not 0 < len(token) <= 200:
            return None
        if token.startswith(_TICKET):
            used = await self._accounts.use_ticket("socket", token) if tickets else None
            return await self.get(used["session"] or "") if used else None
        return await self.get(hashed(token))

    async def get(self, id: str) -> Session | None:
        """A session by its id, unless it has ended. Its end moves on while it is used."""
        found, now = await self.stored.get(id), self._now()
        if found is None or found.ends_at <= now:
            return None
        if now - found.seen_at >= HOUR:
            ends_at = now + found.ends_at - found.seen_at
            if not await self.stored.change(id, seen_at=now, ends_at=ends_at):
                return None
            found = replace(found, seen_at=now, ends_at=ends_at)
        return found

    async def ticket(self, session: Session) -> str:
        """What opens one socket, once and soon, as part of a session."""
        token = _TICKET + secrets.token_urlsafe(24)
        await self._accounts.remember("socket", token, {"session": session.id}, TICKET_SECONDS)
        return token


def place_of(address: str) -> str:
    """As much of an address as people need to recognize it, and no more is kept.

    >>> place_of("203.0.113.7"), place_of("2001:db8:1:2::/64"), place_of("")
    ('203.0.113.*', '2001:db8:1::', '?')
    """
    try:
        read = ip_address(address.partition("/")[0])
    except ValueError:
        return "?"
    if isinstance(read, IPv6Address):
        return str(ip_network((int(read), 48), strict=False).network_address) if not read.is_loopback else "::1"
    return address.rpartition(".")[0] + ".*"


def browser_of(agent: str) -> str:
    """A browser and its system by what it calls itself; of programs the name.

    >>> browser_of("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"), browser_of("curl/8.5.0"), browser_of("")
    ('Firefox · Linux', 'curl', '?')
    """
    name = next((name for mark, name in _BROWSERS if f"{mark}/" in agent), "")
    system = next((system for system in _SYSTEMS if system in agent), "")
    if not name:
        found = re.match(r"[\w .-]{1,40}", agent)
        name = found.group().strip() if found else "?"
    return f"{name} · {system.replace('Mac OS', 'macOS')}" if system else name
