"""Hanpan's own words in four languages: JSON files beside the code that speaks them.

A phrase is a key into such a file and the values that go into its sentence, so that the same phrase can be said in any language.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

LANGUAGES = ("en", "ko", "ja", "zh")
_VALUE = re.compile(r"\{(\w+)(?::([^{}/]*)/([^{}]*))?\}")
_CLOSED = "013678bcklmnpqt王玉角金銀香"  # digits, letters and komas that Koreans end with a consonant


@dataclass(frozen=True)
class Phrase:
    """Something to say: `Phrase("places.cell", {"at": "c3"})`. A value may itself be a phrase."""

    key: str
    values: dict[str, Any] | None = None

    def json(self) -> dict[str, Any]:
        """The phrase as plain data."""
        return {"key": self.key, **({"values": {k: v.json() if isinstance(v, Phrase) else v for k, v in self.values.items()}} if self.values else {})}

    def __hash__(self) -> int:
        return hash((self.key, tuple(sorted((self.values or {}).items(), key=str))))


def spoken(asked: str) -> str:
    """The first language of a list, as browsers send it, that we speak.

    >>> spoken("fr-FR,ja;q=0.8,en;q=0.5"), spoken("")
    ('ja', 'en')
    """
    named = (part.partition(";")[0].strip()[:2].lower() for part in asked.split(","))
    return next((language for language in named if language in LANGUAGES), "en")


def load(package: str, language: str) -> dict[str, Any]:
    """The words of a package (a game's, or Hanpan's own) in one language; in English, where it does not speak that one."""
    if language not in LANGUAGES:
        raise ValueError(f"language: {str(language)[:20]!r} is not one of {', '.join(LANGUAGES)}")
    return _load(package, language)


@cache
def _load(package: str, language: str) -> dict[str, Any]:
    file = files(package).joinpath("words", f"{language}.json")
    if language != "en" and not file.is_file():
        return _load(package, "en")
    try:
        loaded = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as wrong:
        raise RuntimeError(f"{package}: words/{language}.json: {wrong}") from None
    assert isinstance(loaded, dict)
    return loaded


def fill(sentence: str, values: dict[str, Any], language: str = "en") -> str:
    """Put values into a sentence. `{n}` is a value; `{n:one/other}` is one of two words, as the language's grammar wants it beside that value:
    singular and plural, or in Korean the particle that goes with the sound the value ends in (written after it: `{name}{name:이/가}`).

    >>> fill("{n} {n:wall/walls}", {"n": 1}), fill("{n} {n:wall/walls}", {"n": 2})
    ('1 wall', '2 walls')
    >>> fill("{who}{who:이/가} {way}{way:으로/로}", {"who": "한판", "way": "길"}, "ko")
    '한판이 길로'
    """

    def chosen(found: re.Match[str]) -> str:
        value, first, second = values[found[1]], found[2], found[3]
        if first is None:
            return str(value)
        wanted = _closed(str(value), first) if language == "ko" else str(value) in ("1", "-1")
        return first if wanted else second

    return _VALUE.sub(chosen, sentence)


def _closed(word: str, particle: str) -> bool:
    """Whether a word is spoken with a consonant at its end, as Koreans read it; before 으로 an ㄹ does not count."""
    last = next((letter for letter in reversed(word.lower()) if letter.isalnum()), "")
    if "가" <= last <= "힣":
        final = (ord(last) - ord("가")) % 28
        return final not in (0, 8) if particle.startswith("으") else final != 0
    spoken_l = last in "178l"
    return not spoken_l if particle.startswith("으") and spoken_l else last in _CLOSED and last != ""


def say(package: str, phrase: Phrase, language: str = "en") -> str:
    """The phrase in a language: the package's own words first, then Hanpan's."""
    for place in (package, "hanpan"):
        found: Any = load(place, language)
        for part in phrase.key.split("."):
            if isinstance(found, list) and part.isdigit() and int(part) < len(found):
                found = found[int(part)]
            else:
                found = found.get(part) if isinstance(found, dict) else None
        if isinstance(found, str):
            values = {k: say(package, v, language) if isinstance(v, Phrase) else v for k, v in (phrase.values or {}).items()}
            return fill(found, values, language)
    raise KeyError(f"{package} has no word {phrase.key!r} in {language!r}")
