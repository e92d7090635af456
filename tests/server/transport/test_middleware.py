"""The middleware: foreign pages, big bodies, crowds from one address, headers, cookies; and what never gets into logs."""

import asyncio
import json
import re

import aiohttp
import pytest
import socketio
from clients import Guest, guests, sit_down
from deals import Deals
from hashes import LIGHT
from logging_in import browser

from hanpan.server.people.limits import Buckets
from hanpan.server.transport.middleware import MOST_BODY


@pytest.fixture
def server(local_server):
    return local_server(guests_per_hour=20, tries_per_hour=15, requests_per_minute=60, connections_per_address=6, origins=("https://friend.example",))


async def ask(url, method, path, **more):
    async with aiohttp.ClientSession() as session, session.request(method, url + path, **more) as answer:
        return answer.status, await answer.read(), answer.headers


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Origin": "self"}, 200),
        ({"Origin": "https://friend.example"}, 200),
        ({"Sec-Fetch-Site": "same-origin"}, 200),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://127.0.0.1:1"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
    ],
)
async def test_a_page_from_elsewhere_changes_nothing(server, headers, status):
    given = {key: server.url if value == "self" else value for key, value in headers.items()}
    assert (await ask(server.url, "POST", "/api/guest", headers=given))[0] == status
    assert (await ask(server.url, "GET", "/api/rooms", headers=given))[0] == 200


@pytest.mark.parametrize("origin", ["https://evil.example", "null"])
async def test_a_page_from_elsewhere_gets_no_socket(server, origin):
    async with aiohttp.ClientSession() as session:
        io = socketio.AsyncClient(reconnection=False, handle_sigint=False, http_session=session)
        with pytest.raises(socketio.exceptions.ConnectionError):
            await io.connect(server.url, headers={"Origin": origin}, transports=["websocket"], wait_timeout=20)
    status, body, _ = await ask(server.url, "GET", "/socket.io/?EIO=4&transport=polling", headers={"Origin": origin})
    assert (status, b"not an accepted origin" in body) == (400, True)


@pytest.mark.slow
async def test_what_depends_on_who_asks_is_kept_by_nobody_on_the_way(local_server):
    server = local_server(chance=Deals(["dealer 1", "deal 11123456,11123457,11223345,11456789"]))
    async with guests(server.url, 4) as people:
        rooms = await sit_down(people, "goita")
        at = f"/api/records/{rooms[0].board['game_id']}"
        mine = {"Authorization": f"Bearer {people[0].token}"}
        pictures = [(await ask(server.url, "GET", f"{at}.svg", headers=headers))[1] for headers in (mine, {})]
        assert pictures[0] != pictures[1], "whoever plays sees a hand that others do not"
        for path in (
            f"{at}.svg",
            f"{at}.json",
            f"{at}.txt",
            f"{at}/scenes",
            f"{at}/ledger",
            at,
            "/api/records",
            f"/api/people/{people[0].id}/games",
            "/api/me",
        ):
            _, _, headers = await ask(server.url, "GET", path, headers=mine)
            assert headers["cache-control"] == "private, no-store", path
            assert "Cookie" in ", ".join(headers.getall("vary")), path
    _, _, headers = await ask(server.url, "GET", "/api/words/en")
    assert "cache-control" not in headers, "what is the same for all may be kept"


@pytest.mark.slow
async def test_headers_and_cookies_are_strict(local_server):
    server = local_server(url="https://games.example.org")
    public = {"Host": "games.example.org"}
    _, _, headers = await ask(server.url, "POST", "/api/guest", headers=public)
    cookie = headers["set-cookie"].lower()
    assert all(part in cookie for part in ("httponly", "samesite=lax", "secure"))
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy.replace("'wasm-unsafe-eval'", "")  # modules of ours may run, and no text becomes a script
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert "max-age" in headers["strict-transport-security"]
    for path in ("/", "/docs", "/login/password?ticket=%3Cscript%3E"):
        _, body, _ = await ask(server.url, "GET", path, headers=public)
        assert b"<style" not in body
        assert all(b"src=" in script for script in re.findall(rb"<script[^>]*>", body))
    _, _, headers = await ask(server.url, "GET", "/api/svg?game=tictactoe", headers=public)
    assert "script-src" not in headers["content-security-policy"]


async def test_a_body_that_is_too_big_is_refused(server):
    assert (await ask(server.url, "POST", "/api/login/email", data=b"x" * (MOST_BODY + 1)))[0] == 413

    async def endless():
        for _ in range(50):
            yield b"[" * 20_000

    status, _, _ = await ask(server.url, "POST", "/api/login/email", data=endless(), headers={"Content-Type": "application/json"})
    assert 400 <= status < 500


