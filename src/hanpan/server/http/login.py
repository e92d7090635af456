"""Logging in over HTTP: by e-mail, with an account elsewhere, with a custom token. What people see of it is in the page."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, HTTPException, Query, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import Field, StringConstraints

from hanpan.server.http.answers import Entered, HalfOpen
from hanpan.server.http.services import services_of
from hanpan.server.http.session import address_of, caller_of, forget_session, language_of, log_in, logins_of, me, settings_of
from hanpan.server.people.logins import HALF_SECONDS, Half
from hanpan.server.people.passwords import MOST
from hanpan.server.people.sessions import TICKET_SECONDS
from hanpan.server.protocol.refusals import Refused
from hanpan.server.protocol.requests import ClientRequest
from hanpan.server.storage.models import Person

router = APIRouter()
HALF = "hanpan_half"  # the cookie that ties what is left of a login to the browser that began it
STATE = "hanpan_login"  # the cookie that ties a login elsewhere to the browser that began it
Email = Annotated[str, StringConstraints(max_length=254)]
Password = Annotated[str, StringConstraints(max_length=MOST)]
Ticket = Annotated[str, StringConstraints(max_length=64)]
Jwt = Annotated[str, StringConstraints(max_length=8000)]


class ByEmail(ClientRequest):
    """An address and its password."""

    email: Email
    password: Password


class AskForLink(ClientRequest):
    """The address that a link is mailed to."""

    email: Email


class ChoosePassword(ClientRequest):
    """A password, by the ticket from a mailed link."""

    ticket: Ticket
    password: Password


class ByToken(ClientRequest):
    """A token of the operator's own site."""

    token: Jwt = Field(description="JWT (HS256 or RS256) with sub, name, exp (at most 10 minutes ahead) and aud")


async def _try(request: Request, account: str = "") -> None:
    await services_of(request).limits.attempt(address_of(request), account)


async def logged_in(request: Request, response: Response, entered: Person | Half) -> Entered | HalfOpen:
    """What is answered to someone who has shown who they are; or what is left to show, in the same browser."""
    services_of(request).limits.was_right(address_of(request))
    if isinstance(entered, Half):
        await keep_half(request, response, entered)
        return {"second": (await logins_of(request).second.held(entered.person)).ways}
    await log_in(request, response, entered)
    return {"person": services_of(request).people.person_info(entered.id), "kind": entered.kind, "role": entered.role}


async def keep_half(request: Request, response: Response, half: Half) -> None:
    """A half-open login stays with the browser that began it."""
    bind(request, response, await logins_of(request).half_open(half))


def bind(request: Request, response: Response, token: str) -> None:
    """Let the browser keep what a login that is under way is bound to."""
    secure = settings_of(request).public.startswith("https:")
    response.set_cookie(HALF, token, max_age=int(HALF_SECONDS), path="/api/login", httponly=True, samesite="strict", secure=secure)


# --- for programs and the page ---


@router.get("/api/logins", summary="Which logins there are here")
async def logins(request: Request) -> dict[str, object]:
    """`elsewhere` maps a provider to its title; the page sends people to /login/PROVIDER. Without `mail` links are only written to the log: ask `contact`."""
    return logins_of(request).offered()


@router.post("/api/login/email", summary="Log in by e-mail and password")
async def by_email(request: Request, response: Response, body: ByEmail) -> Entered | HalfOpen:
    """Sets the cookie. A guest's games move to the account. A wrong password and an unknown address are answered alike."""
    await _try(request, body.email)
    return await logged_in(request, response, await logins_of(request).by_password(await caller_of(request), body.email, body.password, language_of(request)))


@router.post("/api/login/email/register", summary="Mail a link to choose a password for a new account", status_code=202)
async def register(request: Request, body: AskForLink) -> dict[str, bool]:
    """The answer is the same whether the address is known or not. Whoever asks as a guest keeps games and rating."""
    services_of(request).limits.ask_for_link(address_of(request))
    logins_of(request).send_link("verify", body.email, await caller_of(request), language_of(request))
    return {"ok": True}


@router.post("/api/login/email/reset", summary="Mail a link to choose a new password", status_code=202)
async def reset(request: Request, body: AskForLink) -> dict[str, bool]:
    """The answer is the same whether the address is known or not."""
    services_of(request).limits.ask_for_link(address_of(request))
    logins_of(request).send_link("reset", body.email, await caller_of(request), language_of(request))
    return {"ok": True}


