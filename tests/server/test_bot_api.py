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
from kept import Kept
from logging_in import browser
from people import Guest, guests, play_on

from hanpan.remote_bot import BotLine, BotRefused, RemoteBot

DOCS = Path(__file__).parents[2] / "docs" / "bots.md"


@pytest.fixture
def house(local_server):
    return local_server(patience=5.0)


async def bot_account(server, name="Robbie"):
    """A bot's id and token, as its logged-in owner gets them."""
    async with browser(server.url) as owner:
        mine = await owner.post("/api/guest")
        assert await owner.refused("POST", "/api/me/bots", {"name": name}) == "account-only"
        await server.do(server.house.store.accounts.add_login, "custom", f"owner of {name} {mine['person']['id']}", mine["person"]["id"])
        await server.do(server.house.reload, mine["person"]["id"])
        made = await owner.post("/api/me/bots", name=name)
        assert [bot["id"] for bot in (await owner.me())["bots"]] == [made["id"]]
        return made["id"], made["token"]


class Cutter:
    """A way to a server that can be cut, as often as one likes."""

    def __init__(self, port):
        self._to, self._open, self.cuts = port, set(), 0

    async def __aenter__(self):
        self._server = await asyncio.start_server(self._pass_on, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_):
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


class Watched(BotLine):
    """A line that remembers what it was told."""

    def __init__(self, *where):
        super().__init__(*where)
        self.heard = []

    async def news(self):
        async for told in super().news():
            self.heard.append(told)
            yield told


@contextlib.asynccontextmanager
async def playing(line, game="tictactoe", **more):
    """A computer player at the other end of a line."""
    task = asyncio.create_task(RemoteBot(line, game, 1, **more).run())
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


async def online(server, bot):
    while bot not in server.house.online:
        await asyncio.sleep(0.02)


async def test_a_bot_is_invited_plays_is_marked_and_rated_apart(house):
    id, token = await bot_account(house)
    async with Guest(house.url) as me, playing(BotLine(house.url, token)):
        await online(house, id)
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


async def test_a_bot_sits_only_where_the_room_allows_it_and_only_with_its_token(house):
    _id, token = await bot_account(house)
    async with Guest(house.url) as me:
        room = await me.new_room("tictactoe", settings={"bots": False})
        line = BotLine(house.url, token)
        news = line.news()
        assert (await anext(news))["event"] == "account"
        await line.wish(f"rooms/{room.id}/enter")
        with pytest.raises(BotRefused, match="no-bots"):
            await line.wish(f"rooms/{room.id}/sit-on", seat=0)
        for path, payload, code in (
            ("rooms/nowhere/enter", {}, "no-such-room"),
            (f"rooms/{room.id}/fly", {}, "unknown-event"),
            (f"rooms/{room.id}/play", {"ply": -1}, "bad-payload"),
            (f"rooms/{room.id}/play", {"ply": 0, "action": "a1"}, "no-game"),
            ("lobby/quick-match", {"game": "tictactoe"}, "no-bots"),
        ):
            with pytest.raises(BotRefused, match=code):
                await line.wish(path, **payload)
        await news.aclose()
        for wrong in ("bot_invented", "", me.token):
            with pytest.raises(BotRefused, match=r"unauthorized|bots-only"):
                await anext(BotLine(house.url, wrong).news())


async def test_a_repeated_wish_is_answered_the_same_way_and_counts_once(house):
    _id, token = await bot_account(house)
    async with guests(house.url, 1) as [me]:
        room = await me.new_room("tictactoe")
        line = BotLine(house.url, token)
        news = line.news()
        await anext(news)
        await line.wish(f"rooms/{room.id}/enter")
        headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": "once"}
        async with aiohttp.ClientSession(headers=headers) as session:
            answers = []
            for _ in range(3):
                async with session.post(f"{house.url}/api/bot/rooms/{room.id}/send-msg", json={"msg": "hello"}) as answer:
                    answers.append((answer.status, await answer.json()))
        assert answers == [(200, {"ok": True})] * 3
        await line.wish(f"rooms/{room.id}/send-msg", msg="again")
        await room.hears("recieve msg", lambda message: message["msg"] == "again")
        assert [message["msg"] for message in room.events("recieve msg")] == ["hello", "again"]
        await room.call("sit on", seat=1)
        await line.wish(f"rooms/{room.id}/sit-on", seat=0)
        await room.call("set ready")
        await line.wish(f"rooms/{room.id}/set-ready")
        await room.hears("board info")
        first = (await me.http("GET", f"/api/records/{room.board['game_id']}.json"))["actions"]
        assert first == []
        action = house.house.rooms[room.id].table.state.legal()[0]
        told = [await line.wish(f"rooms/{room.id}/play", ply=0, action=action) for _ in range(3)]
        assert told == [{"ok": True, "ply": 0}] * 3
        await news.aclose()


