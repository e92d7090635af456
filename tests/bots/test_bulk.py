"""Work in bulk: shared out among processes or on a Ray cluster, resumed, and never lost with a worker; and what is done so: archives looked at."""

import json
import os
import random
import secrets
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

import hanpan
from hanpan import studies
from hanpan.bots import Bot
from hanpan.bots.work import TRIES
from hanpan.bots.workers import share_out
from hanpan.cli import app
from hanpan.record import GameRecord
from hanpan.studies import Study, study

sys.path.append(str(Path(__file__).parent))

from deadly import Deadly
from exact import true_value


def command(*words):
    return CliRunner().invoke(app, [str(word) for word in words])


# --- workers ---


@pytest.mark.slow
def test_a_worker_that_dies_costs_its_current_job_only(tmp_path):
    work = Deadly(str(tmp_path), (3, 5))
    assert sorted(share_out(work, list(range(8)), cores=2)) == [n * n for n in range(8)]
    assert work.begun() == {n: 2 if n in (3, 5) else 1 for n in range(8)}


@pytest.mark.slow
def test_a_job_that_kills_every_worker_is_named(tmp_path):
    work = Deadly(str(tmp_path), (1,), times=100)
    with pytest.raises(RuntimeError, match=f"{TRIES} processes have died of the same job: 1"):
        list(share_out(work, [1, 2], cores=2))
    assert work.begun()[1] == TRIES


@pytest.mark.slow
def test_what_is_wrong_with_a_job_is_told_whoever_does_it(tmp_path):
    for cores in (1, 2):
        with pytest.raises(ValueError, match="-1 is negative"):
            list(share_out(Deadly(str(tmp_path), ()), [-1, 2], cores))


# --- Ray ---


def test_an_address_that_is_none_is_named():
    pytest.importorskip("ray", reason="Ray is not installed")
    told = command("match", "tictactoe", "random", "random", "--games", "2", "--on", "http://cluster")
    assert "'http://cluster' is neither `ray`" in str(told.exception)


@pytest.mark.slow
def test_without_ray_the_extra_is_named(tmp_path):
    (tmp_path / "ray.py").write_text("raise ModuleNotFoundError('none here', name='ray')")
    paths = os.pathsep.join([str(tmp_path), str(Path(__file__).parents[1] / "toy"), os.environ.get("PYTHONPATH", "")])
    words = [sys.executable, "-m", "hanpan.cli", "match", "tictactoe", "random", "random", "--games", "2", "--on", "ray"]
    told = subprocess.run(words, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True, check=False)
    assert told.returncode == 2
    assert "--on ray needs ray: pip install 'hanpan[ray]'" in told.stderr


@pytest.mark.slow
def test_a_ray_cluster_plays_the_same_games_and_a_dead_worker_costs_one_of_them(request, tmp_path):
    if find_spec("ray") is None:
        if os.environ.get("CI") and sys.version_info < (3, 14):
            pytest.fail("Ray is not installed, and this is CI")
        pytest.skip("Ray is not installed, so nothing was played on a cluster")
    done = tmp_path / "done"
    done.mkdir()
    home = tempfile.mkdtemp(prefix="ray")  # the names of its sockets are long, and have a limit
    request.addfinalizer(lambda: shutil.rmtree(home, ignore_errors=True))
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[1] / "toy"), str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")]),
        "HANPAN_CACHE": os.environ.get("HANPAN_CACHE", str(Path.home() / ".cache" / "hanpan")),
        "HOME": home,
        "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # so that on Linux, too, it listens on loopback alone
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN": secrets.token_hex(24),  # this cluster's own: nobody else on this machine uses it
    }
    environment.pop("RAY_ADDRESS", None)
    program = [sys.executable, str(Path(__file__).parent / "on_a_cluster.py"), str(done)]
    ran = subprocess.run(program, env=environment, capture_output=True, text=True, check=False, timeout=1200)
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout.splitlines()[-1])
    assert told["address"].startswith("127.0.0.1:")
    assert "no Ray cluster answers" in told["nobody there"]
    assert "`ray start --head`" in told["nobody there"]
    there, here = told["match"], command("match", "tictactoe", "2", "random", "--games", "6", "--json").output
    assert there[0], there[1]
    times = {"seconds_per_move"}
    assert {key: value for key, value in json.loads(there[0]).items() if key not in times} == {
        key: value for key, value in json.loads(here).items() if key not in times
    }
    assert told["squares"] == [n * n for n in range(8)]
    assert Deadly(str(done), ()).begun() == {-1: 1} | {n: 2 if n == 3 else 1 for n in range(8)}
    assert told["wrong"] == "-1 is negative"


# --- archives ---


def random_game(seed):
    """A game of Kulami."""
    dice, game = random.Random(seed), hanpan.game("kulami")
    state, record = game.start(), GameRecord.begin(game)
    while not state.over:
        action = state.draw(seed) if state.chance else dice.choice(state.legal())
        state, record = state.play(action), record.add(action)
    return record


