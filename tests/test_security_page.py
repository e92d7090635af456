"""docs/security.md: every test that it names is there."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "security.md").read_text("utf-8")


def all_tests():
    """The names of all tests."""
    files = [ast.parse(path.read_text("utf-8")) for path in ROOT.joinpath("tests").rglob("test_*.py")]
    return {node.name for file in files for node in ast.walk(file) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


def test_every_test_that_the_page_names_is_there():
    named = set(re.findall(r"`(test_\w+)`", PAGE))
    assert len(named) > 50
    assert named - all_tests() == set()


def test_every_line_of_its_tables_names_a_test():
    lines = [line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith("| tries")]
    assert lines
    assert [line for line in lines if "`test_" not in line.split("|")[3]] == []
