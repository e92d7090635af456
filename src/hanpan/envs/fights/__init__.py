"""A drop-in for the package `fights` (0.9.0), module by module: `fights.base` is `hanpan.envs.fights.base`, `fights.envs` is `hanpan.envs.fights.envs`.

from hanpan.envs.fights import BaseAgent, puoribor     one line instead of the two that an agent file begins with
import hanpan.envs.fights.instead                      or this one above them: from there on `fights` means this package
python -m hanpan.envs.fights run a.py b.py             plays two agent files that were written for the original, as they are
"""

from __future__ import annotations

from typing import Any

from hanpan.envs.fights import envs
from hanpan.envs.fights.base import BaseAgent, BaseEnv, BaseState

__version__ = "0.9.0"  # of the interface
__all__ = ["BaseAgent", "BaseEnv", "BaseState", "envs"]


def __getattr__(name: str) -> Any:
    if name.startswith("_") or not hasattr(envs, name):
        raise AttributeError(f"hanpan.envs.fights has no {name}; it has {', '.join(sorted([*__all__, *envs.offered()]))}")
    return getattr(envs, name)