async def test_crowds_from_one_address_are_slowed_and_others_are_not(server):
    crowd, other, club = ({"X-Forwarded-For": f"203.0.113.{n}"} for n in (7, 8, 9))
    guests_made = [(await ask(server.url, "POST", "/api/guest", headers=crowd))[0] for _ in range(15)]
    assert guests_made.count(200) == 10
    assert set(guests_made) == {200, 429}
    assert (await ask(server.url, "POST", "/api/guest", headers=other))[0] == 200
    tries = [(await ask(server.url, "POST", "/api/login/email", json={"email": f"a{n}@b.c", "password": "x"}, headers=other))[0] for n in range(8)]
    assert tries == [401] * 5 + [429] * 3
    for n in range(8):  # whoever is right is not refused for what others do right
        member = await server.do(server.services.people.newcomer)
        await server.do(server.services.store.accounts.add_login, "email", f"m{n}@b.c", member.id, f"m{n}@b.c", LIGHT.hash("correct horse"))
        login = await ask(server.url, "POST", "/api/login/email", json={"email": f"m{n}@b.c", "password": "correct horse"}, headers=club)
        assert login[0] == 200
    told = await asyncio.gather(*(ask(server.url, "GET", "/api/logins", headers=crowd) for _ in range(80)))
    assert {status for status, _, _ in told} == {200, 429}
    assert all(int(headers["Retry-After"]) >= 1 for status, _, headers in told if status == 429)
    assert (await ask(server.url, "GET", "/api/logins", headers=other))[0] == 200


async def test_a_class_that_shares_an_address_opens_the_page_at_once(server):
    files = ["/api/words/en", *(f"/page/{n}.js" for n in range(10))]

    async def asked(session, method, path):
        async with session.request(method, server.url + path, headers={"X-Forwarded-For": "203.0.113.7"}) as answer:
            return answer.status

    async with aiohttp.ClientSession() as session:
        for _ in range(8):  # their requests are twice as many as may come at once
            told = [await asked(session, *each) for each in (("GET", "/"), *(("GET", path) for path in files), ("POST", "/api/guest"), ("GET", "/api/me"))]
            assert 429 not in told


async def test_a_class_that_shares_an_address_signs_up_at_once_and_guesses_no_more_for_it(server):
    server.services.limits.requests = Buckets(1000, 1000)
    school, given = {"X-Forwarded-For": "203.0.113.7"}, server.services.store.accounts.give_ticket

    async def post(path, **body):
        return (await ask(server.url, "POST", path, json=body, headers=school))[0]

    server.services.limits.links = Buckets(0.001, 60)  # however slow this machine is
    assert [await post("/api/login/email/register", email=f"p{n}@b.c") for n in range(61)] == [202] * 60 + [429]
    for n in range(12):  # a password that anyone would try is no guess either
        ticket = await server.do(given, "mail", {"email": f"p{n}@b.c", "session": None, "secret": ""}, 60)
        assert await post("/api/login/email/password", ticket=ticket, password="12345678") == 400
        assert await post("/api/login/email/password", ticket=ticket, password="correct horse") == 200
    guesses = [await post("/api/login/email", email=f"p{n}@b.c", password="a guess") for n in range(6)]
    assert guesses[:2] + guesses[-1:] == [401, 401, 429]
    assert await post("/api/login/email/password", ticket="invented", password="correct horse") == 429


async def test_one_person_does_not_use_up_what_others_of_the_same_address_may_ask_for(local_server):
    server = local_server()
    limits, school = server.services.limits, {"X-Forwarded-For": "203.0.113.7"}

    async def asked(times, path="/api/me", **more):
        return [(await ask(server.url, "GET", path, headers=school | more))[0] for _ in range(times)]

    pupils = [re.match(r"hanpan=[^;]+", (await ask(server.url, "POST", "/api/guest", headers=school))[2]["set-cookie"])[0] for _ in range(4)]
    limits.requests, limits.addresses = Buckets(0.001, 20), Buckets(0.001, 70)  # however slow this machine is
    assert await asked(25, Cookie=pupils[0]) == [200] * 20 + [429] * 5
    assert await asked(15, Cookie=pupils[1]) == [200] * 15
    assert await asked(15, Authorization=f"Bearer {pupils[2].removeprefix('hanpan=')}") == [200] * 15
    invented = [(await asked(1, "/api/logins", Cookie=f"hanpan=invented{n}"))[0] for n in range(21)]
    assert invented == [200] * 20 + [429], "who only claims to be someone is a stranger"
    assert await asked(5, Cookie=pupils[3]) == [429] * 5, "all of them together have a measure, too"


