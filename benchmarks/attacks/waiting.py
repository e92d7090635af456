"""Attacks by beginning something and not going on: handshakes, slow requests, news that nobody reads."""

import asyncio
import json
from contextlib import suppress

from attacks.field import Fell, Field, scenario
from attacks.takeover import SECRET, browsing, log_in

SLOW = [
    b"GET / HTTP/1.1\r\nHost: x\r\nX-A: ",
    b"POST /api/login/email HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n\r\n",
]


@scenario("waiting", seconds=45)
async def handshakes(field: Field) -> str:
    """Six thousand handshakes by polling that are never continued, from one address and then from twenty."""
    enemy = field.enemy

    async def shake(address, number):
        for _ in range(number):
            await enemy.ask("GET", "/socket.io/?EIO=4&transport=polling", address)

    one = enemy.address()
    await asyncio.gather(*(shake(one, 100) for _ in range(30)))
    first = enemy.codes[200]
    await asyncio.gather(*(shake(enemy.address(), 150) for _ in range(20)))
    if first > 600:
        raise Fell(f"one address began {first} connections")
    return f"{first} of 3000 from one address, {enemy.codes[200] - first} of 3000 from twenty"


@scenario("waiting", seconds=30)
async def never_reads(field: Field) -> str:
    """People who ask for everything, again and again, and never read the answers."""
    enemy, address = field.enemy, field.enemy.address()
    lines = []
    for _ in range(10):
        line, _ = await enemy.room(address, await enemy.guest(address), game="wallgo")
        lines.append(line)

    async def flood(line):
        line.ws._response.connection.transport.pause_reading()
        for _ in range(20_000):
            try:
                await asyncio.wait_for(line.send('42/room,["req info",{}]'), 2)
            except (TimeoutError, ConnectionError, OSError):
                return
            await asyncio.sleep(0)

    with suppress(TimeoutError):
        async with asyncio.timeout(20):
            await asyncio.gather(*(flood(line) for line in lines))
    return f"{len(lines)} that never read"


@scenario("waiting", seconds=25)
async def never_polls(field: Field) -> str:
    """People without a websocket who sit in the lobby while others change rooms, and never fetch what they are told."""
    enemy = field.enemy
    for _ in range(20):
        address = enemy.address()
        token = await enemy.guest(address)
        for _ in range(5):
            status, told = await enemy.ask("GET", "/socket.io/?EIO=4&transport=polling", address)
            if status == 200:
                door = f"/socket.io/?EIO=4&transport=polling&sid={json.loads(told[1:])['sid']}"
                await enemy.ask("POST", door, address, data="40/lobby," + json.dumps({"token": token}))
                await enemy.ask("POST", door, address, data="\x1e".join(['42/lobby,["req info",{}]'] * 16))
    address = enemy.address()
    line, _ = await enemy.room(address, await enemy.guest(address))
    with suppress(TimeoutError, ConnectionError):
        async with asyncio.timeout(10):
            while True:
                await line.emit("/room", "sit on", {"seat": 0})
                await line.emit("/room", "stand up", {})
                await asyncio.sleep(0.01)
    return "100 listeners that never listen"


@scenario("waiting", seconds=60)
async def slow_requests(field: Field) -> str:
    """A thousand connections that send a header, or a body, one byte at a time."""
    enemy, lines = field.enemy, []
    for number in range(1000):
        line = await enemy.bare()
        begin = (
            b"GET / HTTP/1.1\r\nHost: x\r\nX-A: "
            if number % 2
            else b"POST /api/login/email HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n\r\n"
        )
        await enemy.pour(line, begin)
        lines.append(line)
    kept = len(lines)
    for _ in range(45):
        await asyncio.sleep(1)
        alive = [line for line in lines if await enemy.pour(line, b" ", 0.2)]
        kept = len(alive)
        lines = alive
        if not kept:
            break
    if kept:
        raise Fell(f"{kept} of 1000 were still waited for after 45 s")
    return "all hung up"


@scenario("waiting", seconds=25, beside=True)
async def bot_streams(field: Field) -> str:
    """Streams for a bot, opened and left, by the hundred; and by people who are no bots."""
    enemy, address = field.enemy, field.enemy.address()
    token = await enemy.guest(address)
    tasks = [asyncio.create_task(enemy.ask("GET", "/api/bot/events", address, headers={"Authorization": f"Bearer {token}"})) for _ in range(500)]
    await asyncio.wait(tasks, timeout=15)
    for task in tasks:
        task.cancel()
    if enemy.codes[200]:
        raise Fell(f"{enemy.codes[200]} streams for someone who is no bot")
    return f"{dict(enemy.codes)}"


@scenario("waiting", seconds=40, token_secret=SECRET)
async def bot_answers(field: Field) -> str:
    """A bot asks for the whole lobby, of many rooms, each time under another key, so that the answer is kept to be repeated."""
    enemy = field.enemy
    for _ in range(3):
        address = enemy.address()
        for _ in range(6):
            line = await enemy.lobby(address, await enemy.guest(address))
            for _ in range(10):
                await line.call("/lobby", "new room", {"game": "wallgo"})
    async with browsing(field, 1) as (owner,):
        await log_in(owner, "author")
        token = (await owner.post("/api/me/bots", name="robot"))["token"]
    bearer = {"Authorization": f"Bearer {token}"}
    stream = asyncio.create_task(enemy.ask("GET", "/api/bot/events", enemy.address(), headers=bearer))
    await asyncio.sleep(1)
    size = 0
    for number in range(600):
        _, body = await enemy.ask("POST", "/api/bot/lobby/req-info", enemy.address(), headers=bearer | {"Idempotency-Key": f"key {number}"}, json={})
        size += len(body)
    stream.cancel()
    return f"{size / 1e6:.0f} MB of answers; {dict(enemy.codes)}"
