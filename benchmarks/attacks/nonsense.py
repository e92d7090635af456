"""Malformed events, made from the events' schemas, and malformed requests, made from the HTTP API's own document."""

import asyncio
from collections import Counter

from hostile_messages import attack_http, attack_sockets

from attacks.field import Fell, Field, scenario

EVENTS, REQUESTS = 20_000, 3_000


@scenario("nonsense", seconds=400, unlimited_local=True, events_per_second=1_000_000, messages_per_minute=1_000_000)
async def nonsense(field: Field) -> str:
    """Twenty thousand broken events into the lobby and a room, and three thousand broken requests at every door."""
    from clients import Guest  # it needs the server's schemas

    codes, asked, faults = Counter(), 0, []
    async with Guest(field.url) as bad:
        room = await bad.new_room("tictactoe")
        for part in range(10):
            codes += await attack_sockets(field.url, bad.token, room.id, part, EVENTS // 10)
        while asked < REQUESTS:
            more, wrong = await asyncio.to_thread(attack_http, field.url, bad.token, max(1, min(50, (REQUESTS - asked) // 45)))
            asked, faults = asked + more, faults + wrong
    errors = field.log().count(" ERROR ")
    if codes["our-fault"] or faults or errors:
        raise Fell(f"{codes['our-fault']} faults over sockets, {len(faults)} over HTTP ({faults[:1]}), {errors} errors in the log")
    return f"{codes.total()} events refused, {asked} requests, no fault"
