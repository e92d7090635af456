"""With which a page plays games by itself: made apart once, served under names that change with what is in it."""

import asyncio
import gzip
import json
import logging
import subprocess
import threading

import aiohttp
import pytest

from hanpan import engine
from hanpan.core.wasm import link
from hanpan.rulebook import games, package
from hanpan.server.engines import Engines, file
from hanpan.server.http.packed import LEAST

MOST_BYTES = 150_000  # compressed, all that a page fetches for one game


async def fetched(session, address, **more):
    async with session.get(address, **more) as answer:
        return answer.status, answer.headers, await answer.read()


@pytest.mark.slow
async def test_a_page_finds_what_it_plays_each_game_with(server):
    async with aiohttp.ClientSession(auto_decompress=False) as session:
        while (built := engine.known(games())) is None:  # they are made once everything is compiled
            await asyncio.sleep(0.2)
        while True:
            status, headers, body = await fetched(session, f"{server.url}/api/engines", headers={"Accept-Encoding": "identity"})
            assert (status, headers["content-type"]) == (200, "application/json")
            assert "immutable" not in headers.get("cache-control", "")
            found = {name: parts for name, parts in json.loads(body).items() if parts is not None}
            if set(found) == {name for name in built if "wrong" not in built[name]}:
                break
            await asyncio.sleep(0.2)
        assert set(found) >= {name for name in games() if package(name).startswith("hanpan.")}, built
        for name, parts in found.items():
            size = 0
            for part, address in parts.items():
                assert address.startswith(f"/api/engines/{part}-{name}-"), found
                status, headers, packed = await fetched(session, server.url + address, headers={"Accept-Encoding": "gzip"})
                assert status == 200
                assert headers.get("content-encoding") == "gzip" or len(packed) < LEAST
                assert headers["cache-control"] == "public, max-age=31536000, immutable"
                assert "cookie" not in headers.get("vary", "").lower()
                size += len(packed)
                if part == "engine":
                    assert headers["content-type"] == "application/wasm"
                    assert gzip.decompress(packed) == engine.module(name)
                    assert (await fetched(session, server.url + address, headers={"Accept-Encoding": "identity"}))[2] == engine.module(name)
            assert size <= MOST_BYTES, name


async def test_a_version_that_is_not_there_is_named(server):
    async with aiohttp.ClientSession() as session:
        for wrong in ("engine-kulami-0123456789abcdef.wasm", "engine-kulami-0123456789abcdef.exe", "..%2F..%2Fetc%2Fpasswd"):
            status, headers, body = await fetched(session, f"{server.url}/api/engines/{wrong}")
            assert status == 404
            assert "immutable" not in headers.get("cache-control", "")
            if "%" not in wrong:
                assert f'"{wrong}" is not there' in json.loads(body)["detail"].replace("'", '"')


async def test_our_own_pages_may_run_modules_and_nothing_from_elsewhere(server):
    async with aiohttp.ClientSession() as session:
        _, headers, _ = await fetched(session, f"{server.url}/")
    policy = dict(line.strip().split(" ", 1) for line in headers["content-security-policy"].split(";"))
    assert policy["script-src"] == "'self' 'wasm-unsafe-eval'"
    assert policy["worker-src"] == policy["connect-src"] == policy["manifest-src"] == "'self'"


def test_only_files_with_such_names_are_looked_for(tmp_path, monkeypatch):
    monkeypatch.setenv("HANPAN_CACHE", str(tmp_path))
    for name in ("engine-kulami-0123456789abcdef.wasm", "rule-0123456789abcdef.nbc", "secret.json"):
        (tmp_path / name).write_bytes(b"x")
    assert file("engine-kulami-0123456789abcdef.wasm") == tmp_path / "engine-kulami-0123456789abcdef.wasm"
    assert [file(name) for name in ("rule-0123456789abcdef.nbc", "secret.json", "../secret.json", "")] == [None] * 4


def test_a_game_that_can_not_be_built_is_named_once_and_the_others_are_there(tmp_path, monkeypatch, caplog, capsys):
    monkeypatch.setenv("HANPAN_CACHE", str(tmp_path))
    made = []

    def build(name):
        made.append(name)
        if name == "kulami":
            raise TypeError("a rule that takes text can't be called\nfrom outside")
        (tmp_path / f"engine-{name}-0123456789abcdef.wasm").write_bytes(link.sealed(b"x"))
        return {"engine": f"engine-{name}-0123456789abcdef.wasm"}

    monkeypatch.setattr(engine, "build", build)
    built = engine.build_all(["kulami", "goita"])
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == [{"kulami": built["kulami"]}, {"goita": built["goita"]}]
    ready = threading.Event()
    engines = Engines(ready, ["kulami", "goita"]).open()
    assert engines.told() == {"kulami": None, "goita": None}
    with caplog.at_level(logging.WARNING, "hanpan.server"):
        ready.set()
        engines.ended.wait()
    assert engines.told() == {"kulami": None, "goita": {"engine": "engine-goita-0123456789abcdef.wasm"}}
    assert [record.getMessage() for record in caplog.records] == [
        "kulami can't be played in pages by themselves: TypeError: a rule that takes text can't be called from outside"
    ]
    assert engine.build_all(["kulami", "goita"]) == built
    assert made == ["kulami", "goita"], "built once"
    (tmp_path / "engine-goita-0123456789abcdef.wasm").unlink()
    assert engine.known(["kulami", "goita"]) is None
    engines.close()


def test_the_game_that_somebody_has_opened_comes_first(tmp_path, monkeypatch):
    monkeypatch.setenv("HANPAN_CACHE", str(tmp_path))
    asked, ready = [], threading.Event()

    class Maker:
        stdout = ()

        def __init__(self, command, **pipes):
            asked.extend(command[3:])

        def wait(self):
            return 0

    monkeypatch.setattr(subprocess, "Popen", Maker)
    engines = Engines(ready, ["goita", "kulami", "wallgo"]).open()
    for name in ("wallgo", "kulami", "wallgo", "nosuch"):
        engines.first(name)
    ready.set()
    engines.ended.wait()
    assert asked == ["wallgo", "kulami", "goita"]
