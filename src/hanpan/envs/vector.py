"""Gymnasium's VectorEnv over a batch. Importing this module registers every game: gymnasium.make_vec("hanpan/kulami-v0", num_envs=64)."""

from __future__ import annotations

from typing import Any

import numpy as np

from hanpan.core.extras import needed
from hanpan.core.option import Value
from hanpan.core.reading import quoted
from hanpan.core.rule import CHANCE, OPEN
from hanpan.envs.batch import Batch
from hanpan.envs.observations import observation, seen_action
from hanpan.game import State, game, games

with needed("hanpan.envs.vector", "hanpan[envs]"):
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space


class VectorTable(VectorEnv[Any, Any, Any]):  # type: ignore[misc]
    """n games, each played by one learner that takes every seat in turn.

    The reward is that of the seat that has just acted; `infos` has the rewards of all seats ("rewards"), the seat to act next ("turn") and
    the final scores of games that ended ("scores"). A game that ends begins again in the same step; how it stood at its end, as the seat that acted
    last sees it, is in "final_obs", its rewards and scores in "final_info".
    """

    def __init__(self, name: str, num_envs: int = 1, threads: int = 0, render_mode: str | None = None, **options: Value) -> None:
        if render_mode is not None:
            raise ValueError(f"render_mode: {quoted(render_mode)} is not known here; draw `batch.states` or use hanpan.envs.aec")
        self.batch = Batch(game(name, **options), num_envs, threads=threads)
        self.num_envs = self.batch.n
        self.metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}
        seen = spaces.Box(0, 255, self.batch.shape, np.uint8)
        self.single_observation_space = spaces.Dict({"observation": seen, "action_mask": spaces.Box(0, 1, (self.batch.actions,), np.uint8)})
        self.single_action_space = spaces.Discrete(self.batch.actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def _observations(self) -> Any:
        return {"observation": self.batch.observe().copy(), "action_mask": self.batch.legal_mask().copy()}

    def reset(self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin all games; game i depends on the seed and i alone."""
        if isinstance(seed, list):
            raise ValueError("seed: give one number; every game has its own random numbers from it")
        super().reset(seed=seed)
        self.batch.reset(int(self.np_random.integers(1 << 31)) if seed is None else seed)
        return self._observations(), {"turn": self.batch.turn.copy()}

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Play one action in every game."""
        acted, before, chance = self.batch.turn.copy(), self.batch.states.copy(), self.batch._rng.copy()
        self.batch.step(actions)
        rewards = self.batch.rewards[np.arange(self.num_envs), acted].astype(np.float64)
        ended = self.batch.done.astype(bool)
        infos = {"rewards": self.batch.rewards.copy(), "turn": self.batch.turn.copy(), "scores": self.batch.scores.copy()}
        for i in np.flatnonzero(ended).tolist():
            final = self._played(before[i : i + 1], int(acted[i]), int(actions[i]), chance[i])
            seen = {"observation": observation(final, int(acted[i])), "action_mask": np.zeros(self.batch.actions, np.uint8)}
            told = {"rewards": infos["rewards"][i], "scores": infos["scores"][i]}
            infos = self._add_info(infos, {"final_obs": seen, "final_info": told}, i)
        return self._observations(), rewards, ended, np.zeros(self.num_envs, bool), infos

    def _played(self, record: Any, seat: int, action: int, chance: Any) -> State:
        """The position that a game ended with: the batch has begun the next one there already."""
        table = self.batch.game
        rules = table.book.rules
        rules.apply(record[0], int(seen_action(table.name)(record[0], seat, action)))
        while rules.mover(record[0]) == CHANCE:
            rules.chance(record[0], chance)
        return State(table, record, OPEN)


def register() -> None:
    """Tell Gymnasium the names of all games."""
    for name in games():
        if f"hanpan/{name}-v0" not in gymnasium.registry:
            gymnasium.register(f"hanpan/{name}-v0", vector_entry_point="hanpan.envs.vector:VectorTable", kwargs={"name": name})


register()
