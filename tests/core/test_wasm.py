"""Rules as WebAssembly: one object becomes a module, and a module runs in a memory of its own."""

import numpy as np
import pytest

from hanpan.core.compiled import signature
from hanpan.core.filled import filled
from hanpan.core.rule import record_type, rule
from hanpan.core.wasm.emit import emit
from hanpan.core.wasm.link import NOTE, Unlinkable, link, note
from hanpan.core.wasm.sandbox import Sandbox, Stopped

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
def cut(x):
    return int(x), np.int32(x), np.uint8(x), round(x)


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


@rule
def turning(x):
    while x != 0:
        x = x * 3 | 1
    return x


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


def test_what_is_not_what_a_rule_takes_is_named(module):
    box = Sandbox(module)
    rows, weights, pairs = box.room((3, 4), np.int32), box.room(3, np.int64), box.room(1, PAIR)
    for name, arguments, why in (
        ("divided", (7,), r"divided: takes 2 arguments \(int, int\), not 1"),
        ("divided", (7, 1.5), "divided: argument 2: 1.5 is no whole number"),
        ("divided", (7, "2"), "divided: argument 2: '2' is no whole number"),
        ("divided", (1 << 63, 2), "divided: argument 1: 9223372036854775808 does not fit into 64 bits"),
        ("total", (None, weights), "total: argument 1: this array does not lie in the sandbox"),
        ("total", (weights, weights), "total: argument 1: it is an array1 of i8, and should be an array2 of i4"),
        ("total", (box.room((3, 4), np.int64), weights), "total: argument 1: it is an array2 of i8, and should be an array2 of i4"),
        ("mark", (pairs, 0, 0), "mark: argument 1: it is an array1 of V8, and should be a record of 8 bytes"),
        ("mark", (box.room(1, record_type([("x", np.int8, 9)]))[0], 0, 0), "mark: argument 1: it is a record of 16 bytes, and should be"),
        ("total", (rows[0], weights), "total: argument 1: it is an array1 of i4"),
    ):
        with pytest.raises((TypeError, ValueError), match=why):
            box.rule(name)(*arguments)
    for shape in (-1, (3, -1), 1.5, "x", None):
        with pytest.raises(ValueError, match=r"shape: .* is not a whole number from 0 on"):
            box.room(shape, np.int8)
    for kind in (object, str):
        with pytest.raises(ValueError, match=r"kind: .* is nothing that lies in a memory"):
            box.room(1, kind)
    with pytest.raises(MemoryError, match="no room for"):
        box.room((1 << 40, 1 << 40), np.int8)
    with pytest.raises(TypeError, match=r"array: \[1, 2\] is no array"):
        box.copy([1, 2])
    for megabytes in (0, -1, float("nan"), 5000, "1", None):
        with pytest.raises(ValueError, match=r"megabytes: .* is not a number above 0"):
            Sandbox(module, megabytes)
    for steps in (0, 1.5, True, "x"):
        with pytest.raises(ValueError, match=r"steps: .* is not a whole number from 1 on"):
            Sandbox(module, steps=steps)
    with pytest.raises(TypeError, match="module: 'x' is not the bytes"):
        Sandbox("x")


def test_a_rule_that_never_ends_is_stopped_after_its_steps():
    box = Sandbox(emit({"turning": (turning, signature((0,)))}), steps=10_000)
    with pytest.raises(Stopped, match="turning: took more than the 10000 steps that it was given"):
        box.rule("turning")(5)
    assert box.rule("turning")(0) == 0


def strangers(text, told='{"grow":{"takes":["int"],"of":["i8"],"gives":"int"}}'):
    """The bytes of a module that somebody has made to look like ours."""
    note_ = bytes([len(NOTE)]) + NOTE.encode() + told.encode()
    return bytes(pytest.importorskip("wasmtime").wat2wasm(text)) + b"\0" + bytes([len(note_) & 0x7F | 0x80, len(note_) >> 7]) + note_


