"""Chairs, readiness, the master, settings, and who may watch."""

import asyncio
import json
from dataclasses import fields

import pytest
from clients import guests, made_operator, play_on, refused, sit_down

from hanpan.server.rooms.seats import Chair, Seating
from hanpan.server.transport.sockets import SocketAsker


def seats(room):
    """Who sits where, as a room was last told."""
    return [seat["person"] and seat["person"]["id"] for seat in room.last["player info"]["seats"]]


async def test_sit_stand_move_and_swap(server, meet):
    async with meet(server.url, 2) as (me, other):
        mine = await me.new_room("kulami")
        theirs = await other.enter(mine.id)
        await mine.call("sit on", seat=0)
        with refused("seat-taken"):
            await theirs.call("sit on", seat=0)
        with refused("no-such-seat"):
            await theirs.call("sit on", seat=2)
        with refused("not-your-seat"):
            await theirs.call("stand up")
        await mine.call("sit on", seat=1)
        await theirs.call("sit on", seat=0)
        await mine.hears("player info", lambda told: [s["person"] and s["person"]["id"] for s in told["seats"]] == [other.id, me.id])
        with refused("master-only"):
            await theirs.call("swap seats", one=0, other=1)
        await mine.call("swap seats", one=0, other=1)
        await theirs.hears("player info", lambda told: [s["person"] and s["person"]["id"] for s in told["seats"]] == [me.id, other.id])
        await theirs.call("stand up", seat=1)
        await mine.call("swap seats", one=0, other=1)  # one's own with an empty one
        await theirs.hears("player info", lambda told: [s["person"] and s["person"]["id"] for s in told["seats"]] == [None, me.id])


async def test_the_master_frees_a_seat_and_whoever_held_it_sits_down_again_only_when_invited(server, meet):
    async with meet(server.url, 3) as (me, pest, other):
        mine = await me.new_room("kulami")
        theirs, third = [await person.enter(mine.id) for person in (pest, other)]
        await theirs.call("sit on", seat=1)
        with refused("not-your-seat"):
            await third.call("stand up", seat=1)
        await mine.call("stand up", seat=1)
        why = await theirs.hears("invalid action", lambda told: told["code"] == "made-to-stand")
        assert why["event"] == "stand up"
        await theirs.hears("player info", lambda told: [seat["person"] for seat in told["seats"]] == [None, None])
        for seat in (0, 1):
            with refused("made-to-stand"):
                await theirs.call("sit on", seat=seat)
        await mine.call("change config", password="sesame")
        await pest.enter_lobby()
        await third.call("send invitation", to=pest.id)
        with refused("made-to-stand"):  # that was not the master
            await theirs.call("sit on", seat=1)
        await mine.call("send invitation", to=pest.id)
        await theirs.call("sit on", seat=1)
        await mine.call("sit on", seat=0)
        for room in (mine, theirs):
            await room.call("set ready")
        await mine.hears("board info")
        with refused("during-game"):
            await mine.call("stand up", seat=1)


async def test_who_was_made_to_stand_is_known_after_a_restart(local_server):
    server = local_server()
    async with guests(server.url, 2) as (me, pest):
        mine, theirs = await sit_down((me, pest), "kulami", ready=False)
        await mine.call("stand up", seat=1)
        stored = await server.do(server.services.store.room, mine.id)
        assert stored.document["unwanted"] == [pest.id]
        again = await server.do(server.services.registry._read, stored, None)
        assert again.state.unwanted == {pest.id}
        with refused("made-to-stand"):
            await theirs.call("sit on", seat=1)


async def test_nobody_sits_down_at_the_table_of_someone_they_do_not_want_or_who_does_not_want_them(server):
    async with guests(server.url, 3) as (me, pest, shy):
        mine = await me.new_room("kulami")
        await me.http("POST", "/api/me/blocks", json={"id": pest.id})
        await shy.http("POST", "/api/me/blocks", json={"id": me.id})
        for person in (pest, shy):
            room = await person.enter(mine.id)
            with refused("not-at-this-table"):
                await room.call("sit on", seat=1)
        await me.http("DELETE", f"/api/me/blocks/{pest.id}")
        await (await pest.enter(mine.id)).call("sit on", seat=1)


async def test_whoever_comes_in_hears_nothing_of_the_room_before_all_about_it(local_server):
    """However busy the room is: news of it would stand beside what was known of it long ago, or nothing."""
    server = local_server()
    async with guests(server.url, 3) as people:
        rooms = await sit_down(people[:2], "kulami")
        room, come = server.services.registry.rooms[rooms[0].id], []

        async def news():
            while not come:
                async with room.state.lock:
                    await room.publisher.tell_clock()
                    await asyncio.sleep(0)

        telling = asyncio.create_task(server.do(news))
        try:
            watching = await people[2].enter(rooms[0].id)
        finally:
            come.append(True)
            await telling
        heard = [event for event, _ in watching.told]
        assert heard[:4] == ["info", "player info", "board info", "game history info"]


