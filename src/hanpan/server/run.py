"""A server that is hosted: it starts, says so, and when it is told to stop, it first tells everyone to come back and finishes what was begun."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, contextmanager, suppress
from errno import EADDRNOTAVAIL
from multiprocessing import parent_process
from multiprocessing.connection import Connection
from socket import gaierror, socket
from threading import Event, Thread
from typing import Literal

import uvicorn
from fastapi import FastAPI
from starlette.types import ASGIApp

from hanpan.core.compiled import cache_folder
from hanpan.server.app import make_app
from hanpan.server.engines import Engines
from hanpan.server.logs import set_up
from hanpan.server.outside import look_at_all
from hanpan.server.rooms.chance import Chance
from hanpan.server.settings import Settings, unknown_variables
from hanpan.server.storage.migrate import migrate
from hanpan.server.storage.models import StorageError
from hanpan.server.storage.only_server import only_server
from hanpan.server.transport.http_connections import http_connection
from hanpan.server.transport.sizes import MOST_BYTES
from hanpan.server.transport.versions import unknown
from hanpan.server.workers import Workers
from hanpan.workshop import Workshop

log = logging.getLogger("hanpan.server")


class Host(uvicorn.Server):
    """uvicorn, with a greeting and a farewell. What keeps the application from opening is raised; uvicorn alone would log it with all of where it happened."""

    def __init__(self, config: uvicorn.Config, app: FastAPI, opened: Callable[[], None], alive: Callable[[], None] = lambda: None) -> None:
        config.lifespan = "off"  # it is ours
        super().__init__(config)
        self._app, self._opened, self._alive, self._open = app, opened, alive, AsyncExitStack()

    async def startup(self, sockets: list[socket] | None = None) -> None:
        """Open the application, if nobody else serves its database, then take connections."""
        settings: Settings = self._app.state.settings
        async with AsyncExitStack() as opening:
            await opening.enter_async_context(only_server(settings.database_url, alone=settings.redis is None))
            await opening.enter_async_context(self._app.router.lifespan_context(self._app))
            with _told_which(settings):
                await super().startup(sockets)
            self._open = opening.pop_all()
        for variable in unknown_variables():
            log.warning("%s is set in the environment, and is no setting; `hanpan settings` lists all", variable)
        if self.started:
            log.info("open", extra={"port": self.config.port})
            self._opened()

    async def on_tick(self, counter: int) -> bool:
        """Ten times a second, as long as anything here has its turn; once a second that is told."""
        if counter % 10 == 0:
            self._alive()
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        """Tell everyone, let requests that are under way end, then close: each of them, whatever goes wrong in the one before."""
        async with self._open:
            try:
                await self._app.state.services.shutdown.begin()
            finally:
                await super().shutdown(sockets)
        log.info("closed")


@contextmanager
def _told_which(settings: Settings) -> Iterator[None]:
    """Where it can't listen uvicorn logs that, and leaves; whoever starts it is told which setting is meant instead. ValueError."""
    theirs = logging.getLogger("uvicorn.error")
    theirs.disabled = True
    try:
        yield
    except SystemExit as left:
        wrong = left.__context__
        if not isinstance(wrong, OSError):
            raise
        name = "host" if isinstance(wrong, gaierror) or wrong.errno == EADDRNOTAVAIL else "port"
        reason = wrong.strerror if isinstance(wrong, gaierror) else os.strerror(wrong.errno or 0)
        raise ValueError(f"{name}: nothing can listen at {settings.host}, port {settings.port} ({reason})") from None
    finally:
        theirs.disabled = False


def _websockets() -> type[asyncio.Protocol] | Literal["auto"]:
    """Ours, if it knows what it stands on; else what uvicorn itself would take."""
    if unknown():
        return "auto"
    from hanpan.server.transport.fast_websockets import ShortProtocol

    return ShortProtocol


def configured(app: ASGIApp, settings: Settings) -> uvicorn.Config:
    """How uvicorn is to run it."""
    return uvicorn.Config(
        app, host=settings.host, port=settings.port, timeout_graceful_shutdown=2, log_config=None, access_log=False,
        log_level="error",  # it warns of every request that is none: whoever sends many would fill the disk
        proxy_headers=True, forwarded_allow_ips=settings.proxies, ws=_websockets(), ws_ping_interval=None,  # Engine.IO has pings of its own
        http=http_connection(settings.connections_per_address, settings.proxies),
        ws_max_size=MOST_BYTES, ws_per_message_deflate=False,  # a small compressed frame can hold a thousand times as much
    )  # fmt: skip


