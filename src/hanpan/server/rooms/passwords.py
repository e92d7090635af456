"""The passwords of rooms. Hashing takes a while on purpose, so one is made at a time."""

from __future__ import annotations

import asyncio

from hanpan.server.people import hashing
from hanpan.server.people.limits import Limits
from hanpan.server.protocol.refusals import Refused


class Passwords:
    """Makes and checks what is stored of a room's password; whoever tries many is refused."""

    def __init__(self, limits: Limits) -> None:
        self._limits, self._hashing = limits, asyncio.Semaphore(1)

    async def hashed(self, password: str, person: str) -> str:
        """A password as it is stored, for someone who may not want many."""
        self._limits.tries.check(f"lock {person}")
        async with self._hashing:
            return await hashing.hash_of(password)

    async def check(self, stored: str, password: object, person: str, address: str) -> None:
        """Refuse a wrong password, of someone at an address."""
        if not isinstance(password, str):
            raise Refused("wrong-password")
        self._limits.tries.check(f"door {person}")
        if not self._limits.exempt(address):
            self._limits.tries.check(address)
        async with self._hashing:
            if not await hashing.matches(password[:64], stored):
                raise Refused("wrong-password")
        self._limits.was_right(f"door {person}")
        self._limits.was_right(address)
