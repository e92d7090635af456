"""The server as an ASGI application."""

from __future__ import annotations

import asyncio
import gc
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING

import socketio
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.middleware.gzip import GZipMiddleware

from hanpan import __version__
from hanpan.server.cluster.nodes import SharedClock
from hanpan.server.faults import log_fault
from hanpan.server.http import documentation, page
from hanpan.server.http.documents import ROUTERS
from hanpan.server.http.packed import LEAST, Kept
from hanpan.server.http.services import Services
from hanpan.server.http.session import misread, our_fault, refusal
from hanpan.server.metrics import Holdings, Metrics
from hanpan.server.people.bans import Bans
from hanpan.server.people.filters import filter_of
from hanpan.server.people.identity import People
from hanpan.server.people.limits import Limits
from hanpan.server.people.logins import Logins
from hanpan.server.people.moderation import Moderation
from hanpan.server.people.speech import Speech
from hanpan.server.people.tokens import Tokens, new_id, secret_of
from hanpan.server.protocol.refusals import Refused
from hanpan.server.rooms.bot_pool import BotPool
from hanpan.server.rooms.chance import Chance
from hanpan.server.rooms.context import Context, Timeouts
from hanpan.server.rooms.games import GameLoader
from hanpan.server.rooms.lobby import Lobby
from hanpan.server.rooms.matchmaking import Matchmaking
from hanpan.server.rooms.mirror import Mirror
from hanpan.server.rooms.outbox import Outbox
from hanpan.server.rooms.passwords import Passwords
from hanpan.server.rooms.registry import Registry
from hanpan.server.rooms.showing import LEVEL
from hanpan.server.rooms.studio import Studio
from hanpan.server.rooms.timers import Calendar
from hanpan.server.settings import Settings
from hanpan.server.storage.database import own_folder, wall_clock
from hanpan.server.storage.models import Unreachable
from hanpan.server.storage.store import Store
from hanpan.server.storage.sweep import Ages, Sweep
from hanpan.server.transport.bot_requests import BotRequests
from hanpan.server.transport.bot_streams import BotStreams, StreamOutbox
from hanpan.server.transport.cluster_bots import ClusterBots
from hanpan.server.transport.gateway import Gateway, OwnLobby, OwnRooms
from hanpan.server.transport.middleware import GuardMiddleware
from hanpan.server.transport.shutdown import Shutdown
from hanpan.server.transport.socket_outbox import SocketOutbox
from hanpan.server.transport.socket_server import make_sockets
from hanpan.server.transport.sockets import LobbyNamespace, RoomNamespace, RootNamespace, Shared

if TYPE_CHECKING:
    from hanpan.server.clustering import Cluster

_TIDY_SECONDS = 3600.0
LOOK_SECONDS = 10.0  # until a connection is closed whose session was ended by a command


def make_app(
    settings: Settings,
    chance: Chance | None = None,
    hurry: Callable[[str], None] = lambda name: None,
    now: Callable[[], int] = wall_clock,
    engines: Callable[[], Mapping[str, object]] = dict,
    node: str | None = None,
) -> GuardMiddleware:
    """The whole application: sockets, HTTP, and the rooms behind them.

    `chance` is where chance comes from, and `now` the time, for tests that know them; `hurry` is told which game somebody has just opened; `engines` says what
    there is for pages that play by themselves; `node` is the name of this process among many.
    """
    limits = Limits(settings)
    sio = make_sockets(limits, [settings.public, *settings.origins] if settings.url or settings.origins else (), alone=settings.redis is None)
    own_folder(settings.data)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        gc.set_threshold(50_000, 20, 100)  # many small short-lived objects: collecting less often halves the slowest answers
        clock = SharedClock()
        time_of = now if settings.redis is None or now is not wall_clock else clock
        store = await Store.open(settings.database_url, "full", now=time_of)
        mirror = Mirror()
        cluster: Cluster | None = None
        if settings.redis is not None:
            from hanpan.server.clustering import Cluster  # not everybody has what speaks to Redis

            cluster = Cluster(settings, store, sio, mirror, node or new_id(12), clock)
        outbox = StreamOutbox(sio) if cluster is None else cluster.outbox
        app.state.services = services = _wired(settings, limits, store, outbox, chance or Chance(), hurry, time_of, mirror, cluster)
        await services.people.bans.load()
        if cluster is None:
            await services.registry.open()
        else:
            await cluster.open(services.context.bots)
        shared = Shared(services.people, limits, outbox, services.shutdown, settings.cookie)
        sio.register_namespace(RootNamespace("/", shared))
        sio.register_namespace(LobbyNamespace("/lobby", shared, services.lobby, services.own_lobby))
        sio.register_namespace(RoomNamespace("/room", shared, services.gateway))
        ages = Ages(settings.games_days, settings.log_days, settings.trace_days, settings.guest_days)
        sweep = Sweep(store, settings.data / "archive", ages, services.now)
        again = [
            sio.sweep(),
            _every(_TIDY_SECONDS, "tidying", partial(_tidy, services, outbox, sweep)),
            _every(LOOK_SECONDS, "looking who has to go", partial(_show_out, services.people, outbox)),
        ]
        sweeping = [asyncio.create_task(each) for each in again]
        gc.collect()
        gc.freeze()  # what is loaded stays: looking through it once more takes a tenth of a second, which somebody's move would wait for
        try:
            yield
        finally:
            for task in sweeping:
                task.cancel()
            await services.shutdown.begin()
            services.streams.close()
            app.state.studio.close()
            app.state.kept.close()
            services.registry.close()
            if cluster is not None:
                await cluster.close()
            services.context.bots.close()
            services.sketches.close()
            await services.logins.mail.close()
            await store.close()

    routes = [route for router in (page.router, *ROUTERS, documentation.router) for route in router.routes]  # as they are: to include a router makes them anew
    app = FastAPI(title="Hanpan", version=__version__, lifespan=lifespan, openapi_url=None, routes=routes)
    app.add_middleware(GZipMiddleware, minimum_size=LEAST, compresslevel=LEVEL, thread_minimum_size=16_000)
    app.state.settings = settings
    app.state.studio, app.state.kept, app.state.engines = Studio(), Kept(), engines
    app.add_exception_handler(Refused, refusal)
    app.add_exception_handler(RequestValidationError, misread)
    app.add_exception_handler(404, page.lost)
    app.add_exception_handler(Exception, our_fault)
    return GuardMiddleware(socketio.ASGIApp(sio, other_asgi_app=app), settings, limits, lambda sid: sid in sio.eio.sockets)


