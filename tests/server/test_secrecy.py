"""What a viewer may not know never leaves the server: two games that look the same to someone send them the same bytes."""

import logging
import re
from contextlib import AsyncExitStack

import pytest
from eavesdropping import VIEWERS, Script, Viewer, exchanged, play_script, random_game, until_the_end
from people import guests, play_on, sit_down

from hanpan.server import thinkers


@pytest.mark.parametrize(("games", "target"), [(1, 30)])
async def test_streams_are_equal_where_games_look_the_same(local_server, caplog, games, target):
    caplog.set_level(logging.INFO)
    luck, options = Script(), {"target": target}
    server = local_server(luck=luck)
    server.luck = luck
    rounds = differing = 0
    async with AsyncExitStack() as stack:
        viewers = [await stack.enter_async_context(Viewer(server.url)) for _ in VIEWERS]
        for viewer in viewers:
            await viewer.enter_lobby()
        await play_script(server, viewers, random_game(options, 999), options)  # so that nobody is new any more
        for number in range(games):
            script = random_game(options, number)
            first = await play_script(server, viewers, script, options)
            for place, viewer in enumerate(VIEWERS):
                other, changed = exchanged(options, script, viewer, number)
                rounds += changed
                second = await play_script(server, viewers, other, options)
                assert until_the_end(second[place]) == until_the_end(first[place]), f"game {number} looks different to viewer {viewer}"
                differing += changed > 0 and any(until_the_end(one) != until_the_end(two) for one, two in zip(first, second, strict=True))
    assert rounds >= 5 * games, "too few hands could be exchanged"
    assert differing >= 4 * games, "the exchange is seen by those who may see it"
    assert not re.search(r"[1-9x]{8}", caplog.text), "hands are in the log"


async def test_a_leak_would_be_seen(local_server, monkeypatch):
    """The test itself: a server that tells one hand too many is caught."""
    luck, options = Script(), {"target": 30}
    server = local_server(luck=luck)
    server.luck = luck
    script = random_game(options, 5)
    async with AsyncExitStack() as stack:
        viewers = [await stack.enter_async_context(Viewer(server.url)) for _ in VIEWERS]
        for viewer in viewers:
            await viewer.enter_lobby()
        await play_script(server, viewers, script, options)
        other, changed = exchanged(options, script, None, 1)
        assert changed
        monkeypatch.setattr("hanpan.server.table.Table.view", lambda table, seat: table.state.view(0 if seat is None else seat))
        first = await play_script(server, viewers, script, options)
        second = await play_script(server, viewers, other, options)
        assert until_the_end(first[4]) != until_the_end(second[4])


async def test_when_a_computer_player_answers_tells_nothing_of_what_it_holds(local_server):
    """The moment is drawn before anything is thought, and is later than the longest thinking."""
    assert thinkers.PAUSE[0] > thinkers.THINKING
    server = local_server()
    bots, order = server.house.bots, []
    pause, choose = bots.pause, bots.choose
    bots.pause = lambda: order.append("pause") or pause()

    async def chooses(seen, level):
        order.append("choose")
        assert seen.viewer == seen.seat, "a computer player is given its own view only"
        return await choose(seen, level)

    bots.choose = chooses
    async with guests(server.url, 1) as people:
        rooms = await sit_down(people, "goita", bots=(1, 2, 3), options={"target": 10})
        await play_on(rooms)
    assert order[:2] == ["pause", "choose"]
    assert order == ["pause", "choose"] * (len(order) // 2)
    slow = thinkers.Thinkers(1)
    pauses = [slow.pause() for _ in range(200)]
    slow.close()
    assert all(thinkers.PAUSE[0] <= seconds <= thinkers.PAUSE[1] for seconds in pauses)


async def test_a_draft_in_a_game_with_secrets_is_not_shown(local_server):
    luck = Script()
    luck.deals = ["dealer 1", "deal 11123456,11123457,11223345,11456789"]
    server = local_server(luck=luck)
    async with guests(server.url, 4) as people:
        rooms = await sit_down(people, "goita")
        with pytest.raises(Exception, match="bad-draft"):
            await rooms[0].call("draft", ply=2, clicks=["anything"])
        assert not any(room.events("draft") for room in rooms)
