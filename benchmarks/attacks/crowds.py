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
    """Sixty guests of one address, each with a socket, all sending wishes as fast as they can."""
    enemy, address = field.enemy, field.enemy.address()
    wires = []
    for _ in range(60):
        token = await enemy.guest(address)
        if token is None:
            break
        wires.append(await enemy.lobby(address, token))

    async def flood(wire):
        while not wire.reading.done():
            await wire.emit("/lobby", "cancel match", {})
            await wire.emit("/lobby", "req info", {})
            await asyncio.sleep(0)

    with suppress(TimeoutError):
        async with asyncio.timeout(10):
            await asyncio.gather(*(flood(wire) for wire in wires))
    heard = sum((wire.heard for wire in wires), Counter())
    return f"{len(wires)} guests, {heard['info']} answers, {heard['too-fast']} too fast"


@scenario("crowds", seconds=25)
async def lobby_churn(field: Field) -> str:
    """One guest with fifty sockets goes into the lobby and out of it, all the time."""
    enemy, address = field.enemy, field.enemy.address()
    token = await enemy.guest(address)
    wires = [await enemy.wire(address) for _ in range(50)]

    async def churn(wire):
        while not wire.reading.done():
            await wire.join("/lobby", {"token": token})
            await wire.send("41/lobby,")
            await asyncio.sleep(0)

    with suppress(TimeoutError):
        async with asyncio.timeout(10):
            await asyncio.gather(*(churn(wire) for wire in wires))
    return f"{sum(wire.heard['info'] for wire in wires)} times in the lobby"


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

    async def churn(wire):
        while not wire.reading.done():
            await wire.emit("/room", "sit on", {"seat": 0})
            await wire.emit("/room", "stand up", {})
            await asyncio.sleep(0.01)

    with suppress(TimeoutError):
        async with asyncio.timeout(10):
            await asyncio.gather(*(churn(wire) for wire in rooms))
    return f"{sum(wire.heard['room updated'] for wire in listeners)} news to 200 people"


async def _honest_room(field: Field) -> str:
    _, body = await field.enemy.ask("GET", "/api/rooms", field.enemy.address())
    return next(room["id"] for room in json.loads(body) if room["playing"])


@scenario("crowds", seconds=40)
async def spectators(field: Field) -> str:
    """Whoever watches the honest table: three guests with two hundred windows each, with pictures; they come, stay, and go all at once."""
    enemy, room, wires = field.enemy, await _honest_room(field), []
    for _ in range(3):
        address = enemy.address()
        token = await enemy.guest(address)
        for _ in range(200):
            wire = await enemy.wire(address)
            await wire.join("/room", {"token": token, "room": room, "scenes": True})
            wires.append(wire)
    await asyncio.sleep(6)
    watching = sum(wire.heard["board info"] > 1 for wire in wires)
    await asyncio.gather(*(wire.close() for wire in wires))
    return f"{watching} of 600 windows watched"


@scenario("crowds", seconds=40)
async def strangers_watch(field: Field) -> str:
    """Two hundred strangers watch the honest table, come in together, talk, and leave together."""
    enemy, room, wires = field.enemy, await _honest_room(field), []
    for _ in range(4):
        address = enemy.address()
        for _ in range(50):
            wire, token = await enemy.wire(address), await enemy.guest(address)
            wires.append((wire, token))
    await asyncio.gather(*(wire.join("/room", {"token": token, "room": room}) for wire, token in wires))
    await asyncio.sleep(3)
    for _ in range(12):
        await asyncio.gather(*(wire.emit("/room", "send msg", {"msg": "buy " * 100}) for wire, _ in wires))
    await asyncio.sleep(3)
    heard = sum((wire.heard for wire, _ in wires), Counter())
    await asyncio.gather(*(wire.close() for wire, _ in wires))
    return f"{sum(wire.heard['board info'] > 0 for wire, _ in wires)} watched, {heard['recieve msg']} messages heard"


@scenario("crowds", seconds=40)
async def hints(field: Field) -> str:
    """Thirty guests of one address ask for hints, as fast as they can, at games against the strongest computer player."""
    enemy, address, wires = field.enemy, field.enemy.address(), []
    for _ in range(30):
        wire, _ = await enemy.room(address, await enemy.guest(address), game="kulami", settings={"rated": False})
        await wire.call("/room", "seat bot", {"seat": 1, "level": 8})
        await wire.call("/room", "sit on", {"seat": 0})
        await wire.call("/room", "set ready", {})
        wires.append(wire)

    async def ask(wire):
        while not wire.reading.done():
            await wire.emit("/room", "hint", {"ply": 0})
            await asyncio.sleep(0.01)

    with suppress(TimeoutError):
        async with asyncio.timeout(10):
            await asyncio.gather(*(ask(wire) for wire in wires))
    return f"{sum((wire.heard for wire in wires), Counter())['too-fast']} too fast"
