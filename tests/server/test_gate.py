"""The gate: foreign pages, big bodies, crowds from one address, headers, cookies; and what never gets into logs."""

import re

import aiohttp
import pytest
import socketio
from logging_in import browser
from people import Guest, guests

from hanpan.server.gate import MOST_BODY
from hanpan.server.limits import Buckets


@pytest.fixture
def house(local_server):
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
async def test_a_page_from_elsewhere_changes_nothing(house, headers, status):
    given = {key: house.url if value == "self" else value for key, value in headers.items()}
    assert (await ask(house.url, "POST", "/api/guest", headers=given))[0] == status
    assert (await ask(house.url, "GET", "/api/rooms", headers=given))[0] == 200


@pytest.mark.parametrize("origin", ["https://evil.example", "null"])
async def test_a_page_from_elsewhere_gets_no_socket(house, origin):
    io = socketio.AsyncClient(reconnection=False, handle_sigint=False)
    with pytest.raises(socketio.exceptions.ConnectionError):
        await io.connect(house.url, headers={"Origin": origin}, transports=["websocket"], wait_timeout=20)
    status, body, _ = await ask(house.url, "GET", "/socket.io/?EIO=4&transport=polling", headers={"Origin": origin})
    assert (status, b"not an accepted origin" in body) == (400, True)


async def test_headers_and_cookies_are_strict(local_server):
    house = local_server(url="https://games.example.org")
    _, _, headers = await ask(house.url, "POST", "/api/guest")
    cookie = headers["set-cookie"].lower()
    assert all(part in cookie for part in ("httponly", "samesite=lax", "secure"))
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert "max-age" in headers["strict-transport-security"]
    for path in ("/", "/docs", "/login/password?ticket=%3Cscript%3E"):
        _, body, _ = await ask(house.url, "GET", path)
        assert b"<style" not in body
        assert all(b"src=" in script for script in re.findall(rb"<script[^>]*>", body))
    _, _, headers = await ask(house.url, "GET", "/api/svg?game=tictactoe")
    assert "script-src" not in headers["content-security-policy"]


async def test_a_body_that_is_too_big_is_refused(house):
    assert (await ask(house.url, "POST", "/api/login/email", data=b"x" * (MOST_BODY + 1)))[0] == 413

    async def endless():
        for _ in range(50):
            yield b"[" * 20_000

    status, _, _ = await ask(house.url, "POST", "/api/login/email", data=endless(), headers={"Content-Type": "application/json"})
    assert 400 <= status < 500


async def test_crowds_from_one_address_are_slowed_and_others_are_not(house):
    crowd, other = {"X-Forwarded-For": "203.0.113.7"}, {"X-Forwarded-For": "203.0.113.8"}
    guests_made = [(await ask(house.url, "POST", "/api/guest", headers=crowd))[0] for _ in range(15)]
    assert guests_made.count(200) == 10
    assert set(guests_made) == {200, 429}
    assert (await ask(house.url, "POST", "/api/guest", headers=other))[0] == 200
    tries = [(await ask(house.url, "POST", "/api/login/email", json={"email": f"a{n}@b.c", "password": "x"}, headers=other))[0] for n in range(8)]
    assert tries == [401] * 5 + [429] * 3
    asked = 0
    while (await ask(house.url, "GET", "/api/logins", headers=crowd))[0] != 429:
        asked += 1
        assert asked < 500
    assert (await ask(house.url, "GET", "/api/logins", headers=other))[0] == 200


async def test_one_account_is_not_guessed_from_many_addresses(house):
    wish = {"email": "victim@example.org", "password": "a guess"}
    codes = [(await ask(house.url, "POST", "/api/login/email", json=wish, headers={"X-Forwarded-For": f"203.0.113.{n}"}))[0] for n in range(9)]
    assert codes == [401] * 5 + [429] * 4


async def test_an_address_has_only_so_many_sockets(house):
    lines = [socketio.AsyncClient(reconnection=False, handle_sigint=False) for _ in range(8)]
    told = []
    for line in lines:
        line.on("invalid action", told.append)
        await line.connect(house.url, headers={"X-Forwarded-For": "203.0.113.9"}, transports=["websocket"], wait_timeout=20)
    while len(told) < 2:
        await lines[0].sleep(0.02)
    assert {answer["code"] for answer in told} == {"too-many-connections"}
    async with Guest(house.url):
        for line in lines:
            await line.disconnect()


def test_a_bucket_gives_a_burst_and_then_its_rate(monkeypatch):
    now = [1000.0]
    monkeypatch.setattr("hanpan.server.limits.time.monotonic", lambda: now[0])
    bucket = Buckets(rate=2, burst=3)
    assert [bucket.take("a") for _ in range(3)] == [0, 0, 0]
    assert bucket.take("a") == pytest.approx(0.5)
    assert bucket.take("b") == 0
    now[0] += 0.5
    assert bucket.take("a") == 0
    assert bucket.take("a") > 0
    now[0] += 100
    assert [bucket.take("a") > 0 for _ in range(4)] == [False, False, False, True]


async def test_no_secret_gets_into_the_log(house, caplog):
    caplog.set_level("DEBUG")
    async with browser(house.url) as me, guests(house.url, 1) as [host]:
        mine = await me.post("/api/guest")
        await me.ask("POST", "/api/login/email", json={"email": "a@example.org", "password": "hunter2hunter2"})
        await me.ask("POST", "/api/login/token", json={"token": "aaaa.secretpart.cccc"})
        room = await host.new_room("tictactoe", password="sesame-open")
        with pytest.raises(Exception, match="wrong-password"):
            await Guest(house.url, mine["token"]).enter(room.id, "not-sesame")
        stored = await house.do(house.house.store.rooms)
        assert "sesame-open" not in str(stored)
        assert "argon2" in str(stored)
    for secret in ("hunter2hunter2", "secretpart", "sesame", mine["token"]):
        assert secret not in caplog.text


async def test_an_unknown_address_shows_the_page_and_programs_are_told_in_json(house):
    _, front, _ = await ask(house.url, "GET", "/")
    for path in ("/nonsense", "/r/a/b", "/people", "/login/nowhere"):
        status, body, _ = await ask(house.url, "GET", path)
        assert (status, body) == (404, front), path
    for method, path in (("GET", "/api/nonsense"), ("GET", "/api/people/nobody"), ("GET", "/page/nonsense.js"), ("POST", "/nonsense")):
        status, body, headers = await ask(house.url, method, path)
        assert (status, headers["content-type"]) == (404, "application/json"), path
