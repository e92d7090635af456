"""Bare websockets: messages arrive whole and in order, whatever way they take and however slowly the other side reads."""

import asyncio
import gc
import json
import weakref

import aiohttp
import pytest
from bare import Bare, entered, opened
from clients import guests, sit_down, some
from serving import PATIENT
from websockets.exceptions import ConnectionClosed

from hanpan.server.transport.fast_websockets import MOST_WAITING, _Gathered
from hanpan.server.transport.sizes import MOST_BYTES


async def test_many_requests_at_once_are_answered_in_order(server):
    async with guests(server.url, 2) as people, opened(server.url) as ws:
        rooms = await sit_down(people, "tictactoe")
        bare = await entered(ws, people[0], rooms[0].id)
        await bare.send(*(f'42/room,{number}["why",{{"ply":0,"clicks":["a1"]}}]' for number in range(100)))
        assert await bare.acks(100) == list(range(100))


async def test_a_message_is_the_same_wherever_its_bytes_are_cut(server):
    async with guests(server.url, 2) as people, opened(server.url) as ws:
        rooms = await sit_down(people, "tictactoe")
        bare = await entered(ws, people[0], rooms[0].id)
        for cut in range(49):
            text = f'42/room,{cut:02}["why",{{"ply":0,"clicks":["a1"]}}]'.encode()
            mask = bytes([0x81, 0x80 | len(text) - 2, 7, 9])  # without its first two bytes the frame looks like a whole one
            frame = bytes([0x81, 0x80 | len(text)]) + mask + bytes(letter ^ mask[at % 4] for at, letter in enumerate(text))
            ws.transport.write(frame[:cut])
            await asyncio.sleep(0.005)
            ws.transport.write(frame[cut:])
        assert len(frame) == 49
        assert await bare.acks(49) == list(range(49))


@pytest.mark.slow
async def test_whoever_reads_slowly_misses_nothing(local_server):
    server = local_server(events_per_second=1_000_000)
    async with guests(server.url, 2) as people, opened(server.url, compression=None) as ws:
        rooms = await sit_down(people, "wallgo")
        bare = await entered(ws, people[0], rooms[0].id)
        asked = 0
        while server.services.outbox.all_sent():  # until something has to wait for the reader
            assert asked < 5000
            await bare.send(*(f'42/room,{asked + number}["req info",{{}}]' for number in range(8)), "3")  # "3": still here, though the pings are not read
            asked += 8
            await asyncio.sleep(0.1)
        assert await bare.acks(asked) == list(range(asked))


async def test_what_was_said_before_going_is_heard(server):
    async with guests(server.url, 2) as people, opened(server.url) as ws:
        rooms = await sit_down(people, "tictactoe")
        bare = await entered(ws, people[0], rooms[0].id)
        action = some(rooms[0].mine())
        await bare.send("42/room," + json.dumps(["play", {"ply": 0, "action": action}]), "42/room," + json.dumps(["send msg", {"msg": "good-bye"}]))
        ws.transport.close()
        await rooms[1].hears("board info", lambda board: board["ply"] == 1)
        assert (await rooms[1].hears("recieve msg"))["msg"] == "good-bye"


async def test_messages_right_after_an_upgrade_keep_their_order(server):
    async with guests(server.url, 2) as people, aiohttp.ClientSession() as session:
        rooms = await sit_down(people, "tictactoe")
        address = f"{server.url}/socket.io/?EIO=4"
        async with session.get(f"{address}&transport=polling") as answer:
            sid = json.loads((await answer.text())[1:])["sid"]
        async with session.post(f"{address}&transport=polling&sid={sid}", data="40/room," + json.dumps({"token": people[0].token, "room": rooms[0].id})):
            pass
        async with opened(server.url, sid) as ws:
            bare = Bare(ws)
            await bare.send("2probe")
            assert await bare.hear() == "3probe"
            await bare.send("5", *(f'42/room,{number}["why",{{"ply":0,"clicks":["a1"]}}]' for number in range(60)))
            assert await bare.acks(60) == list(range(60))


async def ended(ws):
    """Read until the other side has closed the connection; how it was closed."""
    try:
        while True:
            await asyncio.wait_for(ws.recv(), PATIENT)
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else None


