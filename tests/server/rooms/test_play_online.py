"""Games of every kind, played over the network to their end."""

import pytest
from clients import guests, play_on, refused, sit_down, some
from deals import Deals

import hanpan
from hanpan.record import GameRecord

SHORT = {
    "goita": {"target": 30},
    "kulami": {},
    "puoribor": {},
    "reversedrop": {"max_plies": 30},
    "wallgo": {"size": 4, "pieces": 2},
    "tictactoe": {},
}


async def whole_record(person, room):
    """The record of the last game, downloaded; it must replay."""
    await room.hears("game over")
    id = room.last["game over"]["game_id"]
    downloaded = await person.http("GET", f"/api/records/{id}.json")
    text = await person.http("GET", f"/api/records/{id}.txt")
    record = GameRecord.from_text(text)
    assert list(record.actions) == downloaded["actions"] == [line["action"] for line in room.last["game history info"]["actions"]]
    return record


def test_all_games_are_played():
    assert set(SHORT) == set(hanpan.games())


@pytest.mark.slow
@pytest.mark.parametrize("game", SHORT)
async def test_every_game_to_its_end(server, game):
    seats = hanpan.game(game, **SHORT[game]).seats
    async with guests(server.url, seats) as people:
        rooms = await sit_down(people, game, options=SHORT[game])
        acted = await play_on(rooms)
        over = await rooms[0].hears("game over")
        await rooms[0].hears("game history info", lambda told: len(told["actions"]) == rooms[0].ply)
        record = await whole_record(people[0], rooms[0])
        last = record.final()
        assert last.over
        assert (over["winner"], over["scores"], over["reason"]) == (last.winner, last.scores, "rules")
        assert sum(acted) <= len(record.actions)
        assert record.people == {seat: person.person["name"] for seat, person in enumerate(people)}
        moved = {person.id: over["ratings"][person.id]["after"] for person in people}
        assert all(change["before"] == 1300 for change in over["ratings"].values())
        expected = {10, -10} if last.winner else {0}
        assert {value - 1300 for value in moved.values()} == expected


@pytest.mark.slow
async def test_a_game_of_goita_to_150_by_four_and_a_spectator(server, meet):
    async with meet(server.url, 5) as people:
        rooms = await sit_down(people[:4], "goita")
        watching = await people[4].enter(rooms[0].id)
        await play_on(rooms)
        await watching.hears("game over")
        board = await watching.hears("board info", lambda board: board["over"])
        assert max(board["scores"]) >= 150
        assert board["winner"] in ([0, 2], [1, 3])
        rounds = [told for told in rooms[1].events("game history info") if "closing" in told]
        assert rounds, "the end of each round is told to everyone"
        # Everyone saw the same public game, and each seat its own hand only.
        public = [told for told in rooms[0].events("board info") if told.get("recent")]
        assert public == [told for told in rooms[3].events("board info") if told.get("recent")]
        for seat, room in enumerate(rooms):
            for told in room.events("private board info"):
                if told["position"].endswith(" play"):
                    hands = told["position"].split(" ")[1].split(",")[:4]
                    assert "x" not in hands[seat]
            assert {told["seat"] for told in room.events("private board info")} == {seat}
        assert not watching.events("private board info")


async def test_five_shi_are_decided_by_the_partner(local_server, meet):
    server = local_server(chance=Deals(["dealer 1", "deal 11111234,11223345,11234567,14556789", "deal 11123456,11123457,11223345,11456789"]))
    async with meet(server.url, 4) as people:
        rooms = await sit_down(people, "goita")
        asked = await rooms[2].hears("goshi decision")
        assert (asked["seat"], sorted(asked["choices"])) == (2, ["proceed", "redeal"])
        for number in (0, 1, 3):
            assert await rooms[number].hears("goshi wait") == asked
        with refused("not-your-turn"):
            await rooms[0].call("goshi proceed", ply=asked["ply"])
        with refused("stale-ply"):
            await rooms[2].call("goshi proceed", ply=asked["ply"] + 1)
        await rooms[2].call("goshi deal again", ply=asked["ply"])
        await rooms[2].call("goshi deal again", ply=asked["ply"])  # the same request twice is answered the same way
        for room in rooms:
            assert (await room.hears("goshi solve"))["choices"] == ["redeal"]
        board = await rooms[1].hears("board info", lambda board: board["ply"] == asked["ply"] + 2)
        assert (board["seat"], board["last"]) == (0, "deal")
        with refused("stale-ply"):
            await rooms[2].call("goshi proceed", ply=asked["ply"])


