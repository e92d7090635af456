"""The environments, as in `fights.envs`: a module for every game whose folder brings a fights.py, and the classes in it; `resolve` finds them by name."""

from __future__ import annotations

import sys
from typing import Any

from hanpan.contract import module
from hanpan.core.reading import quoted
from hanpan.envs.fights.base import BaseEnv, BaseState
from hanpan.rulebook import games, package

_resolved: dict[str, tuple[type[Any], type[Any]]] = {}
_offered: dict[str, Any] = {}

for _name in games():
    _module = module(package(_name), "fights")
    if _module is not None:
        sys.modules[f"{__name__}.{_name}"] = _module
        _own = {key: value for key, value in vars(_module).items() if key.lower().startswith(_name)}
        _offered |= {_name: _module, **_own}
        _env, _state = (next(value for key, value in _own.items() if key.endswith(ending)) for ending in ("Env", "State"))
        _resolved[_name] = BaseEnv.register(_env), BaseState.register(_state)  # they can't be derived from what stands above them
globals().update(_offered)


def offered() -> list[str]:
    """The names that are here beside `resolve`."""
    return sorted(_offered)


def resolve(name: str) -> tuple[type[BaseEnv[Any, Any]], type[BaseState]]:
    """The classes of an environment and of its states, by the environment's name."""
    if name not in _resolved:
        raise ValueError(f"environment with name {quoted(name)} not found; there are {', '.join(_resolved)}")
    return _resolved[name]
