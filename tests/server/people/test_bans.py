"""Bans: of people, of where they come from, of their browsers; each with an end or none, told kindly; and addresses that become shorter."""

import contextlib
from pathlib import Path

import aiohttp
import pytest
from clients import Guest, guests, made_operator, refused

from hanpan.client import Invalid
from hanpan.server.people.bans import Bans, browser_key
from hanpan.server.storage.models import Trace
from hanpan.server.storage.sweep import Ages, Sweep

HOME, NEXT_DOOR, FAR = "203.0.113.7", "203.0.113.99", "198.51.100.4"
SIX, SIX_TOO, SIX_FAR = "2001:db8:1:2::7", "2001:db8:1:2:aaaa::8", "2001:db8:1:3::7"
DAY = 24 * 3600


@pytest.fixture
def server(local_server):
    return local_server()


class From(Guest):
    """Someone at an address; a reverse proxy on this machine is believed."""

    address = HOME

    def session(self):
        return aiohttp.ClientSession(headers={"X-Forwarded-For": self.address})

    @classmethod
    def at(cls, address):
        return type("FromThere", (cls,), {"address": address, "lobby_class": type("Lobby", (Guest.lobby_class,), {"session": cls.session, "address": address})})


@contextlib.asynccontextmanager
async def browser_at(url, address):
    """A browser with its cookies, at an address."""
    async with aiohttp.ClientSession(headers={"X-Forwarded-For": address}, cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:

        async def ask(method, path, **more):
            async with session.request(method, url + path, **more) as answer:
                return answer.status, await answer.json()

        ask.session = session
        yield ask


async def operator(server, person):
    await made_operator(server, person.id)
    return person


async def test_a_banned_guest_does_not_come_back_as_another_from_the_same_address(server):
    async with guests(server.url, 1) as (boss,), From.at(HOME)(server.url) as bad:
        await operator(server, boss)
        lobby = await bad.enter_lobby()
        places = (await boss.http("GET", f"/api/operator/people/{bad.id}"))["places"]
        assert [place["address"] for place in places] == [HOME]
        await boss.http("POST", f"/api/operator/people/{bad.id}/ban", json={"minutes": 60, "reason": "rude", "addresses": True})
        await lobby.hears("invalid action", lambda told: told["code"] == "banned")
        with refused("banned"):
            await From.at(HOME)(server.url).open()
        async with browser_at(server.url, HOME) as there:
            status, told = await there("POST", "/api/guest")
            assert (status, told["code"]) == (403, "banned")
            assert "until" in told["text"]
            assert "UTC" in told["text"]
        async with From.at(NEXT_DOOR)(server.url) as neighbour:
            assert neighbour.id
        await server.later(3601)
        async with From.at(HOME)(server.url) as again:
            assert again.id != bad.id
        await boss.http("POST", f"/api/operator/people/{bad.id}/ban", json={"minutes": None, "reason": "for good", "addresses": True})
        with refused("banned"):
            await From.at(HOME)(server.url).open()
        await server.later(300 * DAY)
        with refused("banned"):
            await Guest(server.url, bad.token).open()
        await boss.http("POST", f"/api/operator/people/{bad.id}/ban", json={"minutes": 0, "reason": "it was a mistake"})
        async with From.at(HOME)(server.url) as forgiven:
            assert forgiven.id


async def test_a_range_is_banned_and_whoever_is_in_it_is_shown_out_but_operators_are_not(server):
    async with guests(server.url, 1) as (boss,), From.at(SIX)(server.url) as one, From.at(SIX_FAR)(server.url) as far, From.at(SIX_TOO)(server.url) as chief:
        for person in (boss, chief):
            await operator(server, person)
        lobby, others, office = await one.enter_lobby(), await far.enter_lobby(), await chief.enter_lobby()
        made = await boss.http("POST", "/api/operator/bans", json={"kind": "address", "value": SIX_TOO, "minutes": 60, "reason": "a flood"})
        assert (await lobby.hears("invalid action", lambda told: told["code"] == "banned"))["phrase"]["key"] == "server.banned-here"
        with refused("banned"):
            await From.at(SIX)(server.url).open()
        for line in (others, office):
            await line.call("send msg", msg="still here")
        bans = await boss.http("GET", "/api/operator/bans")
        assert [(ban["id"], ban["value"], ban["by"]) for ban in bans] == [(made["id"], "2001:db8:1:2::/64", boss.person["name"])]
        await boss.http("POST", f"/api/operator/bans/{made['id']}/lift", json={"reason": "the flood is over"})
        async with From.at(SIX)(server.url) as back:
            assert back.id
        with refused("404"):
            await boss.http("POST", f"/api/operator/bans/{made['id']}/lift", json={"reason": "again"})
        acts = await boss.http("GET", "/api/operator/log")
        assert [act["verb"] for act in acts] == ["lift", "bar"]
        assert [act["places"] for act in acts] == [[{"kind": "address", "value": "2001:db8:1:2::/64"}]] * 2
        assert "2001" not in str([act["document"] for act in acts]), "addresses are kept in one place"
        await server.later(31 * DAY)
        acts = await boss.http("GET", "/api/operator/log")
        assert {place["value"] for act in acts for place in act["places"]} == {"2001:db8:1::/48"}, "once the ban is over for long, the log has it shorter"


async def test_a_range_is_banned_though_guests_who_were_seen_there_are_gone(server):
    for _ in range(3):
        async with From.at(HOME)(server.url):
            pass
    await server.later(91 * DAY)
    async with guests(server.url, 1) as (boss,), From.at(NEXT_DOOR)(server.url) as one:
        await operator(server, boss)
        lobby = await one.enter_lobby()
        swept = Sweep(server.services.store, Path("unused"), Ages(guests=90), server.services.now, 0)
        assert await server.do(swept.run) == {"guests": 3}
        await boss.http("POST", "/api/operator/bans", json={"kind": "address", "value": "203.0.113.0/24", "minutes": 60, "reason": "a flood"})
        await lobby.hears("invalid action", lambda told: told["code"] == "banned")
        assert [act["verb"] for act in await boss.http("GET", "/api/operator/log")] == ["bar"]


async def test_the_log_names_the_addresses_that_were_banned_with_someone(server):
    async with guests(server.url, 1) as (boss,), From.at(HOME)(server.url) as one:
        await operator(server, boss)
        await boss.http("POST", f"/api/operator/people/{one.id}/ban", json={"minutes": 60, "reason": "rude", "addresses": True})
        await boss.http("POST", f"/api/operator/people/{one.id}/ban", json={"minutes": 0, "reason": "was sorry"})
        ended, made = await boss.http("GET", "/api/operator/log")
        assert (made["places"], ended["places"]) == ([{"kind": "address", "value": "203.0.113.7/32"}], [])


async def test_a_banned_browser_is_known_at_another_address(server):
    async with guests(server.url, 1) as (boss,), browser_at(server.url, HOME) as there:
        await operator(server, boss)
        for _ in range(2):  # with the cookie that the first answer brought
            _, bad = await there("POST", "/api/guest")
        id = bad["person"]["id"]
        place = next(place for place in (await boss.http("GET", f"/api/operator/people/{id}"))["places"] if place["browser"])
        await boss.http("POST", f"/api/operator/people/{id}/ban", json={"minutes": 60, "reason": "rude", "browsers": True})
        names = {cookie.key: cookie.value for cookie in there.session.cookie_jar}
        kept = next(value for value in names.values() if browser_key(value) == place["browser"])
        cookies = {key: value for key, value in names.items() if value == kept}
        headers = {"X-Forwarded-For": FAR}
        async with aiohttp.ClientSession(headers=headers, cookies=cookies) as moved, moved.post(f"{server.url}/api/guest") as answer:
            assert (answer.status, (await answer.json())["code"]) == (403, "banned")
        async with browser_at(server.url, HOME) as neighbour:
            assert (await neighbour("POST", "/api/guest"))[0] == 200, "only that browser"


@pytest.mark.parametrize("value", ["127.0.0.1", "::1", "0.0.0.0/0", "203.0.0.0/8", "2001::/16", "home", "203.0.113.7/40"])
async def test_what_is_no_range_or_too_wide_or_this_machine_is_refused(server, value):
    async with guests(server.url, 1) as (boss,):
        await operator(server, boss)
        with refused("400"):
            await boss.http("POST", "/api/operator/bans", json={"kind": "address", "value": value, "minutes": 60, "reason": "x"})
        assert await boss.http("GET", "/api/operator/bans") == []


async def test_nobody_shuts_themselves_out(server):
    async with guests(server.url, 2) as (boss, pest), From.at(HOME)(server.url) as neighbour:
        await operator(server, boss)
        own, other, places = f"/api/operator/people/{boss.id}", f"/api/operator/people/{neighbour.id}", "/api/operator/bans"

        async def act(path, **body):
            return await boss.http("POST", path, json={"reason": "because", **body}, headers={"X-Forwarded-For": NEXT_DOOR, "Cookie": "hanpan_browser=mine"})

        def place(value, kind="address"):
            return {"kind": kind, "value": value}

        for code, path, body in (
            ("own-ban", f"{own}/ban", {"minutes": 60}),
            ("own-ban", f"{own}/ban", {"minutes": None}),
            ("own-ban", f"{own}/mute", {"minutes": 60}),
            ("own-place", places, place("203.0.113.0/24") | {"minutes": 60}),
            ("own-place", places, place(NEXT_DOOR) | {"minutes": None}),
            ("own-place", places, place(browser_key("mine"), "browser") | {"minutes": 60}),
        ):
            with pytest.raises(Invalid, match=code):
                await act(path, **body)
        await server.do(server.services.store.barring.saw, Trace(neighbour.id, NEXT_DOOR, "", 5))
        with pytest.raises(Invalid, match="own-place"):
            await act(f"{other}/ban", minutes=60, addresses=True)
        assert [await boss.http("GET", f"/api/operator/{part}") for part in ("bans", "log")] == [[], []], "nothing was done"
        assert (await neighbour.http("GET", "/api/me"))["person"]["id"] == neighbour.id
        await act(f"{own}/mute", minutes=0)
        await act(f"{other}/ban", minutes=60)
        await act(places, minutes=60, **place(HOME))
        await act(f"/api/operator/people/{pest.id}/ban", minutes=60, addresses=True)


async def test_nobody_agrees_to_what_shuts_themselves_out(server):
    async with guests(server.url, 3) as (first, second, bad):
        for each in (first, second, bad):
            await operator(server, each)
        await server.do(server.services.store.barring.saw, Trace(bad.id, NEXT_DOOR, "", 5))
        ban = {"minutes": 60, "addresses": True, "reason": "spam"}
        assert (await first.http("POST", f"/api/operator/people/{bad.id}/ban", json=ban))["proposed"]
        (waiting,) = await second.http("GET", "/api/operator/proposals")

        async def agree(address):
            path = f"/api/operator/proposals/{waiting['id']}/agree"
            await second.http("POST", path, json={"reason": "yes"}, headers={"X-Forwarded-For": address})

        with pytest.raises(Invalid, match="own-place"):
            await agree(NEXT_DOOR)
        assert await second.http("GET", "/api/operator/proposals") == [waiting], "nothing was done, and it still waits"
        await agree(FAR)
        assert await second.http("GET", "/api/operator/proposals") == []


async def test_bans_outlive_a_restart(server):
    async with guests(server.url, 1) as (boss,):
        await operator(server, boss)
        for value, minutes in ((HOME, 60), (FAR, None), (SIX, 1)):
            await boss.http("POST", "/api/operator/bans", json={"kind": "address", "value": value, "minutes": minutes, "reason": "x"})
        await server.later(61)
        later = Bans(server.services.store.barring, 30, server.services.now)  # as a server that is started again has them
        await server.do(later.load)
        assert [later.found(address, "") is not None for address in (HOME, FAR, "2001:db8:1:2::/64")] == [True, True, False]


async def test_addresses_become_shorter_where_they_are_kept_and_where_they_are_shown(server):
    async with guests(server.url, 1) as (boss,), From.at(HOME)(server.url) as one, From.at(SIX)(server.url) as other:
        await operator(server, boss)
        stored = server.services.store.barring
        for days, four, six in ((29, HOME, "2001:db8:1:2::/64"), (2, "203.0.113.0/24", "2001:db8:1::/48")):
            await server.later(days * DAY)
            for person, wanted in ((one, four), (other, six)):
                assert [place["address"] for place in (await boss.http("GET", f"/api/operator/people/{person.id}"))["places"]] == [wanted]
        assert [trace.address for trace in await server.do(stored.traces, one.id)] == [HOME], "shown shorter before it is swept"
        ended = await server.do(lambda: server.services.people.bans.add("address", HOME, 1, "x", boss.id))
        await server.do(server.services.people.bans.lift, ended.id)
        await server.later(31 * DAY)
        await server.do(server.services.people.bans.tidy)
        for person, wanted in ((one, "203.0.113.0/24"), (other, "2001:db8:1::/48")):
            assert [trace.address for trace in await server.do(stored.traces, person.id)] == [wanted]
        assert [ban.value for ban in await server.do(stored.bans)] == ["203.0.113.0/24"]
        again = Trace(one.id, "203.0.113.0/24", "", 5)
        await server.do(stored.saw, again)
        assert len(await server.do(stored.traces, one.id)) == 1, "the same place is kept once"
