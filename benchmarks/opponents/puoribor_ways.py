"""Puoribor players that judge by the lengths of the two shortest ways, compiled.

`Ways(plies)` looks at every action one or two plies deep and plays the one with the best difference of ways, any of equals by its seed.
`Classic()` is a classical engine on the same measure: iterative deepening alpha-beta with a transposition table, null move, late-move reductions,
killers and history, walls only across or along the shortest ways, and a price for walls in hand.
"""

from __future__ import annotations

import threading
import time
from typing import Any

import numba
import numpy as np

from hanpan.core.rule import OVER, below, rng, rule
from hanpan.game import State
from hanpan.games.puoribor.candidates import candidates
from hanpan.games.puoribor.lanes import ROOM
from hanpan.games.puoribor.ways import openings, way_length
from hanpan.rulebook import rulebook

_rules = rulebook("puoribor").rules
mover, legal, apply = _rules.mover, _rules.legal, _rules.apply
_WIN, _SURE, _PLIES = 1_000_000, 900_000, 64
_STOP, _NODES = 0, 1
_LATE, _MARGIN = 4, 150
_HAND = np.array(
    [0, 140, 250, 340, 420, 490, 555, 615, 670, 720, 770] + [770 + 40 * n for n in range(1, 11)], np.int64
)  # walls in hand, in hundredths of a step


@rule
def lead(s: Any, me: int) -> int:
    """How many steps more the other has to go."""
    down0, down1, right0, right1 = openings(s)
    theirs = way_length(int(s.pawn[1 - me]), 1 - me, down0, down1, right0, right1)
    return theirs - way_length(int(s.pawn[me]), me, down0, down1, right0, right1)


@rule
def two_plies(stack: Any, lists: Any, found: Any, plies: int) -> int:
    """The value of every action of stack[0]; how many there are."""
    me = mover(stack[0])
    n = legal(stack[0], lists[0])
    best = -_WIN
    for i in range(n):
        stack[1] = stack[0]
        apply(stack[1], lists[0, i])
        if mover(stack[1]) == OVER:
            value = _WIN
        elif plies == 1:
            value = lead(stack[1], me)
        else:
            value = _WIN
            for j in range(legal(stack[1], lists[1])):
                stack[2] = stack[1]
                apply(stack[2], lists[1, j])
                value = min(value, -_WIN if mover(stack[2]) == OVER else lead(stack[2], me))
                if value < best:
                    break  # an upper bound is enough: it is not among the best
        found[i] = value
        best = max(best, value)
    return int(n)


class Ways:
    """The difference of ways after one or two plies."""

    def __init__(self, plies: int = 2, seed: int = 0) -> None:
        self._plies, self.seed, self._moves = plies, seed, 0
        self._stack, self._lists = np.zeros(3, _rules.State), np.zeros((2, _rules.MOST_LEGAL), np.int32)
        self._found = np.zeros(_rules.MOST_LEGAL, np.int64)

    def choose(self, state: State, seconds: float | None = None) -> str:
        """The action it plays; it takes the time it takes."""
        self._stack[0] = state.record[0]
        n = two_plies(self._stack, self._lists, self._found, self._plies)
        best = np.flatnonzero(self._found[:n] == self._found[:n].max())
        self._moves += 1
        chosen = best[below(rng(self.seed, self._moves), len(best))]
        return str(state.game.book.text.format_action(state.record[0], int(self._lists[0, chosen])))


@rule
def classic_value(s: Any) -> int:
    """Ways and walls in hand, for the seat to act."""
    me = int(s.turn)
    value = 100 * lead(s, me) + 50 + _HAND[s.hand[me]] - _HAND[s.hand[1 - me]]
    if s.hand[0] == 0 and s.hand[1] == 0:
        value += 1000 if lead(s, me) >= 0 else -1000
    return int(value)


@rule
def position_hash(words: Any, i: int) -> int:
    """A hash of record i."""
    h = 0x2545F4914F6CDD1D
    for k in range(words.shape[1]):
        h = ((h ^ int(words[i, k])) * 0x1E3779B97F4A7C15) & 0x3FFFFFFFFFFFFFFF
        h ^= h >> 29
    return h


