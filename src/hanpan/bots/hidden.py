"""A search for games with secrets, compiled over any game's rules and its `evaluate.py`.

It imagines worlds that the seat to act can't tell from the true one, and weighs each by how well it explains what the others did
(`plausible`). Then it plays them to the next draw of chance again and again: the others act by habit (`rank`), each knowing only its own secrets, and the own
seat learns at every turn, from all worlds that look alike to it, what serves it best. So it never acts on what it can't know.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from hanpan.bots.alphabeta import hash_words
from hanpan.bots.search_result import SearchResult, added, alarm
from hanpan.core.maths import exp, likely, log
from hanpan.core.rule import INTERPRET, OVER, random_bits, rng, rule
from hanpan.rulebook import rulebook

STOP, DONE, LIMIT, WORLDS, WANTED, ENTRIES, BRANCHES, DEPTH = range(8)  # places in `control`
LONGEST = 400  # plies of one playing-out; what is not decided then is judged
_CURIOSITY = 0.3
_CAUTION = 0.05  # how much less than its siblings an action promises that nobody has tried
_BLEND = 0.1  # the part of the prior that is spread evenly: habits may be wrong

_POOL = 1 << 14  # worlds at most
_MOST_ENTRIES = 1 << 18
_PLAYS_A_WORLD = 4  # playing out a world is cheap beside imagining and weighing it
_NO_CHANCE = 1e-4
_DOUBT = 4  # visits that an action needs before it is believed more than its siblings

ENTRY = np.dtype((np.record, [("key", np.int64), ("first", np.int32), ("count", np.int32)]))  # what the own seat sees at one of its turns
BRANCH = np.dtype((np.record, [("action", np.int32), ("visits", np.int32), ("prior", np.float64), ("won", np.float64)]))  # an action there


@rule
def _unit(dice: Any) -> float:
    """A random number in 0 … 1."""
    return random_bits(dice) / 4294967296.0


@rule
def _chances(ranks: Any, n: int, chances: Any) -> None:
    """How likely each of n actions is by habit."""
    top = ranks[0]
    for i in range(1, n):
        top = max(top, ranks[i])
    total = 0.0
    for i in range(n):
        chances[i] = likely(top - ranks[i])
        total += chances[i]
    for i in range(n):
        chances[i] /= total


@rule
def _drawn(chances: Any, n: int, dice: Any) -> int:
    """One of n actions, by its chance."""
    point = _unit(dice)
    for i in range(n - 1):
        point -= chances[i]
        if point < 0:
            return i
    return n - 1


@rule
def find(entries: Any, key: int) -> int:
    """The place of a key in the table, or the free place where it belongs."""
    at = key & (entries.size - 1)
    while entries[at].key != 0 and entries[at].key != key:
        at = (at + 1) & (entries.size - 1)
    return int(at)


@rule
def _promising(branches: Any, first: int, n: int) -> int:
    """The action to try next: what it won so far, and how little is known of it."""
    visits, won = 1, 0.5
    for i in range(first, first + n):
        visits += branches[i].visits
        won += branches[i].won
    hope = won / visits - _CAUTION
    eager = _CURIOSITY * math.sqrt(visits)
    best, best_score = first, -1e9
    for i in range(first, first + n):
        branch = branches[i]
        score = branch.won / branch.visits if branch.visits > 0 else hope
        score += eager * branch.prior / (1 + branch.visits)
        if score > best_score:
            best, best_score = i, score
    return best


@cache
def compiled_hidden(name: str) -> tuple[Any, Any]:
    """`(gather, learn)` for a game: imagine worlds and weigh them; play them out and learn what each own action is worth."""
    rules, judge = rulebook(name).rules, rulebook(name).evaluation
    mover, legal, apply, outcome, hide, imagine = rules.mover, rules.legal, rules.apply, rules.outcome, rules.hide, rules.imagine
    seats_of = rules.seats
    sides = np.array(rules.sides(rules.MOST_SEATS))
    values, rank, plausible, scale = judge.values, judge.ranking, judge.plausible, float(judge.SCALE)

    @rule
    def won(s: Any, seat: int, scratch: Any) -> float:
        """The chance of a seat's side to win: known at the end, judged before."""
        if mover(s) == OVER:
            winners = outcome(s, scratch)
            sharing = 0
            for other in range(seats_of(s)):
                sharing += winners >> other & 1
            if sharing == 0:
                return 0.5
            return 1.0 if winners >> seat & 1 else 0.0
        values(s, scratch)
        rest = -1_000_000_000
        for other in range(seats_of(s)):
            if sides[other] != sides[seat]:
                rest = max(rest, int(scratch[other]))
        ahead = (int(scratch[seat]) - rest) / scale * 1.1
        return 1.0 / (1.0 + exp(-min(max(ahead, -30.0), 30.0)))

    @rule
    def gather(view: Any, seat: int, pool: Any, weights: Any, bounds: Any, past: Any, out: Any, ranks: Any, dice: Any, control: Any) -> None:
        """Imagine worlds until there are as many as wanted (one at least), and make `bounds` their growing share of all weight."""
        while control[WORLDS] < control[WANTED] and (control[STOP] == 0 or control[WORLDS] == 0):
            world = int(control[WORLDS])
            pool[world] = view[0]
            imagine(pool[world], seat, dice)
            weights[world] = plausible(pool[world], seat, past, out, ranks) / 100.0
            control[WORLDS] += 1
        top = -1e300
        for world in range(control[WORLDS]):
            top = max(top, weights[world])
        total = 0.0
        for world in range(control[WORLDS]):
            total += exp(weights[world] - top)
            bounds[world] = total
        for world in range(control[WORLDS]):
            bounds[world] /= total

    @rule
    def pick(bounds: Any, n: int, point: float) -> int:
        """The world in whose share a point of 0 … 1 lies."""
        low, high = 0, n - 1
        while low < high:
            middle = (low + high) >> 1
            if bounds[middle] > point:
                high = middle
            else:
                low = middle + 1
        return low

    @rule
    def look(s: Any, seat: int, seen: Any, words: Any) -> int:
        """A number for what the seat sees in a world, never 0."""
        seen[0] = s
        hide(seen[0], seat)
        return hash_words(words, 0) | 1

    @rule
    def open_entry(entries: Any, branches: Any, at: int, key: int, out: Any, n: int, chances: Any, control: Any) -> None:
        """Begin to learn at a turn of the own seat."""
        entry = entries[at]
        entry.key = key
        entry.first = control[BRANCHES]
        entry.count = n
        for i in range(n):
            branch = branches[control[BRANCHES] + i]
            branch.action = out[i]
            branch.visits = 0
            branch.prior = (1 - _BLEND) * chances[i] + _BLEND / n
            branch.won = 0.0
        control[BRANCHES] += n
        control[ENTRIES] += 1

    @rule
    def learn(
        seat: int, pool: Any, bounds: Any, s: Any, seen: Any, words: Any, entries: Any, branches: Any, path: Any, out: Any, ranks: Any, chances: Any,
        scratch: Any, dice: Any, control: Any,
    ) -> None:  # fmt: skip
        """Play worlds out until told to stop."""
        while control[DONE] < control[LIMIT] and (control[STOP] == 0 or control[DONE] == 0):
            s[0] = pool[pick(bounds, int(control[WORLDS]), _unit(dice))]
            length, learning = 0, True
            for _ in range(LONGEST):
                who = mover(s[0])
                if who < 0:
                    break
                n = legal(s[0], out)
                if n == 1 and length > 0:
                    apply(s[0], int(out[0]))
                    continue
                if who == seat and learning:
                    key = look(s[0], seat, seen, words)
                    at = find(entries, key)
                    if entries[at].key == key:
                        branch = _promising(branches, int(entries[at].first), n)
                        path[length] = branch
                        length += 1
                        learning = length < control[DEPTH]
                        apply(s[0], int(branches[branch].action))
                        continue
                    rank(s[0], out, n, ranks)
                    _chances(ranks, n, chances)
                    if 2 * control[ENTRIES] < entries.size and control[BRANCHES] + n <= branches.size:
                        open_entry(entries, branches, at, key, out, n, chances, control)
                        if length == 0:
                            continue
                    learning = False
                else:
                    rank(s[0], out, n, ranks)
                    _chances(ranks, n, chances)
                apply(s[0], int(out[_drawn(chances, n, dice)]))
            share = won(s[0], seat, scratch)
            for k in range(length):
                branches[path[k]].visits += 1
                branches[path[k]].won += share
            control[DONE] += 1

    return gather, learn


