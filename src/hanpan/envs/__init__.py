"""The research environment: the same rules for learning machines.

batch("kulami", n=4096)    many games at once, on all cores or on a GPU (also Gymnasium's VectorEnv: hanpan.envs.vector)
aec("goita")               PettingZoo's turn-by-turn environment
"""

from __future__ import annotations

from typing import Any

from hanpan.envs.batch import Batch, batch
from hanpan.envs.outlook import image, image_action, image_seat, observation, symmetries
from hanpan.option import Value

__all__ = ["Batch", "aec", "batch", "image", "image_action", "image_seat", "observation", "symmetries"]


def aec(name: str, render_mode: str | None = None, **options: Value) -> Any:
    """PettingZoo's environment of a game: see hanpan.envs.table.Table."""
    from hanpan.envs.table import env

    return env(name, render_mode, **options)
