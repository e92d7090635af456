"""Players that are programs of their own."""

import os
import re
import signal
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from variants import every_variant

import hanpan
from hanpan.bots import program as program_module
from hanpan.bots.match import play_match
from hanpan.bots.pairs import Plan
from hanpan.bots.program import Fault, Program

DOCS = Path(__file__).parents[2] / "docs" / "bots.md"
TOY = Plan("tictactoe", {"misere": False}, ("random", "random"), openings=2)
READY = "import sys, time\nprint('ready', flush=True)\n"
PLAYS = (
    READY
    + """
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == 'legal':
        legal = rest.split()
    if word == 'go':
        print('action', legal[0], flush=True)
"""
)


def written(folder, text, name="bot.py"):
    """The command line of a program with this text."""
    (folder / name).write_text(text)
    return f"{sys.executable} {folder / name}"


@pytest.fixture
def ask(tmp_path):
    """Asks a program of this text for its first action in tic-tac-toe."""
    started = []

    def ask(text, seconds=60):
        started.append(Program(written(tmp_path, text)))
        return started[-1].choose(hanpan.game("tictactoe").start().view(0), seconds)

    yield ask
    for program in started:
        program.close()


@pytest.mark.slow
def test_the_example_of_the_page_plays_every_kind_of_game(tmp_path):
    (example,) = re.findall(r"```python\n(import random.*?)```", DOCS.read_text("utf-8"), re.S)
    assert len(example.splitlines()) <= 20
    command = written(tmp_path, example)
    for name, options in (("tictactoe", {}), ("goita", {"target": 50}), ("wallgo", {"players": 3, "size": 3, "pieces": 3})):
        plan = Plan(name, hanpan.game(name, **options).options, (command, "random"), seconds=600.0)
        report = play_match(plan, 2).report()
        assert report["games"] >= 2
        assert not report["faults"]


def test_what_a_program_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(program_module, "_QUIT", 600)  # else it is killed where this machine pauses
    log = tmp_path / "log.txt"
    program = Program(
        written(
            tmp_path,
            f"""
import sys
log = open({str(log)!r}, "w")
for line in sys.stdin:
    log.write(line)
    log.flush()
    if line.startswith("hanpan"):
        print("ready")
    if line.startswith("legal"):
        last = line.split()[-1]
    if line.startswith("go"):
        print()
        print("info depth 3")
        print("action", last)
    sys.stdout.flush()
    if line == "quit\\n":
        break
""",
        )
    )
    state = hanpan.game("tictactoe").start()
    assert program.choose(state.view(0), 60) == "c3"
    assert program.choose(state.play("c3").view(1)) == "c2"
    program.begin(7)
    assert program.choose(state.view(0), 61) == "c3"
    program.stop()
    program.close()
    game = 'game tictactoe {"misere": false}'
    first = ["view 0 .../.../... x", "legal a1 a2 a3 b1 b2 b3 c1 c2 c3"]
    second = ["view 1 .../.../..x o", "legal a1 a2 a3 b1 b2 b3 c1 c2", "go"]
    assert log.read_text().splitlines() == ["hanpan 1", game, *first, "go 60000", *second, game, *first, "go 61000", "stop", "quit"]


def test_a_program_hears_only_what_its_seat_may_know():
    told = []

    class Deaf(Program):
        def start(self):
            class Running:
                def say(self, line):
                    told.append(line)

                def forget(self):
                    pass

                def hear(self, seconds):
                    return "action x"

            return Running()

    state = hanpan.game("goita").start(seed=5)
    seen = state.view(state.seat)
    Deaf("x").choose(seen)
    view = next(line for line in told if line.startswith("view"))
    assert view == f"view {state.seat} {seen}"
    assert str(state) not in "\n".join(told)
    assert state.game.parse(view.split(" ", 2)[2], viewer=state.seat) == seen


