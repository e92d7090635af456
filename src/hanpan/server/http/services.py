"""The parts of a running server, for whoever asks over HTTP. Wired in `app.py`; nothing happens here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fastapi import Request

from hanpan.server.metrics import Metrics
from hanpan.server.people.identity import People
from hanpan.server.people.limits import Limits
from hanpan.server.people.logins import Logins
from hanpan.server.people.moderation import Moderation
from hanpan.server.people.speech import Speech
from hanpan.server.rooms.context import Context
from hanpan.server.rooms.lobby import Lobby
from hanpan.server.rooms.matchmaking import Pairing
from hanpan.server.rooms.outbox import Outbox
from hanpan.server.rooms.registry import Registry
from hanpan.server.rooms.studio import Studio
from hanpan.server.storage.store import Store
from hanpan.server.transport.bot_requests import BotRequests
from hanpan.server.transport.bot_streams import BotStreams
from hanpan.server.transport.cluster_bots import ClusterBots
from hanpan.server.transport.gateway import Gateway, OwnLobby
from hanpan.server.transport.shutdown import Shutdown


@dataclass(frozen=True)
class Services:
    """One server process. The storage is the truth; what else is here can be rebuilt from it."""

    store: Store
    outbox: Outbox
    limits: Limits
    people: People
    speech: Speech
    moderation: Moderation
    logins: Logins
    context: Context  # what rooms are given
    registry: Registry
    matchmaking: Pairing
    lobby: Lobby
    own_lobby: OwnLobby  # the way to it
    gateway: Gateway
    streams: BotStreams
    bot_requests: BotRequests | ClusterBots
    sketches: Studio  # of single positions, which wait for no record
    shutdown: Shutdown
    metrics: Metrics
    now: Callable[[], int]  # the server's clock, in milliseconds


def services_of(request: Request) -> Services:
    """The parts of the server behind this request."""
    found = request.app.state.services
    assert isinstance(found, Services)
    return found
