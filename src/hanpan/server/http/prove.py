"""Proving over HTTP who one is, once more (see `prove.py`)."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import Field, StringConstraints

from hanpan.server.http.answers import ProofWays
from hanpan.server.http.services import services_of
from hanpan.server.http.session import address_of, caller_of, language_of, logins_of
from hanpan.server.people.oauth import PROVIDERS
from hanpan.server.people.passwords import MOST
from hanpan.server.people.prove import is_fresh
from hanpan.server.people.sessions import Caller
from hanpan.server.protocol.refusals import Refused
from hanpan.server.protocol.requests import ClientRequest

router = APIRouter(prefix="/api/prove")
WayName = Annotated[str, StringConstraints(max_length=20)]


class BeginProof(ClientRequest):
    """Which way, of those that GET /api/prove names."""

    way: WayName


class Proof(BeginProof):
    """The password, the code that was mailed, or whatever else that way asks for."""

    answer: Annotated[str, StringConstraints(max_length=MOST)] | dict[str, object] = Field(description="a text, or an object where the way says so")


async def _caller(request: Request) -> Caller:
    found = await caller_of(request)
    if found is None or found.session is None:
        raise Refused("unauthorized")
    return found


@router.get("", summary="How you can prove who you are")
async def ways(request: Request) -> ProofWays:
    """`fresh`: it is not needed now. `elsewhere`: logins that do it, too; the page sends people to /login/PROVIDER. `site`: where a custom token is from."""
    caller, logins = await _caller(request), logins_of(request)
    theirs = {login.provider for login in await services_of(request).store.accounts.logins_of(caller.person.id)}
    return {
        "fresh": is_fresh(caller, services_of(request).now()), "ways": await logins.proving.offered(caller.person),
        "elsewhere": {name: PROVIDERS[name].title for name in logins.elsewhere.names if name in theirs},
        "site": logins.settings.token_site if "custom" in theirs else None,
    }  # fmt: skip


@router.post("/begin", summary="Begin to prove who you are")
async def begin(request: Request, body: BeginProof) -> dict[str, object]:
    """`mail`: a code is sent to your address. Other ways may answer with what is needed for them."""
    caller = await _caller(request)
    await _try(request, caller)
    way = await logins_of(request).proving.way(caller, body.way)
    return await way.begin(caller, language_of(request))


@router.post("", summary="Prove who you are")
async def prove(request: Request, body: Proof) -> dict[str, bool]:
    """For ten minutes, in this session: what needed it can be asked for again."""
    caller = await _caller(request)
    await _try(request, caller)
    await logins_of(request).proving.prove(caller, body.way, body.answer)
    services_of(request).limits.was_right(address_of(request))
    return {"ok": True}


async def _try(request: Request, caller: Caller) -> None:
    await services_of(request).limits.attempt(address_of(request), f"prove {caller.person.id}")
