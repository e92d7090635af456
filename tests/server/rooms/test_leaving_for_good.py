"""Whoever deletes their account in the middle of a game: they resign it, hold nothing any more, and have no rating ever again."""

import pytest
from clients import guests, play_on, sit_down
from storing import a_game, action, newcomer

from hanpan.server.storage.models import Finish
from hanpan.server.storage.store import Store


@pytest.fixture
def server(local_server):
    return local_server()


async def delete(person):
    await person.http("DELETE", "/api/me", json={"name": person.person["name"]})


async def stored(server, person, game):
    """What is kept of someone's rating: its value and games, and its steps."""
    rating = (await server.do(server.services.store.ratings, [person.id], game))[person.id]
    return rating.value, rating.games, await server.do(server.services.store.history, person.id, game)


async def test_of_two_the_other_wins_at_once(server):
    async with guests(server.url, 2) as (leaver, stayer):
        rooms = await sit_down([leaver, stayer], "kulami")
        await play_on(rooms, plies=4)
        await delete(leaver)
        over = await rooms[1].hears("game over")
        assert (over["winner"], over["reason"]) == ([1], "resigned")
        assert over["ratings"][stayer.id] == {"before": 1300.0, "after": 1310.0}
        assert await stored(server, leaver, "kulami") == (1300.0, 0, [])
        await rooms[1].until(lambda: rooms[1].last["player info"]["seats"][0]["person"] is None)


async def test_of_three_the_seat_is_played_on_and_finishes_last(server):
    async with guests(server.url, 3) as people:
        rooms = await sit_down(people, "wallgo", options={"players": 3, "size": 4, "pieces": 1})
        await play_on(rooms, plies=rooms[0].ply + 3)
        await delete(people[0])
        await rooms[1].hears("player info", lambda told: told["seats"][0].get("resigned"))
        await play_on(rooms[1:])
        over = await rooms[1].hears("game over")
        assert 0 not in over["winner"]
        assert set(over["ratings"]) == {people[1].id, people[2].id}
        assert sum(change["after"] - 1300.0 for change in over["ratings"].values()) == 10.0
        assert await stored(server, people[0], "wallgo") == (1300.0, 0, [])


async def test_where_a_partner_would_have_to_agree_a_computer_player_takes_the_seat(server):
    async with guests(server.url, 4) as people:
        rooms = await sit_down(people, "goita")
        await play_on(rooms, plies=rooms[0].ply + 8)
        await delete(people[0])
        await rooms[2].hears("player info", lambda told: told["seats"][0].get("bot"))
        assert not rooms[2].events("game over")
        await rooms[2].call("resign")  # there is nobody left who would have to agree
        over = await rooms[1].hears("game over")
        assert (over["winner"], over["reason"]) == ([1, 3], "resigned")
        assert set(over["ratings"]) == {person.id for person in people[1:]}
        assert await stored(server, people[0], "goita") == (1300.0, 0, [])


async def test_before_a_game_the_seat_is_empty_and_nobody_is_looked_for(server):
    async with guests(server.url, 2) as (leaver, stayer):
        rooms = await sit_down([leaver, stayer], "kulami", ready=False)
        lobby = await leaver.enter_lobby()
        await lobby.call("quick match", game="kulami")
        await delete(leaver)
        await rooms[1].until(lambda: rooms[1].last["player info"]["seats"][0]["person"] is None)
        assert not server.services.matchmaking.waits(leaver.id)


async def test_a_room_does_not_know_where_they_came_from_any_more(server):
    async with guests(server.url, 2) as (leaver, stayer):
        rooms = await sit_down([leaver, stayer], "kulami")
        state = server.services.registry.rooms[rooms[0].id].state
        assert set(state.traces) == {leaver.id, stayer.id}
        await delete(leaver)
        assert set(state.traces) == {stayer.id}


async def test_no_rating_is_written_for_someone_who_is_gone(url):
    store = await Store.open(url)
    try:
        ann, ben = [(await newcomer(store, name)).id for name in ("Ann", "Ben")]
        await store.add_game(a_game("g", people=(ann, ben), rated=True))
        await store.accounts.forget(ann, "—")
        end = Finish(9, {}, {ann: ("toy", 8.0), ben: ("toy", -8.0)}, ("these two",))
        await store.append("g", 0, action(0), end)
        assert [change.person_id for change in end.moved] == [ben]
        found = await store.ratings([ann, ben], "toy")
        assert [(found[id].value, found[id].games) for id in (ann, ben)] == [(1300.0, 0), (1292.0, 1)]
    finally:
        await store.close()
