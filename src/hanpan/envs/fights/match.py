"""Agent files that were written for `fights`, and games between them."""

from __future__ import annotations

import inspect
import random
import runpy
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from hanpan.core.reading import quoted
from hanpan.envs.fights.envs import resolve

MOST_PLIES = 1000


@dataclass(frozen=True)
class AgentFile:
    """A file with an agent's class: FILE.py, or FILE.py:CLASS where there are several."""

    name: str
    agent: type[Any]
    env_id: tuple[str, int]

    def __str__(self) -> str:
        return self.name

    def make(self, agent_id: int, seed: int) -> Any:
        """An agent for one game; one that takes a seed gets it."""
        takes = inspect.signature(self.agent).parameters
        more = {"seed": seed} if "seed" in takes or any(taken.kind is taken.VAR_KEYWORD for taken in takes.values()) else {}
        try:
            return self.agent(agent_id, **more)
        except (Exception, SystemExit) as wrong:
            raise ValueError(f"{self}: {self.agent.__name__}({agent_id}) could not be made: {_said(wrong)}") from wrong


def read_agent(text: str) -> AgentFile:
    """The agent in a file. ValueError says what is wrong with it. `fights` means `hanpan.envs.fights` there."""
    import hanpan.envs.fights.instead  # noqa: F401

    name, _, wanted = text.partition(":") if ".py:" in text else (text, "", "")
    path = Path(name)
    if not path.is_file():
        raise ValueError(f"{text}: there is no such file")
    sys.path.insert(0, str(path.resolve().parent))  # as if the file had been started itself
    try:
        found = runpy.run_path(str(path), run_name=path.stem)
    except (Exception, SystemExit) as wrong:
        raise ValueError(f"{text}: can't be loaded: {_said(wrong)}") from wrong
    finally:
        sys.path.pop(0)
    agents = {
        key: value
        for key, value in found.items()
        if isinstance(value, type) and value.__module__ == path.stem and hasattr(value, "env_id") and callable(getattr(value, "__call__", None))  # noqa: B004
    }
    if wanted:
        agents = {key: value for key, value in agents.items() if key == wanted}
    if len(agents) != 1:
        several = f"there are several agents in it, name one: {', '.join(f'{name}:{key}' for key in agents)}"
        raise ValueError(f"{text}: " + (several if agents else f"there is no agent {wanted and wanted + ' '}in it (a class with env_id and __call__)"))
    agent = next(iter(agents.values()))
    missing = sorted(getattr(agent, "__abstractmethods__", ()))
    if missing:
        raise ValueError(f"{text}: {agent.__name__} has no {', '.join(missing)}")
    env_id = agent.env_id
    if not isinstance(env_id, tuple) or len(env_id) != 2 or not isinstance(env_id[0], str):
        raise ValueError(f"{text}: env_id: {quoted(env_id)} is not (name, version)")
    try:
        env: Any = resolve(env_id[0])[0]
    except ValueError as wrong:
        raise ValueError(f"{text}: env_id: {wrong}") from None
    if env_id != env.env_id:
        raise ValueError(f"{text}: env_id: {env_id!r} is another version; this is {env.env_id!r}")
    return AgentFile(text, agent, env_id)


@dataclass
class Finished:
    """A game: who was agent 0 and agent 1, which of them won (None: neither within the plies allowed), and every step as the original logs it."""

    agents: tuple[str, str]
    winner: int | None = None
    plies: int = 0
    log: list[dict[str, Any]] = field(default_factory=list)


def play(first: AgentFile, second: AgentFile, seed: int, most: int = MOST_PLIES, shown: Callable[[Any], None] = lambda state: None) -> Finished:
    """One game; `first` is agent 0. ValueError names the agent that failed or did what is not allowed."""
    if first.env_id != second.env_id:
        raise ValueError(f"{first} plays {first.env_id!r}, {second} plays {second.env_id!r}")
    random.seed(seed)
    np.random.seed(seed % (1 << 32))  # agents may draw from these
    env: Any = resolve(first.env_id[0])[0]()
    files = (first, second)
    agents = [file.make(number, 2 * seed + number) for number, file in enumerate(files)]
    game = Finished((str(first), str(second)))
    state = env.initialize_state()
    game.log.append({"state": state.to_dict(), "action": None, "agent_id": None})
    shown(state)
    while not state.done and game.plies < most:
        number = game.plies % 2
        where = f"{files[number]}: ply {game.plies + 1}"
        try:
            action = agents[number](state)
        except (Exception, SystemExit) as wrong:
            raise ValueError(f"{where}: the agent failed: {_said(wrong)}") from wrong
        try:
            state = env.step(state, number, action)
            plain = np.asarray(action).tolist()
        except (ValueError, TypeError, OverflowError) as wrong:
            raise ValueError(f"{where}: {quoted(action)} is not allowed: {wrong}") from None
        game.plies += 1
        game.log.append({"state": state.to_dict(), "action": plain, "agent_id": number})
        shown(state)
    game.winner = (game.plies - 1) % 2 if state.done else None
    return game


def _said(wrong: BaseException) -> str:
    """An error in one line, and where in whose file it was."""
    frames = traceback.extract_tb(wrong.__traceback__)
    own = [frame for frame in frames if frame.filename not in (__file__, runpy.__file__) and not frame.filename.startswith("<frozen ")]
    where = f" ({Path(own[-1].filename).name}, line {own[-1].lineno})" if own else ""
    return f"{type(wrong).__name__}: {str(wrong)[:200] or 'nothing said'}{where}"