@pytest.mark.parametrize(("language", "told"), [("ko,en;q=0.5", "초 뒤에"), ("fr", "Try again in")])
async def test_whoever_opens_a_page_too_fast_reads_when_it_will_open_by_itself(local_server, language, told):
    server = local_server(unlimited_local=False)
    server.services.limits.requests = Buckets(0.1, 1)
    browser = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8", "Accept-Language": language}
    statuses = [(await ask(server.url, "GET", "/lobby", headers=browser)) for _ in range(2)]
    status, body, headers = statuses[-1]
    assert (status, headers["content-type"]) == (429, "text/html; charset=utf-8")
    page = body.decode()
    assert f'<meta http-equiv="refresh" content="{headers["Retry-After"]}">' in page
    assert f'lang="{language[:2] if language[:2] == "ko" else "en"}"' in page
    assert told in page
    assert "<script" not in page
    assert "style" not in page
    _, body, headers = await ask(server.url, "GET", "/api/me", headers=browser)
    assert (headers["content-type"], told in json.loads(body)["text"]) == ("application/json", True)
    assert (await ask(server.url, "GET", "/lobby", headers={"Accept": "*/*"}))[2]["content-type"] == "application/json"


@pytest.mark.slow
async def test_one_account_is_guessed_slowly_from_one_address_and_its_owner_is_never_locked_out(server, monkeypatch):
    monkeypatch.setattr("hanpan.server.people.limits._SLOWED", 0.001)  # seconds that each guess waits, in place of one

    async def guess(n, at="/api/login/email", **more):
        return (await ask(server.url, "POST", at, json={"email": "victim@example.org"} | more, headers={"X-Forwarded-For": f"203.0.113.{n}"}))[0]

    owner, secret = await server.do(server.services.people.newcomer), LIGHT.hash("correct horse")
    await server.do(server.services.store.accounts.add_login, "email", "victim@example.org", owner.id, "victim@example.org", secret)
    assert [await guess(1, password="a guess") for _ in range(7)] == [401] * 5 + [429] * 2
    assert [await guess(n, password="a guess") for n in range(20, 50)] == [401] * 30  # from anywhere else it is just slow
    assert await guess(60, password="correct horse") == 200
    assert await guess(61, at="/api/login/email/reset") == 202
    assert await guess(1, at="/api/login/email/reset") == 202  # who asks for a link guesses nothing


async def test_an_address_has_only_so_many_sockets(server):
    crowd = {"X-Forwarded-For": "203.0.113.9"}
    async with aiohttp.ClientSession() as session:
        lines = [socketio.AsyncClient(reconnection=False, handle_sigint=False, http_session=session) for _ in range(8)]
        for line in lines[:6]:  # they count before they have said anything
            await line.eio.connect(server.url, headers=crowd, transports=["websocket"], engineio_path="socket.io")
        for line in lines[6:]:
            with pytest.raises(socketio.exceptions.ConnectionError):
                await line.connect(server.url, headers=crowd, transports=["websocket"], wait_timeout=20)
        status, body, _ = await ask(server.url, "GET", "/socket.io/?EIO=4&transport=polling", headers=crowd)
        assert (status, b"too-many-connections" in body) == (401, True)
        async with Guest(server.url):
            for line in lines[:6]:
                await line.eio.disconnect()
    while (await ask(server.url, "GET", "/socket.io/?EIO=4&transport=polling", headers=crowd))[0] != 200:  # those who have gone count no more
        await asyncio.sleep(0.1)


async def test_handshakes_are_counted_like_any_request(server):
    crowd, paths = {"X-Forwarded-For": "203.0.113.10"}, [f"/socket.io/?EIO=4&transport=polling{query}" for query in ("", "&sid=", "&sid=nonsense")]
    told = await asyncio.gather(*(ask(server.url, "GET", path, headers=crowd) for path in paths * 40))
    assert 429 in {status for status, _, _ in told}
    assert (await ask(server.url, "GET", "/socket.io/?EIO=4&transport=polling", headers={"X-Forwarded-For": "203.0.113.11"}))[0] == 200


async def test_a_network_of_one_line_counts_as_one_address(server):
    answers = [(await ask(server.url, "POST", "/api/guest", headers={"X-Forwarded-For": f"2001:db8:1:2::{n}"}))[0] for n in range(1, 16)]
    assert answers == [200] * 10 + [429] * 5
    assert (await ask(server.url, "POST", "/api/guest", headers={"X-Forwarded-For": "2001:db8:1:3::1"}))[0] == 200


