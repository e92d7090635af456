"""What a page asks before someone acts, and what it needs to show games."""

import pytest
from clients import check, guests, sit_down

import hanpan


async def test_why_not_is_said_with_the_games_own_reason(server):
    async with guests(server.url, 2) as people:
        one, other = await sit_down(people, "kulami")
        await one.play(one.mine()["legal"][0])
        taken = one.board["last"]
        await other.my_turn()
        answer = await other.call("why", ply=1, clicks=[taken])
        assert (answer["code"], answer["phrase"]["values"]) == ("taken", {"at": taken})
        assert "code" not in await other.call("why", ply=1, clicks=[other.mine()["legal"][0]])
        assert "code" not in await other.call("why", ply=1, clicks=["nowhere"])


async def test_a_preview_is_the_picture_that_the_action_brings(server):
    async with guests(server.url, 2) as people:
        one, _ = await sit_down(people, "puoribor")
        scene = (await one.call("preview", ply=0, action="d3r"))["scene"]
        assert "board" not in scene
        assert scene["motions"] == [{"kind": "turn", "x": 5.5, "y": 4.5, "w": 4, "h": 4, "degrees": 90}]
        assert one.ply == 0
        assert scene["look"] == hanpan.game("puoribor").start().play("d3r").scene().json()["look"]


async def test_a_hint_is_legal_and_only_for_unrated_games(server):
    async with guests(server.url, 2) as people:
        one, other = await sit_down(people, "kulami", settings={"rated": False})
        assert (await one.call("hint", ply=0))["action"] in one.mine()["legal"]
        with pytest.raises(Exception, match="not-your-turn"):
            await other.call("hint", ply=0)
    async with guests(server.url, 2) as people:
        one, _ = await sit_down(people, "kulami")
        with pytest.raises(Exception, match="rated-no-hint"):
            await one.call("hint", ply=0)


async def test_a_hint_is_told_in_the_games_words_where_it_has_some(server):
    async with guests(server.url, 1) as (me,):
        (mine,) = await sit_down([me], "goita", bots=(1, 2, 3))
        hint = await mine.call("hint", ply=(await mine.my_turn())["ply"])
        assert hint["say"]["key"]
        (plain,) = await sit_down([me], "kulami", bots=(1,))
        hint = await plain.call("hint", ply=(await plain.my_turn())["ply"])
        assert "say" not in hint
        assert hint["heard"] == {"key": "heard.hole", "values": {"at": hint["action"]}}


async def test_the_still_board_is_sent_once_and_again_when_it_changes(server):
    async with guests(server.url, 2) as people:
        one, other = await sit_down(people, "kulami", options={"board": "build"})
        watching = await people[0].enter(one.id, scenes=True)
        await watching.until(lambda: "board info" in watching.last)
        assert "board" in watching.last["board info"]["scene"]
        for _ in range(2):
            ply = watching.ply
            mover = (one, other)[watching.board["seat"]]
            await mover.play((await mover.my_turn())["legal"][0])
            await watching.until(lambda ply=ply: watching.ply > ply)
        assert "board" in watching.last["board info"]["scene"]  # a tile more lies there now
    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "reversedrop")
        watching = await people[1].enter(rooms[0].id, scenes=True)
        await watching.until(lambda: "board info" in watching.last)
        ply, mover = watching.ply, rooms[watching.board["seat"]]
        await mover.play((await mover.my_turn())["legal"][0])
        await watching.until(lambda ply=ply: watching.ply > ply)
        assert "board" not in watching.last["board info"]["scene"]
        check("/room", "board info", watching.last["board info"])


async def test_words_rules_and_pictures_over_http(server):
    async with guests(server.url, 1) as (me,):
        for language in ("en", "ko", "ja", "zh"):
            words = await me.http("GET", f"/api/words/{language}")
            assert set(words["games"]) == set(hanpan.games()) | {"tictactoe"}
            assert words["house"]["places"]
            assert "<h1>" in await me.http("GET", f"/api/games/kulami/rules/{language}")
        demo = await me.http("GET", "/api/games/wallgo/demo")
        assert "board" in demo[0]
        assert "board" not in demo[1]
        first = await me.http("GET", "/api/games/wallgo/scene", params={"options": '{"size": 6}'})
        assert len([place for place in first["board"]["places"] if place["kind"] == "cell"]) == 36
        for path in ("/api/words/xx", "/api/games/chess/rules/en", "/api/games/chess/demo", "/api/games/wallgo/scene?options=[]", "/page/../front.py"):
            with pytest.raises(Exception, match=r"404|422"):
                await me.http("GET", path)


async def test_every_position_of_a_game_as_a_picture(server):
    async with guests(server.url, 2) as people:
        one, other = await sit_down(people, "kulami")
        await one.play(one.mine()["legal"][0])
        await other.my_turn()
        told = await people[0].http("GET", f"/api/records/{one.board['game_id']}/scenes")
        assert (told["game"], len(told["scenes"]), len(told["actions"])) == ("kulami", 2, 1)
        assert "board" in told["scenes"][0]
        assert "board" not in told["scenes"][1]
        since = await people[1].http("GET", f"/api/records/{one.board['game_id']}/scenes", params={"since": "1"})
        assert since["scenes"] == [told["scenes"][1] | {"board": told["scenes"][0]["board"]}]
        await one.call("resign")
        await one.until(lambda: "game over" in one.last)
        over = await people[1].http("GET", f"/api/records/{one.board['game_id']}/scenes")
        assert over["people"] == {"0": people[0].person["name"], "1": people[1].person["name"]}


async def test_the_ledger_of_the_clock_and_the_picture_of_any_position_are_there_during_the_game_and_after(server):
    async with guests(server.url, 3) as people:
        one, other = await sit_down(people[:2], "kulami")
        await one.play(one.mine()["legal"][0])
        await other.my_turn()
        record = f"/api/records/{one.board['game_id']}"
        during = await people[2].http("GET", f"{record}/ledger")
        assert [(line["ply"], line["seat"], line["forced"]) for line in during] == [(0, 0, False)]
        assert all(line[key] >= 0 for line in during for key in ("at", "charged", "forgiven"))
        begun, now = [await people[2].http("GET", f"{record}.svg", params=params) for params in ({"ply": "0"}, {})]
        assert ("red marble" in begun, "red marble" in now) == (False, True)
        await one.call("resign")
        await one.until(lambda: "game over" in one.last)
        assert await people[2].http("GET", f"{record}/ledger") == during
