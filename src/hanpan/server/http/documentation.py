"""What the server says of itself: the documentation of HTTP and events, for people and for programs."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from hanpan.server.http import documents
from hanpan.server.http.packed import made_apart

router = APIRouter(include_in_schema=False)

_STYLE = """
body{font-family:system-ui,sans-serif;background:#f7f3ea;color:#22252b;max-width:60rem;margin:2rem auto;padding:0 1rem;line-height:1.45}
main{display:flex;flex-wrap:wrap;gap:1rem}figure{margin:0}a{color:#1f5fa8}code,pre{font-family:ui-monospace,monospace;font-size:.9em}
dt{margin-top:.6rem}dd{margin:0 0 0 1.5rem}pre{background:#fffdf7;border:1px solid #e4dcc8;padding:.5rem;overflow:auto}
@media(prefers-color-scheme:dark){body{background:#1d1f24;color:#e9e6df}a{color:#8fbdf2}pre{background:#26292f;border-color:#3a3e46}}
"""


@router.get("/plain.css")
async def style() -> Response:
    """How these pages look. A file of its own, because nothing inline is allowed."""
    return Response(_STYLE, media_type="text/css")


@router.get("/docs")
async def docs(request: Request) -> Response:
    """The HTTP API and the events, each from the document that programs read."""
    return await made_apart(request, documents.made, "text/html")


@router.get("/openapi.json")
async def http_document(request: Request) -> Response:
    """What can be asked over HTTP."""
    return await made_apart(request, documents.made, "application/json")


@router.get("/asyncapi.json")
async def events_document(request: Request) -> Response:
    """The sockets' events, made from the same schemas that check them."""
    return await made_apart(request, documents.made, "application/json")
