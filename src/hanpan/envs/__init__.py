"""The research environment: the same rules for learning machines.

batch("kulami", n=4096)    many games at once, on all cores or on a GPU (also Gymnasium's VectorEnv: hanpan.envs.vector)
aec("goita")               PettingZoo's turn-by-turn environment
room(url, token)           a seat at a server's table, against people
hanpan.envs.openspiel      every game for OpenSpiel · hanpan.envs.fights a drop-in for `fights` · hanpan.envs.dataset training sets
"""

from __future__ import annotations

from typing import Any

from hanpan.core.option import Value
from hanpan.envs.batch import Batch, batch
from hanpan.envs.observations import image, image_action, image_seat, observation, symmetries
from hanpan.game import game

__all__ = ["Batch", "aec", "batch", "image", "image_action", "image_seat", "observation", "room", "symmetries"]


def aec(name: str, /, render_mode: str | None = None, **options: Value) -> Any:
    """PettingZoo's environment of a game: see hanpan.envs.table.GameEnv."""
    from hanpan.envs.table import env

    return env(name, render_mode, **game(name, **options).options)


def room(url: str, token: str | None = None, **fields: Any) -> Any:
    """A seat at a server's table: see hanpan.envs.seat.Seat; `room` (an id), `seat`, `password`, `patience`, or a `game` to open a new room."""
    from hanpan.envs.seat import room as sit

    return sit(url, token, **fields)
