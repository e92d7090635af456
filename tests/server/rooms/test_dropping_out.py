"""Dropping out of a game, coming back, and who may play on meanwhile."""

import asyncio

import pytest
from clients import guests, play_on, refused, sit_down, with_account
from deals import Deals
from javascript import mixed_guests, prepared

QUIET = ["dealer 1", "deal 11123456,11123457,11223345,11456789"]  # nobody holds five し
MAIN = {"kind": "byoyomi", "main_ms": 60_000, "byoyomi_ms": 30_000}
SUDDEN = {"kind": "byoyomi", "main_ms": 60_000, "byoyomi_ms": 0}
TURN = {"kind": "turn", "turn_ms": 30_000}
SECRET = "a secret of thirty-two letters or more"


async def never(seen, level, *whose):
    await asyncio.sleep(3600)


async def test_coming_back_resumes_exactly(server, meet):
    async with meet(server.url, 2) as people:
        rooms = await sit_down(people, "kulami")
        await play_on(rooms, plies=6)
        mine = await rooms[0].hears("private board info", lambda own: own["ply"] == 6)
        before = rooms[0].board
        await rooms[0].drop()
        await rooms[1].sees(0, connected=False)
        so_far = len(rooms[0].told)
        await rooms[0].open()
        assert await rooms[0].hears("private board info", since=so_far) == mine
        again = await rooms[0].hears("board info", since=so_far)
        assert {**again, "recent": before["recent"], "clock": before["clock"]} == before
        history = await rooms[0].hears("game history info", since=so_far)
        assert len(history["actions"]) == 6
        await rooms[1].sees(0, connected=True)
        await play_on(rooms)
        over = await rooms[1].hears("game over")
        assert len(over["ratings"]) == 2


@pytest.mark.slow
async def test_the_javascript_client_comes_back_by_itself(server):
    prepared()
    async with mixed_guests(server.url, 2) as people:
        rooms = await sit_down(people, "kulami")
        await play_on(rooms, plies=4)
        so_far = len(rooms[0].told)
        await rooms[0].lose()
        await rooms[0].hears("private board info", since=so_far)
        await play_on(rooms)
        assert (await rooms[0].hears("game over"))["reason"] == "rules"


async def test_an_empty_seat_plays_by_the_time_out_rule(local_server):
    server = local_server().hold_clock()
    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "kulami", settings={"time": MAIN})
        await rooms[0].drop()
        await rooms[1].sees(0, connected=False)
        await server.later(91)
        over = await rooms[1].hears("game over")
        assert (over["winner"], over["reason"]) == ([1], "time")


@pytest.mark.slow
async def test_a_seat_without_main_time_is_taken_over_by_a_spectator_and_given_back(local_server, meet):
    server = local_server(chance=Deals(QUIET)).hold_clock()
    async with meet(server.url, 6) as people:
        rooms = await sit_down(people[:4], "goita", settings={"time": MAIN, "rated": False})
        watching, late = [await person.enter(rooms[0].id) for person in people[4:]]
        seat = rooms[0].board["seat"]
        assert seat == 0
        await rooms[0].drop()
        await watching.sees(0, connected=False)
        with refused("seat-not-free"):
            await watching.call("sit on", seat=0)
        await server.later(61)  # byo-yomi runs
        with refused("seat-not-free"):
            await watching.call("sit on", seat=1)
        with refused("only-your-first-seat"):
            await rooms[1].call("sit on", seat=0)
        await watching.call("sit on", seat=0)
        own = await watching.hears("private board info")
        assert (own["seat"], len(own["legal"]) > 0) == (0, True)
        assert "x" not in own["position"].split(" ")[1].split(",")[0]
        with refused("seat-not-free"):
            await late.call("sit on", seat=0)
        await watching.play(own["legal"][0], own["ply"])
        await rooms[0].open()  # the first sitter comes back, to that seat and to no other
        await rooms[0].hears("info")
        with refused("only-your-first-seat"):
            await rooms[0].call("sit on", seat=1)
        await rooms[0].call("sit on", seat=0)
        await watching.hears("player info", lambda told: told["seats"][0]["person"]["id"] == people[0].id)
        with refused("not-seated"):
            await watching.play("p", own["ply"] + 1)
        await rooms[0].call("resign")
        await rooms[2].call("resign")
        over = await late.hears("game over")
        games = await people[4].http("GET", f"/api/people/{people[4].id}/games")
        assert [game["id"] for game in games] == [over["game_id"]]


