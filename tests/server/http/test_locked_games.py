"""Games of a room with a password: only those who played them find them in a list, unless the room says otherwise."""

import json

import pytest
from clients import guests, play_on, sit_down


async def finished(people, **fields):
    rooms = await sit_down(people, "tictactoe", **fields)
    await play_on(rooms)
    return (await rooms[0].hears("game over"))["game_id"]


async def lists(viewer, player):
    """Every list in which a stranger could find games."""
    at = f"/api/people/{player.id}"
    found = [
        line["id"]
        for path in ("/api/records?limit=100", f"/api/records?limit=100&person={player.id}", f"{at}/games")
        for line in await viewer.http("GET", path)
    ]
    found += [step["game_id"] for step in await viewer.http("GET", f"{at}/ratings/tictactoe")]
    return found


@pytest.mark.parametrize("listed", [False, True])
async def test_a_locked_rooms_games_stay_out_of_public_lists_unless_it_says_otherwise(server, listed):
    async with guests(server.url, 3) as (one, other, stranger):
        open_game = await finished((one, other))
        settings = {"listed": True} if listed else {}
        locked = await finished((one, other), password="sesame", settings=settings)
        seen = await lists(stranger, one)
        assert seen.count(open_game) == 4
        assert seen.count(locked) == (4 if listed else 0)
        archive = [json.loads(line) for line in (await stranger.http("GET", f"/api/archive.jsonl?person={one.id}")).splitlines()]
        assert len(archive) == (2 if listed else 1)
        for player in (one, other):  # also each in the lists of the other
            assert (await lists(player, one)).count(locked) == 4
        steps = await stranger.http("GET", f"/api/people/{one.id}/ratings/tictactoe")
        assert len(steps) == 2, "how a rating came about is told"
        assert (await stranger.http("GET", f"/api/records/{locked}"))["id"] == locked, "whoever is given the link may look"


async def test_a_locked_rooms_running_game_is_not_listed_either(server):
    async with guests(server.url, 3) as (one, other, stranger):
        rooms = await sit_down((one, other), "tictactoe", password="sesame")
        game = rooms[0].board["game_id"]
        assert [line["id"] for line in await one.http("GET", f"/api/people/{one.id}/games")] == [game]
        assert await stranger.http("GET", f"/api/people/{one.id}/games") == []
