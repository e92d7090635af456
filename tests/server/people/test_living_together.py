"""Living together: blocks, reports, operators whose acts take effect at once, a text filter, floods that are slowed."""

import asyncio

import pytest
from clients import Guest, guests, made_operator, refused, sit_down

from hanpan.client import Invalid
from hanpan.server.people.filters import filter_of, masking
from hanpan.server.people.limits import Buckets
from hanpan.server.settings import Settings


@pytest.fixture
def server(local_server):
    return local_server(filter_words=("ugh", "욕"), messages_per_minute=60)


async def operator(server, person):
    await made_operator(server, person.id)
    return person


async def test_where_chat_is_off_only_operators_are_heard(local_server):
    server = local_server(chat=False)
    async with guests(server.url, 2) as (teacher, pupil):
        await made_operator(server, teacher.id)
        mine, theirs = [await person.enter_lobby() for person in (pupil, teacher)]
        room = await pupil.new_room("tictactoe")
        table = await teacher.enter(room.id)
        assert mine.last["account"]["silent"] is True
        assert "silent" not in theirs.last["account"]
        for line, event, more in ((mine, "send msg", {}), (mine, "send dm", {"to": teacher.id}), (room, "send msg", {})):
            with refused("chat-off"):
                await line.call(event, msg="hello", **more)
        await theirs.call("send msg", msg="listen")
        await mine.hears("recieve msg", lambda message: message["msg"] == "listen")
        await table.call("send msg", msg="at this table, too")
        await room.hears("recieve msg", lambda message: message["msg"] == "at this table, too")
        await room.call("send invitation", to=teacher.id)  # that says nothing
        await theirs.hears("recieved invitation")
        await pupil.rename("Anna")


@pytest.mark.slow
async def test_a_blocked_persons_messages_and_invitations_do_not_arrive(server):
    async with guests(server.url, 3) as (me, pest, friend):
        mine, theirs, third = [await person.enter_lobby() for person in (me, pest, friend)]
        room = await pest.new_room("tictactoe")
        mine_room, friends_room = await me.enter(room.id), await friend.enter(room.id)
        await me.http("POST", "/api/me/blocks", json={"id": pest.id})
        await theirs.call("send msg", msg="to all")
        await theirs.call("send dm", to=me.id, msg="to you")
        await room.call("send msg", msg="in the room")
        await room.call("send invitation", to=me.id)
        await third.hears("recieve msg", lambda message: message["msg"] == "to all")
        await friends_room.hears("recieve msg")
        friends_lobby = await friend.enter_lobby()
        await friends_lobby.call("send msg", msg="the last word")
        await friends_room.call("send msg", msg="the last word here")
        await mine.hears("recieve msg", lambda message: message["msg"] == "the last word")
        await mine_room.hears("recieve msg", lambda message: message["msg"] == "the last word here")
        assert [message["msg"] for message in mine.events("recieve msg")] == ["the last word"]
        assert [message["msg"] for message in mine_room.events("recieve msg")] == ["the last word here"]
        assert not mine.events("recieve dm")
        assert not mine.events("recieved invitation")
        # two who are apart are not matched with each other
        await mine.call("quick match", game="tictactoe")
        await theirs.call("quick match", game="tictactoe")
        await third.call("quick match", game="tictactoe")
        await mine.hears("move to room")
        await third.hears("move to room")
        assert [told["id"] for told in theirs.events("move to room")] == [room.id]
        assert [person["id"] for person in (await me.http("GET", "/api/me"))["blocked"]] == [pest.id]
        await me.http("DELETE", f"/api/me/blocks/{pest.id}")
        await theirs.call("send dm", to=me.id, msg="sorry")
        assert (await mine.hears("recieve dm"))["msg"] == "sorry"
        for bad in ({"id": me.id}, {"id": "nobody"}):
            with pytest.raises(Invalid):
                await me.http("POST", "/api/me/blocks", json=bad)


