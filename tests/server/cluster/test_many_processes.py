"""Several processes on one PostgreSQL and one Redis are one server: also while one of them dies, sleeps or stops."""

import asyncio
import json
import signal

import aiohttp
import pytest
from clients import Guest, guests, play_on, refused, sit_down, with_account
from serving import ServerProcess
from storing import opened

pytestmark = pytest.mark.slow
SECRET = "a secret that is shared with some site"


@pytest.fixture
def processes(tmp_path, postgresql_url, redis_url):
    """`processes(3)` starts so many, one after the other."""
    started = []

    def start(number, **settings):
        for _ in range(number):
            folder = tmp_path / f"process{len(started)}"
            folder.mkdir()
            started.append(ServerProcess(folder, database=postgresql_url, redis=redis_url, **({"patience": 60.0} | settings)).start())
        return started

    yield start
    for running in started:
        if running.process.poll() is None:
            running.process.send_signal(signal.SIGCONT)
        running.stop()


async def at(*servers):
    """One guest at each of these processes."""
    people = [Guest(server.url) for server in servers]
    for person in people:
        await person.__aenter__()
    return people


async def gone(*people):
    for person in people:
        await person.__aexit__(None, None, None)


async def opened_by(host, *people):
    """A room of someone who only looks on, at whose process it is, and in which these people play."""
    room = await host.new_room("kulami", options={"board": "a"}, settings={"time": {"kind": "turn", "turn_ms": 600_000}})
    rooms = [await person.enter(room.id) for person in people]
    for seat, one in enumerate(rooms):
        await one.call("sit on", seat=seat)
    for one in rooms:
        await one.call("set ready")
    return room, *rooms


async def test_people_of_three_processes_meet_play_and_talk(processes):
    servers = await asyncio.to_thread(processes, 3)
    ann, bob, eve = await at(*servers)
    lobbies = [await person.enter_lobby() for person in (ann, bob, eve)]
    everyone = {ann.id, bob.id, eve.id}
    for lobby in lobbies:
        await lobby.until(lambda lobby=lobby: everyone <= {who["id"] for who in (*lobby.last["info"]["people"], *lobby.events("user joined"))})
    await lobbies[0].call("send msg", msg="hello")
    assert (await lobbies[2].hears("recieve msg"))["msg"] == "hello"
    await lobbies[0].call("send dm", to=bob.id, msg="psst")
    assert (await lobbies[1].hears("recieve dm"))["msg"] == "psst"
    rooms = await sit_down([ann, bob], "kulami", options={"board": "a"})
    watching = await eve.enter(rooms[0].id)
    await play_on(rooms)
    for room in (*rooms, watching):
        over = await room.hears("game over")
        assert over == rooms[0].last["game over"]
    assert watching.last["game history info"]["actions"] == rooms[1].last["game history info"]["actions"]
    await rooms[1].call("send msg", msg="good game")
    assert (await watching.hears("recieve msg"))["msg"] == "good game"
    await gone(ann, bob, eve)


async def test_quick_match_pairs_people_of_different_processes(processes):
    ann, bob = await at(*await asyncio.to_thread(processes, 2))
    lobbies = [await person.enter_lobby() for person in (ann, bob)]
    for lobby in lobbies:
        await lobby.call("quick match", game="kulami")
    ids = {(await lobby.hears("move to room"))["id"] for lobby in lobbies}
    assert len(ids) == 1
    rooms = [await person.enter(*ids) for person in (ann, bob)]
    await play_on(rooms, plies=4)
    await gone(ann, bob)


async def owner(url, room):
    """The process that has a room."""
    async with opened(url) as store:
        return await store.leases.owner(room)


async def test_a_room_in_which_nobody_is_comes_to_the_process_of_whoever_opens_it(processes, postgresql_url):
    servers = await asyncio.to_thread(processes, 2)
    ann, bob, eve = await at(servers[0], servers[1], servers[0])
    lobby = await ann.enter_lobby()
    id = (await lobby.call("new room", game="kulami", options={"board": "a"}, password="sesame"))["id"]
    opened_at = await owner(postgresql_url, id)
    there = await bob.enter(id, password="sesame")
    come = await owner(postgresql_url, id)
    assert come not in (None, opened_at)
    assert there.last["info"]["master"] == bob.id  # he came first, as at one process
    rooms = [await ann.enter(id, password="sesame"), there]
    assert await owner(postgresql_url, id) == come  # it does not go back
    with refused("wrong-password"):
        await eve.enter(id, password="another")
    for seat, room in enumerate(rooms):
        await room.call("sit on", seat=seat)
        await room.call("set ready")
    await play_on(rooms, plies=4)
    assert await owner(postgresql_url, id) == come
    await gone(ann, bob, eve)


