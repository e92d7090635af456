"""Malformed and hostile events and requests: no fault of ours, no dead task, and the table beside them plays on."""

import asyncio

import pytest
from clients import Guest, guests, made_operator, play_on, sit_down
from hostile_messages import attack_http, attack_sockets


@pytest.mark.slow
async def test_hostile_events_and_requests_harm_nobody(local_server, caplog):
    server = local_server(events_per_second=100_000)
    async with guests(server.url, 2) as people, Guest(server.url) as bad:
        rooms = await sit_down(people, "tictactoe")
        await made_operator(server, bad.id)
        codes = await attack_sockets(server.url, bad.token, rooms[0].id, 1, 1000)
        assert codes.total() > 800
        assert not codes["our-fault"]
        assert {"bad-payload", "unknown-event"} <= codes.keys()
        asked, faults = await asyncio.to_thread(attack_http, server.url, bad.token, 4)
        assert asked > 100
        assert faults == []
        await play_on(rooms)
        await rooms[0].hears("game over")
    assert not [record for record in caplog.records if record.levelname == "ERROR" and record.name.startswith("hanpan")]
