"""Python translated to JavaScript gives what Python gives; what can't be translated is named with its line."""

import json
import re
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from typescript import bundle, run

from hanpan.core.javascript.translate import Script
from hanpan.core.javascript.values import Untranslatable
from hanpan.core.refusal import IllegalAction
from hanpan.core.rule import below, bits, plain, random_bits, record_type, rng, rule
from hanpan.core.unfit import Unfit
from hanpan.core.words import Phrase

TABLE = np.array([[3, -1, 4], [1, 5, -9]], np.int16)
LONG = np.array([1 << 62, -(1 << 62)], np.int64)
NAMES = {"one": 1, (2, 3): "pair"}
CELL = re.compile(r"([a-z])(\d+)(?:-(?P<to>[a-z]))?")
RECORD = record_type([("turn", np.int8), ("cell", np.int32, (2, 2)), ("wide", np.int64)])


@dataclass(frozen=True)
class Point:
    x: int
    y: int = 7


def whole_numbers(a, b):
    big = a << 70 | b
    return [
        a + b,
        a - b,
        a * b,
        a // b,
        a % b,
        -a // b,
        -a % b,
        divmod(a, -b),
        big,
        big >> 64,
        big & ~1,
        big ^ big >> 1,
        big.bit_length(),
        big.bit_count(),
        a**3,
    ]


