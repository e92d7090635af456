"""Limits that slow a flood: buckets that fill slowly, one for each person or address."""

from __future__ import annotations

import asyncio
import math
import time
from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Network, ip_address

from starlette.types import Scope

from hanpan.server.protocol.refusals import Refused
from hanpan.server.settings import Settings

_SLOWED = 1.0  # seconds that someone may be kept waiting; whoever would have to wait longer is told so
_MOST = 50_000  # buckets that are kept, and sessions that are known
_ALL = 4  # times what one may ask for: what all of an address may
LIGHT = 0.1  # what counts a tenth of others: a file that is the same for all, a password that was right. So a whole club gets in by one address


class Buckets:
    """One bucket a key: `burst` at once, `rate` a second in the long run."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._full_at: dict[str, float] = {}  # when each bucket will be full again
        self._most = _MOST  # buckets until the full ones are thrown away
        self.took: Callable[[str, float], None] = lambda key, cost: None  # where there are more processes: told what was taken

    def take(self, key: str, cost: float = 1.0, owing: float = 0.0) -> float:
        """Take something out: 0.0, or the seconds until that can be done (then nothing is taken, unless one may owe so many)."""
        now = time.monotonic()
        full_at = max(self._full_at.get(key, now), now) + cost / self._rate
        too_much = full_at - now - self._burst / self._rate
        if too_much > owing + 1e-9:
            return too_much
        if len(self._full_at) >= self._most:
            self._full_at = {key: moment for key, moment in self._full_at.items() if moment > now}
            self._most = max(_MOST, 2 * len(self._full_at))  # or, with many who are not full, each would cost a look at all
        self._full_at[key] = full_at
        self.took(key, cost)
        return max(0.0, too_much)

    def owe(self, key: str, cost: float) -> None:
        """So much was taken out at another process."""
        now = time.monotonic()
        self._full_at[key] = max(self._full_at.get(key, now), now) + cost / self._rate

    def put_back(self, key: str, cost: float = 1.0) -> None:
        """What was taken out was not needed."""
        if key in self._full_at:
            self._full_at[key] -= cost / self._rate
            self.took(key, -cost)

    def check(self, key: str, cost: float = 1.0, code: str = "too-fast") -> None:
        """Take something out, or refuse."""
        wait = self.take(key, cost)
        if wait:
            raise Refused(code, seconds=max(1, round(wait)))

    async def wait(self, key: str, cost: float = 1.0) -> None:
        """Take something out, after as long a wait as that needs: each who waits has a moment of their own."""
        wait = self.take(key, cost, owing=math.inf)
        if wait > 1e-9:
            await asyncio.sleep(wait)

    async def slow_down(self, key: str, cost: float = 1.0) -> None:
        """Take something out, after a short wait if need be; refuse where it would be long."""
        wait = self.take(key, cost, owing=_SLOWED)
        if wait > _SLOWED + 1e-9:
            raise Refused("too-fast", seconds=max(1, round(wait)))
        if wait > 1e-9:
            await asyncio.sleep(wait)


class Limits:
    """All limits of a server."""

    def __init__(self, settings: Settings) -> None:
        self.unlimited_local = settings.unlimited_local
        self.silent = not settings.chat  # nobody but operators may say anything
        self.packets = Buckets(2 * settings.events_per_second, 8 * settings.events_per_second)
        self.crowds = Buckets(settings.events_per_address, settings.events_per_address / 10)  # heard within a second, not all at once
        self.messages = Buckets(settings.messages_per_minute / 60, 10)
        self.talk = Buckets(10, 20)  # of all who watch one room, and of all in the lobby: nobody could read more, and everyone there is told each
        self.events = Buckets(settings.events_per_second, 4 * settings.events_per_second)
        rate, burst = settings.requests_per_minute / 60, max(60, settings.requests_per_minute / 2)
        self.requests = Buckets(rate, burst)  # of someone who is known, or of all strangers of an address
        self.addresses = Buckets(_ALL * rate, _ALL * burst)  # of all of an address
        self.guests = Buckets(settings.guests_per_hour / 3600, max(10, settings.guests_per_hour / 2))
        self.tries = Buckets(settings.tries_per_hour / 3600, max(5, settings.tries_per_hour / 3))
        self.links = Buckets(settings.tries_per_hour / 3600, 60)  # asked for from one address: a class signs up at once. It guesses nothing
        self.renames = Buckets(1 / (60 * settings.rename_minutes), 2)
        self.mails = Buckets(1 / 300, 5)  # to one address; there is always one whose link still works
        self.guesses = Buckets(4 * settings.tries_per_hour / 3600, 20)  # at one account, from anywhere
        self.codes = Buckets(50 / 86400, 20)  # of a code app, on one account from browsers that it does not know: a million codes, of which three are right
        self._known: OrderedDict[str, str] = OrderedDict()  # sessions and bots' tokens by which someone was found to come, and who
        self._connections: dict[str, int] = {}  # address → open connections
        self._most_connections = settings.connections_per_address

    def shared(self) -> dict[str, Buckets]:
        """Those that hold for all processes together; the others slow down a connection or a crowd, which one process sees."""
        names = ("messages", "talk", "guests", "tries", "links", "renames", "mails", "guesses", "codes")
        return {name: getattr(self, name) for name in names}

    def knows(self, key: str, person: str) -> None:
        """Someone was found to come by this session or token: from now on their requests are counted apart from others' of the same address."""
        self._known[key] = person
        self._known.move_to_end(key)
        if len(self._known) > _MOST:
            self._known.popitem(last=False)

    def asker(self, address: str, key: str) -> str:
        """Whose requests are counted together: those of someone who is known, at one address, or of all strangers there. Nothing is looked up for it: whoever
        comes by a session that was not seen since the server started is a stranger, once."""
        person = self._known.get(key)
        return address if person is None else f"{address} {person}"

    async def request(self, address: str, asker: str, cost: float) -> None:
        """A request from there: slowed where one, or all of an address, ask for too much, and refused where it is far too much."""
        if not self.exempt(address):
            await self.requests.slow_down(asker, cost)
            await self.addresses.slow_down(address, cost)

    def work(self, address: str, asker: str, cost: float) -> None:
        """A request that is much work counts as so many more."""
        if not self.exempt(address):
            self.requests.check(asker, cost)
            self.addresses.check(address, cost)

    async def attempt(self, address: str, account: str = "", cost: float = 1.0) -> None:
        """Somebody tries to log in: whoever tries many times from one address, or one account, is refused. Where an account is tried by many, everyone is
        answered later; nobody is refused for what others do, or its owner could be locked out."""
        if not self.exempt(address):
            self.tries.check(address, cost)
        if account:
            self.tries.check(f"{address} = {account.strip().lower()}")
            wait = self.guesses.take(account.strip().lower())
            if wait:
                await asyncio.sleep(min(wait, _SLOWED))

    def ask_for_link(self, address: str) -> None:
        """Somebody wants a link mailed; how many one recipient gets is counted apart."""
        if not self.exempt(address):
            self.links.check(address)

    def was_right(self, key: str) -> None:
        """What was tried from an address, or by someone, was right, and counts less."""
        self.tries.put_back(key, 1 - LIGHT)

    def connect(self, address: str) -> None:
        """One connection more; refused where there are too many."""
        if self._connections.get(address, 0) >= self._most_connections and not self.exempt(address):
            raise Refused("too-many-connections")
        self._connections[address] = self._connections.get(address, 0) + 1

    def disconnect(self, address: str) -> None:
        """One connection less."""
        self._connections[address] -= 1
        if not self._connections[address]:
            del self._connections[address]

    def exempt(self, address: str) -> bool:
        """Whether an address needs no limit against crowds: this machine itself, where the settings say so (a proxy that names nobody looks the same)."""
        return self.unlimited_local and local(address)


def address_of(scope: Scope) -> str:
    """Where a request or a socket is from, as it is counted."""
    client = scope.get("client")
    return neighbourhood(str(client[0])) if client else ""


@lru_cache(maxsize=1000)
def neighbourhood(address: str) -> str:
    """What counts as one address: one of IPv4; of IPv6 the network that one line is given, since whoever has it has all of it.

    >>> neighbourhood("203.0.113.7"), neighbourhood("::ffff:203.0.113.7"), neighbourhood("2001:db8:1:2:3:4:5:6")
    ('203.0.113.7', '203.0.113.7', '2001:db8:1:2::/64')
    """
    try:
        read = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(read, IPv4Address) or read.is_loopback:
        return str(read)
    return str(read.ipv4_mapped or IPv6Network((int(read) >> 64 << 64, 64)))


@lru_cache(maxsize=1000)
def local(address: str) -> bool:
    """Whether an address is this machine itself."""
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return address in ("", "testclient")
