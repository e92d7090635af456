"""Every game as a Python game of OpenSpiel. Importing this module registers them: pyspiel.load_game("hanpan_goita(target=50)").

What chance decides (a deal, a board) has far too many outcomes to list, so chance chooses among `draws` of them, each drawn from its own seed: with one draw
the game has no chance left, with many it comes as close as one likes. Information states are the texts of views: what that seat may know.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hanpan.core.extras import needed
from hanpan.core.rule import OPEN, hide_nothing, no_chance, rng
from hanpan.envs import observations
from hanpan.game import Game, State, game, games

with needed("hanpan.envs.openspiel", "hanpan[openspiel]"):
    import pyspiel

PREFIX = "hanpan_"
DRAWS = 1000  # outcomes of chance, unless the parameter `draws` says otherwise
_LONGEST = 100_000  # no game we know of gets near it; some have no limit of their own


class _Held:
    """A position that copies of an OpenSpiel state share: positions never change. Actions are numbered from the mover's side, as observations are seen."""

    def __init__(self, state: State) -> None:
        self.state = state
        out = state.game.book.actions_buffer()
        self.legal = sorted(self.turned(int(a)) for a in out[: state.game.book.rules.legal(state.record[0], out)]) if state.seat is not None else []

    def __deepcopy__(self, memo: Any) -> _Held:
        return self

    def turned(self, action: int) -> int:
        """An action's number from the mover's side, or the action that has that number there."""
        return int(observations.seen_action(self.state.game.name)(self.state.record[0], self.state.seat, action))

    def played(self, action: int) -> _Held:
        record = self.state.record
        self.state.game.book.rules.apply(record[0], self.turned(action))
        return _Held(State(self.state.game, record, OPEN))

    def drawn(self, outcome: int, times: int) -> _Held:
        record = self.state.record
        self.state.game.book.rules.chance(record[0], rng(outcome, times))
        return _Held(State(self.state.game, record, OPEN))


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A position for OpenSpiel."""

    def __init__(self, table: SpielGame) -> None:
        super().__init__(table)
        self._held, self._draws, self._chances = _Held(table.table.start()), table.draws, 0

    @property
    def position(self) -> State:
        """The position itself."""
        return self._held.state

    def current_player(self) -> int:
        """Who acts."""
        if self.position.over:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if self.position.chance else int(self.position.seat or 0)

    def _legal_actions(self, player: int) -> list[int]:
        return self._held.legal if player == self.position.seat else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The seeds that chance chooses among, all equally likely."""
        return [(outcome, 1 / self._draws) for outcome in range(self._draws)]

    def _apply_action(self, action: int) -> None:
        if action not in (range(self._draws) if self.position.chance else self._held.legal):
            raise ValueError(f"action: {action} is not legal here")
        if self.position.chance:
            self._held = self._held.drawn(int(action), self._chances)
            self._chances += 1
        else:
            self._held = self._held.played(int(action))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"seed {action}"
        if action not in self._held.legal:
            return f"action {action}"
        return str(self.position.game.book.text.format_action(self.position.record[0], self._held.turned(action)))

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.position.over

    def returns(self) -> list[float]:
        """1 for winners; the others lose as much together."""
        return observations.rewards(self.position.winner, self.position.game.seats)

    def information_state_string(self, player: int | None = None) -> str:
        """What a seat may know, as text."""
        seat = self.position.seat if player is None else player
        return f"seat {seat}: {self.position.view(seat)}"

    def observation_string(self, player: int | None = None) -> str:
        """The same: a view forgets nothing that still matters."""
        return self.information_state_string(player)

    def resample_from_infostate(self, player_id: int, probability_sampler: Any) -> SpielState:
        """A state that looks the same to this player, the rest filled by a consistent guess."""
        copy: SpielState = self.clone()
        copy._held = _Held(self.position.view(player_id).imagine(int(probability_sampler() * (1 << 31))))
        return copy

    def __str__(self) -> str:
        return str(self.position)


class Observer:
    """OpenSpiel's observer: the planes of `hanpan.envs.observation`, as a flat tensor of floats."""

    def __init__(self, table: Game) -> None:
        size = observations.shape(table)
        self.tensor = np.zeros(int(np.prod(size)), np.float32)
        self.dict = {"planes": self.tensor.reshape(size)}

    def set_from(self, state: SpielState, player: int) -> None:
        """See the position as a player does."""
        self.dict["planes"][:] = observations.observation(state.position, player)

    def string_from(self, state: SpielState, player: int) -> str:
        """The same as text."""
        return state.information_state_string(player)


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game with its options for OpenSpiel."""

    kind: Any
    name: str

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        chosen = dict(params or {})
        self.draws = int(chosen.pop("draws", DRAWS))
        if self.draws < 1:
            raise ValueError(f"draws: {self.draws} is not a number of outcomes")
        self.table = game(self.name, **chosen)
        info = pyspiel.GameInfo(
            num_distinct_actions=observations.actions(self.table),
            max_chance_outcomes=self.draws,
            num_players=self.table.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=_LONGEST,
        )
        super().__init__(self.kind, info, params or {})

    def __reduce__(self) -> Any:
        return _load, (str(self),)

    def new_initial_state(self) -> SpielState:
        """The very first position."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """See Observer."""
        return Observer(self.table)


def _load(text: str) -> Any:
    """A game by its name and parameters; importing this has made it known."""
    return pyspiel.load_game(text)


def register() -> None:
    """Make every game known to pyspiel as hanpan_<game>."""
    for name in games():
        table = game(name)
        rules = table.book.rules
        chance, information = pyspiel.GameType.ChanceMode, pyspiel.GameType.Information
        kind = pyspiel.GameType(
            short_name=PREFIX + name,
            long_name=f"Hanpan {name}",
            dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
            chance_mode=chance.DETERMINISTIC if rules.chance is no_chance else chance.EXPLICIT_STOCHASTIC,
            information=information.PERFECT_INFORMATION if rules.hide is hide_nothing else information.IMPERFECT_INFORMATION,
            utility=pyspiel.GameType.Utility.ZERO_SUM,
            reward_model=pyspiel.GameType.RewardModel.TERMINAL,
            max_num_players=rules.MOST_SEATS,
            min_num_players=2,
            provides_information_state_string=True,
            provides_information_state_tensor=False,
            provides_observation_string=True,
            provides_observation_tensor=True,
            parameter_specification={**{option.name: option.default for option in table.book.options}, "draws": DRAWS},
        )
        if PREFIX + name not in pyspiel.registered_names():
            pyspiel.register_game(kind, type(name.title(), (SpielGame,), {"kind": kind, "name": name}))


register()