async def cut_often(house, times):
    id, token = await bot_account(house)
    async with Guest(house.url) as me, Cutter(house.port) as way:
        line = Watched(way.url, token)
        async with playing(line):
            await online(house, id)
            await me.enter_lobby()
            room = await me.new_room("tictactoe")
            await room.call("sit on", seat=0)
            await room.call("send invitation", to=id)
            await room.until(lambda: room.last["player info"]["seats"][1]["person"] is not None)
            await room.call("set ready")
            while way.cuts < times:
                board = await room.hears("board info", lambda board: not board["over"], since=0)
                while not room.board["over"] and way.cuts < times:
                    mine = await room.my_turn(timeout=120)
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
    assert len({desk for desk, _, _ in cursors}) == 1  # it was never told everything anew
    assert [int(number) for _, _, number in cursors] == list(range(1, len(cursors) + 1))  # nothing lost, nothing doubled
    assert way.cuts >= times


async def test_a_connection_that_is_cut_goes_on_from_its_cursor(house):
    await cut_often(house, 8)


@pytest.mark.slow
async def test_a_connection_that_is_cut_100_times_goes_on_from_its_cursor(local_server):
    await cut_often(local_server(patience=20.0), 100)


async def test_a_bot_that_was_away_too_long_is_told_everything_anew_and_plays_on(local_server):
    house = local_server(patience=0.1)
    id, token = await bot_account(house)
    async with Guest(house.url) as me:
        line = BotLine(house.url, token)
        async with playing(line):
            await online(house, id)
            await me.enter_lobby()
            room = await me.new_room("tictactoe")
            await room.call("sit on", seat=0)
            await room.call("send invitation", to=id)
            await room.until(lambda: room.last["player info"]["seats"][1]["person"] is not None)
            await room.call("set ready")
            await play_on([room], plies=2)
        while id in house.house.online:
            await asyncio.sleep(0.02)
        async with playing(line):  # with the old cursor
            await play_on([room])
            await room.hears("game over")


async def test_the_example_in_the_docs_plays(house):
    code = re.search(r"A whole bot.*?```python\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL).group(1)
    assert len([line for line in code.splitlines() if line.strip()]) <= 30
    id, token = await bot_account(house)
    process = Kept([sys.executable, "-c", code], env={**os.environ, "SERVER": house.url, "TOKEN": token})
    try:
        async with Guest(house.url) as me:
            await online(house, id)
            room = await me.new_room("tictactoe")
            await room.call("sit on", seat=0)
            await me.enter_lobby()
            await room.call("send invitation", to=id)
            await room.until(lambda: room.last["player info"]["seats"][1]["person"] is not None)
            await room.call("set ready")
            await play_on([room])
            await room.hears("game over")
    finally:
        process.kill()
        process.wait()


@pytest.mark.slow
async def test_the_command_plays(house):
    _id, token = await bot_account(house)
    async with Guest(house.url) as me:
        room = await me.new_room("tictactoe")
        await room.call("sit on", seat=0)
        command = [sys.executable, "-m", "hanpan.cli", "bot", "--server", house.url, "--token", token, "--game", "tictactoe", "--level", "1", "--room", room.id]
        toy = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1] / "toy")}
        process = Kept(command, env=toy)
        try:
            await room.until(lambda: room.last["player info"]["seats"][1]["person"] is not None)
            await room.call("set ready")
            await play_on([room])
        finally:
            process.kill()
            process.wait()
    wrong = subprocess.run([*command[:-2], "--token", "bot_wrong"], capture_output=True, text=True, timeout=120, env=toy)
    assert wrong.returncode == 2
    assert "--token: unauthorized" in wrong.stderr
