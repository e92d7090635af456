"""Seeds from seeds: the one place where a number to draw from is made of another one and of what it is for."""

from __future__ import annotations

import zlib


def derive(seed: int, *purpose: str | int) -> int:
    """A seed for one purpose: 32 bits that follow from the seed and the purpose, and from nothing else.

    >>> derive(1, 0, "chance", 1), derive(1, 0, "chance", 2)
    (1933607337, 1483592298)
    """
    return zlib.crc32(repr((seed, *purpose)).encode())


def derive_at(seed: int, position: str) -> int:
    """A seed for one position: every seed has numbers of its own, which no other seed's position shares.

    >>> derive_at(1, "x"), derive_at(2, "x") - derive_at(1, "x")
    (6658201219, 4294967296)
    """
    return (seed << 32) + zlib.crc32(position.encode())
