"""Large tables that follow from little: a WebAssembly module brings a rule that fills them when it is loaded, not their content."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np


class Filled(NamedTuple):
    """A table, and the rule that fills another like it, given as zeros."""

    table: Any
    rule: Callable[[Any], None]


_known: dict[int, Filled] = {}


def filled(table: Any, rule: Callable[[Any], None]) -> Any:
    """The table itself, made in whatever way is quickest here. Whoever makes a module checks that the rule fills it with the same."""
    if not table.flags.c_contiguous:
        raise ValueError(f"filled: the items of a table that {rule.__name__} fills must lie close together")
    table.flags.writeable = True  # Numba's type of an array says so, and the rule is compiled for tables like this one
    _known[id(table)] = Filled(table, rule)
    return table


def who_fills(value: Any) -> Filled | None:
    """The rule that fills a table; None of anything else."""
    return _known.get(id(value)) if isinstance(value, np.ndarray) else None
