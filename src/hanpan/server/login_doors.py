"""Logging in over HTTP: by e-mail, with an account elsewhere, with a custom token; and the two small pages that links lead to."""

from __future__ import annotations

from html import escape
from typing import Annotated, Any
from urllib.parse import parse_qsl

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from pydantic import Field, StringConstraints

from hanpan.server.limits import local
from hanpan.server.logins import LEAST_PASSWORD, MOST_PASSWORD
from hanpan.server.pages import page
from hanpan.server.refused import Refused
from hanpan.server.session import address_of, house_of, keep_session, language_of, logins_of, me, settings_of, someone
from hanpan.server.sockets import COOKIE
from hanpan.server.storage.models import Person
from hanpan.server.wishes import Wish
from hanpan.words import Phrase, say

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
    tries, address = house_of(request).community.limits.tries, address_of(request)
    if not local(address):
        tries.check(address)
    if what:
        tries.check(f"={what.strip().lower()}")


def _logged_in(request: Request, response: Response, person: Person) -> dict[str, Any]:
    token = keep_session(request, response, person)
    return {"person": house_of(request).person_info(person.id), "token": token, "kind": person.kind, "role": person.role}


# --- for programs and the page ---


@router.get("/api/logins", summary="Which logins there are here")
async def logins(request: Request) -> dict[str, Any]:
    """`elsewhere` maps a provider to its title; the page sends people to /login/PROVIDER."""
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
    await logins_of(request).send_link("reset", wish.email, None, language_of(request))
    return {"ok": True}


@router.post("/api/login/email/password", summary="Choose a password by a mailed link's ticket, and log in")
async def choose(request: Request, response: Response, wish: ChoosePassword) -> dict[str, Any]:
    """All older sessions of that account end. A ticket works once, for half an hour."""
    _try(request)
    return _logged_in(request, response, await logins_of(request).choose_password(wish.ticket, wish.password))


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


# --- pages that links lead to ---


@router.get("/login/password", include_in_schema=False)
async def password_page(request: Request, ticket: Annotated[Ticket, Query()] = "") -> HTMLResponse:
    """Asks for a password. Looking at the link does not use it up, since mail programs look too."""
    language = language_of(request)
    try:
        await logins_of(request).link_works(ticket)
    except Refused as refused:
        return _failed(refused, language)
    title, label, button = (_say(f"password-{part}", language, least=LEAST_PASSWORD) for part in ("title", "label", "button"))
    field = f'<input name="password" type="password" minlength="{LEAST_PASSWORD}" maxlength="{MOST_PASSWORD}" autocomplete="new-password" required autofocus>'
    hidden = f'<input type="hidden" name="ticket" value="{escape(ticket)}">'
    inside = f"{hidden}<p><label>{escape(label)}<br>{field}</label></p><button>{escape(button)}</button>"
    form = f'<form method="post" action="/login/password?language={language}">{inside}</form>'
    return HTMLResponse(page(title, f"<h1>{escape(title)}</h1>{form}", language))


@router.post("/login/password", include_in_schema=False)
async def password_chosen(request: Request) -> Response:
    """Saves it, logs in, and goes to the front."""
    try:
        _try(request)
        form = await _form(request)
        return _go(request, await logins_of(request).choose_password(form.get("ticket", ""), form.get("password", "")))
    except Refused as refused:
        return _failed(refused, language_of(request))


@router.get("/login/token", include_in_schema=False)
async def token_page(request: Request, token: Annotated[Jwt, Query()] = "") -> HTMLResponse:
    """Where the operator's own site sends people: nobody is logged in before saying so, so that no other site can do it to them."""
    language = language_of(request)
    try:
        who, _ = logins_of(request).custom.read(token)
    except Refused as refused:
        return _failed(refused, language)
    title, button = _say("custom-title", language, name=who.name), _say("custom-button", language)
    hidden = f'<input type="hidden" name="token" value="{escape(token)}">'
    form = f'<form method="post" action="/login/token?language={language}">{hidden}<button autofocus>{escape(button)}</button></form>'
    return HTMLResponse(page(title, f"<h1>{escape(title)}</h1>{form}", language))


@router.post("/login/token", include_in_schema=False)
async def token_given(request: Request) -> Response:
    """Logs in, and goes to the front."""
    try:
        _try(request)
        form = await _form(request)
        return _go(request, await logins_of(request).by_custom_token(await someone(request), form.get("token", "")))
    except Refused as refused:
        return _failed(refused, language_of(request))


@router.get("/login/{provider}", include_in_schema=False)
async def set_out(request: Request, provider: str) -> Response:
    """Sends the browser to log in elsewhere."""
    try:
        _try(request)
        address, state = await logins_of(request).set_out(provider)
    except Refused as refused:
        return _failed(refused, language_of(request))
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
        return _failed(refused, language_of(request))


async def _form(request: Request) -> dict[str, str]:
    return dict(parse_qsl((await request.body()).decode("utf-8", "replace"), max_num_fields=10))


def _go(request: Request, person: Person) -> Response:
    response = RedirectResponse("/", 303)
    keep_session(request, response, person)
    response.delete_cookie(STATE, path="/login")
    return response


def _failed(refused: Refused, language: str) -> HTMLResponse:
    title, back, why = _say("failed-title", language), _say("back", language), refused.json("", language)["text"]
    body = f'<h1>{escape(title)}</h1><p>{escape(why)}</p><p><a href="/">{escape(back)}</a></p>'
    return HTMLResponse(page(title, body, language), 400)


def _say(key: str, language: str, **values: Any) -> str:
    return say("hanpan", Phrase(f"login.{key}", values or None), language)
