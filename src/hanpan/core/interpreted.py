"""The interpreted twin of a compiled rule, and of every rule it calls."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


def plain(function: F) -> F:
    """The interpreted twin of a rule: the same text, calling the interpreted twins of the rules it calls."""
    return _plain(function, {})  # type: ignore[no-any-return]


def _plain(value: Any, done: dict[int, Any]) -> Any:
    python = getattr(value, "py_func", None)
    if python is None:
        return value
    if id(python) in done:
        return done[id(python)]
    scope: dict[str, Any] = {}
    cells = tuple(types.CellType() for _ in python.__closure__ or ())
    twin = types.FunctionType(python.__code__, scope, python.__name__, python.__defaults__, cells)
    done[id(python)] = twin
    scope.update({name: _plain(known, done) for name, known in python.__globals__.items()})
    for cell, original in zip(cells, python.__closure__ or (), strict=True):
        cell.cell_contents = _plain(original.cell_contents, done)
    return twin
