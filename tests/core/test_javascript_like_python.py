"""What a designer would naturally write gives in JavaScript what it gives in Python, letter for letter."""

# People write so, whatever a linter says of it.
# ruff: noqa: B023, C408, C409, E501, RUF005, SIM300, UP018, UP032

import re
from dataclasses import dataclass, field
from functools import cache

import numpy as np
import pytest
from typescript import bundle, run

from hanpan.core.javascript.translate import Script
from hanpan.core.rule import record_type

BOARD = record_type([("turn", np.int8), ("cell", np.int8, (3, 4)), ("deep", np.uint8, (2, 2, 2)), ("hand", np.int32, 5)])
GRID = np.arange(12, dtype=np.int16).reshape(3, 4)
ROWS = range(3)
MEMO = {}
STACK = []
dict_ = {"a table with a name": "that a local name has, too"}
STEPS = frozenset({frozenset({1, 2}), frozenset({2, 3})})
ANYTHING = re.compile(r"[\d_]+|\w+\s\S")


@dataclass(frozen=True)
class Stone:
    at: str
    marks: list = field(default_factory=list)


def board():
    s = np.zeros(1, BOARD)[0]
    for y in range(3):
        s.cell[y] = [4 * y + x for x in range(4)]
    s.hand[:] = range(5)
    return s


def formats(n, x, word):
    return [
        f"{n:+d}|{n:05d}|{n:>4}|{n:<4}|{n:^5}|{n:*^7}|{n:,}|{n:#x}|{n:08b}|{n:o}|{n:X}|{n: d}|{n:.1f}|{n:4}|{n:=+6d}",
        f"{x:.0f}|{x:.1f}|{x:.2f}|{x:8.3f}|{x:+.1f}|{x:<8.1f}|{x:06.1f}|{x:.1%}|{x}|{x!r}|{x!s:>12}",
        f"{word:6}|{word:>6}|{word:^7}|{word:.2}|{word:-<8}|{word!r:8}|{word!s}|{n > 0:d}|{n > 0}|{n > 0:5}",
        "{} {}".format(n, word), "{0}{1}{0}".format(n, word), "{a:>4}{{}}{b}".format(a=word, b=n), f"{word:{abs(n) + 3}}|",
    ]  # fmt: skip


