"""What the docs name is there: files, and every command."""

import re
from pathlib import Path

import pytest
from typer.main import get_command

from hanpan.cli import app

ROOT = Path(__file__).parents[1]
PAGES = [*ROOT.glob("*.md"), ROOT / "web" / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
NAMED = re.compile(r"(?<![\w/.])(?:tests|tools|benchmarks|deploy|src|web|docs)/[\w/.@-]*\w")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_file_that_is_named_with_its_folder_is_there(page):
    named = {found for words in re.findall(r"`([^`\n]+)`", page.read_text("utf-8")) if "<" not in words for found in NAMED.findall(words)}
    made = {path for path in named if path.startswith("src/hanpan/server/page")}  # the page, built
    assert [path for path in sorted(named - made) if not any((folder / path).exists() for folder in (ROOT, page.parent))] == []


def test_the_readme_lists_every_command():
    listed = set(re.findall(r"\bhanpan ([a-z-]+)", (ROOT / "README.md").read_text("utf-8")))
    assert get_command(app).commands.keys() - listed == set()
