"""Reverse Drop players that count pieces and nothing else: one ply ahead (the original's computer player) or three, by alpha-beta.

Of equally good actions they take one at random.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hanpan import State
from hanpan.core.rule import OVER, Rng, rng, rule, shuffle
from hanpan.games.reversedrop import rules, table

MOST_DEPTH = 8
BEYOND = 10_000


class PiecePlayer:
    """Looks so many plies ahead for the most pieces more than the opponent; finished games count like all others."""

    def __init__(self, depth: int, seed: int = 0) -> None:
        self.seed, self._depth = seed, depth
        self._stack = np.zeros(MOST_DEPTH + 1, rules.State)
        self._actions = np.zeros((MOST_DEPTH + 1, rules.MOST_LEGAL), np.int32)
        self._loop = np.zeros((MOST_DEPTH + 1, 5), np.int64)

    def choose(self, state: State, seconds: float | None = None) -> str:
        """Its action. It takes the time it takes."""
        self._stack[0] = state.record[0]
        dice = rng(self.seed, int(self._stack[0]["plies"]) + 1)
        action = _best(self._stack, self._actions, self._loop, self._depth, dice)
        return str(state.game.book.text.format_action(self._stack[0], int(action)))


class Greedy(PiecePlayer):
    """One ply ahead, as the original plays."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(1, seed)


class ThreePly(PiecePlayer):
    """Three plies ahead."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(3, seed)


_N, _I, _BEST, _ALPHA, _BETA = range(5)  # places in a row of `loop`


@rule
def _best(stack: Any, actions: Any, loop: Any, depth: int, dice: Rng) -> int:
    """The best action of the position stack[0]. A loop in place of recursion, which can't be kept on disk."""
    ply, found = 0, -1
    loop[0, _N], loop[0, _I], loop[0, _BEST], loop[0, _ALPHA], loop[0, _BETA] = rules.legal(stack[0], actions[0]), 0, -BEYOND, -BEYOND, BEYOND
    shuffle(dice, actions[0], loop[0, _N])  # so the first best is any of the best
    while True:
        if loop[ply, _I] < loop[ply, _N] and loop[ply, _ALPHA] < loop[ply, _BETA]:
            stack[ply + 1] = stack[ply]
            rules.apply(stack[ply + 1], actions[ply, loop[ply, _I]])
            if ply + 1 < depth and rules.mover(stack[ply + 1]) != OVER:
                alpha, beta = -loop[ply, _BETA], -loop[ply, _ALPHA]
                ply += 1
                loop[ply, _N], loop[ply, _I], loop[ply, _BEST] = rules.legal(stack[ply], actions[ply]), 0, -BEYOND
                loop[ply, _ALPHA], loop[ply, _BETA] = alpha, beta
                continue
            lead = table.count(stack[ply + 1], 0) - table.count(stack[ply + 1], 1)
            value = lead if rules.mover(stack[ply]) == 0 else -lead
        elif ply == 0:
            return found
        else:
            value = -loop[ply, _BEST]
            ply -= 1
        if value > loop[ply, _BEST]:
            loop[ply, _BEST] = value
            loop[ply, _ALPHA] = max(loop[ply, _ALPHA], value)
            if ply == 0:
                found = int(actions[0, loop[0, _I]])
        loop[ply, _I] += 1
