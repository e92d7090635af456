"""The page without a network: nothing of anyone's own is kept for it. (That it opens, and a game goes on, is in test_local.)"""

import re

import pytest
from accounts import registered
from visitors import soon

pytestmark = pytest.mark.slow

KEPT = """async () => {
    const names = await caches.keys();
    const held = await Promise.all(names.map(async (name) => (await (await caches.open(name)).keys()).map((request) => new URL(request.url).pathname)));
    return Object.fromEntries(names.map((name, index) => [name, held[index]]));
}"""
VERSION = "document.querySelector('meta[name=page-version]').content"
PUBLIC = re.compile(r"/|/page/[\w.-]+|/api/(games|stills|engines|words/\w+|games/\w+/(demo|rules/\w+)|engines/(engine|facts|views)-\w+-[0-9a-f]{16}\.\w+)")


def works_alone(person, version):
    """Wait until a version of the page, and what is read in it, are kept, and no other."""
    wanted = ["/", "/api/games", "/api/words/en", "/api/games/kulami/rules/en", "/api/games/wallgo/demo"]

    def lacking():
        found = person.page.evaluate(KEPT)
        return {*found} - {"hanpan modules", f"hanpan {version}"}, {*wanted} - {*found.get(f"hanpan {version}", ())}

    soon(lacking, (set(), set()))


def test_whoever_uses_the_same_device_finds_nothing_of_others_in_it(visitor, login_server):
    person = visitor(at=login_server, service_workers="allow")
    registered(person, "shared@example.org")
    works_alone(person, person.page.evaluate(VERSION))
    me = person._get("/api/me")["person"]["id"]
    for path in ("/me", f"/people/{me}", "/lobby", "/best/kulami", "/archive"):
        person.go(path)
        assert person.page.evaluate("navigator.serviceWorker.controller !== null")
    person.page.wait_for_load_state("networkidle")
    held = [path for paths in person.page.evaluate(KEPT).values() for path in paths]
    assert [path for path in held if not PUBLIC.fullmatch(path)] == []
