"""Values that many rooms have alike: each is kept once for all of them."""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from typing import TypeVar, cast

from hanpan.server.protocol.requests import PlaySettings

T = TypeVar("T", bound=Hashable)


def alike(value: T) -> T:
    """The value that is kept of all that equal this one; it never changes.

    >>> alike((1, 2)) is alike(tuple([1, 2]))
    True
    """
    return cast(T, _first(value))


@lru_cache(256)
def _first(value: Hashable) -> Hashable:
    return value


def alike_settings(settings: PlaySettings) -> PlaySettings:
    """The same for settings that were found right."""
    return _read(settings.model_dump_json())


@lru_cache(256)
def _read(text: str) -> PlaySettings:
    return PlaySettings.model_validate_json(text)
