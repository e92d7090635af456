"""Rules as WebAssembly: one object becomes a module, and a module runs in a memory of its own."""

import numpy as np
import pytest

from hanpan.core.compiled import signature
from hanpan.core.filled import filled
from hanpan.core.rule import record_type, rule
from hanpan.core.wasm.emit import emit
from hanpan.core.wasm.link import Unlinkable, link, note
from hanpan.core.wasm.sandbox import Sandbox

TABLE = np.arange(100, dtype=np.int64) ** 2
PAIR = record_type([("x", np.int32), ("seen", np.int8, 4)])


@rule
def total(rows, weights):
    """Every number of a table by its row's weight, and a constant of the rule's own."""
    found = 0
    for i in range(rows.shape[0]):
        for j in range(rows.shape[1]):
            found += rows[i, j] * weights[i] + TABLE[j]
    return found


@rule
def mark(s, at, value):
    s.seen[at] = value
    s.x += 1


@rule
def half(x):
    return x / 2.0, int(x) // 2


@rule
def divided(x, y):
    return x // y, x % y, x > y


@rule
def fill_squares(out):
    for i in range(out.shape[0]):
        out[i] = i * i


@rule
def fill_nothing(out):
    out[0] = 0


SQUARES = filled(np.arange(50_000, dtype=np.int64) ** 2, fill_squares)
ODD = filled(np.arange(500, dtype=np.int64) * 2 + 1, fill_nothing)


@rule
def squared(at):
    return SQUARES[at] + TABLE[at % 100]


@rule
def root(x):
    """Another rule that reads the same table."""
    at = 0
    while SQUARES[at] < x:
        at += 1
    return at


@rule
def odd(at):
    return ODD[at]


@pytest.fixture(scope="module")
def module():
    rows, weights = np.zeros((3, 4), np.int32), np.zeros(3, np.int64)
    arguments = {"total": (total, (rows, weights)), "mark": (mark, (np.zeros(1, PAIR)[0], 0, 0)), "divided": (divided, (0, 0))}
    return emit({name: (function, signature(given)) for name, (function, given) in arguments.items()})


def test_a_module_runs_as_the_compiled_rules_do(module):
    box = Sandbox(module)
    assert box.rules == ["total", "mark", "divided"]
    rows, weights = np.arange(12, dtype=np.int32).reshape(3, 4) - 5, np.array([7, -(2**40), 3])
    assert box.rule("total")(box.copy(rows), box.copy(weights)) == total(rows, weights)
    pairs = np.zeros(2, PAIR)
    inside = box.copy(pairs)
    for at, value in ((0, 5), (3, -1)):
        mark(pairs[1], at, value)
        box.rule("mark")(inside[1], at, value)
    assert inside.tobytes() == pairs.tobytes()
    for x, y in ((7, 2), (-7, 2), (7, -2), (2**62, 3)):
        assert box.rule("divided")(x, y) == divided(x, y)


def test_nothing_outside_its_memory_can_be_handed_over(module):
    box, elsewhere = Sandbox(module), Sandbox(module)
    for array in (np.zeros((3, 4), np.int32), elsewhere.room((3, 4), np.int32), box.room((4, 3), np.int32).T):
        with pytest.raises(ValueError, match="does not lie in the sandbox"):
            box.rule("total")(array, box.room(3, np.int64))
    with pytest.raises(ValueError, match="rule: 'totl' is not one of total, mark, divided"):
        box.rule("totl")
    with pytest.raises(MemoryError, match="no room for 8000000 bytes more"):
        box.room(1_000_000, np.int64)


def test_an_array_outlives_its_sandbox(module):
    kept = Sandbox(module).copy(np.arange(5))
    assert kept.tolist() == [0, 1, 2, 3, 4]


def test_what_is_no_module_is_refused(module):
    for wrong in (b"", b"PK\3\4", b"\0asm\1\0\0\0"):
        with pytest.raises(Unlinkable, match="no module that Hanpan has made"):
            note(wrong)
    with pytest.raises(Unlinkable, match="no WebAssembly object"):
        link(b"\x7fELF", {})


def test_what_can_not_be_called_from_outside_is_named():
    with pytest.raises(TypeError, match="takes unicode_type"):
        emit({"wrong": (rule(lambda text: 1), signature(("text",)))})
    with pytest.raises(TypeError, match=r"half: .*Tuple\(float64, int64\)"):
        emit({"half": (half, signature((1.0,)))})


@pytest.mark.slow
def test_a_table_that_a_rule_fills_is_made_when_the_module_is_loaded():
    made = emit({"squared": (squared, signature((0,))), "root": (root, signature((0,)))})
    assert len(made) < 4_000 < SQUARES.nbytes
    box = Sandbox(made)
    assert box.rules == ["squared", "root"]
    assert [box.rule("squared")(at) for at in (0, 7, 99, 49_999)] == [squared(at) for at in (0, 7, 99, 49_999)]
    assert box.rule("root")(49_999**2) == 49_999


def test_a_rule_that_does_not_fill_its_table_is_named():
    with pytest.raises(ValueError, match="fill_nothing does not fill its table"):
        emit({"odd": (odd, signature((0,)))})
    with pytest.raises(ValueError, match="fill_nothing fills must lie close together"):
        filled(np.zeros((3, 4)).T, fill_nothing)
