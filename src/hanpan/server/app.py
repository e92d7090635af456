"""The server as an ASGI application, and how it is started."""

from __future__ import annotations

import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import socketio
from fastapi import FastAPI
from fastapi.middleware.gzip import GZipMiddleware

from hanpan import __version__
from hanpan.server.front import router as front
from hanpan.server.house import House
from hanpan.server.luck import Luck
from hanpan.server.pages import router as pages
from hanpan.server.people import Tokens, secret_of
from hanpan.server.pictures import router as pictures
from hanpan.server.sockets import LobbyDoors, RoomDoors, RootDoors, SocketOutlet, make_sockets
from hanpan.server.storage.store import Store
from hanpan.server.thinkers import Thinkers
from hanpan.server.web import router


@dataclass(frozen=True)
class Settings:
    """How a server is run."""

    data: Path
    database: str | None = None  # an SQLAlchemy address; SQLite in the data folder if left out
    host: str = "127.0.0.1"
    port: int = 8000
    thinkers: int = 1  # computer players that think at the same time
    patience: float = 20.0  # seconds until someone who lost the connection counts as gone
    ready_seconds: float = 60.0  # until a game starts although not everyone has said that they are ready
    quick_bots: bool = False  # computer players answer at once (for tests)

    @property
    def url(self) -> str:
        """The database's address."""
        return self.database or f"sqlite+aiosqlite:///{self.data / 'hanpan.db'}"


def make_app(settings: Settings, luck: Luck | None = None) -> Any:
    """The whole application: sockets, HTTP, and the house behind them. `luck` is where chance comes from, for tests that know it."""
    sio = make_sockets()
    settings.data.mkdir(parents=True, exist_ok=True)
    tokens = Tokens(secret_of(settings.data))

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        gc.set_threshold(50_000, 20, 100)  # many small short-lived objects: collecting less often halves the slowest answers
        store = await Store.open(settings.url, "full")
        outlet, bots = SocketOutlet(sio), Thinkers(settings.thinkers, settings.quick_bots)
        app.state.house = house = House(store, outlet, tokens, bots, luck or Luck(), settings.patience, settings.ready_seconds)
        await house.open()
        for doors, namespace in ((RootDoors, "/"), (LobbyDoors, "/lobby"), (RoomDoors, "/room")):
            sio.register_namespace(doors(namespace, house, outlet))
        try:
            yield
        finally:
            await house.close()
            await store.close()

    web = FastAPI(title="Hanpan", version=__version__, lifespan=lifespan, docs_url=None, redoc_url=None)
    web.add_middleware(GZipMiddleware, minimum_size=1000)
    for part in (router, pictures, front, pages):
        web.include_router(part)
    return socketio.ASGIApp(sio, other_asgi_app=web)


def serve(settings: Settings) -> None:
    """Run until interrupted."""
    import uvicorn

    uvicorn.run(make_app(settings), host=settings.host, port=settings.port, timeout_graceful_shutdown=2, log_level="warning", access_log=False)
