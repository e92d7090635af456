"""Monte-Carlo tree search for any number of seats, compiled over any game's rules and its `evaluate.py`.

Each node keeps a win chance for every seat; the seat to act follows its own. Leaves are judged by the game's `values`, or by random play
to the end where a game has no judgement. Actions that the game ranks higher are looked at first. What is played out to the end on all
sides is proven, and not looked at again. Where chance acts the tree ends: what it might draw is tried anew at every visit.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

from hanpan.core.maths import exp, likely
from hanpan.core.rule import CHANCE, OVER, below, rule
from hanpan.rulebook import rulebook

STOP, DONE, LIMIT, USED, JITTER, WHOLE = range(6)  # places in `control`
DEEPEST = 512  # plies from the root

_CURIOSITY = 1.4
_CAUTION = 0.06  # how much less than its parent an action promises that nobody has tried
_ROLLOUT = 400  # plies of random play before a game without judgement is left undecided
_UNMARKED = -2


@cache
def node_type(seats: int) -> np.dtype[Any]:
    """A node: the action that leads to it, its children (a row: those that were tried, then the likeliest of the others, then these), how often it was
    visited, and what each seat won of these visits, on average."""
    fields = [
        ("action", np.int32),
        ("first", np.int32),  # of its children, −1: none yet
        ("count", np.int16),  # of its children
        ("proven", np.int16),  # 0, or where `share` is no estimate any more 1 + the plies to the end: a way to win that was seen, the longest way to lose
        ("visits", np.int32),
        ("link", np.int32),  # see `keep`
        ("pull", np.float32),  # how likely it was held to be before it was looked at, divided by one more than its visits
        ("share", np.float32, (seats,)),
    ]
    return np.dtype((np.record, fields))


@rule
def best_next(nodes: Any, at: int, end: int) -> None:
    """Of nodes that nobody has tried, from `at` to `end`, the likeliest goes to the beginning; of equally likely ones that with the lowest action."""
    best, most = at, nodes[at].pull
    for c in range(at + 1, end):
        pull = nodes[np.uint64(c)].pull
        if pull > most or (pull == most and nodes[np.uint64(c)].action < nodes[np.uint64(best)].action):
            best, most = c, pull
    there, here = nodes[best], nodes[at]
    action, pull = there.action, there.pull
    there.action, there.pull = here.action, here.pull
    here.action, here.pull = action, pull


@rule
def visit(node: Any) -> None:
    """One visit more."""
    node.visits += 1
    node.pull *= node.visits / (1 + node.visits)


@cache
def compiled_mcts(name: str) -> tuple[Any, Any]:
    """`(grow, find)` for a game: grow a tree by simulations; find the node of a later position in it."""
    rules, judge = rulebook(name).rules, rulebook(name).evaluation
    mover, legal, apply, outcome, chance = rules.mover, rules.legal, rules.apply, rules.outcome, rules.chance
    seats_of, most_seats = rules.seats, rules.MOST_SEATS
    values, rank_all, prune, scale, known = judge.values, judge.ranking, judge.prune, float(judge.SCALE), judge.known

    @rule
    def chances(s: Any, seats: int, scratch: Any, shares: Any) -> None:
        """Each seat's chance to win, judged."""
        values(s, scratch)
        total = 0.0
        for i in range(seats):
            rest = -1_000_000_000
            for j in range(seats):
                if j != i and scratch[j] > rest:
                    rest = scratch[j]
            lead = min(max((scratch[i] - rest) / scale * 1.1, -30.0), 30.0)
            shares[i] = 1.0 / (1.0 + exp(-lead))
            total += shares[i]
        for i in range(seats):
            shares[i] /= total

    @rule
    def result(s: Any, seats: int, scratch: Any, shares: Any) -> None:
        """A finished game: the winners share one; a draw is shared by all."""
        winners = outcome(s, scratch)
        count = 0
        for i in range(seats):
            count += winners >> i & 1
        for i in range(seats):
            shares[i] = 1.0 / seats if count == 0 else (winners >> i & 1) / count

    @rule
    def leaf(s: Any, i: int, seats: int, out: Any, scratch: Any, shares: Any, dice: Any) -> None:
        """What a position promises each seat. Plays on in s[i] where chance is to act, or where nothing else tells."""
        for _ in range(_ROLLOUT):
            who = mover(s[i])
            if who == CHANCE:
                chance(s[i], dice)
            elif who == OVER or known:
                break
            else:
                apply(s[i], int(out[below(dice, legal(s[i], out))]))
        if mover(s[i]) == OVER:
            result(s[i], seats, scratch, shares)
        elif known:
            chances(s[i], seats, scratch, shares)
        else:
            for k in range(seats):
                shares[k] = 1.0 / seats

    @rule
    def expand(nodes: Any, at: int, s: Any, out: Any, ranks: Any, dice: Any, control: Any, n: int) -> bool:
        """Give a node its children, the actions out[:n]; False when the memory is full."""
        first = int(control[USED])
        if first + n > nodes.size:
            return False
        control[USED] += n
        rank_all(s, out, n, ranks)
        if control[JITTER] != 0:  # another opinion, so that several trees do not all find the same
            for i in range(n):
                ranks[i] += below(dice, 121) - 60
        top, total = ranks[0], 0.0
        for i in range(1, n):
            top = max(top, ranks[i])
        for i in range(n):
            child = nodes[first + i]
            child.action, child.first, child.count, child.proven, child.visits, child.link = out[i], -1, 0, 0, 0, _UNMARKED
            child.pull = likely(top - ranks[i])
            total += child.pull
            for k in range(most_seats):
                child.share[k] = 0.0
        for i in range(n):
            nodes[first + i].pull /= total
        best_next(nodes, first, first + n)
        nodes[at].first = first
        nodes[at].count = n
        return True

    @rule
    def choose(nodes: Any, at: int, seat: int) -> tuple[int, int]:
        """The child to look at next, and the best of those not proven (−1: none): what it promises the seat to act, and how little is known of it."""
        parent = nodes[at]
        root = _CURIOSITY * math.sqrt(parent.visits)
        hope = float(parent.share[seat]) - _CAUTION
        best, best_score, still_open, open_score = int(parent.first), -1e9, -1, -1e9
        for c in range(parent.first, parent.first + parent.count):
            child = nodes[c]
            promise = float(child.share[seat]) if child.visits > 0 else hope
            score = promise + root * float(child.pull)
            if score > best_score:
                best, best_score = c, score
            if child.proven == 0 and score > open_score:
                still_open, open_score = c, score
            if child.visits == 0:
                break
        return best, still_open

    @rule
    def conclude(nodes: Any, at: int, seat: int, seats: int, shares: Any, proven: int) -> int:
        """One of the children was proven to give `shares`: does that prove the node, because the seat to act wins by it, or because all are proven?

        `proven`, and what is given back: see `node_type`. Who can't do better by one than by another may choose any of these, and with it who else wins.
        """
        if shares[seat] == 1.0:
            return proven + 1
        parent = nodes[at]
        most = -1.0
        for c in range(parent.first, parent.first + parent.count):
            if nodes[c].proven == 0:
                return 0
            most = max(most, float(nodes[c].share[seat]))
        longest, equal = 0, 0
        for i in range(seats):
            shares[i] = 0.0
        for c in range(parent.first, parent.first + parent.count):
            child = nodes[c]
            if child.share[seat] == most:
                longest = max(longest, int(child.proven))
                equal += 1
                for i in range(seats):
                    shares[i] += child.share[i]
        for i in range(seats):
            shares[i] /= equal
        return longest + 1

    @rule
    def grow(nodes: Any, first: Any, s: Any, out: Any, ranks: Any, scratch: Any, shares: Any, path: Any, dice: Any, control: Any) -> None:
        """Simulate until told to stop, or everything is proven. path: rows of node, seat to act, and what it would rather have done (−1: what it did)."""
        seats = seats_of(first[0])
        while control[STOP] == 0 and control[DONE] < control[LIMIT] and nodes[0].proven == 0:
            s[0] = first[0]
            at, last, proven = 0, 0, 0
            while True:
                who = mover(s[0])
                path[last, 0], path[last, 1], path[last, 2] = at, who, -1
                if nodes[at].proven != 0:
                    proven = int(nodes[at].proven)
                    for i in range(seats):
                        shares[i] = nodes[at].share[i]
                    break
                if who == OVER:
                    proven = 1
                    result(s[0], seats, scratch, shares)
                    break
                if who == CHANCE or last == path.shape[0] - 1:
                    leaf(s, 0, seats, out, scratch, shares, dice)
                    break
                if nodes[at].first < 0:
                    if nodes[at].visits > 0 or at == 0:
                        n = legal(s[0], out)
                        if at > 0 or control[WHOLE] == 0:
                            n = prune(s[0], out, n, 8)
                        if not expand(nodes, at, s[0], out, ranks, dice, control, n):
                            control[STOP] = 1
                    if nodes[at].first < 0 or nodes[at].visits == 0:
                        leaf(s, 0, seats, out, scratch, shares, dice)
                        break
                end = nodes[at].first + nodes[at].count
                best, still_open = choose(nodes, at, who)
                at = best
                if nodes[best].proven != 0 and still_open >= 0:  # nothing to learn there: the visit counts for it, but looks at another
                    path[last, 2] = best
                    at = still_open
                if nodes[at].visits == 0 and at + 1 < end:
                    best_next(nodes, at + 1, end)
                apply(s[0], int(nodes[at].action))
                last += 1
            for k in range(last, -1, -1):
                node = nodes[path[k, 0]]
                visit(node)
                if k < last and proven != 0:
                    proven = conclude(nodes, path[k, 0], path[k, 1], seats, shares, proven)
                if path[k, 2] >= 0 and proven == 0:
                    rather = nodes[path[k, 2]]
                    visit(rather)
                    for i in range(seats):
                        shares[i] = rather.share[i]
                for i in range(seats):
                    node.share[i] = shares[i] if proven != 0 else node.share[i] + (shares[i] - node.share[i]) / node.visits
                if proven != 0:
                    node.proven = proven
            control[DONE] += 1

    @rule
    def find(nodes: Any, stack: Any, words: Any, wanted: Any, cursor: Any, deepest: int, most: int) -> int:
        """The node, at most `deepest` plies below the root, whose position is `wanted`; −1 if there is none among the first `most` (positions as words)."""
        for depth in range(deepest + 1):
            ply = 0
            cursor[0, 0], cursor[0, 1] = 0, 0
            while ply >= 0:
                at, tried = cursor[ply, 0], cursor[ply, 1]
                if ply == depth:
                    same = True
                    for k in range(words.shape[1]):
                        same = same and words[ply, k] == wanted[0, k]
                    if same:
                        return int(at)
                if ply == depth or nodes[at].first < 0 or tried >= nodes[at].count:
                    ply -= 1
                    continue
                cursor[ply, 1] += 1
                child = nodes[at].first + tried
                if nodes[child].visits > 0:
                    most -= 1
                    if most < 0:
                        return -1
                    stack[ply + 1] = stack[ply]
                    apply(stack[ply + 1], int(nodes[child].action))
                    ply += 1
                    cursor[ply, 0], cursor[ply, 1] = child, 0
        return -1

    return grow, find


@rule
def keep(nodes: Any, root: int, used: int) -> int:
    """Move the tree below a node to the front, so that the node becomes the root, and forget the others; how many are left.

    Children lie behind their parents, so that one walk forward does it: a node that stays marks its children, and tells the first of them
    where it lies itself now; that child, when it is moved in its turn, tells its parent where the row of children begins.
    """
    nodes[root].link = -1
    kept = 0
    for i in range(root, used):
        node = nodes[i]
        link = node.link
        if link == _UNMARKED:
            continue
        if node.first >= 0:
            for c in range(node.first, node.first + node.count):
                nodes[c].link = -1
            nodes[node.first].link = kept
        if link >= 0:
            nodes[link].first = kept
        node.link = _UNMARKED
        nodes[kept] = node
        kept += 1
    return kept
