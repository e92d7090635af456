"""Resigning, draws, takebacks, rematches."""

from clients import guests, play_on, refused, sit_down

UNRATED = {"settings": {"rated": False}}


async def test_a_draw_is_offered_declined_and_accepted(server):
    async with guests(server.url, 3) as people:
        rooms = await sit_down(people[:2], "kulami")
        watching = await people[2].enter(rooms[0].id)
        with refused("nothing-offered"):
            await rooms[1].call("answer draw", yes=True)
        await rooms[0].call("offer draw")
        asked = await rooms[1].hears("offer draw")
        assert (asked["seat"], asked["state"]) == (0, "asked")
        with refused("nothing-offered"):
            await rooms[0].call("answer draw", yes=True)
        with refused("not-your-seat"):
            await watching.call("offer draw")
        await rooms[1].call("answer draw", yes=False)
        assert (await rooms[0].hears("answer draw"))["state"] == "declined"
        with refused("asked-already"):  # only once it has acted again
            await rooms[0].call("offer draw")
        await play_on(rooms, plies=4)
        await rooms[0].call("offer draw")
        await rooms[1].call("offer draw")  # two offers are an agreement
        over = await watching.hears("game over")
        assert (over["winner"], over["reason"]) == ([], "agreed")
        assert over["ratings"][people[0].id] == {"before": 1300.0, "after": 1300.0}


async def test_a_draw_offer_stands_while_its_maker_acts_and_falls_when_the_other_does(server):
    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "kulami")
        await rooms[0].call("offer draw")
        with refused("asked-already"):
            await rooms[0].call("offer draw")
        await play_on(rooms, plies=1)
        back = await people[1].enter(rooms[0].id)
        await back.hears("offer draw", lambda offer: offer["state"] == "asked")  # also for someone who comes in later
        await play_on(rooms, plies=2)
        assert (await rooms[0].hears("answer draw"))["state"] == "withdrawn"
        with refused("nothing-offered"):
            await rooms[1].call("answer draw", yes=True)


async def test_a_computer_player_plays_on(server):
    async with guests(server.url, 1) as people:
        (room,) = await sit_down(people, "tictactoe", bots=(1,))
        await room.call("offer draw")
        assert (await room.hears("answer draw"))["state"] == "declined"
        with refused("asked-already"):
            await room.call("offer draw")


async def test_a_draw_is_for_two_seats_and_what_was_seen_is_not_taken_back(server):
    async with guests(server.url, 1) as people:
        (room,) = await sit_down(people, "goita", bots=(1, 2, 3))
        with refused("two-seats-only"):
            await room.call("offer draw")
        with refused("secrets-no-takeback"):
            await room.call("ask takeback")


async def test_with_three_seats_a_takeback_needs_both_others(server):
    async with guests(server.url, 3) as people:
        rooms = await sit_down(people, "wallgo", options={"players": 3, "size": 5, "pieces": 2}, settings={"rated": False, "time": {"kind": "none"}})
        await play_on(rooms, plies=4)  # the dice, and a piece of each
        for room in rooms:
            await room.hears("board info", lambda board: board["ply"] == 4)
        asker = rooms[1]
        others = [rooms[0], rooms[2]]
        await asker.call("ask takeback")
        for other in others:
            assert (await other.hears("ask takeback"))["seat"] == 1
        await others[0].call("answer takeback", yes=True)
        await others[1].call("answer takeback", yes=False)
        assert (await asker.hears("answer takeback"))["state"] == "declined"
        with refused("asked-already"):
            await asker.call("ask takeback")
        await play_on(rooms, plies=7)
        so_far = [len(other.told) for other in others]
        await asker.call("ask takeback")
        for other, since in zip(others, so_far, strict=True):
            await other.hears("ask takeback", since=since)
        await others[1].call("answer takeback", yes=True)
        so_far = len(asker.told)
        await others[0].call("answer takeback", yes=True)
        board = await asker.hears("board info", since=so_far)
        assert board["seat"] == 1
        assert board["ply"] < 7
        await play_on(rooms, plies=9)


