"""Guests, the lobby, invitations and quick match."""

import aiohttp
import socketio
from clients import Guest, guests, play_on, refused

from hanpan.client import Lobby


async def test_a_newcomer_is_a_guest_and_comes_back_as_the_same_person(server, meet):
    async with meet(server.url, 1) as [me]:
        assert me.person["name"]
        assert me.person["rating"] == 1300
        again = Guest(server.url, me.token)
        async with again:
            assert again.id == me.id


async def test_a_token_that_is_not_ours_is_told_so_and_makes_a_new_guest(server):
    async with Guest(server.url) as me, Guest(server.url, me.token[:-2] + "xx") as other:
        assert other.events("unauthorized")[0]["code"] == "unauthorized"
        assert other.id != me.id


async def test_a_cookie_is_as_good_as_a_token(server):
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        async with session.post(f"{server.url}/api/guest") as answer:
            person = (await answer.json())["person"]
        async with session.post(f"{server.url}/api/guest") as answer:
            assert (await answer.json())["person"] == person
        io = socketio.AsyncClient(reconnection=False, handle_sigint=False, http_session=session)
        heard = {}
        io.on("*", lambda event, payload: heard.update({event: payload}), namespace="/lobby")
        await io.connect(server.url, namespaces=["/lobby"], transports=["websocket"], wait_timeout=600)
        while "account" not in heard:
            await io.sleep(0.01)
        assert heard["account"]["person"]["id"] == person["id"]
        await io.disconnect()


async def test_without_a_token_the_lobby_is_closed(server):
    lobby = Lobby(server.url, "")
    with refused("unauthorized"):
        await lobby.open()
    assert [event for event, _ in lobby.told] == ["unauthorized"]


async def test_a_new_name_is_seen_by_everyone(server):
    async with guests(server.url, 2) as (me, other):
        lobby = await other.enter_lobby()
        await me.enter_lobby()
        await me.rename("  하늘 Sky 空  ")
        seen = await lobby.hears("user updated", lambda person: person["id"] == me.id)
        assert seen["name"] == me.person["name"] == "하늘 Sky 空"
        for bad in ("", "   ", "x" * 25, "two\nlines", "bell\a", "Bot 3"):
            with refused("422"):
                await me.rename(bad)


async def test_everyone_in_the_lobby_is_seen_with_rating_and_colour(server):
    async with guests(server.url, 2) as (me, other):
        mine = await me.enter_lobby()
        theirs = await other.enter_lobby()
        joined = await mine.hears("user joined", lambda person: person["id"] == other.id)
        assert (joined["rating"], joined["rank"], joined["colour"]) == (1300, "elementary", "green")
        assert {person["id"] for person in theirs.last["info"]["people"]} >= {me.id, other.id}
        assert not [person for person in theirs.events("user joined") if person["id"] == other.id]
        await theirs.close()
        await mine.hears("user left", lambda person: person["id"] == other.id)


async def test_chat_is_for_all_and_a_direct_message_for_one(server, meet):
    async with meet(server.url, 3) as people:
        lobbies = [await person.enter_lobby() for person in people]
        await lobbies[0].call("send dm", to=people[1].id, msg="only you")
        await lobbies[0].call("send msg", msg="  everyone  ")
        for lobby in lobbies:
            said = await lobby.hears("recieve msg", lambda message: message["who"]["id"] == people[0].id)
            assert said["msg"] == "everyone"
        assert [message["msg"] for message in lobbies[1].events("recieve dm")] == ["only you"]
        assert not lobbies[2].events("recieve dm")
        with refused("not-online"):
            await lobbies[0].call("send dm", to="nobody", msg="hello?")


