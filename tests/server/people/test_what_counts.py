"""What counts for ratings: games of some length, the same people's less and less within a day; guests have a rating, but no place on the board."""

import asyncio

import pytest
from clients import guests, play_on, sit_down, with_account
from storing import a_game, action, newcomer

from hanpan.server.storage.models import Finish
from hanpan.server.storage.store import Store

SECRET = "a secret that is shared with our own site"
DAY = 24 * 3600 * 1000


@pytest.fixture
def server(local_server):
    return local_server(token_secret=SECRET)


async def again(rooms):
    """A rematch; what was told before is past."""
    so_far = len(rooms[0].told)
    for room in rooms:
        await room.call("rematch")
    for room in rooms:
        await room.until(lambda room=room: not room.board["over"])
    return so_far


async def test_resigning_without_a_move_wins_nobody_a_rating_and_says_so(server):
    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "tictactoe")
        so_far = 0
        for plies in (0, 3):
            await play_on(rooms, plies=plies)
            await rooms[1].call("resign")
            over = await rooms[0].hears("game over", since=so_far)
            assert (over["ratings"], over["counted"]) == ({}, {"weight": 0.0, "why": "short"}), f"{plies} actions"
            so_far = await again(rooms)
        await play_on(rooms, plies=4)  # two a seat
        await rooms[1].call("resign")
        over = await rooms[0].hears("game over", since=so_far)
        assert over["counted"] == {"weight": 1.0}
        assert sorted(change["after"] for change in over["ratings"].values()) == [1290, 1310]
        games = await people[0].http("GET", f"/api/people/{people[0].id}/games")
        assert [(line["rated"], line["counted"]) for line in games] == [(True, 1.0), (True, None), (True, None)]


async def test_a_short_game_that_ended_by_its_own_rules_counts(server):
    async with guests(server.url, 3) as people:
        rooms = await sit_down(people[:2], "tictactoe")
        await play_on(rooms)
        assert (await rooms[0].hears("game over"))["counted"]["weight"] == 1.0
        unrated = await sit_down(people[1:], "tictactoe", settings={"rated": False})
        await play_on(unrated)
        assert "counted" not in await unrated[0].hears("game over")


async def test_a_game_that_is_over_before_anybody_has_acted_moves_nothing(server):
    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "reversedrop", options={"black": 1})
        over = await rooms[0].hears("game over")
        assert (over["winner"], over["reason"]) == ([1], "rules")
        assert (over["ratings"], over["counted"]) == ({}, {"weight": 0.0, "why": "short"})


@pytest.mark.slow
async def test_those_who_play_again_and_again_gain_less_and_less(server):
    async with guests(server.url, 3) as people:
        rooms = await sit_down(people[:2], "tictactoe")
        told = []
        for _ in range(5):
            await play_on(rooms, plies=4)
            await rooms[0].call("resign")
            told.append(await rooms[1].hears("game over", lambda over, seen=tuple(t["game_id"] for t in told): over["game_id"] not in seen))
            await again(rooms)
        assert [over["counted"] for over in told] == [{"weight": 1.0}] * 3 + [{"weight": 0.5, "why": "again"}, {"weight": 0.25, "why": "again"}]
        gained = [over["ratings"][people[1].id]["after"] - over["ratings"][people[1].id]["before"] for over in told]
        assert gained[:3] == sorted(gained[:3], reverse=True)
        assert 4 < gained[2] / gained[4] < 4.5  # a quarter, and of a little less each time
        # whoever comes in later is told the same, and the archive keeps it
        late = await people[2].enter(rooms[0].id)
        await play_on(rooms, plies=4)
        await rooms[0].call("resign")
        over = await late.hears("game over")
        row = await server.do(server.services.store.game, over["game_id"])
        assert (over["counted"]["weight"], row.counted) == (0.125, 0.125)
        # with someone else everything counts
        await with_account(people[2], SECRET)
        others = await sit_down([people[0], people[2]], "tictactoe")
        await play_on(others)
        assert (await others[0].hears("game over"))["counted"] == {"weight": 1.0}


