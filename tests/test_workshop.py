"""On a new machine one plays at once: rules without machine code run as plain Python while processes apart compile them, each once."""

import json
import os
import shutil
import subprocess
import sys
import textwrap
import time
from contextlib import suppress
from pathlib import Path

import pytest

from hanpan import workshop

PATHS = os.pathsep.join(sys.path)


def run(code, cache, **more):
    environment = os.environ | {"HANPAN_CACHE": str(cache), "PYTHONPATH": PATHS} | more
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], env=environment, capture_output=True, text=True, check=False, timeout=3600)
    assert done.returncode == 0, done.stderr
    return done


def running(pid):
    stat = Path(f"/proc/{pid}/stat")
    with suppress(FileNotFoundError, ProcessLookupError):
        return stat.read_text().rpartition(")")[2].split()[0] != "Z"  # one that nobody has waited for has ended, too
    return False


PLAY = """
import hanpan
from hanpan.core import compiled
from hanpan.rulebook import rulebook

compiled.interpret_meanwhile(True)
state = hanpan.game("tictactoe").start().play("b2").play("a1")
print(len(state.legal()), len(list(compiled.cache_folder().iterdir())), len(rulebook("tictactoe").legal.overloads))
"""


@pytest.mark.slow
def test_without_machine_code_a_game_is_played_interpreted_and_nothing_is_compiled(tmp_path):
    done = run(PLAY, tmp_path)
    assert done.stdout.split() == ["7", "0", "0"]  # seven cells are left; no file was made, no code loaded
    assert "compiling" not in done.stderr


OPEN = """
import hanpan, sys
from hanpan.bots import Bot
from hanpan.rulebook import rulebook
from hanpan.workshop import Workshop

workshop = Workshop(processes=2, names=["tictactoe"]).open()
state = hanpan.game("tictactoe").start()
first = Bot("tictactoe", 3).choose(state, seconds=1)  # interpreted: nobody waits
workshop.first("tictactoe")
assert workshop.ended.wait(3000)
state = state.play(first)
assert Bot("tictactoe", 8).choose(state, seconds=1) in state.legal()
print(workshop.compiled, len(rulebook("tictactoe").mover.overloads))
"""


KILLED = """
import os, signal, time
from hanpan.workshop import Workshop

workshop = Workshop(processes=1, names=["tictactoe"]).open()
while workshop.compiled < 2:
    time.sleep(0.01)
print([worker.pid for worker in workshop._workers][0], flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.slow
def test_a_workshop_goes_on_where_it_was_left_compiles_everything_once_and_the_game_changes_over(tmp_path):
    environment = os.environ | {"HANPAN_CACHE": str(tmp_path), "PYTHONPATH": PATHS}
    with subprocess.Popen([sys.executable, "-c", KILLED], env=environment, stdout=subprocess.PIPE, text=True) as killed:
        worker = int(killed.communicate(timeout=3600)[0])
    while running(worker):  # the process that compiled ends by itself
        time.sleep(0.05)
    before = len(list(tmp_path.glob("*.nbc")))
    done = run(OPEN, tmp_path)
    compiled, loaded = map(int, done.stdout.split())
    made = {path.name: path.stat().st_ino for path in tmp_path.glob("*.nbc")}
    assert 0 < compiled < len(made)
    assert compiled + before > 5
    assert loaded == 1
    assert "once; the games can be played meanwhile" in done.stderr
    assert not list(tmp_path.glob("*.lock"))
    again = run(OPEN, tmp_path)  # now everything is there
    assert again.stdout.split() == ["0", "1"]
    assert again.stderr == ""
    assert {path.name: path.stat().st_ino for path in tmp_path.glob("*.nbc")} == made


FULL = """
import hanpan, logging, resource
from hanpan.core.compiled import cache_folder
from hanpan.workshop import Workshop

def compiled_now():
    workshop = Workshop(processes=2, names=["tictactoe"]).open()
    assert workshop.ended.wait(3000)
    state = hanpan.game("tictactoe").start().play("b2")
    print(workshop.compiled > 0, len(state.legal()), len(list(cache_folder().glob("whole-*"))))

logging.basicConfig(format="%(message)s")
usual = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (100, usual[1]))  # no file gets longer than a few bytes
compiled_now()
resource.setrlimit(resource.RLIMIT_FSIZE, usual)
compiled_now()
"""


@pytest.mark.slow
def test_on_a_full_disk_the_workshop_ends_says_so_once_and_tries_again_at_another_start(tmp_path):
    done = run(FULL, tmp_path)
    assert done.stdout.splitlines() == ["False 8 0", "True 8 1"]
    assert done.stderr.count("what is compiled can't be written there; rules run as plain Python until there is room at another start") == 1
    assert done.stderr.count("from now on everything is fast from the start") == 1


LOUD = """
import logging, threading
from hanpan.server.engines import Engines
from hanpan.workshop import Workshop

