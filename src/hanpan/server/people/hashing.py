"""What is kept of a password: an Argon2 hash. Making one takes a tenth of a second and 64 MB on purpose, so it is done in a thread."""

from __future__ import annotations

import asyncio

from pwdlib import PasswordHash

HASHER = PasswordHash.recommended()


async def hash_of(password: str) -> str:
    """What is kept of a password."""
    return await asyncio.to_thread(HASHER.hash, password)


async def matches(password: str, kept: str) -> bool:
    """Whether this was kept of that password."""
    return await asyncio.to_thread(HASHER.verify, password, kept)
