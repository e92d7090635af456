"""Who asks over HTTP: the cookie, the bearer token, the language, the answer to a refusal."""

from __future__ import annotations

import secrets

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse

from hanpan.core.words import spoken
from hanpan.server.http.services import services_of
from hanpan.server.people import limits
from hanpan.server.people.bans import browser_key
from hanpan.server.people.logins import Logins
from hanpan.server.people.prove import check_fresh
from hanpan.server.people.sessions import ACCOUNT_DAYS, GUEST_DAYS, Caller, Where
from hanpan.server.protocol.refusals import Refused
from hanpan.server.settings import Settings
from hanpan.server.storage.models import Person
from hanpan.server.transport.middleware import ASKER
from hanpan.server.transport.sockets import BROWSER

_MUCH = 20  # requests
_STATUS = {
    "unauthorized": 401, "wrong-login": 401, "bad-token": 401, "not-proved": 401, "wrong-code": 401, "wrong-passkey": 401,
    "banned": 403, "operators-only": 403, "account-only": 403, "bots-only": 403, "no-scope": 403,
    "foreign-origin": 403, "prove-again": 403, "second-operator": 403, "two-factor-needed": 403,
    "no-such-login": 404, "no-such-message": 404, "no-such-person": 404, "no-such-room": 404,
    "no-such-session": 404, "no-such-proposal": 404, "no-such-ban": 404, "no-second": 404,
    "too-big": 413, "record-too-big": 413, "bad-record": 422, "key-used": 422, "foreign-host": 421, "too-fast": 429, "our-fault": 500, "closing": 503,
    "interrupted": 503, "room-moves": 503,
}  # fmt: skip


def settings_of(request: Request) -> Settings:
    """The settings of the server."""
    found = request.app.state.settings
    assert isinstance(found, Settings)
    return found


def logins_of(request: Request) -> Logins:
    """The ways into accounts."""
    return services_of(request).logins


def address_of(request: Request) -> str:
    """Where a request is from."""
    return limits.address_of(request.scope)


def much_asked(request: Request, requests: float = _MUCH) -> None:
    """Whoever asks for much work has more of their requests used up."""
    services_of(request).limits.work(address_of(request), request.scope[ASKER], requests)


def language_of(request: Request) -> str:
    """The first language that the asker names and we speak."""
    return spoken(f"{request.query_params.get('language', '')},{request.headers.get('accept-language', '')}")


def where_of(request: Request) -> Where:
    """Where a request is from, and by which browser."""
    return Where(address_of(request), request.headers.get("user-agent", ""), browser_of(request))


def browser_of(request: Request) -> str:
    """The browser that a request is from, as far as we know it again."""
    return browser_key(request.cookies.get(BROWSER))


async def caller_of(request: Request) -> Caller | None:
    """Who asks, and by which session or token: the bearer's, if there is one, else the cookie's. Found once for each request."""
    if not hasattr(request.state, "caller"):
        bearer = request.headers.get("authorization")
        token = request.cookies.get(settings_of(request).cookie) if bearer is None else bearer.removeprefix("Bearer ").strip()
        asker = await services_of(request).people.caller(token)
        if asker is not None:
            await services_of(request).people.check_place(asker.person, address_of(request), browser_of(request))
        request.state.caller = asker
    found = request.state.caller
    assert found is None or isinstance(found, Caller)
    return found


async def someone(request: Request) -> Person | None:
    """The person whose cookie or bearer token this is."""
    found = await caller_of(request)
    return found.person if found is not None else None


async def me(request: Request) -> Person:
    """The person who asks; refused if it is nobody."""
    found = await someone(request)
    if found is None:
        raise Refused("unauthorized")
    return found


async def proved(request: Request) -> Person:
    """The person who asks, who has shown a short while ago who they are; else refused with `prove-again` (see `prove.py`). Guests need not."""
    caller = await caller_of(request)
    if caller is None:
        raise Refused("unauthorized")
    check_fresh(caller, services_of(request).now())
    return caller.person


async def log_in(request: Request, response: Response, person: Person) -> None:
    """Someone has shown who they are: a session begins for them, and the one that this browser had ends, so that nobody else can have known it."""
    services, before = services_of(request), await caller_of(request)
    caller = await services.people.let_in(person, where_of(request), proved=True)
    if before is not None and before.session is not None:
        await services.people.log_out(before.session.id)
    request.state.caller = caller
    keep_session(request, response, caller)


def keep_session(request: Request, response: Response, caller: Caller) -> None:
    """Let a browser come back as this person."""
    settings = settings_of(request)
    secure = request.url.scheme == "https" or settings.public.startswith("https:")
    days = GUEST_DAYS if caller.person.kind == "guest" else ACCOUNT_DAYS
    token = caller.token or request.cookies.get(settings.cookie)
    if token:
        response.set_cookie(settings.cookie, token, max_age=days * 86400, httponly=True, samesite="lax", secure=secure)
    browser = request.cookies.get(BROWSER) or secrets.token_urlsafe(12)
    response.set_cookie(BROWSER, browser, max_age=GUEST_DAYS * 86400, httponly=True, samesite="lax", secure=secure)


def forget_session(request: Request, response: Response) -> None:
    """The browser need not keep anything of its session any more."""
    settings = settings_of(request)
    response.delete_cookie(settings.cookie, httponly=True, samesite="lax", secure=settings.public.startswith("https:"))


def status_of(code: str) -> int:
    """The HTTP status of a refusal."""
    return _STATUS.get(code, 400)


def misread(request: Request, wrong: Exception) -> JSONResponse:
    """A request that is not what its schema says, as an answer: what is wrong, but nothing of what was sent."""
    assert isinstance(wrong, RequestValidationError)
    errors = wrong.errors()
    detail = [{"loc": [str(part)[:80] for part in error["loc"]], "msg": error["msg"][:300], "type": error["type"]} for error in errors[:10]]
    return JSONResponse(Refused.because_of_fields(errors).body(language_of(request)) | {"detail": detail}, 422)


def our_fault(request: Request, fault: Exception) -> JSONResponse:
    """Whatever went wrong here, as an answer: nothing of what it says."""
    return refusal(request, Refused("our-fault"))


def refusal(request: Request, refused: Exception) -> JSONResponse:
    """A refusal as an answer over HTTP."""
    assert isinstance(refused, Refused)
    return JSONResponse(refused.body(language_of(request)), status_of(refused.code), refused.headers)
