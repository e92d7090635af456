"""What the token of a bot opens: what its owner chose, and nothing once there is another one or a ban."""

import asyncio
import contextlib

import aiohttp
import pytest
from bots_online import Watched, online, playing
from clients import guests, made_operator
from logging_in import browser
from serving import PATIENT

from hanpan.client import Invalid, Lobby
from hanpan.client.remote_bot import BotConnection, BotRefused


@pytest.fixture
def server(local_server):
    return local_server(patience=3600.0)


async def owner_of(server, stack, name="Robbie", **more):
    """A logged-in owner, the bot's id and its token."""
    owner = await stack.enter_async_context(browser(server.url))
    mine = await owner.post("/api/guest")
    await owner.has_account(server)
    made = await owner.post("/api/me/bots", name=name, **more)
    return owner, mine["person"]["id"], made["id"], made["token"]


class Thief:
    """Someone with a bot's token who comes back at once, whatever is closed: by streams and by sockets."""

    def __init__(self, url, token):
        self.url, self.token, self.opened, self.live, self.refused = url, token, 0, 0, 0
        self._tasks = [asyncio.create_task(way()) for way in (self._stream, self._socket) for _ in range(3)]

    async def _stream(self):
        async with aiohttp.ClientSession(headers={"Authorization": f"Bearer {self.token}"}) as session:
            status = 200
            while status == 200:
                with contextlib.suppress(aiohttp.ClientError):  # it may also be closed before it is answered
                    async with session.get(f"{self.url}/api/bot/events") as answer:
                        status = answer.status
                        if status == 200:
                            self.opened += 1
                            self.live += 1
                            with contextlib.suppress(aiohttp.ClientError):
                                async for _ in answer.content:
                                    pass
                            self.live -= 1
        self.refused += 1

    async def _socket(self):
        lobby = Lobby(self.url, self.token)
        with contextlib.suppress(Invalid):
            await lobby.open()
            self.opened += 1
            self.live += 1
            await lobby.ended()  # until then it comes back by itself
            self.live -= 1
        self.refused += 1

    async def until(self, condition):
        async with asyncio.timeout(PATIENT):
            while not condition():
                await asyncio.sleep(0.01)

    async def stop(self):
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


@pytest.mark.slow
async def test_another_token_ends_at_once_whatever_was_opened_with_the_old_one(server):
    async with contextlib.AsyncExitStack() as stack:
        owner, _, id, token = await owner_of(server, stack)
        for _ in range(6):
            thief = Thief(server.url, token)
            stack.push_async_callback(thief.stop)
            await thief.until(lambda thief=thief: thief.opened >= 6)
            token = (await owner.post(f"/api/me/bots/{id}/token"))["token"]
            await thief.until(lambda thief=thief: thief.refused == 6)  # each of them tries to come back at once, and can't
            assert thief.live == 0


async def test_whoever_is_on_the_way_in_when_the_token_changes_does_not_get_in(server):
    """The moment between being known and being in: the token is looked at, then it changes, then one would be let in."""
    async with contextlib.AsyncExitStack() as stack:
        owner, _, id, token = await owner_of(server, stack)
        accounts, here = server.services.store.accounts, asyncio.get_running_loop()
        looked, changed, look = asyncio.Event(), asyncio.Event(), accounts.bot_of

        async def slow(given):
            found = await look(given)
            here.call_soon_threadsafe(looked.set)
            await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(changed.wait(), here))
            return found

        async def stream():
            async with aiohttp.ClientSession(headers={"Authorization": f"Bearer {token}"}) as session, session.get(f"{server.url}/api/bot/events") as answer:
                return await answer.text()

        async def socket():
            lobby = Lobby(server.url, token)
            try:
                await lobby.open()
            except Invalid as wrong:
                return wrong.code
            await lobby.ended()
            return lobby.told[-1][0]

        for come_in in (stream, socket):
            accounts.bot_of = slow
            coming = asyncio.create_task(come_in())
            await looked.wait()
            accounts.bot_of = look
            token = (await owner.post(f"/api/me/bots/{id}/token"))["token"]
            changed.set()
            assert "unauthorized" in await asyncio.wait_for(coming, PATIENT)
            looked.clear()
            changed.clear()


