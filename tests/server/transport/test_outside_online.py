"""Whatever is sent to a server: a refusal that says what is wrong, never a fault of the server's, and no long word in its log."""

import json
import random
import socket
from urllib.parse import quote

import aiohttp
import pytest
from clients import guests
from serving import PATIENT

from hanpan.client import Invalid

DEEP = "[" * 1500 + "]" * 1500
HALF = '"\\ud800"'
NAME = '{"name": "x"}'


def deep_options(depth):
    return '{"level": ' + "[" * depth + "]" * depth + "}"


ADDRESSES = ("/api/svg?game=kulami&options=", "/api/games/kulami/scene?options=", "/api/games/kulami/table?options=")
OPTIONS = (
    deep_options(1), deep_options(900), DEEP, '{"level": ' + HALF + "}", '{"board": ' + HALF + "}", "{" + HALF + ": 1}", NAME, "[]", "x",
    "1e999", '{"level": 1_1}',
)  # fmt: skip
QUERIES = (
    "seed=1_1", "seed=%D9%A3", "seed=%207", "seed=-1", "seat=%D9%A0&position=x", "seat=1_1&position=x", "position=%ED%A0%80", "theme=%FF", "language=xx",
)  # fmt: skip
BODIES = [
    ("PATCH", "/api/me", '{"name": VALUE}'),
    ("POST", "/api/login/email", '{"email": VALUE, "password": "p"}'),
    ("POST", "/api/login/email", '{"email": "a@b.example", "password": VALUE}'),
    ("POST", "/api/login/email/register", '{"email": VALUE}'),
    ("POST", "/api/login/email/password", '{"ticket": VALUE, "password": "a long enough one"}'),
    ("POST", "/api/login/token", '{"token": VALUE}'),
]
RECORDS = (
    DEEP, "[" * 100_000, '{"hanpan": 1, "game": "kulami", "options": ' + NAME + ', "actions": []}', '{"hanpan": 1, "game": ' + HALF + "}", '{"a": 1, "a": 2}',
)  # fmt: skip
POSTS = (
    "d=", "d", "\x1e" * 100, "b!!!", "9", "4{", "é" * 50, '42["' + "[" * 3000, '40{"token":' + HALF + "}", "4" + DEEP, "4\ufffe", "b", "41", "4451-",
)  # fmt: skip


def as_someone(me, **headers):
    return aiohttp.ClientSession(headers={"Authorization": f"Bearer {me.token}", **headers})


async def test_no_address_is_a_fault_of_the_server(server):
    async with guests(server.url, 1) as (me,), as_someone(me) as session:
        for options in OPTIONS:
            for path in ADDRESSES:
                async with session.get(server.url + path + quote(options)[:3900]) as answer:
                    told = await answer.text()
                    assert (answer.status, len(told) < 1500) == (422, True), (path, options[:80], told[:300])
        for query in QUERIES:
            async with session.get(f"{server.url}/api/svg?game=kulami&{query}") as answer:
                assert answer.status == 422, (query, await answer.text())
        for query in ("/api/records?limit=1_1", "/api/leaderboards/kulami?limit=%D9%A3", "/api/records?limit=%207%20"):
            async with session.get(server.url + query, headers={"Accept-Language": "ko"}) as answer:
                told = await answer.json()
                assert (answer.status, told["code"]) == (422, "bad-payload"), told
                assert any("가" <= letter <= "힣" for letter in told["text"])


async def test_no_json_is_a_fault_of_the_server(server):
    async with guests(server.url, 1) as (me,), as_someone(me, **{"Content-Type": "application/json"}) as session:
        for method, path, body in BODIES:
            for value in (HALF, DEEP, "[" * 100_000, '"' + "x" * 100_000 + '"', "{" + HALF + ": 1}", "NaN", "1" * 5000):
                async with session.request(method, server.url + path, data=body.replace("VALUE", value)) as answer:
                    told = await answer.text()
                    assert 400 <= answer.status < 500, (path, value[:50], told[:500])
                    assert answer.status not in (404, 405), f"there is no door at {path}"
                    assert len(told) < 2000
        for record in RECORDS:
            for path in ("/api/records", "/api/records/scenes"):
                async with session.post(server.url + path, data=record) as answer:
                    told = await answer.text()
                    assert (answer.status, len(told) < 1500) in ((422, True), (429, True)), (path, record[:60], told[:300])


async def test_a_request_with_anything_in_it_is_refused_with_the_reason(server):
    async with guests(server.url, 1) as (me,):
        lobby = await me.enter_lobby()
        with pytest.raises(Invalid, match="name: tictactoe has no such option") as told:
            await lobby.call("new room", game="tictactoe", options={"name": "x"})
        assert told.value.code == "bad-value"
        with pytest.raises(Invalid) as told:
            await lobby.call("new room", game="tictactoe", settings={"time": {"kind": "turn", "turn_ms": "٣"}})
        assert told.value.code in ("bad-value", "bad-payload")
        for payload in ({"options": json.loads(deep_options(300))}, {"game": "\ud800"}):
            with pytest.raises(ValueError, match="not JSON"):
                await lobby.send("new room", payload)
        for payload in ('{"kind":' + "[" * 60 + "]" * 60 + "}", '{"kind":' + "[" * 900 + "]" * 900 + "}", DEEP, HALF, '{"kind":' + HALF + "}"):
            so_far = len(lobby.told)
            await lobby._io.eio.send('42/lobby,["new room",{"game":"tictactoe","settings":{"time":' + payload + "}}]")
            told = await lobby.hears("invalid action", since=so_far)
            assert told["code"] == "bad-payload"
            assert len(told["text"]) < 500


async def test_malformed_posts_of_someone_without_a_websocket_leave_no_long_word_in_the_log(server):
    before = len(server.log.read_bytes())
    async with aiohttp.ClientSession() as session:
        for post in POSTS:
            async with session.get(f"{server.url}/socket.io/?EIO=4&transport=polling") as answer:
                sid = json.loads((await answer.text())[1:])["sid"]
            async with session.post(f"{server.url}/socket.io/?EIO=4&transport=polling&sid={sid}", data=post.encode()) as answer:
                assert answer.status in (200, 400), (post[:50], answer.status)
    assert len(server.log.read_bytes()) - before < 200 * len(POSTS), server.log.read_bytes()[before:][:3000]


def test_bytes_that_are_no_http_are_no_fault_either(server):
    dice = random.Random(1)
    for first in (b"GET /\xff HTTP/1.1\r\n", b"\x16\x03\x01\x02\x00", b"GET /api/bot/events?cursor=x-\xb2 HTTP/1.1\r\nHost: x\r\n", dice.randbytes(300)):
        with socket.create_connection(("127.0.0.1", server.port), PATIENT) as line:
            line.sendall(first + b"\r\n\r\n")
            assert b" 500 " not in line.recv(4000)[:40]
