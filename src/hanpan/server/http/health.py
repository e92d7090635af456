"""For those who keep the server running: is it alive, can it take people, what does it measure."""

from __future__ import annotations

import secrets

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import PlainTextResponse

from hanpan.server.http.services import services_of
from hanpan.server.http.session import settings_of

router = APIRouter()


@router.get("/healthz", summary="Is the process alive?", response_class=PlainTextResponse)
async def healthz() -> str:
    """Always, if it answers."""
    return "ok\n"


@router.get("/readyz", summary="Can it take people?", response_class=PlainTextResponse)
async def readyz(request: Request) -> str:
    """When the storage can be read and written, as far as is known, and the server is not about to stop."""
    services = services_of(request)
    if services.shutdown.begun:
        raise HTTPException(503, "the server is about to stop")
    try:
        await services.store.ping()
    except Exception:
        raise HTTPException(503, "the storage can't be read or written") from None
    return "ready\n"


@router.get("/metrics", summary="What the server measures, for Prometheus", response_class=PlainTextResponse)
async def metrics(request: Request) -> Response:
    """With the bearer token from the settings. Where there is none nobody may ask: behind a proxy everyone can look like this machine itself."""
    token = settings_of(request).metrics_token
    given = request.headers.get("authorization", "").removeprefix("Bearer ").strip()
    if token is None:
        raise HTTPException(403, "set a metrics_token (HANPAN_METRICS_TOKEN), and ask with it as the bearer token")
    if not secrets.compare_digest(given.encode(), token.get_secret_value().encode()):
        raise HTTPException(401, "a bearer token is needed")
    return Response(services_of(request).metrics.text(), media_type="text/plain; version=0.0.4")