async def test_a_mute_takes_effect_at_once_and_ends(server):
    async with guests(server.url, 3) as (boss, loud, other):
        await operator(server, boss)
        lobby, heard = await loud.enter_lobby(), await other.enter_lobby()
        rooms = await sit_down([loud, other], "tictactoe")
        await lobby.call("send msg", msg="before")
        await boss.http("POST", f"/api/operator/people/{loud.id}/mute", json={"minutes": 10, "reason": "too loud"})
        with refused("muted"):
            await lobby.call("send msg", msg="after")
        with refused("muted"):
            await lobby.call("send dm", to=other.id, msg="after")
        with refused("muted"):
            await rooms[0].call("send msg", msg="after")
        await rooms[0].play(rooms[0].mine()["legal"][0])  # whoever may not speak may still play
        await server.later(601)
        await lobby.call("send msg", msg="much later")
        await heard.hears("recieve msg", lambda message: message["msg"] == "much later")
        assert [message["msg"] for message in heard.events("recieve msg")] == ["before", "much later"]


@pytest.mark.slow
async def test_a_ban_closes_open_sockets_at_once_and_keeps_the_door_shut(server):
    async with guests(server.url, 3) as (boss, bad, other):
        await operator(server, boss)
        lobby = await bad.enter_lobby()
        rooms = await sit_down([bad, other], "tictactoe")
        await boss.http("POST", f"/api/operator/people/{bad.id}/ban", json={"minutes": 60, "reason": "cheating"})
        for line in (lobby, rooms[0]):
            assert (await line.hears("invalid action", lambda told: told["code"] == "banned"))["text"]
        await rooms[1].sees(0, connected=False)
        with refused("banned"):
            await Guest(server.url, bad.token).open()
        with refused("403"):
            await bad.http("GET", "/api/me")
        await boss.http("POST", f"/api/operator/people/{bad.id}/ban", json={"minutes": 0, "reason": "a mistake"})
        async with Guest(server.url, bad.token) as again:
            assert again.id == bad.id


async def test_another_name_reaches_the_rooms_that_show_it(local_server):
    server = local_server()
    async with guests(server.url, 3) as (one, other, looking):
        lobby = await looking.enter_lobby()
        room = await one.new_room("tictactoe")
        await (await other.enter(room.id)).call("sit on", seat=1)
        await lobby.hears("room updated", lambda line: line["seats"][1] == other.person["name"])
        so_far = len(lobby.told)
        await one.rename("Kind Host")
        await lobby.until(lambda: any(event == "room updated" and line["master"] == "Kind Host" for event, line in lobby.told[so_far:]))
        await other.rename("Kind Guest")
        await lobby.until(lambda: any(event == "room updated" and line["seats"][1] == "Kind Guest" for event, line in lobby.told[so_far:]))


async def test_the_name_that_an_operator_has_given_holds_for_a_day(local_server):
    server = local_server()
    async with guests(server.url, 2) as (boss, rude):
        await operator(server, boss)
        await boss.http("POST", f"/api/operator/people/{rude.id}/rename", json={"name": "Polite", "reason": "rude name"})
        with pytest.raises(Invalid, match=r"renamed-by-operator.*in 24 hours"):
            await rude.rename("Rude Again")
        await server.later(23 * 3600 + 60)
        with pytest.raises(Invalid, match=r"renamed-by-operator.*in 1 hour\."):
            await rude.rename("Rude Again")
        await server.later(3600)
        await rude.rename("Late Riser")


