"""Attacks with requests that cost the server much and the attacker little."""

import asyncio
import json
from contextlib import suppress

from attacks.field import Fell, Field, scenario

SHUFFLE = ["d1", "d9", "e1", "e9"]  # Puoribor: two pawns go to and fro


def _record(actions: int) -> str:
    return json.dumps({"hanpan": 1, "game": "puoribor", "options": {}, "actions": (SHUFFLE * (actions // 4 + 1))[:actions]})


def _no_fault(field: Field) -> None:
    faults = sum(count for code, count in field.enemy.codes.items() if isinstance(code, int) and code >= 500 and code != 503)
    if faults:
        raise Fell(f"{faults} faults of the server")


@scenario("floods", seconds=60)
async def long_records(field: Field) -> str:
    """Records of 39,000 actions, sixty at once from three addresses."""
    texts = [(field.enemy.address(), _record(39_000)) for _ in range(3)]
    await asyncio.gather(*(field.enemy.ask("POST", "/api/records", address, data=text) for address, text in texts for _ in range(20)))
    if field.enemy.codes[200]:
        raise Fell(f"{field.enemy.codes[200]} were played through")
    return f"{dict(field.enemy.codes)}"


@scenario("floods", seconds=90)
async def longest_records(field: Field) -> str:
    """Records as long as they may be, checked and shown: from four addresses, as many as each may send at once."""
    addresses, text = [field.enemy.address() for _ in range(4)], _record(2000)
    doors = ["/api/records", "/api/records/scenes"]
    with suppress(TimeoutError):
        async with asyncio.timeout(40):
            await asyncio.gather(*(field.enemy.ask("POST", doors[number % 2], address, data=text) for address in addresses for number in range(15)))
    return f"{dict(field.enemy.codes)}"


@scenario("floods", seconds=40)
async def many_rooms(field: Field) -> str:
    """Guests of one address open rooms as fast as they can, and so do those of nine others."""
    enemy, opened, refused = field.enemy, {}, 0

    async def open_rooms(address):
        nonlocal refused
        for _ in range(8):
            token = await enemy.guest(address)
            line = await enemy.lobby(address, token)
            for _ in range(40):
                told = await line.call("/lobby", "new room", {"game": "tictactoe"})
                opened[address] = opened.get(address, 0) + told["ok"]
                refused += not told["ok"]

    await asyncio.gather(*(open_rooms(enemy.address()) for _ in range(10)))
    if max(opened.values()) > 60:
        raise Fell(f"one address opened {max(opened.values())} rooms")
    _, body = await enemy.ask("GET", "/api/rooms", enemy.address())
    return f"{len(json.loads(body))} rooms, {max(opened.values())} at most of one address, {refused} refused"


@scenario("floods", seconds=40)
async def room_passwords(field: Field) -> str:
    """One room's password is guessed by twenty people of ten addresses; and one master sets another password all the time."""
    enemy, address = field.enemy, field.enemy.address()
    _, room = await enemy.room(address, await enemy.guest(address), password="sesame")
    master, _ = await enemy.room(address, await enemy.guest(address))
    tried = 0

    async def guess(address):
        nonlocal tried
        token = await enemy.guest(address)
        for _ in range(30):
            line = await enemy.line(address)
            await line.join("/room", {"token": token, "room": room, "password": "a guess"})
            with suppress(ConnectionError, TimeoutError):
                await line.until(lambda line=line: sum(line.heard.values()), 10)
            tried += line.heard["wrong-password"]
            await line.close()

    async def set_passwords():
        with suppress(ConnectionError, TimeoutError):
            async with asyncio.timeout(10):
                for number in range(400):
                    await master.emit("/room", "change config", {"password": f"secret {number}"})

    await asyncio.gather(set_passwords(), *(guess(address) for address in [enemy.address() for _ in range(10)] for _ in range(2)))
    if tried > 250:
        raise Fell(f"{tried} passwords were tried")
    return f"{tried} tried of 600; {master.heard['config updated']} set of 400"


@scenario("floods", seconds=60)
async def computer_games(field: Field) -> str:
    """Sixty games between computer players, which nobody watches: how long does another's computer player take?"""
    enemy, lines = field.enemy, []
    for _ in range(6):
        address = enemy.address()
        token = await enemy.guest(address)
        for _ in range(10):
            line, _ = await enemy.room(address, token, game="kulami", settings={"rated": False})
            for seat in (0, 1):
                await line.call("/room", "seat bot", {"seat": seat, "level": 8})
            lines.append(line)
    for line in lines:
        await line.close()
    address = enemy.address()
    line, _ = await enemy.room(address, await enemy.guest(address), game="kulami", settings={"rated": False})
    await line.call("/room", "seat bot", {"seat": 0, "level": 8})
    await line.call("/room", "sit on", {"seat": 1})
    before, began = line.heard["board info"], asyncio.get_running_loop().time()
    await line.call("/room", "set ready", {})
    await line.until(lambda: line.heard["board info"] > before + 1 or line.last.get("board info", {}).get("ply"), 50)
    waited = asyncio.get_running_loop().time() - began
    if waited > 5:
        raise Fell(f"another's computer player took {waited:.0f} s")
    return f"another's computer player answered after {waited:.1f} s"


@scenario("floods", seconds=30)
async def quick_match(field: Field) -> str:
    """Requests for a match with ever other clocks, and taking them back."""
    enemy, slow = field.enemy, []
    for _ in range(3):
        address = enemy.address()
        line = await enemy.lobby(address, await enemy.guest(address))
        for number in range(400):
            time = {"kind": "fischer", "main_ms": 60_000 + number, "increment_ms": number}
            await line.emit("/lobby", "quick match", {"game": "kulami", "time": time})
            if number % 50 == 49:
                began = asyncio.get_running_loop().time()
                await line.call("/lobby", "cancel match", {})
                slow.append(asyncio.get_running_loop().time() - began)
    return f"{len(slow) * 50} requests"


@scenario("floods", seconds=30)
async def malformed_posts(field: Field) -> str:
    """Polling posts that are no payload: nothing breaks, and the log does not grow with each."""
    enemy, before = field.enemy, len(field.log())
    for _ in range(4):
        address = enemy.address()
        for body in ("x", "4", "b!!!", "46999-[", "\x1e" * 500, "4" + "[" * 5000, "\ud7ff", '42["a",{"_placeholder":1}]'):
            for _ in range(12):
                status, told = await enemy.ask("GET", "/socket.io/?EIO=4&transport=polling", address)
                if status == 200:
                    await enemy.ask("POST", f"/socket.io/?EIO=4&transport=polling&sid={json.loads(told[1:])['sid']}", address, data=body)
    grown = len(field.log()) - before
    _no_fault(field)
    if grown > 5000:
        raise Fell(f"the log grew by {grown} letters")
    return f"{dict(enemy.codes)}, {grown} letters of log"


@scenario("floods", seconds=40)
async def deep_questions(field: Field) -> str:
    """Deep, long and broken options, tickets, addresses and names, at every door that reads some."""
    enemy, deep = field.enemy, "[" * 1900 + "]" * 1900
    lone, wide = '"\\ud800"', json.dumps({f"o{n}": n for n in range(250)})
    for options in (deep, f'{{"a":{deep[50:-50]}}}', f"{{{lone}:1}}", f'{{"board":{lone}}}', wide, "9" * 3900, '{"a":1e999999}', "NaN"):
        for path in ("/api/svg?game=kulami", "/api/games/kulami/scene?x=1", "/api/games/kulami/table?x=1"):
            for _ in range(8):
                await enemy.ask("GET", f"{path}&options=" + options.replace("#", "%23").replace("&", "%26").replace("+", "%2B"), enemy.address())
    for path, body in (
        ("/api/login/email", f'{{"email":{lone},"password":"x"}}'), ("/api/login/email", f'{{"email":"{"a" * 300_000}","password":"x"}}'),
        ("/api/login/email/reset", f'{{"email":{lone}}}'), ("/api/login/token", f'{{"token":{lone}}}'),
        ("/api/login/email/password", f'{{"ticket":{lone},"password":"12345678"}}'),
        ("/api/records", "[" * 150_000), ("/api/records", '{"hanpan":1,"game":"kulami","options":' + deep * 20 + "}"), ("/api/records/scenes", "\\ud800"),
    ):  # fmt: skip
        for _ in range(8):
            await enemy.ask("POST", path, enemy.address(), data=body, headers={"Content-Type": "application/json"})
    _no_fault(field)
    return f"{dict(enemy.codes)}"


@scenario("floods", seconds=40)
async def many_fields(field: Field) -> str:
    """Bodies as large as they may be, with tens of thousands of fields that nobody knows: fifty at once from each of four addresses."""
    enemy = field.enemy
    body = json.dumps({f"{n:x}": 0 for n in range(36_000)})[:399_000].rpartition(",")[0] + "}"
    doors = [(address, path) for address in [enemy.address() for _ in range(4)] for path in ("/api/login/email", "/api/games/kulami/options/board/draw") * 25]
    await asyncio.gather(*(enemy.ask("POST", path, address, data=body, headers={"Content-Type": "application/json"}) for address, path in doors))
    _no_fault(field)
    return f"{dict(enemy.codes)}"


@scenario("floods", seconds=40)
async def pictures(field: Field) -> str:
    """Pictures of positions, as many at once as three addresses may ask for."""
    enemy, games = field.enemy, ("puoribor", "kulami", "wallgo", "reversedrop", "goita")
    asked = [(address, f"/api/svg?game={games[number % 5]}&seed={number}") for address in [enemy.address() for _ in range(3)] for number in range(300)]
    await asyncio.gather(*(enemy.ask("GET", path, address) for address, path in asked))
    _no_fault(field)
    return f"{dict(enemy.codes)}"


@scenario("floods", seconds=40)
async def own_boards(field: Field) -> str:
    """Boards of one's own, read and drawn with as many steps as there may be, as many at once as three addresses may ask for."""
    enemy = field.enemy
    address = enemy.address()
    steps: list[str] = []
    while True:
        status, body = await enemy.ask("POST", "/api/games/kulami/options/board/draw", address, json={"actions": steps})
        told = json.loads(body)
        if status != 200 or told["value"] is not None or not told["clicks"]:
            break
        steps.append(next(iter(told["clicks"])))
    requests = [("draw", {"actions": steps}), ("read", {"value": told.get("value") or "a" * 4000})]
    await asyncio.gather(*(enemy.ask("POST", f"/api/games/kulami/options/board/{work}", address, json=request)
                           for address in [enemy.address() for _ in range(3)] for n in range(150) for work, request in [requests[n % 2]]))  # fmt: skip
    _no_fault(field)
    return f"{len(steps)} steps; {dict(enemy.codes)}"


@scenario("floods", seconds=40)
async def big_pages(field: Field) -> str:
    """The largest answers that anybody may ask for, as many at once as three addresses may."""
    enemy = field.enemy
    _, front = await enemy.ask("GET", "/", enemy.address())
    files = [part.split('"')[0] for part in front.decode().split('="/page/')[1:]]
    paths = ["/openapi.json", "/asyncapi.json", "/docs", "/api/words/ko", "/api/stills", "/api/games", "/api/games/goita/demo", "/api/games/wallgo/rules/en",
             "/api/rooms", "/api/archive.jsonl", *(f"/page/{name}" for name in files)]  # fmt: skip
    await asyncio.gather(*(enemy.ask("GET", paths[number % len(paths)], address, headers={"Accept-Encoding": "gzip"})
                           for address in [enemy.address() for _ in range(3)] for number in range(300)))  # fmt: skip
    _no_fault(field)
    return f"{dict(enemy.codes)}"
