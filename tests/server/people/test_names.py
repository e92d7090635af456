"""Newcomers have names: in their language, and each their own."""

import asyncio
import json
import re

import aiohttp
import pytest

from hanpan.core.words import LANGUAGES, load
from hanpan.server.people.names import guest_names
from hanpan.server.protocol.names import proper


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_are_made_of_the_words_of_a_language(language):
    words = load("hanpan", language)["guests"]
    names = list(guest_names(language))
    assert all(proper(name) == name for name in names)
    assert any(name.startswith(tuple(words["adjectives"])) and name.endswith(tuple(words["animals"])) for name in names)
    assert len(set(names[10:])) > 100  # with numbers there is no end of them
    assert len(words["adjectives"]) == len(words["animals"]) == 24


@pytest.mark.slow
async def test_newcomers_are_called_in_their_language_and_never_alike(server):
    async def come(session, language):
        async with session.post(f"{server.url}/api/guest", headers={"Accept-Language": language}) as answer:
            return json.loads(await answer.text())["person"]["name"]

    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as session:
        letters = {"ko": "[가-힣]", "ja": "[ぁ-んァ-ン]", "zh-CN,zh;q=0.9": "[一-龥]", "fr": "[A-Z]"}
        for language, wanted in letters.items():
            assert re.match(wanted, await come(session, language)), language
        names = await asyncio.gather(*(come(session, "ja") for _ in range(300)))
    assert len(set(names)) == 300
