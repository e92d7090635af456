"""What a page needs to show games, over HTTP: words, rules, and the pictures of whole games as plain data."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib.resources import files
from itertools import islice, zip_longest
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, HTTPException, Path, Query, Request, Response
from fastapi.responses import HTMLResponse
from markdown_it import MarkdownIt

from hanpan.game import State, game, games, package, rulebook
from hanpan.reading import quoted
from hanpan.server.packed import constant, in_pieces
from hanpan.server.session import house_of
from hanpan.server.stills import demo as demo_of
from hanpan.server.stills import in_scenes
from hanpan.server.web import asked_game, found_game, read_record, record_of, replayed, unhurried, uploaded, viewer_of
from hanpan.server.wishes import Whole
from hanpan.words import LANGUAGES, Phrase, load

router = APIRouter()
STILL = 0.45  # of the demo: a position where one sees what the game is
_PICTURE = re.compile(r'<p><img src="demo:(\d+)(?:-(\d+))?" alt="([^"]*)" ?/?></p>')  # ![caption](demo:FIRST-LAST) in a rules page
_LETTER = "[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]"  # Chinese and Japanese letters and marks, which have no spaces between them
_GAP = re.compile(f"(?<={_LETTER})(</[a-z]+>)?[ \n](?={_LETTER})")
Language = Annotated[str, Path(pattern=f"^({'|'.join(LANGUAGES)})$")]


@router.get("/api/words/{language}", summary="The words of the house and of every game")
def all_words(request: Request, language: Language) -> Response:
    """Phrases are keys into these."""
    return constant(request, _words(language), "application/json")


@cache
def _words(language: str) -> bytes:
    return _json({"house": load("hanpan", language), "games": {name: load(package(name), language) for name in games()}})


def _json(told: Any) -> bytes:
    """Plain data, written without a look at each of its thousands of parts."""
    return orjson.dumps(told, option=orjson.OPT_SERIALIZE_NUMPY | orjson.OPT_NON_STR_KEYS)


@router.get("/api/games/{name}/rules/{language}", summary="A game's rules page, as HTML", response_class=HTMLResponse)
def rules(name: str, language: Language) -> str:
    """Headings, paragraphs, lists and tables; no scripts, no styles. A `figure` names positions of the demo in `data-first` and `data-last`."""
    _known(name)
    return _rules(name, language)


@cache
def _rules(name: str, language: str) -> str:
    book = rulebook(name)
    pages = [files(book.package).joinpath("words", f"{spoken}.md") for spoken in (language, "en")]
    found = next((page.read_text("utf-8") for page in pages if page.is_file()), None)
    text = found or f"# {book.say(Phrase('name'), language)}\n\n{book.say(Phrase('tagline'), language)}\n"  # a game from outside may have none
    shown = _PICTURE.sub(_figure, str(MarkdownIt("commonmark", {"html": False}).enable("table").render(text)))
    return _GAP.sub(r"\1", shown)  # where a line ended, or bold letters had to


def _figure(found: re.Match[str]) -> str:
    first, last, caption = found.groups()
    return f'<figure data-first="{first}" data-last="{last or first}"><figcaption>{caption}</figcaption></figure>'


@router.get("/api/games/{name}/scene", summary="The first position of a game as a picture in plain data")
async def first_scene(request: Request, name: str, options: Annotated[str, Query(max_length=4000)] = "{}") -> dict[str, Any]:
    """As spectators see it, before chance has decided anything; `options` is a JSON object."""
    _known(name)
    return await replayed(request, lambda: asked_game(name, options).start().view(None).scene().json())


@router.get("/api/games/{name}/demo", summary="A short game to look at: one picture after the other")
def demo(request: Request, name: str) -> Response:
    """Always the same."""
    _known(name)
    return constant(request, _demo(name), "application/json")


@cache
def _demo(name: str) -> bytes:
    return _json(demo_of(name))


@router.get("/api/stills", summary="One picture of every game, from its demo")
def stills(request: Request) -> Response:
    """To be seen before anything moves."""
    return constant(request, _stills(), "application/json")


@cache
def _stills() -> bytes:
    return _json({name: _still(name) for name in games()})


def _still(name: str) -> dict[str, Any]:
    shown = demo_of(name)[: int(len(demo_of(name)) * STILL) + 1]
    return {**shown[-1], "board": next(scene["board"] for scene in reversed(shown) if "board" in scene)}


@router.get("/api/records/{id}/scenes", summary="Every position of a game as a picture in plain data")
async def scenes(request: Request, id: str, since: Annotated[Whole, Query(ge=0)] = 0) -> Response:
    """Of a running game, as the asker may see it; from the position after `since` actions on. A scene without a board has the board of the one before."""
    row, table = await found_game(request, id)
    states: Iterable[State]
    if table is None:
        record = await record_of(request, row)
        states, people = islice(record.states(), since, None), record.people
        start = game(row.name, **row.options).start()
        told = [_line(start, action.text, action.seat) | ({"forced": True} if action.forced else {}) for action in row.actions]
    else:
        viewer = await viewer_of(request, row.room_id)
        states, told, people = [state.view(viewer) for state in table.states[since:]], table.told(viewer), {}
    about = {"game": row.name, "options": row.options, "actions": told, "people": people}
    return await replayed(request, lambda: _filmed(request, states, lambda: about))


@router.post("/api/records/scenes", summary="Every position of a record in the body, JSON or text")
async def scenes_of_record(request: Request) -> Response:
    """The record is checked and shown, not kept."""
    return await replayed(request, _shown, request, await uploaded(request))


def _shown(request: Request, text: str) -> Response:
    record, told, seen = read_record(text), [], deque[State](maxlen=1)
    people = {str(seat): name for seat, name in record.people.items()}

    def states() -> Iterator[State]:
        for action, state in zip_longest(record.actions, record.states()):
            if action is not None:
                told.append(_line(state, action, None if state.chance else state.seat))
            seen.append(state)
            yield state

    def about() -> dict[str, Any]:
        ended = record.outcome(seen[0])
        result = {"winner": ended and ended.winner, "reason": ended and ended.reason}
        return {"game": record.name, "options": record.options, "actions": told, "people": people} | result

    return _filmed(request, states(), about)


def _filmed(request: Request, states: Iterable[State], about: Callable[[], dict[str, Any]]) -> Response:
    """All positions as pictures, each written as soon as it is there, and what there is to say about them once they were seen."""

    def pieces() -> Iterator[bytes]:
        before = b'{"scenes":['
        for scene in in_scenes(unhurried(states)):
            yield before + _json(scene)
            before = b","
        yield (b"]," if before == b"," else before + b"],") + _json(about())[1:]

    return in_pieces(request, pieces(), "application/json")


@router.get("/api/rooms/{id}/scene", summary="How it stands in a room, as spectators see it")
def room_scene(request: Request, id: str, since: Annotated[Whole, Query(ge=-1)] = -1) -> dict[str, Any]:
    """Only of rooms that let anyone watch. `since` is the ply already seen: without news the scene is left out."""
    room = house_of(request).rooms.get(id)
    if room is None or room.table is None or room.password is not None or not room.settings.spectators:
        raise HTTPException(404, "no game to watch there")
    ply = room.table.ply
    return {"ply": ply} if ply == since else {"ply": ply, "scene": room.table.view(None).scene().json()}


def _line(state: State, action: str, seat: int | None) -> dict[str, Any]:
    """An action of an open record, with its words where the game has some."""
    said = state.spoken(action)
    return {"action": action, "seat": seat} | ({"say": said.json()} if said is not None else {})


def _known(name: str) -> None:
    if name not in games():
        raise HTTPException(404, f"{quoted(name)} is not a game; there are {', '.join(games())}")