logging.basicConfig(format="%(message)s")
workshop = Workshop(processes=1, names=["loud", "tictactoe"]).open()
engines = Engines(workshop.ended, ["loud", "tictactoe"]).open()
assert engines.ended.wait(600)
print(workshop.compiled > 0, workshop._failed, [sorted(built) for built in engines.told().values()])
"""


@pytest.mark.slow
def test_what_a_game_prints_is_no_answer(tmp_path):
    """As a designer does to look for a fault: neither this game nor another goes without a module for it."""
    toy = Path(__file__).parent / "toy" / "tictactoe"
    shutil.copytree(toy, tmp_path / "loud", ignore=shutil.ignore_patterns("__pycache__"))
    for source in (tmp_path / "loud").glob("*.py"):
        source.write_text(source.read_text("utf-8").replace("tictactoe", "loud") + "\nprint('here')\n", "utf-8")
    (tmp_path / "loud-1.dist-info").mkdir()
    (tmp_path / "loud-1.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: loud\nVersion: 1\n")
    (tmp_path / "loud-1.dist-info" / "entry_points.txt").write_text("[hanpan.games]\nloud = loud\n")
    done = run(LOUD, tmp_path / "cache", PYTHONPATH=os.pathsep.join([str(tmp_path), PATHS]))
    assert done.stdout.splitlines()[-1] == "True 0 [['engine', 'facts', 'views'], ['engine', 'facts', 'views']]"


@pytest.mark.parametrize("clock", [0, 10**9])
def test_a_mark_goes_by_what_the_sources_say_whatever_their_times_are(tmp_path, monkeypatch, clock):
    """An image may give all its files the same time, and a clock may be set back."""
    monkeypatch.setenv("HANPAN_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(workshop, "package_of", lambda name: name)
    monkeypatch.setattr(workshop, "files", lambda package: tmp_path / package)
    source = tmp_path / "chess" / "rules.py"
    source.parent.mkdir()
    (source.parent / ".#rules.py").symlink_to("someone@this:1")  # an editor's lock
    found = []
    for text in ("ROWS = 8", "ROWS = 9", "ROWS = 8"):
        source.write_text(text)
        os.utime(source, (clock, clock))
        found.append(workshop.mark("whole", ["chess"]))
    assert found[0] == found[2] != found[1]


ONCE = """
import sys, kernels
kernels.outer(4)
print(sum(rule.stats.cache_misses.total() for rule in (kernels.outer, kernels.inner)))
"""


@pytest.mark.slow
def test_of_processes_that_want_the_same_code_one_makes_it(tmp_path):
    (tmp_path / "kernels.py").write_text(
        textwrap.dedent("""
        from hanpan.core.rule import rule

        @rule
        def inner(x):
            return x + 1

        @rule
        def outer(x):
            return inner(x) * 10
        """)
    )
    environment = os.environ | {"HANPAN_CACHE": str(tmp_path / "cache")}
    command = [sys.executable, "-c", ONCE]
    started = [subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    assert sum(int(process.communicate(timeout=3600)[0]) for process in started) == 2  # `outer` and `inner`, in whichever process came first


def test_what_comes_with_the_package_of_every_game_is_what_the_rules_give(tmp_path, monkeypatch):
    from hanpan.server import stills

    monkeypatch.setattr(stills, "FOLDER", tmp_path)
    monkeypatch.setattr(stills, "games", lambda: ["kulami", "tictactoe"])
    assert stills._kept("kulami") is None
    (tmp_path / "chess.jsonl").write_text("of a game that is gone")
    stills.make()
    assert [path.name for path in tmp_path.iterdir()] == ["kulami.jsonl"], "only of the games that are part of the package"
    for name in ("kulami", "tictactoe"):
        made = stills.made(name)
        assert (stills.about(name), stills.demo(name), stills.picture(name)) == made
        scenes, picture = json.loads(made.demo), json.loads(made.picture)
        assert picture["look"] in [scene["look"] for scene in scenes]
        assert picture["board"] == scenes[0]["board"]
    assert stills._kept("kulami") == stills.made("kulami")
    changed = (tmp_path / "kulami.jsonl").read_bytes().replace(stills._digest("kulami").encode(), b"0" * 64)
    (tmp_path / "kulami.jsonl").write_bytes(changed)
    assert stills._kept("kulami") is None, "the sources are others by now"
    (tmp_path / "kulami.jsonl").write_bytes(b"")
    assert stills._kept("kulami") is None
