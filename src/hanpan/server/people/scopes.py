"""What a bot's token is good for: its owner chooses, and every route asks."""

from __future__ import annotations

from typing import Literal

Scope = Literal["play", "chat", "rooms"]
SCOPES: tuple[Scope, ...] = ("play", "chat", "rooms")


def written(scopes: list[Scope] | None) -> str | None:
    """Scopes as they are stored; None: all of them, also those that come later."""
    return None if scopes is None else ",".join(scope for scope in SCOPES if scope in scopes)


def read(kept: str | None) -> list[Scope]:
    """Scopes as they were stored."""
    return [scope for scope in SCOPES if kept is None or scope in kept.split(",")]
