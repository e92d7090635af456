"""How Hanpan is built: arrows point down, no game is named outside its folder, four languages say the same."""

import ast
import json
import re
import string
import subprocess
from functools import cache
from pathlib import Path

import pytest

import hanpan
from hanpan.core.words import LANGUAGES

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "hanpan"
FILES = sorted(SOURCE.rglob("*.py"))
GAMES = sorted(path.name for path in (SOURCE / "games").iterdir() if (path / "rules.py").exists())

# Ground floor first: a module may import only from floors below its own.
FLOORS = [
    {"core"},
    {"games"},
    {"draw"},
    {"contract"},
    {"rulebook"},
    {"game"},
    {"result"},
    {"record", "loops", "bots"},
    {"workshop", "checks"},
    {"engine", "twins"},
    {"replay", "bench", "studies", "server", "client"},
    {"envs"},
    {"cli"},
]

# The same inside the rooms: a file's floor there, or its folder's.
INSIDE = {
    "core": [
        {"interpreted", "words", "seeds", "level", "extras", "fastjson", "filled"},
        {"compiled", "refusal", "scene", "unfit"},
        {"reading"},
        {"javascript", "option", "rule", "wasm"},
        {"planes", "square", "maths"},
    ],
    "draw": [{"palette"}, {"svg"}, {"terminal"}],
    "bots": [
        {"search_result", "levels", "elo", "jsonl", "program", "work"},
        {"alphabeta", "mcts", "tally"},
        {"deepening", "treesearch", "hidden", "match_log"},
        {"bot"},
        {"players"},
        {"pairs", "on_ray"},
        {"workers"},
        {"match"},
        {"ladder"},
        {"show"},
    ],
    "server": [
        {"settings", "faults", "logs", "metrics", "stills", "engines"},
        {"storage", "network", "outside"},
        {"protocol"},
        {"cluster"},
        {"people"},
        {"rooms"},
        {"transport"},
        {"http", "clustering", "worker", "workers"},
        {"app"},
        {"run"},
    ],
    "envs": [
        {"observations", "picture"},
        {"core", "dataset", "openspiel", "seat", "fights"},
        {"archive", "cpu", "cuda", "selfplay", "table"},
        {"batch"},
        {"vector"},
    ],
    "cli": [{"options", "terminal"}, {"bulk", "hosting"}, {"learning", "loading"}, {"app"}],
}
MADE_FROM_RULES = {"text", "scene", "evaluate", "observe", "symmetry", "traces"}  # of a game's folder


def floor(module, floors=FLOORS, depth=1):
    name = ".".join(module.split(".")[depth : depth + 1])
    return next((number for number, rooms in enumerate(floors) if name in rooms), None)


def module_of(path):
    return ".".join(("hanpan", *path.relative_to(SOURCE).with_suffix("").parts)).removesuffix(".__init__")


def tree(path):
    """What a file says, node by node."""
    return list(ast.walk(ast.parse(path.read_text("utf-8"))))


@cache
def imports(path):
    """The modules of Hanpan that a file imports."""
    return list(_imports(path))


def _imports(path):
    package = ".".join(("hanpan", *path.relative_to(SOURCE).with_suffix("").parts))
    for node in tree(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("hanpan"))
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                base = ".".join([*package.split(".")[: -node.level], *([base] if base else [])])
            if base == "hanpan":
                yield from (f"hanpan.{alias.name}" for alias in node.names if alias.name != "__version__")
            elif base.startswith("hanpan"):
                folder = SOURCE.joinpath(*base.split(".")[1:])
                yield from (f"{base}.{alias.name}" if (folder / f"{alias.name}.py").exists() else base for alias in node.names)


def test_arrows_point_down():
    wrong = []
    for path in FILES:
        module = ".".join(("hanpan", *path.relative_to(SOURCE).with_suffix("").parts))
        if module in ("hanpan.__init__", "hanpan.__main__"):
            continue
        own = floor(module)
        assert own is not None, f"{module} stands on no floor: add it to FLOORS"
        for target in imports(path):
            if target.split(".")[1:3] == module.split(".")[1:3]:
                continue  # within the same room
            below = floor(target)
            same_room = target.split(".")[1] == module.split(".")[1] and target.split(".")[1] != "games"
            same_floor_allowed = own == 0 or same_room
            if below is None or not (below < own or (same_floor_allowed and below == own)):
                wrong.append(f"{module} imports {target}")
    assert wrong == []


@pytest.mark.parametrize("room", INSIDE)
def test_arrows_point_down_inside_a_room(room):
    """Those that only types need count as well: what is needed from above is handed in."""
    wrong = []
    for path in (path for path in FILES if path.is_relative_to(SOURCE / room) and path.name != "__main__.py"):
        module = module_of(path)
        if module == f"hanpan.{room}":
            continue
        own = floor(module, INSIDE[room], 2)
        assert own is not None, f"{module} stands on no floor: add it to INSIDE"
        for target in imports(path):
            below = floor(target, INSIDE[room], 2)
            if target.startswith(f"hanpan.{room}.") and (below is None or below > own):
                wrong.append(f"{module} imports {target}")
    assert wrong == []


