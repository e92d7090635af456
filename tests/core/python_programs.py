"""Small random programs of what can be translated: functions of a whole number, one with a point, a text and a list, each statement of which may fail."""

import re

# How something of each kind may be written; `<kind>` stands for something of that kind, and `c` is a name of its own.
EXPRESSIONS = {
    "int": """
        n  0  1  2  -1  7  255  -(2**70)  (<int> + <int>)  (<int> - <int>)  (<int> * <int>)  (<int> // <int>)  (<int> % <int>)  (<int> & <int>)
        (<int> ^ <int>)  (<int> << 3)  (<int> >> 2)  (-<int>)  (~<int>)  (<int> ** 2)  len(<str>)  len(<ints>)  len(<dict>)  len(<set>)
        abs(<int>)  sum(<ints>)  max(<int>, <int>)  min(<ints>, default=<int>)  min(<ints>, key=lambda c, k=<int>: (c + k) % 7)
        max(<str>, <str>, key=len).count(<str>)  (<int> if <bool> else <int>)  (<int> or <int>)  (<bool> and <int>)  (<bool> + <bool>)
        <ints>[<int>]  <pair>[0]  <dict>[<str>]  <dict>.get(<str>, <int>)  <ints>.index(<int>)  <ints>.count(<int>)  <ints>.pop()  xs.pop(0)
        (xs.append(len(xs)) or len(xs))  int(<float>)  int(<bool>)  int(<str>)  int(<str>, 16)  round(<float>)  round(<int>, -1)
        (<int>).bit_length()  divmod(<int>, <int>)[1]  ord(<str>[0])  <str>.find(<str>)  <str>.find(<str>, <int> % 5 - 2, <int> % 5 - 1)
        <str>.rfind(<str>, <int> % 3)  <str>.count(<str>)  next(iter(<ints>), <int>)  range(<int> % 9, 12, 2)[<int>]
        sum(c * <int> for c in <ints> if <bool>)  sum(v * k for k, row in enumerate([<ints>, <ints>]) for v in row)
        int(TABLE[<int> % 3, <int> % 4])  int(TABLE[<slice>, 1:3].sum())  int(TABLE.tolist()[<int> % 3][-1])  Stone(<int>, <ints>).marks[0]
        replace(Stone(<int>), at=<int>).at  remembered(<pair>, <int> % 3)  remembered((<int> % 3, <str>))  next(squares(<int> % 5))
        (lambda a, b=2: a * b - <int>)(<int>)  {(1, 'a'): <int>, <pair>: <int>}[(1, 'a')]  len({<pair>, <pair>})
        int(re.fullmatch(r'([a-z]*)(\\d+)', <str>)[2])
    """,
    "bool": """
        True  False  (<int> < <int>)  (<int> >= <float>)  (<int> == <int> != <int>)  (<int> > <int> <= <int>)  (<str> < <str>)  (<str> == <str>)
        (<str> in <str>)  (<int> in <ints>)  (<int> not in <set>)  (<str> in <dict>)  (<ints> > <ints>)  (<ints> == <ints>)  (<pair> <= <pair>)
        (<pair> == <pair>)  (<set> <= <set>)  (<set> == <set>)  (<dict> != <dict>)  (tuple(<ints>) == <ints>)  ([<pair>] == [<pair>])
        (list(<pair>) == <pair>)  (<pair> in [list(<pair>), <pair>])  (<ints> == tuple(<ints>))  (<opt> is None)  (<opt> == <int>)  (not <str>)
        (not <ints>)  (<bool> and <bool>)  (<bool> or <bool>)  (<bool> ^ <bool>)  bool(<set>)  any(<ints>)  all(c > <int> for c in <ints>)
        (<int> in range(<int> % 20))  isinstance(<pair>, list)  isinstance(<ints>, (tuple, dict))  isinstance(<opt>, int)
        isinstance(<set>, frozenset)  <str>.isdigit()  <str>.isalpha()  <str>.islower()  <str>.startswith(<str>, <int> % 4)
        <str>.endswith((<str>, <str>))  (Stone(<int>) == Stone(<int>))  (Stone(1, more=<pair>) == Stone(1, more=list(<pair>)))
    """,
    "float": """
        x  0.5  -2.25  1e-7  123456.789  (<float> + <float>)  (<float> * <int>)  (<float> - <float>)  (<int> / <int>)  (<float> // <float>)
        (<float> % <float>)  (-<float>)  float(<int>)  float(<str>)  round(<float>, 1)  round(<float>, -1)  abs(<float>)  max(<float>, <float>)
        (<int> ** -2)
    """,
    "str": """
        t  ''  'a'  'e5'  '한판'  '🂡x'  ' x y '  (<str> + <str>)  (<str> * (<int> % 4))  <str>.upper()  <str>.strip()  <str>.lstrip(<str>)
        <str>.replace(<str>, <str>)  <str>.replace(<str>, <str>, <int> % 3)  <str>[<slice>]  <str>[<int>]  str(<int>)  str(<float>)  str(<opt>)
        str(<dict>)  str(<pair>)  repr(<ints>)  repr(<str>)  repr((<str>,))  <str>.join(<strs>)  chr(97 + <int> % 26)  <str>.zfill(<int> % 9)
        <str>.center(<int> % 9, '.')  <str>.partition(<str>)[<int>]  <str>.rpartition(<str>)[-1]  <strs>[<int>]  <pair>[1]  (<str> or <str>)
        (<str> if <bool> else <str>)  <str>.removeprefix(<str>)  '{}-{:>4}'.format(<int>, <str>)  max(<strs>, default=<str>)
        <str>.split(<str>)[0]  ''.join(sorted(<str>))  f'{n:+05d}/{x:.2f}/{t:*^7}'  f'{n:,}/{x:8.3f}/{t!r:>6}'  f'{len(xs):b}/{x}/{t:.2}'
    """,
    "ints": """
        xs  []  [1, 2, 3]  [0, -1]  (<ints> + <ints>)  (<ints> * (<int> % 4))  <ints>[<slice>]  [<int>, <int>]  [<int>, *<ints>]
        sorted(<ints>, reverse=<bool>)  sorted(<set>)  list(range(<int> % 8, <int> % 8, -1))  [c * <int> for c in <ints> if <bool>]
        [len(c) for c in <strs>]  list(reversed(<ints>))  [a * b for a, b in zip(<ints>, <ints>, strict=False)]
        [i * c for i, c in enumerate(<ints>)]  list(<dict>.values())  list(map(abs, <ints>))  sorted(<ints>, key=lambda c: -c)
        list(filter(None, <ints>))  [b - a for a, b in pairwise(<ints>)]  (<ints> or <ints>)  [*squares(<int> % 4)]
        [c for row in (<ints>, <ints>) for c in row]  TABLE[<int> % 4, <slice>].tolist()
    """,
    "strs": """
        []  ['a', 'b']  (<strs> + <strs>)  [<str>, <str>]  <str>.split()  <str>.split(<str>, <int> % 3)  list(<str>)  sorted(<strs>, key=len)
        [str(c) for c in <ints>]  sorted(<dict>)  <strs>[<slice>]  [c.upper() for c in <strs>]  [f'{a}={b}' for a, b in <dict>.items()]
    """,
    "pair": """
        (1, 'a')  (0, '')  (<int>, <str>)  max([<pair>, <pair>])  (<pair> if <bool> else <pair>)  sorted([<pair>, <pair>])[0]
        tuple([<int>, <str>])  (<pair> + (1,))[:2]  (<pair> * 2)[2:]
    """,
    "dict": """
        {}  {'a': 1}  {<str>: <int>, <str>: <int>}  (<dict> | <dict>)  {**<dict>, <str>: <int>}  {c: len(c) for c in <strs>}
        dict(zip(<strs>, <ints>, strict=False))  dict.fromkeys(<strs>, <int>)  dict(sorted(<dict>.items()))  dict(<dict>, z=<int>)
    """,
    "set": """
        set()  {1, 2}  frozenset({1})  (<set> | <set>)  (<set> - <set>)  (<set> ^ <set>)  set(<ints>)  {c % 5 for c in <ints>}  frozenset(<ints>)
        <set>.union(<ints>)
    """,
    "opt": """
        None  <int>  (None if <bool> else <int>)  <dict>.get(<str>)
    """,
    "slice": """
        :  1:  :2  -2:  ::-1  1:4:2  <int> % 4:  :<int> % 4 - 2  3:0:-1
    """,
}

