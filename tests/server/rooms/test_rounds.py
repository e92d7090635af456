"""Between the rounds of a game: what has ended stays to be seen, and the next deal comes when everyone at the table is ready."""

import asyncio

import pytest
from clients import guests, play_on, refused, sit_down
from deals import Deals
from logging_in import bot_account

from hanpan.client.remote_bot import BotConnection, RemoteBot

DEALS = ["dealer 4", "deal 11334667,11122235,11123445,11455789", "deal 11123456,11123457,11223345,11456789"]
ROUND = (17, None, None, None, 14, None, None, None, 89, None, None, None, 55)  # seat 4 leads, the others pass, and it goes out with a pair of 金
PAUSE = {"settings": {"pause": 300}}  # so long that nothing but the people can end it


def paused(room):
    return bool(room.board.get("paused"))


def make_all_bots(room):
    """A computer player sits in for the only person."""
    room.state.seating.chairs[0].give_to_bot(1)
    room.turns.go_on()


async def play_the_round(rooms, people=(0, 1, 2, 3)):
    """The first round, as it is written."""
    for number, action in enumerate(ROUND):
        seat = (3 + number) % 4
        if seat in people:
            await rooms[seat].play(str(action) if action else "p", 2 + number)
        for room in rooms:
            await room.until(lambda room=room, number=number: room.ply > 2 + number)


@pytest.mark.slow
async def test_a_round_that_has_ended_stays_to_be_seen_until_everyone_is_ready(local_server, meet):
    server = local_server(chance=Deals(DEALS)).hold_clock()
    async with meet(server.url, 5) as people:
        rooms = await sit_down(people[:4], "goita", settings={"pause": 300, "time": {"kind": "byoyomi", "main_ms": 60_000, "byoyomi_ms": 0}})
        watching = await people[4].enter(rooms[0].id, scenes=True)
        await play_the_round(rooms)
        for seat, room in enumerate((*rooms, watching)):
            board = await room.hears("board info", lambda board: board["ply"] == 15)
            assert (board["paused"], board["seat"], board["scores"], board["position"]) == (True, None, [0, 60, 0, 60], "0-60 s4 deal")
            assert board["clock"]["deadline"] is None, "no clock runs"
            assert (await room.hears("ready timer", lambda timer: timer["at"] is not None))["at"] > 0
            told = await room.hears("game history info", lambda told: "closing" in told)
            (ended,) = told["rounds"]
            assert (ended["ply"], ended["dealer"], ended["out"], ended["points"]) == (15, 3, 3, 60)
            assert (ended["before"], ended["scores"]) == ([0] * 4, [0, 60, 0, 60])
            assert [phrase["key"] for phrase in ended["why"]] == ["rounds.out", "rounds.double"]
            assert told["closing"]["position"].endswith(",1p,2p,3p,455 closed")
            assert told["closing"]["info"]["lastAttack"]["describe"] == "x2Finish"
            assert ("x" in told["closing"]["position"].split(",")[3]) == (seat != 3), "the hands of others stay hidden"
        shown = [piece for piece in watching.board["scene"]["look"]["pieces"] if piece.get("text")]
        assert [piece["text"] for piece in shown if piece["seat"] == 3][-2:] == ["金", "金"], "the last pair lies open"
        with refused("between-rounds"):
            await rooms[3].play("13", 15)
        with refused("not-your-seat"):
            await watching.call("set ready")
        await rooms[0].call("set ready")
        await watching.sees(0, ready=True)
        await rooms[0].call("cancel ready")
        await watching.sees(0, ready=False)
        for room in rooms[:3]:
            await room.call("set ready")
        assert watching.ply == 15
        again = await people[1].enter(rooms[0].id)  # whoever comes back finds everything as it is
        assert (await again.hears("board info"))["paused"]
        assert (await again.hears("ready timer"))["at"]
        assert len((await again.hears("game history info"))["rounds"]) == 1
        await rooms[3].call("set ready")
        for room in (*rooms, watching):
            board = await room.hears("board info", lambda board: board["ply"] == 16)
            assert (board.get("paused", False), board["seat"]) == (False, 3)
        assert not any(seat["ready"] for seat in (await watching.hears("player info", lambda told: not told["seats"][0]["ready"]))["seats"])
        with refused("during-game"):
            await rooms[0].call("set ready")