@pytest.fixture
def archive(tmp_path):
    """Two games, one as a record and one as `hanpan archive` writes it."""
    first, second = (json.loads(random_game(seed).to_json()) for seed in (2, 3))
    path = tmp_path / "games.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in (first, {"id": "x", "record": second, "seats": []})) + "\n")
    return path


def test_puzzles_are_the_positions_in_which_one_action_alone_wins(archive, tmp_path):
    rows = {row["number"]: row for row in study(Study("puzzles", 3000, 8, least=1), archive, tmp_path / "puzzles.jsonl")}
    known, seen = {}, 0
    for number, seed in enumerate((2, 3)):
        record = random_game(seed)
        found = {puzzle["ply"]: puzzle["solution"] for puzzle in rows[number]["puzzles"]}
        for ply, state in list(enumerate(record.states()))[-9:-1]:  # so near the end that every game that can follow is looked at
            sign = 1 if state.seat == 0 else -1
            wins = [action for action in state.legal() if sign * true_value(state.game, state.play(action).record, known) == 1]
            lone = wins[0] if len(wins) == 1 < len(state.legal()) else None
            assert found.get(ply) == lone, (seed, ply)
            seen += lone is not None
    assert seen


@pytest.mark.parametrize(("misere", "wins"), [(False, True), (True, False)])
def test_an_action_that_ends_the_game_wins_only_for_whom_it_makes_the_winner(misere, wins):
    state = hanpan.game("tictactoe", misere=misere).start()
    for action in ("a1", "b1", "a2", "b2"):
        state = state.play(action)
    assert studies._wins(None, state, "a3") is wins


@pytest.mark.parametrize(("after", "value", "wins"), [(1, -9999, True), (1, 9999, False), (0, 9999, True), (0, -9999, False), (1, -20, False)])
def test_an_action_wins_too_where_the_other_is_lost_or_one_acts_again_and_wins(after, value, wins):
    state = SimpleNamespace(seat=0, play=lambda action: SimpleNamespace(over=False, seat=after))
    bot = SimpleNamespace(analyse=lambda state: [SimpleNamespace(values={"x": value})])
    assert studies._wins(bot, state, "a1") is wins


def test_an_archive_is_annotated_by_command_and_goes_on_where_it_stopped(archive, tmp_path):
    to = tmp_path / "annotated.jsonl"
    told = command("annotate", archive, to, "--nodes", 200, "--cores", 1)
    assert told.exit_code == 0, told.output
    whole = to.read_text().splitlines()
    assert "2 games" in told.output
    for line in whole[1:]:
        row = json.loads(line)
        record = random_game((2, 3)[row["number"]])
        assert [note["action"] for note in row["annotations"]] == [action for ply, state, action in _played(record)]
        assert all(note["best_value"] >= note["value"] for note in row["annotations"] if note["value"] is not None)
    to.write_text("\n".join(whole[:2]) + "\n" + whole[2][:40])  # killed while it wrote
    again = command("annotate", archive, to, "--nodes", 200, "--cores", 1)
    assert "2 games" in again.output
    assert to.read_text().splitlines() == whole
    other = command("annotate", archive, to, "--nodes", 300)
    assert "nodes is 200 there and 300 here" in str(other.exception)
    assert 'does not say "hanpan": "puzzles"' in str(command("puzzles", archive, to).exception)
    assert to.read_text().splitlines() == whole, "nothing is written over"


def _played(record):
    return [(ply, state, action) for ply, (state, action) in enumerate(zip(record.states(), record.actions, strict=False)) if state.seat is not None]


def test_a_line_that_is_no_game_is_named(archive, tmp_path):
    archive.write_text(archive.read_text() + '{"record": {"hanpan": 1}}\n')
    told = command("puzzles", archive, tmp_path / "puzzles.jsonl")
    assert "games.jsonl, line 3: " in str(told.exception)
    assert not (tmp_path / "puzzles.jsonl").exists()


@pytest.mark.slow
def test_what_an_annotation_calls_best_is_what_an_analysis_names_first():
    """In a tree, an action that was hardly tried may have a higher value by luck."""
    state, dice, luck = hanpan.game("wallgo", players=3).start(seed=1), random.Random(1), 0
    for _ in range(30):
        action = dice.choice(state.legal())
        *_, last = Bot("wallgo", nodes=300, megabytes=8).analyse(state)
        note = Study("annotations", 300).annotated(Bot("wallgo", nodes=300, megabytes=8), state, action)
        best = next(iter(last.values))
        assert (note["best"], note["best_value"], note["value"]) == (best, last.values[best], last.values[action])
        luck += last.values[best] < max(last.values.values())
        state = state.play(action)
    assert luck
