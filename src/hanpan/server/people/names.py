"""Names: what someone may be called, and which names look alike.

Letters that look alike are Unicode's own list (confusables.txt of UTS #39), as the package homoglyphs_fork brings it along, up to date with Unicode's releases.
"""

from __future__ import annotations

import json
import re
import secrets
import unicodedata
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from hanpan.core.unfit import Unfit
from hanpan.core.words import LANGUAGES, load

MOST_LETTERS = 24
GONE = "—"  # the name of whoever has left for good
_MOST_FOLDED = 200
_DIGITS = "[0-9lo]*"  # as they look
_NUMBERED = re.compile(f"bot{_DIGITS}")
_UNSEEN = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\ufe00-\ufe0f\U000e0100-\U000e01ef]")  # letters and marks that show nothing


@cache
def _prototypes() -> dict[int, str]:
    """For every letter that looks like others the one that stands for all of them (or the two: m looks like rn)."""
    listed: dict[str, list[str]] = json.loads(files("homoglyphs_fork").joinpath("confusables.json").read_text("utf-8"))
    alike = {_bare(one): [_bare(other) for other in others] for one, others in listed.items()}
    found: dict[int, str] = {}
    for one, others in alike.items():
        for other in others:
            # Both directions are listed; many point at a prototype.
            if len(one) == 1 and (len(other) > 1 or (len(alike[other]), other) > (len(alike[one]), one)):
                found[ord(one)] = other
    return {one: other.translate(found) for one, other in found.items()}


def _bare(text: str) -> str:
    """Without the marks that the list puts around letters that are written from right to left."""
    return text.replace("\u200e", "")


def _looks(text: str) -> str:
    return unicodedata.normalize("NFD", unicodedata.normalize("NFD", text).translate(_prototypes()))


def folded(name: str) -> str:
    """What a name looks like: names that are equal after this are taken for each other. Spaces do not count, nor upper and lower case.

    >>> folded("Bоt 3") == folded("bot3"), folded("Ian") == folded("lan"), folded("Ann") == folded("Anna")
    (True, True, False)
    """
    return "".join(_spaced(name).split())[:_MOST_FOLDED]


def _spaced(name: str) -> str:
    seen = "".join(letter for letter in unicodedata.normalize("NFKD", name) if unicodedata.category(letter) != "Cf")
    looks = _looks(_looks(_UNSEEN.sub("", seen)).casefold())
    return " ".join(looks.replace("i", "l").split())  # a capital I is one for an l, so its small one must be, too


@cache
def _nobody() -> frozenset[str]:
    """What whoever has left, or is not known, is called by."""
    return frozenset(folded(name) for name in (GONE, "?", "…"))


@cache
def _computers() -> frozenset[str]:
    """The names of the computer players of the house, in all languages."""
    told = [load("hanpan", language)["computers"] for language in LANGUAGES]
    return frozenset(folded(levels[level][nth]) for levels in told for level in levels for nth in "012")


@cache
def _offices() -> re.Pattern[str]:
    """Words for an office of the house, in all languages: nobody is called just so, or so with a number."""
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
    if _spaced(name).startswith("bot ") or _NUMBERED.fullmatch(looks):
        raise Unfit("name-bot")
    if looks in _computers():
        raise Unfit("name-computer")
    if _offices().fullmatch(looks):
        raise Unfit("name-office")
    return name


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
