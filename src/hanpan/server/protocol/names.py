"""What someone may be called."""

from __future__ import annotations

import re
from functools import cache

from hanpan.core.unfit import Unfit
from hanpan.core.words import LANGUAGES, load
from hanpan.server.storage.names import folded, spaced

MOST_LETTERS = 24
GONE = "—"  # the name of whoever has left for good
_DIGITS = "[0-9lo]*"  # as they look
_NUMBERED = re.compile(f"bot{_DIGITS}")


@cache
def _nobody() -> frozenset[str]:
    """What whoever has left, or is not known, is called by."""
    return frozenset(folded(name) for name in (GONE, "?", "…"))


@cache
def _computers() -> frozenset[str]:
    """The names of the computer players of Hanpan, in all languages."""
    told = [load("hanpan", language)["computers"] for language in LANGUAGES]
    return frozenset(folded(levels[level][nth]) for levels in told for level in levels for nth in "012")


@cache
def _offices() -> re.Pattern[str]:
    """Words for an office, in all languages: nobody is called just so, or so with a number."""
    told = {folded(word) for language in LANGUAGES for word in load("hanpan", language)["offices"]}
    return re.compile(f"(?:{'|'.join(re.escape(word) for word in sorted(told))}){_DIGITS}")


def proper(name: str) -> str:
    """A name that a person may have; ValueError says why not.

    >>> proper("bot 3")
    Traceback (most recent call last):
    hanpan.core.unfit.Unfit: names that begin with "bot" and a space are those of computer players
    """
    if not name.isprintable():
        raise Unfit("name-line")
    looks = folded(name)
    if not looks or looks in _nobody():
        raise Unfit("name-seen")
    if spaced(name).startswith("bot ") or _NUMBERED.fullmatch(looks):
        raise Unfit("name-bot")
    if looks in _computers():
        raise Unfit("name-computer")
    if _offices().fullmatch(looks):
        raise Unfit("name-office")
    return name
