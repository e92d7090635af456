"""About oneself over HTTP: who one is, one's logins, blocks, reports, bots, and all data to take along or to delete."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response
from pydantic import Field, StringConstraints

from hanpan.core.unfit import Unfit
from hanpan.game import games
from hanpan.server.http.answers import AboutMe, Export, LoginLine, PlayedGame, SessionLine, played_game, rating_step
from hanpan.server.http.services import services_of
from hanpan.server.http.session import caller_of, forget_session, language_of, logins_of, me, much_asked, proved
from hanpan.server.people.scopes import SCOPES, Scope, read, written
from hanpan.server.protocol.refusals import Refused
from hanpan.server.protocol.requests import ClientRequest, Id, Name
from hanpan.server.storage.accounts import Login
from hanpan.server.storage.models import Person, Session
from hanpan.server.storage.names import folded

router = APIRouter()
MOST_BOTS = 10  # that one account may answer for
MOST_BLOCKED = 1000
SHOWN = 16  # letters of a session's id that are told
Said = Annotated[str, StringConstraints(max_length=1000, strip_whitespace=True)]


class BlockRequest(ClientRequest):
    """Someone whom one does not want to hear any more."""

    id: Id


class ReportRequest(ClientRequest):
    """Something that the operators should know about someone. `message_id`: what they said in a room, quoted from what is kept there;
    `message`: what they said elsewhere, as whoever reports it tells it."""

    about: Id
    text: Said = ""
    message: Said | None = None
    message_id: Id | None = None
    room: Id | None = None


class NewBot(ClientRequest):
    """A bot's name, and what its token may do: everything, if that is left out."""

    name: Name
    scopes: list[Scope] | None = Field(default=None, max_length=len(SCOPES))


class NewToken(ClientRequest):
    """What the new token may do: the same as the old one, if that is left out."""

    scopes: list[Scope] | None = Field(default=None, max_length=len(SCOPES))


class DeleteRequest(ClientRequest):
    """Everything about oneself is deleted; `name` must be one's own name, so that it does not happen by mistake."""

    name: str = Field(max_length=100)


@router.get("/api/me", summary="Who you are")
async def about_me(request: Request) -> AboutMe:
    """With your logins, your second factors (never their secrets), where you are logged in, the people you have blocked and the bots you answer for."""
    services, caller = services_of(request), await caller_of(request)
    if caller is None:
        raise Refused("unauthorized")
    mine = await services.people.reload(caller.person.id)  # `hanpan operator` changes it beside us
    accounts = services.store.accounts
    blocked = await services.store.people(await services.speech.know(mine.id))
    return {
        "person": services.people.person_info(mine.id), "kind": mine.kind, "role": mine.role, "muted_until": mine.muted_until,
        "logins": [_login(login) for login in await accounts.logins_of(mine.id)],
        "second": await logins_of(request).second.told(mine),
        "sessions": [_session(session, caller.key) for session in await services.people.sessions.stored.of(mine.id) if session.ends_at > services.now()],
        "blocked": [{"id": person.id, "name": person.name} for person in blocked.values()],
        "bots": [{"id": bot.id, "name": bot.name, "scopes": read(bot.scopes)} for bot in await accounts.bots_of(mine.id)],
    }  # fmt: skip


def _login(login: Login) -> LoginLine:
    return {"id": login.id, "provider": login.provider, "email": login.email, "since": login.created_at}


def _session(session: Session, mine: str) -> SessionLine:
    return {
        "id": session.id[:SHOWN], "here": session.id == mine, "browser": session.browser, "place": session.place,
        "since": session.created_at, "seen": session.seen_at, "ends": session.ends_at,
    }  # fmt: skip


@router.delete("/api/me/logins/{id}", summary="Remove one of several logins")
async def remove_login(request: Request, id: str) -> dict[str, bool]:
    """The last one stays. Whoever removes one has to have proved a short while ago who they are."""
    await logins_of(request).remove(await proved(request), id, language_of(request))
    return {"ok": True}


@router.delete("/api/me/sessions/{id}", summary="Log out somewhere else")
async def end_session(request: Request, id: Annotated[str, Path(min_length=SHOWN, max_length=SHOWN)]) -> dict[str, bool]:
    """That session ends at once, with its sockets."""
    services, mine = services_of(request), await me(request)
    for session in await services.people.sessions.stored.of(mine.id):
        if session.id[:SHOWN] == id:
            await services.people.log_out(session.id)
            return {"ok": True}
    raise Refused("no-such-session")


@router.delete("/api/me/sessions", summary="Log out everywhere else")
async def end_other_sessions(request: Request) -> dict[str, bool]:
    """All sessions but this one end."""
    caller = await caller_of(request)
    if caller is None or caller.session is None:
        raise Refused("unauthorized")
    await services_of(request).people.log_out_everywhere(caller.person.id, but=caller.session.id)
    return {"ok": True}


# --- living together ---


