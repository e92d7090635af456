"""What a page needs to show games, over HTTP: words, rules, and the pictures of whole games as plain data."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import Annotated

from fastapi import APIRouter, HTTPException, Path, Query, Request, Response
from fastapi.responses import HTMLResponse
from markdown_it import MarkdownIt

from hanpan.core.words import LANGUAGES, Phrase, load, say
from hanpan.rulebook import games, package
from hanpan.server.http.known import KnownGame
from hanpan.server.http.packed import already, constant
from hanpan.server.http.records import by_game, drawn, found_game, record_of, replayed, told, uploaded, viewer_of
from hanpan.server.http.services import services_of
from hanpan.server.protocol.requests import Whole
from hanpan.server.rooms import showing
from hanpan.server.rooms.showing import plain
from hanpan.server.stills import demo as demo_of
from hanpan.server.stills import picture

router = APIRouter()
_PICTURE = re.compile(r'<p><img src="demo:(\d+)(?:-(\d+))?" alt="([^"]*)" ?/?></p>')  # ![caption](demo:FIRST-LAST) in a rules page
_LETTER = "[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]"  # Chinese and Japanese letters and marks, which have no spaces between them
_GAP = re.compile(f"(?<={_LETTER})(</[a-z]+>)?[ \n](?={_LETTER})")
Language = Annotated[str, Path(pattern=f"^({'|'.join(LANGUAGES)})$")]


@router.get("/api/words/{language}", summary="Hanpan's own words and of every game")
async def all_words(request: Request, language: Language) -> Response:
    """Phrases are keys into these."""
    return await constant(request, lambda: _words(language), "application/json")


def _words(language: str) -> bytes:
    return plain({"house": load("hanpan", language), "games": {name: load(package(name), language) for name in games()}})


@router.get("/api/games/{name}/rules/{language}", summary="A game's rules page, as HTML", response_class=HTMLResponse)
async def rules(request: Request, name: KnownGame, language: Language) -> Response:
    """Headings, paragraphs, lists and tables; no scripts, no styles. A `figure` names positions of the demo in `data-first` and `data-last`."""
    return await constant(request, lambda: _rules(name, language).encode(), "text/html")


def _rules(name: str, language: str) -> str:
    pages = [files(package(name)).joinpath("words", f"{spoken}.md") for spoken in (language, "en")]
    found = next((page.read_text("utf-8") for page in pages if page.is_file()), None)
    text = found or "# {}\n\n{}\n".format(*(say(package(name), Phrase(key), language) for key in ("name", "tagline")))  # a game from outside may have none
    shown = _PICTURE.sub(_figure, str(MarkdownIt("commonmark", {"html": False}).enable("table").render(text)))
    return _GAP.sub(r"\1", shown)  # where a line ended, or bold letters had to


def _figure(found: re.Match[str]) -> str:
    first, last, caption = found.groups()
    return f'<figure data-first="{first}" data-last="{last or first}"><figcaption>{caption}</figcaption></figure>'


@router.get("/api/games/{name}/scene", summary="The first position of a game as a picture in plain data")
async def first_scene(request: Request, name: KnownGame, options: Annotated[str, Query(max_length=4000)] = "{}") -> Response:
    """As spectators see it, before chance has decided anything; `options` is a JSON object."""
    return told(await drawn(request, showing.first_scene, name, options))


@router.get("/api/games/{name}/demo", summary="A short game to look at: one picture after the other")
async def demo(request: Request, name: KnownGame) -> Response:
    """Always the same."""
    return await constant(request, lambda: demo_of(name), "application/json")


@router.get("/api/stills", summary="One picture of every game, from its demo")
async def stills(request: Request) -> Response:
    """To be seen before anything moves."""
    return await constant(request, lambda: by_game({name: picture(name) for name in games()}), "application/json")


@router.get("/api/records/{id}/scenes", summary="Every position of a game as a picture in plain data")
async def scenes(request: Request, id: str, since: Annotated[Whole, Query(ge=0)] = 0) -> Response:
    """Of a running game, as the asker may see it; from the position after `since` actions on. A scene without a board has the board of the one before."""
    row, match = await found_game(request, id)
    if match is None:
        seats = [action.seat for action in row.actions]
        return already(request, await replayed(request, showing.film, await record_of(request, row), seats, since), "application/json")
    viewer = await viewer_of(request, row.room_id)
    about = {"game": row.name, "options": row.options, "actions": match.told(viewer), "people": {}}
    return already(request, await replayed(request, showing.film_for, match.record(), viewer, since, about), "application/json")


@router.post("/api/records/scenes", summary="Every position of a record in the body, JSON or text")
async def scenes_of_record(request: Request) -> Response:
    """The record is checked and shown, not kept."""
    return already(request, await replayed(request, showing.film_of_text, await uploaded(request)), "application/json")


@router.get("/api/rooms/{id}/scene", summary="How it stands in a room, as spectators see it")
async def room_scene(request: Request, id: str, since: Annotated[Whole, Query(ge=-1)] = -1) -> Response:
    """Only of rooms that let anyone watch. `since` is the ply already seen: without news the scene is left out."""
    room = await services_of(request).registry.look(id)
    if room is None or room.state.match is None or room.state.password is not None or not room.state.settings.spectators:
        raise HTTPException(404, "no game to watch there")
    ply = room.state.match.ply
    return told(plain({"ply": ply}) if ply == since else await drawn(request, showing.scene, room.state.match.view(None), ply))
