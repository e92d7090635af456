"""Serves the page: one document for every address that people open, and the files it is made of."""

from __future__ import annotations

import os
from importlib.resources import files
from mimetypes import guess_type
from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.exception_handlers import http_exception_handler
from fastapi.responses import FileResponse, HTMLResponse, Response
from starlette.exceptions import HTTPException

from hanpan.server.http.packed import FOREVER, constant
from hanpan.server.http.session import settings_of

router = APIRouter(include_in_schema=False)
FOLDER = Path(str(files("hanpan.server"))) / "page"
_FRESH = {"Cache-Control": "no-cache"}
_KEEPER = "service-worker.js"
# what keeps nothing any more: it takes the place of one that kept the page, deletes that, and goes
_FAREWELL = """addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(caches.keys()
    .then((names) => Promise.all(names.map((name) => caches.delete(name)))).then(() => registration.unregister())));
"""
_NOT_BUILT = "<!doctype html><title>Hanpan</title><p>The page has not been built: run <code>./play</code>, or <code>npm ci && npm run build</code> in web/."


@router.get("/")
@router.get("/lobby")
@router.get("/watch")
@router.get("/r/{id}")
@router.get("/local/{id}")
@router.get("/learn")
@router.get("/learn/{name}")
@router.get("/replay")
@router.get("/replay/{id}")
@router.get("/analysis/{id}")
@router.get("/best")
@router.get("/best/{name}")
@router.get("/archive")
@router.get("/archive/{name}")
@router.get("/people/{id}")
@router.get("/login")
@router.get("/login/password")
@router.get("/login/token")
@router.get("/login/second")
@router.get("/me")
@router.get("/operator")
@router.get("/operator/{part}")
async def page(id: str = "", name: str = "", part: str = "") -> Response:
    """The same document everywhere; it looks at the address itself."""
    return _document()


async def lost(request: Request, wrong: Exception) -> Response:
    """An address that leads nowhere: people see the page say so; programs are told as they are used to."""
    assert isinstance(wrong, HTTPException)
    if request.method == "GET" and not request.url.path.startswith(("/api/", "/page/")):
        return _document(404)
    return await http_exception_handler(request, wrong)


def _document(status: int = 200) -> Response:
    document = FOLDER / "index.html"
    if not document.exists():
        return HTMLResponse(_NOT_BUILT, 503)
    return FileResponse(document, status, headers=_FRESH, media_type="text/html")


@router.get(f"/{_KEEPER}")
async def keeper(request: Request) -> Response:
    """What keeps the page in a browser. It stands above all addresses it answers for, and is looked for anew each time: another version is never missed."""
    if not settings_of(request).offline:
        return Response(_FAREWELL, media_type="text/javascript", headers=_FRESH)
    if not (FOLDER / _KEEPER).exists():
        raise HTTPException(404, "the page has not been built")
    return FileResponse(FOLDER / _KEEPER, headers=_FRESH, media_type="text/javascript")


@router.get("/page/{name}")
async def part(request: Request, name: str) -> Response:
    """A file that the document names."""
    if name.startswith(".") or not FOLDER.is_dir() or name not in os.listdir(FOLDER):  # what a stranger names is nowhere looked for
        raise HTTPException(404, "no such file")
    return await constant(request, (FOLDER / name).read_bytes, guess_type(name)[0] or "application/octet-stream", FOREVER)