async def test_a_message_that_is_too_big_ends_the_connection_before_it_is_read(server):
    async with opened(server.url) as ws:
        await ws.send("4" + "[]," * MOST_BYTES)
        assert await ended(ws) == 1009
    async with aiohttp.ClientSession() as session:
        address = f"{server.url}/socket.io/?EIO=4&transport=polling"
        async with session.get(address) as answer:
            sid = json.loads((await answer.text())[1:])["sid"]

        async def endless():
            for _ in range(200):
                yield b"4[" * 5_000

        for body in (b"4" * (MOST_BYTES + 1), endless()):
            try:
                async with session.post(f"{address}&sid={sid}", data=body) as answer:
                    assert answer.status in (400, 413)
            except aiohttp.ClientConnectionError:
                pass  # it was not even heard to its end


async def test_nothing_is_unpacked_for_a_stranger(server):
    async with opened(server.url, compression="deflate") as ws:
        assert "permessage-deflate" not in ws.response.headers.get("Sec-WebSocket-Extensions", "")


async def test_bytes_are_refused(server):
    async with guests(server.url, 2) as people, opened(server.url) as ws:
        rooms = await sit_down(people, "tictactoe")
        bare = await entered(ws, people[0], rooms[0].id)
        for wrong in ('45999999-/room,["play",{"_placeholder":true,"num":0}]', "461-/room,1[]", b"attached"):
            await ws.send(wrong)
            while not (told := await bare.hear()).startswith('42/room,["invalid action"'):
                pass
            assert json.loads(told[8:])[1]["code"] == "bad-payload"
        await bare.send('42/room,7["why",{"ply":0,"clicks":["a1"]}]')
        assert await bare.acks(1) == [7]


@pytest.mark.slow
async def test_whoever_never_reads_is_let_go_and_the_memory_with_them(local_server):
    server = local_server(events_per_second=1_000_000)
    async with guests(server.url, 2) as people, opened(server.url) as ws:
        rooms = await sit_down(people, "wallgo")
        await entered(ws, people[0], rooms[0].id)
        connections, asked = len(server.sockets()), 0
        ws.transport.pause_reading()
        while len([line for line in server.sockets() if not line.closed]) == connections:
            assert asked < 20_000
            try:
                await asyncio.wait_for(ws.send(f'42/room,{asked}["req info",{{}}]'), 5)
            except (TimeoutError, ConnectionClosed):
                await asyncio.sleep(0.05)
            await asyncio.sleep(0)  # the server runs here, too, and has its turn
            asked += 1
        assert all(line._waiting <= MOST_WAITING for line in server.sockets())


async def test_those_who_have_gone_while_they_spoke_to_each_other_keep_nobody_waiting(local_server):
    server = local_server()
    async with guests(server.url, 2) as people, guests(server.url, 6) as gone:
        rooms = await sit_down(people, "tictactoe")
        there = server.sockets()
        for person in gone:
            await person.enter(rooms[0].id)
        lines = [line for line in server.sockets() if line not in there]
        while not all(line.upgraded and not line._through_library for line in lines):  # their coming in may not be over yet
            await asyncio.sleep(0.01)

        def vanish():
            """All at once: what they said has come, what they are told is not taken, and they have not answered for long."""
            for line in lines:
                line.protocol.writable.clear()
                line.last_ping = 1.0
            for line in lines:
                assert line._hear('42/room,["send msg",{"msg":"anybody here?"}]')

        await server.do(vanish)
        while any(line in server.sockets() and not line.closed for line in lines):
            await asyncio.sleep(0.05)
        await rooms[0].play(some(rooms[0].mine()))
        await rooms[1].hears("board info", lambda board: board["ply"] == 1)


async def test_handshakes_that_nobody_continues_are_forgotten(local_server, monkeypatch):
    monkeypatch.setattr("hanpan.server.transport.fast_engineio.SWEEP_SECONDS", 0.05)
    server = local_server()
    async with aiohttp.ClientSession() as session:
        for _ in range(30):
            async with session.get(f"{server.url}/socket.io/?EIO=4&transport=polling") as answer:
                assert answer.status == 200
    lines = server.sockets()
    assert len(lines) == 30
    for line in lines:
        line.last_ping = 1.0  # as if the first ping had been sent long ago
    while server.sockets():
        await asyncio.sleep(0.05)


async def test_one_connection_waits_once_for_news(server):
    async with aiohttp.ClientSession() as session:
        address = f"{server.url}/socket.io/?EIO=4&transport=polling"
        async with session.get(address) as answer:
            sid = json.loads((await answer.text())[1:])["sid"]
        waiting = [asyncio.create_task(session.get(f"{address}&sid={sid}")) for _ in range(20)]
        answers = await asyncio.wait_for(asyncio.gather(*waiting), PATIENT)
        assert sum(answer.status == 400 for answer in answers) >= 19


