"""Bots over HTTP: marked, rated apart, sitting where they may; their stream goes on from its cursor however often it is cut."""

import asyncio
import contextlib
import os
import re
import subprocess
import sys
from pathlib import Path

import aiohttp
import pytest
from clients import Guest, guests, made_operator, play_on
from kept import Kept
from logging_in import bot_account, browser
from serving import PATIENT

from hanpan.client import Invalid, Lobby
from hanpan.client.remote_bot import BotConnection, BotRefused, RemoteBot, play_far_away

DOCS = Path(__file__).parents[3] / "docs" / "bots.md"


@pytest.fixture
def server(local_server):
    return local_server(patience=3600.0)


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


@pytest.mark.slow
async def test_a_bot_is_invited_plays_is_marked_and_rated_apart(server):
    id, token = await bot_account(server)
    async with Guest(server.url) as me, playing(BotConnection(server.url, token)):
        await online(server, id)
        lobby = await me.enter_lobby()
        assert next(person for person in lobby.last["info"]["people"] if person["id"] == id)["bot"] is True
        room = await me.new_room("tictactoe")
        await room.call("sit on", seat=0)
        await room.call("send invitation", to=id)
        await room.until(lambda: (room.last["player info"]["seats"][1]["person"] or {}).get("bot") is True)
        await room.call("set ready")
        await play_on([room], lambda mine: mine["legal"][0])
        over = await room.hears("game over")
        assert set(over["ratings"]) == {id}
        assert me.id not in [line["id"] for line in await me.http("GET", "/api/leaderboards/tictactoe")]
        assert [line["id"] for line in await me.http("GET", "/api/leaderboards/tictactoe?bots=true")] == [id]
        assert "bot Robbie" in str(await me.http("GET", f"/api/records/{over['game_id']}.json"))
        await room.call("rematch")
        await room.hears("board info", lambda board: board["game_id"] != over["game_id"])


async def test_a_bot_sits_only_where_the_room_allows_it_and_only_with_its_token(server):
    _id, token = await bot_account(server)
    async with Guest(server.url) as me:
        room = await me.new_room("tictactoe", settings={"bots": False})
        line = BotConnection(server.url, token)
        news = line.news()
        assert (await anext(news))["event"] == "account"
        await line.request(f"rooms/{room.id}/enter")
        with pytest.raises(BotRefused, match="no-bots"):
            await line.request(f"rooms/{room.id}/sit-on", seat=0)
        for path, payload, code in (
            ("rooms/nowhere/enter", {}, "no-such-room"),
            (f"rooms/{room.id}/fly", {}, "unknown-event"),
            (f"rooms/{room.id}/play", {"ply": -1}, "bad-payload"),
            (f"rooms/{room.id}/play", {"ply": 0, "action": "a1"}, "no-game"),
            ("lobby/quick-match", {"game": "tictactoe"}, "no-bots"),
        ):
            with pytest.raises(BotRefused, match=code):
                await line.request(path, **payload)
        await news.aclose()
        for wrong in ("bot_invented", "", me.token):
            with pytest.raises(BotRefused, match=r"unauthorized: This token opens nothing|bots-only"):
                await anext(BotConnection(server.url, wrong).news())


async def test_a_repeated_request_is_answered_the_same_way_and_counts_once(server):
    _id, token = await bot_account(server)
    async with guests(server.url, 1) as [me]:
        room = await me.new_room("tictactoe")
        line = BotConnection(server.url, token)
        news = line.news()
        await anext(news)
        await line.request(f"rooms/{room.id}/enter")
        headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": "once"}
        async with aiohttp.ClientSession(headers=headers) as session:
            answers = []
            for _ in range(3):
                async with session.post(f"{server.url}/api/bot/rooms/{room.id}/send-msg", json={"msg": "hello"}) as answer:
                    answers.append((answer.status, await answer.json()))
        assert answers == [(200, {"ok": True})] * 3
        await line.request(f"rooms/{room.id}/send-msg", msg="again")
        await room.hears("recieve msg", lambda message: message["msg"] == "again")
        assert [message["msg"] for message in room.events("recieve msg")] == ["hello", "again"]
        await room.call("sit on", seat=1)
        await line.request(f"rooms/{room.id}/sit-on", seat=0)
        await room.call("set ready")
        await line.request(f"rooms/{room.id}/set-ready")
        await room.hears("board info")
        first = (await me.http("GET", f"/api/records/{room.board['game_id']}.json"))["actions"]
        assert first == []
        action = server.services.registry.rooms[room.id].state.match.state.legal()[0]
        told = [await line.request(f"rooms/{room.id}/play", ply=0, action=action) for _ in range(3)]
        assert told == [{"ok": True, "ply": 0}] * 3
        await news.aclose()


