"""Attacks with what is in a connection itself: frames, packets, headers, bytes."""

import asyncio
import json
import zlib
from collections import Counter

from attacks.enemy import frame
from attacks.field import Fell, Field, scenario

BOMB = b"4" + b"[]," * 5_200_000  # 15.6 MB


def _deflated(data: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return (packer.compress(data) + packer.flush(zlib.Z_SYNC_FLUSH)).removesuffix(b"\x00\x00\xff\xff")


@scenario("frames", seconds=20)
async def compressed_frames(field: Field) -> str:
    """Eight strangers send a frame of 15 kB that unpacks to 15.6 MB, and again."""
    bomb, accepted, ended = _deflated(BOMB), 0, 0
    for _ in range(3):
        lines = [await field.enemy.upgraded(field.enemy.address(), "permessage-deflate") for _ in range(8)]
        accepted += sum("permessage-deflate" in answer for _, answer in lines)
        for line, _ in lines:
            await field.enemy.pour(line, frame(1, bomb, compressed=True))
        ended += sum(await asyncio.gather(*(field.enemy.hung_up(line) for line, _ in lines)))
    if accepted or ended < 24:
        raise Fell(f"{accepted} compressed connections accepted, {ended} of 24 ended")
    return "24 refused"


@scenario("frames", seconds=30)
async def big_frames(field: Field) -> str:
    """Messages of 15.6 MB: as one frame, in pieces of 60 kB, and as a post."""
    lines = [(await field.enemy.upgraded(field.enemy.address()))[0] for _ in range(8)]
    pieces = [BOMB[begin : begin + 60_000] for begin in range(0, 6_000_000, 60_000)]
    in_pieces = frame(1, pieces[0], fin=False) + b"".join(frame(0, piece, fin=False) for piece in pieces[1:])
    await asyncio.gather(*(field.enemy.pour(line, frame(1, BOMB) if number % 2 else in_pieces) for number, line in enumerate(lines)))
    ended = sum(await asyncio.gather(*(field.enemy.hung_up(line) for line in lines)))
    address = field.enemy.address()
    _, told = await field.enemy.ask("GET", "/socket.io/?EIO=4&transport=polling", address)
    sid = json.loads(told[1:])["sid"]
    await field.enemy.ask("POST", f"/socket.io/?EIO=4&transport=polling&sid={sid}", address, data=BOMB)
    if ended < 8 or field.enemy.codes[200] > 1:
        raise Fell(f"{ended} of 8 connections ended; posts: {dict(field.enemy.codes)}")
    return "all ended"


@scenario("frames", seconds=14)
async def packed_frames(field: Field) -> str:
    """Frames of 60 kB, as large as they may be, full of fields that no event has, from twenty people at five addresses."""
    lines = []
    fields = json.dumps({f"{number:x}": 0 for number in range(5500)})
    texts = [f'42/lobby,["send msg",{fields}]', f'42/lobby,["send msg"{",[]" * 20_000}]', f'42/lobby,["quick match",{{"game":"kulami","options":{fields}}}]',
             '42/lobby,["send msg",' + "[" * 30_000 + "]" * 30_000 + "]"]  # fmt: skip
    for _ in range(5):
        address = field.enemy.address()
        for _ in range(4):
            lines.append(await field.enemy.lobby(address, await field.enemy.guest(address)))

    async def flood(line, text):
        while not line.reading.done():
            await line.send(text)
            await asyncio.sleep(0)

    try:
        async with asyncio.timeout(8):
            await asyncio.gather(*(flood(line, texts[number % len(texts)]) for number, line in enumerate(lines)))
    except TimeoutError:
        pass
    heard = sum((line.heard for line in lines), Counter())
    return f"{heard['bad-payload'] + heard['bad-option']} refused, {heard['too-fast']} too fast"


@scenario("frames", seconds=30)
async def endless_fragments(field: Field) -> str:
    """A message that never ends: empty pieces, by the million; and pings whose answers nobody reads. Whoever is hung up on comes again."""
    enemy = field.enemy
    nothing, pings = frame(1, b"4", fin=False) + frame(0, b"", fin=False) * 20_000, frame(9, b"p" * 125) * 2_000
    took = []

    async def flood(data):
        for _ in range(20):
            line, _ = await enemy.upgraded(enemy.address(), narrow=True)
            size = 0
            while size < 60_000_000 and await enemy.pour(line, data, 3):
                size += len(data)
            took.append(size)

    await asyncio.gather(*(flood(data) for data in (nothing, pings) * 3))
    if max(took) >= 60_000_000:
        raise Fell("it listened to 60 MB of nothing")
    return f"{len(took)} times, {max(took) / 1e6:.1f} MB at most"


@scenario("frames", seconds=20)
async def attachments(field: Field) -> str:
    """Binary attachments, announced by the million and sent without end."""
    enemy, address = field.enemy, field.enemy.address()
    lines = [await enemy.lobby(address, await enemy.guest(address)) for _ in range(4)]
    for line in lines:
        await line.send('459999999-/lobby,["send msg",{"_placeholder":true,"num":0}]')
    sent = 0
    try:
        async with asyncio.timeout(8):
            while True:
                for line in lines:
                    await line.ws.send_bytes(b"x" * 50_000)
                    sent += 1
    except (TimeoutError, ConnectionError, OSError):
        pass
    refused = sum(line.heard["bad-payload"] for line in lines)
    if not refused:
        raise Fell("bytes were not refused")
    return f"{sent} sent, {refused} refused"


HEADS = [
    (b"GET /?", b"a" * 100_000),
    (b"GET / HTTP/1.1\r\nHost: x\r\n", b"".join(b"h%d: v\r\n" % number for number in range(10_000))),
    (b"GET / HTTP/1.1\r\nHost: x\r\nA: ", b"a" * 100_000),
]


@scenario("frames", seconds=30)
async def endless_headers(field: Field) -> str:
    """Requests whose address, or whose headers, never end. Whoever is hung up on comes again."""
    enemy, took = field.enemy, []

    async def flood(first, more):
        for _ in range(20):
            line, size = await enemy.bare(), 0
            if await enemy.pour(line, first):
                while size < 40_000_000 and await enemy.pour(line, more, 3):
                    size += len(more)
            took.append(size)

    await asyncio.gather(*(flood(*head) for head in HEADS * 2))
    if max(took) >= 40_000_000:
        raise Fell("it listened to 40 MB of headers")
    return f"{len(took)} times, {max(took) / 1e6:.1f} MB at most"
