"""Ratings, leaderboards, and what is asked over HTTP: records, pictures, documents."""

import json

import aiohttp
import pytest
from clients import Guest, guests, play_on, refused, sit_down, with_account
from deals import Deals

from hanpan import result
from hanpan.replay import check_record
from hanpan.server.people.limits import Buckets
from hanpan.server.people.rating import changes
from hanpan.server.protocol.refusals import Refused
from hanpan.server.rooms import showing
from hanpan.server.storage.store import Store

SECRET = "a secret that is shared with our own site"
QUIET = ["dealer 1", "deal 11123456,11123457,11223345,11456789"]


async def play_and_resign(rooms, loser):
    """One game, lost by a seat; what was told at its end."""
    so_far = len(rooms[0].told)
    await rooms[loser].call("resign")
    return await rooms[0].hears("game over", since=so_far)


async def test_ratings_move_once_by_the_formula_and_are_kept(local_server):
    server = local_server(token_secret=SECRET)
    async with guests(server.url, 2) as people:
        await with_account(people[0], SECRET)
        rooms = await sit_down(people, "tictactoe")
        ratings = {person.id: 1300.0 for person in people}
        for round in range(3):
            at_seat = [seat["person"]["id"] for seat in rooms[0].last["player info"]["seats"]]
            loser = rooms[[person.id for person in people].index(at_seat[round % 2])]
            so_far = len(rooms[0].told)
            await play_on(rooms, plies=4)
            await loser.call("resign")
            over = await rooms[0].hears("game over", since=so_far)
            moved = changes([ratings[id] for id in at_seat], [0, 1], [1 - round % 2], [0, 0])
            expected = {id: {"before": ratings[id], "after": ratings[id] + change} for id, change in zip(at_seat, moved, strict=True)}
            assert over["ratings"] == expected
            ratings = {id: change["after"] for id, change in expected.items()}
            for room in rooms:
                await room.call("rematch")
            await rooms[0].until(lambda over=over: rooms[0].board["game_id"] != over["game_id"])
        for person in people:
            steps = await person.http("GET", f"/api/people/{person.id}/ratings/tictactoe")
            assert [step["before"] for step in steps][1:] == [step["after"] for step in steps][:-1]
            assert (len(steps), steps[0]["before"], steps[-1]["after"]) == (3, 1300.0, ratings[person.id])
            about = await person.http("GET", f"/api/people/{person.id}")
            assert about["ratings"]["tictactoe"] == round_half_up(ratings[person.id])
        board = await people[0].http("GET", "/api/leaderboards/tictactoe?limit=200")
        (mine,) = board  # whoever has no account has no place here
        assert mine["id"] == people[0].id
        assert (mine["games"], mine["rating"], mine["colour"]) == (3, round_half_up(ratings[people[0].id]), "green")
        lobby = await people[0].enter_lobby()
        so_far = len(lobby.told)
        await lobby.call("req info")
        seen = next(person for person in (await lobby.hears("info", since=so_far))["people"] if person["id"] == people[0].id)
        assert seen["ratings"]["tictactoe"] == mine["rating"]
        with refused("404"):
            await people[0].http("GET", "/api/leaderboards/chess")


def round_half_up(value):
    return int(value + 0.5)


async def test_unrated_games_move_nothing(server):
    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "tictactoe", settings={"rated": False})
        assert (await play_and_resign(rooms, 0))["ratings"] == {}
        assert await people[0].http("GET", f"/api/people/{people[0].id}/ratings/tictactoe") == []


async def test_a_persons_games_are_listed_newest_first(server):
    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "tictactoe")
        played = [(await play_and_resign(rooms, 0))["game_id"]]
        for room in rooms:
            await room.call("rematch")
        await rooms[0].hears("room updated", lambda info: info["game_id"] != played[0])
        running = rooms[0].last["room updated"]["game_id"]
        path = f"/api/people/{people[0].id}/games"
        listed = await people[1].http("GET", path)
        assert [game["id"] for game in listed] == [running, *played]
        assert [game["ended_at"] is None for game in listed] == [True, False]
        assert await people[1].http("GET", f"{path}?limit=1&before={running}") == listed[1:]
        with refused("404"):
            await people[0].http("GET", "/api/people/nobody/games")


