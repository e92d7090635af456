"""Whoever asks first for something that is always the same makes nobody's move wait: nothing long is done in the server's process."""

import asyncio
import json

import aiohttp
import pytest

import hanpan.server.http.documents as documents
from hanpan.server import stills
from hanpan.server.rooms.studio import Studio

DOCUMENTS = ("/openapi.json", "/asyncapi.json", "/docs")


async def asked(session, server, path):
    async with session.get(server.url + path) as answer:
        assert answer.status == 200, (path, await answer.text())
        return await answer.read()


@pytest.mark.slow
async def test_the_documents_are_made_once_in_a_process_apart_and_nobody_waits_for_them_but_their_readers(local_server, monkeypatch):
    should_be, done, begun, go_on = documents.made(), [], asyncio.Event(), asyncio.Event()
    do, loop = Studio.do, asyncio.get_running_loop()

    async def held(studio, whose, work, *more, **kept):
        done.append(work)
        loop.call_soon_threadsafe(begun.set)
        await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(go_on.wait(), loop))
        return await do(studio, whose, work, *more, **kept)

    def here():
        raise AssertionError("made in the server's process")

    monkeypatch.setattr(Studio, "do", held)
    monkeypatch.setattr(documents, "_openapi", here)
    monkeypatch.setattr(documents, "_asyncapi", here)
    server = local_server()
    async with aiohttp.ClientSession() as session:
        waiting = [asyncio.create_task(asked(session, server, path)) for path in DOCUMENTS * 3]
        await begun.wait()
        assert json.loads(await asked(session, server, "/api/words/en"))["house"], "what is soon made waits for no document"
        go_on.set()
        assert [await one for one in waiting] == [should_be[path] for path in DOCUMENTS] * 3
    assert done == [documents.made]
    assert server.app.other_asgi_app.state.kept._studio.process is None, "with what it has loaded it is large, so it does not stay"


@pytest.mark.parametrize("path", ["/api/games", "/api/stills", "/api/games/kulami/demo", "/api/games/kulami/rules/ko"])
async def test_the_front_page_and_the_rules_need_no_rules_to_be_loaded(local_server, monkeypatch, path):
    def loaded(name):
        raise AssertionError("rules were loaded for someone who only looks")

    server = local_server()
    monkeypatch.setattr(stills, "_kept", lambda name: stills.Still(b'"about"', b'"demo"', b'"picture"'))
    monkeypatch.setattr("hanpan.rulebook._rulebook", loaded)
    async with aiohttp.ClientSession() as session:
        told = await asked(session, server, path)
    if path == "/api/games":
        assert set(json.loads(told).values()) == {"about"}
