"""What bots ask over HTTP: answered where their stream is, and alike when it is repeated."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

import orjson

from hanpan.core.reading import check_json
from hanpan.server.faults import log_fault
from hanpan.server.people.identity import People
from hanpan.server.people.limits import Limits
from hanpan.server.protocol.refusals import Refused
from hanpan.server.protocol.requests import ClientRequest, Nothing
from hanpan.server.rooms.registry import Registry
from hanpan.server.storage.models import Person
from hanpan.server.transport.bot_streams import BotStream, BotStreams, StreamAsker
from hanpan.server.transport.dispatch import ROOM, Ack, checked, read
from hanpan.server.transport.gateway import OwnLobby
from hanpan.server.transport.shutdown import Shutdown

Answered = Mapping[str, Any]  # as over sockets: `ok`, and what else there is to say


class EnterRoom(ClientRequest):
    """A room's password, if it has one."""

    password: str | None = None


class BotRequests:
    """Answers bots whose stream is at this process."""

    def __init__(self, people: People, limits: Limits, registry: Registry, lobby: OwnLobby, streams: BotStreams, shutdown: Shutdown) -> None:
        self._people, self._limits, self._registry, self._lobby = people, limits, registry, lobby
        self._streams, self._shutdown = streams, shutdown

    async def answer(self, bot: Person, room: str | None, event: str, body: object, key: str | None, address: str) -> Answered:
        """Answer a request in a room, or in the lobby (None); with a key, say again what was answered to it before. A key is good for one request alone."""
        stream = self._streams.of(bot.id)
        asked = _digest(room, event, body)
        await self._limits.events.slow_down(bot.id)
        async with stream.lock:
            self._people.check_still(bot)  # they may have waited
            if key is not None and key in stream.answers:
                before, told = stream.answers[key]
                known: Answered = orjson.loads(told) if before == asked else {"ok": False, **Refused("key-used").json(event)}
                return known
            try:
                with self._shutdown.under_way:
                    name = event.replace("-", " ")
                    if room is None:
                        done = await self._lobby.do(StreamAsker(stream, None, address), name, body)
                    else:
                        done = await self._in_room(stream, room, name, body, address)
                answer: dict[str, Any] = {"ok": True, **(done or {})}
            except Refused as refused:
                answer = {"ok": False, **refused.json(event)}
            except Exception as fault:
                log_fault(f"bot's request {event[:60]!r}", fault)
                return {"ok": False, **Refused("our-fault").json(event)}
            if key is not None and answer.get("code") not in ("closing", "interrupted", "room-moves"):
                stream.remember(key, asked, orjson.dumps(answer, option=orjson.OPT_SERIALIZE_NUMPY))
            return answer

    async def _in_room(self, stream: BotStream, room: str, name: str, body: object, address: str) -> Ack | None:
        if not self._registry.exists(room):
            raise Refused("no-such-room")
        if name == "enter":
            await self._streams.enter(stream, room, checked(EnterRoom, body).password)
            return None
        if name == "leave":
            checked(Nothing, body)
            await self._streams.leave(stream, room)
            return None
        read(ROOM, name, body)  # what can't be read is refused first
        return await self._streams.do(stream, room, address, name, body)


def _digest(room: str | None, event: str, body: object) -> bytes:
    """By what a request is known again."""
    try:
        check_json(body)
    except ValueError:  # it is refused, whatever it is, and may be too deep to be written
        body = None
    return sha256(json.dumps([room, event, body], sort_keys=True).encode()).digest()
