"""What the runtime (`web/src/engine/python/`) knows by name: methods, attributes, formats, and the order of arguments that may be given by name.

JavaScript drops an argument too many without a word, and finds nothing where there is no such name. So whatever is not listed here is refused, where the
translator sees it.
"""

from __future__ import annotations

import itertools
import re
from typing import Any, NamedTuple

import numpy as np


class Takes(NamedTuple):
    """How many arguments there may be, in which places stand those that may be given by name, and which are handed on by name (None: all)."""

    most: int
    names: tuple[str | None, ...] = ()
    by_name: tuple[str, ...] | None = ()


_ANY = 99

METHODS: dict[str, Takes] = {
    # texts
    "split": Takes(2, ("sep", "maxsplit")), "format": Takes(_ANY, (), None), "replace": Takes(3, (None, None, "count")),
    **{name: Takes(3) for name in ("startswith", "endswith", "find", "rfind", "index", "count")},
    **{name: Takes(2) for name in ("ljust", "rjust", "center")},
    **{name: Takes(1) for name in (
        "join", "strip", "lstrip", "rstrip", "removeprefix", "removesuffix", "partition", "rpartition", "zfill", "translate", "fullmatch", "match", "search",
        "group", "groups", "groupdict",
    )},
    **{name: Takes(0) for name in ("lower", "upper", "islower", "isupper", "isdigit", "isalpha", "isalnum", "isascii", "decode")},
    # lists, dicts, sets
    "append": Takes(1), "extend": Takes(1), "insert": Takes(2), "pop": Takes(2), "remove": Takes(1), "sort": Takes(0, (), ("key", "reverse")),
    "get": Takes(2), "setdefault": Takes(2), "add": Takes(1), "discard": Takes(1), "update": Takes(_ANY),
    **{name: Takes(0) for name in ("copy", "clear", "reverse", "items", "keys", "values")},
    **{name: Takes(_ANY) for name in ("union", "intersection", "difference")},
    **{name: Takes(1) for name in ("symmetric_difference", "issubset", "issuperset", "isdisjoint")},
    # numbers and arrays
    **{name: Takes(0) for name in ("bit_length", "bit_count", "item", "any", "all", "sum", "max", "min", "tolist", "tobytes")},
    "fill": Takes(1),
}  # fmt: skip

FUNCTIONS: dict[Any, Takes] = {
    **{one: Takes(1) for one in (abs, all, any, bool, chr, float, frozenset, iter, len, list, ord, repr, reversed, set, str, tuple)},
    **{one: Takes(_ANY, (), ("key", "default")) for one in (max, min)},
    sorted: Takes(1, (), ("key", "reverse")), zip: Takes(_ANY, (), ("strict",)),
    filter: Takes(2), divmod: Takes(2), isinstance: Takes(2), next: Takes(2), map: Takes(_ANY), range: Takes(3), dict: Takes(1, (), None),
    enumerate: Takes(2, ("iterable", "start")), int: Takes(2, (None, "base")), round: Takes(2, ("number", "ndigits")), sum: Takes(2, (None, "start")),
    str.maketrans: Takes(3), dict.fromkeys: Takes(2), int.bit_count: Takes(1), itertools.pairwise: Takes(1),
    re.fullmatch: Takes(3, (None, None, "flags")), re.compile: Takes(2, (None, "flags")),
    np.zeros: Takes(2, ("shape", "dtype")), np.empty: Takes(2, ("shape", "dtype")), np.array: Takes(2, (None, "dtype")),
}  # fmt: skip

# What values of the runtime have behind a point, beside the fields of records and dataclasses.
ATTRIBUTES = ("shape", "size", "ndim", "code", "phrase", "values")

# `{value:spec}`, as far as formats.ts knows it: [[fill]align][sign][#][0][width][grouping][.digits][kind]
SPEC = re.compile(r"(?:.?[<>=^])?[-+ ]?#?(?:0?\d*|\d*[,_])(?:\.\d+)?[sdboxXfF%]?", re.DOTALL)

# What regular expressions of JavaScript do not have, or read otherwise.
STRANGE = re.compile(r"\(\?[aiLmsux#>(-]|\(\?P[>=]|[*+?}]\+|\[\^?\]|\[[^]]*\\[WS]|\\N")


def in_places(takes: Takes, given: int, named: list[str]) -> dict[str, int]:
    """The places of arguments that are given by name, of those that have one; ValueError says what is wrong."""
    if given > takes.most:
        raise ValueError(f"takes {takes.most} {'argument' if takes.most == 1 else 'arguments'} at most")
    places = {}
    for name in named:
        if name in takes.names:
            places[name] = takes.names.index(name)
            if places[name] < given:
                raise ValueError(f"has `{name}` twice")
        elif takes.by_name is not None and name not in takes.by_name:
            raise ValueError(f"takes no `{name}`")
    return places