def floats(x, y):
    return [x // y, x % y, divmod(x, y), str(x), repr(x * 1e20), str(x / 1e9), f"{x * 1e16}", 2**-1, x**2, float("inf") > x, float(" 1_0.5 "), -x // y, -x % y]


def rounding(n, x):
    return [round(n, -2), round(x, -1), round(n), round(x, 0), round(n, 2), round(x, ndigits=1), round(True)]


def numbers_read():
    found = []
    for text, base in (
        ("ff", 16),
        ("0xFF", 16),
        ("zz", 36),
        ("-77", 8),
        ("0b11", 2),
        ("12", 10),
        ("1_000", 10),
        ("xyz", 16),
        ("", 16),
        ("9", 8),
        ("٣", 10),
        ("+5", 10),
    ):
        try:
            found.append(int(text, base))
        except ValueError:
            found.append("no number")
    for text in ("1.5", "abc", "", "1e3", "nan "):
        try:
            found.append(str(float(text)))
        except ValueError:
            found.append("no number")
    return [found, int("ff", base=16), int(), int(2.9), int(-2.9), int(True)]


def texts(text):
    return [
        text.split(" ", 1), text.split(None, 1), text.split(maxsplit=1), text.split(), text.replace("a", "$&", 1), text.replace("a", "$&"),
        text.startswith(("x", "a")), text.startswith("b", 1), text.endswith(("x", "a")), text.find("a", 1), text.find("a", 1, 3), text.count("a"), text.count(""),
        text.removesuffix("a"), text.lstrip("a"), text.rstrip("a"), text.strip(), text.rfind("a"), text.rpartition(" "), text.zfill(8), text.ljust(8) + "|",
        text.rjust(8, "*"), text.center(9, "."), text.isalpha(), text.isupper(), text.islower(), text.upper(), len(text), text[0], text[-1], text[1:3], text[::-1],
        3 * text, text * 2, list(text), text[::2], text.index("a"), "²".isdigit(), "\ufeffx".strip() == "x", [*enumerate(text, start=1)],
    ]  # fmt: skip


def ranges():
    r = range(2, 11, 3)
    return [
        list(r), list(r), len(r), r[1], r[-1], 5 in r, 6 in r, bool(range(0)), list(ROWS), list(ROWS), len(ROWS), list(r[1:]), list(reversed(r)), r == range(2, 11, 3),
        [a for a in ROWS for b in ROWS], sum(r), max(r), r.index(5), list(range(5, 0, -2)), range(3)[::-1] == range(2, -1, -1),
    ]  # fmt: skip


def iterators():
    it = iter([1, 2, 3, 4])
    first = next(it)
    rest = list(it)
    pairs = list(zip(*[iter("abcdef")] * 2, strict=False))
    once = map(str, [1, 2])
    both = [list(once), list(once)]
    kept = filter(None, [0, 1])
    back = reversed([1, 2, 3])
    squares = (n * n for n in range(100))
    return [
        first, rest, pairs, both, next(kept), next(back), list(back), list(zip(*[], strict=False)), next(map(abs, [-3])), bool(map(abs, [])), next(squares), next(squares),
        list(zip([1, 2], squares, strict=False)), [*enumerate("ab", start=1)], sum([1, 2], start=5), next(iter({7: 1})), any(map(bool, [0, 1])), dict(a=1, b=2),
        dict([("a", 1)], b=2), list(zip("ab", "cd", strict=True)), max("b", "a", key=ord), min([3, 1, 2], key=lambda n: -n), sorted("bac", reverse=True), sorted([1, 2], key=None),
    ]  # fmt: skip


def sets():
    a, b = {1, 2, 3}, {2, 3}
    c = a
    c |= {9}
    d = frozenset(b)
    d |= {8}
    counted = {frozenset({1, 2}): "wall"}
    return [
        b <= a, b < a, a <= b, a >= b, a > b, a <= a, a < a, not {"x"} <= set("xo"), sorted(a), sorted(b), sorted(d), sorted(a ^ b), sorted(a.union([7])),
        sorted(a.intersection(b)), sorted(a.difference(b)), b.issubset(a), a.issuperset(b), a.isdisjoint({0}), counted[frozenset({2, 1})],
        frozenset({2, 1}) in STEPS, {frozenset({1})} == {frozenset({1})}, b == frozenset({3, 2}), (0, True) in {(0, 1)}, len({(1, 2), (1, 2.0)}), {1, 2} == {1.0, 2},
        {1, 2} == {1, 3},
    ]  # fmt: skip


def dicts():
    found = {"a": 1}
    other = found
    other |= {"b": 2}
    found.update({"c": 3})
    found.update([("d", 4)])
    return [
        found,
        found.pop("z", 7),
        found.pop("a"),
        found,
        found.get("q"),
        found.get("q", 0),
        list(found),
        sorted(found.items()),
        found.copy() == found,
        {**found, "b": 9},
    ]


def lists():
    found = [3, 1, 2]
    same = found
    found += [4]
    found.insert(1, 7)
    found[1:3] = [8, 8, 8]
    rows = [[0] * 2 for _ in range(2)]
    rows[0][1] += 5
    deep = 2 * [[1]]
    deep[0] += [2]
    turned = found[::-1]
    found.reverse()
    count = [0]

    def at():
        count[0] += 1
        return 0

    rows[at()][0] += 1
    return [same, rows, deep, turned == found, count, found.index(8, 3), [1, 2] < [1, 3], [2] >= [1, 9], [1] <= [1], found[-2:], found[5:1:-1], (1, 2) + (3,)]


def memories(n):
    if n not in MEMO:
        MEMO[n] = n * n
    STACK.append(n)
    return [MEMO[n], len(STACK) > 0]


@cache
def remembered(a, b):
    return [a, b]


def caches():
    return [remembered((1, 2), 3), remembered((1,), (2, 3)), remembered("1,2", 3), remembered(Stone("a"), 1), remembered(Stone("b"), 1), remembered(b=1, a=2)]


Stone.__hash__ = lambda self: hash(self.at)


def stones():
    one, other = Stone("a"), Stone("b")
    one.marks.append(1)
    return [one.marks, other.marks, Stone("c").marks, one == Stone("a", [1]), one != other]


def arrays():
    s = board()
    t = board()
    t.cell[:, 1] = 9
    t.cell[2] = 0
    t.cell[0, 1:3] = [7, 8]
    t.hand[1:] = t.hand[:-1]
    t.deep[:] = [[1, 2], [3, 4]]
    u = board()
    u.cell[:] = [5, 6, 7, 8]
    u.cell[::2, ::-1] = u.cell[1]
    u.hand[::2] = 1
    return [
        s.cell[:, 1].tolist(), s.cell[1, :].tolist(), s.cell[1:, 2].tolist(), s.cell[::2].tolist(), s.cell[::-1, 0].tolist(), s.cell[:, ::-1].tolist(),
        s.cell[-1, -2:].tolist(), GRID[:, 2].tolist(), GRID[1, 1:3].sum().tolist(), t.cell.tolist(), t.hand.tolist(), t.deep.tolist(), u.cell.tolist(), u.hand.tolist(),
        bool(t.deep.any()), int(t.deep.sum()), bool(board().deep.any()), bool((s.hand[1:]).all()), int(s.cell.max()), int(s.cell.min()), s.cell[:, 1].tobytes().decode() == "\x01\x05\t",
        [list(map(int, row)) for row in s.cell[:2]], s.cell.shape, int(s.cell[2, 3]) // 2, int(s.cell.copy()[1, 1]), np.zeros(3, dtype=np.int8).tolist(), list(s.hand[::-1]) == [4, 3, 2, 1, 0],
        np.array([1, 2], dtype=np.int32).tolist(), np.zeros((2, 2), np.int64).tolist(), np.array([[1, 2], [3, 4]]).tolist(),
    ]  # fmt: skip


def functions():
    made = []
    for i in range(3):

        def tell(k, i=i):
            return k * 10 + i

        made.append(tell)
    late = [lambda: i for i in range(3)]
    early = [lambda k=1, i=i: k + i for i in range(3)]
    if made:

        def chosen():
            return "if"
    else:

        def chosen():
            return "else"

    total = 0
    for row in late:
        total += row()
    return [[tell(1) for tell in made], [one() for one in late], [one(k=5) for one in early], chosen(), total, (lambda a, b=2: a - b)(b=1, a=9)]


def names():
    dict_ = {"b": 1}
    text_row, set_ = "local", {1}
    return [dict_, text_row, len(set_), other_table()]


def other_table():
    return dict_["a table with a name"]


def failing(wanted, found):
    if wanted == "value":
        raise ValueError("so")
    if wanted == "bare":
        raise ValueError
    if wanted == "key":
        found.append({}["x"])
    if wanted == "index":
        found.append([][0])
    if wanted == "unpack":
        a, b = [1, 2, 3]
        found.append(a + b)
    if wanted == "number":
        found.append(int("q5"))


def errors():
    found = []
    for wanted in ("value", "key", "index", "bare", "unpack", "number"):
        try:
            try:
                failing(wanted, found)
            except ValueError as wrong:
                found.append(f"value: {wrong}")
        except (KeyError, IndexError) as wrong:
            found.append(f"other: {wrong}")
    return found


def comparisons():
    asked = []

    def ask(n):
        asked.append(n)
        return n

    return [
        ask(1) < ask(0) < ask(5) < ask(6),
        asked,
        ask(1) < ask(2) < ask(3),
        asked,
        1 < 2 > 1 != 3,
        2**53 + 1 == float(2**53),
        1 == 1.0,
        True == 1,
        None is None,
        "a" < "b" < "c",
    ]


def letters(text):
    found = re.fullmatch(r"(\w)(\d+)\s?", text)
    return [found.groups() if found else None, bool(ANYTHING.fullmatch(text)), bool(re.fullmatch(r"[^\d]+", text)), bool(re.fullmatch(r"\D.", text))]


def shown(word):
    return [repr(word), f"{word!r}", repr({"a": 1, 2: None}), str(None), str({}), repr(1e16), str(1e-5), repr(-0.0), str(Stone("x", 1)), f"{ {1: 'a'} }"]


def tuples(pair):
    grown = also = pair
    grown += (3,)
    rows = more = [1]
    more += (2,)
    more *= 2
    return [
        [1] == (1,), (1,) == (1,), [1] in [(1,)], (1,) in [[1], (1,)], tuple([1]) == [1], pair == list(pair), list(pair) == [*pair], pair[:1] == (1,), pair + (1,), pair * 2, ((1,), [2], ()),
        isinstance(pair, tuple), isinstance(pair, list), isinstance([], (list, dict)), str(pair), f"{pair} {rows}", grown, also, rows, [*zip([1], "a", strict=True)], [*{"a": 1}.items()],
        divmod(7, 2), "a-b".partition("-"), Stone("x") == Stone("x", []), Stone("x") == Stone("x", ()), two(1, 2), two((1, 2)),
    ]  # fmt: skip


@cache
def two(a, b=0):
    return (a, b)


def orders():
    """What stands first is done first."""
    found, left, named = [3, 4, 5, 6], [1, 2, 3, 4], {}
    found[len(found) - 1] = found.pop()
    named[len(named)] = named.setdefault("first", 1)
    return [found, named, left.pop() > left.pop(), left.pop() in [left.pop()], left]


def edges(text):
    failed = []
    for by in ("", "-"):
        try:
            failed.append(text.partition(by))
        except ValueError as wrong:
            failed.append(str(wrong))
    return [
        failed, text.replace("", "-"), text.replace("", "-", 2), text.find("", 9), text.find("", 3, 2), text.find(text, -9), text.count("", 9), text.startswith("", 9), text.startswith("", len(text)),
        -0.0 // -2.5, 0.0 // -2.5, round(-0.0, -1), 7 ** -2,
    ]  # fmt: skip


CALLS = [
    *((edges, [text]) for text in ("abc", "", "🂡-b")),
    (tuples, [(1, "b")]), (orders, []),
    *((formats, [n, x, word]) for n, x, word in ((5, 0.125, "ab"), (-5, 2.5, "한판"), (12345, -0.001, "🂡x"), (0, 1e22, ""), (-1234567, 0.5, "it's"), (7, 1234.5, "a"))),
    *((floats, [x, y]) for x, y in ((1.0, 0.1), (-7.5, 2.0), (0.3, -0.1), (5.0, 5.0), (123456.789, 0.01))),
    *((rounding, [n, x]) for n, x in ((1250, 1245.0), (-1350, -1255.0), (49, 4.0), (7, 0.25))),
    *((texts, [text]) for text in ("abca da", " a b  a ", "aaa", "🂡a🂢 a", "한a판")),
    *((memories, [n]) for n in (3, 3, 4)),
    *((letters, [text]) for text in ("e5", "한12 ", "_٣", "e5\n", "٣٣", "-a")),
    *((shown, [word]) for word in ("it's", '"', "\u200b", "\x80", "한", "\U0001f0a1", "a\\b\n")),
    *((one, []) for one in (numbers_read, ranges, iterators, sets, dicts, lists, caches, stones, arrays, functions, names, errors, comparisons)),
]  # fmt: skip


def given(value):
    if isinstance(value, tuple):
        return {"tuple": [given(one) for one in value]}
    return {"int": str(value)} if isinstance(value, int) else value


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    folder = tmp_path_factory.mktemp("script")
    script, module = bundle("engine/python.ts", folder), folder / "module.mjs"
    module.write_text(Script().text({function.__name__: function for function, _ in CALLS}), encoding="utf-8")
    MEMO.clear()
    STACK.clear()
    return run(script, [str(module), [[function.__name__, [given(value) for value in values]] for function, values in CALLS]])


@pytest.mark.slow
@pytest.mark.parametrize("at", range(len(CALLS)), ids=lambda at: f"{CALLS[at][0].__name__}-{at}")
def test_it_is_what_python_says(answers, at):
    function, values = CALLS[at]
    assert answers[at] == ["gives", repr(function(*values))]
