"""Computer players that think in a worker of a real browser: they choose what Python's do, stop when they are told to, and say what is wrong."""

import functools
import json
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from typescript import bundle

import hanpan
from hanpan import engine
from hanpan.core.rule import rng
from hanpan.games.goita import solve

pytestmark = pytest.mark.slow
PLIES = 6


class Quiet(SimpleHTTPRequestHandler):
    extensions_map = {".mjs": "text/javascript", ".wasm": "application/wasm", ".json": "application/json", ".html": "text/html"}

    def log_message(self, format, *arguments):
        pass


@pytest.fixture(scope="module", params=["goita", "kulami"])
def page(request, browser, tmp_path_factory):
    """A page with everything that a game needs here, and the game's name."""
    name, folder = request.param, tmp_path_factory.mktemp("thinking")
    for script in ("engine/thinking.ts", "../src/engine/worker.ts"):
        bundle(script, folder)
    (folder / "module.wasm").write_bytes(engine.module(name))
    (folder / "facts.json").write_text(json.dumps(engine.facts(name)))
    (folder / "views.mjs").write_text(engine.views(name), "utf-8")
    (folder / "index.html").write_text('<!doctype html><script type="module" src="thinking.mjs"></script>')
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        opened = browser.new_page()
        opened.set_default_timeout(120_000)
        opened.goto(f"http://127.0.0.1:{server.server_address[1]}/index.html")
        opened.wait_for_function("globalThis.thinking")
        yield opened, name
        opened.close()
        server.shutdown()


def test_a_worker_chooses_what_python_chooses(page):
    page, name = page
    bot, state, chosen = hanpan.bot(name, level=8, seed=5, megabytes=8, nodes=2000), hanpan.game(name).start(seed=3), []
    while len(chosen) < PLIES:
        if state.chance:
            state = state.draw_and_play(rng(len(chosen)))[1]
            continue
        chosen.append(bot.choose(state))
        state = state.play(chosen[-1])
    assert page.evaluate("plies => thinking.choices(plies)", PLIES) == chosen


def test_a_worker_values_actions_as_python_does(page):
    page, name = page
    bot = hanpan.bot(name, level=8, seed=5, megabytes=8, nodes=2000)
    *_, last = bot.analyse(hanpan.game(name).start(seed=3))
    told = page.evaluate("thinking.analyses()")[-1]
    assert told["values"] == [[action, value] for action, value in last.values.items()]
    assert (told["line"], told["depth"], told["nodes"], told["sure"]) == (list(last.line), last.depth, last.nodes, last.sure)


def exact(state):
    """What each action brings with all hands open, by its text."""
    return {state.game.book.text.format_action(state.record[0], action): worth for action, worth in solve.values(state.record[0]).items()}


def test_what_lies_open_is_valued_exactly_where_the_game_knows_how(page):
    page, name = page
    state, r = hanpan.game(name).start(seed=3), rng(7)
    while state.chance or len(state.legal()) < 2 or (name == "goita" and state.record[0].count < 8):
        state = state.draw_and_play(r)[1] if state.chance else state.play(state.legal()[-1])
    told = page.evaluate("text => thinking.analyses(text)", str(state))
    if name != "goita":
        assert len(told) > 1
        return
    opinion, solved = told
    assert (opinion["sure"], {*dict(opinion["values"])}) == (False, {*state.legal()}), "one's own opinion is there at once"
    assert (solved["sure"], dict(solved["values"])) == (True, exact(state))
    for action in solved["line"]:  # everyone plays the best
        assert exact(state)[action] == max(exact(state).values())
        state = state.play(action)
    assert state.seat is None


def test_whoever_has_heard_enough_is_obeyed(page):
    told = page[0].evaluate("thinking.stopping()")
    assert told["analysed"] > 0
    assert told["chosen"]


def test_what_is_broken_is_told(page):
    missing, blind, level, ended, after, still_missing = page[0].evaluate("thinking.failures()")
    for told in (missing, blind, ended, after, still_missing):
        assert "the computer players have stopped" in told
    assert "nowhere.mjs" in missing
    assert "nowhere.mjs" in blind
    assert "level: 9 is not in 1…8" in level
