"""Operators: none of them acts against another alone, and whatever they do is written down for all of them."""

import asyncio

import pytest
from clients import Guest, guests, made_operator, refused

from hanpan.client import Invalid


@pytest.fixture
def server(local_server):
    return local_server()


async def operators(server, people):
    for person in people:
        await made_operator(server, person.id)


async def role_of(person):
    return (await person.http("GET", "/api/me"))["role"]


@pytest.mark.slow
async def test_an_operator_is_banned_or_demoted_only_when_a_second_one_agrees(server):
    async with guests(server.url, 4) as (first, second, bad, guest):
        await operators(server, (first, second, bad))
        at = f"/api/operator/people/{bad.id}"
        for verb, more in (("ban", {"minutes": 60}), ("mute", {"minutes": 60}), ("rename", {"name": "Silly"}), ("role", {"role": None})):
            assert await first.http("POST", f"{at}/{verb}", json={**more, "reason": f"{verb}, because"}) == {"ok": True, "proposed": True}
        assert await role_of(bad) == "operator", "nothing is done yet"
        waiting = await second.http("GET", "/api/operator/proposals")
        assert [(line["verb"], line["by"], line["target"]) for line in waiting] == [
            (verb, first.person["name"], bad.id) for verb in ("role", "rename", "mute", "ban")
        ]
        role, rename, mute, ban = (line["id"] for line in waiting)
        for someone, path in ((first, f"{ban}/agree"), (bad, f"{ban}/agree"), (bad, f"{ban}/decline"), (guest, f"{ban}/agree")):
            with refused("403"):
                await someone.http("POST", f"/api/operator/proposals/{path}", json={"reason": "x"})
        await second.http("POST", f"/api/operator/proposals/{mute}/decline", json={"reason": "too harsh"})
        await first.http("POST", f"/api/operator/proposals/{rename}/decline", json={"reason": "changed my mind"})
        tries = [second.http("POST", f"/api/operator/proposals/{role}/agree", json={"reason": "I agree"}) for _ in range(4)]
        done = await asyncio.gather(*tries, return_exceptions=True)
        assert [isinstance(each, Invalid) for each in done].count(False) == 1, "it is done once"
        assert await role_of(bad) is None
        await second.http("POST", f"/api/operator/proposals/{ban}/agree", json={"reason": "I agree"})
        with refused("banned"):
            await Guest(server.url, bad.token).open()
        acts = await second.http("GET", "/api/operator/log")
        assert [act["verb"] for act in acts] == ["ban", "role", "decline", "decline", "propose", "propose", "propose", "propose"]
        assert (acts[0]["by"], acts[0]["document"]["second"], acts[0]["document"]["agreed"]) == (first.person["name"], second.person["name"], "I agree")


async def test_nobody_makes_an_operator_who_would_agree_with_them(server):
    async with guests(server.url, 3) as (first, second, puppet):
        await operators(server, (first,))
        assert await first.http("POST", f"/api/operator/people/{second.id}/role", json={"role": "operator", "reason": "the only one so far"}) == {"ok": True}
        await made_operator(server, second.id)  # who sets a second factor up
        told = await first.http("POST", f"/api/operator/people/{puppet.id}/role", json={"role": "operator", "reason": "my other self"})
        assert told == {"ok": True, "proposed": True}
        assert await role_of(puppet) is None
        assert await second.http("POST", f"/api/operator/people/{second.id}/role", json={"role": None, "reason": "I have had enough"}) == {"ok": True}


async def test_nobody_agrees_with_someone_who_is_no_operator_any_more(server):
    async with guests(server.url, 3) as (first, second, other):
        await operators(server, (first, second, other))
        await first.http("POST", f"/api/operator/people/{other.id}/role", json={"role": None, "reason": "a rival"})
        [waiting] = await second.http("GET", "/api/operator/proposals")
        await server.do(lambda: server.services.store.accounts.change(first.id, role=None))
        with refused("403"):
            await second.http("POST", f"/api/operator/proposals/{waiting['id']}/agree", json={"reason": "I agree"})
        assert await role_of(other) == "operator"
        await second.http("POST", f"/api/operator/proposals/{waiting['id']}/decline", json={"reason": "nobody asks any more"})


async def test_what_operators_and_oneself_are_told_is_what_is_stored_and_names_to_it(server):
    async with guests(server.url, 3) as (boss, noisy, cross):
        await operators(server, (boss,))
        await cross.http("POST", "/api/reports", json={"about": noisy.id, "text": "too loud", "message": "HELLO"})
        report = {"person_id": cross.id, "about_id": noisy.id, "text": "too loud", "message": "HELLO", "room_id": None, "closed_at": None, "message_id": None}
        [waiting] = await boss.http("GET", "/api/operator/reports")
        own = {"id": waiting["id"], "at": waiting["at"], **report}
        assert waiting == own | {"by": cross.person["name"], "about": noisy.person["name"]}
        assert (await cross.http("GET", "/api/me/export"))["reports"] == [own]
        made = await boss.http("POST", "/api/operator/bans", json={"kind": "address", "value": "203.0.113.0/24", "minutes": None, "reason": "a flood"})
        [ban] = await boss.http("GET", "/api/operator/bans")
        act = {"operator_id": boss.id, "reason": "a flood", "by": boss.person["name"], "about": None}
        assert ban == act | {
            "id": made["id"], "at": ban["at"], "kind": "address", "value": "203.0.113.0/24", "until": None, "person_id": None, "lifted_at": None,
        }  # fmt: skip
        [logged] = await boss.http("GET", "/api/operator/log")
        assert logged == act | {
            "id": logged["id"], "at": logged["at"], "verb": "bar", "target": made["id"], "document": logged["document"],
            "places": [{"kind": "address", "value": "203.0.113.0/24"}],
        }  # fmt: skip
        assert "bans" not in logged["document"]
