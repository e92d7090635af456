"""A Wall Go player that looks one or two plies ahead and counts distance-based area: a cell belongs to the seat that is nearest to it.

It plays the action after which (with two plies: after the best reply to which) its own area is furthest ahead of the best other one;
among equals it takes any, by its seed. Compiled, and written without anything that Hanpan's own computer player uses.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hanpan.core.rule import OVER, below, rng, rule
from hanpan.game import State
from hanpan.rulebook import rulebook

_rules = rulebook("wallgo").rules
mover, legal, apply = _rules.mover, _rules.legal, _rules.apply
_CELLS = 121
_NOBODY, _SEVERAL = -1, -2


@rule
def lead(s: Any, me: int, work: Any) -> int:
    """How many cells more than the best other seat this one is nearest to; walls count, pieces in between do not."""
    size = int(s.width)
    owner, distance, queue = work[0], work[1], work[2]
    tail = 0
    for cell in range(size * size):
        owner[cell] = _NOBODY
        if s.cell[cell] != 0:
            owner[cell] = s.cell[cell] - 1
            distance[cell] = 0
            queue[tail] = cell
            tail += 1
    head = 0
    while head < tail:
        cell = int(queue[head])
        head += 1
        for side in range(4):
            if (s.open[cell] >> side) & 1 == 0:
                continue
            other = cell + (-size if side == 0 else size if side == 1 else -1 if side == 2 else 1)
            if owner[other] == _NOBODY:
                owner[other] = owner[cell]
                distance[other] = distance[cell] + 1
                queue[tail] = other
                tail += 1
            elif distance[other] == distance[cell] + 1 and owner[other] != owner[cell]:
                owner[other] = _SEVERAL
    mine, best = 0, 0
    for seat in range(s.players):
        area = 0
        for cell in range(size * size):
            area += owner[cell] == seat
        if seat == me:
            mine = area
        else:
            best = max(best, area)
    return mine - best


@rule
def think(stack: Any, lists: Any, found: Any, work: Any, plies: int) -> int:
    """The value of every action of stack[0] after one or two plies; how many there are. Of those that are not best, an upper bound."""
    me = mover(stack[0])
    n = legal(stack[0], lists[0])
    best = -1_000_000
    for i in range(n):
        stack[1] = stack[0]
        apply(stack[1], lists[0, i])
        if plies == 1 or mover(stack[1]) == OVER:
            value = lead(stack[1], me, work)
        else:
            value = 1_000_000
            again = mover(stack[1]) == me  # the other has no turn
            if again:
                value = -1_000_000
            for j in range(legal(stack[1], lists[1])):
                stack[2] = stack[1]
                apply(stack[2], lists[1, j])
                after = lead(stack[2], me, work)
                value = max(value, after) if again else min(value, after)
                if not again and value < best:
                    break
        found[i] = value
        best = max(best, value)
    return n


class Territory:
    """The player: one or two plies deep, with a seed for choosing among equals."""

    def __init__(self, plies: int = 1, seed: int = 0) -> None:
        self.plies, self.seed, self._moves = plies, seed, 0
        self._stack = np.zeros(3, _rules.State)
        self._lists = np.zeros((2, _rules.MOST_LEGAL), np.int32)
        self._found = np.zeros(_rules.MOST_LEGAL, np.int64)
        self._work = np.zeros((3, _CELLS), np.int64)

    def choose_number(self, record: Any) -> int:
        """The number of the action it plays."""
        self._stack[0] = record[0]
        n = int(think(self._stack, self._lists, self._found, self._work, self.plies))
        best = np.flatnonzero(self._found[:n] == self._found[:n].max())
        self._moves += 1
        return int(self._lists[0, best[below(rng(self.seed, self._moves), len(best))]])

    def choose(self, state: State, seconds: float | None = None) -> str:
        """The action it plays, as text; it always takes the time it takes."""
        record = state.record
        return str(state.game.book.text.format_action(record[0], self.choose_number(record)))
