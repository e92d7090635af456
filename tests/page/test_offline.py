"""The page without a network: it opens in an exact version, which makes way for a newer one where nothing is broken by it; nothing of anyone's own is kept."""

import base64
import hashlib
import json
import re
import shutil

import pytest
from accounts import registered
from local import LocalServer
from visitors import soon

from hanpan.server.http import page as served

pytestmark = pytest.mark.slow

KEPT = """async () => {
    const names = await caches.keys();
    const held = await Promise.all(names.map(async (name) => (await (await caches.open(name)).keys()).map((request) => new URL(request.url).pathname)));
    return Object.fromEntries(names.map((name, index) => [name, held[index]]));
}"""
NONE_WAITS = "async () => (await navigator.serviceWorker.getRegistration()).waiting === null"
HEAR = "navigator.serviceWorker.addEventListener('message', ({ data }) => { globalThis.told = data; })"
VERSION = "document.querySelector('meta[name=page-version]').content"
PUBLIC = re.compile(r"/|/page/[\w.-]+|/api/(games|stills|engines|words/\w+|games/\w+/(demo|rules/\w+)|engines/(engine|facts|views)-\w+-[0-9a-f]{16}\.\w+)")


def another_version(folder):
    """The page as if it had been built from other sources: its script and what is fetched later have other names."""
    shutil.copytree(served.FOLDER, folder)
    for old in [*folder.glob("main-*.js"), *folder.glob("lazy-*.js")]:
        new = f"{old.name.split('-')[0]}-ANOTHER.js"
        old.rename(folder / new)
        for path in [*folder.glob("*.js"), folder / "index.html"]:
            path.write_text(path.read_text("utf-8").replace(old.name, new), "utf-8")
    index, keeper = folder / "index.html", folder / "service-worker.js"
    index.write_text(re.sub(r'(page-version" content=")\w+', r"\1another", index.read_text("utf-8")), "utf-8")
    files = {f"/page/{path.name}": path for path in folder.iterdir() if path not in (index, keeper) and not path.name.startswith(".")} | {"/": index}
    exact = {path: f"sha256-{base64.b64encode(hashlib.sha256(file.read_bytes()).digest()).decode()}" for path, file in files.items()}
    _, code = keeper.read_text("utf-8").split("\n", 1)
    keeper.write_text(f"const VERSION={json.dumps({'name': 'another', 'files': exact})};\n{code}", "utf-8")
    return folder


def works_alone(person, version):
    """Wait until a version of the page, and what is read in it, are kept, and no other."""
    wanted = {"/", "/api/games", "/api/words/en", "/api/games/kulami/rules/en", "/api/games/wallgo/demo"}
    names = {"hanpan modules", f"hanpan {version}"}
    soon(lambda: {*person.page.evaluate("caches.keys()")} - names, set())  # KEPT opens them all, which makes one anew that just goes
    soon(lambda: wanted - {*person.page.evaluate(KEPT).get(f"hanpan {version}", ())}, set())


class Workers:
    """The service workers of a page. A browser that is looked into, as by these tests, lets no idle worker end: a newer one might wait for five minutes."""

    def __init__(self, page):
        self._line, self._running = page.context.new_cdp_session(page), {}
        self._line.on("ServiceWorker.workerVersionUpdated", self._hear)
        self._line.send("ServiceWorker.enable")

    def _hear(self, told):
        for version in told["versions"]:
            self._running[version["versionId"]] = version["status"] == "activated" and version["runningStatus"] == "running"

    def rest(self):
        """The one at work ends, as when nothing is asked of it for half a minute."""
        for version in [each for each, running in self._running.items() if running]:
            self._line.send("ServiceWorker.stopWorker", {"versionId": version})


@pytest.fixture
def served_anew(tmp_path):
    """`served_anew()` starts a server, at the same address as the one before it, which ends."""
    started = []

    def start(**settings):
        for before in started:
            before.stop()
        started[:] = [LocalServer(tmp_path / "data", port=started[0].port if started else None, **settings)]
        return started[0].start()

    yield start
    for running in started:
        running.stop()


def test_a_new_version_comes_when_no_game_is_broken_by_it_and_opens_without_a_network(served_anew, visitor, tmp_path, monkeypatch):
    server = served_anew()
    person = visitor(at=server, service_workers="allow")
    person.go("/")
    old = person.page.evaluate(VERSION)
    works_alone(person, old)
    person.start("kulami", "Against the computer")
    person.page.wait_for_selector(".seat.mine.acting")
    monkeypatch.setattr(served, "FOLDER", another_version(tmp_path / "another"))
    server = served_anew()
    person.page.wait_for_selector(".board-host:not(.stale)")
    soon(lambda: person.page.evaluate("async () => (await navigator.serviceWorker.getRegistration()).waiting !== null"))
    assert {*person.page.evaluate(KEPT)} >= {f"hanpan {old}", "hanpan another"}
    view = person.view()
    person.play(view.legal()[0], view)
    person.page.evaluate("history.pushState(null, '', '/login'); dispatchEvent(new PopStateEvent('popstate'))")
    person.page.get_by_label("E-mail").first.wait_for()  # in a file that the server has no more
    assert person.page.evaluate(VERSION) == old
    person.page.evaluate(HEAR)
    person.page.get_by_role("link", name="Watch").click()
    person.page.get_by_role("heading", name="Watch", level=1).wait_for()
    person.page.wait_for_function("() => globalThis.told === 'newer'")
    assert person.page.evaluate(VERSION) == old
    person.page.locator(".home").click()
    person.page.wait_for_function(f"() => document.readyState === 'complete' && {VERSION} === 'another'")
    person.page.wait_for_load_state("networkidle")
    workers = Workers(person.page)
    soon(lambda: workers.rest() or person.page.evaluate(NONE_WAITS))
    works_alone(person, "another")
    server.stop()
    answer = person.page.goto(server.url + "/learn/kulami")
    assert answer.from_service_worker
    assert "script-src 'self'" in answer.headers["content-security-policy"]
    person.page.wait_for_selector("main article h2")
    person.page.get_by_text("No connection. Games on this device go on.").wait_for()
    assert person.page.evaluate(VERSION) == "another"
    person.page.goto(server.url + "/nothing/here")
    person.page.get_by_role("heading", name="Nothing here").wait_for()
    for path in ("/replay/elsewhere", "/people/elsewhere"):  # nobody knows whether they are there
        person.page.goto(server.url + path)
        person.page.get_by_text("This could not be loaded.").first.wait_for()
        assert person.page.get_by_role("heading", name="Nothing here").count() == 0
    served_anew(offline=False)
    person.go("/")
    soon(lambda: workers.rest() or person.page.evaluate("async () => [await caches.keys(), await navigator.serviceWorker.getRegistrations()].flat().length"), 0)


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


def test_a_page_that_was_loading_when_the_worker_came_is_kept_too(visitor, server):
    person = visitor(at=server, service_workers="allow")
    slow, held = person.context.new_page(), []
    slow.route(server.url + "/", lambda route: held.append(route))
    with slow.expect_request(server.url + "/"):
        slow.evaluate("(address) => void setTimeout(() => { location.href = address; })", server.url + "/")
    works_alone(person, person.page.evaluate(VERSION))  # another page has set up the worker meanwhile
    held[0].continue_()
    slow.wait_for_function("() => navigator.serviceWorker.controller !== null")
