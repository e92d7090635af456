"""Kulami's published computer player, re-stated: plain minimax to depth 6 (the first marble of a game: depth 4).

A leaf is worth the own tile points less the opponent's, a finished game ±1000 (a draw 0); of equal actions the first in reading order is taken.
It is here twice: `PlainMinimax` in plain Python, as one writes it, and `CompiledMinimax`, which makes the same choices as machine code.
Neither looks at the finer scores of levels 1 and 2. `InItsTime` is our own computer player, given no more time than the compiled one takes on average.
"""

from __future__ import annotations

import random
import time
from typing import Any

import numpy as np

import hanpan
from hanpan import State
from hanpan.bots.bot import make_searcher
from hanpan.core.rule import OVER, rule
from hanpan.games.kulami import rules, text
from hanpan.games.kulami.frame import CELLS, SIDE

DEPTH, FIRST_DEPTH = 6, 4
WON = 1000
WORST = -10_000


def depth_for(state: State, depth: int) -> int:
    """How far ahead it looks."""
    return min(depth, FIRST_DEPTH) if (state.record[0].left == rules.MARBLES).all() else depth


class PlainMinimax:
    """The player in plain Python, on lists."""

    def __init__(self, depth: int = DEPTH) -> None:
        self.nodes, self._depth = 0, depth

    def choose(self, state: State, seconds: float | None = None) -> str:
        """The first best action. It takes the time it takes."""
        s = state.record[0]
        self._tile = [int(t) - 1 for t in s.tile]
        self._size = [self._tile.count(t) for t in range(rules.TILES)]
        red, black = text.whole(s.marble[0]), text.whole(s.marble[1])
        self._owner = [0 if red >> cell & 1 else 1 if black >> cell & 1 else None for cell in range(CELLS)]
        self._count = [[0, 0] for _ in range(rules.TILES)]
        for cell, owner in enumerate(self._owner):
            if owner is not None:
                self._count[self._tile[cell]][owner] += 1
        self._last, self._left = [int(cell) for cell in s.last], [int(n) for n in s.left]
        seat = int(s.turn)
        best, found = WORST, -1
        for cell in self._targets(seat):
            value = -self._search_after(seat, cell, depth_for(state, self._depth) - 1)
            if value > best:
                best, found = value, cell
        return text.name(found)

    def _targets(self, seat: int) -> list[int]:
        if self._left[seat] == 0:
            return []
        other, own = self._last[1 - seat], self._last[seat]
        empty = [cell for cell in range(CELLS) if self._tile[cell] >= 0 and self._owner[cell] is None] if other < 0 else self._line(other)
        barred = [self._tile[cell] for cell in (other, own) if other >= 0 and cell >= 0]
        return [cell for cell in empty if self._tile[cell] not in barred]

    def _line(self, at: int) -> list[int]:
        """The empty holes in the row and the column of a cell, in reading order."""
        x, y = at % SIDE, at // SIDE
        row, column = range(y * SIDE, y * SIDE + SIDE), range(x, CELLS, SIDE)
        cells = [*column[:y], *row, *column[y + 1 :]]
        return [cell for cell in cells if self._tile[cell] >= 0 and self._owner[cell] is None]

    def _search_after(self, seat: int, cell: int, depth: int) -> int:
        """The value for the other seat once a marble lies in a hole."""
        before, tile = self._last[seat], self._count[self._tile[cell]]
        self._owner[cell] = seat
        self._last[seat] = cell
        self._left[seat] -= 1
        tile[seat] += 1
        value = self._search(1 - seat, depth)
        tile[seat] -= 1
        self._left[seat] += 1
        self._last[seat] = before
        self._owner[cell] = None
        return value

    def _search(self, seat: int, depth: int) -> int:
        self.nodes += 1
        targets = self._targets(seat)
        if depth == 0 or not targets:
            lead = self._lead(seat)
            return lead if targets else WON * ((lead > 0) - (lead < 0))
        best = WORST
        for cell in targets:
            best = max(best, -self._search_after(seat, cell, depth - 1))
        return best

    def _lead(self, seat: int) -> int:
        lead = 0
        for size, count in zip(self._size, self._count, strict=True):
            if count[seat] > count[1 - seat]:
                lead += size
            elif count[seat] < count[1 - seat]:
                lead -= size
        return lead


