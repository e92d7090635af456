"""A game from outside the package that has a fault is left out, with a line that names it; it keeps nobody from the others."""

import json
import logging
import shutil
import urllib.request
from pathlib import Path

import pytest
from serving import ServerProcess

from hanpan import rulebook
from hanpan.server import outside, stills

TOY = Path(__file__).parents[2] / "toy" / "tictactoe"
WRONG = {  # what is written otherwise, and what is said of it
    "default": ("rules.py", '(Option("misere", False),)', '(Option("misere", 5, high=1),)', "rules.py: `OPTIONS`: the default of misere: 5 is not in 0…1"),
    "unforced": ("rules.py", "def forced(", "def enforced(", "unforced: unforced.rules has no `forced`"),
    "unseen": ("scene.py", "    return Look(\n", "    return [][3]\n    return Look(\n", "scene.py:19: `look`: IndexError: list index out of range"),
    "beyond": ("rules.py", "out[n] = i\n", "out[n] = i + 40\n", "rules.py: `legal`: 40 is not in 0…8 (`ACTIONS`), at .../.../... x"),
    "stuck": ("rules.py", "    n = 0\n    if mover(s) >= 0:", "    n = 0\n    if mover(s) < 0:", "rules.py: `legal`: nothing is legal, and seat 0 is to act"),
    "later": ("scene.py", '"xo"[s.cell[i] - 1], say', '"x"[s.cell[i] - 1], say', "scene.py:22: `<genexpr>`: IndexError: string index out of range"),
    "wordless": ("words/en.json", "{", "", "wordless: words/en.json: "),
}


def written(folder, name, file, old, new):
    """A game like the toy, but for one thing."""
    shutil.copytree(TOY, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    text = (folder / name / file).read_text("utf-8")
    assert old in text
    (folder / name / file).write_text(text.replace(old, new, 1), "utf-8")


def installed(folder, names):
    info = folder / "games.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: games\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[hanpan.games]\n" + "".join(f"{name} = {name}\n" for name in names))


@pytest.fixture
def known(tmp_path, monkeypatch):
    """`known(name, file, old, new)` makes such a game the only one from outside, in this process."""
    monkeypatch.setattr(stills, "_known", {})
    monkeypatch.setenv("HANPAN_CACHE", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(str(tmp_path))

    def make(name, *change):
        written(tmp_path, name, *change)
        installed(tmp_path, [name])
        monkeypatch.setattr(rulebook, "_packages", lambda found={name: name}: found)

    return make


@pytest.mark.slow
@pytest.mark.parametrize("name", WRONG)
def test_a_game_with_a_fault_is_left_out_and_the_log_says_why(known, caplog, name):
    *change, said = WRONG[name]
    known(name, *change)
    outside.look_at_all()
    assert rulebook.games() == []
    (line,) = caplog.messages
    assert line.startswith(f"{name} is left out: {said}")


@pytest.mark.slow
def test_a_rule_that_never_ends_is_named(known, caplog, monkeypatch):
    known("endless", "rules.py", "    n = 0\n", "    n = 0\n    while n == 0:\n        pass\n")
    monkeypatch.setattr(outside, "SECONDS", 3.0)
    outside.look_at_all()
    assert rulebook.games() == []
    assert caplog.messages[0].startswith("endless is left out: rules.py:5")
    assert caplog.messages[0].endswith(": `legal`: takes more than 3 s of work")


@pytest.mark.slow
def test_what_was_made_of_a_good_one_is_made_once(known, caplog, monkeypatch):
    caplog.set_level(logging.ERROR)
    known("good", "rules.py", "", "")
    outside.look_at_all()
    told = stills.about("good"), stills.demo("good"), stills.picture("good")
    assert json.loads(told[0])["seats"] == 2
    monkeypatch.setattr(stills, "_known", {})
    monkeypatch.setattr(outside, "ask", lambda *_: pytest.fail("it is looked at again"))
    outside.look_at_all()
    monkeypatch.setattr(stills, "made", lambda name: pytest.fail("it is made again"))
    assert (stills.about("good"), stills.demo("good"), stills.picture("good")) == told
    assert rulebook.games() == ["good"]
    assert caplog.messages == []


@pytest.mark.slow
def test_the_site_is_open_for_all_other_games(tmp_path):
    games, data = tmp_path / "games", tmp_path / "data"
    data.mkdir()
    some = {name: WRONG[name] for name in ("default", "unseen", "wordless")}
    for name, (*change, _) in some.items():
        written(games, name, *change)
    written(games, "mute", "rules.py", "", "")
    (games / "mute" / "words" / "ko.json").unlink()
    installed(games, [*some, "mute"])
    server = ServerProcess(data)
    server.games = str(games)
    server.start()
    try:
        for path in ("/api/games", "/api/stills"):
            with urllib.request.urlopen(server.url + path) as answer:
                assert {*json.load(answer)} == {"goita", "kulami", "mute", "puoribor", "reversedrop", "tictactoe", "wallgo"}
        with urllib.request.urlopen(f"{server.url}/api/words/ko") as answer:
            words = json.load(answer)["games"]
        assert words["mute"] == json.loads((TOY / "words" / "en.json").read_text("utf-8"))
    finally:
        server.stop()
    log = server.log.read_text("utf-8")
    for name, (*_, said) in some.items():
        assert f"{name} is left out: {said}" in log
