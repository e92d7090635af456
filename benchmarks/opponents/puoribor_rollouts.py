"""A Puoribor player by Monte-Carlo tree search with rollouts that follow the shortest ways, compiled; the recipe of the well-known public players.

UCT over pawn moves and probable walls (beside the pawns, at the ends of walls that stand, across the other's ways); when the other has no walls left,
only steps along the shortest way and walls across the other's. A rollout goes a step along the shortest way seven times of ten,
else it builds a probable wall or steps anywhere.
"""

from __future__ import annotations

import math
import threading
from typing import Any

import numpy as np

from hanpan.core.rule import OVER, below, rng, rule
from hanpan.game import State
from hanpan.games.puoribor.board import COLUMN
from hanpan.games.puoribor.candidates import touching
from hanpan.games.puoribor.rules import FLAT, TALL, TURN, landings, winner
from hanpan.games.puoribor.ways import all_ways, downhill, openings, way_length
from hanpan.rulebook import rulebook

_rules = rulebook("puoribor").rules
mover, legal, apply = _rules.mover, _rules.legal, _rules.apply
_NODE = np.dtype([("first", np.int32), ("count", np.int32), ("visits", np.int32), ("action", np.int32), ("won", np.int32)], align=True)
_CURIOSITY, _LONGEST, _STOP, _USED, _DONE = 0.2, 400, 0, 1, 2


@rule
def nearest_step(s: Any, dice: Any) -> int:
    """A pawn move that leads nearest to the goal, any of equals."""
    me = int(s.turn)
    down0, down1, right0, right1 = openings(s)
    best, found, seen = 1_000, 0, 0
    packed = landings(s)
    while packed != 0:
        site = (packed & 127) - 1
        packed >>= 7
        steps = way_length(site, me, down0, down1, right0, right1)
        if steps < best:
            best, found, seen = steps, site, 1
        elif steps == best:
            seen += 1
            if below(dice, seen) == 0:
                found = site
    return found - found // COLUMN


@rule
def beside(s: Any, a: int) -> bool:
    """Whether a wall stands beside a pawn, or touches a wall that stands."""
    centre = (a - FLAT) % 64
    x, y = centre // 8, centre % 8
    for seat in range(2):
        px, py = int(s.pawn[seat]) // COLUMN, int(s.pawn[seat]) % COLUMN
        if px - 2 <= x <= px + 1 and py - 2 <= y <= py + 1:
            return True
    if a < TALL and (x == 0 or x == 7):
        return True
    reach = 2
    for dx in range(-reach, reach + 1):
        for dy in range(-reach, reach + 1):
            if abs(dx) + abs(dy) <= reach and 0 <= x + dx < 8 and 0 <= y + dy < 8:
                site = COLUMN * (x + dx) + y + dy
                flat = (s.whole_h[0] >> site) & 1 if site < 50 else (s.whole_h[1] >> (site - 50)) & 1
                tall = (s.whole_v[0] >> site) & 1 if site < 50 else (s.whole_v[1] >> (site - 50)) & 1
                if flat | tall != 0:
                    return True
    return False


