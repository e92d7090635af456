"""The bot API over HTTP: a stream of news that goes on from a cursor, and requests that are answered alike when they are repeated."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Header, Query, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse

from hanpan.core.words import Phrase
from hanpan.server.http.services import services_of
from hanpan.server.http.session import address_of, someone, status_of
from hanpan.server.protocol.refusals import Refused
from hanpan.server.storage.models import Person

router = APIRouter(prefix="/api/bot")
Key = Annotated[str | None, Header(alias="Idempotency-Key", max_length=100)]
Body = dict[str, object] | None


async def _bot(request: Request) -> Person:
    mine = await someone(request)
    if mine is None:
        raise Refused("unauthorized", phrase=Phrase("server.unknown-token"))
    if not mine.is_bot:
        raise Refused("bots-only")
    return mine


@router.get(
    "/events",
    summary="News for a bot, one JSON object a line, as they come",
    response_class=StreamingResponse,
    responses={200: {"content": {"application/x-ndjson": {}}}},
)
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

    The same `play` (game, ply and action) is answered the same way. For other requests, an `Idempotency-Key` does that; with another request it is refused.
    Whoever does not read the stream of events is refused (`no-stream`).
    """
    return await _answered(request, room, event, body, key)


@router.post("/lobby/{event}", summary="A bot's request in the lobby")
async def in_lobby(request: Request, event: str, body: Body = None, key: Key = None) -> Response:
    """An event of the namespace /lobby, with - for each space: `send-msg`, `send-dm`, `new-room` …; the body is its payload."""
    return await _answered(request, None, event, body, key)


async def _answered(request: Request, room: str | None, event: str, body: Body, key: str | None) -> Response:
    answer = await services_of(request).bot_requests.answer(await _bot(request), room, event, body, key, address_of(request))
    return JSONResponse(answer, 200 if answer["ok"] else status_of(answer["code"]))
