"""The contract of a game: what a folder may bring is typed, read once, and told in full to those who write one."""

import re
from dataclasses import fields, replace
from pathlib import Path
from types import ModuleType

import pytest

import hanpan
from hanpan import contract
from hanpan.core.option import Option
from hanpan.core.rule import rule
from hanpan.rulebook import Rulebook, games, rulebook

PAGE = (Path(__file__).parent.parent / "docs" / "add-a-game.md").read_text("utf-8")
FILES = {
    "rules.py": contract.Rules,
    "text.py": contract.Text,
    "scene.py": contract.Sight,
    "rounds.py": contract.Rounds,
    "evaluate.py": contract.Evaluation,
    "observe.py": contract.Observe,
    "symmetry.py": contract.Symmetry,
    "traces.py": contract.Traces,
}


def section(file):
    return re.search(rf"^## {re.escape(file)}\n(.*?)(?=^## |\Z)", PAGE, re.M | re.S)[1]


def hooks(part):
    return {hook.name for hook in fields(part)}


@pytest.mark.parametrize(("file", "part"), FILES.items(), ids=FILES)
def test_the_page_for_authors_names_every_hook(file, part):
    named = set(re.findall(r"`(\w+)", section(file)))
    assert hooks(part) - named == set()


@pytest.mark.parametrize(("file", "part"), FILES.items(), ids=FILES)
def test_it_promises_none_that_is_not_read(file, part):
    listed = set(re.findall(r"^\| `(\w+)", section(file), re.M))
    assert listed - hooks(part) == set()


def test_every_part_of_the_contract_has_its_section():
    parts = {value for value in vars(contract).values() if isinstance(value, type) and value.__module__ == contract.__name__}
    assert parts == set(FILES.values())


@pytest.mark.parametrize("name", games())
def test_what_a_folder_leaves_out_is_filled_in(name):
    book = rulebook(name)
    for part in (book.rules, book.text, book.scene):
        for hook in fields(part):
            assert getattr(part, hook.name) is not None or hook.default is None, f"{type(part).__name__}.{hook.name}"
    assert set(book.text.drawn_) == {option.name for option in book.options if option.laid}


@pytest.mark.parametrize("name", games())
def test_a_preset_says_of_other_options_what_becomes_of_them(name):
    for option, choices in rulebook(name).text.PRESETS.items():
        for choice, decided in choices.items():
            assert decided.items() <= hanpan.game(name, **{option: choice}).options.items()


def test_a_hook_that_must_be_there_is_named_when_it_is_not():
    half = ModuleType("half.rounds")
    half.closed = lambda s, text: False
    with pytest.raises(TypeError, match=r"half\.rounds has no `account`"):
        contract.read(contract.Rounds, half)


@pytest.mark.parametrize(
    ("hook", "value", "said"),
    [
        ("legal", rule(lambda s: 0), r"half\.rules: `legal` is called with 2 values, and takes \(s\)"),
        ("legal", lambda s, out: 0, r"half\.rules: `legal` is no rule: write `@rule` above it"),
        ("start", rule(lambda s: None), r"half\.rules: `start` is called with 2 values, and takes \(s\)"),
        ("seats", 2, r"half\.rules: `seats` is no function, but int"),
        ("OPTIONS", Option("misere", False), r"half\.rules: `OPTIONS` is not a tuple of `Option`s; a tuple of one has a comma"),
    ],
)
def test_a_hook_that_can_not_be_called_as_it_will_be_is_named(hook, value, said):
    half = ModuleType("half.rules")
    vars(half).update(vars(rulebook("tictactoe").rules) | {hook: value})
    with pytest.raises(TypeError, match=said):
        contract.read(contract.Rules, half)


def test_a_folder_is_read_once(monkeypatch):
    book, read = rulebook("tictactoe"), []
    monkeypatch.setattr(Rulebook, "__init__", lambda self, name: read.append(name))
    assert rulebook("tictactoe") is book
    assert not read


def test_too_small_a_most_legal_is_named_and_writes_over_nothing(monkeypatch):
    state = hanpan.game("tictactoe").start()
    monkeypatch.setattr(state.game.book, "rules", replace(state.game.book.rules, MOST_LEGAL=3))
    with pytest.raises(RuntimeError, match=r"tictactoe: rules\.py: `legal` gives 9 actions here, and MOST_LEGAL says 3 at most"):
        state.legal()