@rule
def expansion(s: Any, out: Any, dice: Any) -> int:
    """The actions that get a node."""
    n, kept = legal(s, out), 0
    me = int(s.turn)
    if s.hand[1 - me] == 0:
        there = int(s.pawn[1 - me])
        down0, down1, right0, right1 = openings(s)
        _, a, b, c, d, e, f, g, h = downhill(there, 1 - me, down0, down1, right0, right1)
        h0, h1, v0, v1 = all_ways(there, a, b, c, d, e, f, g, h)
        h0, h1, v0, v1 = touching(h0, h1, v0, v1)
        step = nearest_step(s, dice)
        for i in range(n):
            action = out[i]
            keep = action == step
            if FLAT <= action < TURN:
                centre = (action - FLAT) % 64
                site = centre + 2 * (centre // 8)
                w0, w1 = (h0, h1) if action < TALL else (v0, v1)
                keep = ((w0 >> site) & 1 if site < 50 else (w1 >> (site - 50)) & 1) != 0
            if keep:
                out[kept] = action
                kept += 1
        return kept
    for i in range(n):
        if out[i] < FLAT or (out[i] < TURN and beside(s, out[i])):
            out[kept] = out[i]
            kept += 1
    return kept


@rule
def rollout(s: Any, i: int, out: Any, dice: Any) -> int:
    """Play to the end; who wins."""
    for _ in range(_LONGEST):
        if mover(s[i]) == OVER:
            return winner(s[i])
        a = nearest_step(s[i], dice)
        if below(dice, 10) >= 7:
            n = legal(s[i], out)
            if s[i].hand[s[i].turn] > 0 and below(dice, 2) == 0:
                for _ in range(12):
                    b = out[below(dice, n)]
                    if FLAT <= b < TURN and beside(s[i], b):
                        a = b
                        break
            else:
                b = out[below(dice, n)]
                while b >= FLAT:
                    b = out[below(dice, n)]
                a = b
        apply(s[i], a)
    return below(dice, 2)


@rule
def grow(nodes: Any, first: Any, s: Any, out: Any, path: Any, dice: Any, control: Any, simulations: int) -> None:
    """Simulate until told to stop."""
    while control[_STOP] == 0 and control[_DONE] < simulations:
        s[0] = first[0]
        at, length = 0, 1
        path[0] = 0
        while nodes[at].count > 0:
            total = math.log(nodes[at].visits + 1)
            best, best_score = 0, -1.0
            for c in range(nodes[at].first, nodes[at].first + nodes[at].count):
                score = 1e9 + below(dice, 1000) if nodes[c].visits == 0 else nodes[c].won / nodes[c].visits + math.sqrt(_CURIOSITY * total / nodes[c].visits)
                if score > best_score:
                    best, best_score = c, score
            at = best
            apply(s[0], nodes[at].action)
            path[length] = at
            length += 1
            if length >= path.size:
                break
        if mover(s[0]) != OVER and nodes[at].visits > 0 and length < path.size:
            n = expansion(s[0], out, dice)
            if control[_USED] + n > nodes.size:
                control[_STOP] = 1
                return
            nodes[at].first, nodes[at].count = control[_USED], n
            for k in range(n):
                child = nodes[control[_USED] + k]
                child.first, child.count, child.visits, child.won, child.action = 0, 0, 0, 0, out[k]
            control[_USED] += n
            at = int(nodes[at].first) + below(dice, n)
            apply(s[0], nodes[at].action)
            path[length] = at
            length += 1
        won = rollout(s, 0, out, dice)
        seat = int(first[0].turn)
        for k in range(length):
            nodes[path[k]].visits += 1
            # a node counts the wins of the seat that acted just before it
            nodes[path[k]].won += (won == seat) == (k % 2 == 1)
        control[_DONE] += 1


class Rollouts:
    """Monte-Carlo tree search, a fresh tree for every move."""

    def __init__(self, simulations: int = 1 << 60, seed: int = 0, nodes: int = 4_000_000) -> None:
        self._simulations, self.seed, self._moves = simulations, seed, 0
        self._nodes, self._first, self._s = np.zeros(nodes, _NODE).view(np.recarray), np.zeros(1, _rules.State), np.zeros(1, _rules.State)
        self._out, self._path, self._control = np.zeros(_rules.MOST_LEGAL, np.int32), np.zeros(200, np.int64), np.zeros(3, np.int64)
        self.done = 0  # simulations of the last thought

    def choose(self, state: State, seconds: float | None = None) -> str:
        """The action it looked at most often."""
        self._moves += 1
        dice = rng(self.seed, self._moves)
        self._first[0] = state.record[0]
        self._nodes[0] = np.zeros((), _NODE)
        self._control[:] = (0, 1, 0)
        timer = threading.Timer(3600 if seconds is None else max(seconds, 0.001), self._stop)
        timer.daemon = True
        timer.start()
        grow(self._nodes, self._first, self._s, self._out, self._path, dice, self._control, self._simulations if seconds is None else 1 << 60)
        timer.cancel()
        self.done = int(self._control[_DONE])
        root = self._nodes[0]
        if root["count"] == 0:
            return state.legal()[0]
        children = self._nodes[root["first"] : root["first"] + root["count"]]
        return str(state.game.book.text.format_action(state.record[0], int(children["action"][children["visits"].argmax()])))

    def _stop(self) -> None:
        self._control[_STOP] = 1
