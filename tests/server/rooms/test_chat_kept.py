"""Chat of a room is kept: told to whoever enters, masked as live chat is, and quoted by reports."""

import asyncio

import pytest
from clients import guests, made_operator, refused, sit_down
from deals import Deals

QUIET = ["dealer 1", "deal 11123456,11123457,11223345,11456789"]
DAYS = 24 * 3600


def texts(room):
    """What a room told when it was entered."""
    return [message["msg"] for message in room.last["chat history"]["messages"]]


@pytest.mark.slow
async def test_whoever_enters_is_told_what_was_said_also_after_a_kill(own_server):
    server = own_server()
    async with guests(server.url, 3) as (me, other, late):
        mine = await me.new_room("kulami")
        assert (await mine.hears("chat history"))["messages"] == []
        theirs = await other.enter(mine.id)
        await mine.call("send msg", msg="hello")
        await theirs.call("send msg", msg="<b>hi</b>")
        told = await theirs.hears("recieve msg", lambda message: message["msg"] == "hello")
        again = await me.enter(mine.id)  # a second window
        assert (await again.hears("chat history"))["messages"][0] == told
        server.kill()
        await mine.until(lambda: not mine.connected)
        await asyncio.to_thread(server.start)
        third = await late.enter(mine.id)
        await third.hears("chat history")
        assert texts(third) == ["hello", "<b>hi</b>"]
        assert third.last["chat history"]["messages"][0]["who"]["id"] == me.id


async def test_only_the_last_hundred_and_nothing_too_old_is_told(local_server):
    server = local_server(messages_per_minute=1_000_000_000, chat_days=2)  # no machine is quicker than that fills
    async with guests(server.url, 3) as (me, other, late):
        mine = await me.new_room("kulami")
        await mine.call("sit on", seat=0)
        room = server.services.registry.rooms[mine.id]
        for number in range(103):
            await server.do(room.say, me.id, f"number {number}")
        theirs = await other.enter(mine.id)
        await theirs.hears("chat history")
        assert texts(theirs) == [f"number {number}" for number in range(3, 103)]
        await server.later(DAYS)
        await server.do(room.say, me.id, "a day later")
        await server.later(1.5 * DAYS)
        third = await late.enter(mine.id)
        await third.hears("chat history")
        assert texts(third) == ["a day later"]
        await server.do(room.say, me.id, "and now")  # whoever speaks sweeps
        assert [message.text for message in await server.do(server.services.store.chat.by, me.id)] == ["a day later", "and now"]


async def test_a_setting_keeps_nothing(local_server):
    server = local_server(chat_days=0)
    async with guests(server.url, 2) as (me, other):
        mine = await me.new_room("kulami")
        await mine.call("send msg", msg="between us")
        theirs = await other.enter(mine.id)
        assert (await theirs.hears("chat history"))["messages"] == []
        assert await server.do(server.services.store.chat.by, me.id) == []


async def test_spectators_of_a_game_with_secrets_are_read_by_its_players_only_afterwards(local_server):
    server = local_server(chance=Deals(QUIET))
    async with guests(server.url, 6) as people:
        rooms = await sit_down(people[:4], "goita")
        watching = await people[4].enter(rooms[0].id)
        await watching.call("send msg", msg="the dealer holds two kings")
        await rooms[1].call("send msg", msg="good luck")
        late = await people[5].enter(rooms[0].id)
        await late.hears("chat history")
        assert texts(late) == ["the dealer holds two kings", "good luck"]
        player = await people[0].enter(rooms[0].id)
        await player.hears("chat history")
        assert texts(player) == ["good luck"]
        report = {"about": people[4].id, "message_id": late.last["chat history"]["messages"][0]["id"]}
        with refused("404"):  # what one may not read can't be fished for by reporting it
            await people[0].http("POST", "/api/reports", json=report)
        await rooms[0].call("resign")
        await rooms[2].call("resign")
        await rooms[0].hears("game over")
        player = await people[0].enter(rooms[0].id)
        await player.hears("chat history")
        assert texts(player) == ["the dealer holds two kings", "good luck"]


async def test_whom_one_has_blocked_one_does_not_read_later_either(local_server):
    server = local_server()
    async with guests(server.url, 2) as (me, pest):
        theirs = await pest.new_room("kulami")
        await theirs.call("send msg", msg="look at me")
        await me.http("POST", "/api/me/blocks", json={"id": pest.id})
        mine = await me.enter(theirs.id)
        assert (await mine.hears("chat history"))["messages"] == []
        await me.http("DELETE", f"/api/me/blocks/{pest.id}")
        await mine.call("req info")
        await mine.hears("chat history", lambda told: len(told["messages"]) == 1)


async def test_a_report_quotes_what_was_kept_and_not_what_is_typed(local_server):
    server = local_server()
    async with guests(server.url, 3) as (me, other, boss):
        mine = await me.new_room("kulami")
        theirs = await other.enter(mine.id)
        await theirs.call("send msg", msg="something rude")
        said = await mine.hears("recieve msg")
        for made_up in ({"message": "something worse", "room": mine.id}, {"message_id": "nothing"}, {"message_id": said["id"], "about": me.id}):
            with refused("404"):
                await me.http("POST", "/api/reports", json={"about": other.id} | made_up)
        await me.http("POST", "/api/reports", json={"about": other.id, "text": "rude", "message_id": said["id"]})
        await made_operator(server, boss.id)
        (report,) = await boss.http("GET", "/api/operator/reports")
        assert (report["message"], report["message_id"], report["room_id"]) == ("something rude", said["id"], mine.id)
        assert [line["text"] for line in (await other.http("GET", "/api/me/export"))["messages"]] == ["something rude"]
        await other.http("DELETE", "/api/me", json={"name": other.person["name"]})
        again = await me.enter(mine.id)
        assert (await again.hears("chat history"))["messages"] == []  # gone with whoever said it
