"""What pages need to play games by themselves."""

from __future__ import annotations

from fastapi import APIRouter, HTTPException, Request, Response

from hanpan.core.reading import quoted
from hanpan.server.engines import file
from hanpan.server.http.packed import FOREVER, constant
from hanpan.server.http.records import told
from hanpan.server.rooms.showing import plain

router = APIRouter()
_KINDS = {".wasm": "application/wasm", ".js": "text/javascript", ".json": "application/json"}


@router.get("/api/engines", summary="The files with which a page plays each game by itself")
async def engines(request: Request) -> Response:
    """Of every game: `engine` (a WebAssembly module of its rules and computer players), and what goes with it; null as long as there is none."""
    found = request.app.state.engines()
    addresses = {name: built and {part: f"/api/engines/{name_}" for part, name_ in built.items()} for name, built in found.items()}
    return told(plain(addresses))


@router.get("/api/engines/{name}", summary="One of these files")
async def part(request: Request, name: str) -> Response:
    """Its name changes with what is in it."""
    found = file(name)
    if found is None:
        raise HTTPException(404, f"{quoted(name)} is not there: /api/engines names the files of this version")
    return await constant(request, found.read_bytes, _KINDS[found.suffix], FOREVER)
