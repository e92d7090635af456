"""The archive over HTTP: many finished games at once, as records."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, HTTPException, Query, Request
from fastapi.responses import StreamingResponse

from hanpan.server.http.known import known_game
from hanpan.server.http.records import names_of, whoever
from hanpan.server.http.services import services_of
from hanpan.server.http.session import much_asked
from hanpan.server.storage.archive import plain_record

router = APIRouter()
MOST_GAMES = 1000
_PAGE = 100


@router.get("/api/archive.jsonl", summary="Finished games as records, one a line, newest first", response_class=StreamingResponse)
async def records(
    request: Request,
    name: Annotated[str | None, Query(alias="game")] = None,
    person: Annotated[str | None, Query(max_length=64)] = None,
    limit: Annotated[int, Query(ge=1, le=MOST_GAMES)] = MOST_GAMES,
) -> StreamingResponse:
    """Of all games or of one, everyone's or one person's. `hanpan replay FILE` and the page read each line."""
    if name is not None:
        await known_game(name)
    if person is not None and await services_of(request).people.person(person) is None:
        raise HTTPException(404, "no such person")
    much_asked(request)
    told = "-".join(part for part in ("hanpan", name, person) if part)
    headers = {"Content-Disposition": f'attachment; filename="{told}.jsonl"'}
    return StreamingResponse(_lines(request, name, person, limit, await whoever(request)), media_type="application/jsonl", headers=headers)


async def _lines(request: Request, name: str | None, person: str | None, left: int, viewer: str | None) -> AsyncIterator[str]:
    store, before = services_of(request).store, None
    while left > 0:
        page = await store.finished_games(name, min(left, _PAGE), before, person, viewer)
        if not page:
            return
        before = page[-1].id
        for row in page:
            whole = await store.game(row.id)
            if whole is None:
                continue
            left -= 1
            people = {str(seat + 1): called for seat, called in enumerate(await names_of(request, whole))}
            yield json.dumps(plain_record(whole) | {"people": people}, ensure_ascii=False) + "\n"