# What may be done with a name of a kind, which stands for it as `$`; `...` is something done within, and what is named there is forgotten behind it.
STATEMENTS = {
    "int": """
        $ += <int>  $ -= <int>  $ *= <int>  $ //= <int>  $ %= <int>  $ |= <int>  $ ^= <int>
    """,
    "bool": """
        $ |= <bool>  $ &= <bool>
    """,
    "float": """
        $ += <float>  $ *= <float>
    """,
    "str": """
        $ += <str>  $ *= <int> % 3
    """,
    "ints": """
        $.append(<int>)  $.extend(<ints>)  $.insert(<int>, <int>)  $.reverse()  $.sort()  $.remove(<int>)  $.clear()  $[<int>] = <int>
        $[<int>] += <int>  $[1:] = <ints>  $ += <ints>  $ *= <int> % 3  $ += tuple(<ints>)  $[0], $[-1] = $[-1], $[0]  $[len($) - 1] = $.pop()
        $.extend(squares(<int> % 4))
    """,
    "pair": """
        $ += <pair>  $ *= <int> % 3
    """,
    "dict": """
        $[<str>] = <int>  $[<str>] += 1  $.update(<dict>)  $.setdefault(<str>, <int>)  $.pop(<str>, None)  $ |= <dict>
        $[str(len($))] = $.setdefault('k', <int>)
    """,
    "set": """
        $.add(<int>)  $.discard(<int>)  $.update(<ints>)  $ |= <set>  $ -= <set>  $ ^= <set>
    """,
}
BLOCKS = (
    ["if <bool>:", "...", "else:", "..."], ["for @int in <ints>:", "...", "..."], ["for @str in <str>:", "..."],
    ["for @int, @str in enumerate(<strs>):", "..."], ["while <bool>:", "..."],
    ["try:", "...", "...", "except (ValueError, IndexError):", "..."], ["def @inner(p, q=<int>):", "    return p * <int> - q", "@int = @inner(<int>)"],
    ["@ints = @ints = <ints>"], ["@int, @str = <pair>"], ["@int, (@int, @str) = <int>, <pair>"], ["@int, *@ints = <ints>"], ["*@ints, @int = <ints>"],
)  # fmt: skip

