"""A client whose connection is lost comes back by itself, at whatever moment it was lost."""

import asyncio
import json
from contextlib import asynccontextmanager

import pytest
from aiohttp import WSMsgType, web
from clients import guests, with_account

from hanpan.client import Invalid, Lobby, Lost, connection
from hanpan.client.connection import Connection

SECRET = "a shared secret with more than 32 letters in it"
SOON = 30  # seconds that a busy machine may need; a client that waits out its patience needs twice as many

# When the server is lost, in the order in which a connection comes to stand.
HANDSHAKE = "after the handshake, before a word"
OPENED = "after opening, before the namespace"
ENTERED = "after the namespace, before the greeting"
GREETED = "with the greeting"
STAYS = "not at all"


class Fragile:
    """A server that keeps to a script: when each connection is lost, one after the other. The last line of the script is for all that follow."""

    def __init__(self, *script, refusals=()):
        self.script, self.refusals, self.count, self.standing = list(script), list(refusals), 0, []

    async def connection(self, request):
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        self.count += 1
        moment = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        if moment == HANDSHAKE:
            return self.pull(request, socket)
        await socket.send_str("0" + json.dumps({"sid": str(self.count), "upgrades": [], "pingInterval": 25000, "pingTimeout": 20000, "maxPayload": 1000000}))
        async for message in socket:
            if message.type == WSMsgType.TEXT and message.data.startswith("40/lobby,"):
                if moment == OPENED:
                    return self.pull(request, socket)
                await socket.send_str('40/lobby,{"sid":"x"}')
                if moment == ENTERED:
                    return self.pull(request, socket)
                if moment in self.refusals:
                    await socket.send_str('42/lobby,["invalid action",' + json.dumps({"code": moment, "text": "no", "event": "connect"}) + "]")
                    await socket.send_str("41/lobby,")
                    continue
                await socket.send_str('42/lobby,["info",{}]')
                if moment == GREETED:
                    return self.pull(request, socket)
                self.standing.append((request, socket))
        return socket

    def pull(self, request, socket):
        """The cable."""
        if request.transport is not None:
            request.transport.abort()
        return socket

    def pull_all(self):
        for request, socket in self.standing:
            self.pull(request, socket)
        self.standing.clear()

    @asynccontextmanager
    async def running(self):
        app = web.Application()
        app.router.add_get("/socket.io/", self.connection)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        try:
            yield f"http://127.0.0.1:{site._server.sockets[0].getsockname()[1]}"
        finally:
            self.pull_all()
            await runner.cleanup()


@pytest.fixture
def hasty(monkeypatch):
    monkeypatch.setattr(connection, "_AGAIN", (0.01, 0.02))


@pytest.mark.parametrize("moment", [HANDSHAKE, OPENED, ENTERED, GREETED])
async def test_a_connection_lost_while_coming_back_is_tried_again(moment, hasty):
    server = Fragile(STAYS, *[moment] * 5, STAYS)
    async with server.running() as url:
        lobby = Lobby(url, "token")
        await lobby.open()
        server.pull_all()
        await lobby.until(lambda: bool(server.standing) and lobby.connected, SOON)
        assert server.count == 7
        await lobby.close()


async def test_whoever_waits_for_an_answer_hears_of_a_loss_at_any_moment(hasty):
    server = Fragile(STAYS, GREETED, STAYS)
    async with server.running() as url:
        lobby = Lobby(url, "token")
        await lobby.open()
        asked = asyncio.create_task(lobby.call("req info", timeout=SOON))
        while not lobby._pending:
            await asyncio.sleep(0.01)
        server.pull_all()
        with pytest.raises(Lost):
            await asked
        await lobby.until(lambda: server.count == 3 and lobby.connected, SOON)
        await lobby.close()


@pytest.mark.parametrize("moment", [HANDSHAKE, OPENED, ENTERED])
async def test_whoever_comes_for_the_first_time_is_told_of_the_loss(moment):
    async with Fragile(moment).running() as url:
        lobby = Lobby(url, "token")
        async with asyncio.timeout(SOON):
            with pytest.raises(Invalid) as refused:
                await lobby.open()
        assert refused.value.code == "connection"
        assert not lobby.connected


@pytest.mark.parametrize("code", ["closing", "too-fast", "our-fault"])
async def test_a_refusal_that_passes_is_waited_out(code, hasty):
    server = Fragile(STAYS, code, code, STAYS, refusals=[code])
    async with server.running() as url:
        lobby = Lobby(url, "token")
        await lobby.open()
        server.pull_all()
        await lobby.until(lambda: bool(server.standing) and lobby.connected, SOON)
        assert server.count == 4
        await lobby.close()


async def test_a_refusal_that_stays_ends_it(hasty):
    server = Fragile(STAYS, "banned", STAYS, refusals=["banned"])
    async with server.running() as url:
        lobby = Lobby(url, "token")
        await lobby.open()
        server.pull_all()
        async with asyncio.timeout(SOON):
            await lobby.ended()
        assert server.count == 2
        with pytest.raises(Lost):
            await lobby.call("req info")


async def test_whoever_logs_in_comes_back_as_the_same_person(hasty, local_server):
    """The guest's connections end before the answer brings the account's token."""
    server = local_server(token_secret=SECRET)
    async with guests(server.url, 1) as [someone]:
        me = someone.id
        await with_account(someone, SECRET)
        await someone.until(lambda: someone.connected and someone.last["login info"]["kind"] == "account", SOON)
        assert someone.id == me
        assert not [told for told in someone.events("unauthorized") if told["event"] == "connect"]


async def test_whoever_is_logged_out_does_not_become_someone_else(hasty, local_server):
    server = local_server()
    async with guests(server.url, 1) as [someone]:
        me, token = someone.id, someone.token
        await server.do(server.services.people.log_out_everywhere, me)
        await asyncio.wait_for(someone.ended(), SOON)
        assert (someone.id, someone.token) == (me, token)


async def test_a_connection_keeps_what_it_was_told_of_late():
    line = Connection("http://127.0.0.1", "/", "info", {})
    await line._hear("info", 0)
    for number in range(1, 10 * Connection.most_told):
        await line._hear("news", number)
        assert len(line.told) < 2 * Connection.most_told
    kept = [number for _, number in line.told]
    assert kept[-Connection.most_told :] == list(range(9 * Connection.most_told, 10 * Connection.most_told))
    assert line.last == {"info": 0, "news": kept[-1]}