async def test_who_took_over_one_seat_may_not_take_another(local_server):
    server = local_server(chance=Deals(QUIET)).hold_clock()
    async with guests(server.url, 5) as people:
        rooms = await sit_down(people[:4], "goita", settings={"time": MAIN, "rated": False})
        watching = await people[4].enter(rooms[0].id)
        await rooms[0].drop()
        await rooms[1].drop()
        for seat in (0, 1):
            await watching.sees(seat, connected=False)
        await server.later(61)
        await watching.call("sit on", seat=0)
        own = await watching.hears("private board info")
        await watching.play(own["legal"][0], own["ply"])
        await server.later(61)
        with refused("seat-held-already"):
            await watching.call("sit on", seat=1)


@pytest.mark.parametrize("time", [TURN, SUDDEN], ids=["a timer for each turn", "main time that is gone"])
async def test_without_main_time_and_byoyomi_a_seat_is_free_after_two_missed_turns(local_server, time):
    """Those who watch are told at that very moment, and only then."""
    server = local_server(chance=Deals(QUIET)).hold_clock()
    async with guests(server.url, 5) as people:
        rooms = await sit_down(people[:4], "goita", settings={"time": time, "rated": False})
        watching = await people[4].enter(rooms[0].id)
        await rooms[0].drop()
        await watching.sees(0, connected=False)
        chair = server.services.registry.rooms[rooms[0].id].state.seating.chairs[0]
        for missed in (1, 2):
            if missed == 1 or time == TURN:  # main time that is gone is gone at once in the next turn, too
                with refused("seat-not-free"):
                    await watching.call("sit on", seat=0)
                await server.later(61)
            await watching.until(lambda missed=missed: chair.missed == missed)
            while missed == 1 and watching.board["seat"] in (None, 0):
                await asyncio.sleep(0.01)
            while missed == 1 and (seat := watching.board["seat"]) != 0 and chair.missed == 1:
                ply = watching.ply
                await rooms[seat].until(lambda seat=seat, ply=ply: rooms[seat].ply == ply and rooms[seat].mine() is not None)
                await rooms[seat].play(rooms[seat].mine()["legal"][-1])
                await watching.until(lambda ply=ply: watching.ply > ply)
        await watching.sees(0, free_for_spectators=True)
        await watching.call("sit on", seat=0)
        own = await watching.hears("private board info")
        assert own["seat"] == 0


@pytest.mark.slow
async def test_a_reload_never_costs_a_seat_and_a_free_one_is_offered_to_those_who_watch(local_server):
    server = local_server(chance=Deals(QUIET), patience=30.0).hold_clock()
    async with guests(server.url, 5) as people:
        rooms = await sit_down(people[:4], "goita", settings={"time": MAIN, "rated": False})
        watching = await people[4].enter(rooms[0].id)
        await server.later(61)  # byo-yomi runs
        await rooms[0].drop()
        await watching.sees(0, connected=False)
        with refused("seat-not-free"):
            await watching.call("sit on", seat=0)
        await server.later(29)
        assert not any(told["seats"][0].get("free_for_spectators") for told in watching.events("player info"))
        with refused("seat-not-free"):
            await watching.call("sit on", seat=0)
        await rooms[0].open()
        await watching.sees(0, connected=True)


@pytest.mark.slow
async def test_in_a_rated_game_nobody_sits_in_who_could_be_someone_at_the_table(local_server):
    """The opponents' second guest, fifty milliseconds after a window was closed: refused; a computer player keeps the seat, and goes."""
    server = local_server(chance=Deals(QUIET), token_secret=SECRET).hold_clock()
    async with guests(server.url, 6) as people:
        await with_account(people[5], SECRET)
        rooms = await sit_down(people[:4], "goita", settings={"time": MAIN})
        second, friend = [await person.enter(rooms[0].id) for person in people[4:]]
        await server.later(61)
        server.services.context.timeouts.patience, thinking = 30.0, server.services.context.bots.choose
        server.services.context.bots.choose = never
        await rooms[0].drop()
        await second.sees(0, connected=False)
        with refused("seat-not-free"):
            await second.call("sit on", seat=0)
        server.services.context.timeouts.patience = 0.0
        with refused("account-to-sit-in"):
            await second.call("sit on", seat=0)
        with refused("too-near"):  # an account, but in the house of someone who plays
            await friend.call("sit on", seat=0)
        await server.later(0)  # now it is offered; nobody here may have it
        await rooms[1].until(lambda: rooms[1].last["player info"]["seats"][0].get("bot") is not None)
        with refused("not-your-seat"):
            await second.call("resign")
        server.services.context.bots.choose = thinking
        await rooms[0].open()
        await rooms[1].until(lambda: rooms[1].last["player info"]["seats"][0].get("bot") is None)
        await play_on(rooms, plies=rooms[0].ply + 8)
        await rooms[0].call("resign")
        await rooms[2].call("resign")
        assert set((await rooms[1].hears("game over"))["ratings"]) == {person.id for person in people[:4]}


