"""Attacks by many at once, or by one who looks like many: guests, spectators, coming and going."""

import asyncio
import json
from collections import Counter
from contextlib import suppress

from attacks.field import Fell, Field, scenario


@scenario("crowds", seconds=30)
async def addresses(field: Field) -> str:
    """Other addresses of one line, a proxy that names nobody, and foreign names of the server."""
    enemy = field.enemy
    line = [(await enemy.ask("POST", "/api/guest", f"2001:db8:1:2::{number:x}"))[0] for number in range(1, 150)]
    if line.count(200) > 60:
        raise Fell(f"one IPv6 network made {line.count(200)} guests")
    async with enemy.session.get(f"{enemy.url}/metrics") as answer:
        if answer.status == 200:
            raise Fell("the proxy's own address may see /metrics")
    nobody = Counter()
    for _ in range(150):
        async with enemy.session.post(f"{enemy.url}/api/guest") as answer:
            nobody[answer.status] += 1
    if nobody[200] > 60:
        raise Fell(f"without a forwarding header there were {nobody[200]} guests")
    return f"{line.count(200)} guests of one network, {nobody[200]} of nowhere"


@scenario("crowds", seconds=25)
async def guests_crowd(field: Field) -> str:
    """Sixty guests of one address, each with a socket, all sending requests as fast as they can."""
    enemy, address = field.enemy, field.enemy.address()
    lines = []
    for _ in range(60):
        token = await enemy.guest(address)
        if token is None:
            break
        lines.append(await enemy.lobby(address, token))

    async def flood(line):
        while not line.reading.done():
            await line.emit("/lobby", "cancel match", {})
            await line.emit("/lobby", "req info", {})
            await asyncio.sleep(0)

    with suppress(TimeoutError):
        async with asyncio.timeout(10):
            await asyncio.gather(*(flood(line) for line in lines))
    heard = sum((line.heard for line in lines), Counter())
    return f"{len(lines)} guests, {heard['info']} answers, {heard['too-fast']} too fast"


@scenario("crowds", seconds=25)
async def lobby_churn(field: Field) -> str:
    """One guest with fifty sockets goes into the lobby and out of it, all the time."""
    enemy, address = field.enemy, field.enemy.address()
    token = await enemy.guest(address)
    lines = [await enemy.line(address) for _ in range(50)]

    async def churn(line):
        while not line.reading.done():
            await line.join("/lobby", {"token": token})
            await line.send("41/lobby,")
            await asyncio.sleep(0)

    with suppress(TimeoutError):
        async with asyncio.timeout(10):
            await asyncio.gather(*(churn(line) for line in lines))
    return f"{sum(line.heard['info'] for line in lines)} times in the lobby"


@scenario("crowds", seconds=30)
async def seat_churn(field: Field) -> str:
    """Ten people sit down and stand up all the time, and two hundred in the lobby are told."""
    enemy, listeners = field.enemy, []
    for _ in range(10):
        address = enemy.address()
        token = await enemy.guest(address)
        listeners += [await enemy.lobby(address, token) for _ in range(20)]
    rooms = []
    for _ in range(10):
        address = enemy.address()
        rooms.append((await enemy.room(address, await enemy.guest(address)))[0])

    async def churn(line):
        while not line.reading.done():
            await line.emit("/room", "sit on", {"seat": 0})
            await line.emit("/room", "stand up", {})
            await asyncio.sleep(0.01)

    with suppress(TimeoutError):
        async with asyncio.timeout(10):
            await asyncio.gather(*(churn(line) for line in rooms))
    return f"{sum(line.heard['room updated'] for line in listeners)} news to 200 people"


async def _honest_room(field: Field) -> str:
    _, body = await field.enemy.ask("GET", "/api/rooms", field.enemy.address())
    return next(room["id"] for room in json.loads(body) if room["playing"])


@scenario("crowds", seconds=40)
async def spectators(field: Field) -> str:
    """Whoever watches the honest table: three guests with two hundred windows each, with pictures; they come, stay, and go all at once."""
    enemy, room, lines = field.enemy, await _honest_room(field), []
    for _ in range(3):
        address = enemy.address()
        token = await enemy.guest(address)
        for _ in range(200):
            line = await enemy.line(address)
            await line.join("/room", {"token": token, "room": room, "scenes": True})
            lines.append(line)
    await asyncio.sleep(6)
    watching = sum(line.heard["board info"] > 1 for line in lines)
    await asyncio.gather(*(line.close() for line in lines))
    return f"{watching} of 600 windows watched"


@scenario("crowds", seconds=40)
async def strangers_watch(field: Field) -> str:
    """Two hundred strangers watch the honest table, come in together, talk, and leave together."""
    enemy, room, lines = field.enemy, await _honest_room(field), []
    for _ in range(4):
        address = enemy.address()
        for _ in range(50):
            line, token = await enemy.line(address), await enemy.guest(address)
            lines.append((line, token))
    await asyncio.gather(*(line.join("/room", {"token": token, "room": room}) for line, token in lines))
    await asyncio.sleep(3)
    for _ in range(12):
        await asyncio.gather(*(line.emit("/room", "send msg", {"msg": "buy " * 100}) for line, _ in lines))
    await asyncio.sleep(3)
    heard = sum((line.heard for line, _ in lines), Counter())
    await asyncio.gather(*(line.close() for line, _ in lines))
    return f"{sum(line.heard['board info'] > 0 for line, _ in lines)} watched, {heard['recieve msg']} messages heard"


@scenario("crowds", seconds=40)
async def hints(field: Field) -> str:
    """Thirty guests of one address ask for hints, as fast as they can, at games against the strongest computer player."""
    enemy, address, lines = field.enemy, field.enemy.address(), []
    for _ in range(30):
        line, _ = await enemy.room(address, await enemy.guest(address), game="kulami", settings={"rated": False})
        await line.call("/room", "seat bot", {"seat": 1, "level": 8})
        await line.call("/room", "sit on", {"seat": 0})
        await line.call("/room", "set ready", {})
        lines.append(line)

    async def ask(line):
        while not line.reading.done():
            await line.emit("/room", "hint", {"ply": 0})
            await asyncio.sleep(0.01)

    with suppress(TimeoutError):
        async with asyncio.timeout(10):
            await asyncio.gather(*(ask(line) for line in lines))
    return f"{sum((line.heard for line in lines), Counter())['too-fast']} too fast"
