"""The bot API over HTTP: a stream of news that goes on from a cursor, and requests that are answered alike when they are repeated."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated

from fastapi import APIRouter, Header, Query, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse

from hanpan.server.faults import log_fault
from hanpan.server.http.services import services_of
from hanpan.server.http.session import address_of, me, status_of
from hanpan.server.protocol.refusals import Refused
from hanpan.server.protocol.requests import ClientRequest, Nothing
from hanpan.server.storage.models import Person
from hanpan.server.transport.bot_streams import BotStream, StreamAsker
from hanpan.server.transport.dispatch import LOBBY, ROOM, Ack, checked, read

router = APIRouter(prefix="/api/bot")
Key = Annotated[str | None, Header(alias="Idempotency-Key", max_length=100)]
Body = dict[str, object] | None


class EnterRoom(ClientRequest):
    """A room's password, if it has one."""

    password: str | None = None


async def _bot(request: Request) -> Person:
    mine = await me(request)
    if not mine.is_bot:
        raise Refused("bots-only")
    return mine


@router.get("/events", summary="News for a bot, one JSON object a line, as they come")
async def events(request: Request, cursor: Annotated[str, Query(max_length=40)] = "") -> Response:
    """Each line has `cursor`, `event`, `room` (null in the lobby) and `data`, as over sockets; empty lines keep the connection alive.

    Give the last line's cursor to go on after it: nothing is lost and nothing comes twice. Without one, or when it is too old (after some time away,
    or after a restart of the server), the first line is `account`, and how everything stands now follows.
    """
    bot = await _bot(request)
    await services_of(request).people.bans.saw(bot.id, address_of(request), "")
    return StreamingResponse(services_of(request).streams.open(bot, cursor), media_type="application/x-ndjson", headers={"Cache-Control": "no-store"})


@router.post("/rooms/{room}/{event}", summary="A bot's request in a room")
async def in_room(request: Request, room: str, event: str, body: Body = None, key: Key = None) -> Response:
    """`enter` (with `password`), `leave`, or an event of the namespace /room, with - for each space: `sit-on`, `set-ready`, `play` …; the body is its payload.

    The same `play` (game, ply and action) is answered the same way. For other requests, an `Idempotency-Key` does that.
    """
    services, bot = services_of(request), await _bot(request)
    streams = services.streams
    stream = streams.of(bot.id)

    async def handle() -> Ack | None:
        name = event.replace("-", " ")
        if not services.registry.exists(room):
            raise Refused("no-such-room")
        if name == "enter":
            await streams.enter(stream, room, checked(EnterRoom, body).password)
            return None
        if name == "leave":
            checked(Nothing, body)
            await streams.leave(stream, room)
            return None
        read(ROOM, name, body)  # what can't be read is refused first
        return await streams.do(stream, room, address_of(request), name, body)

    return await _answered(request, bot, stream, key, event, handle)


@router.post("/lobby/{event}", summary="A bot's request in the lobby")
async def in_lobby(request: Request, event: str, body: Body = None, key: Key = None) -> Response:
    """An event of the namespace /lobby, with - for each space: `send-msg`, `send-dm`, `new-room` …; the body is its payload."""
    services, bot = services_of(request), await _bot(request)
    stream = services.streams.of(bot.id)

    async def handle() -> Ack | None:
        return await services.dispatch.in_lobby(read(LOBBY, event.replace("-", " "), body), StreamAsker(stream, None, address_of(request)))

    return await _answered(request, bot, stream, key, event, handle)


async def _answered(request: Request, bot: Person, stream: BotStream, key: str | None, event: str, handle: Callable[[], Awaitable[Ack | None]]) -> Response:
    """Answer a request, or say again what was answered to it before."""
    await services_of(request).limits.events.slow_down(stream.person)
    async with stream.lock:
        services_of(request).people.check_still(bot)  # they may have waited
        if key is not None and key in stream.answers:
            return Response(stream.answers[key][1], stream.answers[key][0], media_type="application/json")
        try:
            with services_of(request).shutdown.under_way():
                status, answer = 200, {"ok": True, **(await handle() or {})}
        except Refused as refused:
            status, answer = status_of(refused), {"ok": False, **refused.json(event)}
        except Exception as fault:
            log_fault(f"bot's request {event[:60]!r}", fault)
            return JSONResponse({"ok": False, **Refused("our-fault").json(event)}, 500)
        said = JSONResponse(answer, status)
        if key is not None and status != 503:
            stream.remember(key, status, bytes(said.body))
        return said