async def test_rooms_appear_change_and_disappear_in_the_list(server, meet):
    async with meet(server.url, 2) as (me, other):
        lobby = await other.enter_lobby()
        room = await me.new_room("kulami", options={"level": 1})
        line = await lobby.hears("room created", lambda line: line["id"] == room.id)
        assert (line["game"], line["options"]["level"], line["locked"], line["seats"]) == ("kulami", 1, False, [None, None])
        assert line["link"] == f"/r/{room.id}"
        await room.call("sit on", seat=1)
        await lobby.hears("room updated", lambda line: line["id"] == room.id and line["seats"][1] == me.person["name"])
        assert "<title>Hanpan" in await other.http("GET", line["link"])
        await room.close()
        await lobby.hears("room removed", lambda gone: gone["id"] == room.id)
        with refused("no-such-room"):
            await other.enter(room.id)


async def test_an_invitation_opens_a_locked_door(server, meet):
    async with meet(server.url, 3) as (me, friend, stranger):
        lobby = await friend.enter_lobby()
        room = await me.new_room("kulami", password="sesame")
        for password in (None, "", "wrong"):
            with refused("wrong-password"):
                await stranger.enter(room.id, password)
        await room.call("send invitation", to=friend.id)
        invitation = await lobby.hears("recieved invitation")
        assert (invitation["who"]["id"], invitation["room"]["id"], invitation["room"]["locked"]) == (me.id, room.id, True)
        inside = await friend.enter(room.id)
        assert (await stranger.enter(room.id, "sesame")).last["info"]["id"] == room.id
        await room.hears("user joined", lambda person: person["id"] == friend.id)
        assert {person["id"] for person in inside.last["info"]["people"]} >= {me.id, friend.id}
        with refused("not-online"):
            await room.call("send invitation", to=stranger.id)


async def test_quick_match_pairs_two_who_want_the_same(server, meet):
    turn = {"kind": "turn", "turn_ms": 60_000}
    async with meet(server.url, 4) as people:
        lobbies = [await person.enter_lobby() for person in people]
        await lobbies[0].call("quick match", game="kulami", time=turn)
        await lobbies[1].call("quick match", game="kulami", time={"kind": "turn", "turn_ms": 61_000})
        await lobbies[2].call("quick match", game="kulami", time=turn)
        await lobbies[2].call("cancel match")  # too late: they were paired
        await lobbies[1].call("cancel match")
        await lobbies[3].call("quick match", game="kulami", time={"kind": "turn", "turn_ms": 61_000})
        rooms = []
        for number in (0, 2):
            moved = await lobbies[number].hears("move to room")
            rooms.append(await people[number].enter(moved["id"]))
        assert rooms[0].id == rooms[1].id
        await play_on(rooms, plies=4)
        assert [seat["person"]["id"] for seat in rooms[0].last["player info"]["seats"]] == [people[0].id, people[2].id]
        assert not lobbies[1].events("move to room")
        assert not lobbies[3].events("move to room")
        with refused("two-seats-only"):
            await lobbies[1].call("quick match", game="goita")


async def test_in_a_quick_match_no_clock_runs_and_no_chair_is_lost_before_its_person_is_there(local_server):
    server = local_server(patience=0.0).hold_clock()
    async with guests(server.url, 2) as people:
        lobbies = [await person.enter_lobby() for person in people]
        for lobby in lobbies:
            await lobby.call("quick match", game="kulami", time={"kind": "turn", "turn_ms": 60_000})
        moved = await lobbies[0].hears("move to room")
        state = server.services.registry.rooms[moved["id"]].state
        assert (state.awaited, state.match.clock.since) == ({person.id for person in people}, None)
        assert min([await server.do(state.timers.left, f"gone {person.id}") for person in people]) > 0
        await people[0].enter(moved["id"])
        assert (state.awaited, state.match.clock.since) == ({people[1].id}, server.services.now())


async def test_many_who_ask_at_once_are_told_one_list_until_something_changes(local_server, monkeypatch):
    monkeypatch.setattr("hanpan.server.rooms.lobby._LOBBY_SECONDS", 1e9)
    server = local_server()
    async with guests(server.url, 2) as people:
        lobby = await people[0].enter_lobby()
        before = await server.do(server.services.lobby.listing)
        assert await server.do(server.services.lobby.listing) is before
        await people[1].new_room("tictactoe")
        await lobby.hears("room created")
        assert len((await server.do(server.services.lobby.listing))["rooms"]) == len(before["rooms"]) + 1