async def test_a_takeback_is_asked_for_and_allowed(server):
    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "kulami", **UNRATED)
        with refused("nothing-to-take-back"):
            await rooms[0].call("ask takeback")
        await play_on(rooms, plies=2)
        await rooms[0].call("ask takeback")
        assert (await rooms[1].hears("ask takeback"))["seat"] == 0
        await rooms[1].call("answer takeback", yes=False)
        assert (await rooms[0].hears("answer takeback"))["state"] == "declined"
        with refused("asked-already"):
            await rooms[0].call("ask takeback")
        await play_on(rooms, plies=4)
        first = [line["action"] for told in rooms[1].events("board info") for line in told.get("recent", ())]
        await rooms[1].hears("board info", lambda board: board["ply"] == 4)
        await rooms[0].call("ask takeback")
        so_far = len(rooms[1].told)
        await rooms[1].call("answer takeback", yes=True)
        board = await rooms[1].hears("board info", since=so_far)
        assert (board["ply"], board["seat"]) == (2, 0)
        history = await rooms[1].hears("game history info", since=so_far)
        assert [line["action"] for line in history["actions"]] == first[:2]
        await rooms[0].call("ask takeback")  # what was allowed may go on
        await rooms[1].call("answer takeback", yes=True)
        await rooms[1].hears("board info", lambda board: board["ply"] == 0, since=so_far)
        await play_on(rooms)
        await rooms[0].hears("game over")


async def test_a_takeback_against_the_computer_needs_no_answer(server):
    async with guests(server.url, 1) as people:
        (room,) = await sit_down(people, "tictactoe", bots=(1,))
        await room.play("b2")
        await room.hears("board info", lambda board: board["ply"] == 2)
        await room.call("ask takeback")
        await room.hears("board info", lambda board: board["ply"] == 0, since=room.told.index(("board info", room.board)))
        await play_on([room])


async def test_a_rated_game_has_no_takebacks(server):
    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "kulami")
        await play_on(rooms, plies=2)
        with refused("rated-no-takeback"):
            await rooms[0].call("ask takeback")


async def test_taking_back_gives_no_time_back_and_a_restart_does_not_either(local_server):
    server = local_server().hold_clock()
    async with guests(server.url, 2) as people:
        byoyomi = {"kind": "byoyomi", "main_ms": 60_000, "byoyomi_ms": 30_000}
        rooms = await sit_down(people, "kulami", settings={"rated": False, "time": byoyomi})
        await rooms[0].hears("private board info")
        await server.later(20)
        await play_on(rooms, plies=2)
        await rooms[0].call("ask takeback")
        await rooms[1].hears("ask takeback")
        so_far = len(rooms[1].told)
        await rooms[1].call("answer takeback", yes=True)
        clock = (await rooms[1].hears("board info", since=so_far))["clock"]
        assert clock["remaining"][0]["main"] <= 40_000
        room = server.services.registry.rooms[rooms[0].id]
        row = await server.do(server.services.store.game, room.state.match.id)
        stored = {found.id: found.document for found in await server.do(server.services.store.rooms)}
        again = type(room).from_json(server.services.context, server.services.registry, room.id, stored[room.id], row)
        assert again.state.match.clock.main_ms == room.state.match.clock.main_ms


async def test_partners_resign_together(server):
    async with guests(server.url, 4) as people:
        rooms = await sit_down(people, "goita")
        await rooms[0].call("resign")
        asked = await rooms[2].hears("resign")
        assert (asked["seat"], asked["state"]) == (0, "asked")
        await play_on(rooms, plies=rooms[0].ply + 8)  # the game goes on meanwhile
        await rooms[1].call("resign")  # of the other side
        assert not rooms[0].events("game over")
        await rooms[2].call("resign")
        over = await rooms[1].hears("game over")
        assert (over["winner"], over["reason"]) == ([1, 3], "resigned")
        assert {over["ratings"][person.id]["after"] for person in people[::2]} == {1290.0}
        assert not [told for told in rooms[1].events("resign") if told["seat"] == 0], "the others do not hear what partners ask each other"


