"""The second factor over HTTP: set it up, change it, and log in with it. A login with one is half open after the first: nothing of the account is reachable."""

from __future__ import annotations

import secrets
from typing import Annotated

from fastapi import APIRouter, Request, Response
from pydantic import AfterValidator, StringConstraints

from hanpan.core.unfit import Unfit
from hanpan.server.http.answers import Entered, HalfOpen
from hanpan.server.http.login import HALF, bind, logged_in
from hanpan.server.http.services import services_of
from hanpan.server.http.session import address_of, caller_of, language_of, logins_of, proved
from hanpan.server.people.limits import LIGHT
from hanpan.server.people.logins import Half
from hanpan.server.people.passkeys import Made, Used
from hanpan.server.people.second_factor import Second, Source
from hanpan.server.people.sessions import Caller
from hanpan.server.protocol.refusals import Refused
from hanpan.server.protocol.requests import ClientRequest
from hanpan.server.storage.models import Person
from hanpan.server.transport.sockets import BROWSER

router = APIRouter()


def _one_line(name: str) -> str:
    if not name.isprintable():
        raise Unfit("name-line")
    return name


Code = Annotated[str, StringConstraints(min_length=1, max_length=40)]
Ticket = Annotated[str, StringConstraints(min_length=1, max_length=64)]
KeyName = Annotated[str, StringConstraints(min_length=1, max_length=40, strip_whitespace=True), AfterValidator(_one_line)]


class CodeRequest(ClientRequest):
    """A code of the app, or a recovery code."""

    code: Code


class FirstCode(CodeRequest):
    """The first code of an app that is being set up."""

    ticket: Ticket


class NewPasskey(ClientRequest):
    """What the browser has made, and what its owner calls it."""

    name: KeyName
    credential: Made


class PasskeyRequest(ClientRequest):
    """What the browser has answered."""

    credential: Used


def _second(request: Request) -> Second:
    return logins_of(request).second


# --- in my account ---


async def _owner(request: Request) -> tuple[Person, Source]:
    """Someone with an account, who has proved a short while ago who they are."""
    mine, caller = await proved(request), await caller_of(request)
    if mine.kind != "account" or caller is None:
        raise Refused("account-only")
    return await services_of(request).people.reload(mine.id), Source.of(caller)


async def _added(request: Request, mine: Person, codes: list[str] | None, what: str, **values: str | int) -> dict[str, list[str] | None]:
    """One factor more. With the first one everyone else who is logged in is shown out: they came in without it."""
    caller = await caller_of(request)
    if codes is not None and caller is not None and caller.session is not None:
        await services_of(request).people.log_out_everywhere(mine.id, but=caller.session.id)
    await _tell(request, mine, what, **values)
    return {"codes": codes}


async def _tell(request: Request, mine: Person, what: str, **values: str | int) -> None:
    logins = logins_of(request)
    logins.tell_owner(await logins.addresses(mine.id), what, mine, language_of(request), **values)


@router.post("/api/me/second/totp/begin", summary="Begin to set up an app that makes codes")
async def begin_totp(request: Request) -> dict[str, str]:
    """The `secret`, shown this once, as text and as the `address` of a QR code. It counts after POST /api/me/second/totp, within 15 minutes."""
    return await _second(request).begin_totp(*await _owner(request))


@router.post("/api/me/second/totp", summary="The first code of that app", status_code=201)
async def add_totp(request: Request, body: FirstCode) -> dict[str, list[str] | None]:
    """From now on logging in needs a second factor. With the first one come ten recovery `codes`, shown this once, and all other sessions end."""
    mine, source = await _owner(request)
    return await _added(request, mine, await _second(request).add_totp(mine, source, body.ticket, body.code), "totp-added")


@router.delete("/api/me/second/totp", summary="Remove the app that makes codes")
async def remove_totp(request: Request) -> dict[str, bool]:
    """Recovery codes go with the last factor. An operator keeps at least one."""
    mine, _ = await _owner(request)
    await _second(request).remove(mine, "totp")
    await _tell(request, mine, "totp-removed")
    return {"ok": True}


@router.post("/api/me/second/passkeys/begin", summary="What a browser needs to make a passkey")
async def begin_passkey(request: Request) -> dict[str, object]:
    """For `navigator.credentials.create()`, with bytes as base64url; answered once, within five minutes, in the same session."""
    return await _second(request).begin_passkey(*await _owner(request))


