"""Auto move: a computer player acts for a person's own seat, on and off at any moment of an unrated game."""

import asyncio

import pytest
from clients import guests, play_on, refused, sit_down

UNRATED = {"rated": False}


async def test_a_computer_player_acts_for_a_seat_until_its_person_does_so_again(server):
    async with guests(server.url, 3) as people:
        one, other = await sit_down(people[:2], "kulami", settings=UNRATED)
        watching = await people[2].enter(one.id)
        await one.call("auto move", seat=0, level=1)
        await watching.sees(0, auto=1)  # everyone sees it, and whose seat it still is
        assert watching.last["player info"]["seats"][0]["person"]["id"] == people[0].id
        await other.hears("board info", lambda board: board["ply"] == 1)
        await play_on([other], plies=4)
        await one.hears("board info", lambda board: board["ply"] == 5)  # again without anyone's help
        with refused("not-your-seat"):
            await other.call("auto move", seat=0, level=None)
        with refused("not-your-seat"):
            await watching.call("auto move", level=3)
        with refused("bad-payload"):
            await one.call("auto move", seat=0, level=9)
        await one.call("auto move", level=None)
        await watching.until(lambda: "auto" not in watching.last["player info"]["seats"][0])
        await play_on([one, other])
        assert (await one.hears("game over"))["reason"] == "rules"
        with refused("no-game"):
            await one.call("auto move", level=3)


async def test_switching_it_off_in_the_middle_of_a_turn_leaves_the_turn_to_the_person(local_server):
    server = local_server()
    server.services.context.bots.choose = never  # so that there is a middle
    async with guests(server.url, 2) as people:
        one, other = await sit_down(people, "kulami", settings={"time": {"kind": "turn", "turn_ms": 60_000}} | UNRATED)
        await one.call("auto move", level=1)
        await one.call("auto move", level=None)
        room = server.services.registry.rooms[one.id]
        await asyncio.sleep(0)
        assert room.state.match.ply == 0
        assert not room.state.timers.planned("bot")
        assert room.state.timers.planned("time")  # the person's clock runs
        await one.play(one.mine()["legal"][0])
        await other.hears("board info", lambda board: board["ply"] == 1)


async def never(seen, level, *whose):
    await asyncio.Event().wait()


async def test_what_the_computer_player_thinks_is_not_charged(local_server):
    server = local_server(quick_bots=False).hold_clock()
    async with guests(server.url, 2) as people:
        one, other = await sit_down(people, "kulami", settings={"time": {"kind": "byoyomi", "main_ms": 60_000, "byoyomi_ms": 0}} | UNRATED)
        await one.call("auto move", level=1)
        await server.later(61)  # our own slowness: nobody loses on time meanwhile
        await other.hears("board info", lambda board: board["ply"] == 1)
        await other.call("clock info")
        ledger = (await other.hears("clock info", lambda told: "ledger" in told))["ledger"]
        assert ledger[0]["charged"] < 30_000


async def test_rated_games_are_played_by_people_themselves(server):
    async with guests(server.url, 2) as people:
        one, _ = await sit_down(people, "kulami")
        with refused("rated-no-auto"):
            await one.call("auto move", level=3)
        assert one.ply == 0


@pytest.mark.slow
async def test_it_goes_on_after_a_restart(own_server):
    server = own_server()
    async with guests(server.url, 2) as people:
        one, other = await sit_down(people, "kulami", settings=UNRATED)
        await one.call("auto move", level=1)
        await other.hears("board info", lambda board: board["ply"] == 1)
        server.kill()
        await other.until(lambda: not other.connected)
        so_far = len(other.told)
        await asyncio.to_thread(server.start)
        await other.hears("player info", lambda told: told["seats"][0].get("auto") == 1, since=so_far)
        await play_on([other], plies=2)
        await other.hears("board info", lambda board: board["ply"] == 3)


async def test_where_nobody_looks_on_nobody_thinks(local_server):
    server, go_on = local_server(), asyncio.Event()
    bots, thinking = server.services.context.bots, server.services.context.bots.choose

    async def choose(seen, level, *whose):
        if room.state.match.ply >= 2:
            await go_on.wait()
        return await thinking(seen, level, *whose)

    bots.choose = choose
    async with guests(server.url, 1) as (me,):
        mine = await me.new_room("kulami", settings=UNRATED)
        room = server.services.registry.rooms[mine.id]
        await mine.call("sit on", seat=0)
        await mine.call("sit on", seat=1, local=True)
        await mine.call("set ready")
        await mine.hears("board info")
        await mine.call("auto move", seat=0, level=1)
        await mine.call("auto move", seat=1, level=1)
        await mine.hears("board info", lambda board: board["ply"] >= 2)
        await mine.drop()
        while room.state.members:
            await asyncio.sleep(0.01)
        await server.do(go_on.set)
        while room.state.timers.planned("bot"):  # what was being thought of is still played
            await asyncio.sleep(0.01)
        stood = room.state.match.ply
        assert room.state.playing
        await asyncio.sleep(0.1)
        assert room.state.match.ply == stood
        await mine.open()
        over = await mine.hears("game over")  # and now they play it to its end
        assert over["reason"] == "rules"
        await mine.call("rematch")
        await mine.hears("board info", lambda board: board["game_id"] != over["game_id"] and board["ply"] >= 2)  # it stays on until it is switched off
