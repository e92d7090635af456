"""What a designer might write and JavaScript would make something else of is refused, with file and line."""

import importlib.util
import re
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import NamedTuple

import numpy as np
import pytest
from test_javascript_like_python import BOARD

from hanpan.core.javascript.translate import Script
from hanpan.core.javascript.values import Untranslatable


class Kind(NamedTuple):
    name: str


class Colour(Enum):
    RED = 1


@dataclass(order=True)
class Ordered:
    x: int


@dataclass
class Checked:
    x: int

    def __post_init__(self):
        self.x += 1


class Missing(dict):
    def __missing__(self, key):
        return 0


KINDS = (Kind("rook"),)
LOUD = re.compile("a", re.IGNORECASE)
COUNTED = Missing(a=1)
RED = Colour.RED


def of_a_named_tuple():
    return KINDS[0].name


def of_an_enum():
    return RED.name


def of_an_enums_class(n):
    return Colour(n)


def of_a_flag(text):
    return LOUD.fullmatch(text)


def of_a_lookahead(text):
    return re.fullmatch("(?i)a", text)


def of_a_dict_of_its_own():
    return COUNTED["b"]


def of_an_order(x):
    return Ordered(x) < Ordered(2)


def of_what_follows(x):
    return Checked(x).x


def of_a_method(text):
    return text.swapcase()


def of_a_misspelt_field(s):
    return s.trun


def of_a_method_that_is_handed_on(names):
    return max(names, key=names.get)


def of_too_many(text):
    return text.strip("a", "b")


def of_a_name_nobody_takes(items):
    return sorted(items, strict=True)


def of_a_kind(items):
    return isinstance(items, range)


def of_a_format(n):
    return f"{n:g}"


def of_an_ascii_form(text):
    return f"{text!a}"


def of_points():
    return np.zeros(3)


def of_a_list_of_places(s):
    return s.cell[[0, 1]]


def of_a_decorated_one():
    @cache
    def inner():
        return 1

    return inner()


def of_arguments_in_a_lambda():
    return (lambda *given: given)(1)


def of_a_square_root(n):
    return np.sqrt(n)


def of_two_handlers():
    try:
        return 1
    except KeyError:
        return 2
    except ValueError:
        return 3


def of_what_numpy_has_not():
    return np.nothing(1)


REFUSED = {
    of_a_named_tuple: "Kind", of_an_enum: "Colour", of_an_enums_class: "Colour", of_a_flag: "without other flags", of_a_lookahead: r"\(\?i",
    of_a_dict_of_its_own: "of type Missing", of_an_order: "order=True", of_what_follows: "__post_init__", of_a_method: r"`\.swapcase` is nothing",
    of_a_misspelt_field: r"`\.trun` is nothing", of_too_many: r"\.strip\(\) takes 1 argument", of_a_name_nobody_takes: "sorted.. takes no `strict`",
    of_a_kind: "is a range can't be told", of_a_format: "the format 'g'", of_an_ascii_form: "!a", of_points: "kind of whole number",
    of_a_list_of_places: "picked out by a list", of_a_decorated_one: "decorated", of_arguments_in_a_lambda: "only plain parameters", of_a_square_root: "sqrt",
    of_two_handlers: "Try", of_what_numpy_has_not: "numpy has no 'nothing'",
}  # fmt: skip


@pytest.mark.parametrize("function", REFUSED, ids=lambda function: function.__name__)
def test_what_would_be_something_else_is_refused_with_its_line(function):
    first = function.__code__.co_firstlineno
    with pytest.raises(Untranslatable, match=rf"test_javascript_refused\.py:\d+: .*{REFUSED[function]}") as refused:
        Script().text({"function": function, "layout": BOARD})
    assert first < int(re.search(r"\.py:(\d+)", str(refused.value))[1]) < first + 6


def test_a_text_that_was_changed_since_it_was_loaded_is_refused_instead_of_another_functions(tmp_path):
    """While a module is built its designer goes on writing."""
    path = tmp_path / "written.py"
    path.write_text("def one():\n    return 1\n\n\ndef two():\n    return 2\n")
    spec = importlib.util.spec_from_file_location("written", path)
    written = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(written)
    assert "return 2n" in Script().text({"two": written.two})
    for text in ("\n\n\n\ndef one():\n    return 1\n", "def two():\n    return (\n"):
        path.write_text(text)
        with pytest.raises(Untranslatable, match=r"written\.py: it was changed since it was loaded; try again"):
            Script().text({"two": written.two})
