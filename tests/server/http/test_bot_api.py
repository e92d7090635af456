"""Bots over HTTP: marked, rated apart, sitting where they may; the bot of the docs, and the command."""

import asyncio
import contextlib
import os
import re
import subprocess
import sys
from pathlib import Path

import aiohttp
import pytest
from bots_online import online, playing, playing_with
from clients import Guest, guests, play_on
from kept import Kept
from logging_in import bot_account
from serving import PATIENT

from hanpan.client.remote_bot import BotConnection, BotRefused

DOCS = Path(__file__).parents[3] / "docs" / "bots.md"


@pytest.fixture
def server(local_server):
    return local_server(patience=3600.0)


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