async def test_a_room_stays_where_somebody_is(processes, postgresql_url):
    ann, bob = await at(*await asyncio.to_thread(processes, 2))
    room = await ann.new_room("kulami", options={"board": "a"})
    opened_at = await owner(postgresql_url, room.id)
    await bob.enter(room.id)
    assert await owner(postgresql_url, room.id) == opened_at
    await gone(ann, bob)


async def test_a_match_comes_to_those_who_were_paired_and_no_clock_runs_meanwhile(processes, postgresql_url):
    servers = await asyncio.to_thread(processes, 2)
    ann, bob = await at(servers[0], servers[0])
    lobbies = [await person.enter_lobby() for person in (ann, bob)]
    first = await owner(postgresql_url, (await lobbies[0].call("new room", game="kulami"))["id"])
    for lobby in lobbies:
        await lobby.call("quick match", game="kulami", time={"kind": "turn", "turn_ms": 600_000})
    id = (await lobbies[1].hears("move to room"))["id"]
    paired_at = await owner(postgresql_url, id)
    elsewhere = servers[1 if paired_at == first else 0].url
    async with Guest(elsewhere, token=ann.token) as there, Guest(elsewhere, token=bob.token) as too:
        second = await too.enter(id)
        await second.until(lambda: {"clock info", "player info", "board info"} <= second.last.keys())
        acting = second.last["player info"]["seats"][second.board["seat"]]["person"]["id"]
        assert (second.last["clock info"]["deadline"] is None) == (acting == ann.id)  # it waits for her, who is still on the way
        come = await owner(postgresql_url, id)
        assert come not in (None, paired_at)
        rooms = [await there.enter(id), second]
        await second.until(lambda: second.last["clock info"]["deadline"] is not None)
        await play_on(rooms, plies=4)
        assert await owner(postgresql_url, id) == come
    await gone(ann, bob)


async def test_a_game_whose_clock_runs_stays_though_nobody_is_there(processes, postgresql_url):
    servers = await asyncio.to_thread(processes, 2)
    ann, bob, eve = await at(servers[0], servers[0], servers[1])
    lobby = await eve.enter_lobby()
    rooms = await sit_down([ann, bob], "kulami", options={"board": "a"}, settings={"time": {"kind": "turn", "turn_ms": 600_000}})
    await play_on(rooms, plies=3)
    played_at = await owner(postgresql_url, rooms[0].id)
    for room in rooms:
        await room.drop()
    await lobby.hears("room updated", lambda line: line["id"] == rooms[0].id and line["playing"] and line["people"] == 0)
    await (await eve.enter(rooms[0].id)).hears("board info", lambda board: board["ply"] >= 3)
    assert await owner(postgresql_url, rooms[0].id) == played_at
    await gone(ann, bob, eve)


async def test_a_game_goes_on_when_the_process_that_had_it_is_killed(processes):
    servers = await asyncio.to_thread(processes, 3)
    ann, bob = await at(servers[1], servers[2])
    opener = (await at(servers[0]))[0]
    _, *rooms = await opened_by(opener, ann, bob)
    await play_on(rooms, plies=4)
    so_far = [len(one.told) for one in rooms]
    await asyncio.to_thread(servers[0].kill)
    for one, since in zip(rooms, so_far, strict=True):  # nobody had to connect again: they are told everything anew by whoever has the room now
        await one.hears("game history info", lambda told: len(told["actions"]) == 4, since=since)
        assert one.connected
    await play_on(rooms, plies=8)
    assert rooms[0].board["ply"] == rooms[1].board["ply"] >= 8
    await gone(ann, bob, opener)


async def test_a_process_that_slept_too_long_has_nothing_any_more(processes):
    servers = await asyncio.to_thread(processes, 2)
    ann, bob = await at(servers[1], servers[1])
    sleeper = (await at(servers[0]))[0]
    room, *rooms = await opened_by(sleeper, ann, bob)
    await play_on(rooms, plies=3)
    so_far = len(rooms[0].told)
    servers[0].process.send_signal(signal.SIGSTOP)
    await rooms[0].hears("game history info", lambda told: len(told["actions"]) == 3, since=so_far)
    await play_on(rooms, plies=6)
    servers[0].process.send_signal(signal.SIGCONT)
    await room.hears("board info", lambda board: board["ply"] >= 6)  # and whoever is at that process is told how it stands at the other
    await play_on(rooms, plies=8)
    await room.hears("board info", lambda board: board["ply"] >= 8)
    await gone(ann, bob, sleeper)


