"""From where nobody may come in: ranges of addresses and browsers, each until some moment or without an end; and where people came from."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Literal

from hanpan.core.words import Phrase
from hanpan.server.protocol.refusals import Refused
from hanpan.server.storage.accounts import hashed
from hanpan.server.storage.addresses import barred, inside, shortened
from hanpan.server.storage.bans import Barring, new_ban_id
from hanpan.server.storage.models import DAY, FOREVER, Ban, Trace

Kind = Literal["address", "browser"]
_SEEN_MS = 3600 * 1000  # how often it is written down that somebody is here from the same place
_MOST_SEEN = 100_000


def banned(until: int | None, here: bool = False) -> Refused:
    """What somebody is told who may not come in, until when; `here`: because of where they come from."""
    key = "server.banned-here" if here else "server.banned"
    if until is None or until >= FOREVER:
        return Refused("banned", phrase=Phrase(f"{key}-for-good"))
    return Refused("banned", phrase=Phrase(key, {"until": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(until / 1000))}))


def browser_key(cookie: str | None) -> str:
    """What is kept of a browser's own cookie: enough to know it again."""
    return hashed(cookie)[:16] if cookie else ""


class Bans:
    """The bans of a server."""

    def __init__(self, stored: Barring, days: int, now: Callable[[], int]) -> None:
        self.stored, self._days, self._now = stored, days, now
        self._in_force: list[Ban] = []
        self.changed: Callable[[], None] = lambda: None  # where there are more processes: told that others are in force now
        self._seen: dict[tuple[str, str, str], int] = {}  # when it was last written down

    async def load(self) -> None:
        """Read what is in force; addresses that have become old are made shorter."""
        await self.tidy()
        self._in_force = await self.stored.in_force(self._now())

    async def tidy(self) -> None:
        """Make old addresses shorter."""
        await self.stored.shorten(self._now() - self._days * DAY)

    def found(self, address: str, browser: str) -> Ban | None:
        """The ban that keeps somebody out who comes from there: the one that ends last."""
        now = self._now()
        mine = [each for each in self._in_force if (each.until or FOREVER) > now and meets(each.kind, each.value, address, browser)]
        return max(mine, key=lambda each: each.until or FOREVER, default=None)

    async def add(self, kind: Kind, value: str, minutes: int | None, reason: str, operator: str, person: str | None = None, id: str | None = None) -> Ban:
        """Nobody comes in from there any more; ValueError says what is wrong with a range."""
        now = self._now()
        value = barred(value) if kind == "address" else value
        new = Ban(id or new_ban_id(), kind, value, None if minutes is None else now + minutes * 60_000, reason, now, operator, person, None)
        await self.stored.add(new)
        self._in_force.append(new)
        self.changed()
        return new

    async def lift(self, id: str | None = None, person: str | None = None) -> bool:
        """People may come in from there again."""
        done = await self.stored.lift(self._now(), id, person)
        self._in_force = await self.stored.in_force(self._now())
        self.changed()
        return done

    async def saw(self, person: str, address: str, browser: str) -> None:
        """Write down where somebody comes from, once in a while."""
        key, now = (person, address, browser), self._now()
        if not address or now - self._seen.get(key, -_SEEN_MS) < _SEEN_MS:
            return
        if len(self._seen) >= _MOST_SEEN:
            self._seen.clear()
        self._seen[key] = now
        await self.stored.saw(Trace(person, address, browser, now))

    def seen_from(self, one: Ban) -> set[str]:
        """Who was here from a place; whoever has gone meanwhile is among them."""
        return {person for person, address, browser in self._seen if meets(one.kind, one.value, address, browser)}

    def shown(self, address: str, at: int) -> str:
        """An address as operators see it: shorter, once it is old."""
        return shortened(address) if at < self._now() - self._days * DAY else address

    def place(self, one: Ban) -> str:
        """What a ban keeps out, as operators see it: an address becomes shorter once the ban has been over for long."""
        return self.shown(one.value, min(one.lifted_at or FOREVER, one.until or FOREVER)) if one.kind == "address" else one.value


def meets(kind: str, value: str, address: str, browser: str) -> bool:
    """Whether a ban of that keeps out whoever comes from there."""
    return inside(address, value) if kind == "address" else bool(browser) and value == browser
