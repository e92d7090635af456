"""Told briefly: whoever has a game's rules is sent the actions and the clock, and makes the rest; with secrets, what changes in their own record."""

import base64
import json
import random
import zlib
from contextlib import asynccontextmanager

import pytest
from clients import guests, play_on, sit_down
from eavesdropping import Script
from variants import every_variant

import hanpan
from hanpan.core.rule import SPECTATOR, rng
from hanpan.server.rooms import views
from hanpan.server.rooms.clock import TimeControl
from hanpan.server.rooms.match import Match

BYTES = 200  # that a ply may take for a viewer, with the frame around it


@asynccontextmanager
async def windows():
    """Opens one more window of someone, told briefly."""
    opened = []

    async def open_window(person, room):
        window = person.room_class(person.url, room.id, person.token, None, True)
        window._auth["brief"] = True
        opened.append(window)
        await window.open()
        return window

    try:
        yield open_window
    finally:
        for window in opened:
            await window.close()


def bytes_of(payload):
    return len('42/room,["ply",]') + len(json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode())


@pytest.mark.slow
@every_variant(lambda game: game.options.get("black") != 1)  # which has ended before it was begun
def test_no_ply_of_a_long_game_takes_more(game):
    for seed, control in enumerate(
        (TimeControl("byoyomi", 600_000, 30_000), TimeControl("fischer", 600_000, increment_ms=60_000), TimeControl("turn", turn_ms=600_000))
    ):
        now, chosen, dice = 1_700_000_000_000, random.Random(seed), rng(seed)
        match, told = Match("aB3dE6gH9jK2", game, control, now), 0
        while match.result is None and match.ply < 250:
            since = match.ply
            now += chosen.randrange(40_000)
            while since == match.ply or match.state.chance:
                text = match.state.draw_and_play(dice)[0] if match.state.chance else chosen.choice(match.state.legal())
                following = match.state.play(text)
                row, clock = match.timed(text, now, now, following, forced=chosen.random() < 0.1 and not match.state.chance)
                match.put(row, following, clock)
            if match.state.over:
                break
            if since and not match.closing(None) and not (match.secret and match.ply - since > 1):  # else it comes in full
                for viewer in (None, *range(game.seats)) if match.secret else (None,):
                    assert bytes_of(views.ply(match, viewer, since, now + chosen.randrange(100))) <= BYTES
                    told += 1
        assert told > 3


@pytest.mark.parametrize(("name", "options"), [("kulami", {"board": "random"}), ("puoribor", {}), ("wallgo", {"size": 5, "pieces": 2}), ("reversedrop", {})])
async def test_actions_and_times_are_all_that_is_told(local_server, name, options):
    server = local_server()
    async with guests(server.url, 3) as people, windows() as brief_window:
        rooms = await sit_down(people[:2], name, options=options, settings={"time": {"kind": "byoyomi", "main_ms": 600_000, "byoyomi_ms": 30_000}})
        window = await brief_window(people[2], rooms[0])
        board = await window.hears("board info")
        before = len(window.events("board info"))
        await play_on(rooms, plies=8)
        await window.hears("ply", lambda told: told["ply"] >= 8)
        assert len(window.events("board info")) == before, "nothing was told in full"
        history = rooms[0].last["game history info"]["actions"][: board["ply"]]
        state = hanpan.game(name, **options).start()
        for line in history:
            state = state.play(line["action"])
        for told in window.events("ply"):
            for action in told["actions"]:
                state = state.play(action)
            assert zlib.crc32(state.view(None).record.tobytes()) == told["sum"]
            assert bytes_of(told) <= BYTES
            assert len(told["clock"]) == 2
        assert str(state) == rooms[0].board["position"]


async def test_what_a_takeback_an_end_or_a_new_game_changes_is_told_in_full(local_server):
    server = local_server()
    async with guests(server.url, 2) as people, windows() as brief_window:
        rooms = await sit_down(people, "puoribor", settings={"rated": False})
        window = await brief_window(people[0], rooms[0])
        await rooms[0].play((await rooms[0].my_turn())["legal"][0])
        await window.hears("ply", lambda told: told["ply"] == 1)
        await rooms[1].my_turn()
        await rooms[0].call("ask takeback")
        await rooms[1].call("answer takeback", yes=True)
        back = await window.hears("board info", lambda told: told["ply"] == 0 and "recent" in told)
        assert back["scene"]
        await rooms[0].call("resign")
        assert (await window.hears("board info", lambda told: told["over"]))["winner"] == [1]


async def test_one_person_has_windows_of_both_kinds(local_server):
    server = local_server()
    async with guests(server.url, 2) as people, windows() as brief_window:
        rooms = await sit_down(people, "kulami")
        window = await brief_window(people[0], rooms[0])
        await play_on(rooms, plies=4)
        await window.hears("ply", lambda told: told["ply"] >= 4)
        await rooms[0].until(lambda: rooms[0].ply >= 4)
        assert not rooms[0].events("ply")
        assert all(told["ply"] == 0 for told in window.events("board info")), "what a window heard in full came when it was opened"
        assert not window.events("private board info") or window.last["private board info"]["ply"] == 0


async def test_whoever_gets_the_rules_later_is_told_briefly_from_then_on(local_server):
    server = local_server()
    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "kulami")
        await play_on(rooms, plies=2)
        await rooms[0].call("brief", yes=True)
        at, full = rooms[0].ply, len(rooms[0].events("board info"))
        await rooms[at % 2].play((await rooms[at % 2].my_turn())["legal"][0])
        told = await rooms[0].hears("ply", lambda told: told["ply"] == at + 1)
        assert len(told["actions"]) == 1
        assert len(rooms[0].events("board info")) == full
        await rooms[0].call("brief", yes=False)
        await rooms[1 - at % 2].call("req info")
        await rooms[0].call("resign")
        assert (await rooms[0].hears("board info", lambda told: told["over"]))["ply"] == at + 1


def changed(record, seen):
    """A record after what was told of it."""
    made, pieces, at = bytearray(record), base64.b64decode(seen), 0
    while pieces:
        distance, length = divmod(pieces[0], 8)
        at += distance + length
        made[at - length : at] = pieces[1 : 1 + length]
        pieces = pieces[1 + length :]
    return bytes(made)


@pytest.mark.slow
async def test_whoever_sees_less_is_told_what_changes_in_their_own_record(local_server):
    chance = Script()
    chance.deals = ["dealer 1", "deal 11123456,11123457,11223345,11456789"]
    server = local_server(chance=chance)
    async with guests(server.url, 5) as people, windows() as brief_window:
        rooms = await sit_down(people[:4], "goita")
        seen = [await brief_window(person, rooms[0]) for person in people]
        for window in seen:
            await window.hears("board info", lambda told: told["ply"] == 2)
        await play_on(rooms, plies=14)
        match = server.services.registry.room(rooms[0].id).state.match
        for seat, window in enumerate(seen):
            viewer = seat if seat < 4 else None
            await window.hears("ply", lambda told: told["ply"] >= 14)
            record = match.at(2).view(viewer).record.tobytes()
            for told in window.events("ply"):
                record = changed(record, told["seen"])
                state = match.at(told["ply"]).view(viewer)
                assert record == state.record.tobytes()
                assert zlib.crc32(record) == told["sum"]
                assert told["actions"][-1] == match.at(told["ply"] - 1).told(match.played[told["ply"] - 1].text, viewer)
                assert tuple(told.get("trail", ())) == state.trail
                assert bytes_of(told) <= BYTES
            assert viewer is not None or match.view(viewer).viewer_number == SPECTATOR