async def test_in_a_rated_game_the_partner_lets_someone_from_elsewhere_sit_in_who_then_acts_on_the_board_only(local_server):
    server = local_server(chance=Deals(QUIET), token_secret=SECRET, patience=30.0).hold_clock()  # else a computer player may be sooner
    async with guests(server.url, 4) as people, guests(server.url, 1, address="10.1.2.3") as far:
        await with_account(far[0], SECRET)
        rooms = await sit_down(people, "goita", settings={"time": MAIN})
        watching = await far[0].enter(rooms[0].id)
        await rooms[0].drop()
        await watching.sees(0, connected=False)
        await server.later(61)
        await watching.sees(0, free_for_spectators=True)
        assert (await watching.call("sit on", seat=0))["asked"]
        asked = await rooms[2].hears("ask seat")
        assert (asked["seat"], asked["state"], asked["who"]["id"]) == (0, "asked", far[0].id)
        with refused("nothing-offered"):  # not for the others to say
            await rooms[1].call("answer seat", seat=0, yes=True)
        await rooms[2].call("answer seat", seat=0, yes=False)
        assert (await watching.hears("answer seat"))["state"] == "declined"
        await watching.call("sit on", seat=0)
        await rooms[2].call("answer seat", seat=0, yes=True)
        own = await watching.hears("private board info")
        await watching.play(own["legal"][0], own["ply"])
        for event in ("resign", "ask takeback"):
            with refused("sitting-in"):
                await watching.call(event)
        with refused("sitting-in"):
            await watching.call("resign", seat=1)
        await play_on([watching, *rooms[1:]], plies=watching.ply + 7)
        await rooms[2].call("resign")  # whoever sits in has no say in that
        over = await watching.hears("game over")
        assert set(over["ratings"]) == {person.id for person in people}


async def test_whoever_has_gone_as_their_room_moves_is_let_in_nowhere(local_server):
    """With many processes connections are let in anew, and hear of it a while later."""
    server = local_server()
    namespace = server.app._inner.engineio_server.namespace_handlers["/room"]
    async with guests(server.url, 1) as [me]:
        room = await me.new_room("tictactoe")
        [(sid, visit)] = namespace.visits.items()
        await room.close()
        while sid in namespace.visits:
            await asyncio.sleep(0.01)
        await server.do(visit.visitor.join)
        assert sid not in namespace.visits


# --- where leaving is resigning ---


async def test_who_leaves_wall_go_by_the_button_has_resigned(server):
    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "wallgo", options={"size": 4})
        await rooms[0].call("leave room")
        over = await rooms[1].hears("game over")
        assert (over["winner"], over["reason"]) == ([1], "resigned")


async def test_who_stays_away_from_wall_go_has_resigned_but_a_reload_costs_nothing(local_server):
    server = local_server(patience=3600.0).hold_clock()
    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "wallgo", options={"size": 4}, settings={"time": {"kind": "none"}})
        await rooms[0].drop()
        await rooms[1].until(lambda: "away" in rooms[1].last["player info"]["seats"][0])
        away = rooms[1].last["player info"]["seats"][0]["away"]
        assert away["then"] == "resign"
        assert away["in_ms"] == 3_600_000
        await rooms[0].open()
        await rooms[1].until(lambda: "away" not in rooms[1].last["player info"]["seats"][0])
        server.services.context.timeouts.patience = 0.2
        await rooms[0].close()
        over = await rooms[1].hears("game over")
        assert (over["winner"], over["reason"]) == ([1], "resigned")


async def test_with_three_who_leaves_wall_go_plays_on_by_penalty_and_finishes_last(local_server):
    server = local_server()
    async with guests(server.url, 3) as people:
        rooms = await sit_down(people, "wallgo", options={"players": 3, "size": 4, "pieces": 1})
        await rooms[0].drop()
        await rooms[1].hears("player info", lambda told: told["seats"][0].get("resigned"))
        await play_on(rooms[1:])
        over = await rooms[1].hears("game over")
        assert 0 not in over["winner"]
        assert over["ratings"][people[0].id]["after"] == 1290.0


