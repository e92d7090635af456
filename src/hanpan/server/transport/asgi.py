"""What a server hands to its application."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Protocol

from fastapi import FastAPI

Fields = MutableMapping[str, Any]  # of a scope, of a message, of what Engine.IO tells about a request: some of them are ours, others anyone's
Receive = Callable[[], Awaitable[Fields]]
Send = Callable[[Fields], Awaitable[None]]


class Application(Protocol):
    """The sockets, and whatever is no socket's."""

    other_asgi_app: FastAPI

    async def __call__(self, scope: Fields, receive: Receive, send: Send) -> None:
        """One request, one socket, or the whole life of the server."""
