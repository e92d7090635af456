"""Boards of one's own: typed, pasted or drawn; and what is shown before chance has drawn one."""

from board_codes import B, code
from clients import Guest, guests, refused, sit_down


async def test_a_board_code_makes_a_table_with_that_board(server):
    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "kulami", options={"board": code(B)})
        assert rooms[0].last["info"]["options"]["board"] == B
        assert rooms[0].board["position"].split()[0] == B
        with refused("bad-value"):
            await (await people[0].enter_lobby()).call("new room", game="kulami", options={"board": code(B).replace("b", "a")})


async def test_a_text_for_an_option_is_read_and_refused_in_the_readers_language(server):
    async with Guest(server.url) as me:
        told = await me.http("POST", "/api/games/kulami/options/board/read", json={"value": B.replace("/", "\n")})
        assert told["value"] == B
        assert len([ground for ground in told["scene"]["board"]["grounds"] if ground["kind"] == "tile"]) == 17
        with refused("400"):
            await me.http("POST", "/api/games/kulami/options/board/read", json={"value": B.replace("q", ".")})
        for path in ("kulami/options/level/read", "kulami/options/size/read", "chess/options/board/read", "puoribor/options/walls/draw"):
            with refused("404"):
                await me.http("POST", f"/api/games/{path}", json={"value": "x"} if path.endswith("read") else {})


async def test_a_board_is_drawn_step_by_step_by_the_rules(server):
    async with Guest(server.url) as me:
        path = "/api/games/kulami/options/board/draw"
        actions = []
        while (told := await me.http("POST", path, json={"actions": actions}))["value"] is None:
            assert len(actions) < 17
            six = [action for action in told["clicks"] if action.startswith(("2x3", "3x2"))]
            actions.append(min(six or told["clicks"], key=lambda action: (action[4:].rjust(3), action)))
        assert told["clicks"] == {}
        assert (await me.http("POST", "/api/games/kulami/options/board/read", json={"value": told["value"]}))["value"] == told["value"]
        why = await me.http("POST", path, json={"actions": ["2x2@e5"], "clicks": ["3x2", "c4"]})
        assert why["why"]["code"] == "overlaps"
        with refused("400"):
            await me.http("POST", path, json={"actions": ["2x2@e5", "2x2@e5"]})


async def test_before_a_game_no_other_board_is_shown_than_the_one_to_come(server):
    async with Guest(server.url) as me:
        for board, tiles in (("a", 17), ("random", 0), ("random-square", 0)):
            scene = await me.http("GET", f'/api/games/kulami/scene?options={{"board":"{board}"}}')
            assert len([ground for ground in scene["board"]["grounds"] if ground["kind"] == "tile"]) == tiles
            assert (scene.get("turn") is None) == (tiles == 0)  # then chance draws it
        assert (await me.http("GET", "/api/svg", params={"game": "kulami", "position": code(B)})).startswith("<svg")
        shown = await me.http("POST", "/api/records/scenes", data=code(B))
        assert (shown["game"], len(shown["scenes"])) == ("kulami", 1)
