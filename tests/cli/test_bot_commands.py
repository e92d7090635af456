"""The commands around computer players, as a person uses them."""

import json
import os
import re
import resource

import pytest
from commands import hanpan_cli

import hanpan
from hanpan.record import GameRecord


def test_a_match_is_played_kept_and_told(tmp_path):
    kept = tmp_path / "games.jsonl"
    words = ["match", "tictactoe", "8", "random", "--nodes", "200", "--keep", str(kept), "--openings", "1", "--cores", "1"]
    done = hanpan_cli(*words, "--games", "6")
    assert done.returncode == 0, done.stderr
    for told in ("8@200 against random", "score", "Elo", "seconds a move"):
        assert told in done.stdout
    report = json.loads(hanpan_cli(*words, "--games", "8", "--json").stdout)
    assert (report["games"], report["players"], report["openings"]) == (8, ["8@200", "random"], 1)
    assert len(kept.read_text().splitlines()) == 9
    done = hanpan_cli(*words, "--games", "8", "--seconds", "1")
    assert done.returncode == 2
    assert "belongs to another match: seconds is None there and 1.0 here" in done.stderr


def test_a_match_ends_when_it_is_decided():
    done = hanpan_cli("match", "tictactoe", "8@300", "random", "--games", "500", "--sprt", "elo:-300,0", "--json", "--cores", "1")
    report = json.loads(done.stdout)
    assert report["sprt"]["verdict"] == "H1"
    assert report["games"] < 200


def test_a_ladder_is_climbed(tmp_path):
    words = ["ladder", "tictactoe", "--levels", "1-3", "--games", "4", "--cores", "1", "--keep", str(tmp_path / "ladder.jsonl")]
    done = hanpan_cli(*words)
    assert done.returncode == 0, done.stderr
    assert "2 over 1" in done.stdout
    assert "3 over 2" in done.stdout
    report = json.loads(hanpan_cli(*words, "--json").stdout)
    assert [(rung["level"], rung["against"], rung["games"]) for rung in report["rungs"]] == [(2, 1, 4), (3, 2, 4)]


def test_an_analysis_values_every_action():
    done = hanpan_cli("analyse", "tictactoe", "xx./oo./... x", "--seconds", "0.3", "--json")
    steps = [json.loads(line) for line in done.stdout.splitlines()]
    state = hanpan.game("tictactoe").parse("xx./oo./... x")
    for step in steps:
        assert sorted(step["values"]) == state.legal()
    assert steps[-1]["best"] == steps[-1]["line"][0] == "c1"
    table = hanpan_cli("analyse", "tictactoe", "xx./oo./... x", "--seconds", "0.1").stdout
    for told in ("action", "value", "wins in 1", "best line: c1", *state.legal()):
        assert told in table


def test_an_analysis_among_three_tells_the_chances_of_each():
    said = hanpan_cli("analyse", "wallgo", "-o", "players=3", "--seconds", "0.1").stdout
    chances = re.search(r"chances to win: seat 1 (\d+)%, seat 2 (\d+)%, seat 3 (\d+)%", said)
    assert chances, said
    assert 98 <= sum(map(int, chances.groups())) <= 102


def test_an_analysis_may_begin_at_the_start_and_at_a_view():
    assert json.loads(hanpan_cli("analyse", "tictactoe", "--seconds", "0", "--json").stdout.splitlines()[0])["nodes"] > 0
    assert hanpan_cli("analyse", "tictactoe", "xx./oo./... x", "--viewer", "1", "--seconds", "0").returncode == 0


def test_a_game_against_a_level_with_a_hint_and_a_way_back(tmp_path):
    kept = tmp_path / "game.json"
    done = hanpan_cli("play", "tictactoe", "--bot", "2", "--seed", "3", "--record", str(kept), given="hint\na1\nundo\n?\nb2\nquit\n")
    assert done.returncode == 0, done.stderr
    assert "hint: " in done.stdout
    assert "for you" in done.stdout
    assert done.stdout.count("seat 2 plays") == 2
    assert GameRecord.from_json(kept.read_text()).actions[0] == "b2"


def test_a_game_that_can_not_be_written_down_any_more_is_kept_as_far_as_it_was(tmp_path):
    kept, words = tmp_path / "game.json", ("play", "tictactoe", "--together", "--record")
    assert hanpan_cli(*words, str(kept), given="a1\nquit\n").returncode == 0
    whole, before = kept.read_text(), resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, before[1]))  # as if the disk were full
    try:
        done = hanpan_cli(*words, str(kept), given="a1\nquit\n")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert done.returncode == 2
    assert f"--record {kept}: can't be written (" in done.stderr
    assert [path.read_text() for path in tmp_path.iterdir()] == [whole]
    assert "can't be written" in hanpan_cli(*words, str(tmp_path / "nowhere" / "game.json"), given="quit\n").stderr
    assert "can't be written" in hanpan_cli(*words, str(tmp_path), given="quit\n").stderr
    os.symlink(kept, tmp_path / "link.json")
    assert hanpan_cli(*words, str(tmp_path / "link.json"), given="b2\nquit\n").returncode == 0
    assert GameRecord.from_json(kept.read_text()).actions == ("a1", "b2")