@pytest.mark.slow
async def test_a_running_games_record_is_the_askers_own_view(local_server):
    server = local_server(chance=Deals(QUIET))
    async with guests(server.url, 5) as people:
        rooms = await sit_down(people[:4], "goita", options={"target": 10})
        await play_on(rooms, plies=4)
        await rooms[1].hears("board info", lambda board: board["ply"] == 4)
        id = rooms[0].last["room updated"]["game_id"]
        hands = QUIET[1].removeprefix("deal ").split(",")
        for number, person in enumerate(people):
            for kind in ("json", "txt", "svg"):
                told = await person.http("GET", f"/api/records/{id}.{kind}")
                told = told if isinstance(told, str) else json.dumps(told)
                assert [hand for hand in hands if hand in told] == ([hands[number]] if number < 4 and kind == "json" else [])
        mine = await people[0].http("GET", f"/api/records/{id}.json")
        theirs = await people[4].http("GET", f"/api/records/{id}.json")
        assert mine["running"] is True
        assert theirs["actions"][:2] == [{**line, "action": told} for line, told in zip(mine["actions"][:2], ("dealer 1", "deal"), strict=True)]
        assert mine["actions"][2]["action"][0] != "x"
        assert theirs["actions"][2]["action"][0] == "x"
        await play_on(rooms)
        await rooms[0].hears("game over")
        record = await people[4].http("GET", f"/api/records/{id}.json")
        assert record["actions"][:2] == QUIET
        answer = await people[4].http("POST", "/api/records", data=json.dumps(record))
        assert (answer["over"], answer["winner"], answer["plies"]) == (True, record["winner"], len(record["actions"]))
        picture = await people[4].http("GET", f"/api/records/{id}.svg?ply=2")
        assert picture.startswith("<svg")


@pytest.mark.slow
async def test_how_a_game_ended_is_in_its_record_and_comes_back(local_server):
    server = local_server().hold_clock()
    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "kulami", settings={"time": {"kind": "turn", "turn_ms": 30_000}})
        ends = []
        for reason in ("resigned", "time", "agreed"):
            await play_on(rooms, plies=3)
            so_far = len(rooms[0].told)
            if reason == "resigned":
                await rooms[0].call("resign")
            elif reason == "time":
                await server.later(31)
            else:
                await rooms[0].call("offer draw")
                await rooms[1].hears("offer draw")
                await rooms[1].call("answer draw", yes=True)
            over = await rooms[0].hears("game over", lambda told, reason=reason: told["reason"] == reason, since=so_far)
            ends.append((over["reason"], over["winner"]))
            for kind in ("json", "txt"):
                kept = await people[0].http("GET", f"/api/records/{over['game_id']}.{kind}")
                kept = kept if isinstance(kept, str) else json.dumps(kept)
                told = await people[1].http("POST", "/api/records", data=kept)
                assert (told["over"], told["reason"], told["winner"]) == (True, *ends[-1])
                shown = await people[1].http("POST", "/api/records/scenes", data=kept)
                assert (shown["reason"], shown["winner"]) == ends[-1]
                with refused("422"):
                    await people[1].http("POST", "/api/records", data=kept.replace(reason, "rules"))
            for room in rooms:
                await room.call("rematch")
            await rooms[0].until(lambda over=over: rooms[0].board["game_id"] != over["game_id"])
            await rooms[1].until(lambda over=over: rooms[1].board["game_id"] != over["game_id"])
        assert [end[0] for end in ends] == ["resigned", "time", "agreed"]


