"""Alpha-beta for two seats without secrets, compiled over any game's rules and its `evaluate.py`.

Iterative deepening, principal variation search with late-move reductions, a transposition table, killers and history for
ordering. Positions are hashed as raw memory, so a game needs to provide nothing for it.

Where a game lists only what is worth it and says by how much a ply changes a position (`candidates`, `MARGIN`), the search is bold: late actions are looked at
the less deeply the later they come and the deeper it looks, near the leaves the last of them not at all, and what is far ahead not at length. So a long list
costs little. Right above the leaves, where most lists would be made, one action is guessed first (`guess`): mostly it is enough, one way or the other.

A value beyond SURE is a proof: the game ends within so many plies, whatever the loser plays. That none of some actions helps proves nothing as long as there
are others, so where a game searches only what is worth it (`candidates`, `prune`), such a loss counts as believed: also in plies, but below every proof.
What a proof says holds at any depth and is remembered so. What going in a circle is worth depends on the way that led there: no value that rests on a circle
closed above a position is remembered for that position.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from hanpan.core.rule import OVER, rule
from hanpan.rulebook import rulebook

WIN = 1_000_000  # a won game, less the plies to get there
SURE = WIN - 10_000  # values beyond are decided games
BELIEVED = 900_000  # a game won against all that was looked at, less the plies to get there
NEAR = BELIEVED - 10_000  # values beyond count plies
DEEPEST = 96  # plies from the root
STOP, NODES, LIMIT, PROVEN, PAUSE = range(5)  # places in `control`
_PLY, _LEFT, _OVER, _UNDER, _ROOT, _TOP, _ALL_SOUND, _HOW = range(5, 13)  # and in it, where a search that paused goes on; _PLY: 0 if it begins
CONTROL = 13
PAUSED = 2  # control[STOP]: not told to stop, but NODES has come to PAUSE

_EXACT, _LOWER, _UPPER = 0, 1, 2  # what a value in the table is
_REDUCED, _NARROW, _WHOLE, _PASSED = range(4)  # how a child is being searched: less deeply, against alpha only, with the whole window; after passing
_ME, _DEPTH, _ALPHA, _BETA, _FLOOR, _BEST, _ACTION, _I, _N, _STAGE, _HASH, _SOUND, _LOOP, _KNOWN, _STATIC = range(15)  # places in a frame
FRAME = 15
_UNLISTED = -1  # how many actions there are, as long as nobody needed to know
_NO_LOOP = DEEPEST  # a ply that no circle is closed at
_OFFSET = 1 << 21
_TO_THE_END = 255  # the depth of what was searched until every game in it was over: nothing deeper can change it
_LOGS = np.array([0, *(int(100 * np.log(k)) for k in range(1, 512))], np.int64)  # logarithms, in hundredths
_HALF, _SLOPE = 5_000, 12_000  # a late action is looked at less deeply by (half + the logarithm of the depth × that of its place) / slope
_SHALLOW, _FEW, _MORE = 5, 2, 1  # up to this depth only so many actions are looked at against alpha: few + more × depth²
_AHEAD = 6  # up to this depth what is ahead by a margin for every ply is not looked at
_STRIDE, _LEAD = 4, 200  # passing is looked at less deeply by a ply for every so much depth, and for every so much that one is ahead
_BLIND = 4  # from this depth on, where nothing is known yet, it is looked at one ply less deeply first
_USED = 1 << 16  # what history counts at most, either way
_LOW = 2  # up to this depth one good action is guessed before all are listed
_HOPELESS = 2  # right above the leaves a first action that is worse than alpha by so many margins tells enough
_MIX = 0x1E3779B97F4A7C15
_LOW62 = 0x3FFFFFFFFFFFFFFF


@rule
def hash_words(words: Any, i: int) -> int:
    """A 62-bit hash of record i, seen as rows of 64-bit words."""
    h = 0x2545F4914F6CDD1D
    for k in range(words.shape[1]):
        h = ((h ^ int(words[i, k])) * _MIX) & _LOW62
        h = h ^ (h >> 29)
    return h


@rule
def _pack(value: int, depth: int, bound: int, move: int) -> int:
    return ((value + _OFFSET) << 26) | (depth << 18) | (bound << 16) | move


@rule
def _place(table: Any, h: int) -> int:
    """Where the table tells of a position, if it does: a position has two places."""
    at = h & (int(table.shape[0]) - 1)
    return at ^ 1 if table[at ^ 1, 0] == h else at


@rule
def _room(table: Any, h: int, deep: int) -> int:
    """Where to keep a position: an estimate does not take the place of another position's proof, so that a win that was seen is still known a move later."""
    at = h & (int(table.shape[0]) - 1)
    if table[at, 0] == h:
        return at
    if table[at ^ 1, 0] == h or (deep < _TO_THE_END and (int(table[at, 1]) >> 18) & 0xFF == _TO_THE_END):
        return at ^ 1
    return at