@pytest.mark.slow
async def test_an_operator_renames_closes_rooms_and_every_act_is_written_down(server):
    async with guests(server.url, 3) as (boss, one, other):
        await operator(server, boss)
        await other.http("PATCH", "/api/me", json={"name": "Not So Polite"})  # whoever is called just so is found first
        lobby = await other.enter_lobby()
        called = one.person["name"]
        await boss.http("POST", f"/api/operator/people/{one.id}/rename", json={"name": "Polite", "reason": "rude name"})
        assert (await lobby.hears("user updated", lambda person: person["id"] == one.id))["name"] == "Polite"
        rooms = await sit_down([one, other], "tictactoe")
        await boss.http("POST", f"/api/operator/rooms/{rooms[0].id}/close", json={"reason": "rude room"})
        for room in rooms:
            await room.hears("invalid action", lambda told: told["code"] == "room-closed")
            assert (await room.hears("game over"))["reason"] == "abandoned"
        await lobby.hears("room removed", lambda gone: gone["id"] == rooms[0].id)
        report = await one.http("POST", "/api/reports", json={"about": other.id, "text": "was rude", "room": rooms[0].id})
        waiting = await boss.http("GET", "/api/operator/reports")
        assert [(line["id"], line["by"], line["about_id"], line["text"]) for line in waiting] == [(report["id"], "Polite", other.id, "was rude")]
        await boss.http("POST", f"/api/operator/reports/{report['id']}/close", json={"reason": "looked at it"})
        assert await boss.http("GET", "/api/operator/reports") == []
        acts = await boss.http("GET", "/api/operator/log")
        assert [(act["verb"], act["reason"], act["operator_id"]) for act in acts] == [
            ("report", "looked at it", boss.id), ("close", "rude room", boss.id), ("rename", "rude name", boss.id),
        ]  # fmt: skip
        assert [(act["by"], act["about"]) for act in acts] == [(boss.person["name"], None), (boss.person["name"], None), (boss.person["name"], "Polite")]
        assert acts[2]["document"] == {"name": "Polite", "before": called}
        found = (await boss.http("GET", "/api/operator/people?name=polite"))[0]
        assert found["id"] == one.id
        assert found.items() <= (await boss.http("GET", f"/api/operator/people/{one.id}")).items()
        await boss.http("POST", f"/api/operator/people/{one.id}/role", json={"role": "operator", "reason": "helps"})
        assert (await one.http("GET", "/api/me"))["role"] == "operator"
        made, *_ = await boss.http("GET", "/api/operator/log")
        assert made["document"] == {"role": "operator", "was": None}


async def test_nobody_else_may_do_what_operators_do(server):
    async with guests(server.url, 2) as (me, other):
        for method, path, body in (
            ("POST", f"people/{other.id}/ban", {"minutes": 1, "reason": "x"}),
            ("POST", f"people/{other.id}/role", {"role": "operator", "reason": "x"}),
            ("POST", "rooms/x/close", {"reason": "x"}),
            ("GET", "log", None),
            ("GET", "reports", None),
            ("GET", "people?name=a", None),
            ("GET", f"people/{other.id}", None),
        ):
            with refused("403"):
                await me.http(method, f"/api/operator/{path}", json=body)
        await operator(server, me)
        for path in ("people/nobody/mute", "people/nobody/ban"):
            with refused("404"):
                await me.http("POST", f"/api/operator/{path}", json={"minutes": 1, "reason": "x"})


async def test_a_flood_is_slowed_and_a_conversation_is_not(server):
    server.services.limits.messages = Buckets(0.001, 10)  # however slow this machine is
    async with guests(server.url, 2) as (me, other):
        mine, theirs = await me.enter_lobby(), await other.enter_lobby()
        for _ in range(4):  # a lively exchange
            await mine.call("send msg", msg="so?")
            await theirs.call("send msg", msg="so!")
        answers = await asyncio.gather(*(mine.call("send msg", msg=f"flood {n}") for n in range(60)), return_exceptions=True)
        stopped = [answer for answer in answers if isinstance(answer, Invalid)]
        assert {answer.code for answer in stopped} == {"too-fast"}
        assert len(stopped) == 54
        await theirs.call("send msg", msg="still here")


async def test_words_are_masked_in_messages_and_names(server):
    async with guests(server.url, 2) as (me, other):
        mine, theirs = await me.enter_lobby(), await other.enter_lobby()
        await mine.call("send msg", msg="Ugh! 욕 ughly")
        assert (await theirs.hears("recieve msg"))["msg"] == "•••! • ughly"
        await me.rename("ugh fox")
        assert me.person["name"] == "••• fox"


def test_the_filter_can_be_replaced():
    assert filter_of(Settings(filter="builtins:repr"))("x") == "'x'"
    assert masking([])("anything") == "anything"
    for wrong in ("nowhere:nothing", "builtins", "builtins:nothing", "sys:version"):
        with pytest.raises(ValueError, match="filter: "):
            filter_of(Settings(filter=wrong))