@router.get("/api/login/email/password", summary="Whose password a mailed link's ticket is for")
async def look(request: Request, ticket: Annotated[Ticket, Query()]) -> dict[str, str]:
    """Looking does not use the ticket up. A used or old one is refused."""
    return {"email": await logins_of(request).link_for(ticket)}


@router.post("/api/login/email/password", summary="Choose a password by a mailed link's ticket, and log in")
async def choose(request: Request, response: Response, body: ChoosePassword) -> Entered | HalfOpen:
    """All older sessions and links of that account end. A ticket works once, for half an hour. An address without an account is attached to whoever asked
    for the link, in the session that asked; chosen anywhere else, the address gets an account of its own."""
    await _try(request)
    try:
        entered = await logins_of(request).choose_password(await caller_of(request), body.ticket, body.password, language_of(request))
    except Refused as refused:
        if refused.code != "link-used":  # the ticket was right
            services_of(request).limits.was_right(address_of(request))
        raise
    return await logged_in(request, response, entered)


@router.get("/api/login/token", summary="Whom a custom token would log in")
async def whose_token(request: Request, token: Annotated[Jwt, Query()]) -> dict[str, str | None]:
    """The page asks before anyone is logged in, so that no other site can do it to them."""
    return {"name": logins_of(request).jwt.read(token)[0].name}


@router.post("/api/login/token", summary="Log in with a custom token of the operator's own site")
async def by_token(request: Request, response: Response, body: ByToken) -> Entered | HalfOpen:
    """Each token works once."""
    await _try(request)
    return await logged_in(request, response, await logins_of(request).by_jwt(await caller_of(request), body.token, language_of(request)))


@router.post("/api/ticket", summary="What opens one socket, once and soon, in a connect payload")
async def ticket(request: Request) -> dict[str, str | float]:
    """For a program that may act for somebody who is logged in: it works once within a minute, for sockets only, and ends with the session."""
    caller = await caller_of(request)
    if caller is None or caller.session is None:
        raise Refused("unauthorized")
    return {"ticket": await services_of(request).people.sessions.ticket(caller.session), "seconds": TICKET_SECONDS}


@router.post("/api/logout", summary="Log out here")
async def log_out(request: Request, response: Response) -> dict[str, bool]:
    """The session ends at once, with its sockets; what the cookie held opens nothing any more."""
    caller = await caller_of(request)
    if caller is not None and caller.session is not None:
        await services_of(request).people.log_out(caller.session.id)
    forget_session(request, response)
    return {"ok": True}


@router.post("/api/logout/everywhere", summary="Log out everywhere")
async def log_out_everywhere(request: Request, response: Response) -> dict[str, bool]:
    """All sessions end; open sockets are closed."""
    await services_of(request).people.log_out_everywhere((await me(request)).id)
    forget_session(request, response)
    return {"ok": True}


# --- elsewhere and back ---


@router.get("/login/{provider}", include_in_schema=False)
async def set_out(request: Request, provider: str, to: Annotated[str, Query(max_length=20)] = "") -> Response:
    """Sends the browser to log in elsewhere, and afterwards to the front page, or to one's account."""
    try:
        await _try(request)
        address, state = await logins_of(request).set_out(provider, "/me" if to == "me" else "/")
    except Refused as refused:
        return _failed(refused)
    response = RedirectResponse(address, 303)
    secure = settings_of(request).public.startswith("https:")
    response.set_cookie(STATE, state, max_age=900, path="/login", httponly=True, samesite="lax", secure=secure)
    return response


@router.get("/login/{provider}/callback", include_in_schema=False)
async def come_back(
    request: Request, provider: str, state: Annotated[str, Query(max_length=100)] = "", code: Annotated[str | None, Query(max_length=4000)] = None
) -> Response:
    """Where the other site sends the browser back to: only the browser that set out, and only once."""
    try:
        if not state or request.cookies.get(STATE) != state:
            raise Refused("link-used")
        person, to = await logins_of(request).come_back(await caller_of(request), provider, state, code, language_of(request))
        return await _go(request, person, to)
    except Refused as refused:
        return _failed(refused)


async def _go(request: Request, entered: Person | Half, to: str) -> Response:
    response = RedirectResponse("/login/second" if isinstance(entered, Half) else to, 303)
    await logged_in(request, response, entered)
    response.delete_cookie(STATE, path="/login")
    return response


def _failed(refused: Refused) -> Response:
    """Back to where one logs in, which says why; an address that is no login at all leads nowhere."""
    if refused.code == "no-such-login":
        raise HTTPException(404, "no such login")
    return RedirectResponse(f"/login?{urlencode({'refused': refused.code, **(refused.phrase.values or {})})}", 303)
