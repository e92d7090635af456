"""Many games at once: arrays in, arrays out, no Python for a single game."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from hanpan.bots.workers import all_cores
from hanpan.core.option import Value
from hanpan.core.planes import words
from hanpan.core.reading import number_in, quoted
from hanpan.core.rule import seed_key
from hanpan.envs import observations
from hanpan.game import Game, game

_DICE = 1 << 40  # streams of random numbers from here on choose actions; the ones below are the games' own chance

_MOST_GAMES = (1 << 31) - 1
_MOST_THREADS = 1024
_MADE_OF = ("game", "n", "check", "device", "_threads")
_STANDS = ("states", "turn", "rewards", "_scores", "done", "refused", "packed_legal", "packed_planes", "levels", "_rng", "_dice")  # what steps change


class Machine(Protocol):
    """What runs a batch: the processor or a GPU."""

    def array(self, filled: Any) -> Any:
        """An array that this machine works on."""

    def words(self, states: Any) -> Any:
        """The memory of records as words [n, words]."""

    def actions(self, given: Any, into: Any) -> Any:
        """The actions of a step as this machine needs them."""

    def begin(self, n: int, *arrays: Any) -> None:
        """Begin all games."""

    def step(self, n: int, *arrays: Any) -> Any:
        """Play one action in all games; how many were refused."""

    def look(self, n: int, *arrays: Any) -> None:
        """Pack what the movers see."""

    def choose(self, n: int, *arrays: Any) -> None:
        """Random legal actions."""

    def spread(self, bits: Any, level: Any, out: Any) -> None:
        """Unpack rows of bits."""


def keys(seed: int, first: int, n: int) -> Any:
    """What `rng(seed, stream)` gives for the streams first … first + n − 1, as rows.

    >>> from hanpan.core.rule import rng
    >>> bool((keys(7, 3, 2)[1] == rng(7, 4)).all())
    True
    """
    start = (seed_key(seed) + first * 0xD1B54A32D192ED03) & ((1 << 64) - 1)
    mixed = np.arange(n, dtype=np.uint64) * np.uint64(0xD1B54A32D192ED03) + np.uint64(start)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    mixed ^= mixed >> np.uint64(31)
    result = np.zeros((n, 3), np.int64)
    result[:, 0] = mixed & np.uint64(0xFFFFFFFF)
    result[:, 1] = mixed >> np.uint64(32)
    return result


class Batch:
    """n games of one kind, stepped together. Arrays stay where they are: read them before the next step, or copy them.

    turn     int8 [n]            the seat to act in each game
    rewards  float32 [n, seats]  1 for winners of the game that the last step ended, less for losers (the sum is 0), else 0
    done     uint8 [n]           1 where the last step ended a game; a new one has begun there already
    scores   int32 [n, seats]    of each game's last finished game
    refused  uint8 [n]           1 where the last action was not legal: nothing was played there

    Actions are numbers below `actions`, observations uint8 planes of `shape`; both are seen from the mover's side. What chance decides in game i comes from
    the seed and i alone, so a game does not depend on how many others there are, on threads or on the machine.

    >>> env = batch("kulami", n=4, seed=1)
    >>> env.observe().shape, env.legal_mask().sum(axis=1).tolist()
    ((4, 14, 10, 10), [64, 64, 64, 64])
    >>> env.step([35, 35, 44, 45]).turn.tolist()
    [1, 1, 1, 1]
    """

    def __init__(self, table: Game, n: int = 4096, seed: int = 0, device: str = "cpu", threads: int = 0, check: bool = True) -> None:
        if number_in(n, 1, _MOST_GAMES) is None:
            raise ValueError(f"n: {quoted(n)} is not a number of games from 1 to {_MOST_GAMES}")
        if number_in(threads, 0, _MOST_THREADS) is None:
            raise ValueError(f"threads: {quoted(threads)} is not in 0…{_MOST_THREADS}")
        self.game, self.n, self.check, self.device, self._threads = table, int(n), check, device, int(threads)
        self._make()
        self._tie()
        self.reset(seed)

    def _make(self) -> None:
        """The machine and the arrays that it works on."""
        table, n = self.game, self.n
        self._machine = _machine(self.device, table, self._threads)
        rules = table.book.rules
        self.actions = observations.actions(table)
        self.shape = observations.shape(table)
        self.seats = table.seats
        put, cells = self._machine.array, self.shape[1] * self.shape[2]
        self._first = put(table.start().record)
        self.states = put(np.zeros(n, rules.State))
        self._scratch = put(np.zeros(n, rules.State))
        self.turn = put(np.zeros(n, np.int8))
        self.rewards = put(np.zeros((n, self.seats), np.float32))
        self._scores = put(np.zeros((n, rules.MOST_SEATS), np.int32))  # rules may write as many
        self.done = put(np.zeros(n, np.uint8))
        self.refused = put(np.zeros(n, np.uint8))
        self.packed_legal = put(np.zeros((n, words(self.actions)), np.uint32))
        self.packed_planes = put(np.zeros((n, self.shape[0], words(cells)), np.uint32))
        self.levels = put(np.ones((n, self.shape[0]), np.uint8))
        self._ones = put(np.ones(n, np.uint8))
        self._mask = put(np.zeros((n, self.actions), np.uint8))
        self._planes = put(np.zeros((n, *self.shape), np.uint8))
        self._actions = put(np.zeros(n, np.int32))
        self._chosen = put(np.zeros(n, np.int32))

    def _tie(self) -> None:
        """Other ways to look at the same memory."""
        rows, cells = self.n * self.shape[0], self.shape[1] * self.shape[2]
        self.scores = self._scores[:, : self.seats]
        self._raw = self._machine.words(self._scratch)
        self._flat = (self.packed_planes.reshape(rows, words(cells)), self.levels.reshape(rows), self._planes.reshape(rows, cells))

    def __getstate__(self) -> dict[str, Any]:
        """What a copy, or a file that it is pickled to, needs to go on from here: the rest is made anew."""
        return {name: getattr(self, name) for name in _MADE_OF} | {name: np.array(self._host(getattr(self, name))) for name in _STANDS}

    def __setstate__(self, held: dict[str, Any]) -> None:
        for name in _MADE_OF:
            setattr(self, name, held[name])
        self._make()
        for name in _STANDS:
            setattr(self, name, self._machine.array(held[name]))
        self._tie()

    def reset(self, seed: int = 0) -> Batch:
        """Begin all games anew; what chance decides in them is drawn from the seed."""
        put = self._machine.array
        self._rng, self._dice = put(keys(seed, 0, self.n)), put(keys(seed, _DICE, self.n))
        self._machine.begin(self.n, self._first, self.states, self._rng, self.turn, self.packed_legal, self.rewards, self.done, self.refused)
        if self._host(self.turn).min() < 0:
            raise ValueError(f"{self.game!r}: these games end before anyone can act")
        return self

    def _host(self, array: Any) -> Any:
        return array if self.device == "cpu" else array.copy_to_host()

    def step(self, actions: Any) -> Batch:
        """Play one action in every game. ValueError if these are not n whole numbers or, with `check`, if any is not legal: nothing is played there."""
        given = self._machine.actions(actions, self._actions)
        wrong = self._machine.step(
            self.n,
            self._first,
            self.states,
            given,
            self.actions,
            self._rng,
            self.turn,
            self.packed_legal,
            self.rewards,
            self._scores,
            self.done,
            self.refused,
        )
        refused = int(wrong) if self.check else 0
        if refused > 0:
            i = int(np.flatnonzero(self._host(self.refused))[0])
            raise ValueError(f"actions: {int(actions[i])} is not legal in game {i} ({refused} of {self.n} were refused)")
        return self

    def legal_mask(self) -> Any:
        """uint8 [n, actions]: 1 for every action that the mover may choose."""
        self._machine.spread(self.packed_legal, self._ones, self._mask)
        return self._mask

    def observe(self) -> Any:
        """uint8 [n, planes, rows, columns]: what each mover sees."""
        self._machine.look(self.n, self.states, self._scratch, self._raw, self.turn, self.packed_planes, self.levels)
        self._machine.spread(*self._flat)
        return self._planes

    def random_actions(self) -> Any:
        """int32 [n]: a uniformly random legal action for each game, from random numbers of its own that go on from call to call."""
        self._machine.choose(self.n, self.packed_legal, self._dice, self._chosen)
        return self._chosen

    def __repr__(self) -> str:
        return f"<{self.n} × {self.game!r} on {self.device}>"


def _machine(device: str, table: Game, threads: int) -> Machine:
    if device == "cpu":
        from hanpan.envs.cpu import Cpu

        return Cpu(table, threads or all_cores())
    if device == "cuda":
        from hanpan.envs.cuda import Cuda

        return Cuda(table)
    raise ValueError(f"device: {quoted(device)} is neither cpu nor cuda")


def batch(name: str, /, n: int = 4096, seed: int = 0, device: str = "cpu", threads: int = 0, check: bool = True, **options: Value) -> Batch:
    """n games of one kind, stepped together: see Batch."""
    return Batch(game(name, **options), n, seed, device, threads, check)