MEMORY = '(memory (export "memory") 5)'
HEAP = '(global (export "heap") i32 (i32.const 262144))'
GROW = '(func (export "grow") (param i64) (result i64) (i64.extend_i32_s (memory.grow (i32.wrap_i64 (local.get 0)))))'


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "exports no memory 'memory'"),
        (MEMORY, "exports no global 'heap'"),
        (f'{MEMORY} (func (export "heap"))', "exports no global 'heap'"),
        (f'{MEMORY} {GROW} (global (export "heap") i32 (i32.const -100000))', "free from -100000 on, which is not in it"),
        (f'{MEMORY} {GROW} (global (export "heap") i32 (i32.const 327681))', "free from 327681 on, which is not in it"),
        (f'{MEMORY} {GROW} (global (export "heap") f64 (f64.const nan))', "free from nan on"),
        (f"{MEMORY} {HEAP}", "exports no func 'grow'"),
        (f'{MEMORY} {HEAP} (func (export "grow") (param f32))', "'grow' is not what its note says"),
        (f'(import "env" "open" (func)) {MEMORY} {HEAP} {GROW}', "can't be loaded: expected 1 imports"),
        (f'(memory (export "memory") 65536) {HEAP} {GROW}', "can't be loaded: memory minimum size"),
    ],
)
def test_a_strangers_module_that_is_not_what_it_says_is_refused(text, why):
    with pytest.raises(Unlinkable, match=why):
        Sandbox(strangers(f"(module {text})"))


@pytest.mark.parametrize("told", ["{", "[]", '{"a":{}}', '{"a":{"takes":["text"],"of":["i8"],"gives":"int"}}', '{"a":{"takes":[],"of":[],"gives":["int",{}]}}'])
def test_a_note_that_says_nothing_is_refused(told):
    with pytest.raises(Unlinkable, match="note does not say how its rules are called"):
        Sandbox(strangers(f"(module {MEMORY} {HEAP} {GROW})", told))


def test_a_strangers_module_gets_no_more_memory_and_its_faults_are_told_in_a_line():
    box = Sandbox(strangers(f"(module {MEMORY} {HEAP} {GROW})"))
    kept = box.copy(np.arange(4))
    assert (box.rule("grow")(1), kept.tolist()) == (-1, [0, 1, 2, 3])
    with pytest.raises(Stopped, match=r"^grow: wasm `unreachable` instruction executed$"):
        Sandbox(strangers(f'(module {MEMORY} {HEAP} (func (export "grow") (param i64) (result i64) unreachable))')).rule("grow")(1)
    with pytest.raises(Stopped, match=r"^the module's start: took more than the 1000 steps"):
        Sandbox(strangers(f"(module {MEMORY} {HEAP} {GROW} (func $again (loop (br 0))) (start $again))"), steps=1000)


def test_room_is_empty_whatever_a_module_has_written_there():
    written = '(data (i32.const 262144) "abcdefgh")'
    assert not Sandbox(strangers(f"(module {MEMORY} {HEAP} {GROW} {written})")).room(100, np.int8).any()


def test_an_array_outlives_its_sandbox(module):
    kept = Sandbox(module).copy(np.arange(5))
    assert kept.tolist() == [0, 1, 2, 3, 4]


def test_what_is_no_module_is_refused(module):
    for wrong in (b"", b"PK\3\4", b"\0asm\1\0\0\0"):
        with pytest.raises(Unlinkable, match="no module that Hanpan has made"):
            note(wrong)
    with pytest.raises(Unlinkable, match="no WebAssembly object"):
        link(b"\x7fELF", {})


@rule
def remainder(x):
    return int((x * 1.5) % 0.7 * 100)


@rule
def asking(x):
    return remainder(x) + 1


@rule
def powered(x, y):
    return int(x**y)


def test_who_needs_what_webassembly_does_not_have_is_named():
    with pytest.raises(Unlinkable, match=r"test_wasm\.py:\d+: `remainder`: there is no `fmod` in WebAssembly"):
        emit({"asking": (asking, signature((0,)))})
    with pytest.raises(Unlinkable, match=r"test_wasm\.py:\d+: `powered`: there is no `pow` in WebAssembly"):
        emit({"powered": (powered, signature((0.5, 0.5)))})


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


def test_a_number_that_is_too_large_for_a_whole_one_is_cut_alike_on_every_processor():
    box = Sandbox(emit({"cut": (cut, signature((0.5,)))}))
    most, least, endless = 2**63 - 1, -(2**63), float("inf")
    for x, whole in ((1e18, 10**18), (1e19, most), (-1e19, least), (1e300, most), (endless, most), (-endless, least), (float("nan"), 0), (-2.5, -2)):
        assert cut(x)[0] == whole, x
        assert tuple(map(int, cut(x))) == box.rule("cut")(x), x
