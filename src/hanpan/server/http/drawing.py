"""Options that are texts of their own, over HTTP: reading one that was typed or pasted, and drawing one step by step by the rules."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, HTTPException, Request, Response
from pydantic import Field

from hanpan.core.option import Option
from hanpan.game import game, games
from hanpan.server.http.records import drawn, told
from hanpan.server.http.services import services_of
from hanpan.server.protocol.requests import Action, ClientRequest, Word
from hanpan.server.rooms import showing

router = APIRouter()
MOST_STEPS = 200


class ReadRequest(ClientRequest):
    """A text for an option."""

    value: Annotated[str, Field(max_length=4000)]


class DrawRequest(ClientRequest):
    """The steps so far; `clicks`: why can't the next one begin with pointing at these places?"""

    actions: Annotated[list[Action], Field(max_length=MOST_STEPS)] = []
    clicks: Annotated[list[Word], Field(max_length=8)] = []


@router.post("/api/games/{name}/options/{option}/read", summary="Whether a text can stand for an option, and what the game looks like then")
async def read_option(request: Request, name: str, option: str, body: ReadRequest) -> Response:
    """The text as it is kept, and the first picture; a refusal says in the reader's language what is wrong with it."""
    await _option(request, name, option)
    return told(await drawn(request, showing.option_read, name, option, body.value))


@router.post("/api/games/{name}/options/{option}/draw", summary="A text for an option, drawn step by step as players would lay it")
async def draw_option(request: Request, name: str, option: str, body: DrawRequest) -> Response:
    """The picture, the places of each step so far, the next steps with their places, and the text once it is whole; `why` answers `clicks`."""
    found = await _option(request, name, option)
    if not found.laid:
        raise HTTPException(404, f"{option}: is not drawn")
    return told(await drawn(request, showing.option_drawn, name, option, found.laid, body.actions, body.clicks))


async def _option(request: Request, name: str, option: str) -> Option:
    if name in games():
        await services_of(request).context.games.load(name, {})  # its rules may have to be loaded
        for found in game(name).book.options:
            if found.name == option and found.free is not None:
                return found
    raise HTTPException(404, "no such option")
