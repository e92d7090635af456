"""The package is light: rules, bots and environments need little, and what is not installed is named, together with what to install."""

import os
import subprocess
import sys
import tomllib
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]

WITHOUT = """
import sys
class Gone:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {gone!r}: raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Gone())
"""

TRY = """
for use in {uses!r}:
    try:
        exec(use)
    except ImportError as missing:
        assert isinstance(missing, ValueError)
        print(missing)
    else:
        print("nothing is missing for", use)
"""

USES = {
    "import hanpan.envs; hanpan.envs.aec('tictactoe')": "hanpan.envs.aec needs pettingzoo: pip install 'hanpan[envs]'",
    "import hanpan.envs; hanpan.envs.room('http://127.0.0.1:1', game='tictactoe')": "hanpan.envs.room needs gymnasium: pip install 'hanpan[envs]'",
    "import hanpan.envs.vector": "hanpan.envs.vector needs gymnasium: pip install 'hanpan[envs]'",
    "import hanpan.envs.openspiel": "hanpan.envs.openspiel needs pyspiel: pip install 'hanpan[openspiel]'",
    "from hanpan.envs.picture import rgb_array; rgb_array('<svg/>')": "a picture in pixels needs resvg_py: pip install 'hanpan[envs]'",
    "from hanpan.envs.dataset import load; load('x.parquet')": "Parquet needs pyarrow: pip install 'hanpan[parquet]'",
    "import hanpan; hanpan.game('tictactoe').start().ascii()": "a drawing for terminals needs rich: pip install 'rich'",
    "import hanpan.client": "hanpan.client needs aiohttp: pip install 'hanpan[client]'",
    "import hanpan.envs.archive": "hanpan export needs sqlalchemy: pip install 'hanpan[server]'",
}


GONE = ("pettingzoo", "gymnasium", "pyspiel", "resvg_py", "PIL", "pyarrow", "rich", "aiohttp", "sqlalchemy")


def run(gone, code, *arguments, **more):
    """A Python process that does not have some modules."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path), "HANPAN_INTERPRET": "1"}
    command = [sys.executable, "-c", WITHOUT.format(gone=gone) + code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment, timeout=1800, **more)


def test_whatever_is_missing_is_named():
    done = run(GONE, TRY.format(uses=list(USES)))
    assert done.stdout.splitlines() == list(USES.values()), done.stderr


def test_the_environments_are_there_once_somebody_asks_for_them():
    done = run((), "import sys, hanpan; print('hanpan.envs' in sys.modules, hanpan.envs.batch('tictactoe', n=2).n, hasattr(hanpan, 'anything'))")
    assert done.stdout == "False 2 False\n", done.stderr


def brought(*extras):
    """The packages that `pip install hanpan[extras]` brings: what pyproject.toml names, and what those need in turn."""
    found, waiting = set(), [("hanpan", extra) for extra in ("", *extras)]
    while waiting:
        name, extra = waiting.pop()
        if (name, extra) in found:
            continue
        found.add((name, extra))
        if name == "hanpan":
            needs = PROJECT["optional-dependencies"][extra] if extra else PROJECT["dependencies"]
        else:
            try:
                needs = distribution(name).requires or []
            except PackageNotFoundError:  # one for other systems
                continue
        for requirement in map(Requirement, needs):
            if requirement.marker is None or requirement.marker.evaluate({"extra": extra}):
                waiting += [(canonicalize_name(requirement.name), each) for each in ("", *requirement.extras)]
    return {name for name, _ in found}


@cache
def lacking(*extras):
    """The modules of this environment that such an installation does not have."""
    there = brought(*extras) | {"pip", "setuptools", "tictactoe"}
    return {module for module, owners in packages_distributions().items() if not there & set(map(canonicalize_name, owners))}


IMPORT_ALL = """
import importlib, pkgutil, hanpan
for found in pkgutil.walk_packages(hanpan.__path__, "hanpan.", onerror=lambda name: None):
    try:
        importlib.import_module(found.name) if not found.name.endswith("__main__") else None
    except ImportError as missing:
        print(found.name, "named" if isinstance(missing, ValueError) else missing.name)
