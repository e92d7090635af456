"""What a bot's token is good for: its owner chooses, and every route asks."""

from __future__ import annotations

from typing import Literal

Scope = Literal["play", "chat", "rooms"]
SCOPES: tuple[Scope, ...] = ("play", "chat", "rooms")

_CHAT = {"send msg", "send dm", "send invitation"}
_ROOMS = {"new room", "change config"}
_LOOKING = {"req info", "clock info", "why", "cancel match", "leave room"}


def scope_of(event: str) -> Scope | None:
    """What a request needs: to speak, to open and arrange rooms, or to play; None for whatever only looks, or goes.

    >>> scope_of("send invitation"), scope_of("new room"), scope_of("sit on"), scope_of("req info")
    ('chat', 'rooms', 'play', None)
    """
    if event in _LOOKING:
        return None
    return "chat" if event in _CHAT else "rooms" if event in _ROOMS else "play"


def written(scopes: list[Scope] | None) -> str | None:
    """Scopes as they are stored; None: all of them, also those that come later."""
    return None if scopes is None else ",".join(scope for scope in SCOPES if scope in scopes)


def read(kept: str | None) -> list[Scope]:
    """Scopes as they were stored."""
    return [scope for scope in SCOPES if kept is None or scope in kept.split(",")]
