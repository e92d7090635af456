"""Monte-Carlo tree search for any number of seats, compiled over any game's rules and its `evaluate.py`.

Each node keeps a win chance for every seat; the seat to act follows its own. Leaves are judged by the game's `values`, or by random play
to the end where a game has no judgement. Actions that `order` prefers are looked at first.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from hanpan.bots.judgement import judgement
from hanpan.bots.thought import Thought, alarm
from hanpan.game import rulebook
from hanpan.rule import CHANCE, INTERPRET, OVER, below, rng, rule

_STOP, _DONE, _LIMIT, _USED = 0, 1, 2, 3  # places in `control`
_CURIOSITY = 1.4
_PATH = 512
_ROLLOUT = 400  # plies of random play before a game without judgement is left undecided

NODE = np.dtype(
    [("action", np.int32), ("first", np.int32), ("count", np.int32), ("visits", np.int32), ("mover", np.int32), ("prior", np.float32), ("won", np.float32, 4)],
    align=True,
)


@cache
def compiled_mcts(name: str) -> tuple[Any, Any]:
    """`(grow, find)` for a game: grow a tree by simulations; find the node of a later position in it."""
    rules, judge = rulebook(name).rules, judgement(name)
    mover, legal, apply, outcome, chance = rules.mover, rules.legal, rules.apply, rules.outcome, rules.chance
    seats_of = rules.seats
    values, order, prune, scale, known = judge.values, judge.order, judge.prune, float(judge.scale), judge.known

    @rule
    def chances(s: Any, seats: int, scratch: Any, chance_of: Any) -> None:
        """Each seat's chance to win, judged."""
        values(s, scratch)
        total = 0.0
        for i in range(seats):
            rest = -1_000_000_000
            for j in range(seats):
                if j != i and scratch[j] > rest:
                    rest = scratch[j]
            lead = min(max((scratch[i] - rest) / scale * 1.1, -30.0), 30.0)
            chance_of[i] = 1.0 / (1.0 + math.exp(-lead))
            total += chance_of[i]
        for i in range(seats):
            chance_of[i] /= total

    @rule
    def result(s: Any, seats: int, scratch: Any, chance_of: Any) -> None:
        """A finished game: the winners share one."""
        winners = outcome(s, scratch)
        shares = 0
        for i in range(seats):
            shares += winners >> i & 1
        for i in range(seats):
            chance_of[i] = 1.0 / seats if shares == 0 else (winners >> i & 1) / shares

    @rule
    def leaf(s: Any, i: int, seats: int, out: Any, scratch: Any, chance_of: Any, dice: Any) -> None:
        if known:
            chances(s[i], seats, scratch, chance_of)
            return
        for _ in range(_ROLLOUT):
            who = mover(s[i])
            if who == OVER:
                break
            if who == CHANCE:
                chance(s[i], dice)
            else:
                apply(s[i], out[below(dice, legal(s[i], out))])
        if mover(s[i]) == OVER:
            result(s[i], seats, scratch, chance_of)
        else:
            for k in range(seats):
                chance_of[k] = 1.0 / seats

    @rule
    def expand(nodes: Any, at: int, s: Any, out: Any, control: Any) -> bool:
        """Give a node its children; False when the memory is full."""
        n = prune(s, out, legal(s, out), 8)
        if control[_USED] + n > nodes.size:
            return False
        first = int(control[_USED])
        control[_USED] += n
        top = -1_000_000_000
        for i in range(n):
            rank = order(s, out[i])
            nodes[first + i].prior = rank
            if rank > top:
                top = rank
        total = 0.0
        for i in range(n):
            weight = math.exp((nodes[first + i].prior - top) / 100.0)
            nodes[first + i].prior = weight
            total += weight
        for i in range(n):
            child = nodes[first + i]
            child.prior /= total
            child.action = out[i]
            child.first = -1
            child.count = 0
            child.visits = 0
            for k in range(4):
                child.won[k] = 0.0
        nodes[at].first = first
        nodes[at].count = n
        return True

    @rule
    def choose(nodes: Any, at: int, seat: int) -> int:
        """The child to look at next: what it promises the seat to act, and how little is known of it."""
        parent = nodes[at]
        root = _CURIOSITY * math.sqrt(parent.visits)
        hope = parent.won[seat] / parent.visits - 0.12  # of a child that nobody visited: a little less than its parent
        best, best_score = int(parent.first), -1e9
        for c in range(parent.first, parent.first + parent.count):
            child = nodes[c]
            promise = child.won[seat] / child.visits if child.visits > 0 else hope
            score = promise + root * child.prior / (1 + child.visits)
            if score > best_score:
                best, best_score = c, score
        return best

    @rule
    def grow(nodes: Any, first: Any, s: Any, out: Any, scratch: Any, chance_of: Any, path: Any, dice: Any, control: Any) -> None:
        """Simulate until told to stop."""
        seats = seats_of(first[0])
        while control[_STOP] == 0 and control[_DONE] < control[_LIMIT]:
            s[0] = first[0]
            at, length = 0, 1
            path[0] = 0
            while True:
                who = mover(s[0])
                if who == OVER:
                    result(s[0], seats, scratch, chance_of)
                    break
                if who == CHANCE or length >= path.size:
                    leaf(s, 0, seats, out, scratch, chance_of, dice)
                    break
                nodes[at].mover = who
                if nodes[at].first < 0:
                    if (nodes[at].visits > 0 or at == 0) and not expand(nodes, at, s[0], out, control):
                        control[_STOP] = 1
                    if nodes[at].first < 0 or nodes[at].visits == 0:
                        leaf(s, 0, seats, out, scratch, chance_of, dice)
                        break
                at = choose(nodes, at, who)
                apply(s[0], nodes[at].action)
                path[length] = at
                length += 1
            for k in range(length):
                node = nodes[path[k]]
                node.visits += 1
                for i in range(seats):
                    node.won[i] += chance_of[i]
            control[_DONE] += 1

    @rule
    def find(nodes: Any, stack: Any, words: Any, wanted: Any, cursor: Any, deepest: int) -> int:
        """The node, at most so many plies below the root, whose position is `wanted` (rows of words); −1 if there is none."""
        ply = 0
        cursor[0, 0] = 0
        cursor[0, 1] = 0
        while ply >= 0:
            at = cursor[ply, 0]
            if cursor[ply, 1] == 0:
                same = True
                for k in range(words.shape[1]):
                    if words[ply, k] != wanted[0, k]:
                        same = False
                        break
                if same:
                    return int(at)
            tried = cursor[ply, 1]
            if ply == deepest or nodes[at].first < 0 or tried >= nodes[at].count:
                ply -= 1
                continue
            cursor[ply, 1] += 1
            child = nodes[at].first + tried
            if nodes[child].visits > 0:
                stack[ply + 1] = stack[ply]
                apply(stack[ply + 1], nodes[child].action)
                ply += 1
                cursor[ply, 0] = child
                cursor[ply, 1] = 0
        return -1

    return grow, find