def _wired(
    settings: Settings, limits: Limits, store: Store, outbox: StreamOutbox, chance: Chance, hurry: Callable[[str], None], now: Callable[[], int],
    mirror: Mirror, cluster: Cluster | None,
) -> Services:  # fmt: skip
    """All parts, each with those that it needs, ground floor first."""
    metrics, filtered, bans = Metrics(), filter_of(settings), Bans(store.barring, settings.address_days, now)
    people = People(store, outbox, Tokens(secret_of(settings.data, settings.secret)), bans, limits, filtered, now)
    speech = Speech(store.moderation, people, limits, filtered, now)
    bots, sketches = BotPool(settings.thinkers, settings.quick_bots), Studio()
    timeouts = Timeouts(settings.patience, settings.claim_seconds, settings.abandoned_seconds, settings.ready_seconds)
    context = Context(
        store=store, outbox=outbox, people=people, speech=speech, bots=bots, chance=chance, sketches=sketches, games=GameLoader(hurry),
        passwords=Passwords(limits), timeouts=timeouts, calendar=Calendar(), chat_days=settings.chat_days, now=now, acted=metrics.action.observe,
    )  # fmt: skip
    registry = Registry(context, limits, settings.rooms_per_person, settings.rooms_per_address, mirror)
    here = Matchmaking(context, registry)
    matchmaking = here if cluster is None else cluster.matchmaking(here, people)
    lobby = Lobby(people, speech, outbox, registry, matchmaking, now)
    own_lobby, own = OwnLobby(people, lobby, registry, matchmaking), OwnRooms(people, registry, lobby)
    gateway: Gateway = own if cluster is None else cluster.share(people, speech, limits, registry, lobby, own)
    streams = BotStreams(people, registry, lobby, gateway, timeouts, outbox)
    shutdown = Shutdown(outbox, _nobody_else if cluster is None else cluster.hand_over)
    own_bots = BotRequests(people, limits, registry, own_lobby, streams, shutdown)
    bot_requests = own_bots if cluster is None else ClusterBots(own_bots, streams, people, mirror, cluster.bus)
    close_room = registry.close_room if cluster is None else cluster.close_room
    moderation = Moderation(store, people, outbox, close_room, now)
    logins = Logins(store, people, limits, settings, now)
    store.watch_commits(metrics.commit.observe)
    metrics.watch(lambda: _held(outbox, lobby, registry, bots))
    return Services(
        store=store, outbox=outbox, limits=limits, people=people, speech=speech, moderation=moderation, logins=logins, context=context,
        registry=registry, matchmaking=matchmaking, lobby=lobby, own_lobby=own_lobby, gateway=gateway, streams=streams, bot_requests=bot_requests,
        sketches=sketches, shutdown=shutdown, metrics=metrics, now=now,
    )  # fmt: skip


async def _nobody_else() -> bool:
    return False


def _held(outbox: Outbox, lobby: Lobby, registry: Registry, bots: BotPool) -> Holdings:
    playing = Counter(room.state.game.name for room in registry.rooms.values() if room.state.playing)
    return Holdings(outbox.connections(), len(lobby.online), len(registry.rooms), playing, bots.waiting, len(asyncio.all_tasks()))


async def _every(seconds: float, what: str, work: Callable[[], Awaitable[None]]) -> None:
    """Do something again and again, for as long as the server is open."""
    while True:
        await asyncio.sleep(seconds)
        try:
            await work()
        except Exception as fault:  # it is tried again
            log_fault(what, fault)


async def _tidy(services: Services, outbox: SocketOutbox, sweep: Sweep) -> None:
    """What has become old is made shorter, or goes. Whoever is here is not old."""
    outbox.forget_lags()
    services.people.let_go(outbox.people() | services.lobby.online.keys() | services.registry.people_needed())
    await services.store.sessions.saw(outbox.opened_by(), services.now())
    await services.people.bans.tidy()
    await sweep.nightly()


async def _show_out(people: People, outbox: SocketOutbox) -> None:
    """A command ends sessions in the storage only: whoever is here by one that has ended has to go."""
    with suppress(Unreachable):  # nobody comes in meanwhile
        await people.show_out(outbox.opened_by())
