"""The command line, as a person uses it."""

import json
import re
import shutil
import subprocess
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path
from xml.etree.ElementTree import canonicalize

import pytest
from commands import hanpan_cli
from typer.main import get_command

import hanpan
from hanpan import rulebook
from hanpan.cli import app
from hanpan.record import GameRecord

TRACES = Path(__file__).parents[1] / "traces"


@pytest.mark.slow
def test_the_command_is_a_process_of_its_own():
    done = subprocess.run([sys.executable, "-m", "hanpan.cli", "play", "kulami", "--seat", "3"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "--seat 3: kulami has 2 seats" in done.stderr
    assert "Traceback" not in done.stderr


def test_help_teaches():
    done = hanpan_cli("--help")
    for command in ("play", "match", "ladder", "analyse", "perft", "replay", "bench", "svg"):
        assert command in done.stdout
    assert "e2" in hanpan_cli("play", "--help").stdout


def test_every_example_of_a_commands_help_has_a_line_of_its_own():
    for name, command in get_command(app).commands.items():
        examples = [line.strip() for line in command.help.splitlines() if line.startswith("    hanpan ")]
        shown = [line.strip() for line in hanpan_cli(name, "--help").stdout.splitlines() if line.strip()]
        assert [each for each in examples if not any(each.startswith(line) for line in shown)] == [], name  # a long one goes on in the next line


def test_an_output_that_is_full_is_told_in_one_line():
    with open("/dev/full", "w") as full:
        done = hanpan_cli("svg", "kulami", into=full)
    assert (done.returncode, done.stderr) == (2, "hanpan: [Errno 28] No space left on device\n")


def test_an_output_that_can_not_have_every_letter_gets_the_result_all_the_same():
    out = TextIOWrapper(BytesIO(), "ascii")
    done = hanpan_cli("match", "kulami", "random", "random", "--games", "2", "--cores", "1", into=out)
    assert (done.returncode, done.stderr) == (0, "")
    out.seek(0)
    assert r"=0 \u2212" in out.read()


def test_a_picture_is_the_same_in_any_encoding_of_the_output():
    for encoding in ("ascii", "cp949", "utf-8"):
        out = TextIOWrapper(BytesIO(), encoding)
        hanpan_cli("svg", "kulami", "--language", "ko", into=out)
        out.seek(0)
        assert canonicalize(out.read()) == canonicalize(hanpan.game("kulami").start().svg(language="ko"))


def test_perft_counts():
    done = hanpan_cli("perft", "puoribor", "2")
    assert done.stdout.split() == ["1", "167", "2", "27,405"]
    assert hanpan_cli("perft", "puoribor", "2", "-o", "rotation=false").stdout.split() == ["1", "131", "2", "16,677"]


@pytest.mark.slow
def test_perft_counts_deeper():
    assert hanpan_cli("perft", "puoribor", "3").stdout.split()[-1] == "4,419,735"
    assert hanpan_cli("perft", "puoribor", "4", "-o", "rotation=false").stdout.split()[-3:] == ["2,062,264", "4", "247,569,030"]


def test_replay_accepts_traces_and_names_the_first_difference(tmp_path):
    done = hanpan_cli("replay", str(TRACES / "kulami-levels.jsonl.gz"))
    assert done.returncode == 0
    assert "120 reproduced" in done.stdout
    record = GameRecord.begin(hanpan.game("kulami")).add("e5")
    (tmp_path / "good.json").write_text(record.to_json())
    (tmp_path / "good.txt").write_text(record.to_text())
    (tmp_path / "bad.json").write_text(record.to_json().replace("e5", "a1"))
    assert hanpan_cli("replay", str(tmp_path / "good.json"), str(tmp_path / "good.txt")).returncode == 0
    done = hanpan_cli("replay", str(tmp_path / "bad.json"))
    assert done.returncode == 1
    assert "ply 1: 'a1'" in done.stderr


def alike(tmp_path, monkeypatch, name="alike"):
    """A copy of tic-tac-toe under another name, to be spoilt."""
    made = tmp_path / name
    shutil.copytree(TRACES.parent / "toy" / "tictactoe", made, ignore=shutil.ignore_patterns("__pycache__"))
    info = tmp_path / f"{name}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[hanpan.games]\n{name} = {name}\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(rulebook, "_packages", lambda: {name: name})
    return made


@pytest.mark.slow
def test_check_finds_nothing_wrong_with_a_good_game_and_names_what_is_wrong_with_another(tmp_path, monkeypatch):
    done = hanpan_cli("check", "tictactoe")
    assert (done.returncode, done.stdout) == (0, "tictactoe: nothing is wrong\n"), done
    made = alike(tmp_path, monkeypatch)
    (made / "text.py").write_text((made / "text.py").read_text("utf-8").replace("return cell_name(a % 3, a // 3)", 'return "a1"'), "utf-8")
    (made / "words" / "ja.json").write_text('{"name": "三目並べ"}', "utf-8")
    done = hanpan_cli("check", "alike")
    assert done.returncode == 1
    assert "text.py: `format_action`: 9 legal actions are called 'a1', at .../.../... x\n" in done.stdout
    assert "words/ja.json: `tagline`: is missing\n" in done.stdout
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_check_names_a_rule_that_does_something_else_compiled(tmp_path, monkeypatch):
    rules = alike(tmp_path, monkeypatch, "overflowing") / "rules.py"
    rules.write_text(rules.read_text("utf-8").replace("        out[seat] = 0\n", "        out[seat] = s.cell[seat] * 100\n"), "utf-8")
    done = hanpan_cli("check", "overflowing")
    assert (done.returncode, done.stdout) == (1, "rules.py: `outcome`: writes other numbers as plain Python than compiled\n")


@pytest.mark.slow
def test_check_names_a_kind_of_thing_that_nobody_can_draw_and_compiles_what_only_lacks_words(tmp_path, monkeypatch):
    made = alike(tmp_path, monkeypatch, "unspoken")
    (made / "words" / "ja.json").unlink()
    (made / "rules.py").write_text(
        (made / "rules.py").read_text("utf-8").replace("        out[seat] = 0\n", "        out[seat] = s.cell[seat] * 100\n"), "utf-8"
    )
    done = hanpan_cli("check", "unspoken")
    assert done.stdout.splitlines() == [
        "words/ja.json: is not there; English is read instead",
        "rules.py: `outcome`: writes other numbers as plain Python than compiled",
    ]
    (made / "scene.py").write_text((made / "scene.py").read_text("utf-8").replace('"cell", x + 1', '"field", x + 1'), "utf-8")
    done = hanpan_cli("check", "unspoken")
    assert done.stdout.startswith("scene.py: `board`: 'field' is no kind of place; there are cell, hole, slot, handle, spot, hand, button\n")


@pytest.mark.slow
def test_check_names_what_no_page_could_draw(tmp_path, monkeypatch):
    scene = alike(tmp_path, monkeypatch, "undrawn") / "scene.py"
    scene.write_text(scene.read_text("utf-8").replace("return (cell_name(a % 3, a // 3),)", "return (cell_name(a % 3, a // 3).swapcase().lower(),)"), "utf-8")
    done = hanpan_cli("check", "undrawn")
    assert done.returncode == 1
    assert re.search(r"undrawn/scene\.py:\d+: `\.swapcase` is nothing that anything has here\n$", done.stdout)


def test_a_check_of_a_game_that_is_not_there_names_those_that_are():
    done = hanpan_cli("check", "chess")
    assert done.returncode == 2
    assert "goita, kulami" in done.stderr


def test_bench_gives_json():
    figures = json.loads(hanpan_cli("bench", "tictactoe", "--json", "--seconds", "0.05").stdout)["tictactoe"]
    assert set(figures) == {"plies_per_second_one_core", "plies_per_second_all_cores", "legal_per_second_one_core", "bot_nodes_per_second"}
    assert min(figures.values()) > 0


def test_svg_draws():
    assert hanpan_cli("svg", "kulami").stdout.startswith("<svg")
    assert hanpan_cli("svg", "tictactoe", "x../.../... o", "--theme", "dark").stdout.startswith("<svg")


def test_a_game_in_the_terminal_to_its_end(tmp_path):
    kept = tmp_path / "game.json"
    moves = "?\nnonsense\nb2\nb2\nundo\n" + "\n".join(f"{c}{r}" for c in "bac" for r in "213") * 2
    done = hanpan_cli("play", "tictactoe", "--seed", "3", "--record", str(kept), given=moves + "\n")
    assert "can't be read as an action" in done.stdout
    assert "is taken already" in done.stdout
    assert "won" in done.stdout or "draw" in done.stdout
    assert GameRecord.from_json(kept.read_text()).final().over


@pytest.mark.parametrize("game", hanpan.games())
def test_every_game_can_be_begun_and_left(game):
    done = hanpan_cli("play", game, "--seed", "1", given="?\nquit\n")
    assert done.returncode == 0, done.stderr
    assert "▸" in done.stdout


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["perft", "chess", "1"], "'chess' is not a game; there are"),
        (["perft", "kulami", "0"], "is not in 1…20"),
        (["perft", "kulami", "1", "-o", "level"], "-o level: write it as key=value"),
        (["perft", "kulami", "1", "-o", "level=x"], "level: 'x' is not a whole number"),
        (["perft", "kulami", "1", "-o", "size=3"], "size: kulami has no such option"),
        (["perft", "kulami", "1", "--position", "x"], ":"),
        (["play", "kulami", "--seat", "3"], "--seat 3: kulami has 2 seats"),
        (["svg", "kulami", "--theme", "pink"], "theme: 'pink' is not one of"),
        (["svg", "kulami", "--language", "fr"], "language: 'fr' is not one of"),
        (["bench", "chess"], "'chess' is not a game"),
    ],
)
def test_a_wrong_input_is_one_sentence(words, reason):
    done = hanpan_cli(*words)
    assert done.returncode == 2
    assert reason in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["perft", "kulami", "1", "-o", "name=x"], "name: kulami has no such option"),
        (["perft", "kulami", "1", "-o", "level=１"], "level: '１' is not a whole number"),
        (["perft", "kulami", "1", "-o", "level= 1"], "level: ' 1' is not a whole number"),
        (["perft", "kulami", "1_1"], "'1_1' is not a whole number"),
        (["perft", "kulami", "٣"], "is not a whole number"),
        (["svg", "kulami", "--seed", "-1"], "is not a whole number from 0 on"),
        (["analyse", "kulami", "--seconds", "nan"], "'nan' is not a number"),
        (["match", "kulami", "８", "1"], "is not a player"),
        (["ladder", "kulami", "--levels", "１-2"], "is neither like 1-8"),
        (["svg", "kulami", "\udcff"], r"position: '\udcff' is not a text"),
        (["svg", "puoribor", "z" * 100_000 + " e9 9 9 - 1"], "pawn 1: 'zzz"),
        (["svg", "kulami", "-o", "\udcff" * 90_000 + "=1"], "has no such option"),
    ],
)
def test_numbers_and_texts_are_read_strictly(words, reason):
    done = hanpan_cli(*words)
    assert done.returncode == 2
    assert reason in " ".join(done.stderr.replace("│", " ").split())
    assert len(done.stderr) < 1500


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("deep.json", "[" * 100_000),
        ("deep.jsonl", '{"a":' * 100_000),
        ("options.json", '{"hanpan": 1, "game": "kulami", "options": {"level": ' + "[" * 900 + "]" * 900 + '}, "actions": []}'),
        ("name.json", '{"hanpan": 1, "game": "kulami", "options": {"name": "x"}, "actions": []}'),
        ("name.jsonl", '{"game": "kulami", "options": {"name": "x"}, "start": "", "plies": []}'),
        ("half.json", '{"hanpan": 1, "game": "kulami", "options": {}, "actions": ["\\ud800"]}'),
        ("half.jsonl", '{"game": "\\ud800"}'),
        ("long.json", json.dumps({"hanpan": 1, "game": "k" * 1_000_000, "options": {}, "actions": []})),
    ],
)
def test_replay_says_of_any_file_what_is_wrong_with_it(name, text, tmp_path):
    (tmp_path / name).write_text(text, "utf-8")
    done = hanpan_cli("replay", str(tmp_path / name))
    assert done.returncode == 1
    assert name in done.stderr.replace("\n", "")
    assert len(done.stderr) < 800


