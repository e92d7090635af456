"""What the docs name is there: files, and every command; and their Python runs."""

import re
from pathlib import Path

import pytest
from typer.main import get_command

import hanpan
from hanpan.bots import Bot
from hanpan.cli import app

ROOT = Path(__file__).parents[1]
PAGES = [*ROOT.glob("*.md"), ROOT / "web" / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
NAMED = re.compile(r"(?<![\w/.])(?:tests|tools|benchmarks|deploy|src|web|docs)/[\w/.@-]*\w")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_file_that_is_named_with_its_folder_is_there(page):
    named = {found for words in re.findall(r"`([^`\n]+)`", page.read_text("utf-8")) if "<" not in words for found in NAMED.findall(words)}
    made = {path for path in named if path.startswith("src/hanpan/server/page")}  # the page, built
    assert [path for path in sorted(named - made) if not any((folder / path).exists() for folder in (ROOT, page.parent))] == []


def python_of(page, begins):
    """The one block of Python on a page that begins so."""
    (block,) = re.findall(rf"```python\n({re.escape(begins)}.*?)```", (ROOT / page).read_text("utf-8"), re.DOTALL)
    return compile(block, page, "exec")


@pytest.mark.slow
def test_the_python_of_the_readme_runs_as_it_is():
    known = {}
    exec(python_of("README.md", "import hanpan"), known)
    assert known["state"].actions
    assert hanpan.game("kulami", board="random", level=1).parse(str(known["state"])) == known["state"]


@pytest.mark.slow
def test_the_python_of_computer_players_runs_as_it_is(monkeypatch, capsys):
    kept = Bot.analyse
    monkeypatch.setattr(Bot, "analyse", lambda self, state, seconds, **more: kept(self, state, 0.1, **more))
    known = {"hanpan": hanpan, "state": hanpan.game("kulami").start()}
    exec(python_of("docs/bots.md", "bot = hanpan.bot("), known)
    assert capsys.readouterr().out


@pytest.mark.slow
def test_the_python_of_batches_runs_with_a_policy():
    class Training:
        left = 3

        def __bool__(self):
            self.left -= 1
            return self.left >= 0

    known = {"training": Training(), "policy": lambda planes, mask: mask.argmax(axis=1)}
    exec(python_of("docs/envs.md", "from hanpan.envs import batch"), known)
    env = known["env"]
    assert known["planes"].shape == (4096, 14, 10, 10)
    assert known["mask"].shape == (4096, 100)
    assert (env.rewards.shape, env.done.shape, env.turn.shape, env.scores.shape) == ((4096, 2), (4096,), (4096,), (4096, 2))


def test_the_readme_lists_every_command():
    listed = set(re.findall(r"\bhanpan ([a-z-]+)", (ROOT / "README.md").read_text("utf-8")))
    assert get_command(app).commands.keys() - listed == set()