async def test_if_all_lose_the_connection_to_wall_go_the_first_to_be_back_wins_if_the_others_stay_away(local_server):
    server = local_server()
    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "wallgo", options={"size": 4}, settings={"time": {"kind": "none"}})
        for room in rooms:
            await room.drop()
        room = server.services.registry.rooms[rooms[0].id]
        while room.state.members or room.state.timers.planned("gone0") or room.state.timers.planned("gone1"):
            await asyncio.sleep(0.01)
        assert room.state.playing, "nobody was there to win"
        await rooms[1].open()
        assert (await rooms[1].hears("game over"))["winner"] == [1]


@pytest.mark.parametrize("when", ["while they may still be back", "later", "after a restart"])
async def test_if_all_lose_the_connection_to_wall_go_the_others_have_the_whole_patience_once_the_first_is_back(local_server, when):
    server = local_server(patience=0.2 if when == "later" else 3600.0).hold_clock()
    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "wallgo", options={"size": 4}, settings={"time": {"kind": "none"}})
        for room in rooms:
            await room.drop()
        room = server.services.registry.rooms[rooms[0].id]
        while room.state.members or (when == "later" and (room.state.timers.planned("gone0") or room.state.timers.planned("gone1"))):
            await asyncio.sleep(0.01)
        server.services.context.timeouts.patience = 3600.0
        if when == "after a restart":
            await server.do(room.take_up)
        await server.later(45)
        so_far = len(rooms[1].told)
        await rooms[1].open()
        told = await rooms[1].hears("player info", since=so_far)
        assert told["seats"][0]["away"] == {"then": "resign", "in_ms": 3_600_000}
        await rooms[0].open()
        await rooms[1].until(lambda: "away" not in rooms[1].last["player info"]["seats"][0])
        assert room.state.playing


@pytest.mark.parametrize("again", [False, True])
async def test_who_was_ready_and_lost_the_connection_is_away_from_the_beginning_of_the_game(local_server, again):
    server = local_server().hold_clock()
    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "kulami", ready=again)
        if again:  # the seats move on by one
            await rooms[1].call("resign")
        ready = "rematch" if again else "set ready"
        await rooms[0].call(ready)
        await rooms[0].drop()
        await rooms[1].sees(0, connected=False)
        await rooms[1].call(ready)
        gone = 1 if again else 0
        await rooms[1].until(lambda: "away" in rooms[1].last["player info"]["seats"][gone])
        await server.later(301)
        await rooms[1].call("resign", seat=gone)
        over = await rooms[1].hears("game over", lambda over: over["reason"] == "claim")
        assert over["winner"] == [1 - gone]


async def test_who_was_ready_and_does_not_come_back_to_wall_go_has_resigned(local_server):
    server = local_server(patience=0.2)
    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "wallgo", ready=False, options={"size": 4}, settings={"time": {"kind": "none"}})
        server.services.context.timeouts.patience = 3600.0  # the chair is kept until the game begins
        await rooms[0].call("set ready")
        await rooms[0].drop()
        await rooms[1].sees(0, connected=False)
        server.services.context.timeouts.patience = 0.2
        await rooms[1].call("set ready")
        over = await rooms[1].hears("game over")
        assert (over["winner"], over["reason"]) == ([1], "resigned")


async def test_a_reload_costs_no_seat_when_the_game_ends_meanwhile(local_server):
    server = local_server(patience=3600.0)
    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "kulami")
        await rooms[0].drop()
        await rooms[1].sees(0, connected=False)
        await rooms[1].call("resign")
        await rooms[1].hears("game over")
        await rooms[0].open()
        await rooms[0].call("rematch")
        server.services.context.timeouts.patience = 0.2
        so_far = len(rooms[1].told)
        await rooms[0].drop()
        await rooms[1].hears("player info", lambda told: told["seats"][0]["person"] is None, since=so_far)


async def test_who_stays_away_has_no_seat_wherever_it_was_moved_meanwhile(local_server):
    server = local_server(patience=3600.0)
    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "kulami", ready=False)
        server.services.context.timeouts.patience = 1.0
        so_far = len(rooms[0].told)
        await rooms[1].drop()
        await rooms[0].sees(1, connected=False)
        await rooms[0].call("swap seats", one=0, other=1)
        await rooms[0].hears("player info", lambda told: told["seats"][0]["person"] is None, since=so_far)
