"""How big a message from someone may be."""

from __future__ import annotations

MOST_BYTES = 64_000  # of a message from someone: a bigger one ends the connection, before it is read; a smaller one that its schema has no room for is refused
MOST_PARTS = 1000  # fields and values of a message: its schema would be asked about each of them


def too_many_parts(text: str | bytes) -> bool:
    """Whether a JSON text has more in it than anything that is meant for us; told before it is read.

    >>> too_many_parts('["play", {"ply": 0, "action": "e5"}]'), too_many_parts("[" + "0," * 2000 + "0]")
    (False, True)
    """
    return (text.count(",") if isinstance(text, str) else text.count(b",")) > MOST_PARTS