async def test_whoever_has_come_in_knows_all_about_the_room(local_server, monkeypatch):
    """However slowly it is told."""
    tell = SocketAsker.tell

    async def slowly(asker, event, payload):
        await asyncio.sleep(0.02)
        await tell(asker, event, payload)

    monkeypatch.setattr(SocketAsker, "tell", slowly)
    async with guests(local_server().url, 3) as people:
        rooms = await sit_down(people[:2], "kulami")
        watching = await people[2].enter(rooms[0].id)
        assert {"info", "player info", "board info", "game history info", "chat history"} <= set(watching.last)


async def test_the_ready_timer_is_told_and_taken_back(server, meet):
    async with meet(server.url, 2) as people:
        rooms = await sit_down(people, "kulami", ready=False)
        await rooms[0].call("set ready")
        told = await rooms[1].hears("ready timer")
        assert told["at"] > 0
        await rooms[0].call("cancel ready")
        await rooms[1].hears("ready timer", lambda told: told["at"] is None)
        await rooms[0].call("set ready")
        assert "board info" not in rooms[0].last
        await rooms[1].call("set ready")
        board = await rooms[1].hears("board info")
        assert (board["ply"], board["seat"], board["over"]) == (0, 0, False)
        with refused("during-game"):
            await rooms[0].call("cancel ready")


async def test_the_game_starts_by_itself_when_the_timer_rings(local_server):
    server = local_server(ready_seconds=0.01)
    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "kulami", ready=False)
        await rooms[0].call("set ready")
        await rooms[1].hears("board info")


async def test_when_the_master_leaves_whoever_is_here_longest_becomes_master(server):
    async with guests(server.url, 3) as people:
        rooms = [await people[0].new_room("kulami")]
        rooms += [await person.enter(rooms[0].id) for person in people[1:]]
        with refused("master-only"):
            await rooms[1].call("change config", game="puoribor")
        await rooms[0].close()
        await rooms[2].hears("room updated", lambda info: info["master"] == people[1].id)
        with refused("master-only"):
            await rooms[2].call("seat bot", seat=0, level=1)
        await rooms[1].call("seat bot", seat=0, level=1)


async def test_a_lost_connection_does_not_cost_the_room_or_the_chair_at_once(local_server):
    server = local_server(patience=3600)
    async with guests(server.url, 2) as (me, other):
        room = await me.new_room("kulami")
        theirs = await other.enter(room.id)
        await room.call("sit on", seat=0)
        await room.drop()
        await theirs.hears("user left")
        await room.open()
        await room.hears("player info")
        assert seats(room)[0] == me.id
        assert room.last["info"]["master"] == me.id


async def test_a_room_that_was_closed_is_not_stored_again_by_whoever_waited_for_their_turn(local_server):
    server = local_server()
    async with guests(server.url, 2) as (me, other):
        room = await me.new_room("kulami")
        await other.enter(room.id)
        await room.call("sit on", seat=1)
        await other.enter_lobby()
        registry, lobby = server.services.registry, server.services.lobby
        here = registry.rooms[room.id]

        async def at_once():
            waiting = [here.sit(other.id, 0, False), here.set_ready(me.id, 1, True), here.do(here.stand, me.id, 1), lobby.invite(here, me.id, other.id)]
            return await asyncio.gather(registry.close_room(room.id), *waiting, return_exceptions=True)

        closed, *asked = await server.do(at_once)
        assert closed is None
        assert [refusal.code for refusal in asked] == ["no-such-room"] * 4
        assert not await server.do(registry.stored, room.id)


async def test_settings_and_options_change_between_games_only(server):
    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "kulami", ready=False)
        byoyomi = {"kind": "byoyomi", "main_ms": 300_000, "byoyomi_ms": 30_000}
        await rooms[0].call("change config", options={"level": 2}, settings={"time": byoyomi, "rated": False})
        info = await rooms[1].hears("config updated")
        assert (info["options"]["level"], info["settings"]["time"], info["settings"]["rated"]) == (2, byoyomi, False)
        for bad in ({"options": {"level": 9}}, {"settings": {"time": {"kind": "byoyomi"}}}, {"game": "chess"}):
            with refused("bad-value"):
                await rooms[0].call("change config", **bad)
        await rooms[0].call("change config", password="now it is locked")
        await rooms[1].hears("config updated", lambda info: info["locked"])
        so_far = len(rooms[1].told)
        await rooms[0].call("change config", password="")
        await rooms[1].hears("config updated", lambda info: not info["locked"], since=so_far)
        for room in rooms:
            await room.call("set ready")
        clock = await rooms[1].hears("clock info")
        assert clock["remaining"][1] == {"main": 300_000, "byoyomi": 30_000, "turn": 0}
        with refused("during-game"):
            await rooms[0].call("change config", options={})
        with refused("during-game"):
            await rooms[0].call("swap seats", one=0, other=1)
        with refused("during-game"):
            await rooms[0].call("stand up")


