"""Who stays away for long: a computer player keeps the seat, the others may claim, and a game that everyone left ends."""

import pytest
from clients import guests, play_on, refused, sit_down
from deals import Deals
from test_dropping_out import MAIN, QUIET, never


@pytest.mark.slow
async def test_a_computer_player_keeps_the_seat_and_hands_it_back(server):
    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "kulami", settings={"substitute": True})
        await rooms[1].close()
        told = await rooms[0].hears("player info", lambda told: told["seats"][1].get("bot") is not None)
        assert told["seats"][1]["bot"] == 3  # about as good as someone of 1300
        assert told["seats"][1]["first"] == people[1].id
        await play_on(rooms[:1], plies=4)
        await rooms[1].open()
        await rooms[0].until(lambda: "bot" not in rooms[0].last["player info"]["seats"][1])
        await rooms[0].sees(1, connected=True)
        await play_on(rooms)
        over = await rooms[0].hears("game over")
        assert set(over["ratings"]) == {person.id for person in people}


async def test_without_a_clock_someone_away_for_long_may_be_claimed_against(local_server):
    server = local_server().hold_clock()
    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "kulami")
        with refused("not-away-long"):
            await rooms[1].call("resign", seat=0)
        await rooms[0].drop()
        await rooms[1].sees(0, connected=False)
        await server.later(299)
        with refused("not-away-long"):
            await rooms[1].call("resign", seat=0)
        await server.later(2)
        await rooms[1].call("resign", seat=0)
        over = await rooms[1].hears("game over")
        assert (over["winner"], over["reason"]) == ([1], "claim")


async def test_a_claim_needs_no_turn_of_the_one_who_left(local_server):
    server = local_server()
    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "kulami")
        await rooms[1].drop()
        await rooms[0].sees(1, connected=False)
        await server.later(301)
        await rooms[0].call("resign", seat=1)
        assert (await rooms[0].hears("game over"))["winner"] == [0]


async def test_the_first_sitter_takes_the_seat_back_from_a_computer_player_and_has_what_was_left(local_server):
    """Someone took over and left, too; meanwhile the first sitter has come to look."""
    server = local_server(chance=Deals(QUIET)).hold_clock()
    async with guests(server.url, 5) as people:
        rooms = await sit_down(people[:4], "goita", settings={"time": MAIN, "substitute": True, "rated": False})
        watching = await people[4].enter(rooms[0].id)
        server.services.context.timeouts.patience = 60.0  # nobody plays for them yet
        await rooms[0].drop()
        await watching.sees(0, connected=False)
        await server.later(61)
        server.services.context.timeouts.patience = 0.2
        await watching.call("sit on", seat=0)
        await rooms[0].open()
        server.services.context.bots.choose = never
        await watching.close()
        await rooms[1].until(lambda: rooms[1].last["player info"]["seats"][0].get("bot") is not None)
        await server.later(100)  # a computer player is not hurried
        await rooms[0].call("sit on", seat=0)
        left = rooms[0].last["clock info"]["remaining"][0]
        assert left["main"] == 0
        assert 0 < left["byoyomi"] < 30_000
        await server.later(31)
        await rooms[1].hears("board info", lambda board: any(line.get("forced") for line in board.get("recent", ())))


async def test_with_more_seats_a_claim_brings_a_computer_player(local_server):
    server = local_server(chance=Deals(QUIET)).hold_clock()
    async with guests(server.url, 4) as people:
        rooms = await sit_down(people, "goita")
        await rooms[0].drop()
        await rooms[1].sees(0, connected=False)
        await server.later(301)
        await rooms[3].call("resign", seat=0)
        await rooms[1].hears("player info", lambda told: told["seats"][0].get("bot") is not None)
        await rooms[1].hears("board info", lambda board: board["seat"] == 1)


async def test_where_a_clock_runs_it_decides(local_server):
    server = local_server().hold_clock()
    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "kulami", settings={"time": MAIN})
        await rooms[0].drop()
        with refused("clock-decides"):
            await rooms[1].call("resign", seat=0)


async def test_a_game_that_everyone_left_ends_after_a_while(local_server):
    server = local_server(abandoned_seconds=3600.0)
    async with guests(server.url, 3) as people:
        rooms = await sit_down(people[:2], "kulami")
        await play_on(rooms, plies=1)
        lobby = await people[2].enter_lobby()
        for room in rooms:
            await room.close()
        await lobby.hears("room updated", lambda line: line["people"] == 0)
        room = server.services.registry.rooms[rooms[0].id]
        game = room.state.match.id
        await server.do(room.do, room.finisher.vanish)
        assert room.id in server.services.registry.rooms, "while a game runs the room stays"
        await server.do(room.do, room.finisher.all_left)
        await lobby.hears("room removed", lambda gone: gone["id"] == room.id)
        about = await people[0].http("GET", f"/api/records/{game}")
        assert (about["result"]["winner"], about["result"]["reason"]) == ([], "abandoned")
        assert await people[0].http("GET", f"/api/people/{people[0].id}/ratings/kulami") == []


async def test_a_game_against_the_computer_ends_when_its_person_stays_away_whoever_watches(local_server):
    server = local_server(abandoned_seconds=0.1)
    async with guests(server.url, 2) as people:
        (room,) = await sit_down(people[:1], "kulami", bots=(1,))
        watching = await people[1].enter(room.id)
        await room.close()
        assert (await watching.hears("game over"))["reason"] == "abandoned"


async def test_where_no_clock_runs_everyone_sees_when_a_claim_is_possible(local_server):
    server = local_server().hold_clock()
    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "kulami")
        await rooms[0].drop()
        await rooms[1].until(lambda: "away" in rooms[1].last["player info"]["seats"][0])
        away = rooms[1].last["player info"]["seats"][0]["away"]
        assert away["then"] == "claim"
        assert away["in_ms"] == 300_000
