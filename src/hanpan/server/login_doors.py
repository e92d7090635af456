"""Logging in over HTTP: by e-mail, with an account elsewhere, with a custom token. What people see of it is in the page."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, HTTPException, Query, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import Field, StringConstraints

from hanpan.server.logins import MOST_PASSWORD
from hanpan.server.refused import Refused
from hanpan.server.session import address_of, house_of, keep_session, language_of, logins_of, me, settings_of, someone
from hanpan.server.sockets import COOKIE
from hanpan.server.storage.models import Person
from hanpan.server.wishes import Wish

router = APIRouter()
STATE = "hanpan_login"  # the cookie that ties a login elsewhere to the browser that began it
Email = Annotated[str, StringConstraints(max_length=254)]
Password = Annotated[str, StringConstraints(max_length=MOST_PASSWORD)]
Ticket = Annotated[str, StringConstraints(max_length=64)]
Jwt = Annotated[str, StringConstraints(max_length=8000)]


class ByEmail(Wish):
    """An address and its password."""

    email: Email
    password: Password


class AskForLink(Wish):
    """The address that a link is mailed to."""

    email: Email


class ChoosePassword(Wish):
    """A password, by the ticket from a mailed link."""

    ticket: Ticket
    password: Password


class ByToken(Wish):
    """A token of the operator's own site."""

    token: Jwt = Field(description="JWT (HS256 or RS256) with sub, name, exp (at most 10 minutes ahead) and aud")


def _try(request: Request, what: str = "") -> None:
    """Slow down whoever tries many times, from one address or on one account."""
    limits, address = house_of(request).community.limits, address_of(request)
    if not limits.exempt(address):
        limits.tries.check(address)
    if what:
        limits.tries.check(f"={what.strip().lower()}")


def _logged_in(request: Request, response: Response, person: Person) -> dict[str, Any]:
    token = keep_session(request, response, person)
    return {"person": house_of(request).person_info(person.id), "token": token, "kind": person.kind, "role": person.role}


# --- for programs and the page ---


@router.get("/api/logins", summary="Which logins there are here")
async def logins(request: Request) -> dict[str, Any]:
    """`elsewhere` maps a provider to its title; the page sends people to /login/PROVIDER. Without `mail` links are only written to the log: ask `contact`."""
    return logins_of(request).offered()


@router.post("/api/login/email", summary="Log in by e-mail and password")
async def by_email(request: Request, response: Response, wish: ByEmail) -> dict[str, Any]:
    """Sets the cookie. A guest's games move to the account. A wrong password and an unknown address are answered alike."""
    _try(request, wish.email)
    return _logged_in(request, response, await logins_of(request).by_password(await someone(request), wish.email, wish.password))


@router.post("/api/login/email/register", summary="Mail a link to choose a password for a new account", status_code=202)
async def register(request: Request, wish: AskForLink) -> dict[str, bool]:
    """The answer is the same whether the address is known or not. Whoever asks as a guest keeps games and rating."""
    _try(request, wish.email)
    await logins_of(request).send_link("verify", wish.email, await someone(request), language_of(request))
    return {"ok": True}


@router.post("/api/login/email/reset", summary="Mail a link to choose a new password", status_code=202)
async def reset(request: Request, wish: AskForLink) -> dict[str, bool]:
    """The answer is the same whether the address is known or not."""
    _try(request, wish.email)
    await logins_of(request).send_link("reset", wish.email, await someone(request), language_of(request))
    return {"ok": True}


@router.get("/api/login/email/password", summary="Whose password a mailed link's ticket is for")
async def look(request: Request, ticket: Annotated[Ticket, Query()]) -> dict[str, str]:
    """Looking does not use the ticket up. A used or old one is refused."""
    return {"email": await logins_of(request).link_for(ticket)}


@router.post("/api/login/email/password", summary="Choose a password by a mailed link's ticket, and log in")
async def choose(request: Request, response: Response, wish: ChoosePassword) -> dict[str, Any]:
    """All older sessions of that account end. A ticket works once, for half an hour."""
    _try(request)
    return _logged_in(request, response, await logins_of(request).choose_password(wish.ticket, wish.password))


@router.get("/api/login/token", summary="Whom a custom token would log in")
async def whose_token(request: Request, token: Annotated[Jwt, Query()]) -> dict[str, str | None]:
    """The page asks before anyone is logged in, so that no other site can do it to them."""
    return {"name": logins_of(request).custom.read(token)[0].name}


@router.post("/api/login/token", summary="Log in with a custom token of the operator's own site")
async def by_token(request: Request, response: Response, wish: ByToken) -> dict[str, Any]:
    """Each token works once."""
    _try(request)
    return _logged_in(request, response, await logins_of(request).by_custom_token(await someone(request), wish.token))


@router.post("/api/logout", summary="Log out here")
async def log_out(response: Response) -> dict[str, bool]:
    """Forgets the cookie."""
    response.delete_cookie(COOKIE)
    return {"ok": True}


@router.post("/api/logout/everywhere", summary="Log out everywhere")
async def log_out_everywhere(request: Request, response: Response) -> dict[str, bool]:
    """No token given so far works any more; open sockets are closed."""
    await house_of(request).log_out_everywhere((await me(request)).id)
    response.delete_cookie(COOKIE)
    return {"ok": True}


# --- elsewhere and back ---


@router.get("/login/{provider}", include_in_schema=False)
async def set_out(request: Request, provider: str) -> Response:
    """Sends the browser to log in elsewhere."""
    try:
        _try(request)
        address, state = await logins_of(request).set_out(provider)
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
        return _go(request, await logins_of(request).come_back(await someone(request), provider, state, code))
    except Refused as refused:
        return _failed(refused)


def _go(request: Request, person: Person) -> Response:
    response = RedirectResponse("/", 303)
    keep_session(request, response, person)
    response.delete_cookie(STATE, path="/login")
    return response


def _failed(refused: Refused) -> Response:
    """Back to where one logs in, which says why; an address that is no login at all leads nowhere."""
    if refused.code == "no-such-login":
        raise HTTPException(404, "no such login")
    return RedirectResponse(f"/login?{urlencode({'refused': refused.code, **(refused.phrase.values or {})})}", 303)