async def test_a_banned_persons_bots_neither_play_nor_speak_and_a_muted_ones_are_silent(server):
    async with contextlib.AsyncExitStack() as stack:
        owner, person, id, token = await owner_of(server, stack)
        (boss,) = await stack.enter_async_context(guests(server.url, 1))
        await made_operator(server, boss.id)
        line = Watched(server.url, token)
        async with playing(line, ends_with=[BotRefused]) as player:
            await online(server, id)
            lobby = await boss.enter_lobby()
            await line.request("lobby/send-msg", msg="hello")
            await boss.http("POST", f"/api/operator/people/{person}/mute", json={"minutes": 10, "reason": "too loud"})
            with pytest.raises(BotRefused, match="muted"):
                await line.request("lobby/send-msg", msg="hello again")
            room = await boss.new_room("tictactoe")
            await room.call("sit on", seat=0)
            await room.call("send invitation", to=id)
            await room.until(lambda: (room.last["player info"]["seats"][1]["person"] or {}).get("id") == id)
            await boss.http("POST", f"/api/operator/people/{person}/ban", json={"minutes": 10, "reason": "much too loud"})
            await lobby.hears("user left", lambda who: who["id"] == id)
            with pytest.raises(BotRefused, match="banned"):  # it comes back at once, and is told
                await player
        with pytest.raises(BotRefused, match="banned"):
            await line.request(f"rooms/{room.id}/set-ready")
        with pytest.raises(BotRefused, match="banned"):
            await anext(BotConnection(server.url, token).news())
        assert await owner.refused("GET", "/api/me") == "banned"


@pytest.mark.parametrize("scope", ["play", "chat", "rooms"])
async def test_a_token_is_good_for_what_its_owner_chose(server, scope):
    async with contextlib.AsyncExitStack() as stack:
        owner, _, id, token = await owner_of(server, stack, scopes=[scope])
        assert (await owner.me())["bots"] == [{"id": id, "name": "Robbie", "scopes": [scope]}]
        (host,) = await stack.enter_async_context(guests(server.url, 1))
        room = await host.new_room("tictactoe")
        line = BotConnection(server.url, token)
        news = line.news()
        await anext(news)
        await line.request(f"rooms/{room.id}/enter")  # to look is always allowed
        async with contextlib.AsyncExitStack() as sockets:
            by_socket = Lobby(server.url, token)
            await by_socket.open()
            sockets.push_async_callback(by_socket.close)
            for needed, path, body in (
                ("play", f"rooms/{room.id}/sit-on", {"seat": 1}), ("play", f"rooms/{room.id}/set-ready", {}),
                ("chat", f"rooms/{room.id}/send-msg", {"msg": "hi"}),
                ("chat", "lobby/send-msg", {"msg": "hi"}), ("chat", f"rooms/{room.id}/send-invitation", {"to": host.id}),
                ("rooms", "lobby/new-room", {"game": "tictactoe"}),
            ):  # fmt: skip
                if needed == scope:
                    await line.request(path, **body)
                    continue
                with pytest.raises(BotRefused, match="no-scope"):
                    await line.request(path, **body)
            for needed, event, body in (("chat", "send msg", {"msg": "hi"}), ("rooms", "new room", {"game": "tictactoe"})):
                if needed != scope:
                    with pytest.raises(Invalid, match="no-scope"):
                        await by_socket.call(event, **body)
        headers = {"Authorization": f"Bearer {token}"}
        for method, path, body in (("PATCH", "/api/me", {"name": "Another"}), ("POST", "/api/reports", {"about": host.id, "text": "x"})):
            status, told = await owner.ask(method, path, json=body, headers=headers)
            assert status < 300 if scope == "chat" else told["code"] == "no-scope"
        assert (await owner.ask("DELETE", "/api/me", json={"name": "Robbie"}, headers=headers))[1]["code"] == "no-bots"
        # another token may do the same, or what is chosen anew
        await owner.post(f"/api/me/bots/{id}/token")
        assert (await owner.me())["bots"][0]["scopes"] == [scope]
        await owner.post(f"/api/me/bots/{id}/token", scopes=["play", "rooms"])
        assert (await owner.me())["bots"][0]["scopes"] == ["play", "rooms"]
        assert await owner.refused("POST", f"/api/me/bots/{id}/token", {"scopes": ["everything"]}) == "bad-payload"


async def test_a_bot_of_before_there_were_scopes_may_do_everything(server):
    async with contextlib.AsyncExitStack() as stack:
        owner, _, id, _ = await owner_of(server, stack)
        assert (await owner.me())["bots"][0]["scopes"] == ["play", "chat", "rooms"]
        assert (await server.do(server.services.store.person, id)).scopes is None