async def test_a_game_that_went_on_for_too_long_moves_no_rating_and_is_read_again(local_server, monkeypatch):
    monkeypatch.setattr(result, "MOST_ACTIONS", 4)
    server = local_server()
    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "puoribor")
        for room, action in zip(rooms * 2, ["e2", "e8", "e1", "e9"], strict=True):
            await room.until(lambda room=room: room.mine() is not None)
            await room.play(action)
        over = await rooms[0].hears("game over")
        assert (over["winner"], over["reason"], over["ratings"], over["counted"]) == ([], "length", {}, {"weight": 0.0, "why": "length"})
        kept = await people[0].http("GET", f"/api/records/{over['game_id']}.json")
        assert (kept["over"], kept["winner"], kept["reason"]) == (True, [], "length")
        assert check_record(json.dumps(kept)) is None


@pytest.mark.parametrize("ended", [False, True])
async def test_what_is_said_about_a_game_is_said_without_reading_its_actions(local_server, monkeypatch, ended):
    server = local_server()
    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "kulami")
        await play_on(rooms, plies=2)
        id = rooms[0].board["game_id"]
        if ended:
            await play_and_resign(rooms, 0)

        async def no_actions(self, id):
            raise AssertionError("read with its actions")

        monkeypatch.setattr(Store, "game", no_actions)
        about = await people[0].http("GET", f"/api/records/{id}")
        assert (about["id"], about["ended_at"] is not None) == (id, ended)
        with refused("404"):
            await people[0].http("GET", "/api/records/nothing")


@pytest.mark.parametrize("closed", [{"password": "sesame"}, {"settings": {"spectators": False}}])
async def test_a_running_game_behind_a_closed_door_is_not_shown_over_http_either(server, closed):
    async with guests(server.url, 3) as people:
        rooms = await sit_down(people[:2], "tictactoe", **closed)
        id = rooms[0].board["game_id"]
        for kind in (".json", ".txt", ".svg", ""):
            await people[1].http("GET", f"/api/records/{id}{kind}")
            with refused("403"):
                await people[2].http("GET", f"/api/records/{id}{kind}")
        await rooms[0].call("resign")
        await rooms[0].hears("game over")
        await people[2].http("GET", f"/api/records/{id}.json")
        archive = await people[2].http("GET", "/api/records?game=tictactoe&limit=100")
        assert (id in [game["id"] for game in archive]) == ("password" not in closed), "what was played behind a password is in no public list"
        assert all(game["ended_at"] for game in archive)


async def test_records_are_checked_when_uploaded(server):
    async with Guest(server.url) as me:
        good = {"hanpan": 1, "game": "tictactoe", "options": {"misere": False}, "actions": ["b2", "a1"]}
        assert (await me.http("POST", "/api/records", data=json.dumps(good)))["position"] == "o../.x./... x"
        for bad in ("", "nonsense", "{", json.dumps({**good, "actions": ["b2", "b2"]}), json.dumps({**good, "game": "chess"}), b"\xff\xfe"):
            with refused("422"):
                await me.http("POST", "/api/records", data=bad)
        with refused("413"):
            await me.http("POST", "/api/records", data="x" * 300_000)