@pytest.mark.slow
async def test_one_address_begins_only_so_many_connections_that_it_does_not_continue(local_server):
    server = local_server(unlimited_local=False)
    begin = f"{server.url}/socket.io/?EIO=4&transport=polling"
    async with aiohttp.ClientSession() as session:
        begun = [await (await session.get(begin)).text() for _ in range(20)]
        assert "too-many-connections" in await (await session.get(begin)).text()
        sid = json.loads(begun[0][1:])["sid"]
        assert (await session.post(f"{begin}&sid={sid}", data="40/lobby,{}")).status == 200  # this one goes on
        assert "sid" in await (await session.get(begin)).text()
        assert "too-many-connections" in await (await session.get(begin)).text()
    async with aiohttp.ClientSession(headers={"X-Forwarded-For": "203.0.113.9"}) as elsewhere:
        assert "sid" in await (await elsewhere.get(begin)).text()


@pytest.mark.slow
async def test_of_connections_that_are_refused_nothing_is_remembered(local_server):
    server = local_server(unlimited_local=False, connections_per_address=2)
    begin = f"{server.url}/socket.io/?EIO=4&transport=polling"
    async with aiohttp.ClientSession() as session:
        told = [await (await session.get(begin)).text() for _ in range(5)]
    assert ["sid" in each for each in told] == [True, True, False, False, False]
    sio = server.app._inner.engineio_server
    for line in server.sockets():
        await server.do(line.close, False)
    assert not sio._addresses
    assert not sio._begun


async def test_a_connection_that_does_nothing_has_no_task_and_keeps_no_request(local_server):
    server = local_server()

    async def tasks():
        return len(asyncio.all_tasks())

    before = await server.do(tasks)
    async with opened(server.url) as ws:
        bare = Bare(ws)
        await bare.hear()
        await bare.send("40")
        while not (await bare.hear()).startswith('42["login info"'):
            pass
        async with asyncio.timeout(PATIENT):
            while await server.do(tasks) > before:
                await asyncio.sleep(0.01)
        (line,) = server.sockets()
        assert line.protocol.request is None
        assert set(line.protocol.scope) == {"client"}


async def test_of_a_connection_that_has_ended_nothing_stays_until_all_memory_is_looked_through(local_server):
    server = local_server()
    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "tictactoe")
        gc.disable()
        try:
            there = [[weakref.ref(part) for part in (line, line.protocol, line.protocol.conn)] for line in server.sockets()]
            await asyncio.gather(*(room.close() for room in rooms))
            async with asyncio.timeout(PATIENT):
                while sum(part() is None for parts in there for part in parts) < 3 * len(rooms):
                    await asyncio.sleep(0.01)
        finally:
            gc.enable()


async def test_whoever_comes_and_goes_leaves_nothing_behind(local_server):
    server = local_server()

    def kinds():
        return sum(type(each) is type for each in gc.get_objects())

    async def come_and_go():
        async with opened(server.url) as ws:
            await Bare(ws).hear()

    await come_and_go()  # what is made once
    gc.collect()
    gc.disable()
    try:
        before = kinds()
        for _ in range(5):
            await come_and_go()
        assert kinds() == before
    finally:
        gc.enable()


@pytest.mark.parametrize("last", ["1", "x", ""])
async def test_a_farewell_and_what_is_no_packet_end_the_connection(local_server, last):
    server = local_server()
    async with opened(server.url) as ws:
        bare = Bare(ws)
        await bare.hear()
        await bare.send(last)
        assert await ended(ws) in (1000, None)
    async with asyncio.timeout(PATIENT):
        while server.sockets():
            await asyncio.sleep(0.01)


async def test_what_was_to_be_written_is_written_once_or_never():
    class Line(asyncio.Transport):
        def __init__(self):
            self.written, self.gone, self.broken = [], False, False

        def write(self, data):
            if self.gone or self.broken:
                raise RuntimeError("unable to perform operation; the handler is closed")
            self.written.append(data)

        def is_closing(self):
            return self.gone

        def close(self):
            self.gone = True

    line = Line()
    gathered = _Gathered(line, asyncio.get_running_loop(), lambda: None)
    gathered.write(b"one ")
    gathered.write(b"two")
    await asyncio.sleep(0)
    assert line.written == [b"one two"]
    line.broken = True
    gathered.write(b"lost")
    with pytest.raises(RuntimeError):
        gathered._hand_over()
    line.broken = False
    gathered.write(b"three")
    await asyncio.sleep(0)
    assert line.written == [b"one two", b"three"], "nothing that failed is tried again, and what comes then is written"
    gathered.write(b"too late")
    line.gone = True
    gathered.close()
    assert line.written == [b"one two", b"three"]