async def test_a_partner_may_play_on_and_who_asked_may_think_better_of_it(server):
    async with guests(server.url, 4) as people:
        rooms = await sit_down(people, "goita")
        with refused("nothing-offered"):
            await rooms[2].call("answer resign", yes=False)
        await rooms[0].call("resign")
        await rooms[0].call("answer resign", yes=False)
        assert (await rooms[2].hears("answer resign"))["state"] == "withdrawn"
        with refused("nothing-offered"):
            await rooms[2].call("answer resign", yes=True)
        await rooms[0].call("resign")
        await rooms[2].call("answer resign", yes=False)
        answer = await rooms[0].hears("answer resign", lambda answer: answer["state"] == "declined")
        assert answer["seat"] == 2
        with refused("asked-already"):
            await rooms[0].call("resign")
        await rooms[2].call("resign")  # the other way round nobody has asked yet
        assert not rooms[0].events("game over")
        assert not [told for room in (rooms[1], rooms[3]) for told in [*room.events("resign"), *room.events("answer resign")]]
        await rooms[0].call("answer resign", yes=True)
        over = await rooms[1].hears("game over")
        assert (over["winner"], over["reason"]) == ([1, 3], "resigned")


async def test_with_three_seats_who_resigns_plays_on_by_the_penalty_rule_and_finishes_last(server):
    async with guests(server.url, 3) as people:
        rooms = await sit_down(people, "wallgo", options={"players": 3, "size": 4, "pieces": 1})
        await rooms[0].call("resign")
        told = await rooms[2].hears("player info", lambda told: told["seats"][0].get("resigned"))
        assert told["seats"][0]["resigned"] is True
        await play_on(rooms[1:])
        over = await rooms[1].hears("game over")
        assert 0 not in over["winner"]
        assert over["ratings"][people[0].id]["after"] == 1290.0
        theirs = [line for line in rooms[1].last["game history info"]["actions"] if line["seat"] == 0]
        assert theirs
        assert all(line.get("forced") for line in theirs)


async def test_with_three_seats_who_has_resigned_has_nothing_more_to_say(server):
    async with guests(server.url, 3) as people:
        rooms = await sit_down(people, "wallgo", options={"players": 3, "size": 4, "pieces": 1}, **UNRATED)
        await play_on(rooms, plies=rooms[0].ply + 3)
        await rooms[1].call("ask takeback")
        await rooms[0].hears("ask takeback")
        await rooms[0].call("resign")
        assert (await rooms[1].hears("answer takeback"))["state"] == "withdrawn"
        for event, given in (("ask takeback", {}), ("auto move", {"level": 3}), ("auto move", {"level": None}), ("resign", {"seat": 1})):
            with refused("has-resigned"):
                await rooms[0].call(event, **given)
        await rooms[1].call("ask takeback")
        for yes in (True, False):
            with refused("has-resigned"):
                await rooms[0].call("answer takeback", yes=yes)
        await rooms[2].call("answer takeback", yes=True)  # only those who still play have to agree
        assert (await rooms[1].hears("answer takeback", lambda told: told["state"] == "accepted"))["seat"] == 1


async def test_with_three_seats_nobody_acts_in_the_place_of_a_seat_that_has_resigned(local_server):
    server = local_server()
    async with guests(server.url, 3) as people:
        rooms = await sit_down(people, "wallgo", options={"players": 3, "size": 4, "pieces": 1}, **UNRATED)
        room = server.services.registry.rooms[rooms[0].id]
        room.turns._ring = never  # so that there is a moment before the action is played for the seat
        seat = rooms[0].board["seat"]
        await rooms[seat].call("resign")
        ply, action = rooms[seat].ply, room.state.match.state.legal()[0]
        for event, given in (
            ("play", {"action": action}),
            ("draft", {"clicks": []}),
            ("hint", {}),
            ("why", {"clicks": ["a1"]}),
            ("preview", {"action": action}),
        ):
            with refused("has-resigned"):
                await rooms[seat].call(event, ply=ply, **given)