@numba.njit(nogil=True, error_model="numpy")
def negamax(
    stack: Any, words: Any, lists: Any, ranks: Any, path: Any, table: Any, history: Any, killers: Any, control: Any, room: Any,
    ply: int, depth: int, alpha: int, beta: int, passed: bool,
) -> int:  # fmt: skip
    """The value of the record at a ply for the seat to act."""
    control[_NODES] += 1
    if control[_STOP] != 0:
        return 0
    if mover(stack[ply]) == OVER:
        return ply - _WIN
    static = classic_value(stack[ply])
    if depth <= 0 or ply >= _PLIES - 2:
        return static
    h = position_hash(words, ply)
    path[ply] = h
    for k in range(ply):
        if path[k] == h:
            return 0
    slot, known = h & (table.shape[0] - 1), -1
    if table[slot, 0] == h:
        known, value, bound = table[slot, 1], table[slot, 2], table[slot, 4]
        if ply > 0 and table[slot, 3] >= depth and abs(value) < _SURE and (bound == 0 or (bound == 1 and value >= beta) or (bound == 2 and value <= alpha)):
            return value
    if ply > 0 and depth <= 3 and static - _MARGIN * depth >= beta and beta < _SURE:
        return static
    if ply > 0 and depth >= 3 and static >= beta and not passed and beta < _SURE:
        stack[ply + 1] = stack[ply]
        stack[ply + 1].turn = 1 - stack[ply].turn
        value = -negamax(stack, words, lists, ranks, path, table, history, killers, control, room, ply + 1, depth - 3, -beta, 1 - beta, True)
        if beta <= value < _SURE:
            return value
    near = depth if stack[ply].rotation != 0 else min(depth, 2)  # plain: only walls across the ways, at any depth
    me, n = int(stack[ply].turn), candidates(stack[ply], lists[ply], ranks[ply], near, room)
    for i in range(n):
        a = lists[ply, i]
        ranks[ply, i] = (
            ranks[ply, i] * 64 + history[me, a] + (1 << 40 if a == known else 1 << 30 if a == killers[ply, 0] else 1 << 29 if a == killers[ply, 1] else 0)
        )
    best, action, floor = -_WIN, 0, alpha
    for i in range(n):
        top = i
        for j in range(i + 1, n):
            if ranks[ply, j] > ranks[ply, top]:
                top = j
        a, r = lists[ply, top], ranks[ply, top]
        lists[ply, top], ranks[ply, top] = lists[ply, i], ranks[ply, i]
        lists[ply, i], ranks[ply, i] = a, r
        stack[ply + 1] = stack[ply]
        apply(stack[ply + 1], a)
        less = 0
        if depth >= 3 and i >= _LATE:
            less = 1 + (1 if i >= 3 * _LATE else 0) + (1 if depth >= 6 and i >= 8 * _LATE else 0)
        value = best
        if i > 0:
            value = -negamax(stack, words, lists, ranks, path, table, history, killers, control, room, ply + 1, depth - 1 - less, -alpha - 1, -alpha, False)
            if less > 0 and value > alpha:
                value = -negamax(stack, words, lists, ranks, path, table, history, killers, control, room, ply + 1, depth - 1, -alpha - 1, -alpha, False)
        if i == 0 or alpha < value < beta:
            value = -negamax(stack, words, lists, ranks, path, table, history, killers, control, room, ply + 1, depth - 1, -beta, -alpha, False)
        if control[_STOP] != 0:
            return 0
        if value > best:
            best, action = value, a
        alpha = max(alpha, value)
        if value >= beta:
            if killers[ply, 0] != a:
                killers[ply, 1], killers[ply, 0] = killers[ply, 0], a
            history[me, a] = min(history[me, a] + depth * depth, 1 << 20)
            break
    table[slot, 0], table[slot, 1], table[slot, 2], table[slot, 3] = h, action, best, depth
    table[slot, 4] = 1 if best >= beta else 2 if best <= floor else 0
    return best


class Classic:
    """Alpha-beta on the lengths of ways."""

    def __init__(self, megabytes: int = 128) -> None:
        entries = 1 << (megabytes * (1 << 20) // 40).bit_length() - 1
        self._stack = np.zeros(_PLIES + 1, _rules.State)
        self._words = self._stack.view(np.int64).reshape(_PLIES + 1, -1)
        self._lists, self._ranks = np.zeros((_PLIES, _rules.MOST_LEGAL), np.int32), np.zeros((_PLIES, _rules.MOST_LEGAL), np.int64)
        self._path, self._table = np.zeros(_PLIES, np.int64), np.zeros((entries, 5), np.int64)
        self._history, self._killers = np.zeros((2, _rules.ACTIONS), np.int64), np.full((_PLIES, 2), -1, np.int64)
        self._control, self._room = np.zeros(2, np.int64), np.zeros(ROOM, np.int64)
        self.depth = 0  # of the last thought
        self.nodes = 0

    def choose(self, state: State, seconds: float | None = None, nodes: int = 0) -> str:
        """The best action of the deepest search finished in this time (0.2 s), or with about so many nodes."""
        until = time.monotonic() + (0.2 if seconds is None else seconds)
        self._control[:] = 0
        self._history //= 8
        best = -1
        timer = threading.Timer(3600 if nodes else max(until - time.monotonic(), 0.001), self._stop)
        timer.daemon = True
        timer.start()
        for depth in range(1, _PLIES - 4):
            self._stack[0] = state.record[0]
            value = negamax(
                self._stack, self._words, self._lists, self._ranks, self._path, self._table, self._history, self._killers, self._control, self._room,
                0, depth, -_WIN, _WIN, False,
            )  # fmt: skip
            if self._control[_STOP] and best >= 0:
                break
            slot = int(position_hash(self._words, 0)) & (len(self._table) - 1)
            best, self.depth, self.nodes = int(self._table[slot, 1]), depth, int(self._control[_NODES])
            if abs(value) > _SURE or (nodes and self._control[_NODES] >= nodes) or self._control[_STOP]:
                break
        timer.cancel()
        if best < 0:
            return state.legal()[0]
        return str(state.game.book.text.format_action(state.record[0], best))

    def _stop(self) -> None:
        self._control[_STOP] = 1
