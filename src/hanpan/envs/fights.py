"""Drop-ins for the environments of the package `fights`: whatever a game's own fights.py offers, under the names used there.

from hanpan.envs.fights import PuoriborEnv
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from hanpan.game import games, rulebook


def _offered() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in games():
        module = f"{rulebook(name).package}.fights"
        if find_spec(module):
            found |= {key: value for key, value in vars(import_module(module)).items() if key.lower().startswith(name)}
    return found


def __getattr__(name: str) -> Any:
    offered = _offered() if not name.startswith("_") else {}
    if name not in offered:
        raise AttributeError(f"hanpan.envs.fights has no {name}; it has {', '.join(sorted(offered))}")
    return offered[name]