@every_variant()
def test_every_action_is_one_word(game):
    state = game.start(seed=4)
    for ply in range(12):
        if state.over:
            break
        if state.chance:
            state = state.play(state.draw(ply))
            continue
        assert all(re.fullmatch(r"\S+", action) for action in state.legal())
        state = state.play(state.legal()[ply * 7 % len(state.legal())])


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("print('hello', flush=True)\nimport time; time.sleep(100)", r"answered 'hello' to `hanpan 1`, not `ready`"),
        ("import sys; sys.exit('I am not well')", r"has ended \(exit status 1\); its last words: I am not well"),
        (READY + "for line in sys.stdin:\n  if line.startswith('go'): sys.exit('no idea')", r"has ended \(exit status 1\); its last words: no idea"),
        (READY + "for line in sys.stdin:\n  if line.startswith('go'): print('best b2', flush=True)", "answered 'best b2', not `action …`"),
        (READY + "for line in sys.stdin:\n  if line.startswith('go'): print('action', flush=True)", "answered 'action', not `action …`"),
        (READY + "while True: print('x' * 1000)", "was stopped: it said more than 100 lines|answered 'x"),
        ("import sys; sys.stdout.buffer.write(bytes(range(256)) * 9000)", "answered|was stopped"),
        ("import os; os.kill(os.getpid(), 9)", r"has ended \(killed by SIGKILL\)"),
        (READY + "for line in sys.stdin:\n  if line.startswith('go'): sys.exit()", r"has ended \(exit status 0\)"),
    ],
)
def test_a_program_that_fails_is_named_with_what_it_did(ask, text, reason):
    with pytest.raises(Fault, match=reason) as fault:
        ask(text)
    assert "bot.py" in str(fault.value)


@pytest.mark.slow
@pytest.mark.parametrize("text", ["time.sleep(100)", "for line in sys.stdin:\n  if line.startswith('go'):\n    while True: print('info', flush=True)"])
def test_a_program_that_is_late_is_told_how_long_it_had(ask, text):
    with pytest.raises(Fault, match=r"bot.py.*did not answer within 0.5 s"):
        ask(READY + text, 0.01)


def test_a_program_that_never_reads_does_not_hold_anyone_up(tmp_path):
    program = Program(written(tmp_path, READY + "while True:\n  print('action a1', flush=True)\n  time.sleep(0.001)"))
    seen = hanpan.game("tictactoe").start().view(0)

    def ask_on():
        while True:
            program.choose(seen, 600)

    with pytest.raises(Fault, match=r"does not read what it is told|was stopped: it said more than 100 lines that nobody had asked for"):
        ask_on()
    program.close()


def test_a_program_that_can_not_be_started():
    with pytest.raises(Fault, match="program '/nowhere/bot': can't be started"):
        Program("/nowhere/bot").choose(hanpan.game("tictactoe").start().view(0))


@pytest.mark.slow
def test_a_failing_program_loses_its_games_and_is_started_again(tmp_path):
    command = written(
        tmp_path,
        READY
        + """
turns = 0
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "legal":
        legal = rest.split()
    if word == "go":
        turns += 1
        if turns > 2:
            sys.exit("tired")
        print("action", legal[0], flush=True)
""",
    )
    report = play_match(replace(TOY, players=(command, "random")), 6).report()
    lost = [fault["fault"] for fault in report["faults"]]
    assert len(lost) > 1
    assert all("tired" in fault and "bot.py" in fault for fault in lost)
    assert report["losses"] >= len(lost)
    report = play_match(replace(TOY, players=("random", command)), 6).report()
    assert report["wins"] >= len(report["faults"]) > 1


def test_a_program_that_is_broken_from_the_start_is_no_match(tmp_path):
    command = written(tmp_path, "import nonsense_that_is_not_there")
    with pytest.raises(ValueError, match="No module named"):
        play_match(replace(TOY, players=("random", command)), 2)


def test_a_program_has_the_matchs_time_for_its_first_move_too(tmp_path):
    command = written(tmp_path, PLAYS.replace("if word == 'go':", "if word == 'go' and rest != '600000': sys.exit('in a hurry')\n    if word == 'go':"))
    report = play_match(replace(TOY, players=(command, "random"), seconds=600.0), 2).report()
    assert (report["games"], report["faults"]) == (2, [])


def test_a_program_that_ends_in_the_middle_of_a_game_has_lost_it(tmp_path):
    starts = tmp_path / "starts"
    program = Program(written(tmp_path, f"open({str(starts)!r}, 'a').write('x')\n" + PLAYS + "        sys.exit('one is enough')\n"))
    state = hanpan.game("tictactoe").start()
    for number in (1, 2):
        program.begin(number)
        assert program.choose(state.view(0), 600) == "a1"
        program._running._process.wait()  # so that it is seen before it is told anything more
        with pytest.raises(Fault, match=r"bot\.py.*has ended \(exit status 1\); its last words: one is enough"):
            program.choose(state.play("a1").play("b1").view(0), 600)
        assert starts.read_text() == "x" * number