@pytest.mark.slow
def test_check_names_what_only_a_computer_player_needs_and_can_not_be_compiled(tmp_path, monkeypatch):
    made = alike(tmp_path, monkeypatch, "misjudged")
    (made / "evaluate.py").write_text('from hanpan.core.rule import rule\n\n\n@rule\ndef values(s, out):\n    out[0] = open("x")\n', "utf-8")
    done = hanpan_cli("check", "misjudged")
    assert done.returncode == 1
    assert re.search(r"misjudged/evaluate\.py:\d+: `values`: Untyped global name 'open'", done.stdout)
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_check_says_that_nobody_looked_where_there_is_no_webassembly(monkeypatch, tmp_path):
    from hanpan.core.wasm import emit

    alike(tmp_path, monkeypatch, "elsewhere")
    monkeypatch.setattr(emit, "_TRIPLE", "nowhere-unknown-unknown")
    done = hanpan_cli("check", "elsewhere")
    assert (done.returncode, done.stdout) == (0, "elsewhere: nothing is wrong\n")
    assert re.search(r"elsewhere: whether a page can have its rules was not looked at: llvmlite [\d.]+ was built without WebAssembly", done.stderr)


@pytest.mark.slow
def test_check_tells_each_fault_of_a_picture_once(tmp_path, monkeypatch):
    scene = alike(tmp_path, monkeypatch, "speechless") / "scene.py"
    told = scene.read_text("utf-8") + '\n\ndef prompt(s, viewer):\n    return Phrase("nowhere")\n'
    scene.write_text(told if "import Phrase" in told else told.replace("import ", "from hanpan.core.words import Phrase\nimport ", 1), "utf-8")
    done = hanpan_cli("check", "speechless")
    lines = done.stdout.splitlines()
    assert lines
    assert len(lines) == len(set(lines)), lines
