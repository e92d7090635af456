"""Rules run three ways; compiled ones are kept on disk and never stale."""

import os
import subprocess
import sys
import tempfile
import textwrap

import numpy as np
import pytest
from tictactoe import rules

from hanpan.core import compiled
from hanpan.core.compiled import NotCompiled, cache_folder, digest, make_ready
from hanpan.core.rule import below, plain, random_bits, record_type, rng, rule, shuffle


def test_a_rule_and_its_plain_twin_agree():
    s, t = np.zeros(2, rules.State)
    out, again = np.zeros(9, np.int32), np.zeros(9, np.int32)
    for action in (4, 0, 8, 2, 6):
        assert rules.legal(s, out) == plain(rules.legal)(t, again)
        assert (out == again).all()
        rules.apply(s, action)
        plain(rules.apply)(t, action)
        assert s == t


def test_the_plain_twin_calls_no_compiled_code():
    twin = plain(rules.mover)
    assert not hasattr(twin, "py_func")
    assert not hasattr(twin.__globals__["line"], "py_func")


def test_the_same_seed_draws_the_same_everywhere():
    for seed in (0, 1, 2**64 - 5, 2**70):
        compiled, interpreted = rng(seed), rng(seed)
        assert [random_bits(compiled) for _ in range(100)] == [plain(random_bits)(interpreted) for _ in range(100)]


def test_draws_are_even_and_streams_differ():
    r = rng(7)
    counts = np.bincount([below(r, 6) for _ in range(60_000)], minlength=6)
    assert counts.min() > 9_500
    assert counts.max() < 10_500
    assert [below(rng(7, 0), 1000) for _ in range(3)] != [below(rng(7, stream), 1000) for stream in range(3)]
    pairs = {(below(rng(seed), 1000), below(rng(seed + 1), 1000)) for seed in range(200)}
    assert len(pairs) > 195


def test_a_shuffle_keeps_everything_and_every_order_is_as_likely():
    seen = {}
    for seed in range(6000):
        items = np.arange(3)
        shuffle(rng(seed), items, 3)
        seen[tuple(items)] = seen.get(tuple(items), 0) + 1
    assert len(seen) == 6
    assert min(seen.values()) > 850


@pytest.mark.parametrize("wrong", ["x", -1, 1.0, True, None, np.int64(-3)])
def test_a_seed_must_be_a_whole_number(wrong):
    with pytest.raises(ValueError, match=r"seed: .* is not a whole number from 0 on"):
        rng(wrong)


def test_every_bit_of_a_seed_counts_and_a_short_one_draws_as_ever():
    long = [10**5000, *(1 << bit for bit in range(0, 1000, 7))] + [(1 << bit) + 1 for bit in range(64, 1000, 7)]
    assert len({tuple(rng(seed)) for seed in long}) == len(set(long))
    assert [list(rng(seed)[:2]) for seed in (0, 7, 2**64 - 1)] == [[1447931562, 1840695908], [1943390, 1084948258], [251995245, 3558095368]]


MODULE = """
from hanpan.core.rule import rule

NUMBER = 1


@rule
def inner(x):
    return x + NUMBER


@rule
def outer(x):
    return inner(x) * 10
"""


QUICKLY = {"NUMBA_OPT": "0"}  # code that is made in less time, and runs in more


def run(folder, code, **environment):
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        cwd=folder,
        env=os.environ | QUICKLY | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=1800,
    )


@pytest.mark.slow
def test_a_changed_called_function_or_constant_is_noticed(tmp_path):
    cache = str(tmp_path / "cache")
    for text, expected in (
        (MODULE, "50"),
        (MODULE.replace("NUMBER = 1", "NUMBER = 2"), "60"),
        (MODULE.replace("x + NUMBER", "x - NUMBER"), "30"),
    ):
        (tmp_path / "kernels.py").write_text(text)
        done = run(tmp_path, "import kernels; print(kernels.outer(4))", HANPAN_CACHE=cache, PYTHONDONTWRITEBYTECODE="1")
        assert done.stdout.strip() == expected, done.stderr


@pytest.mark.slow
def test_a_second_start_compiles_nothing(tmp_path):
    cache = str(tmp_path / "cache")
    (tmp_path / "kernels.py").write_text(MODULE)
    code = "import kernels; kernels.outer(4); print(sum(kernels.outer.stats.cache_misses.values()))"
    assert run(tmp_path, code, HANPAN_CACHE=cache).stdout.strip() == "1"
    assert run(tmp_path, code, HANPAN_CACHE=cache).stdout.strip() == "0"


RANDOM_PLAY = """
import sys
from hanpan import game
from hanpan import loops
from hanpan.core.rule import rng

for name in sys.argv[1:]:
    chosen = game(name)
    first = chosen.start().record
    print(name, loops.random_play(name)(first, first.copy(), chosen.book.actions_buffer(), rng(1), 20_000))
"""


@pytest.mark.slow
def test_code_compiled_in_different_processes_is_not_mixed_up(tmp_path):
    """Numba numbers record types in each process anew: one loop over two games, compiled apart, must stay two when loaded together."""
    (tmp_path / "play.py").write_text(RANDOM_PLAY)

    def told(*games):
        environment = os.environ | QUICKLY | {"HANPAN_CACHE": str(tmp_path / "cache"), "PYTHONPATH": os.pathsep.join(sys.path)}
        return subprocess.run(
            [sys.executable, "play.py", *games], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True, timeout=1800
        ).stdout

    one, other = told("kulami"), told("tictactoe")
    assert told("tictactoe", "kulami") == other + one
    assert told("kulami", "tictactoe") == one + other


