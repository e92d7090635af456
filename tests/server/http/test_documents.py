"""What the server says of itself is enough to write a program for it."""

import json
import re
from html import unescape

import pytest

from hanpan.server.http import documents
from hanpan.server.protocol import requests
from hanpan.server.rooms import clock


@pytest.fixture(scope="module")
def made():
    return documents.made()


@pytest.fixture(scope="module")
def page(made):
    return unescape(re.sub("<[^>]+>", "", made["/docs"].decode()))


def test_the_page_says_what_a_request_carries(page):
    assert "POST /api/me/bots" in page
    assert "name: string, scopes: list of play or chat or rooms or null?" in page


def test_the_page_says_all_of_an_event_and_what_its_types_are(made, page):
    assert "when everyone at the table has said `set ready`" in page  # the last line of several
    named = {name for kinds in re.findall(r"<code>\w+: ([^<]+?)\??</code>", made["/docs"].decode()) for name in re.findall(r"\b[A-Z]\w+", kinds)}
    types = set(re.findall(r"<dt><code>(\w+)</code></dt>", made["/docs"].decode().partition("<h2>Types</h2>")[2]))
    assert {"PlaySettings", "PersonInfo", "Told"} <= named
    assert named <= types


def test_how_one_says_who_asks_and_how_one_is_refused_stands_in_the_document_of_http(made):
    document = json.loads(made["/openapi.json"])
    assert document["components"]["securitySchemes"]["token"] == {"type": "http", "scheme": "bearer"}
    for methods in document["paths"].values():
        for operation in methods.values():
            assert operation["responses"]["4XX"]["content"]["application/json"]["schema"] == {"$ref": "#/components/schemas/Refusal"}
            assert "422" not in operation["responses"]
    assert list(document["paths"]["/api/bot/events"]["get"]["responses"]["200"]["content"]) == ["application/x-ndjson"]


def test_the_clocks_that_are_described_are_those_that_there_are():
    def minutes(times):
        return [time // 60_000 for time in times]

    main, byoyomi, turn, _, increment = (list(map(int, re.findall(r"\d+", part))) for part in re.findall(r"_ms: ([^;)]+)", requests.TIME))
    assert main == [*reversed(minutes(clock.MAIN_MS)), 0]
    assert byoyomi == [time // 1000 for time in reversed(clock.BYOYOMI_MS)] + [0]
    assert turn == [clock.TURN_MS[0] // 1000, clock.TURN_MS[-1] // 1000]
    assert increment == [clock.INCREMENT_MS[0] // 1000, clock.INCREMENT_MS[-1] // 1000]