"""


MANY = ("hanpan.server.cluster.redis_bus", "hanpan.server.clustering", "hanpan.server.worker")


@pytest.mark.slow
@pytest.mark.parametrize(("extras", "rooms"), [((), ("server", "client", "envs")), (("server",), ("envs",)), (("envs",), ("server", "envs"))])
def test_every_room_has_what_it_imports(extras, rooms):
    """And whatever lacks something says so: all but the files of the server, whose commands speak for them."""
    done = run(lacking(*extras), IMPORT_ALL)
    assert done.returncode == 0, done.stderr
    failed = dict(line.split() for line in done.stdout.splitlines())
    assert failed.pop("hanpan.bots.on_ray") == "named"
    many = {name: failed.pop(name) for name in MANY}  # imported where somebody has asked for many processes, by a command that names the extra
    assert "server" not in extras or set(many.values()) == {"redis"}
    assert {name.split(".")[1] for name in failed} <= {*rooms, "core"}
    assert {name for name in failed if name.startswith("hanpan.core")} <= ({"hanpan.core.fastjson"} if not extras else set())  # for sockets, on both ends
    assert all(why == "named" for name, why in failed.items() if name.split(".")[1] in ("client", "envs"))
    assert ("hanpan.server.app" in failed) == ("server" not in extras)


COMMANDS = """
import sys
from hanpan.cli import main
for words in sys.argv[1:]:
    sys.argv = ["hanpan", *words.split()]
    try:
        main()
    except SystemExit as ended:
        print("ended with", ended.code)
"""


@pytest.mark.slow
def test_without_a_server_s_libraries_one_plays_counts_matches_and_measures(tmp_path):
    gone = lacking()
    assert {"fastapi", "socketio", "sqlalchemy", "aiohttp", "uvicorn", "orjson", "gymnasium", "pyarrow"} <= gone
    assert not {"numpy", "numba", "typer", "rich", "platformdirs"} & gone
    words = ("perft tictactoe 3", "match tictactoe random 1 --games 2 --cores 1", "bench tictactoe --seconds 0.05", "play tictactoe --seed 1")
    done = run(gone, COMMANDS, *words, input="b2\nquit\n", cwd=tmp_path)
    assert done.stdout.count("ended with 0") == len(words), done.stdout + done.stderr
    assert all(told in done.stdout for told in ("504", "random against 1", "plies/s", "seat 2 plays")), done.stdout
    learn = "import hanpan.envs; tables = hanpan.envs.batch('tictactoe', n=2, seed=1); tables.step(tables.random_actions()); print(len(tables.rewards))"
    assert run(gone, learn).stdout == "2\n"


def test_selfplay_says_that_parquet_is_missing_before_it_plays(tmp_path):
    words = [f"selfplay tictactoe set --games 2 --bot random --shard 2 --cores 1 --format {kind}" for kind in ("parquet", "npz")]
    done = run(("pyarrow",), COMMANDS, *words, cwd=tmp_path)
    assert done.stderr.strip() == "hanpan: Parquet needs pyarrow: pip install 'hanpan[parquet]'"
    assert [line for line in done.stdout.splitlines() if line] == ["ended with 2", "set: 2 games", "ended with 0"]


@pytest.mark.slow
def test_a_command_of_the_server_says_what_to_install(tmp_path):
    words = ("serve", "backup x", "restore x", "archive x.jsonl", "operator x", "two-factor x", "export tictactoe x.npz")
    done = run(lacking(), COMMANDS, *words, cwd=tmp_path)
    assert done.stdout.splitlines() == ["ended with 2"] * len(words)
    for command, said in zip(words, done.stderr.splitlines(), strict=True):
        assert said.startswith(f"hanpan: hanpan {command.split()[0]} needs ")
        assert said.endswith(": pip install 'hanpan[server]'")
    assert not list(tmp_path.iterdir())
    far = run(lacking(), COMMANDS, "bot --server http://127.0.0.1:1 --token x --game tictactoe")
    assert far.stderr == "hanpan: hanpan.client needs aiohttp: pip install 'hanpan[client]'\n"