async def test_a_deal_that_ends_the_game_at_once(local_server, meet):
    server = local_server(chance=Deals(["dealer 2", "deal 11111111,12233445,12233445,55667789"]))
    async with meet(server.url, 4) as people:
        rooms = await sit_down(people, "goita", options={"target": 30})
        for room in rooms:
            over = await room.hears("game over")
            assert (over["winner"], over["reason"]) == ([0, 2], "rules")
            assert (over["ratings"], over["counted"]) == ({}, {"weight": 0.0, "why": "short"})  # nobody has acted
            assert len(room.events("game over")) == 1
            assert (await room.hears("player info", lambda told: not any(seat["ready"] for seat in told["seats"])))["seats"]
        for room in rooms:
            await room.call("rematch")
        assert (await rooms[0].hears("board info", lambda board: board["game_id"] != over["game_id"]))["scores"] == [0] * 4


@pytest.mark.slow
async def test_wall_go_for_three_with_a_turn_timer_and_a_penalty_wall(local_server, meet):
    server = local_server().hold_clock()
    async with meet(server.url, 3) as people:
        fields = {"options": {"players": 3, "size": 5, "pieces": 1}, "settings": {"time": {"kind": "turn", "turn_ms": 30_000}}}
        rooms = await sit_down(people, "wallgo", **fields)
        await play_on(rooms, plies=4)  # the dice, and three pieces are placed
        for room in rooms:
            await room.hears("board info", lambda board: board["ply"] == 4)
        late = rooms[0].board["seat"]
        mine = await rooms[late].hears("private board info", lambda own: own["ply"] == 4)
        # Steps are shown live to the others, and stay when the time is up: only the wall is drawn.
        step = next(text for text in mine["legal"] if "-" in text)
        await rooms[late].call("draft", ply=4, clicks=[step.split("-")[0], step.split("-")[1][:-1]])
        shown = await rooms[late - 1].hears("draft")
        assert (shown["seat"], shown["clicks"]) == (late, [step.split("-")[0], step.split("-")[1][:-1]])
        with refused("bad-draft"):
            await rooms[late].call("draft", ply=4, clicks=["nowhere"])
        await server.later(31)
        board = await rooms[late - 1].hears("board info", lambda board: board["ply"] == 5)
        assert board["recent"][0]["forced"] is True
        assert board["recent"][0]["action"].startswith(step[:-1])
        await play_on(rooms)
        await rooms[0].hears("game over")
        record = await whole_record_of(people[0], rooms[0])
        assert record.forced == {4}
        assert len(rooms[0].last["game over"]["ratings"]) == 3


async def whole_record_of(person, room):
    await room.hears("game history info", lambda told: len(told["actions"]) == room.ply)
    return await whole_record(person, room)


async def test_puoribor_with_a_resignation_and_a_rematch(server, meet):
    async with meet(server.url, 2) as people:
        rooms = await sit_down(people, "puoribor")
        await play_on(rooms, plies=5)
        await rooms[1].call("resign")
        over = await rooms[0].hears("game over")
        assert (over["winner"], over["reason"]) == ([0], "resigned")
        assert over["ratings"][people[1].id] == {"before": 1300.0, "after": 1290.0}
        about = await people[0].http("GET", f"/api/records/{over['game_id']}")
        assert about["result"] == {"winner": [0], "reason": "resigned", "scores": over["scores"], "last": []}
        so_far = len(rooms[1].told)
        await rooms[0].call("rematch")
        asked = await rooms[1].hears("rematch")
        assert (asked["seat"], asked["state"]) == (0, "asked")
        await rooms[1].call("rematch")
        board = await rooms[1].hears("board info", since=so_far)
        assert (board["ply"], board["over"]) == (0, False)
        await rooms[0].until(lambda: rooms[0].board["game_id"] == board["game_id"])
        players = rooms[1].last["player info"]["seats"]
        assert [seat["person"]["id"] for seat in players] == [people[1].id, people[0].id]
        await play_on(rooms, plies=3)
        await rooms[1].call("resign")
        over = await rooms[0].hears("game over", lambda told: told["game_id"] != over["game_id"])
        assert over["winner"] == [1]


async def test_kulami_on_a_board_that_the_players_build(server, meet):
    async with meet(server.url, 2) as people:
        rooms = await sit_down(people, "kulami", options={"board": "build"})
        await play_on(rooms)
        record = await whole_record_of(people[0], rooms[0])
        assert sum("@" in action for action in record.actions) >= 17
        assert record.final().over


