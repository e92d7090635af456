"""An agent written for the original that runs for its goal: by the shortest way, and never builds."""

from collections import deque

import fights
from fights.envs import PuoriborEnv, PuoriborState, resolve


class RunningAgent(fights.base.BaseAgent):
    env_id = ("puoribor", 3)

    def __init__(self, agent_id):
        self.agent_id = agent_id
        assert resolve("puoribor") == (PuoriborEnv, PuoriborState)
        self.env = PuoriborEnv()
        assert isinstance(self.env, fights.base.BaseEnv)

    def distance(self, state):
        goal = 8 if self.agent_id == 0 else 0
        x, y = next(zip(*state.board[self.agent_id].nonzero(), strict=True))
        steps, waiting = {(x, y): 0}, deque([(x, y)])
        while waiting:
            x, y = waiting.popleft()
            if y == goal:
                return steps[x, y]
            for (nx, ny), wall in (
                ((x, y + 1), state.board[2, x, y]),
                ((x, y - 1), state.board[2, x, y - 1] if y else 1),
                ((x + 1, y), state.board[3, x, y]),
                ((x - 1, y), state.board[3, x - 1, y] if x else 1),
            ):
                if 0 <= nx < 9 and 0 <= ny < 9 and not wall and (nx, ny) not in steps:
                    steps[nx, ny] = steps[x, y] + 1
                    waiting.append((nx, ny))
        return 99

    def __call__(self, state):
        legal = self.env.legal_actions(state, self.agent_id)[0]
        steps = [[0, int(x), int(y)] for x, y in zip(*legal.nonzero(), strict=True)]
        return min(steps, key=lambda action: self.distance(self.env.step(state, self.agent_id, action)))