async def test_another_game_has_other_chairs(server):
    async with guests(server.url, 1) as (me,):
        room = await me.new_room("goita")
        await room.call("sit on", seat=3)
        await room.call("change config", game="wallgo", options={"players": 3})
        await room.hears("player info", lambda told: len(told["seats"]) == 3)
        assert seats(room) == [None, None, None]


async def test_ratings_may_be_too_low_or_too_high_for_a_chair(server):
    async with guests(server.url, 1) as (me,):
        room = await me.new_room("kulami", settings={"lowest": 1301})
        with refused("rating-too-low"):
            await room.call("sit on", seat=0)
        await room.call("change config", settings={"highest": 1299})
        with refused("rating-too-high"):
            await room.call("sit on", seat=0)
        await room.call("change config", settings={"lowest": 1300, "highest": 1300})
        await room.call("sit on", seat=0)


async def test_whoever_is_shown_with_a_rating_has_it(local_server):
    server = local_server()
    async with guests(server.url, 1) as (me,):
        for rating in (1499.6, 1500.4):
            server.services.people._ratings[me.id, "kulami"] = rating
            room = await me.new_room("kulami", settings={"lowest": 1500, "highest": 1500})
            await room.call("sit on", seat=0)
        server.services.people._ratings[me.id, "kulami"] = 1499.4
        with refused("rating-too-low"):
            await room.call("sit on", seat=1)


async def test_spectators_see_the_game_and_their_chat_stays_among_them_where_there_are_secrets(server):
    async with guests(server.url, 6) as people:
        rooms = await sit_down(people[:4], "goita", options={"no_goshi": True, "no_yaku": True})
        first, second = [await person.enter(rooms[0].id) for person in people[4:]]
        board = await first.hears("board info")
        assert set(board["position"].split(" ")[1].split(",")[0]) == {"x"}
        await first.call("send msg", msg="seat 1 holds a king")
        await second.hears("recieve msg", lambda message: message["spectator"])
        await rooms[0].call("send msg", msg="good luck")
        for room in (*rooms, first, second):
            await room.hears("recieve msg", lambda message: message["msg"] == "good luck")
        assert all(len(room.events("recieve msg")) == 1 for room in rooms)
        assert not any(room.events("private board info") for room in (first, second))
        await rooms[0].call("resign")
        await rooms[2].call("resign")
        await second.hears("game over")
        await first.call("send msg", msg="well played")
        await rooms[1].hears("recieve msg", lambda message: message["msg"] == "well played")


async def test_an_operator_looks_into_closed_rooms_and_is_seen_there(local_server):
    server = local_server()
    async with guests(server.url, 5) as (one, two, boss, late, half):
        for person in (boss, late):
            await made_operator(server, person.id)
        await server.do(lambda: server.services.store.accounts.change(half.id, role="operator"))  # without a second factor nobody is one
        for person in (boss, late, half):
            await server.do(server.services.people.reload, person.id)
        rooms = await sit_down((one, two), "kulami", ready=False, password="sesame", settings={"spectators": False})
        watching = await boss.enter(rooms[0].id)
        assert (await rooms[0].hears("user joined", lambda told: told["id"] == boss.id))["name"] == boss.person["name"]
        for room in rooms:
            await room.call("set ready")
        await watching.hears("board info")  # whoever looks in stays when the game begins
        await (await late.enter(rooms[0].id)).hears("board info")
        assert not watching.events("private board info")
        assert {person["id"] for person in (await watching.hears("room updated"))["people"]} >= {one.id, two.id, boss.id}
        with refused("wrong-password"):
            await half.enter(rooms[0].id)
        with refused("no-spectators"):
            await half.enter(rooms[0].id, "sesame")


async def test_a_room_may_be_closed_to_spectators(server):
    async with guests(server.url, 4) as people:
        rooms = await sit_down(people[:2], "kulami", ready=False, settings={"spectators": False})
        with refused("room-full"):
            await people[2].enter(rooms[0].id)
        await rooms[1].call("stand up")
        standing = await people[2].enter(rooms[0].id)
        await rooms[1].call("sit on", seat=1)
        for room in rooms:
            await room.call("set ready")
        why = await standing.hears("invalid action")
        assert why["code"] == "no-spectators"
        await standing.until(lambda: not standing.connected)
        assert not standing.events("board info")
        await rooms[0].hears("user left", lambda person: person["id"] == people[2].id)
        for person in people[2:]:
            with refused("no-spectators"):
                await person.enter(rooms[0].id)
        await play_on(rooms, plies=6)


