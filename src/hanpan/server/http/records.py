"""HTTP beside the sockets: guests, people, leaderboards, games, records."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, TypeVar

from fastapi import APIRouter, HTTPException, Query, Request, Response
from fastapi.responses import PlainTextResponse
from typing_extensions import TypedDict

from hanpan.core.option import Value
from hanpan.core.unfit import Unfit
from hanpan.game import games
from hanpan.record import GameRecord
from hanpan.server import stills
from hanpan.server.http.answers import Entered, GameLine, Leader, RatingStep, rating_step
from hanpan.server.http.known import KnownGame
from hanpan.server.http.packed import constant
from hanpan.server.http.services import services_of
from hanpan.server.http.session import address_of, browser_of, caller_of, keep_session, language_of, much_asked, someone, where_of
from hanpan.server.people.rating import rank, shown
from hanpan.server.protocol.messages import LedgerLine, PersonInfo, Told
from hanpan.server.protocol.refusals import Refused
from hanpan.server.protocol.requests import RenameRequest, Whole
from hanpan.server.rooms import showing
from hanpan.server.rooms.match import Match, ledger_of
from hanpan.server.rooms.showing import asked_game
from hanpan.server.rooms.studio import Studio
from hanpan.server.stills import TableLike
from hanpan.server.storage.models import GameRow

router = APIRouter()
MOST_UPLOAD = 200_000
A_REQUEST = 20  # actions that are read or played through for one request of an address
BEFORE = "hanpan"  # where guests from before there were sessions have their signed token
T = TypeVar("T")


class Running(TypedDict):
    """What someone may know of a running game."""

    game: str
    options: Mapping[str, Value]
    position: str
    actions: list[Told]
    running: bool


async def whoever(request: Request) -> str | None:
    """The id of the person who asks."""
    found = await someone(request)
    return None if found is None else found.id


# --- people ---


@router.post("/api/guest", summary="Be someone: a new guest, or whoever your cookie names")
async def guest(request: Request, response: Response) -> Entered:
    """Sets the cookie, which also opens sockets. No script can read it, so it is in no answer."""
    services = services_of(request)
    caller = await caller_of(request) or await services.people.welcome(request.cookies.get(BEFORE), where_of(request), language_of(request))
    await services.people.bans.saw(caller.person.id, address_of(request), browser_of(request))
    keep_session(request, response, caller)
    return {"person": services.people.person_info(caller.person.id), "kind": caller.person.kind, "role": caller.person.role}


@router.patch("/api/me", summary="Take another name")
async def rename(request: Request, body: RenameRequest) -> PersonInfo:
    """Everyone who sees you is told."""
    me = await whoever(request)
    if me is None:
        raise HTTPException(401, "unauthorized")
    services_of(request).people.check_scope(me, "chat")
    await services_of(request).speech.rename(me, body.name)
    return services_of(request).people.person_info(me)


@router.get("/api/people/{id}", summary="Someone")
async def person(request: Request, id: str) -> PersonInfo:
    """Their name, and how strong they are."""
    await _known(request, id)
    for name in games():
        await services_of(request).people.rating(id, name)
    return services_of(request).people.person_info(id)


@router.get("/api/people/{id}/games", summary="Someone's games, newest first")
async def games_of(request: Request, id: str, limit: Annotated[Whole, Query(ge=1, le=100)] = 20, before: str | None = None) -> list[GameLine]:
    """With their results; `before` is the last game already seen."""
    await _known(request, id)
    return [await _line(request, row) for row in await services_of(request).store.games_of(id, limit, before, await whoever(request))]


@router.get("/api/people/{id}/ratings/{name}", summary="How someone's rating moved")
async def rating_history(request: Request, id: str, name: KnownGame) -> list[RatingStep]:
    """Oldest first; without the id of a game that the asker does not find."""
    await _known(request, id)
    store = services_of(request).store
    hidden = await store.hidden_from(await whoever(request), id)
    return [rating_step(change, change.game_id in hidden) for change in await store.history(id, name)]


@router.get("/api/leaderboards/{name}", summary="The best of a game")
async def leaderboard(request: Request, name: KnownGame, limit: Annotated[Whole, Query(ge=1, le=200)] = 50, bots: bool = False) -> list[Leader]:
    """By rating, of those with an account; `bots`: the programs, which have a board of their own."""
    found = await services_of(request).store.leaderboard(name, limit, bots)
    return [
        {"id": who.id, "name": who.name, "bot": bots, "rating": shown(r.value), "games": r.games, "rank": rank(r.value).key, "colour": rank(r.value).colour}
        for who, r in found
    ]


# --- games, rooms, records ---


@router.get("/api/games", summary="The games and their options")
async def all_games(request: Request) -> Response:
    """Names, options, what a table with the plain ones is like, the side that each seat plays for, and whether there are rounds, with a pause between them."""
    return await constant(request, lambda: by_game({name: stills.about(name) for name in games()}), "application/json")


def by_game(told: Mapping[str, bytes]) -> bytes:
    """What is told of each game in JSON, as one object."""
    return b"{%s}" % b",".join(b"%s:%s" % (showing.plain(name), line) for name, line in told.items())


@router.get("/api/games/{name}/table", summary="What a table of a game is like with some options")
def table_like(name: KnownGame, options: Annotated[str, Query(max_length=4000)] = "{}") -> TableLike:
    """`options` is a JSON object. `clock`: what people usually play with; `timed`: a new table has it unless told otherwise; `leaving` may be `resigns`."""
    try:
        return TableLike.of(asked_game(name, options))
    except ValueError as wrong:
        raise HTTPException(422, str(wrong)) from None


@router.get("/api/rooms", summary="The rooms that are open")
async def rooms(request: Request) -> Response:
    """As in the lobby."""
    return told(showing.plain(services_of(request).lobby.listing()["rooms"]))


@router.get("/api/records", summary="The archive: games that have ended, newest first")
async def archive(
    request: Request,
    name: Annotated[str | None, Query(alias="game")] = None,
    limit: Annotated[Whole, Query(ge=1, le=100)] = 20,
    before: str | None = None,
    person: Annotated[str | None, Query(max_length=64)] = None,
) -> list[GameLine]:
    """Of all games or of one, everyone's or one person's; `before` is the last one already seen."""
    return [await _line(request, row) for row in await services_of(request).store.finished_games(name, limit, before, person, await whoever(request))]


@router.get("/api/records/{id}.json", summary="A game's record as JSON")
async def record_json(request: Request, id: str) -> Response:
    """Of a running game, each viewer gets its own view of it."""
    row, match = await found_game(request, id)
    if match is not None:
        return told(showing.plain(await _running(request, row, match)))
    record = await record_of(request, row)
    return Response(await replayed(request, GameRecord.to_json, record), media_type="application/json")


@router.get("/api/records/{id}.txt", summary="A game's record as text", response_class=PlainTextResponse)
async def record_text(request: Request, id: str) -> str:
    """For people to read."""
    row, match = await found_game(request, id)
    if match is None:
        record = await record_of(request, row)
        return await replayed(request, GameRecord.to_text, record)
    seen = await _running(request, row, match)
    lines = [f"game: {seen['game']}", "running, as you may know it", ""]
    return "\n".join(lines + [f"{n + 1:>4}  {line['action']}" for n, line in enumerate(seen["actions"])]) + "\n"


@router.get("/api/records/{id}.svg", summary="The picture of a position of a game")
async def record_svg(request: Request, id: str, ply: Annotated[Whole | None, Query(ge=0)] = None, theme: str = "auto", language: str = "en") -> Response:
    """Any position, of a running game as the asker may see it; without a ply the last one."""
    row, match = await found_game(request, id)
    if match is not None:
        viewer = await viewer_of(request, row.room_id)
        if ply is None or ply >= match.ply:
            return _picture(await drawn(request, showing.picture, match.view(viewer), theme, language))
        return _picture(await replayed(request, showing.picture_for, match.record(ply), viewer, theme, language))
    return _picture(await replayed(request, showing.picture_of_record, await record_of(request, row), ply, theme, language))


@router.get("/api/records/{id}/ledger", summary="The clock's ledger: what every action was charged")
async def ledger(request: Request, id: str) -> list[LedgerLine]:
    """For each action when it arrived (since the beginning), what was charged for it and what lag was forgiven, in milliseconds."""
    row, match = await found_game(request, id)
    return ledger_of(row.actions if match is None else match.played, row.started_at)


@router.get("/api/records/{id}", summary="A game: who played, when, how it ended")
async def about(request: Request, id: str) -> GameLine:
    """Without its actions."""
    row, _ = await about_game(request, id)
    return await _line(request, row)


@router.post("/api/records", summary="Check a record: JSON or text in the body")
async def check_record(request: Request) -> Response:
    """Replays it; says how it ends."""
    return told(await replayed(request, showing.checked, await uploaded(request)))


@router.get("/api/svg", summary="The picture of any position")
async def svg(
    request: Request,
    name: Annotated[str, Query(alias="game")],
    position: Annotated[str | None, Query(max_length=4000)] = None,
    options: Annotated[str, Query(max_length=4000)] = "{}",
    seat: Annotated[str | None, Query(description="whose view the position is: a seat from 0, or `spectator`; open if left out")] = None,
    theme: str = "auto",
    language: str = "en",
    seed: Whole = 1,
) -> Response:
    """SVG; `options` is a JSON object. Without a position, the beginning."""
    return _picture(await drawn(request, showing.picture_of_text, name, position, options, seat, theme, language, seed))


# --- behind them ---


async def _known(request: Request, id: str) -> None:
    if await services_of(request).people.person(id) is None:
        raise HTTPException(404, "no such person")


async def found_game(request: Request, id: str) -> tuple[GameRow, Match | None]:
    """A game: with its table, if it is running, which has its actions; else with the actions."""
    row, match = await about_game(request, id)
    whole = await services_of(request).store.game(id) if match is None else row
    if whole is None:  # it was removed just now
        raise HTTPException(404, "no such game")
    much_asked(request, (len(whole.actions) if match is None else match.ply) / A_REQUEST)
    return whole, match


async def about_game(request: Request, id: str) -> tuple[GameRow, Match | None]:
    """A game without its actions; with its table, if it is running."""
    services = services_of(request)
    row = await services.store.about_game(id)
    if row is None:
        raise HTTPException(404, "no such game")
    if row.ended_at is not None:
        return row, None
    room = await services.registry.look(row.room_id)
    if room is None or room.state.match is None or room.state.match.id != id:
        raise HTTPException(404, "no such game")
    if not room.state.may_watch(await whoever(request)):
        raise HTTPException(403, "this game is open only to those in its room until it has ended")
    return row, room.state.match


async def viewer_of(request: Request, room_id: str) -> int | None:
    """The seat whose eyes the asker sees a running game with."""
    me, room = await whoever(request), await services_of(request).registry.look(room_id)
    return room.state.seat_of(me) if me is not None and room is not None else None


async def _running(request: Request, row: GameRow, match: Match) -> Running:
    """What the asker may know of a running game."""
    viewer = await viewer_of(request, row.room_id)
    seen = match.view(viewer)
    return {"game": row.name, "options": row.options, "position": str(seen), "actions": match.told(viewer), "running": True}


async def record_of(request: Request, row: GameRow) -> GameRecord:
    """The whole record of a finished game, with the names of those who began it."""
    people = dict(enumerate(await names_of(request, row)))
    forced = frozenset(ply for ply, action in enumerate(row.actions) if action.forced)
    ended = row.ended
    result = None if ended is None or ended.told_by_rules else ended
    return GameRecord(row.name, row.options, tuple(action.text for action in row.actions), None, forced, people, result)


async def names_of(request: Request, row: GameRow) -> list[str]:
    """Who began on each seat, as a record says it."""
    names = await _names(request, row)
    return [names[seat] or f"computer, level {who.get('bot')}" for seat, who in enumerate(row.people)]


async def _names(request: Request, row: GameRow) -> list[str | None]:
    """Who began on each seat; None where it was a computer player."""
    began = [who.get("first") or who.get("person") for who in row.people]
    sitters = [await services_of(request).people.person(id) if id else None for id in began]
    return [None if sitter is None else services_of(request).people.called(sitter.id) for sitter in sitters]


async def replayed(request: Request, work: Callable[..., T], *arguments: object) -> T:
    """Have a whole game played through (see `showing`), apart from everyone's events."""
    return await _apart(request, request.app.state.studio, work, *arguments)