class _Mind:
    """What one thread imagines and learns."""

    def __init__(self, name: str, megabytes: float) -> None:
        book = rulebook(name)
        self._gather, self._learn = compiled_hidden(name)
        state, room = book.rules.State, int(megabytes * (1 << 20))
        worlds = min(_POOL, room // 8 // state.itemsize)
        entries = min(_MOST_ENTRIES, 1 << (room // 8 // ENTRY.itemsize).bit_length() - 1)
        self._view, self._past, self._s, self._seen = (np.zeros(1, state) for _ in range(4))
        self._words = self._seen.view(np.int64).reshape(1, -1)
        self._pool, self._weights, self._bounds = np.zeros(worlds, state), np.zeros(worlds), np.zeros(worlds)
        self.entries, self.branches = np.zeros(entries, ENTRY), np.zeros(min(8 * entries, room // 2 // BRANCH.itemsize), BRANCH)
        self._path = np.zeros(LONGEST, np.int64)
        self._out, self._scratch = book.actions_buffer(), book.scores_buffer()
        self._ranks, self._chances = np.zeros(self._out.size, np.int64), np.zeros(self._out.size)
        self._legal, self._seat = book.rules.legal, 0
        self.control = np.zeros(8, np.int64)
        if not INTERPRET:
            from hanpan.core.compiled import make_ready

            make_ready(f"{name}'s computer player", [(self._gather, self._gathering(rng(0))), (self._learn, self._learning(rng(0)))])

    def begin(self, record: Any, seat: int, depth: int) -> None:
        """Forget everything and look at a position."""
        self._view[0], self._seat = record[0], seat
        self.entries["key"] = 0
        self.control[:] = 0
        self.control[DEPTH] = max(1, min(depth, LONGEST))

    def study(self, plays: int, dice: Any) -> None:
        """Imagine some worlds more and play so many out, unless stopped."""
        self.control[DONE], self.control[LIMIT] = 0, plays
        self.control[WANTED] = min(self._pool.size, self.control[WORLDS] + -(-plays // _PLAYS_A_WORLD))
        self._gather(*self._gathering(dice))
        self._learn(*self._learning(dice))

    def _gathering(self, dice: Any) -> tuple[Any, ...]:
        return self._view, self._seat, self._pool, self._weights, self._bounds, self._past, self._out, self._ranks, dice, self.control

    def _learning(self, dice: Any) -> tuple[Any, ...]:
        return (
            self._seat, self._pool, self._bounds, self._s, self._seen, self._words, self.entries, self.branches, self._path,
            self._out, self._ranks, self._chances, self._scratch, dice, self.control,
        )  # fmt: skip

    def actions(self) -> Any:
        """What was learnt of each legal action: the turn that everything begins with is the first that was opened."""
        return self.branches[: self._legal(self._view[0], self._out)]


class HiddenSearch:
    """The search with its memory; with several threads each imagines worlds of its own, and what they learnt is added."""

    def __init__(self, name: str, megabytes: int, threads: int = 1) -> None:
        self._mover, self._scale = rulebook(name).rules.mover, rulebook(name).evaluation.SCALE
        self._minds = [_Mind(name, megabytes / threads) for _ in range(threads)]

    def stop(self) -> None:
        """End the search that is running, at once."""
        for mind in self._minds:
            mind.control[STOP] = 1

    def think(self, record: Any, seconds: float | None, nodes: int, depth: int, window: int, seed: int, patient: bool = False) -> Iterator[SearchResult]:
        """Thoughts from more and more worlds, until the time or the `nodes` (worlds played out) are used up. depth: own turns that are learnt about."""
        until = None if seconds is None else time.monotonic() + seconds
        for mind in self._minds:
            mind.begin(record, int(self._mover(record[0])), depth)
        spent, step = 0, 64
        while True:
            share = max(1, min(step, nodes - spent) // len(self._minds))
            self._study(share, None if until is None else until - time.monotonic(), seed, spent)
            spent += sum(int(mind.control[DONE]) for mind in self._minds)
            result = self._result(spent)
            yield result
            if any(mind.control[STOP] for mind in self._minds) or spent >= nodes or (len(result.values) == 1 and not patient):
                return
            if until is not None and time.monotonic() >= until:
                return
            step = spent  # twice as much each time

    def _study(self, plays: int, seconds: float | None, seed: int, spent: int) -> None:
        def work(number: int, mind: _Mind) -> None:
            with alarm(mind.control, STOP, seconds):
                mind.study(plays, rng(seed, number << 40 | spent))

        others = [threading.Thread(target=work, args=pair, daemon=True) for pair in list(enumerate(self._minds))[1:]]
        for thread in others:
            thread.start()
        work(0, self._minds[0])
        for thread in others:
            thread.join()

    def _result(self, spent: int) -> SearchResult:
        visits: dict[int, int] = {}
        won: dict[int, float] = {}
        for mind in self._minds:
            for branch in mind.actions():
                action = int(branch["action"])
                visits[action] = visits.get(action, 0) + int(branch["visits"])
                won[action] = won.get(action, 0.0) + float(branch["won"])
        hope = added(won.values()) / max(1, sum(visits.values())) - _CAUTION
        ranked = sorted(visits, key=lambda action: -visits[action])
        values = {action: self._points((won[action] + _DOUBT * hope) / (visits[action] + _DOUBT)) for action in ranked}
        return SearchResult(values, 0, spent, (ranked[0],), exact=frozenset(action for action in ranked if visits[action] > 20))

    def _points(self, share: float) -> float:
        share = min(max(share, _NO_CHANCE), 1 - _NO_CHANCE)
        return self._scale * log(share / (1 - share)) / 1.1
