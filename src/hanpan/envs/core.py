"""One game of a batch, one step: the part that every kind of machine runs. Everything here works on game i of arrays of n games.

states    [n] records             turn     int8 [n]           the seat to act
rng       int64 [n, 3]            legal    uint32 [n, words]  the mask of legal actions, packed
reward    float32 [n, seats]      scores   int32 [n, seats]   of the game that ended last
done      uint8 [n]               refused  uint8 [n]          the action given was not legal: nothing was played
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from hanpan.core.rule import CHANCE, OVER, below, bits, rule
from hanpan.envs.observations import look, mark_legal, seen_action
from hanpan.rulebook import rulebook

_TRIES = 1000
_INT32 = np.dtype(np.int32)


class Core(NamedTuple):
    """The compiled parts of one game."""

    begin: Any  # (first, states, i, out, rng, turn, legal, reward, done, refused)
    step: Any  # (first, states, i, actions, limit, out, rng, turn, legal, reward, scores, done, refused)
    look: Any  # see observations.look
    open: Any  # (first, states, i, out, rng, turn, legal): one game begins
    act: Any  # (states, i, a, limit, out, rng, turn, legal): one action, and no new game after the last; whether it was legal


def whole_numbers(array: Any, n: int) -> Any:
    """The array itself, on whichever machine it is, if it holds so many whole numbers: others would be cut, or spread over all games."""
    if array.dtype.kind not in "iu" or array.shape != (n,):
        raise ValueError(f"actions: {array.dtype} {list(array.shape)} is given, and whole numbers [{n}] are needed")
    return array


def narrow(given: Any, n: int) -> Any:
    """The actions of a step as int32 [n]: −1, which is never legal, for a number that this can't hold."""
    wide = whole_numbers(np.asarray(given), n)
    if wide.dtype == _INT32:
        return wide
    made = wide.astype(_INT32)
    np.copyto(made, -1, where=made != wide)
    return made


@rule
def choose(i: int, legal: Any, dice: Any, actions: Any) -> None:
    """A uniformly random legal action of game i. Even where most words are empty, counting them is cheaper than guessing which are."""
    total = 0
    for word in range(legal.shape[1]):
        total += bits(int(legal[i, word] & 0xFFFFFFFF))
    left = below(dice[i], total)
    word, here = -1, 0
    while left >= here:
        left -= here
        word += 1
        here = bits(int(legal[i, word] & 0xFFFFFFFF))
    held = int(legal[i, word] & 0xFFFFFFFF)
    for _ in range(left):
        held &= held - 1
    actions[i] = 32 * word + bits((held & -held) - 1)


@cache
def core(name: str) -> Core:
    """The compiled parts of a game."""
    rules = rulebook(name).rules
    mover, apply, chance, outcome, seats = rules.mover, rules.apply, rules.chance, rules.outcome, rules.seats
    seen, fill = seen_action(name), mark_legal(name)

    @rule
    def mark(states: Any, i: int, out: Any, turn: Any, legal: Any) -> None:
        """Pack the legal actions, numbered from the mover's side."""
        who = mover(states[i])
        turn[i] = who
        for word in range(legal.shape[1]):
            legal[i, word] = 0
        fill(states, i, who, out, legal)

    @rule
    def settle(states: Any, i: int, rng: Any) -> Any:
        """Let chance act until a seat is to act or the game is over."""
        who = mover(states[i])
        while who == CHANCE:
            chance(states[i], rng[i])
            who = mover(states[i])
        return who

    @rule
    def begin(first: Any, states: Any, i: int, out: Any, rng: Any, turn: Any, legal: Any) -> None:
        """A new game. One that ends before anyone acts (by its deal, say) is left out; it stays OVER where there seems to be no other."""
        states[i] = first[0]
        tries = 1
        while settle(states, i, rng) == OVER and tries < _TRIES:
            states[i] = first[0]
            tries += 1
        mark(states, i, out, turn, legal)

    @rule
    def reset(first: Any, states: Any, i: int, out: Any, rng: Any, turn: Any, legal: Any, reward: Any, done: Any, refused: Any) -> None:
        """A new game, as if nothing had been before."""
        done[i] = 0
        refused[i] = 0
        for seat in range(reward.shape[1]):
            reward[i, seat] = 0.0
        begin(first, states, i, out, rng, turn, legal)

    @rule
    def reckon(states: Any, i: int, reward: Any, scores: Any) -> None:
        """Winners get 1, the others together lose as much; nobody gets anything for a draw."""
        winners = outcome(states[i], scores[i])
        n = seats(states[i])
        won = 0
        for seat in range(n):
            won += (winners >> seat) & 1
        if 0 < won < n:
            for seat in range(n):
                reward[i, seat] = 1.0 if (winners >> seat) & 1 != 0 else -won / (n - won)

    @rule
    def allowed(i: int, a: int, limit: int, legal: Any) -> bool:
        """Whether an action is in the mask."""
        return 0 <= a < limit and (int(legal[i, a >> 5] & 0xFFFFFFFF) >> (a & 31)) & 1 != 0

    @rule
    def move(states: Any, i: int, a: int, rng: Any, turn: Any) -> Any:
        """The mover's action, and chance; who is to act then."""
        apply(states[i], seen(states[i], int(turn[i]), a))
        return settle(states, i, rng)

    @rule
    def act(states: Any, i: int, a: int, limit: int, out: Any, rng: Any, turn: Any, legal: Any) -> bool:
        """Play one action; the game may be over then."""
        if not allowed(i, a, limit, legal):
            return False
        move(states, i, a, rng, turn)
        mark(states, i, out, turn, legal)
        return True

    @rule
    def step(
        first: Any,
        states: Any,
        i: int,
        actions: Any,
        limit: int,
        out: Any,
        rng: Any,
        turn: Any,
        legal: Any,
        reward: Any,
        scores: Any,
        done: Any,
        refused: Any,
    ) -> None:
        """Play one action; a game that ends is reckoned and begins again."""
        a = int(actions[i])
        if done[i] != 0:
            done[i] = 0
            for seat in range(reward.shape[1]):
                reward[i, seat] = 0.0
        if not allowed(i, a, limit, legal):
            refused[i] = 1
            return
        refused[i] = 0
        if move(states, i, a, rng, turn) == OVER:
            done[i] = 1
            reckon(states, i, reward, scores)
            begin(first, states, i, out, rng, turn, legal)
        else:
            mark(states, i, out, turn, legal)

    return Core(reset, step, look(name), begin, act)
