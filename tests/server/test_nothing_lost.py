"""Whatever happens to the server, nothing that was acknowledged is lost. The long version of this is benchmarks/kill_server.py."""

import asyncio
import sqlite3
import time

import pytest
from clients import guests, play_on, sit_down
from killing import Journal, kill_again_and_again, lost

CLOCK = {"kind": "turn", "turn_ms": 600_000}


@pytest.mark.slow
async def test_a_server_is_killed_again_and_again_under_play(tmp_path):
    journal = await kill_again_and_again(tmp_path, tables=5, kills=6, seed=7, longest=0.3)
    wrong, counts = lost(tmp_path, journal)
    assert not wrong, "\n".join(wrong[:20])
    assert counts["acknowledged"] > 36
    assert counts["games"] >= 5


@pytest.mark.slow
async def test_the_loss_of_something_would_be_seen(tmp_path):
    """The check itself: what is damaged on purpose is found."""
    journal = await kill_again_and_again(tmp_path, tables=2, kills=0, seed=3)
    assert lost(tmp_path, journal)[0] == []
    game, ply, action = journal.acknowledged[-1]
    never = Journal(acknowledged=[*journal.acknowledged, (game, ply + 1, action)])
    assert any("was acknowledged" in line for line in lost(tmp_path, never)[0])
    twice = Journal(acknowledged=[*journal.acknowledged, journal.acknowledged[0]])
    assert any("2 times" in line for line in lost(tmp_path, twice)[0])
    with sqlite3.connect(tmp_path / "hanpan.db") as db:
        db.execute("update rating set value = value + 1 where rowid = (select min(rowid) from rating)")
        db.execute("delete from action where game_id = ? and ply = 1", [game])
    wrong = lost(tmp_path, journal)[0]
    assert any("ratings are not" in line for line in wrong)
    assert any("missing" in line for line in wrong)


async def killed(server, room):
    """Kill the server; how much a room had been told when it noticed."""
    server.kill()
    await room.until(lambda: not room.connected)
    return len(room.told)


@pytest.mark.slow
async def test_after_a_kill_everything_is_as_it_was(own_server):
    server = own_server(patience=600.0)
    async with guests(server.url, 3) as people:
        rooms = await sit_down(people[:2], "wallgo", options={"size": 5}, settings={"time": CLOCK, "spectators": True}, password="sesame")
        watching = await people[2].enter(rooms[0].id, "sesame")
        await play_on(rooms, plies=5)
        await watching.hears("board info", lambda board: board["ply"] == 5)
        before = {name: watching.last[name] for name in ("info", "board info")}
        actions = [line for told in watching.events("board info") for line in told.get("recent", ())]
        so_far = await killed(server, watching)
        started = time.time_ns() // 1_000_000
        await asyncio.to_thread(server.start)
        await watching.hears("clock info", since=so_far)
        assert {**watching.last["info"], "people": []} == {**before["info"], "people": []}
        assert watching.last["game history info"]["actions"][-len(actions) :] == actions
        board = watching.board
        assert {**board, "recent": [], "clock": None} == {**before["board info"], "recent": [], "clock": None}
        # The clock of the seat to act stood still until its person was back, and had its whole turn then.
        to_act = rooms[board["seat"]]
        await to_act.until(lambda: to_act.connected and (to_act.last["clock info"]["deadline"] or 0) >= started + CLOCK["turn_ms"])
        await play_on(rooms, plies=7)


@pytest.mark.slow
async def test_a_clean_stop_loses_nothing_either(own_server):
    server = own_server()
    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "kulami")
        await play_on(rooms, plies=3)
        server.stop()
        await rooms[0].until(lambda: not rooms[0].connected)
        await asyncio.to_thread(server.start)
        await play_on(rooms)
        over = await rooms[0].hears("game over")
        assert len(over["ratings"]) == 2


@pytest.mark.slow
async def test_a_game_that_ended_just_before_the_kill_is_told_afterwards(own_server):
    server = own_server()
    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "tictactoe")
        await play_on(rooms, plies=4)
        await rooms[0].call("resign")
        over = await rooms[1].hears("game over")
        assert over["counted"] == {"weight": 1.0}
        assert [chair["person"]["id"] for chair in over["seats"]] == [person.id for person in people]
        so_far = await killed(server, rooms[1])
        await asyncio.to_thread(server.start)
        assert await rooms[1].hears("game over", since=so_far) == over
        for room in rooms:
            await room.until(lambda room=room: room.connected)
            await room.call("rematch")
        for room in rooms:
            await room.until(lambda room=room: not room.board["over"])
        await play_on(rooms, plies=2)