async def drawn(request: Request, work: Callable[..., T], *arguments: object) -> T:
    """Have a single position drawn, likewise; it waits for no whole game."""
    return await _apart(request, services_of(request).sketches, work, *arguments)


async def _apart(request: Request, studio: Studio, work: Callable[..., T], *arguments: object) -> T:
    """Addresses take turns. Whoever has gone before it is their turn wants nothing any more."""
    try:
        return await studio.do(address_of(request), work, *arguments, unless=request.is_disconnected)
    except ValueError as wrong:
        raise HTTPException(422, str(wrong)) from None


async def uploaded(request: Request) -> str:
    """The text in a request's body."""
    much_asked(request)
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MOST_UPLOAD:
            raise Refused("record-too-big", most=MOST_UPLOAD // 1000)
    much_asked(request, max(body.count(b","), body.count(b"\n")) / A_REQUEST)  # it has no more actions than that
    try:
        return body.decode()
    except UnicodeDecodeError:
        raise Refused.by_reader(Unfit("no-text")) from None


def told(body: bytes) -> Response:
    """An answer in JSON that is written already."""
    return Response(body, media_type="application/json")


def _picture(svg: str) -> Response:
    return Response(svg, media_type="image/svg+xml")


async def _line(request: Request, row: GameRow) -> GameLine:
    return {
        "id": row.id, "game": row.name, "options": row.options, "settings": row.settings, "people": row.people, "names": await _names(request, row),
        "rated": row.rated, "counted": row.counted, "started_at": row.started_at, "ended_at": row.ended_at, "result": row.result,
    }  # fmt: skip