@pytest.mark.parametrize("game", GAMES)
def test_rules_need_nothing_that_is_made_from_them(game):
    assert not {target.rsplit(".", 1)[1] for target in imports(SOURCE / "games" / game / "rules.py") if f".{game}." in target} & MADE_FROM_RULES


def test_no_two_files_need_each_other():
    """Neither directly nor through others, also where one is imported only in a function or for its types."""
    needs = {module_of(path): set(imports(path)) for path in FILES}
    while free := [module for module, needed in needs.items() if not needed & needs.keys() - {module}]:
        for module in free:
            del needs[module]
    assert not needs, "a circle"


def test_no_game_is_named_outside_its_folder():
    outside = [path for path in FILES if path.relative_to(SOURCE).parts[0] != "games"]
    assert [f"{path.relative_to(SOURCE)}:{node.lineno}" for path in outside for node, name in named(path) if any(game in name for game in GAMES)] == []


def named(path):
    """Each string and each name of a file, but what describes something."""
    nodes = tree(path)
    docs = {id(node.body[0].value) for node in nodes if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node)}
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs and not node.value.startswith("A game's name:"):
            yield node, node.value.lower()
        elif isinstance(node, (ast.Name, ast.Attribute)):
            yield node, (node.id if isinstance(node, ast.Name) else node.attr).lower()


def keys(words, above=""):
    for key, value in words.items():
        if isinstance(value, dict):
            yield from keys(value, f"{above}{key}.")
        elif isinstance(value, list):
            yield from ((f"{above}{key}.{number}", item) for number, item in enumerate(value))
        else:
            yield f"{above}{key}", value


def places(sentence):
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


@pytest.mark.parametrize("folder", [SOURCE, *(SOURCE / "games" / game for game in GAMES)], ids=lambda path: path.name)
def test_four_languages_say_the_same(folder):
    spoken = {language: dict(keys(json.loads((folder / "words" / f"{language}.json").read_text("utf-8")))) for language in LANGUAGES}
    for language in LANGUAGES:
        assert set(spoken[language]) == set(spoken["en"])
        for key, sentence in spoken[language].items():
            assert sentence.strip(), (language, key)
            assert places(sentence) == places(spoken["en"][key]), (language, key)
        if folder != SOURCE:
            assert len((folder / "words" / f"{language}.md").read_text("utf-8")) > 400


@pytest.mark.parametrize("game", GAMES)
def test_every_option_and_refusal_has_words(game):
    book = hanpan.game(game).book
    words = json.loads((SOURCE / "games" / game / "words" / "en.json").read_text("utf-8"))
    for option in book.options:
        assert set(words["options"][option.name]) >= {"name", "help"}
        assert set(option.choices) <= set(words["options"][option.name].get("values", {})) or not option.choices
    common = json.loads((SOURCE / "words" / "en.json").read_text("utf-8"))["refusals"]
    code = "\n".join(path.read_text("utf-8") for path in (SOURCE / "games" / game).glob("*.py"))
    for refusal in re.findall(r'IllegalAction\(\s*"([^"]+)"', code):
        assert refusal in words["refusals"] or refusal in common, refusal
    assert len(words["seats"]) == book.rules.MOST_SEATS


def said(path):
    """The codes of what can't be taken from outside that a file says, and whether they are in a package's own words."""
    for node in tree(path):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Unfit":
            own = len(node.args) > 1 and not any(key.arg == "phrase" for key in node.keywords) and isinstance(node.args[1], ast.Name)
            yield from ((code.value, own) for code in ast.walk(node.args[0]) if isinstance(code, ast.Constant) and isinstance(code.value, str))


def test_all_that_can_be_wrong_with_what_comes_from_outside_has_words():
    """And no word is left that nobody says."""
    common, spoken = set(json.loads((SOURCE / "words" / "en.json").read_text("utf-8"))["unfit"]), {"seats", "nobody"}  # those two are parts of others
    for path in FILES:
        if path.relative_to(SOURCE).parts[0] != "games":
            spoken |= {code for code, _ in said(path)}
    for game in GAMES:
        words, codes = json.loads((SOURCE / "games" / game / "words" / "en.json").read_text("utf-8"))["unfit"], set()
        for path in (SOURCE / "games" / game).glob("*.py"):
            for code, own in said(path):
                (codes if own else spoken).add(code)
        assert codes == set(words), game
    assert spoken == common


def test_no_address_and_no_path_of_a_machine_is_committed():
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split()
    hosts = re.compile(r"(pypi|pythonhosted|npmjs|debian)[.](org|com)|\"resolved\": *\"http")
    paths = re.compile(r"/(work|farm|root)/[a-z]")
    for name in files:
        path = ROOT / name
        if path.suffix in (".gz", ".png", ".npy", ".npz") or not path.exists() or name == "tests/test_house.py":
            continue
        text = path.read_text("utf-8")
        assert not hosts.search(text), name
        assert not paths.search(text), name


def test_no_two_test_files_share_a_name():
    """Pytest imports them by their names alone."""
    names = [path.name for path in (ROOT / "tests").rglob("*.py") if path.name != "conftest.py" and "toy" not in path.parent.parts]
    assert sorted(set(names)) == sorted(names)