def mixed_numbers(a, x):
    return [a / 4, a + x, a * x, x // 1, x - a, abs(-x), int(x), round(x), round(x, 2), min(a, x), max(a, x), a == float(a), True + a, not a, a and x, a or x]


def rounded(x):
    return [round(x), round(x, 1), round(x, 3)]


def texts(text, n):
    return [
        text[::-1], text[1:-1], text[-n:], text * n, text.split("-"), text.split(), text.partition("-"), text.replace("a", "o"), text.find("z"),
        text.count("a"), text.startswith("a"), text.removeprefix("a"), text.strip("a-"), f"{n:03d}|{n:b}|{n:x}|{text!r}|{n / 4:.2f}", "a" in text,
        text.isdigit(), text.isascii(), sorted(text), "".join(sorted(set(text))), [ord(letter) for letter in text], chr(97 + n), text < "b",
        text.index(text[0]) if text else None,
    ]  # fmt: skip


def sequences(items):
    first, *middle, last = items
    both = [*middle, *(last,)]
    both.append(first)
    both.extend(range(3, 0, -1))
    counted = {}
    for item in both:
        counted.setdefault(item % 3, []).append(item)
    kept = [(k, v) for k, v in sorted(counted.items()) if k or len(v) > 1]
    total = sum(v for k, vs in counted.items() for v in vs if v not in (k, 5))
    seen = {item + 0 for item in both}
    return [
        both, kept, total, sorted(seen - {1, 2}), list(enumerate(items, 5)), list(zip(items, both, strict=False)), list(pairwise(items)),
        max(items, key=lambda item: -item), min((), default=9), any(item > 100 for item in items), all(items), list(map(str, items)), both[1::2], both[-2],
        list(filter(None, [0, *items])), [y for x in items for y in range(x % 3)], next((item for item in items if item > 2), None), tuple(reversed(items)),
        {"a": 1} | {"b": 2} == {"b": 2, "a": 1}, [1, [2, 3]] == [1, [2, 3]], (1, 2) < (1, 3), 1 < len(items) <= 4, both.index(first), both.count(first),
    ]  # fmt: skip


def tables(i, j):
    kept = TABLE[i].tolist()
    return [
        int(TABLE[i, j]),
        kept,
        int(LONG[i]),
        NAMES["one"],
        NAMES[2, 3],
        NAMES.get("none"),
        TABLE.size,
        len(TABLE),
        sum(TABLE[:, 0].tolist() if False else kept),
    ]


def words(n):
    point = Point(n)
    moved = replace(point, x=point.x + 1)
    return [moved.x, moved.y, point == Point(n, 7), Point(y=1, x=2).x]


def loops(n):
    found = []
    while True:
        n -= 1
        if n % 2:
            continue
        if n < 0:
            break
        found.append(n)
    a = b = len(found)
    (c, d), e = (a, b), 1
    found[0], found[-1] = found[-1], found[0]

    def inner(k, more=10):
        return k + more + e

    return [found, a, b, c, d, inner(1), inner(1, more=2), [inner(k) for k in range(2)]]


def matched(text):
    found = CELL.fullmatch(text)
    again = re.fullmatch("[ab]+", text)
    return [found and found.groups(), found and found["to"], found and found[1], again is None]


@cache
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def refusing(n):
    try:
        if n == 0:
            raise IllegalAction("taken", at="e5", seat=Phrase("seats.1"))
        if n == 1:
            raise Unfit("field", field="rows", reason=Unfit("rows", n=3))
        if n == 2:
            raise ValueError("so not")
        return {"a": n}["b"]
    except KeyError:
        return "no key"


def recorded(n):
    s = np.zeros(1, RECORD)[0]
    s.turn = n
    s.cell[0, 1] = 5
    s.cell[1] = 7
    s.cell[1, 0] += n
    s.wide = 1 << 60
    other = np.array([s], RECORD)[0]
    other.wide -= 1
    return [int(s.turn), s.cell.tolist(), int(s.wide), int(other.wide), [int(row[0]) for row in s.cell], bool(s.cell.any())]


@rule
def doubled(n):
    return 2 * n


def hosted(n):
    return doubled(n) + 1


def dice(seed):
    r = np.array([seed, seed >> 3, 0], np.int64)
    return [int(below(r, 6)) for _ in range(5)] + [int(random_bits(r)), int(bits(seed))]


PLAIN = {f.__name__: f for f in (whole_numbers, mixed_numbers, rounded, texts, sequences, tables, words, loops, matched, fibonacci, refusing, recorded, hosted)}
CALLS = [
    *(("whole_numbers", [a, b]) for a in (0, 7, -7, 1 << 80) for b in (1, 3, 100)),
    *(("mixed_numbers", [a, x]) for a in (0, 3, -4) for x in (0.5, 2.75, -1.25)),
    *(("rounded", [x]) for x in (0.5, 1.5, 2.5, -0.5, 0.0625, 2.675, 1e-7, 3.14159, -2.0005, 12345.6785)),
    *(("texts", [text, n]) for text in ("abc-a", "", "a'b", "한판 x", "12") for n in (1, 5)),
    *(("sequences", [items]) for items in ([3, 1, 4], [2, 7, 1, 8, 2], [5, 5])),
    *(("tables", [i, j]) for i in (0, 1, -1) for j in (0, 2)),
    ("words", [4]), ("loops", [9]), ("fibonacci", [60]), ("recorded", [3]), ("hosted", [21]),
    *(("matched", [text]) for text in ("e5", "e5-f", "ab", "E5", "e5\n")),
    *(("refusing", [n]) for n in range(4)),
    *(("dice", [seed]) for seed in (0, 12345, 1 << 31)),
]  # fmt: skip


@pytest.fixture(scope="module")
def script(tmp_path_factory):
    return bundle("engine/python.ts", tmp_path_factory.mktemp("script"))


def given(value):
    if isinstance(value, list):
        return [given(item) for item in value]
    return {"int": str(value)} if isinstance(value, int) else value


def answer(name, values):
    try:
        return ["gives", repr((PLAIN | {"dice": dice})[name](*values))]
    except (IllegalAction, Unfit) as refused:
        return ["refuses", json.dumps(refused.phrase.json(), ensure_ascii=False, separators=(",", ":"))]
    except ValueError:
        return ["fails", ""]


@pytest.mark.slow
def test_what_is_translated_gives_what_python_gives(script, tmp_path):
    module = tmp_path / "module.mjs"
    module.write_text(Script({"doubled": doubled}).text(PLAIN | {"dice": dice}), encoding="utf-8")
    answers = run(script, [str(module), [[name, given(values)] for name, values in CALLS]])
    for call, found in zip(CALLS, answers, strict=True):
        assert found == answer(*call), call


def test_an_interpreted_twin_and_its_rule_are_one_function():
    assert Script().text({"rule": doubled, "twin": plain(doubled)}).count("function ") == 1


def with_a_context(n):
    with open(n):
        pass


def starred(*n):
    return n


def unknown(n):
    return nobody_knows_this(n)  # noqa: F821


def of_a_strange_value(n):
    return STRANGE + n


STRANGE = object()


@pytest.mark.parametrize(
    ("function", "why"),
    [
        (with_a_context, r"test_javascript\.py:\d+: With can't be translated"),
        (starred, r"test_javascript\.py:\d+: only plain parameters"),
        (unknown, r"test_javascript\.py:\d+: nobody knows 'nobody_knows_this'"),
        (of_a_strange_value, "object .* can't be written down"),
        (eval("lambda n: n"), "its text can't be found|no function with a name"),
    ],
)
def test_what_can_not_be_translated_is_named(function, why):
    with pytest.raises(Untranslatable, match=why):
        Script().text({"function": function})


def test_random_numbers_are_those_of_the_rules():
    r, twin = rng(5), rng(5)
    assert [random_bits(r) for _ in range(4)] == [plain(random_bits)(twin) for _ in range(4)]