async def test_a_master_who_is_shown_out_as_a_spectator_hands_over(local_server):
    server = local_server()
    async with guests(server.url, 3) as (master, *people):
        standing = await master.new_room("kulami", settings={"spectators": False})
        rooms = [await person.enter(standing.id) for person in people]
        for seat, room in enumerate(rooms):
            await room.call("sit on", seat=seat)
        for room in rooms:
            await room.call("set ready")
        await standing.hears("invalid action", lambda why: why["code"] == "no-spectators")
        await rooms[1].hears("room updated", lambda told: told["master"] == people[0].id)
        await rooms[0].call("resign")
        await rooms[0].hears("game over")
        await rooms[0].call("change config", game="puoribor")


async def test_a_room_that_has_shown_everyone_out_disappears(local_server):
    server = local_server(abandoned_seconds=0.1)
    async with guests(server.url, 1) as (master,):
        room = await master.new_room("kulami", settings={"spectators": False})
        lobby = await master.enter_lobby()
        for seat in (0, 1):
            await room.call("seat bot", seat=seat, level=1)
        await lobby.hears("room removed", lambda told: told["id"] == room.id)


async def test_computer_players_and_two_at_one_screen(server):
    async with guests(server.url, 1) as (me,):
        room = await me.new_room("kulami")
        await room.call("sit on", seat=0)
        with refused("seat-taken"):
            await room.call("seat bot", seat=0, level=1)
        await room.call("seat bot", seat=1, level=3)
        await room.hears("player info", lambda told: told["seats"][1].get("bot") == 3)
        await room.call("seat bot", seat=1, level=None)
        await room.call("sit on", seat=1, local=True)
        await room.hears("player info", lambda told: [s["person"] and s["person"]["id"] for s in told["seats"]] == [me.id, me.id])
        await room.call("set ready")
        acted = await play_on([room])
        over = await room.hears("game over")
        assert acted == [len(room.last["game history info"]["actions"])]
        assert over["ratings"] == {}
        four = await me.new_room("goita")
        await four.call("sit on", seat=0)
        with refused("local-needs-two"):
            await four.call("sit on", seat=2, local=True)


async def test_another_game_is_chosen_and_the_last_one_is_not_shown_any_more(server):
    async with guests(server.url, 3) as people:
        rooms = await sit_down(people[:2], "tictactoe")
        await rooms[0].call("resign")
        await rooms[0].hears("game over")
        await rooms[0].call("change config", game="kulami")
        watching = await people[2].enter(rooms[0].id)
        assert watching.last["info"]["game"] == "kulami"
        assert not {"board info", "game over"} & set(watching.last)
        with refused("not-seated"):  # there is no game to play again
            await rooms[0].call("rematch")


async def test_a_guest_who_becomes_an_account_is_waited_for_and_has_sat_there_as_the_account(local_server):
    server = local_server().hold_clock()
    async with guests(server.url, 3) as (guest, other, account):
        rooms = await sit_down((guest, other), "tictactoe", settings={"time": {"kind": "turn", "turn_ms": 60_000}})
        room = server.services.registry.rooms[rooms[0].id]
        await server.do(room.turns.wait_for, {guest.id})
        await server.do(server.services.people.move, guest.id, account.id)
        assert room.state.awaited == {account.id}
        mine = await account.enter(room.id)
        assert room.state.awaited == set()
        await mine.call("resign")
        await rooms[1].hears("game over")
        assert [who["person"] for who in room.state.sat] == [account.id, other.id]


@pytest.mark.parametrize("stays", [True, False], ids=["who is still there", "who has left"])
async def test_who_sat_there_in_the_last_game_is_the_account_that_a_guest_becomes(local_server, stays):
    server = local_server()
    async with guests(server.url, 4) as (guest, other, account, late):
        rooms = await sit_down((guest, other), "tictactoe")
        await rooms[1].call("resign")
        await rooms[1].hears("game over")
        if not stays:
            await rooms[0].close()
            await rooms[1].until(lambda: seats(rooms[1])[0] is None)
        await server.do(server.services.people.move, guest.id, account.id)
        told = (await late.enter(rooms[0].id)).last["game over"]
        assert [seat["person"]["id"] for seat in told["seats"]] == [account.id, other.id]


def test_chairs_are_found_again_just_as_they_were():
    """Whatever a chair has: a field that is not kept would be lost in a restart."""
    before = Seating(1)
    before.chairs = [Chair("ann", 3, True, "bob", 2, 77, True, ["bob", "ann"], 4)]
    assert all(getattr(before.chairs[0], field.name) != field.default for field in fields(Chair))
    assert Seating.from_json(json.loads(json.dumps(before.json()))).chairs == before.chairs