async def test_a_key_is_good_for_one_request_alone(server):
    _id, token = await bot_account(server)
    async with guests(server.url, 1) as [me]:
        room = await me.new_room("tictactoe")
        other = await me.new_room("tictactoe")
        news = BotConnection(server.url, token).news()
        await anext(news)
        async with aiohttp.ClientSession(headers={"Authorization": f"Bearer {token}", "Idempotency-Key": "once"}) as session:

            async def ask(path, **body):
                async with session.post(f"{server.url}/api/bot/{path}", json=body) as answer:
                    return answer.status, (await answer.json()).get("code")

            assert await ask(f"rooms/{room.id}/enter", password="x") == (200, None)
            for path, body in ((f"rooms/{room.id}/enter", {}), (f"rooms/{other.id}/enter", {"password": "x"}), (f"rooms/{room.id}/leave", {"password": "x"})):
                assert await ask(path, **body) == (422, "key-used")
            assert await ask("lobby/send-msg", msg="hello") == (422, "key-used")
            assert await ask(f"rooms/{room.id}/enter", password="x") == (200, None)
        await news.aclose()


async def cut_often(server, times):
    id, token = await bot_account(server)
    async with Guest(server.url) as me, Cutter(server.port) as way:
        line = Watched(way.url, token)
        async with playing(line):
            room = await playing_with(server, me, id)
            while way.cuts < times:
                board = await room.hears("board info", lambda board: not board["over"], since=0)
                while not room.board["over"] and way.cuts < times:
                    mine = await room.my_turn()
                    if mine is None:
                        break
                    if way.cuts % 2:
                        way.cut()
                        await room.play(mine["legal"][0])
                    else:
                        await room.play(mine["legal"][0])
                        way.cut()
                if room.board["over"] and way.cuts < times:
                    board = room.board
                    await room.call("rematch")
                    await room.until(lambda over=board["game_id"]: room.board["game_id"] != over)
            await play_on([room], lambda mine: mine["legal"][0])
    cursors = [told["cursor"].rpartition("-") for told in line.heard]
    assert len({stream for stream, _, _ in cursors}) == 1  # it was never told everything anew
    assert [int(number) for _, _, number in cursors] == list(range(1, len(cursors) + 1))  # nothing lost, nothing doubled
    assert way.cuts >= times


@pytest.mark.slow
async def test_a_connection_that_is_cut_goes_on_from_its_cursor(server):
    await cut_often(server, 8)


@pytest.mark.slow
async def test_a_connection_that_is_cut_100_times_goes_on_from_its_cursor(local_server):
    await cut_often(local_server(patience=3600.0), 100)


async def test_a_server_that_can_not_be_reached_is_told_of_once_and_so_is_its_return(server):
    id, token = await bot_account(server)
    told = asyncio.Queue()
    async with Cutter(server.port) as way:
        way.close()
        async with playing(BotConnection(way.url, token, told.put_nowait)):
            for _ in range(2):  # it never came; it was lost
                assert (await told.get()).startswith(f"{way.url} can't be reached (")
                await way.open()
                assert await told.get() == f"{way.url} answers now."
                await online(server, id)
                way.close()
            assert "can't be reached" in await told.get()
            assert told.empty()


class Moved(Cutter):
    """A way at whose end, for a while, someone else answers."""

    status = None

    async def _pass_on(self, reader, writer):
        if self.status is None:
            await super()._pass_on(reader, writer)
            return
        await reader.readuntil(b"\r\n\r\n")
        writer.write(f"HTTP/1.1 {self.status}\r\nContent-Type: text/html\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello".encode())
        writer.close()


@pytest.mark.parametrize("status", ["200 OK", "403 Forbidden", "404 Not Found"])
async def test_a_bot_that_finds_someone_else_at_the_address_ends(server, status):
    async with Moved(server.port) as way:
        way.status = status
        with pytest.raises(ValueError, match=rf"--server: no Hanpan server answers at {way.url} \({status}\)"):
            await play_far_away(way.url, "bot_x", "tictactoe", 1)