def test_what_a_program_has_started_ends_with_it_and_holds_nobody_up(tmp_path, monkeypatch):
    monkeypatch.setattr(program_module, "_LAST_WORDS", 3600)  # a child that lives holds the lines open
    child = tmp_path / "child"
    leaves = f"import subprocess\nopen({str(child)!r}, 'w').write(str(subprocess.Popen(['sleep', '3600']).pid))\nsys.exit()"
    program = Program(written(tmp_path, READY + "for line in sys.stdin:\n  if line.startswith('go'):\n    " + leaves.replace("\n", "\n    ")))
    with pytest.raises(Fault, match="has ended"):
        program.choose(hanpan.game("tictactoe").start().view(0), 3600)
    while not _ended(int(child.read_text())):
        time.sleep(0.01)


def test_a_program_that_closes_its_output_and_lives_on_is_told_so(ask, monkeypatch):
    monkeypatch.setattr(program_module, "_LAST_WORDS", 0.1)  # for what it has not said
    with pytest.raises(Fault, match=r"bot\.py.*has closed its input or its output"):
        ask(READY + "import os\nfor line in sys.stdin:\n  if line.startswith('go'):\n    os.close(1)\n    time.sleep(3600)", 3600)


def test_a_program_whose_child_lives_on_elsewhere_has_ended_all_the_same(tmp_path, monkeypatch):
    monkeypatch.setattr(program_module, "_LAST_WORDS", 0.5)
    child = tmp_path / "child"
    leaves = f"open({str(child)!r}, 'w').write(str(subprocess.Popen(['sleep', '3600'], start_new_session=True).pid)); sys.exit()"
    program = Program(written(tmp_path, f"import subprocess\n{READY}for line in sys.stdin:\n  if line.startswith('go'): {leaves}"))
    try:
        with pytest.raises(Fault, match=r"has ended \(exit status 0\)"):
            program.choose(hanpan.game("tictactoe").start().view(0), 3600)
    finally:
        os.kill(int(child.read_text()), signal.SIGKILL)


@pytest.mark.skipif(not Path("/proc/self/io").exists(), reason="this system does not count what is read")
@pytest.mark.parametrize("to", ["stdout", "stderr"])
def test_what_a_program_says_is_not_read_letter_by_letter(ask, to):
    def reads():
        return int(re.search(r"syscr: (\d+)", Path("/proc/self/io").read_text()).group(1))

    before = reads()
    assert ask(PLAYS.replace("print('action'", f"print('info', 'thinking ' * 100_000, file=sys.{to}, flush=True)\n        print('action'")) == "a1"
    assert reads() - before < 100_000  # of 900,000 letters


def _ended(pid):
    """Whether a process is gone, or nobody has asked yet how it ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0] in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return True


def test_information_may_be_long(ask):
    text = PLAYS.replace("print('action'", "print('info', 'action ' * 100_000, flush=True)\n        print('action'")
    assert ask(text) == "a1"


def test_a_program_that_says_much_that_nobody_asked_for_is_ended(tmp_path):
    program = Program(written(tmp_path, READY + "for _ in range(1000):\n    print('noise', flush=True)\nsys.stdin.read()"))
    assert program.start()._process.wait(30) == -signal.SIGKILL
    program.close()


@pytest.mark.slow
def test_processes_end_with_the_match(tmp_path):
    pids = tmp_path / "pids"
    pids.mkdir()
    example = re.findall(r"```python\n(import random.*?)```", DOCS.read_text("utf-8"), re.S)[0]
    command = written(tmp_path, f"import os\nopen(os.path.join({str(pids)!r}, str(os.getpid())), 'w').close()\n{example}")
    play_match(replace(TOY, players=(command, "random")), 8, cores=2)
    started = [int(path.name) for path in pids.iterdir()]
    assert len(started) >= 3
    assert not any(Path(f"/proc/{pid}").exists() for pid in started)
