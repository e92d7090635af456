"""Who asks over HTTP: the cookie, the bearer token, the language, the answer to a refusal."""

from __future__ import annotations

import secrets

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse

from hanpan.server import limits
from hanpan.server.house import House
from hanpan.server.logins import Logins
from hanpan.server.refused import Refused
from hanpan.server.settings import Settings
from hanpan.server.sockets import BROWSER, COOKIE
from hanpan.server.storage.models import Person
from hanpan.words import LANGUAGES

_STATUS = {
    "unauthorized": 401, "wrong-login": 401, "bad-token": 401, "banned": 403, "operators-only": 403, "account-only": 403, "no-scope": 403, "bots-only": 403,
    "foreign-origin": 403, "foreign-host": 421, "second-operator": 403, "no-such-proposal": 404, "no-such-ban": 404,
    "no-such-login": 404, "no-such-message": 404, "no-such-person": 404, "no-such-room": 404, "too-big": 413, "too-fast": 429, "closing": 503, "our-fault": 500,
}  # fmt: skip


def house_of(request: Request) -> House:
    """The house behind this request."""
    found = request.app.state.house
    assert isinstance(found, House)
    return found


def settings_of(request: Request) -> Settings:
    """The settings of the server."""
    found = request.app.state.settings
    assert isinstance(found, Settings)
    return found


def logins_of(request: Request) -> Logins:
    """The ways into accounts."""
    found = request.app.state.logins
    assert isinstance(found, Logins)
    return found


def address_of(request: Request) -> str:
    """Where a request is from."""
    return limits.address_of(request.scope)


def language_of(request: Request) -> str:
    """The first language that the asker names and we speak."""
    asked = [request.query_params.get("language", ""), *request.headers.get("accept-language", "").split(",")]
    spoken = (part.partition(";")[0].strip()[:2].lower() for part in asked)
    return next((language for language in spoken if language in LANGUAGES), "en")


async def someone(request: Request) -> Person | None:
    """The person whose cookie or bearer token this is."""
    bearer = request.headers.get("authorization", "").removeprefix("Bearer ").strip()
    return await house_of(request).whoever(bearer or request.cookies.get(COOKIE))


async def me(request: Request) -> Person:
    """The person who asks; refused if it is nobody."""
    found = await someone(request)
    if found is None:
        raise Refused("unauthorized")
    return found


def keep_session(request: Request, response: Response, person: Person) -> str:
    """Let a browser come back as this person; the token for its sockets."""
    token = house_of(request).token_of(person)
    secure = request.url.scheme == "https" or settings_of(request).public.startswith("https:")
    for name, value in ((COOKIE, token), (BROWSER, request.cookies.get(BROWSER) or secrets.token_urlsafe(12))):
        response.set_cookie(name, value, max_age=400 * 86400, httponly=True, samesite="lax", secure=secure)
    return token


def status_of(refused: Refused) -> int:
    """The HTTP status of a refusal."""
    return _STATUS.get(refused.code, 400)


def misread(request: Request, wrong: Exception) -> JSONResponse:
    """A request that is not what its schema says, as an answer: what is wrong, but nothing of what was sent."""
    assert isinstance(wrong, RequestValidationError)
    errors = wrong.errors()
    told = Refused.because_of_fields(errors).json("", language_of(request))
    detail = [{"loc": [str(part)[:80] for part in error["loc"]], "msg": error["msg"][:300], "type": error["type"]} for error in errors[:10]]
    return JSONResponse({key: told[key] for key in ("code", "text", "phrase")} | {"detail": detail}, 422)


def refusal(request: Request, refused: Exception) -> JSONResponse:
    """A refusal as an answer over HTTP."""
    assert isinstance(refused, Refused)
    told = refused.json("", language_of(request))
    return JSONResponse({key: told[key] for key in ("code", "text", "phrase")}, status_of(refused))
