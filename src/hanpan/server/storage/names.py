"""Which names look alike: what looks the same is one name, and only one person can have it.

Letters that look alike are Unicode's own list (confusables.txt of UTS #39), as the package homoglyphs_fork brings it along, up to date with Unicode's releases.
"""

from __future__ import annotations

import json
import re
import unicodedata
from functools import cache
from importlib.resources import files

_MOST_FOLDED = 200
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
    return "".join(spaced(name).split())[:_MOST_FOLDED]


def spaced(name: str) -> str:
    """The same with single spaces between words."""
    seen = "".join(letter for letter in unicodedata.normalize("NFKD", name) if unicodedata.category(letter) != "Cf")
    looks = _looks(_looks(_UNSEEN.sub("", seen)).casefold())
    return " ".join(looks.replace("i", "l").split())  # a capital I is one for an l, so its small one must be, too
