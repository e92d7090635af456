"""PettingZoo's turn-by-turn environment (AEC) over any game. Importing this module registers them: pettingzoo.make("aec", "hanpan/kulami-v0")."""

from __future__ import annotations

from typing import Any

import numpy as np

from hanpan.core.extras import needed
from hanpan.core.option import Value
from hanpan.core.planes import unpack_bits, words
from hanpan.core.reading import number_in, quoted
from hanpan.core.rule import OPEN, OVER, rng
from hanpan.envs import observations
from hanpan.envs.core import core
from hanpan.envs.picture import rgb_array
from hanpan.game import Game, State, game, games

with needed("hanpan.envs.aec", "hanpan[envs]"):
    import pettingzoo
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers

MODES = ["human", "ansi", "svg", "rgb_array"]


class GameEnv(AECEnv[str, Any, Any]):  # type: ignore[misc]
    """One game as an AEC environment.

    Agents are `seat_0`, `seat_1` … An observation is {"observation": uint8 [planes, rows, columns], "action_mask": int8 [actions]} from that seat's side and
    of what it may know; the mask is empty when it is not the seat's turn. Actions are numbered from the mover's side, too. At the end winners get 1 and
    the others lose as much together; a draw gives nothing. What chance decides is drawn from the seed of `reset`.
    """

    def __init__(self, table: Game, render_mode: str | None = None) -> None:
        super().__init__()
        if render_mode is not None and render_mode not in MODES:
            raise ValueError(f"render_mode: {quoted(render_mode)} is not one of {', '.join(MODES)}")
        self.metadata = {"render_modes": MODES, "name": f"{table.name}_v0", "is_parallelizable": False, "render_fps": 2}
        self.render_mode, self.game, self._rules = render_mode, table, table.book.rules
        self.possible_agents = [f"seat_{seat}" for seat in range(table.seats)]
        self._shape, self._actions = observations.shape(table), observations.actions(table)
        seen = spaces.Box(0, 255, self._shape, np.uint8)
        mask = spaces.Box(0, 1, (self._actions,), np.int8)
        self.observation_spaces = {agent: spaces.Dict({"observation": seen, "action_mask": mask}) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(self._actions) for agent in self.possible_agents}
        self._core = core(table.name)
        self._first, self._s, self._scratch = (table.start().record for _ in range(3))
        self._bits = np.zeros((1, self._shape[0], words(self._shape[1] * self._shape[2])), np.uint32)
        self._level = np.ones((1, self._shape[0]), np.uint8)
        self._out, self._scores = table.book.actions_buffer(), table.book.scores_buffer()
        self._turn, self._legal = np.full(1, OVER, np.int8), np.zeros((1, words(self._actions)), np.uint32)
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._chance: Any = None

    def observation_space(self, agent: str) -> Any:
        """What an agent can see."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """What an agent can do."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game. Without a seed chance goes on from where it was (at first from a new seed)."""
        if seed is not None or self._chance is None:
            self._chance = rng(int(np.random.SeedSequence().generate_state(1)[0]) if seed is None else seed).reshape(1, -1)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._core.open(self._first, self._s, 0, self._out, self._chance, self._turn, self._legal)
        if self._turn[0] == OVER:
            raise ValueError(f"{self.game!r}: these games end before anyone can act")
        self.agent_selection = self.possible_agents[self._turn[0]]

    @property
    def state_now(self) -> State:
        """The whole position, with everybody's secrets."""
        return State(self.game, self._s.copy(), OPEN)

    def observe(self, agent: str) -> Any:
        """What an agent sees, and which actions it may choose now."""
        seat = self._seats[agent]
        raw = self._scratch.view(np.uint32).reshape(1, -1)  # not kept: a copy of this table would look at another memory
        self._core.look(self._s, self._scratch, raw, 0, seat, self._bits, self._level)
        mine = self._turn[0] == seat and not self.terminations.get(agent, True)
        mask = unpack_bits(self._legal[0], self._actions).view(np.int8) if mine else np.zeros(self._actions, np.int8)
        return {"observation": observations.unpack(self._bits, self._level, self._shape)[0], "action_mask": mask}

    def step(self, action: Any) -> None:
        """Play an action of the agent to act (None for one that has ended)."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        number = number_in(action, 0, self._actions - 1)
        if number is None or not self._core.act(self._s, 0, number, self._actions, self._out, self._chance, self._turn, self._legal):
            raise ValueError(f"action: {quoted(action)} is not legal for {agent} here")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if self._turn[0] == OVER:
            self._reckon()
        else:
            self.agent_selection = self.possible_agents[self._turn[0]]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _reckon(self) -> None:
        winners = int(self._rules.outcome(self._s[0], self._scores))
        won = [seat for seat in range(self.game.seats) if winners >> seat & 1]
        self.rewards = dict(zip(self.possible_agents, observations.rewards(won, self.game.seats), strict=True))
        self.terminations = dict.fromkeys(self.possible_agents, True)

    def render(self) -> Any:
        """The position as it is: printed (human), as text (ansi), as a picture (svg) or as uint8 [height, width, 3] (rgb_array)."""
        if self.render_mode is None:
            return None
        state = self.state_now
        if self.render_mode == "human":
            print(state.ascii())
            return None
        if self.render_mode == "ansi":
            return state.ascii()
        return state.svg("light") if self.render_mode == "svg" else rgb_array(state.svg("light"))

    def close(self) -> None:
        """Nothing is kept open."""


def raw_env(name: str, render_mode: str | None = None, **options: Value) -> GameEnv:
    """The bare environment: an illegal action is a ValueError."""
    return GameEnv(game(name, **options), render_mode)


def env(name: str, render_mode: str | None = None, **options: Value) -> Any:
    """The environment in PettingZoo's usual wrappers: who acts illegally loses."""
    bare = raw_env(name, render_mode, **options)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrappers.TerminateIllegalWrapper(bare, illegal_reward=-1)))


def register() -> None:
    """Tell PettingZoo the names of all games."""
    for name in games():
        if f"hanpan/{name}-v0" not in pettingzoo.aec_registry:
            pettingzoo.register("aec", f"hanpan/{name}-v0", "hanpan.envs.table:env", kwargs={"name": name})


register()
