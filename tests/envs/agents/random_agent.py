"""An agent written for the original: it tries every action, as its examples do, and takes one of those that went through."""

import numpy as np
from fights.base import BaseAgent
from fights.envs import puoribor


class RandomAgent(BaseAgent):
    env_id = ("puoribor", 3)

    def __init__(self, agent_id: int, seed: int = 0) -> None:
        self.agent_id = agent_id
        self._rng = np.random.default_rng(seed)

    def _all_actions(self, state: puoribor.PuoriborState):
        actions = []
        for kind in range(4):
            for x in range(puoribor.PuoriborEnv.board_size):
                for y in range(puoribor.PuoriborEnv.board_size):
                    try:
                        puoribor.PuoriborEnv().step(state, self.agent_id, [kind, x, y])
                    except ValueError:
                        continue
                    actions.append([kind, x, y])
        return actions

    def __call__(self, state: puoribor.PuoriborState) -> puoribor.PuoriborAction:
        return self._rng.choice(self._all_actions(state))
