"""Long work is done in a process apart: moves need not wait for it, and its memory is given back."""

import asyncio
import json
import os
import time

import aiohttp
import pytest
from clients import guests, refused, sit_down

import hanpan
from hanpan.game import State
from hanpan.server.protocol.refusals import Refused
from hanpan.server.rooms import showing
from hanpan.server.rooms.studio import Studio


@pytest.fixture
def studio():
    made = []

    def make(**more):
        made.append(Studio(**more))
        return made[-1]

    yield make
    for each in made:
        each.close()


async def test_work_is_done_in_another_process_which_stays_for_the_next(studio):
    apart = studio()
    assert apart.process is None, "nobody has asked for anything yet"
    pids = [await apart.do("someone", os.getpid) for _ in range(2)]
    assert pids[0] == pids[1] == apart.process.pid != os.getpid()
    process = apart.process
    apart.close()
    assert process.poll() is not None
    with pytest.raises(Refused, match="closing"):
        await apart.do("someone", os.getpid)


async def test_what_is_wrong_comes_back_and_a_fault_says_where_but_not_what(studio, caplog):
    apart = studio()
    with pytest.raises(ValueError, match="chess") as wrong:
        await apart.do("someone", showing.first_scene, "chess", "{}")
    assert type(wrong.value) is ValueError
    with pytest.raises(Refused) as refused:
        await apart.do("someone", showing.option_read, "kulami", "board", "a" * 100)
    assert refused.value.json("")["text"]
    with pytest.raises(RuntimeError):
        await apart.do("someone", showing.picture, "a secret", "auto", "en")
    assert "AttributeError at " in caplog.text
    assert "a secret" not in caplog.text
    assert await apart.do("someone", str.upper, "well") == "WELL", "and it goes on"


@pytest.mark.slow
async def test_a_process_that_has_become_large_is_replaced(studio):
    apart = studio(megabytes=1)
    first, second = [await apart.do("someone", os.getpid) for _ in range(2)]
    assert first != second
    assert apart.process is None, "it has ended with its work"


@pytest.mark.slow
async def test_a_process_that_nobody_needs_ends_and_another_begins_when_one_is_needed(studio):
    apart = studio(idle=0.01)
    assert await apart.do("someone", str.upper, "well") == "WELL"
    while apart.process is not None:
        await asyncio.sleep(0.01)
    assert await apart.do("someone", str.upper, "again") == "AGAIN"


@pytest.mark.slow
async def test_work_that_does_not_end_is_ended(studio):
    apart = studio(seconds=0.5)
    with pytest.raises(Refused, match="too-big"):
        await apart.do("someone", time.sleep, 1000)
    apart._seconds = 1000
    assert await apart.do("someone", str.upper, "well") == "WELL"


async def test_memory_without_end_is_not_given(studio):
    with pytest.raises(Refused, match="too-big"):
        await studio().do("someone", bytes, 1 << 34)


@pytest.mark.slow
async def test_no_picture_is_made_in_the_servers_process(local_server, monkeypatch):
    server = local_server()
    steps = []
    for _ in range(3):
        steps.append(hanpan.game("tictactoe").start().legal()[len(steps)])
    record = json.dumps({"hanpan": 1, "game": "tictactoe", "options": {}, "actions": steps})

    def here(*_, **__):
        raise AssertionError("drawn or played through in the server's process")

    await server.do(server.services.context.games.load, "kulami", {})  # its rules are loaded
    monkeypatch.setattr(State, "scene", here)
    monkeypatch.setattr(hanpan.record.GameRecord, "states", here)
    asked = [
        ("GET", "/api/svg?game=kulami&seed=3", None),
        ("GET", "/api/games/kulami/scene", None),
        ("POST", "/api/records", record),
        ("POST", "/api/records/scenes", record),
        ("POST", "/api/games/kulami/options/board/draw", "{}"),
    ]
    async with aiohttp.ClientSession() as session:
        for method, path, body in asked:
            async with session.request(method, server.url + path, data=body, headers={"Content-Type": "application/json"}) as answer:
                assert answer.status == 200, (path, await answer.text())
    processes = [server.services.sketches.process, server.app.other_asgi_app.state.studio.process]
    await asyncio.to_thread(server.stop)
    assert all(process.poll() is not None for process in processes), "they end with the server"


@pytest.mark.slow
async def test_advice_is_given_apart_too(local_server, monkeypatch):
    server = local_server()

    def here(*_, **__):
        raise AssertionError("looked for in the server's process")

    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "tictactoe")
        while not any(room.mine() for room in rooms):
            await asyncio.sleep(0.01)
        mover = next(room for room in rooms if room.mine())
        first = mover.mine()["legal"][0]
        monkeypatch.setattr(State, "scene", here)
        monkeypatch.setattr(State, "why_not", here)
        assert "look" in (await mover.call("preview", ply=mover.ply, action=first))["scene"]
        assert "code" not in await mover.call("why", ply=mover.ply, clicks=["nowhere"])
        with refused("unreadable"):
            await mover.call("preview", ply=mover.ply, action="nowhere")


async def test_nothing_is_drawn_for_those_who_have_gone(local_server):
    server = local_server()
    studio = server.services.sketches
    await server.do(studio.turns.take, "someone")
    async with aiohttp.ClientSession() as session:
        asked = asyncio.create_task(session.get(f"{server.url}/api/svg?game=tictactoe"))
        while not studio.turns._waiting:
            await asyncio.sleep(0.01)
        asked.cancel()
    while server._server.server_state.connections:
        await asyncio.sleep(0.01)
    await server.do(studio.turns.give)
    while not studio.turns._free:
        await asyncio.sleep(0.01)
    assert studio.process is None