@pytest.mark.slow
def test_a_damaged_entry_is_compiled_again(tmp_path):
    cache = tmp_path / "cache"
    (tmp_path / "kernels.py").write_text(MODULE)
    code = "import kernels; print(kernels.outer(4))"
    run(tmp_path, code, HANPAN_CACHE=str(cache))
    entries = list(cache.iterdir())
    assert entries
    written = {entry: entry.read_bytes() for entry in entries}

    def with_a_hole(content):
        at = content.index(b"\x7fELF") + 64  # where the machine code is
        return content[:at] + bytes(256) + content[at + 256 :]

    for damaged in (lambda content: b"not machine code", lambda content: b"", lambda content: content[:-1], with_a_hole):
        for entry, content in written.items():
            entry.write_bytes(damaged(content))
        assert run(tmp_path, code, HANPAN_CACHE=str(cache)).stdout.strip() == "50"
        assert all(len(entry.read_bytes()) > 1000 for entry in entries)


@pytest.mark.slow
def test_two_processes_may_compile_at_once(tmp_path):
    cache = str(tmp_path / "cache")
    (tmp_path / "kernels.py").write_text(MODULE)
    started = [
        subprocess.Popen(
            [sys.executable, "-c", f"import kernels; print(kernels.outer({kind}))"],
            cwd=tmp_path,
            env=os.environ | QUICKLY | {"HANPAN_CACHE": cache},
            stdout=subprocess.PIPE,
            text=True,
        )
        for kind in ("4", "4.0", "4", "True")
    ]
    assert [process.communicate(timeout=1800)[0].strip() for process in started] == ["50", "50.0", "50", "20"]
    for kind, expected in (("4", "50"), ("4.0", "50.0"), ("True", "20")):
        assert run(tmp_path, f"import kernels; print(kernels.outer({kind}))", HANPAN_CACHE=cache).stdout.strip() == expected


def test_the_cache_may_be_out_of_reach(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    done = run(tmp_path, "import hanpan; hanpan.game('tictactoe')", HANPAN_CACHE=str(blocked / "x"), PYTHONPATH=os.pathsep.join(sys.path))
    assert "HANPAN_CACHE=" in done.stderr
    assert "can't be" in done.stderr


def test_where_the_users_own_cache_can_not_be_the_temporary_one_is_nobody_elses(tmp_path, monkeypatch):
    """Who can write there can have any process run what they like."""
    blocked, own = tmp_path / "file", tmp_path / f"hanpan-compiled-{os.getuid()}"
    blocked.write_text("")
    monkeypatch.delenv("HANPAN_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert compiled.cache_folder() == own
    assert own.stat().st_mode & 0o777 == 0o700
    assert compiled.cache_folder() == own
    own.chmod(0o777)
    with pytest.raises(ValueError, match=r"hanpan-compiled-\d+: somebody else could put machine code there; HANPAN_CACHE names another folder"):
        compiled.cache_folder()
    own.rmdir()
    (tmp_path / "elsewhere").mkdir()
    own.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ValueError, match="somebody else could"):
        compiled.cache_folder()
    own.unlink()
    own.write_text("")
    with pytest.raises(ValueError, match=r"can't be written to, and .* can't be made: HANPAN_CACHE names another folder"):
        compiled.cache_folder()


@pytest.mark.slow
def test_a_first_compile_says_what_it_does(tmp_path):
    code = "import hanpan; hanpan.game('tictactoe').start().legal()"
    environment = {"HANPAN_CACHE": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    first = run(tmp_path, code, **environment)
    assert "compiling tictactoe's rules for this machine, once" in first.stderr
    assert run(tmp_path, code, **environment).stderr == ""


@pytest.mark.slow
def test_everything_can_run_interpreted(tmp_path):
    code = "import sys, hanpan; print(hanpan.game('tictactoe').start().play('b2'), 'numba' in sys.modules)"
    done = run(tmp_path, code, HANPAN_INTERPRET="1", PYTHONPATH=os.pathsep.join(sys.path))
    assert done.stdout.strip() == ".../.x./... o False", done.stderr
    assert "HANPAN_INTERPRET='yes'" in run(tmp_path, "import hanpan", HANPAN_INTERPRET="yes").stderr


def test_a_digest_names_the_code_and_nothing_of_where_it_lies():
    assert digest(rules.mover) == digest(rules.mover.py_func)
    assert digest(rules.mover) != digest(rules.legal)
    assert cache_folder().is_dir()


@rule
def spoils(s):
    s.rol = 0


@rule
def unknown(s):
    return nowhere(s)  # noqa: F821


@rule
def mixes(s):
    kinds = {}
    kinds["x"] = [1, "a"]


@pytest.mark.parametrize(
    ("wrong", "line", "said"),
    [(spoils, 2, "KeyError: 'rol'"), (unknown, 0, "NameError: name 'nowhere' is not defined"), (mixes, 3, "No implementation of function")],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_what_can_not_be_compiled_is_named_with_its_file_its_rule_and_the_reason(wrong, line, said):
    @rule
    def calls(record):
        return wrong(record[0])

    place = f"{__file__}:{wrong.py_func.__code__.co_firstlineno + line}: `{wrong.__name__}`: {said}"
    with pytest.raises(NotCompiled) as refused:
        make_ready("the rules of this test", [(calls, (np.zeros(1, record_type([("roll", np.int8)])),))])
    assert str(refused.value).startswith(place)
    assert str(refused.value).endswith("(HANPAN_INTERPRET=1 runs rules as plain Python)")
    assert "\n" not in str(refused.value)
