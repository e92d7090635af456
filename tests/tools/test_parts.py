"""./test runs all its parts, says which failed, and ends when it is told to."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).parents[2] / "tools"
BEGIN = "import sys, time; from parts import Parts; parts = Parts(); say = lambda code: [sys.executable, '-c', code]; "
CLOSE = "; sys.exit(parts.close(time.monotonic()))"


def run(code):
    return subprocess.Popen([sys.executable, "-c", BEGIN + code + CLOSE], env={**os.environ, "PYTHONPATH": str(TOOLS)}, stdout=subprocess.PIPE, text=True)


def test_a_part_that_fails_does_not_keep_the_next_from_running():
    with run("parts.run('first', say('sys')); parts.run('second', say('print(\"here I am\")')); parts.run('third', say('exit(3)'))") as all_parts:
        said, _ = all_parts.communicate()
    assert "here I am" in said
    assert "./test: failed: first, third (" in said
    assert all_parts.returncode == 1


def test_parts_that_run_beside_others_are_told_of_afterwards_in_their_order_and_by_name():
    late, soon = 'import time; time.sleep(0.5); print("late")', 'import sys; print("soon"); sys.exit(1)'
    with run(f"beside = parts.beside({{'first': say({late!r}), 'second': say({soon!r})}})\nwith beside: parts.run('third', say('print(3)'))\n0") as all_parts:
        said, _ = all_parts.communicate()
    assert said.splitlines()[:6] == ["── third", "3", "── first", "late", "── second", "soon"]
    assert "./test: failed: second (" in said
    assert all_parts.returncode == 1


def test_when_all_is_well_it_says_so():
    with run("parts.run('first', say('')); parts.run('none chosen', say('exit(5)'))") as all_parts:
        said, _ = all_parts.communicate()
    assert "./test: everything is fine" in said
    assert all_parts.returncode == 0


@pytest.mark.parametrize("how", ["parts.run('first', wait)", "beside = parts.beside({'second': wait})\nwith beside: parts.run('first', wait)\n0"])
def test_told_to_end_it_ends_the_parts_that_are_running_and_begins_no_other(how):
    with run(f"wait = say('import time; time.sleep(600)'); {how}; parts.run('second', say('print(\"here I am\")'))") as all_parts:
        assert all_parts.stdout.readline() == "── first\n"  # it may have begun by now, or not yet
        all_parts.send_signal(signal.SIGTERM)
        said, _ = all_parts.communicate()
    assert "here I am" not in said
    assert "./test: interrupted" in said
    assert all_parts.returncode == 128 + signal.SIGTERM


@pytest.mark.parametrize(("room", "said"), [("0", "in memory"), ("1 << 80", "elsewhere")])
def test_temporary_files_are_in_memory_where_there_is_plenty(tmp_path, monkeypatch, room, said):
    monkeypatch.delenv("TMPDIR", raising=False)
    look = f"import os; there = os.environ.get('TMPDIR', ''); print('in memory' if there.startswith('{tmp_path}') else 'elsewhere')"
    look += "; assert not there or os.stat(there).st_mode & 0o011 == 0o011"  # others go through it, as through any such folder
    places = f"import parts as tools; from pathlib import Path; tools.MEMORY, tools.ROOM = Path('{tmp_path}'), {room}"
    with run(f"{places}\nwith tools._files_in_memory(): parts.run('tests', say({look!r}))\n0") as all_parts:
        told, _ = all_parts.communicate()
    assert told.splitlines()[1] == said
    assert list(tmp_path.iterdir()) == []


def test_whoever_says_where_temporary_files_shall_be_is_heard(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with run("import parts as tools\nwith tools._files_in_memory(): parts.run('tests', say('import os; print(os.environ[\"TMPDIR\"])'))\n0") as all_parts:
        told, _ = all_parts.communicate()
    assert told.splitlines()[1] == str(tmp_path)