def serve(settings: Settings, opened: Callable[[], None] = lambda: None, chance: Chance | None = None) -> None:
    """Run until interrupted; `opened` is called when people can come in. What the games need is compiled apart meanwhile, if it never was on this machine."""

    def told() -> None:
        opened()
        _tell_systemd(b"READY=1")

    cache_folder()  # one that can't be used is told now, not by whoever plays first
    if settings.redis is not None:
        asyncio.run(_prepare(settings, settings.redis))
    if settings.workers == 1:
        _serve(settings, told, chance, alive=_alive)
        return
    set_up(settings)
    with _living():
        with _told_which(settings):
            listening = uvicorn.Config(_nothing, host=settings.host, port=settings.port, log_config=None).bind_socket()
        Workers(_worker, settings, listening).run(told)


def _alive() -> None:
    """A unit that hears it no more ends the process and starts another one (WatchdogSec): one that hangs would keep the connections that it is given."""
    with suppress(OSError):  # whoever serves people neither waits for it nor ends because of it
        _tell_systemd(b"WATCHDOG=1", wait=False)


@contextmanager
def _living() -> Iterator[None]:
    """The first of several processes serves nobody itself: it is alive as long as it looks after the others."""
    ended = Event()

    def live() -> None:
        while not ended.wait(1):
            _alive()

    telling = Thread(target=live, name="alive", daemon=True)
    telling.start()
    try:
        yield
    finally:
        ended.set()
        telling.join()


def _tell_systemd(what: bytes, wait: bool = True) -> None:
    """Where a unit waits for it (Type=notify): that people can come in, and that it lives. Nobody has to know then where the server listens to ask it."""
    if where := os.environ.get("NOTIFY_SOCKET"):
        from socket import AF_UNIX, SOCK_DGRAM  # not every system has the first

        with socket(AF_UNIX, SOCK_DGRAM) as line:
            line.setblocking(wait)
            line.sendto(what, "\0" + where[1:] if where.startswith("@") else where)


async def _nothing(scope: object, receive: object, send: object) -> None:
    """Stands where uvicorn wants an application to bind a socket for."""


async def _prepare(settings: Settings, redis: str) -> None:
    """Both parts that many processes need are there, and the tables are made once, before they look for them. ValueError or StorageError names what is not."""
    from hanpan.server.cluster.redis_bus import check  # not everybody has what speaks to Redis

    try:
        await check(redis)
    except ConnectionError as missing:
        raise ValueError(str(missing)) from None
    await migrate(settings.database_url)


def _worker(settings: Settings, listening: socket, node: str, opened: Connection) -> None:
    """One of several processes behind one port."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all of them; the first process tells the others
    Thread(target=_end_with_first, name="first process", daemon=True).start()
    try:
        _serve(settings, lambda: opened.send("open"), None, node, [listening])
    except (ValueError, StorageError) as wrong:
        log.error("it can't open: %s", wrong)
        sys.exit(2)


def _end_with_first() -> None:
    """Stop as if told to once the first process is gone, however it ended: nobody would tell us any more, and we would keep the port from the next one."""
    first = parent_process()
    assert first is not None
    first.join()  # waits for the end of a pipe that only the first process holds
    os.kill(os.getpid(), signal.SIGTERM)


def _serve(
    settings: Settings,
    opened: Callable[[], None],
    chance: Chance | None,
    node: str | None = None,
    sockets: list[socket] | None = None,
    alive: Callable[[], None] = lambda: None,
) -> None:
    set_up(settings)
    sys.setswitchinterval(0.001)  # seconds: whoever draws or replays in a thread gives way to moves soon
    look_at_all()
    workshop = Workshop().open()
    engines = Engines(workshop.ended).open()

    def hurry(name: str) -> None:
        workshop.first(name)
        engines.first(name)

    try:
        app = make_app(settings, chance, hurry=hurry, engines=engines.told, node=node)
        Host(configured(app, settings), app.other_asgi_app, opened, alive).run(sockets)
    finally:
        workshop.close()
        engines.close()
