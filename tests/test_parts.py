"""./test runs all its parts, says which failed, and ends when it is told to."""

import os
import signal
import subprocess
import sys
from pathlib import Path

TOOLS = Path(__file__).parents[1] / "tools"
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


def test_when_all_is_well_it_says_so():
    with run("parts.run('first', say('')); parts.run('none chosen', say('exit(5)'))") as all_parts:
        said, _ = all_parts.communicate()
    assert "./test: everything is fine" in said
    assert all_parts.returncode == 0


def test_told_to_end_it_ends_the_part_that_is_running_and_begins_no_other():
    waits = 'import time; print("waiting", flush=True); time.sleep(600)'
    with run(f"parts.run('first', say('{waits}')); parts.run('second', say('print(\"here I am\")'))") as all_parts:
        while "waiting" not in all_parts.stdout.readline():
            pass
        all_parts.send_signal(signal.SIGTERM)
        said, _ = all_parts.communicate()
    assert "here I am" not in said
    assert "./test: interrupted" in said
    assert all_parts.returncode == 128 + signal.SIGTERM