HEAD = """
import re
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import pairwise

import numpy as np

TABLE = np.arange(-3, 9, dtype=np.int16).reshape(3, 4)


@dataclass(frozen=True)
class Stone:
    at: int
    marks: list = field(default_factory=list)
    more: tuple = ()


@cache
def remembered(pair, k=1):
    return pair[0] * k


def squares(n):
    for i in range(n):
        if i == 2:
            continue
        yield i * i
    yield n
"""


def _several(told):
    """What stands there with two spaces between."""
    return re.split(r"\s{2,}", told.strip())


_EXPRESSIONS = {kind: _several(told) for kind, told in EXPRESSIONS.items()}
_STATEMENTS = {kind: _several(told) for kind, told in STATEMENTS.items()}


class Writer:
    """Writes programs; `dice` decides."""

    def __init__(self, dice):
        self._dice = dice
        self._named, self._count = {}, 0

    def program(self, functions):
        return HEAD + "".join(f"\n\n{self._function(f'f{number}')}" for number in range(functions))

    def _function(self, name):
        self._named, self._count = {"n": "int", "x": "float", "t": "str", "xs": "ints"}, 0
        lines = [f"def {name}(n, x, t, xs):", "    steps = turns = 0"]
        for _ in range(self._dice.randrange(3, 7)):
            before, body = set(self._named), self._statement("        ")
            lines += [f"    {new} = {self._dice.choice(_plain(kind))}" for new, kind in self._named.items() if new not in before]
            lines += ["    try:", *body, "    except (ValueError, KeyError, IndexError):", "        steps += 100"]
        told = [f"sorted({each})" if kind == "set" else each for each, kind in self._named.items()]
        return "\n".join([*lines, f"    return [{', '.join(told)}, {self._of(self._dice.choice(['int', 'bool', 'str', 'pair', 'ints', 'dict']))}, steps]\n"])

    def _of(self, kind, depth=0):
        named = [name for name, of in self._named.items() if of == kind]
        if named and self._dice.random() < 0.2 + depth / 5:
            return self._dice.choice(named)
        chosen = self._dice.choice(_plain(kind) if depth > 4 else _EXPRESSIONS[kind])
        return self._filled(chosen, depth + 1)

    def _filled(self, text, depth=0):
        return re.sub(r"<(\w+)>", lambda found: self._of(found[1], depth), text)

    def _new(self, kind):
        self._count += 1
        return f"v{self._count}", kind

    def _statement(self, indent):
        way = self._dice.random()
        if way < 0.35:
            name, kind = self._new(self._dice.choice([kind for kind in _EXPRESSIONS if kind != "slice"]))
            line = f"{indent}{name} = {self._of(kind)}"
            self._named[name] = kind
            return [line]
        if way < 0.65 or len(indent) > 12:
            name = self._dice.choice([name for name, kind in self._named.items() if kind in _STATEMENTS])
            return [indent + self._filled(self._dice.choice(_STATEMENTS[self._named[name]])).replace("$", name)]
        return self._block(indent, self._dice.choice(BLOCKS))

    def _block(self, indent, block):
        lines, names, inner = [], {}, {}
        above, opens = dict(self._named), block[0].endswith(":")
        for line in block:
            if line == "...":
                before = dict(self._named)
                self._named |= inner
                lines += self._statement(indent + "    ")
                self._named = before
                continue
            line = self._filled(line)

            def named(found):
                name, kind = (names.get("inner") or self._new("inner")) if found[1] == "inner" else self._new(found[1])
                names[kind if kind == "inner" else name] = (name, kind)
                if kind != "inner":
                    inner[name] = kind
                return name

            lines.append(indent + re.sub(r"@(\w+)", named, line))
            if line.startswith(("for", "while")):
                lines += [f"{indent}    turns += 1", f"{indent}    if turns > 6:", f"{indent}        break"]  # so that nothing grows too large
        self._named = above if opens and block[0][:3] != "def" else above | inner
        return lines


def _plain(kind):
    """What can be written without anything else."""
    return [one for one in _EXPRESSIONS[kind] if "<" not in one and not re.search(r"\b(n|x|t|xs)\b", one)]