@pytest.mark.parametrize("hands", ["11111123,11234567,12344568,12345579", "12334567,12344568,11111111,22345579", "11111234,11111567,22344568,23345579"])
async def test_a_hand_of_many_shi_is_shown_before_the_next_deal(local_server, hands):
    server = local_server(chance=Deals(["dealer 2", f"deal {hands}", DEALS[2]]))
    async with guests(server.url, 5) as people:
        rooms = await sit_down(people[:4], "goita", **PAUSE)
        watching = await people[4].enter(rooms[0].id)
        dealt = hands.split(",")
        holders = [seat for seat in range(4) if dealt[seat].count("1") >= 5]
        told = await watching.hears("game history info")
        assert watching.board["paused"]
        assert told["closing"]["position"].split()[1].split(",")[:4] == [dealt[seat] if seat in holders else "xxxxxxxx" for seat in range(4)]
        assert [each["_playerNo"] for each in told["closing"]["info"]["yakuInfo"]] == holders
        own = await rooms[1].hears("private board info")
        assert [each["_playerNo"] for each in own["info"]["yakuInfo"]] == holders
        assert told["rounds"][0]["out"] == (holders[0] if len(holders) == 1 else None)
        for room in rooms:
            await room.call("set ready")
        await watching.hears("board info", lambda board: board["ply"] == 3 and not board.get("paused"))


async def test_the_timer_deals_when_someone_never_says_ready(local_server):
    server = local_server(chance=Deals(DEALS))
    async with guests(server.url, 4) as people:
        rooms = await sit_down(people, "goita", settings={"pause": 1})
        await play_the_round(rooms)
        await rooms[0].hears("board info", lambda board: board["ply"] == 16)
        assert any(board.get("paused") for board in rooms[0].events("board info"))
        await rooms[0].call("resign")
        await rooms[2].call("resign")
        await rooms[1].hears("game over")


async def test_computer_players_are_always_ready_and_one_can_resign_meanwhile(local_server):
    server = local_server()
    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "goita", bots=(2, 3), options={"no_yaku": True}, **PAUSE)
        await play_on(rooms, until=paused)
        assert [seat["ready"] for seat in (await rooms[0].hears("player info", lambda told: told["seats"][3]["ready"]))["seats"]] == [False, False, True, True]
        await rooms[0].call("set ready")
        await rooms[1].call("resign")  # its partner is a computer player, which agrees
        over = await rooms[0].hears("game over")
        assert (over["winner"], over["reason"]) == ([0, 2], "resigned")
        assert not rooms[0].board.get("paused")


@pytest.mark.slow
async def test_where_only_computer_players_sit_nobody_need_be_ready(local_server):
    server = local_server()
    async with guests(server.url, 1) as people:
        (room,) = await sit_down(
            people, "goita", bots=(1, 2, 3), ready=False, options={"target": 60}, settings={"pause": 300, "substitute": True, "rated": False}
        )
        await room.call("set ready")
        watching = await people[0].enter(room.id)
        await server.do(make_all_bots, server.services.registry.rooms[room.id])
        over = await watching.hears("game over")
        assert max(over["scores"]) >= 60


@pytest.mark.slow
async def test_a_pause_goes_on_after_a_kill_and_who_was_ready_still_is(own_server):
    server = own_server()
    async with guests(server.url, 4) as people:
        rooms = await sit_down(people, "goita", **PAUSE)
        await play_on(rooms, until=paused)
        ply = rooms[0].ply
        for room in rooms[:3]:
            await room.call("set ready")
        server.kill()
        for room in rooms:
            await room.until(lambda room=room: not room.connected)
        await asyncio.to_thread(server.start)
        for room in rooms:
            await room.until(lambda room=room: room.connected and bool(room.board.get("paused")) and bool(room.private))
            assert room.ply == ply
        assert [seat["ready"] for seat in rooms[0].last["player info"]["seats"]] == [True, True, True, False]
        await rooms[3].call("set ready")
        await rooms[0].until(lambda: rooms[0].ply > ply)
        assert not rooms[0].board.get("paused")


@pytest.mark.slow
async def test_programs_say_ready_by_themselves(local_server):
    """The bot API's own player, the Python client, and a learning machine's seat, which stands on it."""
    server = local_server()
    _, token = await bot_account(server)
    async with guests(server.url, 2) as people:
        # No round brings more than 100 points, so there are two at least.
        rooms = await sit_down(people, "goita", bots=(3,), ready=False, options={"target": 110, "no_yaku": True}, **PAUSE)
        playing = asyncio.create_task(RemoteBot(BotConnection(server.url, token), "goita", 1).run(rooms[0].id))
        try:
            for room in rooms:
                await room.call("set ready")

            async def play(room):
                while (mine := await room.my_turn()) is not None:
                    await room.play(mine["legal"][0], mine["ply"])

            await asyncio.gather(*(play(room) for room in rooms))
            assert len((await rooms[0].hears("game history info", lambda told: told["actions"] and len(told.get("rounds", ())) > 1))["rounds"]) > 1
            assert any(board.get("paused") for board in rooms[0].events("board info"))
        finally:
            playing.cancel()
