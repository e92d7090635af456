"""Overload: whoever sends without end, begins without going on, or comes as a crowd is refused, and the others notice nothing."""

import asyncio
import json
import socket
import threading

import aiohttp
import pytest
from bare import entered, opened
from clients import Guest, guests, play_on, refused, sit_down
from serving import PATIENT
from websockets.exceptions import WebSocketException

from hanpan.game import State
from hanpan.server.http import records
from hanpan.server.people.limits import Buckets
from hanpan.server.rooms.match import KEPT, Match
from hanpan.server.rooms.pace import Pace
from hanpan.server.rooms.room import MOST_WINDOWS
from hanpan.server.transport.fast_websockets import MOST_SMALL
from hanpan.server.transport.http_connections import MOST_HEAD
from hanpan.server.transport.sizes import MOST_PARTS

SHORT = 2.0  # seconds in place of the usual 30


async def sent(server, first, more, most, source="127.0.0.1"):
    """Send without end; how many bytes were taken before the other side hung up."""
    line, loop, size = socket.socket(), asyncio.get_running_loop(), 0
    line.bind((source, 0))
    line.setblocking(False)
    with line:
        await loop.sock_connect(line, ("127.0.0.1", server.port))
        try:
            await loop.sock_sendall(line, first)
            while size < most:
                await asyncio.wait_for(loop.sock_sendall(line, more), PATIENT)
                size += len(more)
                await asyncio.sleep(0)
        except OSError:
            pass
    return size


@pytest.mark.parametrize(
    ("first", "more"),
    [(b"GET /?", b"a" * 9000), (b"GET / HTTP/1.1\r\nHost: x\r\nA: ", b"a" * 9000), (b"GET / HTTP/1.1\r\nHost: x\r\n", b"name: value\r\n" * 700)],
)
async def test_a_head_that_never_ends_is_not_kept(server, first, more):
    most = 500 * MOST_HEAD
    assert await sent(server, first, more, most) < most


async def hung_up(reader):
    try:
        return await asyncio.wait_for(reader.read(), PATIENT) is not None
    except ConnectionError:
        return True