async def test_a_process_that_stops_hands_its_rooms_over_and_no_clock_is_charged(processes):
    servers = await asyncio.to_thread(processes, 2)
    ann, bob = await at(servers[0], servers[1])
    rooms = await sit_down([ann, bob], "kulami", options={"board": "a"}, settings={"time": {"kind": "turn", "turn_ms": 600_000}})
    await play_on(rooms, plies=3)
    so_far = len(rooms[1].told)
    before = rooms[1].last["clock info"]["deadline"]
    servers[0].process.terminate()
    await rooms[1].hears("game history info", lambda told: len(told["actions"]) == 3, since=so_far)
    assert rooms[1].connected
    await asyncio.to_thread(servers[0].process.wait)
    await rooms[1].hears("clock info", lambda clock: (clock["deadline"] or 0) > before, since=so_far)  # the turn began anew
    await rooms[1].play(rooms[1].mine()["legal"][0])
    await gone(ann, bob)


async def restarted(redis_server, rooms):
    """Redis has been away for a moment, and everyone knows."""
    await asyncio.to_thread(redis_server.stop, signal.SIGKILL)
    for room in rooms:
        await room.hears("interrupted", lambda told: told["yes"])
    await asyncio.to_thread(redis_server.start)
    for room in rooms:
        await room.hears("interrupted", lambda told: not told["yes"])


async def test_redis_restarts_and_play_goes_on(processes, redis_server):
    servers = await asyncio.to_thread(processes, 2)
    ann, bob = await at(*servers)
    rooms = await sit_down([ann, bob], "kulami", options={"board": "a"})
    await play_on(rooms, plies=3)
    await restarted(redis_server, rooms)
    await play_on(rooms, plies=6)
    await gone(ann, bob)


async def test_redis_restarts_and_play_goes_on_where_nobody_is_at_the_rooms_own_process(processes, redis_server):
    servers = await asyncio.to_thread(processes, 2)
    host, ann, bob = await at(servers[0], servers[1], servers[1])
    _, *rooms = await opened_by(host, ann, bob)
    await play_on(rooms, plies=3)
    await gone(host)
    await restarted(redis_server, rooms)
    await play_on(rooms, plies=6)
    await gone(ann, bob)


async def test_the_limits_hold_for_all_processes_together(processes):
    servers = await asyncio.to_thread(processes, 2, messages_per_minute=1)
    async with guests(servers[0].url, 1) as (ann,):
        here = await ann.enter_lobby()
        for number in range(10):
            await here.call("send msg", msg=str(number))
        elsewhere = Guest(servers[1].url, token=ann.token)
        async with elsewhere:
            there = await elsewhere.enter_lobby()
            with refused("too-fast"):
                await there.call("send msg", msg="once more")


async def test_a_bot_may_ask_at_a_process_that_does_not_have_its_stream(processes):
    one, other = await asyncio.to_thread(processes, 2, token_secret=SECRET)
    async with guests(one.url, 1) as (ann,):
        await with_account(ann, SECRET)
        token = (await ann.http("POST", "/api/me/bots", json={"name": "Robo"}))["token"]
        room = await ann.new_room("kulami", settings={"bots": True})
        async with aiohttp.ClientSession(headers={"Authorization": f"Bearer {token}"}) as http, http.get(f"{one.url}/api/bot/events") as news:
            assert json.loads(await news.content.readline())["event"] == "account"

            async def ask(event, **body):
                async with http.post(f"{other.url}/api/bot/rooms/{room.id}/{event}", json=body) as answer:
                    return answer.status, await answer.json()

            status, told = await ask("enter")
            while (status, told.get("code")) == (400, "no-stream"):  # it takes a moment until all processes know where a bot is
                await asyncio.sleep(0.1)
                status, told = await ask("enter")
            assert (status, told) == (200, {"ok": True})
            assert (await ask("sit-on", seat=1))[0] == 200
            await room.until(lambda: (room.last["player info"]["seats"][1]["person"] or {}).get("name") == "Robo")
            assert (await ask("sit-on", seat=7))[0] == 400
