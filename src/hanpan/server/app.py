"""The server as an ASGI application."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import socketio
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.middleware.gzip import GZipMiddleware

from hanpan import __version__
from hanpan.server import (
    archive_doors,
    bot_doors,
    drawing,
    front,
    login_doors,
    me_doors,
    operations_doors,
    operator_doors,
    pages,
    pictures,
    prove_doors,
    second_doors,
    web,
)
from hanpan.server.desks import DeskOutlet, Desks
from hanpan.server.gate import Gate
from hanpan.server.house import House
from hanpan.server.limits import Limits
from hanpan.server.logins import Logins
from hanpan.server.luck import Luck
from hanpan.server.packed import LEAST, Kept
from hanpan.server.people import Tokens, secret_of
from hanpan.server.refused import Refused
from hanpan.server.session import misread, refusal
from hanpan.server.settings import Settings
from hanpan.server.showing import LEVEL
from hanpan.server.sockets import LobbyDoors, RoomDoors, RootDoors, make_sockets
from hanpan.server.storage.database import own_folder
from hanpan.server.storage.store import Store
from hanpan.server.studio import Studio
from hanpan.server.thinkers import Thinkers
from hanpan.server.wire import sweep


def make_app(settings: Settings, luck: Luck | None = None, hurry: Callable[[str], None] = lambda name: None) -> Any:
    """The whole application: sockets, HTTP, and the house behind them.

    `luck` is where chance comes from, for tests that know it; `hurry` is told which game somebody has just opened.
    """
    limits = Limits(settings)
    sio = make_sockets(limits, [settings.public, *settings.origins] if settings.url or settings.origins else ())
    own_folder(settings.data)
    tokens = Tokens(secret_of(settings.data))

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        gc.set_threshold(50_000, 20, 100)  # many small short-lived objects: collecting less often halves the slowest answers
        store = await Store.open(settings.database_url, "full")
        outlet, bots = DeskOutlet(sio), Thinkers(settings.thinkers, settings.quick_bots)
        app.state.house = house = House(store, outlet, tokens, bots, luck or Luck(), settings, limits, hurry)
        store.watch_commits(house.metrics.commit.observe)
        app.state.desks = desks = Desks(house, outlet)
        app.state.logins = logins = Logins(house, settings)
        await house.open()
        sweeping = [asyncio.create_task(sweep(sio)), asyncio.create_task(house.tidy())]
        for doors, namespace in ((RootDoors, "/"), (LobbyDoors, "/lobby"), (RoomDoors, "/room")):
            sio.register_namespace(doors(namespace, house, outlet))
        gc.collect()
        gc.freeze()  # what is loaded stays: looking through it once more takes a tenth of a second, which somebody's move would wait for
        try:
            yield
        finally:
            for task in sweeping:
                task.cancel()
            await house.farewell()
            desks.close()
            app.state.studio.close()
            await house.close()
            await logins.mail.close()
            await store.close()

    app = FastAPI(title="Hanpan", version=__version__, lifespan=lifespan, openapi_url=None)
    app.add_middleware(GZipMiddleware, minimum_size=LEAST, compresslevel=LEVEL, thread_minimum_size=16_000)
    app.state.settings = settings
    app.state.studio, app.state.kept = Studio(), Kept()
    of_people = (login_doors, second_doors, prove_doors, me_doors, operator_doors, operations_doors)
    for room in (web, archive_doors, drawing, bot_doors, front, *of_people, pictures, pages):
        app.include_router(room.router)
    app.add_exception_handler(Refused, refusal)
    app.add_exception_handler(RequestValidationError, misread)
    app.add_exception_handler(404, front.lost)
    return Gate(socketio.ASGIApp(sio, other_asgi_app=app), settings, limits, lambda sid: sid in sio.eio.sockets)
