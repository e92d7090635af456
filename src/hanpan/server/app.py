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
from hanpan.server.http import archive, bots, documentation, drawing, health, login, me, operators, page, pictures, prove, records, second_factor
from hanpan.server.http.packed import LEAST, Kept
from hanpan.server.http.session import misread, refusal
from hanpan.server.people.limits import Limits
from hanpan.server.people.logins import Logins
from hanpan.server.people.tokens import Tokens, secret_of
from hanpan.server.protocol.refusals import Refused
from hanpan.server.rooms.bot_pool import BotPool
from hanpan.server.rooms.chance import Chance
from hanpan.server.rooms.house import House
from hanpan.server.rooms.showing import LEVEL
from hanpan.server.rooms.studio import Studio
from hanpan.server.settings import Settings
from hanpan.server.storage.database import own_folder
from hanpan.server.storage.store import Store
from hanpan.server.transport.bot_streams import DeskOutbox, Desks
from hanpan.server.transport.fast_engineio import sweep
from hanpan.server.transport.middleware import GuardMiddleware
from hanpan.server.transport.sockets import LobbyDoors, RoomDoors, RootDoors, make_sockets


def make_app(settings: Settings, chance: Chance | None = None, hurry: Callable[[str], None] = lambda name: None) -> Any:
    """The whole application: sockets, HTTP, and the house behind them.

    `chance` is where chance comes from, for tests that know it; `hurry` is told which game somebody has just opened.
    """
    limits = Limits(settings)
    sio = make_sockets(limits, [settings.public, *settings.origins] if settings.url or settings.origins else ())
    own_folder(settings.data)
    tokens = Tokens(secret_of(settings.data))

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        gc.set_threshold(50_000, 20, 100)  # many small short-lived objects: collecting less often halves the slowest answers
        store = await Store.open(settings.database_url, "full")
        outbox, bots = DeskOutbox(sio), BotPool(settings.thinkers, settings.quick_bots)
        app.state.house = house = House(store, outbox, tokens, bots, chance or Chance(), settings, limits, hurry)
        store.watch_commits(house.metrics.commit.observe)
        app.state.desks = desks = Desks(house, outbox)
        app.state.logins = logins = Logins(house, settings)
        await house.open()
        sweeping = [asyncio.create_task(sio.sweep()), asyncio.create_task(house.tidy())]
        for doors, namespace in ((RootDoors, "/"), (LobbyDoors, "/lobby"), (RoomDoors, "/room")):
            sio.register_namespace(doors(namespace, house, outbox))
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
    of_people = (login, second_factor, prove, me, operators, health)
    for room in (records, archive, drawing, bots, page, *of_people, pictures, documentation):
        app.include_router(room.router)
    app.add_exception_handler(Refused, refusal)
    app.add_exception_handler(RequestValidationError, misread)
    app.add_exception_handler(404, page.lost)
    return GuardMiddleware(socketio.ASGIApp(sio, other_asgi_app=app), settings, limits, lambda sid: sid in sio.eio.sockets)
