"""Small random programs give in JavaScript what they give in Python, or are refused when they are translated."""

import importlib.util
import random
from copy import deepcopy

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from python_programs import Writer
from typescript import bundle, run

from hanpan.core.javascript.translate import Script

FUNCTIONS = 40
GIVEN = [(5, 0.5, "ab c7", [1, 2, 3]), (-3, -2.5, "", []), (0, 1e3, "한🂡", [0, 0, 7, -1])]
LONGEST = 20_000


@pytest.fixture(scope="module")
def script(tmp_path_factory):
    return bundle("engine/python.ts", tmp_path_factory.mktemp("script"))


def answer(function, values):
    """What Python gives; None where that is too much to be told, or where a program would not be written so (adding to a frozenset)."""
    try:
        said = repr(function(*deepcopy(values)))
    except (ValueError, KeyError, IndexError):
        return ["fails"]
    except (AttributeError, TypeError, MemoryError, OverflowError, UnboundLocalError):
        return None
    except ZeroDivisionError:
        return ["throws"]
    return ["gives", said] if len(said) < LONGEST else None


def handed(value):
    if isinstance(value, list):
        return list(map(handed, value))
    return {"int": str(value)} if isinstance(value, int) else value


@pytest.mark.slow
def test_a_random_program_gives_what_python_gives(script, tmp_path):
    @settings(max_examples=8, database=None, phases=[Phase.generate])  # a smaller number is no smaller program
    @given(st.integers(0, 2**32))
    def holds(seed):
        path, module = tmp_path / f"programs{seed}.py", tmp_path / f"programs{seed}.mjs"
        path.write_text(Writer(random.Random(seed)).program(FUNCTIONS), "utf-8")
        spec = importlib.util.spec_from_file_location(path.stem, path)
        programs = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(programs)
        functions = {name: function for name, function in vars(programs).items() if name[0] == "f" and name[1:].isdigit()}
        module.write_text(Script().text(functions), "utf-8")
        expected = [(name, values, answer(function, values)) for name, function in functions.items() for values in GIVEN]
        expected = [one for one in expected if one[2] is not None]
        told = run(script, [str(module), [[name, list(map(handed, values))] for name, values, _ in expected]])
        for (name, values, wanted), found in zip(expected, told, strict=True):
            assert found[: len(wanted)] == wanted, f"{path}: {name}{values}"

    holds()
