"""Names for newcomers."""

from __future__ import annotations

import secrets
from collections.abc import Iterator

from hanpan.core.words import load
from hanpan.server.protocol.names import MOST_LETTERS


def likewise(name: str) -> Iterator[str]:
    """A name, and others like it for when that is taken."""
    yield name
    for number in range(2, 30):
        yield f"{name[: MOST_LETTERS - len(str(number)) - 1].rstrip()} {number}"


def guest_names(language: str = "en") -> Iterator[str]:
    """Names for a newcomer, until they choose their own, in their language: plain ones first, then some with ever longer numbers, until one is free."""
    words = load("hanpan", language)["guests"]
    for number in range(4, 200):
        plain = str(words["name"]).format(adjective=secrets.choice(words["adjectives"]), animal=secrets.choice(words["animals"]))
        yield plain if number < 8 else f"{plain} {secrets.randbelow(10 ** min(number // 4, 9)) + 2}"