class CompiledMinimax:
    """The same player as machine code."""

    def __init__(self, depth: int = DEPTH) -> None:
        self.nodes, self._depth = 0, depth
        self._stack = np.zeros(depth + 1, rules.State)
        self._actions = np.zeros((depth + 1, rules.MOST_LEGAL), np.int32)
        self._loop = np.zeros((depth + 1, 3), np.int64)

    def choose(self, state: State, seconds: float | None = None) -> str:
        """The first best action. It takes the time it takes."""
        self._stack[0] = state.record[0]
        cell, nodes = _minimax(self._stack, self._actions, self._loop, depth_for(state, self._depth))
        self.nodes += int(nodes)
        return text.name(int(cell))


def its_time(board: str, games: int = 4) -> float:
    """The processor's seconds a move that the compiled minimax takes on average, in games against itself."""
    minimax, took, moves = CompiledMinimax(), 0.0, 0
    for seed in range(games):
        state, dice = hanpan.game("kulami", board=board).start(seed=seed), random.Random(seed)
        for _ in range(2):
            state = state.play(dice.choice(state.legal()))
        began = time.thread_time()
        while not state.over:
            state = state.play(minimax.choose(state))
            moves += 1
        took += time.thread_time() - began
    return took / moves


class InItsTime:
    """Our own player with so many of the processor's milliseconds for each move.

    They are granted as an amount of work, so that a busy machine does not decide who wins.
    """

    def __init__(self, milliseconds: float) -> None:
        self.seed = 0
        self._searcher, self._each = make_searcher("kulami", 2, 64, 1), milliseconds / 1000
        self._saved, self._rate = 0.0, 1_000_000.0

    def choose(self, state: State, seconds: float | None = None) -> str:
        """Its action."""
        began = time.thread_time()
        self._saved += self._each
        nodes = int(min(self._each, self._saved) * self._rate)  # what was taken too much is given back
        *_, result = self._searcher.think(state.record, None, max(1, nodes), 64, 0, self.seed)
        action = text.name(result.best)
        took = time.thread_time() - began
        self._saved = min(self._saved - took, 0.0)
        if result.nodes >= nodes > 1000:
            self._rate = 0.9 * result.nodes / took
        return action


@rule
def _leaf(s: Any) -> int:
    """The value of a position for the seat that has just moved, not looking ahead."""
    lead = int(s.points[0]) - int(s.points[1])
    if s.turn == OVER:
        lead = WON * ((lead > 0) - (lead < 0))
    return lead


@rule
def _minimax(stack: Any, actions: Any, loop: Any, depth: int) -> tuple[int, int]:
    """The first best action of the position stack[0], and how many positions were looked at. A loop in place of recursion, which can't be kept on disk."""
    ply, nodes, found = 0, 0, -1
    loop[0, 0], loop[0, 1], loop[0, 2] = rules.legal(stack[0], actions[0]), 0, WORST
    while True:
        n, i = loop[ply, 0], loop[ply, 1]
        if i < n:
            stack[ply + 1] = stack[ply]
            rules.apply(stack[ply + 1], actions[ply, i])
            nodes += 1
            if ply + 1 < depth and stack[ply + 1].turn != OVER:
                ply += 1
                loop[ply, 0], loop[ply, 1], loop[ply, 2] = rules.legal(stack[ply], actions[ply]), 0, WORST
                continue
            value = _leaf(stack[ply + 1]) * (1 - 2 * int(stack[ply].turn))
        elif ply == 0:
            return found, nodes
        else:
            value = -loop[ply, 2]
            ply -= 1
            i = loop[ply, 1]
        if value > loop[ply, 2]:
            loop[ply, 2] = value
            if ply == 0:
                found = actions[0, i]
        loop[ply, 1] = i + 1
