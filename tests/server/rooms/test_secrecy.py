"""What a viewer may not know never leaves the server: two games that look the same to someone send them the same bytes."""

import logging
import re
import zlib

import pytest
from clients import guests, play_on, sit_down
from eavesdropping import Compared, Script, compare, eavesdroppers

from hanpan.server.rooms import bot_pool, views

SOME = [pytest.param(games, marks=pytest.mark.slow) for games in ((0, 1, 4), (2, 5, 6))]


@pytest.mark.slow
@pytest.mark.parametrize("games", [(3,), *SOME], ids=["one", "some", "others"])
async def test_streams_are_equal_where_games_look_the_same(tmp_path, caplog, games):
    """The long version of this is benchmarks/secrecy.py."""
    caplog.set_level(logging.INFO)
    options, found = {"target": 30}, Compared()
    async with eavesdroppers(tmp_path, options) as (server, viewers):
        for number in games:
            await compare(server, viewers, options, number, found)
    assert not found.leaks
    assert found.exchanged >= 5 * len(games), "too few hands could be exchanged"
    assert found.seen >= 4 * len(games), "the exchange is seen by those who may see it"
    assert not re.search(r"[1-9x]{8}", caplog.text), "hands are in the log"


@pytest.mark.slow
async def test_a_leak_would_be_seen(tmp_path, monkeypatch):
    """The test itself: a server that tells one hand too many is caught."""
    options, found = {"target": 30}, Compared()
    async with eavesdroppers(tmp_path, options) as (server, viewers):
        monkeypatch.setattr("hanpan.server.rooms.match.Match.view", lambda match, seat: match.state.view(0 if seat is None else seat))
        await compare(server, viewers, options, 5, found)
    assert found.leaks == [f"game 5 looks different to seat {seat}" for seat in (1, 2, 3)]  # what spectators are told, the other seats hear, too


@pytest.mark.slow
async def test_one_bit_too_many_in_what_is_told_briefly_would_be_seen(tmp_path, monkeypatch):
    """The test itself: a sum in which one bit depends on what a viewer can't know is caught."""
    told_briefly = views.ply

    def leaking(match, seat, since, now):
        told = told_briefly(match, seat, since, now)
        told["sum"] ^= zlib.crc32(match.state.record.tobytes()) & 1
        return told

    monkeypatch.setattr(views, "ply", leaking)
    options, found = {"target": 30}, Compared()
    async with eavesdroppers(tmp_path, options) as (server, viewers):
        await compare(server, viewers, options, 5, found)
    assert found.leaks


async def test_when_a_computer_player_answers_tells_nothing_of_what_it_holds(local_server):
    """The moment is drawn before anything is thought, and is later than the longest thinking."""
    assert bot_pool.PAUSE[0] > bot_pool.THINKING
    server = local_server()
    bots, order = server.services.context.bots, []
    pause, choose = bots.pause, bots.choose
    bots.pause = lambda: order.append("pause") or pause()

    async def chooses(seen, level, *whose):
        order.append("choose")
        assert seen.viewer == seen.seat, "a computer player is given its own view only"
        return await choose(seen, level, *whose)

    bots.choose = chooses
    async with guests(server.url, 1) as people:
        rooms = await sit_down(people, "goita", bots=(1, 2, 3))  # to 150: no deal ends this game before somebody acts
        await play_on(rooms, plies=12)
    assert order[:2] == ["pause", "choose"]
    assert order[: len(order) // 2 * 2] == ["pause", "choose"] * (len(order) // 2)
    slow = bot_pool.BotPool(1)
    pauses = [slow.pause() for _ in range(200)]
    slow.close()
    assert all(bot_pool.PAUSE[0] <= seconds <= bot_pool.PAUSE[1] for seconds in pauses)


async def test_a_draft_in_a_game_with_secrets_is_not_shown(local_server):
    chance = Script()
    chance.deals = ["dealer 1", "deal 11123456,11123457,11223345,11456789"]
    server = local_server(chance=chance)
    async with guests(server.url, 4) as people:
        rooms = await sit_down(people, "goita")
        with pytest.raises(Exception, match="bad-draft"):
            await rooms[0].call("draft", ply=2, clicks=["anything"])
        assert not any(room.events("draft") for room in rooms)