WRONG = {
    "hello": {"en": "line 1: ", "ko": "1번째 줄", "ja": "1行目", "zh": "第 1 行"},
    '{"game"': {"en": "line 1, column 8", "ko": "1번째 줄 8번째 글자", "ja": "1行目の8文字目", "zh": "第 1 行第 8 个字符"},
    '{"hanpan": 1, "game": "wallgo", "options": {"size": 99}, "actions": []}': {"en": "size: 99", "ko": "size: 99", "ja": "size：99", "zh": "size：99"},
    '{"hanpan": 1, "game": "puoribor", "options": {}, "actions": ["e2", "e2"]}': {"en": "ply 2", "ko": "2번째 수", "ja": "2手目", "zh": "第 2 手"},
    '{"hanpan": 1, "game": "puoribor", "options": {}, "actions": [], "start": "e1 e9 10 10 e9h 1"}': {
        "en": "start: walls: e9h", "ko": "시작 국면(start): walls: e9h", "ja": "開始局面（start）：walls：e9h", "zh": "起始局面（start）：walls：e9h",
    },
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/api/records", "/api/records/scenes"])
async def test_what_is_wrong_with_a_record_is_said_in_the_readers_language_with_its_place(local_server, path):
    server, letters = local_server(requests_per_minute=100_000), {"ko": "가힣", "ja": "ぁん", "zh": "一鿿"}
    async with aiohttp.ClientSession() as session:
        for record, wanted in WRONG.items():
            for language, place in wanted.items():
                async with session.post(server.url + path, data=record, headers={"Accept-Language": language}) as answer:
                    told = await answer.json()
                assert (answer.status, told["code"], place in told["text"]) == (422, "bad-record", True), told
                first, last = letters.get(language, "az")
                assert any(first <= letter <= last for letter in told["text"]), told


@pytest.mark.parametrize("game", ["goita", "kulami", "puoribor", "reversedrop", "wallgo"])
async def test_the_picture_of_any_position(server, game):
    async with Guest(server.url) as me:
        assert (await me.http("GET", f"/api/svg?game={game}&seed=3")).startswith("<svg")
        for bad in ("position=nonsense", "options=[]", "options={", "theme=pink", "language=xx", 'options={"no":1}'):
            with refused("422"):
                await me.http("GET", f"/api/svg?game={game}&{bad}")


async def test_a_view_can_be_drawn_too(server):
    async with Guest(server.url) as me:
        view = "0-0 xxxxxxxx,xxxxxxxx,xxxxxxxx,xxxxxxxx,s1 play"
        assert (await me.http("GET", "/api/svg", params={"game": "goita", "position": view, "seat": "spectator"})).startswith("<svg")
        with refused("422"):
            await me.http("GET", "/api/svg", params={"game": "goita", "position": view, "seat": "7"})


async def test_it_is_alive_ready_and_says_what_it_can_do(server):
    async with Guest(server.url) as me:
        assert await me.http("GET", "/healthz") == "ok\n"
        assert await me.http("GET", "/readyz") == "ready\n"
        games = await me.http("GET", "/api/games")
        assert games["wallgo"]["seats"] == 2
        assert {"name": "level", "default": 0, "low": 0, "high": 2} in games["kulami"]["options"]
        room = await me.new_room("kulami", password="secret")
        lines = {line["id"]: line for line in await me.http("GET", "/api/rooms")}
        assert lines[room.id]["locked"] is True
        assert "secret" not in json.dumps(lines)
        assert "<title>Hanpan" in await me.http("GET", "/")


@pytest.mark.slow
async def test_a_record_of_thousands_of_actions_is_refused_before_it_is_played(local_server, monkeypatch):
    monkeypatch.setattr("hanpan.record.GameRecord.states", lambda record: pytest.fail("it was played"))
    body, server = json.dumps({"hanpan": 1, "game": "puoribor", "options": {}, "actions": ["e2", "e8", "e1", "e9"] * 750}), local_server()
    for work in (showing.checked, showing.film_of_text):
        with pytest.raises(Refused) as told:
            work(body)
        assert "at most 2000" in told.value.json("")["text"]
    async with aiohttp.ClientSession() as session:
        for path in ("/api/records", "/api/records/scenes"):
            async with session.post(server.url + path, data=body) as answer:
                assert (answer.status, "at most 2000" in await answer.text()) == (422, True)


@pytest.mark.slow
async def test_uploads_and_exports_count_for_much(local_server):
    server = local_server()
    server.services.limits.requests = Buckets(0.001, 60)  # however slow this machine is
    async with aiohttp.ClientSession(headers={"X-Forwarded-For": "203.0.113.20"}) as session:
        codes = []
        for _ in range(6):
            async with session.post(f"{server.url}/api/records", data="nonsense") as answer:
                codes.append(answer.status)
        assert codes == [422, 422, 429, 429, 429, 429]
    server.services.limits.unlimited_local = False
    async with guests(server.url, 1) as (person,):
        server.services.limits.requests = Buckets(0.001, 60)
        for _ in range(2):
            await person.http("GET", "/api/me/export")
        with refused("429"):
            await person.http("GET", "/api/me/export")