async def against(server, one, other, traces=None):
    """How much a short game of two counts that the second gives up, who came from there."""
    rooms = await sit_down([one, other], "tictactoe")
    if traces:
        server.services.registry.rooms[rooms[0].id].state.traces[other.id] = traces
    await play_on(rooms, plies=4)
    await rooms[1].call("resign")
    return (await rooms[0].hears("game over"))["counted"]["weight"]


async def test_guests_of_one_address_are_one_opponent_and_accounts_are_not(server):
    async with guests(server.url, 7) as people:
        await with_account(people[0], SECRET)
        assert [await against(server, people[0], other) for other in people[1:6]] == [1.0, 1.0, 1.0, 0.5, 0.25]
        await with_account(people[6], SECRET)
        assert await against(server, people[0], people[6]) == 1.0


async def test_guests_of_one_browser_are_one_opponent_and_those_from_elsewhere_are_not(server):
    async with guests(server.url, 6) as people:
        await with_account(people[0], SECRET)
        assert [await against(server, people[0], other, ("browser b",)) for other in people[1:5]] == [1.0, 1.0, 1.0, 0.5]
        assert await against(server, people[0], people[5], ("address 192.0.2.7", "browser c")) == 1.0


async def test_a_game_counts_among_those_who_have_played_most(url):
    """Two guests of one place are found by either of them: whoever stays the same is."""
    store = await Store.open(url)
    try:
        ann = (await newcomer(store, "Ann")).id
        counted = []
        for number, among in enumerate([("a", "x"), ("x", "b"), ("c", "x"), ("d", "x"), ("e", "x"), ("f", "g")]):
            await store.add_game(a_game(f"g{number}", people=(ann,), rated=True))
            end = Finish(DAY, {}, {ann: ("toy", 8.0)}, among)
            await store.append(f"g{number}", 0, action(0), end)
            counted += end.counted
        assert counted == [1.0, 1.0, 1.0, 1.0, 0.5, 1.0]
    finally:
        await store.close()


async def test_many_games_that_end_at_once_are_counted_one_after_the_other(url):
    store = await Store.open(url)
    try:
        ann, ben = [(await newcomer(store, name)).id for name in ("Ann", "Ben")]
        ends = {}
        for number in range(6):
            await store.add_game(a_game(f"g{number}", people=(ann, ben), rated=True))
            ends[f"g{number}"] = Finish(DAY, {}, {ann: ("toy", 8.0), ben: ("toy", -8.0)}, ("these two",))
        await asyncio.gather(*(store.append(id, 0, action(0), finish) for id, finish in ends.items()))
        assert [ends[id].counted for id in sorted(ends)] == [[1.0], [1.0], [1.0], [0.5], [0.25], [0.125]]
        assert (await store.ratings([ann], "toy"))[ann].value == 1300 + 8 * 3.875
        await store.add_game(a_game("tomorrow", people=(ann, ben), rated=True))
        tomorrow = Finish(2 * DAY + 1, {}, {ann: ("toy", 8.0)}, ("these two",))
        await store.append("tomorrow", 0, None, tomorrow)
        assert tomorrow.counted == [1.0]
    finally:
        await store.close()


async def test_guests_have_a_rating_but_no_place_on_the_board(server):
    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "tictactoe")
        await play_on(rooms, plies=4)
        await rooms[0].call("resign")
        await rooms[1].hears("game over")
        assert (await people[1].http("GET", f"/api/people/{people[1].id}"))["ratings"]["tictactoe"] == 1310
        assert await people[0].http("GET", "/api/leaderboards/tictactoe") == []
        await with_account(people[1], SECRET)  # the rating is kept, and now it stands there
        board = await people[0].http("GET", "/api/leaderboards/tictactoe")
        assert [(line["id"], line["rating"]) for line in board] == [(people[1].id, 1310)]
