"""Where others find this server, for whoever has opened it on the machine that it runs on: the address in their browser is nobody else's."""

from __future__ import annotations

from fastapi import APIRouter, Request

from hanpan.server.http.answers import Around
from hanpan.server.http.session import address_of, settings_of
from hanpan.server.network import others_open
from hanpan.server.people.limits import local

router = APIRouter()


@router.get("/api/network", summary="Where others find this server")
async def around(request: Request) -> Around:
    """For links that are made on the very machine that the server runs on. Whoever asks from elsewhere has an address that will do; out of a container
    nobody knows one."""
    settings = settings_of(request)
    if settings.url is not None:
        return Around(address=settings.url, alone=False)
    if not local(address_of(request)):
        return Around(address=None, alone=False)
    return Around(address=others_open(settings), alone=not settings.everywhere)
