"""Values of Python, written down for JavaScript."""

from __future__ import annotations

import dataclasses
import itertools
import json
import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from hanpan.core.interpreted import plain
from hanpan.core.javascript.known import STRANGE
from hanpan.core.reading import is_text, quoted
from hanpan.core.refusal import IllegalAction
from hanpan.core.unfit import Unfit
from hanpan.core.words import Phrase


class Untranslatable(ValueError):
    """Something of which there is no JavaScript; its text says what and where."""


# What the runtime knows under a name of its own.
_BUILTIN: tuple[Any, ...] = (
    abs, all, any, bool, chr, dict, divmod, enumerate, filter, frozenset, isinstance, len, list, map, max, min, next, ord, range, repr, reversed, round, set,
    sorted, str, sum, tuple, zip, ValueError, KeyError, IndexError, StopIteration, IllegalAction, Unfit, Phrase, itertools.pairwise, re.fullmatch,
    str.maketrans, dict.fromkeys, np.zeros, quoted, plain,
)  # fmt: skip
_KNOWN: dict[Any, str] = {function: f"py.{function.__name__}" for function in _BUILTIN}
_KNOWN |= {
    int: "py.int_", float: "py.float_", iter: "py.iterator", int.bit_count: "py.bitCount", re.compile: "py.regex", is_text: "py.isText",
    dataclasses.replace: "py.replaced", np.array: "py.ndarray", np.empty: "py.zeros",
}  # fmt: skip


def known(value: Any) -> str | None:
    """The runtime's name for something that it brings itself."""
    try:
        return _KNOWN.get(value)
    except TypeError:  # what can't be hashed is nobody's name
        return None


def literal(value: Any, inner: Callable[[Any], str]) -> str:
    """A value as JavaScript; `inner` writes what is inside it."""
    if value is None or isinstance(value, (bool, np.bool_)):
        return {None: "null", True: "true", False: "false"}[None if value is None else bool(value)]
    if isinstance(value, (int, np.integer)):
        return f"{int(value)}n" if value >= 0 else f"({int(value)}n)"
    if isinstance(value, (float, np.floating)):
        return _number(float(value))
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, bytes):
        return f"py.bytes({json.dumps(list(value), separators=(',', ':'))})"
    if type(value) is list:
        return f"[{', '.join(map(inner, value))}]"
    if type(value) is tuple:
        return f"py.tuple_([{', '.join(map(inner, value))}])"
    if isinstance(value, (set, frozenset)):
        return f"py.{type(value).__name__}([{', '.join(map(inner, _in_order(value)))}])"
    if type(value) is dict:
        return f"py.dict([{', '.join(f'[{inner(key)}, {inner(one)}]' for key, one in value.items())}])"
    if isinstance(value, range):
        return f"py.range({value.start}n, {value.stop}n, {value.step}n)"
    if isinstance(value, np.ndarray) and value.dtype.kind in "iu":
        numbers = ",".join(f"{number}n" if abs(number) >> 53 else str(number) for number in value.ravel().tolist())
        return f"py.array({json.dumps(value.dtype.str[1:])}, {json.dumps(list(value.shape))}, [{numbers}])"
    if isinstance(value, re.Pattern):
        if value.flags & ~(re.UNICODE | re.ASCII) or not isinstance(value.pattern, str):
            raise Untranslatable(f"{value!r}: regular expressions can be translated without other flags than re.ASCII only")
        if strange := STRANGE.search(value.pattern):
            raise Untranslatable(f"{strange[0]!r} in a regular expression can't be translated")
        return f"py.regex({json.dumps(value.pattern)}{f', {re.ASCII.value}n' if value.flags & re.ASCII else ''})"
    if isinstance(value, type) and issubclass(value, np.integer):
        return json.dumps(np.dtype(value).str[1:])
    if isinstance(value, np.dtype):
        return layout(value) if value.names else json.dumps(value.str[1:])
    if isinstance(value, type) and dataclasses.is_dataclass(value):
        if own := _more_than_fields(value):
            raise Untranslatable(f"{value.__name__}: a dataclass with {own} can't be translated")
        return f"py.dataclass({json.dumps(value.__name__)}, [{', '.join(_field(field, inner) for field in dataclasses.fields(value))}])"
    if dataclasses.is_dataclass(value):
        return f"{inner(type(value))}({', '.join(inner(getattr(value, field.name)) for field in dataclasses.fields(value))})"
    raise Untranslatable(f"{quoted(value)} (of type {type(value).__name__}) can't be written down for JavaScript")


def _in_order(value: Any) -> list[Any]:
    try:
        return sorted(value)
    except TypeError:  # of several kinds
        return sorted(value, key=repr)


def _more_than_fields(kind: Any) -> str:
    """What of a dataclass the runtime's objects would not have."""
    settings = kind.__dataclass_params__
    found = {"__post_init__": hasattr(kind, "__post_init__"), "order=True": settings.order, "eq=False": not settings.eq}
    found |= {"a field that is not given or not compared": any(not (field.init and field.compare) for field in dataclasses.fields(kind))}
    return next((what for what, there in found.items() if there), "")


def _number(value: float) -> str:
    if not math.isfinite(value):
        raise Untranslatable(f"{value} can't be written down for JavaScript")
    return f"({value!r})" if value < 0 else repr(value)


def _field(field: dataclasses.Field[Any], inner: Callable[[Any], str]) -> str:
    if field.default is not dataclasses.MISSING:
        return f"[{json.dumps(field.name)}, {inner(field.default)}]"
    if field.default_factory is not dataclasses.MISSING:
        return f"[{json.dumps(field.name)}, {inner(field.default_factory())}]"
    return f"[{json.dumps(field.name)}]"


def layout(kind: np.dtype[Any]) -> str:
    """Where the fields of a record lie: name, offset, kind of number, extents."""
    fields = []
    for name, place in (kind.fields or {}).items():
        base, shape = place[0].subdtype or (place[0], ())
        if base.kind not in "iu":
            raise Untranslatable(f"a record with a field {name!r} of {base} can't be read by JavaScript")
        fields.append([name, place[1], base.str[1:], list(shape)])
    return f"py.layout({kind.itemsize}, {json.dumps(fields, separators=(',', ':'))})"
