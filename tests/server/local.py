"""A server in a thread of this process."""

import asyncio
import inspect
import threading
import time
from contextlib import asynccontextmanager, suppress

import uvicorn
from deals import Deals
from hashes import LIGHT
from serving import PATIENT, free_port

from hanpan.server.app import make_app
from hanpan.server.people import hashing
from hanpan.server.rooms import studio
from hanpan.server.run import configured
from hanpan.server.settings import Settings
from hanpan.server.storage.database import address, embedded_file
from hanpan.server.storage.migrate import migrate

hashing.HASHER = LIGHT
studio.SECONDS = 600.0  # what is drawn apart comes last, so on a busy machine it takes long


_NEW = []  # what a new database holds


async def _begin_database(url):
    """Where there is no database yet, the one that a server would make. It is made once: all the steps of its schema take longer than most tests."""
    file = embedded_file(address(url))
    if file is None or file.exists():
        return
    if _NEW:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        file.write_bytes(_NEW[0])
    else:
        await migrate(url)
        _NEW.append(file.read_bytes())


class PromptServer(uvicorn.Server):
    """It says when it listens, and ends when it is told to; uvicorn looks ten times a second whether it shall."""

    def __init__(self, config):
        super().__init__(config)
        self.listens, self._end = threading.Event(), asyncio.Event()
        self._loop = None

    async def startup(self, sockets=None):
        self._loop = asyncio.get_running_loop()
        await super().startup(sockets)
        self.listens.set()

    async def main_loop(self):
        await self.on_tick(0)
        await self._end.wait()

    def end(self):
        """From any thread; once it has ended, nothing."""
        self.should_exit = True
        with suppress(RuntimeError):  # the loop is closed
            if self._loop is not None:
                self._loop.call_soon_threadsafe(self._end.set)


class LocalServer:
    """A server in a thread of this process, whose clock can be moved on, whose chance follows from the position and whose parts can be touched."""

    def __init__(self, data, chance=None, port=None, **settings):
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        chosen = Settings(data=data, port=self.port, **({"quick_bots": True, "patience": 0.2, "unlimited_local": True} | settings))
        self._database = chosen.database_url
        self.app = make_app(chosen, chance or Deals(), now=self._now)
        self._server = PromptServer(configured(self.app, chosen))
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()))
        self._moved, self._held = 0, None
        self._loop = None

    def _now(self):
        return (self._held or time.time_ns() // 1_000_000) + self._moved

    def hold_clock(self):
        """From now on time passes for the server by `later` alone, whatever this machine takes for itself; the server."""
        self._held = time.time_ns() // 1_000_000
        return self

    async def _run(self):
        self._loop = asyncio.get_running_loop()
        await _begin_database(self._database)
        await self._server.serve()

    def start(self):
        self._thread.start()
        for _ in range(PATIENT):
            if self._server.listens.wait(1):
                return self._started()
            assert self._thread.is_alive(), "the server has ended before it listened"
        raise AssertionError("the server does not listen")

    def _started(self):
        self.services = self.app.other_asgi_app.state.services
        return self

    @asynccontextmanager
    async def here(self):
        """Run on the loop of those who play, not in a thread of its own: much faster, since the two need not wait for each other."""
        task = asyncio.create_task(self._run())
        while not self._server.started:
            await asyncio.sleep(0.01)
        try:
            yield self._started()
        finally:
            self._server.end()
            await task

    def stop(self):
        self._server.end()
        self._thread.join()

    async def do(self, work, *arguments):
        """Run a function of the server's on its own loop."""

        async def inside():
            result = work(*arguments)
            return await result if inspect.isawaitable(result) else result

        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(inside(), self._loop))

    def sockets(self):
        """The open connections."""
        return list(self.app._inner.engineio_server.eio.sockets.values())

    async def later(self, seconds):
        """Let so much time pass, for the server: whoever runs out of it meanwhile is told at once."""
        self._moved += int(seconds * 1000)
        for room in list(self.services.registry.rooms.values()):
            await self.do(room.turns.set_alarm)
