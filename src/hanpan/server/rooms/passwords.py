"""The passwords of rooms. Hashing takes a while on purpose, so it is done in a thread, one at a time."""

from __future__ import annotations

import asyncio

from pwdlib import PasswordHash

from hanpan.server.people.limits import Limits
from hanpan.server.protocol.refusals import Refused


class Passwords:
    """Makes and checks what is stored of a room's password; whoever tries many is refused."""

    def __init__(self, limits: Limits) -> None:
        self._limits, self._hasher, self._hashing = limits, PasswordHash.recommended(), asyncio.Semaphore(1)

    async def hashed(self, password: str, person: str) -> str:
        """A password as it is stored, for someone who may not want many."""
        self._limits.tries.check(f"lock {person}")
        async with self._hashing:
            return await asyncio.to_thread(self._hasher.hash, password)

    async def check(self, stored: str, password: object, person: str, address: str) -> None:
        """Refuse a wrong password, of someone at an address."""
        if not isinstance(password, str):
            raise Refused("wrong-password")
        self._limits.tries.check(f"door {person}")
        if not self._limits.exempt(address):
            self._limits.tries.check(address)
        async with self._hashing:
            if not await asyncio.to_thread(self._hasher.verify, password[:64], stored):
                raise Refused("wrong-password")