@rule
def _transplant(old: Any, root: int, new: Any, queue: Any) -> int:
    """Copy the subtree under a node to the front of another array; how many nodes it has, or 0 if they do not fit."""
    new[0] = old[root]
    queue[0] = root
    used, at = 1, 0
    while at < used:
        source = old[queue[at]]
        if source.first >= 0:
            if used + source.count > new.size // 2:
                return 0
            new[at].first = used
            for c in range(source.count):
                new[used] = old[source.first + c]
                queue[used] = source.first + c
                used += 1
        at += 1
    return used


class _Tree:
    """One tree, grown by one thread."""

    def __init__(self, name: str, nodes: int) -> None:
        book = rulebook(name)
        self._grow, self._find = compiled_mcts(name)
        self._state = book.rules.State
        self.nodes, self._spare = np.zeros(nodes, NODE), np.zeros(nodes, NODE)
        self._queue = np.zeros(nodes, np.int64)
        self._first, self._s = np.zeros(1, book.rules.State), np.zeros(1, book.rules.State)
        self._out, self._scratch, self._won = book.actions_buffer(), book.scores_buffer(), np.zeros(4)
        self._path = np.zeros(_PATH, np.int64)
        self.control = np.zeros(4, np.int64)
        if not INTERPRET:
            from hanpan.compiled import make_ready

            stack, cursor = np.zeros(8, book.rules.State), np.zeros((8, 2), np.int64)
            words = stack.view(np.int64).reshape(8, -1)
            jobs = [(self._grow, self._growing(rng(0))), (self._find, (self.nodes, stack, words, words, cursor, 4))]
            make_ready(f"{name}'s computer player", [*jobs, (_transplant, (self.nodes, 0, self._spare, self._queue))])

    def plant(self, record: Any) -> None:
        """Begin at a position, keeping what an earlier tree knows of it."""
        kept = 0
        if self.nodes[0]["visits"] > 0:
            stack = np.zeros(8, self._state)
            stack[0] = self._first[0]
            words = stack.view(np.int64).reshape(8, -1)
            at = int(self._find(self.nodes, stack, words, record.view(np.int64).reshape(1, -1), np.zeros((8, 2), np.int64), 4))
            if at >= 0:
                kept = int(_transplant(self.nodes, at, self._spare, self._queue))
        if kept:
            self.nodes, self._spare = self._spare, self.nodes
        else:
            self.nodes[0] = 0
            self.nodes[0]["first"] = -1
        self._first[0] = record[0]
        self.control[_USED] = max(kept, 1)

    def grow(self, simulations: int, dice: Any) -> None:
        """So many simulations more, unless stopped."""
        self.control[_DONE], self.control[_LIMIT] = 0, simulations
        self._grow(*self._growing(dice))

    def _growing(self, dice: Any) -> tuple[Any, ...]:
        return self.nodes, self._first, self._s, self._out, self._scratch, self._won, self._path, dice, self.control

    def children(self) -> Any:
        """The root's children."""
        root = self.nodes[0]
        return self.nodes[root["first"] : root["first"] + root["count"]]