async def test_reverse_drop_set_up_by_hand(server, meet):
    async with meet(server.url, 2) as people:
        rooms = await sit_down(people, "reversedrop", options={"setup": "manual", "black": 2, "white": 2, "max_plies": 20})
        for number, cell in enumerate(("c3", "d4", "g7", "h8")):
            await rooms[0].until(lambda number=number: rooms[0].ply == number and rooms[0].mine() is not None)
            with refused("not-your-turn"):
                await rooms[1].play(cell, number)
            await rooms[0].play(cell, number)
        await play_on(rooms)
        record = await whole_record_of(people[0], rooms[0])
        assert record.actions[:4] == ("c3", "d4", "g7", "h8")


@pytest.mark.parametrize(("game", "options"), [("goita", {"target": 30}), ("wallgo", {"size": 4, "pieces": 1}), ("kulami", {})])
async def test_computer_players_play_to_the_end(server, game, options):
    seats = hanpan.game(game, **options).seats
    async with guests(server.url, 1) as people:
        rooms = await sit_down(people, game, bots=range(1, seats), options=options)
        await play_on(rooms)
        over = await rooms[0].hears("game over")
        assert over["ratings"] == {}
        assert (await whole_record_of(people[0], rooms[0])).people[1] == "computer, level 1"


async def test_scenes_come_with_the_positions_for_those_who_want_them(server):
    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "kulami")
        watching = await people[1].enter(rooms[0].id, scenes=True)
        board = await watching.hears("board info")
        assert board["scene"]["board"]
        await rooms[0].play(some(rooms[0].mine()))
        mine = await watching.hears("private board info", lambda own: own["ply"] == 1)
        assert set(mine["clicks"]) == set(mine["legal"])


async def test_where_there_are_secrets_whoever_plays_is_sent_one_picture_with_their_own_eyes(server):
    async with guests(server.url, 5) as people:
        rooms = await sit_down(people[:4], "goita")
        playing, watching = [await person.enter(rooms[0].id, scenes=True) for person in (people[2], people[4])]
        ply = (await watching.hears("board info"))["ply"]
        own = await playing.hears("private board info")
        assert own["scene"]["board"]  # all of it, to someone who comes in
        mover = rooms[watching.board["seat"]]
        await mover.play((await mover.my_turn())["legal"][0])
        seen = await watching.hears("board info", lambda board: board["ply"] > ply)
        own = await playing.hears("private board info", lambda own: own["ply"] == seen["ply"])
        heard = [told for told in playing.events("board info") if told["ply"] == seen["ply"]]
        assert [told | {"scene": None} for told in heard] == [seen | {"scene": None}]
        assert all("scene" not in told for told in playing.events("board info"))
        assert len([piece for piece in own["scene"]["look"]["pieces"] if piece["id"].startswith("koma3") and piece.get("text")]) == 8
        assert not any(piece.get("text") for piece in seen["scene"]["look"]["pieces"] if piece["id"].startswith("koma3") and piece["w"] < 0.6)


async def test_the_ledger_of_the_clock_is_open_to_everyone(local_server):
    server = local_server().hold_clock()
    async with guests(server.url, 3) as people:
        fischer = {"kind": "fischer", "main_ms": 60_000, "increment_ms": 2_000}
        rooms = await sit_down(people[:2], "kulami", settings={"time": fischer})
        watching = await people[2].enter(rooms[0].id)
        await rooms[0].hears("private board info")
        await server.later(10)
        await rooms[0].play(rooms[0].mine()["legal"][0])
        await watching.hears("board info", lambda board: board["ply"] == 1)
        await watching.call("clock info")
        told = await watching.hears("clock info", lambda clock: "ledger" in clock)
        (entry,) = told["ledger"]
        assert entry["seat"] == 0
        assert entry["charged"] >= 10_000
        assert told["remaining"][0]["main"] == 60_000 - entry["charged"] + 2_000
        assert entry["forgiven"] <= 500
        await server.later(70)
        over = await rooms[0].hears("game over")
        assert (over["winner"], over["reason"]) == ([0], "time")
        with refused("game-over"):
            await rooms[1].play("e5", 1)


async def test_a_time_out_may_be_a_random_action_instead(local_server):
    server = local_server().hold_clock()
    async with guests(server.url, 2) as people:
        settings = {"time": {"kind": "byoyomi", "main_ms": 0, "byoyomi_ms": 5_000}, "on_timeout": "random"}
        rooms = await sit_down(people, "kulami", settings=settings)
        await server.later(6)
        board = await rooms[1].hears("board info", lambda board: board["ply"] == 1)
        assert board["recent"][0]["forced"] is True
        await play_on(rooms, plies=5)