async def test_a_proxy_that_names_nobody_lifts_no_limit(local_server):
    server = local_server(unlimited_local=False, guests_per_hour=20)
    answers = [(await ask(server.url, "POST", "/api/guest"))[0] for _ in range(15)]
    assert answers == [200] * 10 + [429] * 5
    assert (await ask(server.url, "GET", "/metrics"))[0] == 403


async def test_only_a_proxy_of_the_settings_is_believed(local_server):
    server = local_server(unlimited_local=False, guests_per_hour=20, proxies="192.0.2.1")
    answers = [(await ask(server.url, "POST", "/api/guest", headers={"X-Forwarded-For": f"203.0.113.{n}"}))[0] for n in range(15)]
    assert answers == [200] * 10 + [429] * 5


async def test_a_server_with_a_public_address_answers_to_no_other_name(local_server):
    server = local_server(url="https://games.example.org", origins=("https://friend.example",))
    for host, status in (("games.example.org", 200), ("evil.example", 421), ("games.example.org.evil.example", 421), ("games.example.org:8000", 421)):
        assert (await ask(server.url, "GET", "/api/rooms", headers={"Host": host}))[0] == status, host
    assert (await ask(server.url, "GET", "/healthz", headers={"Host": "10.0.0.7:8000"}))[0] == 200
    assert (await ask(server.url, "GET", "/metrics", headers={"Host": "10.0.0.7:8000"}))[0] == 403  # a token would open it
    origins = {"https://games.example.org": 200, "https://friend.example": 200, "http://games.example.org": 403, "https://evil.example": 403}
    for origin, status in origins.items():
        assert (await ask(server.url, "POST", "/api/guest", headers={"Host": "games.example.org", "Origin": origin}))[0] == status, origin


def test_a_bucket_gives_a_burst_and_then_its_rate(monkeypatch):
    now = [1000.0]
    monkeypatch.setattr("hanpan.server.people.limits.time.monotonic", lambda: now[0])
    bucket = Buckets(rate=2, burst=3)
    assert [bucket.take("a") for _ in range(3)] == [0, 0, 0]
    assert bucket.take("a") == pytest.approx(0.5)
    assert bucket.take("b") == 0
    now[0] += 0.5
    assert bucket.take("a") == 0
    assert bucket.take("a") > 0
    now[0] += 100
    assert [bucket.take("a") > 0 for _ in range(4)] == [False, False, False, True]


async def test_those_who_come_at_once_wait_one_after_the_other_and_not_for_long(monkeypatch):
    waits = []

    async def slept(seconds):
        waits.append(seconds)

    monkeypatch.setattr("hanpan.server.people.limits.time.monotonic", lambda: 1000.0)
    monkeypatch.setattr("hanpan.server.people.limits.asyncio.sleep", slept)
    bucket = Buckets(rate=2, burst=3)
    came = await asyncio.gather(*(bucket.slow_down("a") for _ in range(8)), return_exceptions=True)
    assert waits == pytest.approx([0.5, 1.0])
    assert [str(wrong) for wrong in came[5:]] == ["too-fast"] * 3
    assert came[:5] == [None] * 5


async def test_no_secret_gets_into_the_log(server, caplog):
    caplog.set_level("DEBUG")
    async with browser(server.url) as me, guests(server.url, 1) as [host]:
        await me.post("/api/guest")
        await me.ask("POST", "/api/login/email", json={"email": "a@example.org", "password": "hunter2hunter2"})
        await me.ask("POST", "/api/login/token", json={"token": "aaaa.secretpart.cccc"})
        room = await host.new_room("tictactoe", password="sesame-open")
        with pytest.raises(Exception, match="wrong-password"):
            await Guest(server.url, me.token).enter(room.id, "not-sesame")
        stored = await server.do(server.services.store.rooms)
        assert "sesame-open" not in str(stored)
        assert "argon2" in str(stored)
    for secret in ("hunter2hunter2", "secretpart", "sesame", me.token):
        assert secret not in caplog.text


async def test_an_unknown_address_shows_the_page_and_programs_are_told_in_json(server):
    _, front, _ = await ask(server.url, "GET", "/")
    for path in ("/nonsense", "/r/a/b", "/people", "/login/nowhere"):
        status, body, _ = await ask(server.url, "GET", path)
        assert (status, body) == (404, front), path
    for method, path in (
        ("GET", "/api/nonsense"),
        ("GET", "/api/people/nobody"),
        ("GET", "/page/nonsense.js"),
        ("GET", f"/page/{'x' * 4000}"),
        ("POST", "/nonsense"),
    ):
        status, body, headers = await ask(server.url, method, path)
        assert (status, headers["content-type"]) == (404, "application/json"), path