@router.post("/api/me/second/passkeys", summary="A new passkey", status_code=201)
async def add_passkey(request: Request, body: NewPasskey) -> dict[str, list[str] | None]:
    """As with a first code. A passkey also logs in alone, if its device knows its owner (by a finger, a face, a number)."""
    mine, source = await _owner(request)
    codes = await _second(request).add_passkey(mine, source, body.name, body.credential)
    return await _added(request, mine, codes, "passkey-added", key=body.name)


@router.delete("/api/me/second/passkeys/{id}", summary="Remove a passkey")
async def remove_passkey(request: Request, id: str) -> dict[str, bool]:
    """As with the app."""
    mine, _ = await _owner(request)
    name = next((key.name for key in (await _second(request).held(mine.id)).passkeys if key.id == id), "")
    await _second(request).remove(mine, id if name else "")
    await _tell(request, mine, "passkey-removed", key=name)
    return {"ok": True}


@router.post("/api/me/second/recovery", summary="Other recovery codes", status_code=201)
async def new_codes(request: Request) -> dict[str, list[str]]:
    """The old ones do not work any more."""
    mine, _ = await _owner(request)
    codes = await _second(request).new_codes(mine.id)
    await _tell(request, mine, "recovery-made")
    return {"codes": codes}


# --- logging in ---


async def _try(request: Request, cost: float = 1.0) -> None:
    await services_of(request).limits.attempt(address_of(request), cost=cost)


def _source(request: Request) -> Source:
    return Source(request.cookies.get(HALF, ""), address_of(request), request.cookies.get(BROWSER))


async def _finish(request: Request, response: Response, half: Half) -> Entered | HalfOpen:
    """Both factors are shown."""
    current: Caller | None = await caller_of(request)
    person = await logins_of(request).finish(current, half, language_of(request))
    response.delete_cookie(HALF, path="/api/login")
    return await logged_in(request, response, person)


@router.get("/api/login/second", summary="Which second factors a half-open login may show")
async def ways(request: Request) -> dict[str, list[str]]:
    """Of `totp`, `passkey` and `recovery`. Refused when no login is half open in this browser."""
    half = await logins_of(request).half_of(request.cookies.get(HALF))
    return {"ways": (await _second(request).held(half.person)).ways}


@router.post("/api/login/second", summary="Log in: the second factor, by a code")
async def by_code(request: Request, response: Response, body: CodeRequest) -> Entered | HalfOpen:
    """A code of the app, or a recovery code; each works once. A half-open login works once, for ten minutes, in the browser that began it."""
    await _try(request)
    logins, token = logins_of(request), request.cookies.get(HALF)
    half = await logins.half_of(token)
    way = await logins.second.by_code(half.person, _source(request), body.code)
    await logins.half_of(token, use=True)
    answer = await _finish(request, response, half)
    if way == "recovery":
        left = (await logins.second.held(half.person)).recovery
        await _tell(request, await services_of(request).people.reload(half.person), "recovery-used", left=left)
    return answer


@router.post("/api/login/second/passkey/begin", summary="What a browser needs to show a passkey as the second factor")
async def ask_second_passkey(request: Request) -> dict[str, object]:
    """For `navigator.credentials.get()`."""
    await _try(request, LIGHT)  # a challenge tells nothing
    half = await logins_of(request).half_of(request.cookies.get(HALF))
    return await _second(request).ask_passkey(_source(request), half.person)


@router.post("/api/login/second/passkey", summary="Log in: the second factor, by a passkey")
async def by_second_passkey(request: Request, response: Response, body: PasskeyRequest) -> Entered | HalfOpen:
    """One of those that belong to the account."""
    await _try(request)
    logins, token = logins_of(request), request.cookies.get(HALF)
    half = await logins.half_of(token)
    await logins.second.by_passkey(_source(request), body.credential, half.person)
    await logins.half_of(token, use=True)
    return await _finish(request, response, half)


@router.post("/api/login/passkey/begin", summary="What a browser needs to log in by a passkey alone")
async def ask_passkey(request: Request, response: Response) -> dict[str, object]:
    """For `navigator.credentials.get()`: any passkey that it has for this place."""
    await _try(request, LIGHT)  # a challenge tells nothing
    token = secrets.token_urlsafe(24)
    bind(request, response, token)
    return await _second(request).ask_passkey(Source(token, address_of(request)))


@router.post("/api/login/passkey", summary="Log in by a passkey alone")
async def by_passkey(request: Request, response: Response, body: PasskeyRequest) -> Entered | HalfOpen:
    """Its device must have made sure of its owner, so it counts as both factors."""
    await _try(request)
    person = await _second(request).by_passkey(_source(request), body.credential)
    return await _finish(request, response, Half(person))
