"""A room as an environment: a learning machine at a table of a real server."""

import threading

import numpy as np
import pytest

import hanpan
import hanpan.client
from hanpan.envs import observations, room
from hanpan.game import State


def test_two_machines_play_whole_games_at_one_table(server):
    url = server.url
    first = room(url, game="tictactoe")
    second = room(f"{url}/r/{first.room}", seat=1)
    assert second.room == first.room
    results = {}

    def play(env, name):
        results[name] = []
        for _ in range(2):
            seen, info = env.reset()
            assert np.array_equal(seen["observation"], observations.observation(hanpan.game("tictactoe").parse(info["position"], info["seat"]), info["seat"]))
            ended = False
            while not ended:
                assert int(seen["action_mask"].sum()) == len(info["legal"])
                assert env.observation_space.contains(seen)
                seen, reward, ended, cut, info = env.step(int(np.flatnonzero(seen["action_mask"])[0]))
                assert not cut
            results[name].append((reward, info["reason"]))

    players = [threading.Thread(target=play, args=pair) for pair in ((first, "x"), (second, "o"))]
    for player in players:
        player.start()
    for player in players:
        player.join(1200)
    # Both take the first empty cell: crosses have a3 at their fourth move.
    assert results == {"x": [(1.0, "rules")] * 2, "o": [(-1.0, "rules")] * 2}
    first.close()
    second.close()


def test_a_connection_lost_while_sitting_down_is_no_matter(server, monkeypatch):
    env = room(server.url, game="tictactoe")
    env._wait(env._line.call("seat bot", seat=1, level=1))
    said, losses = env._line.call, ["sit on", "set ready", "req info"]

    async def lossy(event, *rest, **payload):
        answer = await said(event, *rest, **payload)
        if event in losses:  # granted, but the answer never came
            losses.remove(event)
            raise hanpan.client.Lost("the connection was lost")
        return answer

    monkeypatch.setattr(env._line, "call", lossy)
    _, info = env.reset()
    assert not losses
    assert info["seat"] == 0
    env.close()


def test_two_machines_that_sit_down_together_find_a_seat_each(server, monkeypatch):
    first = room(server.url, game="tictactoe")
    second = room(f"{server.url}/r/{first.room}")
    said, seats = second._line.call, []

    async def late(event, *rest, **payload):
        if event == "sit on" and not seats:  # the other is faster
            seats.append(first._wait(first._sit()))
        return await said(event, *rest, **payload)

    monkeypatch.setattr(second._line, "call", late)
    seats.append(second._wait(second._sit()))
    assert seats == [0, 1]
    third = room(f"{server.url}/r/{first.room}", seat=1)
    with pytest.raises(hanpan.client.Invalid, match=r"seat-taken"):
        third.reset()
    for env in (first, second, third):
        env.close()


def test_who_is_told_that_the_clock_was_faster_plays_on(server, monkeypatch):
    env = room(server.url, game="kulami", options={"board": "a"})
    env._wait(env._line.call("seat bot", seat=1, level=1))
    seen, info = env.reset()
    assert info["late"] is False
    said, codes = env._line.play, ["time-up", "stale-ply", "not-your-turn", "game-over", None, "not-seated"]

    async def play(text, ply, patience):
        await said(text, ply, patience)  # the clock has played the same
        if (code := codes.pop(0)) is not None:
            raise hanpan.client.Invalid({"code": code, "text": "no"})

    monkeypatch.setattr(env._line, "play", play)
    for late in (True, True, True, True, False):
        seen, *_, info = env.step(int(np.flatnonzero(seen["action_mask"])[0]))
        assert info["late"] is late
    with pytest.raises(hanpan.client.Invalid, match="not-seated"):
        env.step(int(np.flatnonzero(seen["action_mask"])[0]))
    env.close()


@pytest.mark.slow
def test_secrets_masks_and_mistakes(server):
    url = server.url
    env = room(url, game="goita", options={"no_yaku": True, "no_goshi": True, "target": 20})
    env._wait(env._line.call("sit on", seat=0))
    for seat in (1, 2, 3):
        env._wait(env._line.call("seat bot", seat=seat, level=1))
    seen, info = env.reset()
    assert "x" in info["position"]
    assert isinstance(env._view, State)
    with pytest.raises(ValueError, match=r"action: 83 is not legal here"):
        env.step(83)
    with pytest.raises(ValueError, match=r"action: 0\.5 is not legal here"):
        env.step(0.5)
    seen, reward, ended, _, info = env.step(int(np.flatnonzero(seen["action_mask"])[0]))
    assert ended or (reward == 0 and seen["action_mask"].any())
    token = env.token
    env.close()
    again = room(url, token, game="kulami")
    assert again.token == token
    again.close()


def test_a_game_that_ends_before_ones_turn_is_passed_over(server):
    first = room(server.url, game="tictactoe")
    second = room(f"{server.url}/r/{first.room}", seat=1)
    begun = []
    waiting = threading.Thread(target=lambda: begun.append(second.reset()))
    waiting.start()
    first.reset()
    given_up = first._game_id
    first._wait(first._line.call("resign"))
    seen, _ = first.reset()
    playing = threading.Thread(target=first.step, args=(int(np.flatnonzero(seen["action_mask"])[0]),))
    playing.start()
    waiting.join(60)
    (_, info), *_ = begun
    assert info["ply"] == 1
    assert second._game_id not in (None, given_up)
    second._wait(second._line.call("resign"))
    playing.join(60)
    for env in (first, second):
        env.close()


def test_a_new_room_has_the_password_that_it_is_opened_with(server):
    first = room(server.url, game="tictactoe", password="open sesame")
    assert first._line.last["info"]["locked"]
    with pytest.raises(hanpan.client.Invalid, match="password"):
        room(server.url, room=first.room)
    second = room(server.url, room=first.room, password="open sesame")
    for env in (first, second):
        env.close()


def test_a_closed_seat_says_so(server):
    env = room(server.url, game="tictactoe")
    env.close()
    env.close()
    with pytest.raises(ValueError, match="this seat has been closed"):
        env.reset()


def test_what_is_wrong_is_said(server):
    url = server.url
    with pytest.raises(ValueError, match=r"url: 'nowhere' is not an address"):
        room("nowhere")
    with pytest.raises(ValueError, match=r"room: give the id"):
        room(url)
    with pytest.raises(hanpan.client.Invalid):
        room(url, room="nosuchroom")
    for patience in (float("nan"), float("inf"), -1, "x", None, True):
        with pytest.raises(ValueError, match=r"patience: \S+ is not a number of seconds from 0 up"):
            room(url, game="kulami", patience=patience)
    with pytest.raises(ValueError, match=r"options: a room that is there takes no such field"):
        room(url, room="nosuchroom", options={})
    with pytest.raises(ValueError, match=r"level: a new room has no such field"):
        room(url, game="kulami", level=1)
