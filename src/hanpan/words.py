"""The words of the house in four languages: JSON files beside the code that speaks them.

A phrase is a key into such a file and the values that go into its sentence, so that the same phrase can be said in any language.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

LANGUAGES = ("en", "ko", "ja", "zh")


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


@cache
def load(package: str, language: str) -> dict[str, Any]:
    """The words of a package (a game's, or the house's own) in one language."""
    if language not in LANGUAGES:
        raise ValueError(f"language: {language!r} is not one of {', '.join(LANGUAGES)}")
    loaded = json.loads(files(package).joinpath("words", f"{language}.json").read_text("utf-8"))
    assert isinstance(loaded, dict)
    return loaded


def say(package: str, phrase: Phrase, language: str = "en") -> str:
    """The phrase in a language: the package's own words first, then the house's."""
    for place in (package, "hanpan"):
        found: Any = load(place, language)
        for part in phrase.key.split("."):
            if isinstance(found, list) and part.isdigit() and int(part) < len(found):
                found = found[int(part)]
            else:
                found = found.get(part) if isinstance(found, dict) else None
        if isinstance(found, str):
            values = {k: say(package, v, language) if isinstance(v, Phrase) else v for k, v in (phrase.values or {}).items()}
            return found.format(**values)
    raise KeyError(f"{package} has no word {phrase.key!r} in {language!r}")