async def test_a_server_that_was_there_is_waited_for_whoever_answers_meanwhile(server):
    id, token = await bot_account(server)
    told = asyncio.Queue()
    async with Moved(server.port) as way, playing(BotConnection(way.url, token, told.put_nowait)):
        await online(server, id)
        way.status = "404 Not Found"
        way.cut()
        assert "can't be reached (404" in await told.get()
        way.status = None
        assert await told.get() == f"{way.url} answers now."


@contextlib.asynccontextmanager
async def away_from(server):
    """A game against a bot that has gone for good: who it is, its line, and my room."""
    id, token = await bot_account(server)
    async with Guest(server.url) as me:
        line = BotConnection(server.url, token)
        async with playing(line):
            room = await playing_with(server, me, id)
            await play_on([room], plies=2)
        await gone(server, id)
        yield id, line, room


async def gone(server, bot):
    while bot in server.services.lobby.online:
        await asyncio.sleep(0.02)


async def test_a_bot_that_was_away_too_long_is_told_everything_anew_and_plays_on(local_server):
    async with away_from(local_server(patience=0.1)) as (_, line, room), playing(line):  # with the old cursor
        await play_on([room])
        await room.hears("game over")


async def test_a_bot_that_goes_while_it_is_told_everything_has_gone(local_server):
    server = local_server(patience=0.1)
    async with away_from(server) as (id, line, room):
        lock = server.services.registry.rooms[room.id].state.lock
        await server.do(lock.acquire)
        news = asyncio.create_task(anext(line.news()))
        while not lock._waiters:  # it is at the room's door
            await asyncio.sleep(0.02)
        news.cancel()
        while lock._waiters:
            await asyncio.sleep(0.02)
        await server.do(lock.release)
        await gone(server, id)


@contextlib.contextmanager
def example_of_the_docs(server, token, **more):
    """The whole bot of the docs, running."""
    code = re.search(r"A whole bot.*?```python\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL).group(1)
    assert len([line for line in code.splitlines() if line.strip()]) <= 32
    process = Kept([sys.executable, "-c", code], env={**os.environ, "SERVER": server.url, "TOKEN": token}, **more)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


async def test_the_example_in_the_docs_plays(server):
    id, token = await bot_account(server)
    with example_of_the_docs(server, token):
        async with Guest(server.url) as me:
            room = await playing_with(server, me, id)
            await play_on([room])
            await room.hears("game over")


async def test_the_example_in_the_docs_sits_down_beside_a_computer_player(server):
    id, token = await bot_account(server)
    with example_of_the_docs(server, token):
        async with Guest(server.url) as me:
            await online(server, id)
            await me.enter_lobby()
            room = await me.new_room("tictactoe")
            await room.call("seat bot", seat=0, level=1)
            await room.call("send invitation", to=id)
            await room.until(lambda: (room.last["player info"]["seats"][1]["person"] or {}).get("id") == id)
            await room.hears("game over")


async def test_the_example_in_the_docs_ends_with_a_token_that_opens_nothing(server):
    with example_of_the_docs(server, "bot_wrong", stderr=subprocess.PIPE, text=True) as process:
        _, told = await asyncio.to_thread(process.communicate)
    assert process.returncode == 1
    assert "unauthorized" in told


@pytest.mark.slow
async def test_the_command_plays(server):
    _id, token = await bot_account(server)
    async with Guest(server.url) as me:
        room = await me.new_room("tictactoe")
        await room.call("sit on", seat=0)
        account = ["--server", server.url, "--token", token]
        command = [sys.executable, "-m", "hanpan.cli", "bot", *account, "--game", "tictactoe", "--level", "1", "--room", room.id]
        toy = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "toy")}
        process = Kept(command, env=toy)
        try:
            await room.until(lambda: room.last["player info"]["seats"][1]["person"] is not None)
            await room.call("set ready")
            await play_on([room])
        finally:
            process.kill()
            process.wait()
    wrong = subprocess.run([*command[:-2], "--token", "bot_wrong"], capture_output=True, text=True, timeout=PATIENT, env=toy)
    assert wrong.returncode == 2
    assert "--token: unauthorized" in wrong.stderr


# --- tokens ---


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
