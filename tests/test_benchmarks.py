"""Benchmarks can be begun: those that borrow from other folders find there what they look for."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = sorted((Path(__file__).parents[1] / "benchmarks").glob("*.py"))


@pytest.mark.slow
@pytest.mark.parametrize("script", [script for script in SCRIPTS if "sys.path" in script.read_text()], ids=lambda script: script.stem)
def test_what_a_benchmark_borrows_is_found(script):
    done = subprocess.run([sys.executable, script, "--help"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
