"""A computer player on a server far away: what it answers to what it hears, without a server."""

import asyncio
from types import SimpleNamespace

import pytest

from hanpan.client.remote_bot import RemoteBot

OURS, THEIRS = {"seat": 0, "person": {"id": "bot"}, "ready": True}, {"seat": 1, "person": {"id": "ann"}, "ready": True}


class Line:
    """A connection that keeps what was asked for."""

    def __init__(self):
        self.asked = []

    async def request(self, path, **payload):
        self.asked.append((path, payload))


def seated():
    """A bot at seat 0 of a room, and its line."""
    line = Line()
    player = RemoteBot(line, "tictactoe", 1)
    player.hear("account", None, {"person": {"id": "bot"}})
    player.hear("info", "r", {"game": "tictactoe", "options": {}})
    player.hear("board info", "r", {"ply": 0, "seat": 0, "game_id": "g", "over": False})
    player.hear("player info", "r", {"seats": [OURS, THEIRS]})
    return player, line


async def asked_for(event, data):
    """What a bot that sits there asks for when it hears this."""
    player, line = seated()
    player.hear(event, "r", data)
    await asyncio.gather(*player._tasks)
    return line.asked


@pytest.mark.parametrize("room", ["r7", "https://games.example.org/r/r7", "https://games.example.org/r/r7/", "/r/r7"])
async def test_a_room_is_named_by_its_id_or_its_link(room):
    async def news():
        await asyncio.sleep(0)
        for told in ():
            yield told

    line = Line()
    line.news = news
    await RemoteBot(line, "tictactoe", 1).run(room)
    assert line.asked == [("rooms/r7/enter", {})]


@pytest.mark.parametrize(("offer", "answer"), [("offer draw", "answer-draw"), ("ask takeback", "answer-takeback")])
async def test_it_plays_on_whatever_it_is_offered(offer, answer):
    assert await asked_for(offer, {"state": "asked", "seat": 1}) == [(f"rooms/r/{answer}", {"yes": False})]
    assert await asked_for(offer, {"state": "withdrawn", "seat": 1}) == []


async def test_it_agrees_to_a_rematch_and_not_to_its_own():
    assert await asked_for("rematch", {"state": "asked", "seat": 1}) == [("rooms/r/rematch", {})]
    assert await asked_for("rematch", {"state": "asked", "seat": 0}) == []


@pytest.mark.parametrize(("stands_at", "played"), [(0, [("rooms/r/play", {"ply": 0, "action": "b2", "game_id": "g"})]), (2, [])])
async def test_it_plays_only_where_the_game_still_stands_when_its_turn_to_think_comes(stands_at, played):
    player, line = seated()
    player._bot = SimpleNamespace(choose=lambda state, seconds: "b2")
    async with player._thinking:  # about another game
        player.hear("private board info", "r", {"ply": 0, "seat": 0, "legal": ["a1", "b2"], "position": ".../.../... x"})
        await asyncio.sleep(0)
        player.hear("board info", "r", {"ply": stands_at, "seat": 0, "game_id": "g", "over": False})
    await asyncio.gather(*player._tasks)
    assert line.asked == played