@router.post("/api/me/blocks", summary="Block someone")
async def block(request: Request, body: BlockRequest) -> dict[str, bool]:
    """Their messages and invitations do not arrive any more; they are not told."""
    services, mine = services_of(request), await me(request)
    services.people.check_scope(mine.id, "chat")
    if await services.people.person(body.id) is None:
        raise Refused("no-such-person")
    if len(await services.speech.know(mine.id)) >= MOST_BLOCKED:
        raise Refused("too-big")
    await services.speech.block(mine.id, body.id)
    return {"ok": True}


@router.delete("/api/me/blocks/{id}", summary="Hear someone again")
async def unblock(request: Request, id: str) -> dict[str, bool]:
    """Undoes a block."""
    services, mine = services_of(request), await me(request)
    services.people.check_scope(mine.id, "chat")
    await services.speech.unblock(mine.id, id)
    return {"ok": True}


@router.post("/api/reports", summary="Report a person or a message", status_code=201)
async def report(request: Request, body: ReportRequest) -> dict[str, str]:
    """Operators will look at it."""
    services, mine = services_of(request), await me(request)
    if await services.people.person(body.about) is None:
        raise Refused("no-such-person")
    services.people.check_scope(mine.id, "chat")
    services.limits.messages.check(mine.id)
    message, room = body.message, body.room
    if body.message_id is not None or (message is not None and room is not None):
        kept = await services.store.chat.said(body.message_id or "", body.about)
        there = await services.registry.look(kept.room_id) if kept is not None else None
        if kept is None or (there is not None and not there.chat.may_read(mine.id, kept)):
            raise Refused("no-such-message")
        message, room = kept.text, kept.room_id
    return {"id": await services.store.moderation.report(mine.id, body.about, body.text, message, room, body.message_id)}


# --- bots ---


@router.post("/api/me/bots", summary="A new bot account", status_code=201)
async def new_bot(request: Request, body: NewBot) -> dict[str, str]:
    """Of an account that has proved a short while ago whose it is (logging in does). The answer has the bot's `id` and its `token`, which is shown this once.
    `scopes`: what the token may do; everything, if left out."""
    services, mine = services_of(request), await me(request)
    if mine.kind != "account":
        raise Refused("account-only")
    await proved(request)
    if len(await services.store.accounts.bots_of(mine.id)) >= MOST_BOTS:
        raise Refused("too-big")
    name = await services.speech.may_name(mine.id, body.name)
    bot = await services.store.add_person(name, folded(name), "bot", mine.id)
    if bot is None:
        raise Refused("name-taken")
    return {"id": bot.id, "token": await services.people.new_bot_token(bot.id, written(body.scopes))}


@router.post("/api/me/bots/{id}/token", summary="Another token for a bot of yours")
async def bot_token(request: Request, id: str, body: NewToken | None = None) -> dict[str, str]:
    """The old one does not work any more, and whatever was opened with it is closed."""
    bot = await _own_bot(request, id)
    scopes = bot.scopes if body is None or body.scopes is None else written(body.scopes)
    return {"id": bot.id, "token": await services_of(request).people.new_bot_token(bot.id, scopes)}


@router.delete("/api/me/bots/{id}", summary="Delete a bot of yours")
async def delete_bot(request: Request, id: str) -> dict[str, bool]:
    """Its games stay, without its name."""
    await services_of(request).people.forget((await _own_bot(request, id)).id)
    return {"ok": True}


async def _own_bot(request: Request, id: str) -> Person:
    mine = await proved(request)
    found = await services_of(request).store.person(id)
    if found is None or found.owner_id != mine.id or not found.is_bot:
        raise Refused("no-such-person")
    return found


# --- my data ---


@router.get("/api/me/export", summary="All data about you")
async def export(request: Request) -> Export:
    """As one JSON document."""
    much_asked(request)
    services, mine = services_of(request), await me(request)
    played: list[PlayedGame] = []
    before: str | None = None
    while rows := await services.store.games_of(mine.id, 100, before):
        before = rows[-1].id
        played += [played_game(row) for row in rows]
    return {
        **await about_me(request),
        "created_at": mine.created_at, "games": played,
        "ratings": {name: [rating_step(change) for change in await services.store.history(mine.id, name)] for name in games()},
        "reports": await services.store.moderation.reports_by(mine.id),
        "messages": [{"room": said.room_id, "at": said.at, "text": said.text} for said in await services.store.chat.by(mine.id)],
    }  # fmt: skip


@router.delete("/api/me", summary="Delete everything about you")
async def delete_me(request: Request, response: Response, body: DeleteRequest) -> dict[str, bool]:
    """Logins, ratings, blocks, bots and your name; your games stay with those you played with, without your name."""
    mine = await me(request)
    if mine.is_bot:  # whoever has a bot's token is not its owner yet
        raise Refused("no-bots")
    if body.name != mine.name:
        raise Refused.because(Unfit("name-not-yours"))
    await proved(request)
    logins, language = logins_of(request), language_of(request)
    addresses = await logins.addresses(mine.id)
    await services_of(request).people.forget(mine.id)
    logins.tell_owner(addresses, "deleted", mine, language)
    forget_session(request, response)
    return {"ok": True}