async def never(*asked):
    """Somebody who does nothing."""


async def test_with_three_seats_the_last_one_who_stays_wins(server):
    async with guests(server.url, 3) as people:
        rooms = await sit_down(people, "wallgo", options={"players": 3, "size": 4, "pieces": 1})
        await play_on(rooms, plies=rooms[0].ply + 6)
        await rooms[0].call("resign")
        await rooms[2].call("resign")
        over = await rooms[1].hears("game over")
        assert (over["winner"], over["reason"]) == ([1], "resigned")
        after = [over["ratings"][person.id]["after"] for person in people]
        assert after == [1295.0, 1310.0, 1295.0]


async def test_a_rematch_needs_everyone(server):
    async with guests(server.url, 3) as people:
        rooms = await sit_down(people[:2], "tictactoe")
        watching = await people[2].enter(rooms[0].id)
        with refused("during-game"):
            await rooms[0].call("rematch")
        await rooms[0].call("resign")
        await rooms[0].hears("game over")
        with refused("not-seated"):
            await watching.call("rematch")
        await rooms[1].call("stand up")
        with refused("not-all-here"):
            await rooms[0].call("rematch")


async def test_whoever_comes_back_hears_who_wants_a_rematch_and_who_has_played(server):
    async with guests(server.url, 3) as people:
        rooms = await sit_down(people[:2], "tictactoe")
        await rooms[0].call("resign")
        names = [chair["person"]["name"] for chair in (await rooms[1].hears("game over"))["seats"]]
        assert names == [person.person["name"] for person in people[:2]]
        await rooms[0].call("rematch")
        await rooms[1].hears("rematch")
        await rooms[1].drop()
        await rooms[1].open()
        again = await people[2].enter(rooms[0].id)
        for room in (rooms[1], again):
            assert room.last["rematch"] == {"kind": "rematch", "seat": 0, "state": "asked"}
        await rooms[1].call("stand up")
        await rooms[1].close()
        late = await people[2].enter(rooms[0].id)
        assert [chair["person"]["name"] for chair in late.last["game over"]["seats"]] == names, "also after somebody has left"


async def alone_at_a_table(person, name):
    """A game in which someone has both seats."""
    alone = await person.new_room(name, **UNRATED)
    await alone.call("sit on", seat=0)
    await alone.call("sit on", seat=1, local=True)
    for seat in range(2):
        await alone.call("set ready", seat=seat)
    await alone.until(lambda: bool(alone.board))
    return alone


async def test_a_game_that_is_left_before_anyone_has_acted_is_not_kept(local_server):
    server = local_server()
    async with guests(server.url, 1) as [me]:
        alone = await alone_at_a_table(me, "reversedrop")
        left = [alone.board["game_id"]]
        assert alone.ply == 1, "chance has acted"
        for _ in range(3):
            await alone.call("restart")
            await alone.until(lambda: alone.board["game_id"] != left[-1])
            left.append(alone.board["game_id"])
        running = left.pop()
        assert await me.http("GET", "/api/records") == []
        assert [line["id"] for line in await me.http("GET", f"/api/people/{me.id}/games")] == [running]
        for id in left:
            with refused("404"):
                await me.http("GET", f"/api/records/{id}")
        await server.do(server.services.registry.close_room, alone.id)
        assert await me.http("GET", f"/api/people/{me.id}/games") == []


async def test_who_plays_alone_may_begin_anew_and_nobody_else(server):
    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "kulami")
        with refused("not-alone"):
            await rooms[0].call("restart")
        alone = await alone_at_a_table(people[0], "kulami")
        first = alone.board["game_id"]
        await alone.until(lambda: alone.mine() is not None)
        await alone.play(alone.mine()["legal"][0])
        await alone.call("restart")
        await alone.until(lambda: alone.board["game_id"] != first)
        assert (alone.ply, alone.board["over"]) == (0, False)
        about = await people[0].http("GET", f"/api/records/{first}")
        assert (about["result"]["winner"], about["result"]["reason"]) == ([], "abandoned")
