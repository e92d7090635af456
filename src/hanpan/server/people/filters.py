"""What is shown of what people say: the operator's own filter, or one that masks words."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable

from hanpan.server.settings import Settings

Filter = Callable[[str], str]


def masking(words: Iterable[str]) -> Filter:
    """A filter that masks whole words, in any case.

    >>> masking(["ugh"])("Ugh, an ughly move")
    '•••, an ughly move'
    """
    listed = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    if not listed:
        return lambda text: text
    pattern = re.compile(rf"(?<!\w)(?:{listed})(?!\w)", re.IGNORECASE)
    return lambda text: pattern.sub(lambda found: "•" * len(found.group()), text)


def filter_of(settings: Settings) -> Filter:
    """The filter that the settings ask for: the operator's own function, or one that masks words."""
    if settings.filter is None:
        return masking(settings.filter_words)
    module, _, name = settings.filter.partition(":")
    try:
        found = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as wrong:
        raise ValueError(f"filter: {settings.filter!r} is not MODULE:FUNCTION ({wrong})") from None
    if not callable(found):
        raise ValueError(f"filter: {settings.filter!r} is not a function")
    return lambda text: str(found(text))
