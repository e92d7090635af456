"""Pictures over HTTP: games in progress as spectators may see them, records from outside, demos."""

import json

import aiohttp
import pytest
from clients import guests, play_on, refused, sit_down

import hanpan


async def test_a_game_in_progress_is_shown_as_spectators_see_it(server):
    async with guests(server.url, 4) as people:
        rooms = await sit_down(people, "goita")
        await play_on(rooms, plies=6)
        at = f"/api/rooms/{rooms[0].id}/scene"
        told = await people[0].http("GET", at)
        assert told["ply"] == 6
        hands = [piece for piece in told["scene"]["look"]["pieces"] if piece.get("face_down")]
        assert len(hands) > 16, "the hands of all four lie face down, also for whoever sits there"
        assert not any(piece.get("text") for piece in hands)
        assert await people[0].http("GET", f"{at}?since=6") == {"ply": 6}
        await play_on(rooms, plies=7)
        assert "scene" in await people[0].http("GET", f"{at}?since=6")


async def test_rooms_that_are_closed_or_quiet_show_nothing(server):
    async with guests(server.url, 2) as people:
        locked = await sit_down(people, "tictactoe", password="sesame")
        closed = await sit_down(people, "tictactoe", settings={"spectators": False})
        quiet = await sit_down(people, "tictactoe", ready=False)
        for room in (locked[0].id, closed[0].id, quiet[0].id, "nosuch"):
            with refused("404"):
                await people[0].http("GET", f"/api/rooms/{room}/scene")


async def test_a_record_from_outside_is_shown_and_checked(server):
    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "tictactoe")
        await play_on(rooms)
        id = rooms[0].board["game_id"]
        kept = await people[0].http("GET", f"/api/records/{id}/scenes")
        for form in ("json", "txt"):
            record = await people[0].http("GET", f"/api/records/{id}.{form}")
            told = await people[0].http("POST", "/api/records/scenes", data=record if isinstance(record, str) else json.dumps(record))
            assert told["scenes"] == kept["scenes"]
            assert [line["action"] for line in told["actions"]] == [line["action"] for line in kept["actions"]]
            assert [line["seat"] for line in told["actions"]] == [line["seat"] for line in kept["actions"]]
            assert sorted(told["people"].values()) == sorted(person.person["name"] for person in people)
        line = await people[0].http("GET", f"/api/records/{id}")
        assert sorted(line["names"]) == sorted(person.person["name"] for person in people)
        for nonsense in ("", "{}", "game: chess\n", json.dumps({"hanpan": 1, "game": "tictactoe", "options": {}, "actions": ["a1", "a1"]})):
            with refused("422"):
                await people[0].http("POST", "/api/records/scenes", data=nonsense)


async def test_a_record_that_is_too_long_to_show_is_refused(server):
    walk = ["e2", "e8", "e1", "e9"] * 501
    async with guests(server.url, 1) as people:
        with refused("422"):
            await people[0].http("POST", "/api/records/scenes", data=json.dumps({"hanpan": 1, "game": "puoribor", "options": {}, "actions": walk}))


@pytest.mark.parametrize("name", hanpan.games())
async def test_every_game_has_a_demo(server, name):
    async with guests(server.url, 1) as people:
        scenes = await people[0].http("GET", f"/api/games/{name}/demo")
        assert "board" in scenes[0]
        assert len(scenes) > 5


@pytest.mark.parametrize("name", [*hanpan.games(), "tictactoe"])
async def test_every_game_has_a_rules_page_in_every_language(server, name):
    async with guests(server.url, 1) as people:
        for language in hanpan.core.words.LANGUAGES:
            page = await people[0].http("GET", f"/api/games/{name}/rules/{language}")
            assert page.startswith("<h1>")
            assert "<p>" in page


@pytest.mark.slow
async def test_whoever_can_unpack_gets_the_same_packed(server):
    state = hanpan.game("tictactoe").start()
    record = json.dumps({"hanpan": 1, "game": "tictactoe", "options": {}, "actions": [state.legal()[0]]})
    asked = [("GET", path, None) for path in ("/docs", "/openapi.json", "/asyncapi.json", "/api/words/ja", "/api/stills", "/api/games/kulami/demo")]
    async with aiohttp.ClientSession(auto_decompress=False) as plain, aiohttp.ClientSession() as unpacking:
        for method, path, body in [*asked, ("POST", "/api/records/scenes", record)]:
            whole = await plain.request(method, server.url + path, data=body, headers={"Accept-Encoding": "identity"})
            packed = await unpacking.request(method, server.url + path, data=body, headers={"Accept-Encoding": "gzip"})
            assert (whole.status, packed.status, packed.headers["Content-Encoding"]) == (200, 200, "gzip"), path
            assert "Content-Encoding" not in whole.headers
            assert await whole.read() == await packed.read(), path