def test_a_game_that_is_kept_goes_on_and_nothing_else_is_written_over(tmp_path):
    kept = tmp_path / "game.json"

    def play(*words, given="quit\n"):
        return hanpan_cli("play", *words, "--together", "--record", str(kept), given=given)

    kept.touch()  # as `mktemp` does
    assert play("tictactoe", given="a1\nb2\nquit\n").returncode == 0
    assert f"going on with the game in {kept}, after 2 actions" in play("tictactoe", given="a2\nquit\n").stdout
    assert GameRecord.from_json(kept.read_text()).actions == ("a1", "b2", "a2")
    whole = kept.read_text()
    assert "another game is there already" in play("kulami").stderr
    assert "seat 1 won" in play("tictactoe", given="c2\na3\n").stdout
    assert "another game is there already, which has ended" in play("tictactoe").stderr
    for other in ("a letter", whole.replace("a2", "a1")):
        kept.write_text(other)
        said = play("tictactoe")
        assert (said.returncode, "something else is there already (" in said.stderr, kept.read_text()) == (2, True, other)
    assert [*tmp_path.iterdir()] == [kept]


@pytest.mark.parametrize("language", ["ko", "ja", "zh"])
def test_a_game_in_the_terminal_is_spoken_in_one_language(language):
    """Names of actions and of commands are everyone's."""
    words, small = "undo\nhint\nnonsense\na1\nb2\n?\nhint\nquit\n", ["-o", "size=3", "-o", "pieces=1"]
    done = hanpan_cli("play", "wallgo", *small, "--bot", "random", "--seed", "3", "--language", language, given=words)
    assert done.returncode == 0, done.stderr
    assert re.findall(r"[a-z]{2,}", re.sub(r"`\w+`|nonsense|dice", "", done.stdout.lower())) == []


def test_a_game_against_chance_alone_and_against_people():
    moves = "\n".join(f"{c}{r}" for c in "abc" for r in "123") * 2 + "\n"
    assert "seat 2 plays" in hanpan_cli("play", "tictactoe", "--bot", "random", given=moves).stdout
    assert "seat 2 plays" not in hanpan_cli("play", "tictactoe", "--together", given=moves).stdout


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["match", "chess", "1", "2"], "'chess' is not a game"),
        (["match", "tictactoe", "9", "2"], "level: 9 is not in 1…8"),
        (["match", "tictactoe", "1", "no-such-program"], "there is no program 'no-such-program'"),
        (["match", "tictactoe", "1", "python:nowhere:x"], "there is no 'x' in the Python module 'nowhere'"),
        (["match", "tictactoe", "1", "true"], "program 'true': has ended"),
        (["match", "tictactoe", "1", "2", "--sprt", "0.6,0.5"], "sprt: 0.6,0.5 are not two scores"),
        (["match", "tictactoe", "1", "2", "-o", "size=3"], "size: tictactoe has no such option"),
        (["match", "tictactoe", "1", "2", "--openings", "9"], "openings: 9 random plies end the game"),
        (["match", "tictactoe", "1", "2", "--keep", "/nowhere/games.jsonl"], "/nowhere/games.jsonl: can't be written"),
        (["ladder", "tictactoe", "--levels", "3"], "levels: '3' are not at least two levels"),
        (["analyse", "tictactoe", "nonsense"], ":"),
        (["analyse", "tictactoe", "xxx/oo./... -"], "the game is over"),
        (["analyse", "tictactoe", "xx./oo./... x", "--viewer", "2"], "--viewer 2: seat 1 is to act"),
        (["analyse", "tictactoe", "xx./oo./... x", "--viewer", "3"], "--viewer 3: tictactoe has 2 seats"),
        (["play", "tictactoe", "--bot", "11"], "level: 11 is not in 1…8"),
        (["play", "tictactoe", "--bot", "nobody-at-all"], "is not a player"),
        (["play", "tictactoe", "--seat", "2", "--bot", "true"], "program 'true': has ended"),
        *(
            (["bot", "--server", server, "--token", "bot_x", "--game", "tictactoe"], f"--server: {server!r} is not an address like https://games.example.org")
            for server in ("", "games.example.org", "localhost:8399", "ftp://games.example.org", "http://", "http://[", "http://localhost:99999")
        ),
        *((["bot", "--server", "http://127.0.0.1:9", "--token", token, "--game", "tictactoe"], "--token: ") for token in ("", " ", "bot_x\n", "bot x", "봇")),
    ],
)
def test_a_wrong_input_is_one_sentence(words, reason):
    done = hanpan_cli(*words)
    assert done.returncode == 2, done.stderr
    assert reason in done.stderr
    assert "Traceback" not in done.stderr


def test_an_opponent_that_plays_what_is_not_legal_is_named(tmp_path, monkeypatch):
    (tmp_path / "wild.py").write_text("class Wild:\n    def choose(self, state, seconds):\n        return 'z99'\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    done = hanpan_cli("play", "kulami", "-o", "board=a", "--seat", "2", "--bot", "python:wild:Wild")
    assert done.returncode == 2
    assert "seat 1 answered 'z99', which is not legal" in done.stderr