@pytest.mark.slow
async def test_a_request_that_does_not_come_is_not_awaited_for_ever(local_server, monkeypatch):
    monkeypatch.setattr("hanpan.server.transport.http_connections.SLOWEST", SHORT)
    server = local_server()
    slow = (b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: x\r\nA:", b"POST /api/login/email HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n\r\n{")
    lines = [await asyncio.open_connection("127.0.0.1", server.port) for _ in slow]
    for begin, (_, writer) in zip(slow, lines, strict=True):
        writer.write(begin)
    for begin, (reader, writer) in zip(slow, lines, strict=True):
        assert await hung_up(reader), begin
        writer.close()
    async with await opened_at_last(server.url) as ws:  # sockets are no requests: they stay
        await asyncio.sleep(SHORT * 1.5)
        await (await ws.ping())


async def opened_at_last(url):
    """A websocket; one that is given up because this machine paused is asked for again."""
    while True:
        try:
            return await opened(url)
        except (OSError, EOFError, WebSocketException):
            pass


@pytest.mark.slow
async def test_an_answer_that_nobody_reads_is_not_kept(local_server, monkeypatch):
    monkeypatch.setattr("hanpan.server.transport.http_connections.SLOWEST", SHORT)
    server = local_server()
    line, loop = socket.socket(), asyncio.get_running_loop()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.setblocking(False)
    with line:
        await loop.sock_connect(line, ("127.0.0.1", server.port))
        state = server._server.server_state
        await loop.sock_sendall(line, b"GET /api/words/ko HTTP/1.1\r\nHost: x\r\n\r\n" * 100)
        while not state.total_requests:
            await asyncio.sleep(0.01)
        while state.connections:
            await asyncio.sleep(0.05)


async def test_one_address_has_only_so_many_connections_and_a_proxy_any_number(local_server, monkeypatch):
    monkeypatch.setattr("hanpan.server.transport.http_connections.SPARE", 3)
    server = local_server(connections_per_address=2)
    lines = [await asyncio.open_connection("127.0.0.1", server.port, local_addr=("127.0.0.2", 0)) for _ in range(8)]
    for reader, writer in lines[5:]:
        assert await hung_up(reader)
        writer.close()
    for reader, writer in lines[:5]:
        writer.write(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        assert (await reader.readline()).startswith(b"HTTP/1.1 200")
        writer.close()
    proxied = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(12)]
    for reader, writer in proxied:
        writer.write(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        assert (await reader.readline()).startswith(b"HTTP/1.1 200")
        writer.close()


@pytest.mark.parametrize("piece", [b"\x89\x80\x00\x00\x00\x00", b"\x00\x80\x00\x00\x00\x00", b"\x8a\x80\x00\x00\x00\x00"], ids=["pings", "pieces", "pongs"])
async def test_frames_that_are_no_message_come_to_an_end(server, piece):
    async with opened(server.url) as ws:
        await ws.recv()
        if piece[0] == 0:
            ws.transport.write(b"\x01\x81\x00\x00\x00\x004")
        closed = asyncio.create_task(ws.wait_closed())
        while not closed.done():  # so many in a second are too many, whenever this machine has a second for them
            ws.transport.write(piece * 2 * MOST_SMALL)
            await asyncio.wait([closed], timeout=1)


@pytest.mark.slow
async def test_what_comes_in_one_piece_is_heard_in_order_and_whole(server):
    async with guests(server.url, 2) as people, opened(server.url) as ws:
        rooms = await sit_down(people, "tictactoe")
        bare = await entered(ws, people[0], rooms[0].id)
        texts = [f'42/room,{number}["why",{{"ply":0,"clicks":["{"a" * (number * 7 % 60)}"]}}]'.encode() for number in range(400)]
        frames = b"".join(b"\x81" + (bytes([0x80 | len(text)]) if len(text) < 126 else b"\xfe" + len(text).to_bytes(2)) + bytes(4) + text for text in texts)
        ws.transport.write(frames)
        assert await bare.acks(400) == list(range(400))


@pytest.mark.slow
async def test_whoever_has_sent_much_can_be_closed_before_all_of_it_is_heard(local_server):
    server = local_server(events_per_second=20)
    async with guests(server.url, 1) as [someone]:
        room, before = await someone.new_room("tictactoe"), server.sockets()
        ws = await opened(server.url)
        await entered(ws, someone, room.id)
        [line] = [line for line in server.sockets() if line not in before]
        text = b'42/room,["req info",{}]'
        ws.transport.write((b"\x81" + bytes([0x80 | len(text)]) + bytes(4) + text) * 5000)
        while not line.protocol._came:
            await asyncio.sleep(0.01)
        await asyncio.wait_for(server.do(line.close, False), 100)
        assert line.closed
        assert not line.protocol._came
        ws.transport.abort()


async def test_a_message_with_fields_by_the_thousand_is_refused_unread(server):
    fields = json.dumps({f"{number:x}": 0 for number in range(MOST_PARTS + 2)})
    async with guests(server.url, 2) as people, opened(server.url) as ws, aiohttp.ClientSession() as session:
        rooms = await sit_down(people, "tictactoe")
        bare = await entered(ws, people[0], rooms[0].id)
        await bare.send(f'42/room,["play",{fields}]')
        while not (told := await bare.hear()).startswith('42/room,["invalid action"'):
            pass
        assert json.loads(told[8:])[1]["code"] == "bad-payload"
        for path in ("/api/login/email", "/api/games/kulami/options/board/draw"):
            async with session.post(server.url + path, data=fields, headers={"Content-Type": "application/json"}) as answer:
                assert answer.status == 413, path


def test_whoever_waits_for_a_bucket_has_a_moment_of_their_own(monkeypatch):
    monkeypatch.setattr("hanpan.server.people.limits.time.monotonic", lambda: 1000.0)
    bucket = Buckets(rate=10, burst=2)
    assert [round(bucket.take("a", owing=True), 3) for _ in range(5)] == [0, 0, 0.1, 0.2, 0.3]
    assert bucket.take("b", owing=True) == 0


def test_many_buckets_that_are_not_full_are_not_looked_through_each_time(monkeypatch):
    monkeypatch.setattr("hanpan.server.people.limits._MOST", 4)
    bucket, thrown = Buckets(rate=0.001, burst=5), []
    for number in range(100):
        before = bucket._full_at
        bucket.take(str(number))
        thrown.append(bucket._full_at is not before)
    assert sum(thrown) < 8


async def test_all_sockets_of_an_address_share_one_measure(local_server):
    server = local_server(events_per_address=20, unlimited_local=False)
    waits = []

    async def noted(key, cost=1.0):
        waits.append((key, cost))

    server.app._inner.engineio_server._limits.crowds.wait = noted
    async with guests(server.url, 2) as people:
        await sit_down(people, "tictactoe")
    assert {key for key, _ in waits} == {"127.0.0.1"}
    assert {cost for _, cost in waits} == {1.0, 4.0}  # coming in costs more


async def test_requests_begin_one_after_the_other_and_addresses_take_turns():
    pace, begun = Pace(at_once=3), []

    async def ask(address, number):
        await pace.enter(address)
        begun.append((address, number))
        await asyncio.sleep(0)
        pace.leave(address)

    await asyncio.gather(*(ask("crowd", number) for number in range(30)), ask("other", 0))
    assert len(begun) == 31
    assert begun.index(("other", 0)) <= 3


async def test_whoever_only_waits_for_a_moment_leaves_nothing_behind():
    pace = Pace()
    await pace.enter("198.51.100.1", counted=False)  # has not to wait at all
    await asyncio.gather(*(pace.enter(f"203.0.113.{number % 5}", counted=False) for number in range(20)))
    assert not pace._under_way
    assert not pace._waiting


async def test_one_address_has_only_so_many_requests_under_way():
    pace, begun = Pace(at_once=3), []

    async def ask(address):
        await pace.enter(address)
        begun.append(address)

    tasks = [asyncio.create_task(ask("crowd")) for _ in range(10)] + [asyncio.create_task(ask("other"))]
    for _ in range(50):
        await asyncio.sleep(0)
    assert sorted(begun) == ["crowd"] * 3 + ["other"]
    tasks[7].cancel()
    for _ in range(6):
        pace.leave("crowd")
        for _ in range(10):
            await asyncio.sleep(0)
    assert begun.count("crowd") == 9
    await asyncio.gather(*tasks, return_exceptions=True)


async def test_one_person_has_only_so_many_windows(server):
    async with Guest(server.url) as someone, Guest(server.url) as other:
        room = await someone.new_room("tictactoe")
        windows = [await someone.enter(room.id) for _ in range(MOST_WINDOWS - 1)]
        with refused("too-many-connections"):
            await someone.enter(room.id)
        await other.enter(room.id)
        await windows[0].close()
        lobbies = [someone.lobby_class(server.url, someone.token) for _ in range(MOST_WINDOWS)]
        for lobby in lobbies[:-1]:
            await lobby.open()
        with refused("too-many-connections"):
            await lobbies[-1].open()
        for window in (*windows[1:], *lobbies):
            await window.close()


async def test_locks_are_not_changed_without_end(local_server):
    server = local_server(tries_per_hour=15)
    async with Guest(server.url) as master:
        room = await master.new_room("tictactoe", password="first")
        for number in range(4):
            await room.call("change config", password=f"secret {number}")
        with refused("too-fast"):
            await room.call("change config", password="one more")
        await room.call("change config", settings={"rated": False})


async def test_large_answers_use_up_more_of_an_address(local_server):
    server = local_server(unlimited_local=False)
    server.services.limits.requests = Buckets(0.001, 60)  # however slow this machine is
    async with aiohttp.ClientSession() as session:
        codes = [(await session.get(f"{server.url}/api/archive.jsonl")).status for _ in range(5)]
        assert codes == [200, 200, 429, 429, 429]


async def test_a_long_game_uses_up_more_of_an_address_than_a_short_one(local_server, monkeypatch):
    server = local_server(unlimited_local=False)
    record = {"hanpan": 1, "game": "puoribor", "options": {}, "actions": ["e2", "e8", "e1", "e9"] * 200}
    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "tictactoe")
        await play_on(rooms, plies=4)
        game = f"/api/records/{rooms[0].board['game_id']}"
        server.services.limits.requests = Buckets(0.001, 55)  # however slow this machine is
        with refused("429"):
            await people[0].http("POST", "/api/records", data=json.dumps(record))
        server.services.limits.requests = Buckets(0.001, 55)
        await people[0].http("POST", "/api/records", data=json.dumps(record | {"actions": ["e2", "e8"]}))
        for part in (".json", ".txt", "/ledger"):
            await people[0].http("GET", game + part)
        monkeypatch.setattr(records, "A_REQUEST", 0.1)
        for part in (".json", ".txt", ".svg", "/ledger", "/scenes"):
            with refused("429"):
                await people[0].http("GET", game + part)


@pytest.mark.slow
async def test_pictures_wait_for_their_turn_by_address(local_server):
    server = local_server()
    turns = server.services.sketches.turns
    await server.do(turns.take, "someone")
    async with aiohttp.ClientSession() as session:
        asked = [
            asyncio.create_task(session.get(f"{server.url}{path}", headers={"X-Forwarded-For": address}))
            for path in ("/api/svg?game=tictactoe", "/api/games/tictactoe/scene")
            for address in ("203.0.113.1", "203.0.113.2")
        ]
        while sum(len(waiting) for waiting in turns._waiting.values()) < 4:
            await asyncio.sleep(0.01)
        assert set(turns._waiting) == {("203.0.113.1",), ("203.0.113.2",)}
        await server.do(turns.give)
        assert [answer.status for answer in await asyncio.gather(*asked)] == [200] * 4


async def test_a_crowd_that_watches_does_not_drown_the_table(local_server):
    server = local_server()
    server.services.limits.talk = Buckets(0.001, 20)  # however slow this machine is
    async with guests(server.url, 2) as players, guests(server.url, 4) as crowd:
        rooms = await sit_down(players, "tictactoe")
        watching = [await person.enter(rooms[0].id) for person in crowd]

        async def shout(room):
            for _ in range(8):
                await room.call("send msg", msg="hurrah")

        said = await asyncio.gather(*(shout(room) for room in watching), return_exceptions=True)
        assert {getattr(answer, "code", None) for answer in said} >= {"many-talk"}
        await watching[0].until(lambda: len(watching[0].events("recieve msg")) == 20)
        await rooms[0].call("send msg", msg="shall we?")  # who plays is heard all the same
        await rooms[1].hears("recieve msg", lambda message: message["msg"] == "shall we?")


@pytest.mark.slow
async def test_whoever_plays_waits_for_one_of_a_crowd_at_most(local_server, monkeypatch):
    """The room's lock is given in the order in which it was asked for: so a crowd must not stand in that line."""
    server = local_server()
    async with guests(server.url, 2) as players, guests(server.url, 12) as crowd:
        rooms = await sit_down(players, "tictactoe")
        room = server.services.registry.rooms[rooms[0].id]
        await server.do(room.state.lock.acquire)
        coming = [asyncio.create_task(person.enter(rooms[0].id)) for person in crowd]
        while sum(len(waiting) for waiting in room.state.crowd._waiting.values()) < len(crowd) - 1 or not room.state.lock._waiters:
            await asyncio.sleep(0.01)
        assert len(room.state.lock._waiters) == 1, "one of them stands in the line"
        while not any(one.mine() for one in rooms):
            await asyncio.sleep(0.01)
        mover = next(one for one in rooms if one.mine())
        moving = asyncio.create_task(mover.play(mover.mine()["legal"][0]))
        while len(room.state.lock._waiters) < 2:
            await asyncio.sleep(0.01)
        there, put = [], Match.put

        def watched(*more):
            there.append(sum(person.id in room.state.members for person in crowd))
            put(*more)

        monkeypatch.setattr(Match, "put", watched)
        await server.do(room.state.lock.release)
        await moving
        assert there[0] <= 2, "all others of the crowd came after the move"
        await asyncio.gather(*coming)
        assert sum(person.id in room.state.members for person in crowd) == len(crowd)


async def test_a_room_has_only_so_many_windows_and_room_for_those_who_play(local_server, monkeypatch):
    monkeypatch.setattr("hanpan.server.rooms.room.MOST_PEOPLE", 5)
    server = local_server()
    async with guests(server.url, 2) as players, guests(server.url, 2) as crowd:
        rooms = await sit_down(players, "tictactoe")
        for _ in range(3):
            await crowd[0].enter(rooms[0].id)
        for person in crowd:
            with refused("room-full"):
                await person.enter(rooms[0].id)
        await players[0].enter(rooms[0].id)


async def test_what_never_changes_is_made_once_however_many_ask_at_once(local_server, monkeypatch):
    made, begun, go_on = [], asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    def slowly(language):
        made.append(threading.current_thread())
        loop.call_soon_threadsafe(begun.set)
        go_on.wait(100)
        return b'{"words": "made"}'

    server = local_server()
    monkeypatch.setattr("hanpan.server.http.pictures._words", slowly)
    async with aiohttp.ClientSession() as session:
        asked = [asyncio.create_task(session.get(f"{server.url}/api/words/en")) for _ in range(10)]
        await begun.wait()
        async with session.get(f"{server.url}/healthz") as answer:  # the event loop waits for nobody
            assert answer.status == 200
        go_on.set()
        assert {(await (await one).json())["words"] for one in asked} == {"made"}
    assert len(made) == 1
    assert made[0] is not server._thread


async def test_a_crowd_is_shown_one_picture_that_is_drawn_once(local_server, monkeypatch):
    server = local_server()
    async with guests(server.url, 2) as players, guests(server.url, 4) as crowd:
        rooms = await sit_down(players, "kulami")
        drawn, draw = [], State.scene
        monkeypatch.setattr(State, "scene", lambda state, *more: (drawn.append(state), draw(state, *more))[1])
        watching = [await person.enter(rooms[0].id, scenes=True) for person in crowd]
        assert len({json.dumps((await room.hears("board info"))["scene"]) for room in watching}) == 1
        assert len(drawn) == 1
        for number in range(1, 4):
            while not any(room.mine() for room in rooms):
                await asyncio.sleep(0.01)
            mover = next(room for room in rooms if room.mine())
            ply = mover.ply + 1
            await mover.play(mover.mine()["legal"][0])
            for room in (*watching, *rooms):
                await room.until(lambda room=room, ply=ply: room.ply == ply)
            assert len(drawn) == 1 + number, "one picture more for all of them"


async def test_positions_that_are_over_keep_nothing_but_themselves(local_server):
    """Only a few of them are kept, and those small; where nobody is any more, none, and nothing that works on them."""
    server = local_server(patience=0.1)
    async with guests(server.url, 2) as players:
        rooms = await sit_down(players, "puoribor")
        await play_on(rooms, plies=12)
        table = server.services.registry.rooms[rooms[0].id]
        match, last = table.state.match, rooms[0].board
        assert len(match._recent) == KEPT < match.ply
        assert not any({"actions", "_text", "_outcome"} & state.__dict__.keys() for state in match._recent[:-1])
        lobby = await players[0].enter_lobby()
        await asyncio.gather(*(room.close() for room in rooms))
        await lobby.hears("room updated", lambda line: line["people"] == 0)
        while table._parts is not None:
            await asyncio.sleep(0.01)
        assert (match._recent, table.state.said) == ([], None)
        again = await players[0].enter(table.id)
        board = await again.hears("board info")
        assert {**board, "clock": None, "recent": last["recent"]} == {**last, "clock": None}


async def test_requests_that_are_none_leave_nothing_in_the_log(own_server):
    server = own_server()
    before = server.log.read_text()
    for _ in range(20):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(b"\x16\x03\x01 nonsense\r\n\r\n")
        await reader.read()
        writer.close()
    assert server.log.read_text() == before
