"""Bots at the other end of a line to a server, which can be cut."""

import asyncio
import contextlib

from hanpan.client.remote_bot import BotConnection, RemoteBot


class Cutter:
    """A way to a server that can be cut, as often as one likes."""

    def __init__(self, port):
        self._to, self._open, self.cuts = port, set(), 0
        self._at = 0

    async def __aenter__(self):
        await self.open()
        self.url = f"http://127.0.0.1:{self._at}"
        return self

    async def __aexit__(self, *_):
        self.close()

    async def open(self):
        """Let everyone through (again)."""
        self._server = await asyncio.start_server(self._pass_on, "127.0.0.1", self._at)
        self._at = self._server.sockets[0].getsockname()[1]

    def close(self):
        """Cut everything, and let nobody through any more."""
        self._server.close()
        self.cut()

    async def _pass_on(self, reader, writer):
        there, out = await asyncio.open_connection("127.0.0.1", self._to)
        mine = {writer, out}
        self._open |= mine
        with contextlib.suppress(OSError):
            await asyncio.gather(self._copy(reader, out), self._copy(there, writer))
        self._open -= mine

    async def _copy(self, reader, writer):
        with contextlib.suppress(OSError):
            while data := await reader.read(1 << 16):
                writer.write(data)
                await writer.drain()
        writer.close()

    def cut(self):
        """All connections, at once and without a farewell."""
        self.cuts += bool(self._open)
        for writer in list(self._open):
            writer.transport.abort()


class Watched(BotConnection):
    """A line that remembers what it was told."""

    def __init__(self, *where):
        super().__init__(*where)
        self.heard = []

    async def news(self):
        async for told in super().news():
            self.heard.append(told)
            yield told


@contextlib.asynccontextmanager
async def playing(line, game="tictactoe", ends_with=(), **more):
    """A computer player at the other end of a line; what it may end with by itself is named."""
    task = asyncio.create_task(RemoteBot(line, game, 1, **more).run())
    try:
        yield task
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError, *ends_with):
            await task


async def online(server, bot):
    while bot not in server.services.lobby.online:
        await asyncio.sleep(0.02)


async def playing_with(server, me, bot):
    """My room, where I play against a bot that I have invited."""
    await online(server, bot)
    await me.enter_lobby()
    room = await me.new_room("tictactoe")
    await room.call("sit on", seat=0)
    await room.call("send invitation", to=bot)
    await room.until(lambda: room.last["player info"]["seats"][1]["person"] is not None)
    await room.call("set ready")
    return room