class TreeSearch:
    """Monte-Carlo tree search with its memory; with several threads, one tree each, and their visits are added."""

    def __init__(self, name: str, megabytes: int, threads: int = 1) -> None:
        self._name, self._book, self._scale = name, rulebook(name), judgement(name).scale
        each = max(1, megabytes) * (1 << 20) // (2 * NODE.itemsize + 8) // threads
        self._trees = [_Tree(name, each) for _ in range(threads)]

    def stop(self) -> None:
        """End the search that is running, at once."""
        for tree in self._trees:
            tree.control[_STOP] = 1

    def think(self, record: Any, seconds: float | None, nodes: int, depth: int, window: int, seed: int, patient: bool = False) -> Iterator[Thought]:
        """Thoughts from more and more simulations, until the time or the `nodes` (simulations) are used up."""
        until = None if seconds is None else time.monotonic() + seconds
        for tree in self._trees:
            tree.control[:] = 0
            tree.plant(record)
        seat = int(self._book.rules.mover(record[0]))
        spent, step = 0, 64
        while True:
            left = None if until is None else until - time.monotonic()
            share = max(1, min(step, nodes - spent) // len(self._trees))
            self._grow_all(share, left, seed, spent)
            spent += share * len(self._trees)
            thought = self._thought(seat, spent)
            yield thought
            stopped = any(tree.control[_STOP] for tree in self._trees)
            if stopped or spent >= nodes or (until is not None and time.monotonic() >= until) or (len(thought.values) == 1 and not patient):
                return
            step = step * 2

    def _grow_all(self, simulations: int, seconds: float | None, seed: int, spent: int) -> None:
        def work(number: int, tree: _Tree) -> None:
            with alarm(tree.control, _STOP, seconds):
                if spent == 0:
                    tree.control[_STOP] = 0  # the first few simulations are always made: there is an answer even without time
                tree.grow(simulations, rng(seed, number * 1000 + spent % 997))

        others = [threading.Thread(target=work, args=pair, daemon=True) for pair in list(enumerate(self._trees))[1:]]
        for thread in others:
            thread.start()
        work(0, self._trees[0])
        for thread in others:
            thread.join()

    def _thought(self, seat: int, spent: int) -> Thought:
        visits: dict[int, int] = {}
        won: dict[int, float] = {}
        for tree in self._trees:
            for child in tree.children():
                action = int(child["action"])
                visits[action] = visits.get(action, 0) + int(child["visits"])
                won[action] = won.get(action, 0.0) + float(child["won"][seat])
        ranked = sorted(visits, key=lambda action: -visits[action])
        values = {action: self._points(won[action] / visits[action] if visits[action] else 0.01) for action in ranked}
        return Thought(values, 0, spent, self._line(), exact=frozenset(action for action in ranked if visits[action] > 20))

    def _points(self, share: float) -> float:
        share = min(max(share, 1e-4), 1 - 1e-4)
        return self._scale * math.log(share / (1 - share)) / 1.1

    def _line(self) -> tuple[int, ...]:
        nodes, at = self._trees[0].nodes, 0
        line: list[int] = []
        while nodes[at]["first"] >= 0 and nodes[at]["count"] and len(line) < 24:
            first, count = int(nodes[at]["first"]), int(nodes[at]["count"])
            at = first + int(nodes[first : first + count]["visits"].argmax())
            if nodes[at]["visits"] == 0:
                break
            line.append(int(nodes[at]["action"]))
        return tuple(line)