@rule
def _stored(value: int, ply: int) -> int:
    """A value as the table keeps it: decided games counted from the position itself, not from the root."""
    if value > NEAR:
        return value + ply
    if value < -NEAR:
        return value - ply
    return value


@rule
def _recalled(value: int, ply: int) -> int:
    if value > NEAR:
        return value - ply
    if value < -NEAR:
        return value + ply
    return value


@cache
def compiled_search(name: str) -> tuple[Any, Any]:
    """`(search_root, recall)` for a game."""
    rules, judge = rulebook(name).rules, rulebook(name).evaluation
    mover, legal, apply, outcome = rules.mover, rules.legal, rules.apply, rules.outcome
    values, rank_all, prune, late = judge.values, judge.ranking, judge.prune, judge.LATE
    ahead, looks_ahead, guess = judge.ahead, judge.looks_ahead, judge.guess
    margin, passes, skip = judge.MARGIN, judge.skip is not None, judge.skip or mover
    settled, settles = judge.settled, judge.settles
    chosen = judge.candidates is not None
    bold = chosen and margin > 0

    @rule
    def listed(s: Any, actions: Any, ranks: Any, depth: int, room: Any) -> int:
        n = prune(s, actions, legal(s, actions), depth)
        rank_all(s, actions, n, ranks)
        return int(n)

    candidates = judge.candidates or listed

    @rule
    def finished(s: Any, me: int, ply: int, scratch: Any) -> int:
        """The value of a finished game for a seat."""
        winners = outcome(s, scratch)
        if winners == 0 or winners == 3:
            return 0
        return WIN - ply if winners >> me & 1 else ply - WIN

    @rule
    def judged(s: Any, me: int, scratch: Any) -> int:
        values(s, scratch)
        return int(scratch[me]) - int(scratch[1 - me])

    @rule
    def pick(actions: Any, rank: Any, i: int, n: int) -> int:
        """Bring the highest-ranked of the actions i … n−1 to place i."""
        top, best = i, rank[np.uint64(i)]
        for j in range(i + 1, n):
            if rank[np.uint64(j)] > best:
                top, best = j, rank[np.uint64(j)]
        action = actions[np.uint64(top)]
        actions[np.uint64(top)], rank[np.uint64(top)] = actions[np.uint64(i)], rank[np.uint64(i)]
        actions[np.uint64(i)], rank[np.uint64(i)] = action, best
        return int(action)

    @rule
    def list_all(s: Any, actions: Any, rank: Any, frame: Any, history: Any, killers: Any, room: Any) -> None:
        """List the actions of a position; the one that the table knew comes first."""
        known = int(frame[_KNOWN])
        n, at = int(candidates(s, actions, rank, int(frame[_DEPTH]), room)), -1
        for i in range(n):
            a = actions[i]
            rank[i] = rank[i] * 64 + history[np.uint64(a)]
            if a == known:
                at = i
            elif a == killers[0]:
                rank[i] += 1 << 30
            elif a == killers[1]:
                rank[i] += 1 << 29
        if known >= 0:
            if at < 0:
                at, n = n, n + 1
            actions[at], rank[at] = actions[0], rank[0]
            actions[0] = known
        frame[_N] = n

    @rule
    def first(s: Any, actions: Any, rank: Any, frame: Any, history: Any, killers: Any, room: Any) -> int:
        """The action to begin with: the one that the table knew, or near the leaves one that is guessed. It needs no list, and is mostly enough."""
        if frame[_KNOWN] < 0 and frame[_DEPTH] <= _LOW:
            frame[_KNOWN] = guess(s, history)
        if frame[_KNOWN] >= 0:
            actions[0] = frame[_KNOWN]
            return int(frame[_KNOWN])
        list_all(s, actions, rank, frame, history, killers, room)
        return int(pick(actions, rank, 0, int(frame[_N])))

    @rule
    def reduction(depth: int, i: int) -> int:
        """How much less deeply the action at place i is looked at, where an early one is looked at with this depth."""
        if bold:
            return int(max(min((_HALF + _LOGS[depth + 1] * _LOGS[i]) // _SLOPE, depth - 1), 0))
        return 1 + (1 if i >= 3 * late else 0) + (1 if depth >= 5 and i >= 8 * late else 0)

    @rule
    def enough(depth: int, i: int) -> bool:
        """Whether i actions that are no better than alpha tell enough at this depth."""
        return bold and depth <= _SHALLOW and i >= _FEW + _MORE * depth * depth

    @rule
    def remember(history: Any, actions: Any, i: int, depth: int) -> None:
        """The action at place i was good, those before it were not."""
        if not bold:
            history[actions[i]] = min(history[actions[i]] + depth * depth, 1 << 20)
            return
        gain = min(64 * depth * depth, _USED // 8)
        for j in range(i):
            history[actions[j]] -= gain + history[actions[j]] * gain // _USED
        history[actions[i]] += gain - history[actions[i]] * gain // _USED

    @rule
    def search(
        stack: Any, words: Any, lists: Any, ranks: Any, frames: Any, table: Any, history: Any, killers: Any, control: Any, scratch: Any, room: Any,
        depth: int, alpha: int, beta: int, viewer: int,
    ) -> int:  # fmt: skip
        """The value for the seat `viewer` of the position at ply 1, whoever is to act there.

        A machine with a stack of frames instead of a function that calls itself: Numba can't keep recursive code on disk.
        control[PROVEN] tells whether no estimate went into the value.
        """
        ply, entering, value, sound, loop = 1, True, 0, 0, _NO_LOOP
        if control[_PLY] > 0:
            ply, depth, alpha, beta = int(control[_PLY]), int(control[_LEFT]), int(control[_OVER]), int(control[_UNDER])
            control[_PLY] = 0
        while True:
            if entering:  # the position at `ply` is to be searched with depth, alpha and beta, for its parent's seat
                asker = viewer if ply == 1 else int(frames[ply - 1, _ME])
                if control[NODES] >= control[PAUSE] and control[STOP] == 0:
                    control[STOP], control[_PLY], control[_LEFT], control[_OVER], control[_UNDER] = PAUSED, ply, depth, alpha, beta
                    return 0
                control[NODES] += 1
                if control[NODES] >= control[LIMIT]:
                    control[STOP] = 1
                if control[STOP] != 0:
                    return 0
                me = mover(stack[ply])
                known, sound, loop = True, 0, _NO_LOOP
                end = settled(stack[ply], depth) if settles and me >= 0 else 0
                if me == OVER:
                    value, sound = finished(stack[ply], asker, ply, scratch), 1
                elif end != 0:
                    value, sound = WIN - ply - abs(end), 1
                    if (end > 0) != (me == asker):
                        value = -value
                elif me < 0 or depth <= 0 or ply >= DEEPEST - 1:
                    value = judged(stack[ply], asker, scratch)
                else:
                    known = False
                    sign = 1
                    if me != asker:  # from here on everything is seen by the seat to act
                        sign = -1
                        low = -beta
                        beta = -alpha
                        alpha = low
                    if looks_ahead and depth == 1:  # only leaves below: the game itself finds the best of them, faster than the table would remember it
                        n = prune(stack[ply], lists[ply], legal(stack[ply], lists[ply]), depth)
                        best, looked = ahead(stack[ply], lists[ply], n, beta, WIN - ply - 1)
                        control[NODES] += looked
                        value, known = sign * best, looked > 0
                    if not known:
                        h = hash_words(words, ply)
                        frames[ply, _HASH] = h
                        for k in range(ply - 1, -1, -1):
                            if frames[np.uint64(k), _STAGE] == _PASSED:
                                break  # what nobody could really play closes no circle
                            if frames[np.uint64(k), _HASH] == h:
                                value, known, loop = 0, True, k  # going round in circles wins nothing
                                break
                        best_known = -1
                        slot = _place(table, h)
                        if not known and table[slot, 0] == h:
                            entry = int(table[slot, 1])
                            best_known = entry & 0xFFFF
                            if (entry >> 18) & 0xFF >= depth:
                                stored = _recalled((entry >> 26) - _OFFSET, ply)
                                bound = (entry >> 16) & 3
                                if bound == _EXACT or (bound == _LOWER and stored >= beta) or (bound == _UPPER and stored <= alpha):
                                    value, known = sign * stored, True
                                    sound = 1 if (entry >> 18) & 0xFF == _TO_THE_END else 0
                static = -WIN
                if (margin > 0 or passes) and not known and beta < NEAR:
                    static = judged(stack[ply], me, scratch)
                    if margin > 0 and depth <= _AHEAD and static - margin * depth >= beta:
                        value, known = sign * static, True  # so good that the other will not let it come to this
                if bold and not known and best_known < 0 and depth >= _BLIND:
                    depth -= 1
                if not known:
                    frame = frames[ply]
                    frame[_ME], frame[_DEPTH], frame[_ALPHA], frame[_BETA], frame[_FLOOR] = me, depth, alpha, beta, alpha
                    frame[_BEST], frame[_ACTION], frame[_I], frame[_N], frame[_STAGE] = -WIN, 0, 0, _UNLISTED, _WHOLE
                    frame[_SOUND], frame[_LOOP], frame[_KNOWN], frame[_STATIC] = 1, _NO_LOOP, best_known, static
                    stack[ply + 1] = stack[ply]
                    if passes and depth >= 3 and static >= beta and frames[ply - 1, _STAGE] != _PASSED:
                        frame[_STAGE] = _PASSED
                        skip(stack[ply + 1])
                        depth -= 3 + depth // _STRIDE + min((static - beta) // _LEAD, 3)
                        alpha = beta - 1
                    else:
                        apply(stack[ply + 1], first(stack[ply], lists[ply], ranks[ply], frame, history[me], killers[ply], room))
                        depth -= 1
                    ply += 1
                    continue
                entering = False
            # `value` is the answer to whoever asked
            if ply == 1:
                control[PROVEN] = sound
                return value
            ply -= 1
            frame = frames[ply]
            depth, alpha, beta = int(frame[_DEPTH]) - 1, int(frame[_ALPHA]), int(frame[_BETA])
            me = int(frame[_ME])
            if frame[_STAGE] == _PASSED:
                if value < beta or value > NEAR:  # passing would not do: now in earnest
                    frame[_STAGE] = _WHOLE
                    stack[ply + 1] = stack[ply]
                    apply(stack[ply + 1], first(stack[ply], lists[ply], ranks[ply], frame, history[me], killers[ply], room))
                    entering = True
                    ply += 1
                    continue
                asker = viewer if ply == 1 else int(frames[ply - 1, _ME])
                value, sound, loop = value if frame[_ME] == asker else -value, 0, _NO_LOOP
                continue
            if frame[_STAGE] == _REDUCED and value > alpha:
                frame[_STAGE] = _NARROW
                entering, beta = True, alpha + 1
                ply += 1
                continue
            if frame[_STAGE] != _WHOLE and alpha < value < beta:
                frame[_STAGE] = _WHOLE
                entering = True
                ply += 1
                continue
            i = int(frame[_I])
            action = int(lists[ply, i])
            if value > frame[_BEST]:
                frame[_BEST], frame[_ACTION] = value, action
                if value > alpha:
                    frame[_ALPHA] = value
                    alpha = value
            if value >= beta:
                if killers[ply, 0] != action:
                    killers[ply, 1] = killers[ply, 0]
                    killers[ply, 0] = action
                remember(history[me], lists[ply], i, depth + 1)
            sound = sound if value >= beta else sound & int(frame[_SOUND])  # one good action is enough; that none is better takes all of them
            frame[_SOUND] = sound
            frame[_LOOP] = loop if value >= beta else min(loop, int(frame[_LOOP]))
            i += 1
            narrow = frame[_FLOOR] + 1 == beta and frame[_BEST] > -NEAR
            hopeless = bold and depth == 0 and narrow and frame[_N] == _UNLISTED and value <= alpha - _HOPELESS * margin
            if value < beta and frame[_N] == _UNLISTED and not hopeless:
                list_all(stack[ply], lists[ply], ranks[ply], frame, history[me], killers[ply], room)
            if value >= beta or i == frame[_N] or hopeless or (narrow and enough(depth + 1, i)):
                best = int(frame[_BEST])
                bound = _EXACT
                if best >= beta:
                    bound = _LOWER
                elif best <= frame[_FLOOR]:
                    bound = _UPPER
                if bound != _LOWER and (sound or best < -SURE) and legal(stack[ply], lists[ply + 1]) > i:  # there are actions that nobody looked at
                    sound = 0
                    if best < -SURE:
                        best += WIN - BELIEVED
                deep = min(depth + 1, _TO_THE_END - 1)
                if (best > SURE and bound != _UPPER) or (best < -SURE and bound != _LOWER):
                    deep, bound = _TO_THE_END, _EXACT  # at least so good, or so bad; a shorter way to the end is not worth another search
                elif sound and abs(best) < SURE:
                    deep = _TO_THE_END
                loop = int(frame[_LOOP])
                if loop >= ply or best > NEAR:
                    loop = _NO_LOOP
                if loop != _NO_LOOP:
                    deep = 0
                slot = _room(table, int(frame[_HASH]), deep)
                table[slot, 0] = frame[_HASH]
                table[slot, 1] = _pack(_stored(best, ply), deep, bound, int(frame[_ACTION]))
                asker = viewer if ply == 1 else int(frames[ply - 1, _ME])
                value = best if me == asker else -best
                continue
            frame[_I] = i
            less = reduction(depth, i) if depth >= 2 and i >= late else 0
            if bold and less > 0 and ply >= 3 and frames[ply - 2, _ME] == me and -WIN < frame[_STATIC] < frames[ply - 2, _STATIC]:
                less = min(less + 1, depth - 1)  # it looks worse than it did at this seat's last turn
            frame[_STAGE] = _REDUCED if less > 0 else _NARROW
            stack[ply + 1] = stack[ply]
            apply(stack[ply + 1], int(pick(lists[ply], ranks[ply], i, int(frame[_N]))))
            depth -= less
            beta = alpha + 1
            entering = True
            ply += 1

    @rule
    def search_root(
        stack: Any, words: Any, lists: Any, ranks: Any, frames: Any, table: Any, history: Any, killers: Any, control: Any, scratch: Any, room: Any,
        roots: Any, found: Any, n: int, depth: int, window: int,
    ) -> int:  # fmt: skip
        """Search the actions roots[:n] in this order to a depth; their values go to found[:n]. How many were finished.

        With window > 0 an action that is worse than the best by more than the window gets only an upper bound.
        If it pauses (control[STOP] is PAUSED then), the same call goes on where it was, once STOP is 0 again and PAUSE further off: it finds the same.
        """
        frames[0, _HASH], frames[0, _STAGE] = hash_words(words, 0), _WHOLE
        me = mover(stack[0])
        begun, best, sound, stage = 0, -WIN, 1, _WHOLE
        again = control[_PLY] > 0
        if again:
            begun, best, sound, stage = int(control[_ROOT]), int(control[_TOP]), int(control[_ALL_SOUND]), int(control[_HOW])
        for i in range(begun, n):
            less = 0
            if chosen and window == 0 and depth >= 3 and i >= max(late, 1):  # the root knows all actions, good and bad: late ones are looked at less deeply
                less = max(reduction(depth - 1, i) - 1, 0)
            if not again:
                stack[1] = stack[0]
                apply(stack[1], int(roots[i]))
                stage = _WHOLE if window != 0 or i == 0 else _REDUCED if less > 0 else _NARROW
            again = False
            floor = -WIN if window < 0 or i == 0 else best - window
            value = 0
            while True:
                deep, top = depth - 1 - less if stage == _REDUCED else depth - 1, WIN if stage == _WHOLE else best + 1
                value = search(stack, words, lists, ranks, frames, table, history, killers, control, scratch, room, deep, floor, top, me)
                if control[STOP] != 0:
                    control[_ROOT], control[_TOP], control[_ALL_SOUND], control[_HOW] = i, best, sound, stage
                    return i
                if stage == _WHOLE or value <= best:
                    break
                stage += 1
            found[i] = value
            sound &= control[PROVEN]
            if value > best:
                best = value
                if best > SURE:  # kept for the position itself too: whoever asks again is told the same
                    slot = _room(table, int(frames[0, _HASH]), _TO_THE_END)
                    table[slot, 0], table[slot, 1] = frames[0, _HASH], _pack(best, _TO_THE_END, _EXACT, int(roots[i]))
        control[PROVEN] = sound
        return n

    @rule
    def recall(stack: Any, words: Any, i: int, table: Any) -> tuple[int, int, int]:
        """What is known of record i without a search.

        The best action, or −1; in how many plies at most it wins for sure, or 0; and what `settled` says.
        """
        h = hash_words(words, i)
        slot = _place(table, h)
        action, plies = -1, 0
        if table[slot, 0] == h:
            entry = int(table[slot, 1])
            action = entry & 0xFFFF
            if (entry >> 18) & 0xFF == _TO_THE_END and (entry >> 26) - _OFFSET > SURE:
                plies = WIN - ((entry >> 26) - _OFFSET)
        return action, plies, int(settled(stack[i], DEEPEST)) if settles and mover(stack[i]) >= 0 else 0

    return search_root, recall
