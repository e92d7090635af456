"""What comes from outside: numbers, texts and JSON are read strictly, and an error quotes only a short piece of them."""

from __future__ import annotations

import json
import math
import operator
import re
import reprlib
from numbers import Real
from typing import Any, TypeGuard

from hanpan.core.unfit import Unfit

DEEPEST = 50  # values within values within values …
_QUOTED = 60  # letters of a text that an error quotes
_WHOLE = re.compile("0|-?[1-9][0-9]{0,99}")
_DECIMAL = re.compile(r"-?([0-9]{1,20}([.][0-9]{0,20})?|[.][0-9]{1,20})(e-?[0-9]{1,2})?")

_brief = reprlib.Repr()
_brief.maxstring = _brief.maxother = _brief.maxlong = _QUOTED


def quoted(value: object) -> str:
    """A value as an error quotes it: a short piece of it at most, and nothing that could not be printed or sent.

    >>> quoted("e5"), quoted("e5" * 1000) == repr("e5" * 30) + "…", quoted([[[[]]]])
    ("'e5'", True, '[[[[]]]]')
    """
    if isinstance(value, str):
        return repr(value[:_QUOTED]) + ("…" if len(value) > _QUOTED else "")
    try:
        return _brief.repr(value)
    except Exception:  # a number with too many digits to be written, an object that can't say what it is
        return f"a value of type {type(value).__name__}"


def label(key: object) -> str:
    """The name of a field in front of an error's sentence: as it is, if it could be a name at all."""
    return key if isinstance(key, str) and key.isidentifier() and len(key) <= _QUOTED else quoted(key)


def is_text(value: object) -> TypeGuard[str]:
    """Whether a value is a text that can be written down: half a surrogate pair can't.

    >>> is_text("한판"), is_text("\\ud800"), is_text(5)
    (True, False, False)
    """
    if not isinstance(value, str):
        return False
    if value.isascii():
        return True
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def whole(text: str) -> int | None:
    """The whole number that a text is, in plain digits and nothing beside them; else None.

    >>> whole("11"), whole("-3"), whole("1_1"), whole(" 7 "), whole("٣"), whole("007")
    (11, -3, None, None, None, None)
    """
    return int(text) if _WHOLE.fullmatch(text) else None


def number_in(value: Any, low: int, high: int) -> int | None:
    """The whole number from low to high that a value is, NumPy's included; else None. True and False are no numbers.

    >>> number_in(3, 0, 3), number_in(4, 0, 3), number_in(3.0, 0, 3), number_in("3", 0, 3), number_in(True, 0, 3)
    (3, None, None, None, None)
    """
    try:
        number = operator.index(value)
    except TypeError:
        return None
    return number if low <= number <= high and not isinstance(value, bool) else None


def real(value: Any) -> float | None:
    """The number that a value is, NumPy's included; else None. True, False and NaN are no numbers.

    >>> real(3), real(0.5), real("3"), real(True), real(float("nan"))
    (3.0, 0.5, None, None, None)
    """
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    try:
        found = float(value)
    except OverflowError:
        return None
    return None if math.isnan(found) else found


def decimal(text: str) -> float | None:
    """The number that a text is, in plain digits; else None.

    >>> decimal("0.5"), decimal("1e-3"), decimal("nan"), decimal("1_0"), decimal(" 7")
    (0.5, 0.001, None, None, None)
    """
    return float(text) if _DECIMAL.fullmatch(text) else None


def read_json(text: str) -> Any:
    """The value of a JSON text. ValueError if it is none, is nested too deeply, names a field twice, or holds what is no text."""
    try:
        value = json.loads(text.removeprefix("\ufeff"), object_pairs_hook=_once, parse_constant=_no_number)
    except RecursionError:
        raise Unfit("json-deep", most=DEEPEST) from None
    except json.JSONDecodeError as wrong:
        raise Unfit("json-syntax", line=wrong.lineno, column=wrong.colno) from wrong
    except Unfit:
        raise
    except ValueError as wrong:
        raise Unfit("json-digits") from wrong
    check_json(value)
    return value


def check_json(value: Any) -> None:
    """ValueError if a value is nested too deeply, or holds half a surrogate pair."""
    level, depth = [value], 0
    while level:
        if depth > DEEPEST:
            raise Unfit("json-deep", most=DEEPEST)
        below: list[Any] = []
        for part in level:
            if isinstance(part, str):
                if not part.isascii() and not is_text(part):
                    raise Unfit("json-half", text=quoted(part))
            elif isinstance(part, dict):
                below += part.keys()
                below += part.values()
            elif isinstance(part, list):
                below += part
        level, depth = below, depth + 1


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        keys = [key for key, _ in pairs]
        raise Unfit("json-twice", key=quoted(next(key for key in keys if keys.count(key) > 1)))
    return made


def _no_number(word: str) -> Any:
    raise Unfit("json-number", word=word)
