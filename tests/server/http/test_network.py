"""Where others find a server that somebody has opened on its own machine."""

from types import SimpleNamespace

import aiohttp
import pytest
from fastapi import Request

from hanpan.cli import hosting
from hanpan.server import run
from hanpan.server.http import network
from hanpan.server.settings import Settings


@pytest.fixture(autouse=True)
def in_a_network(monkeypatch):
    monkeypatch.setattr("hanpan.server.network.own_address", lambda: "192.168.1.5")


async def test_a_server_for_this_machine_says_that_it_is_alone(local_server):
    server = local_server()
    async with aiohttp.ClientSession() as session, session.get(f"{server.url}/api/network") as answer:
        assert await answer.json() == {"address": None, "alone": True}


@pytest.mark.parametrize(
    ("settings", "asker", "told"),
    [
        ({"host": "0.0.0.0"}, "127.0.0.1", {"address": "http://192.168.1.5:8000", "alone": False}),
        ({"host": "::", "port": 81}, "::1", {"address": "http://192.168.1.5:81", "alone": False}),
        ({"host": "0.0.0.0"}, "172.17.0.1", {"address": None, "alone": False}),  # into a container, whose own address is no use to anybody
        ({"host": "0.0.0.0"}, "203.0.113.7", {"address": None, "alone": False}),
        ({"host": "127.0.0.1"}, "203.0.113.7", {"address": None, "alone": False}),  # by a proxy
        ({"url": "https://games.example.org"}, "127.0.0.1", {"address": "https://games.example.org", "alone": False}),
    ],
)
async def test_others_are_told_what_they_can_open(tmp_path, settings, asker, told):
    app = SimpleNamespace(state=SimpleNamespace(settings=Settings(data=tmp_path, **settings)))
    assert await network.around(Request({"type": "http", "app": app, "client": (asker, 50000)})) == told


@pytest.mark.parametrize(
    ("host", "own", "more"),
    [
        ("127.0.0.1", "http://localhost:81 ", "Only this machine can open it; --host 0.0.0.0 lets others in."),
        ("0.0.0.0", "http://localhost:81 ", "For others in this network: http://192.168.1.5:81"),
        ("::1", "http://[::1]:81 ", ""),
    ],
)
def test_whoever_starts_a_server_is_told_what_to_open_and_what_others_open(tmp_path, monkeypatch, capsys, host, own, more):
    monkeypatch.setattr(run, "serve", lambda settings, ready: ready())
    hosting.serve(host=host, port=81, data=tmp_path)
    first, *others = capsys.readouterr().out.splitlines()
    assert first.startswith(f"Hanpan is at {own}")
    assert "".join(others) == more


def test_whoever_starts_a_server_with_a_public_address_is_told_that_one_since_no_other_opens_it(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(run, "serve", lambda settings, ready: ready())
    monkeypatch.setenv("HANPAN_URL", "https://games.example.org")
    hosting.serve(port=81, data=tmp_path)
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("Hanpan is at https://games.example.org ")
    assert second == "It listens at http://localhost:81 for whatever passes that address on, and answers to no other name."
