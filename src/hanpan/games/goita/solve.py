"""The exact value of every turn when all hands are open: points for the team of the seat to move.

An alpha-beta search over one round with a table of positions met. A position is one integer: what is left of a hand is a number
below 256 (how many of each code, in mixed radix: eight komas have at most 2⁸ part-hands), so four hands are 32 bits; whose
turn, who attacks with what and whether a king lies face up are nine more. The key is exact: no two positions share it.

`values` is the whole of it for one position. `solve` does the same in compiled code with arrays that are made once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hanpan.core.rule import Ints, Record, rule

from .koma import JEWEL, KING, POINTS, held, size, stops
from .rules import MOST_LEGAL, PASS, final_points, legal
from .table import MOST_TURNS, PLAY

MOST = 100  # no round is worth more
NOT_YET = -1000  # no value: the moves are still to be tried, or the budget is spent
LEVELS = MOST_TURNS + 2  # of the stack

# Columns of a level of the stack: the position, the window, what the moves tried so far gave, the list of moves.
TURN, ATTACKER, ATTACK, KING_UP, KEY, LOW, HIGH, FIRST_LOW, FIRST_HIGH, BEST, BEST_MOVE, LENGTH, NEXT, MOVED = range(14)


# The arrays that a search needs: hands, weights, stack, lists of moves, and a table that remembers positions of one deal: it must be zero for another.
SOLVE_ROOM = ((4,), (4, 10), (LEVELS, 14), (LEVELS, MOST_LEGAL), (1 << 20, 2))


def values(s: Record, budget: int = 100_000_000) -> dict[int, int] | None:
    """What each legal action of an open position in play is worth to the mover's team; None if it takes more positions than the budget."""
    if s.phase != PLAY:
        raise ValueError("solve: no round is being played here")
    actions, worth = np.zeros((2, MOST_LEGAL), np.int32)
    room = [*(np.zeros(shape, np.int64) for shape in SOLVE_ROOM), np.array([0, budget], np.int64)]
    n = solve(s, actions, worth, *room)
    return {int(actions[i]): int(worth[i]) for i in range(n)} if n >= 0 else None


@rule
def can_stop(hand: int, attack: int) -> bool:
    """Whether a hand holds a koma that blocks the attack."""
    return held(hand, attack) != 0 or (attack >= 3 and (hand >> (4 * KING)) != 0)


@rule
def key_of(hands: Any, weights: Any, turn: int, attacker: int, attack: int, king: int) -> int:
    """The position as one integer."""
    key = 1
    for seat in range(4):
        rest = 0
        hand = int(hands[seat])
        for code in range(1, 10):
            rest += held(hand, code) * int(weights[seat, code])
        key = key << 8 | rest
    return key << 9 | turn << 7 | attacker << 5 | attack << 1 | king


@rule
def slot_of(key: int, slots: int) -> int:
    """The row of the table where a position is kept; slots: a power of two."""
    return (((key * 0x1E3779B97F4A7C15) & 0x7FFFFFFFFFFFFFFF) >> 32) & (slots - 1)


@rule
def list_moves(hands: Any, turn: int, attacker: int, attack: int, king: int, first: int, moves: Ints) -> int:
    """Write the moves that do not go out, the most promising first: 0 a pass, else 10 · block + attack. `first`: a move to try before all.

    Of two kings in a hand only one is tried: they are worth the same. Each entry is sorted with its promise times 100 added.
    """
    hand = int(hands[turn])
    partner = int(hands[turn ^ 2])
    left = int(hands[(turn + 1) & 3])
    right = int(hands[(turn + 3) & 3])
    lead = turn == attacker
    n = 0
    if not lead:
        moves[0] = (500 if attacker == turn ^ 2 else 100) * 100
        if first == 0:
            moves[0] += 100000
        n = 1
    highest = JEWEL if king != 0 or (held(hand, KING) != 0 and held(hand, JEWEL) != 0) else KING - 1
    for block in range(1, 10):
        if size(hand) > 2 and held(hand, block) != 0 and (lead or stops(block, attack)) and not (block == JEWEL and held(hand, KING) != 0):
            rest = hand - (1 << (4 * block))
            for strike in range(1, highest + 1):
                if held(rest, strike) != 0 and not (strike == JEWEL and held(rest, KING) != 0):
                    worth = 300 - int(POINTS[strike]) - int(POINTS[block]) // 2
                    if not can_stop(left, strike):
                        worth += 100
                    if not can_stop(right, strike):
                        worth += 100
                    if can_stop(partner, strike):
                        worth += 30
                    moves[n] = worth * 100 + 10 * block + strike
                    if 10 * block + strike == first:
                        moves[n] += 100000
                    n += 1
    for i in range(1, n):
        move = moves[i]
        j = i
        while j > 0 and moves[j - 1] < move:
            moves[j] = moves[j - 1]
            j -= 1
        moves[j] = move
    for i in range(n):
        moves[i] %= 100
    return n


@rule
def going_out(hand: int, lead: bool, attack: int) -> int:
    """The most points that a hand of two komas can go out with now, 0 if it can't."""
    best = 0
    for block in range(1, 10):
        if held(hand, block) != 0 and (lead or stops(block, attack)):
            rest = hand - (1 << (4 * block))
            for strike in range(1, 10):
                if held(rest, strike) != 0:
                    best = max(best, final_points(lead, block, strike))
    return best


@rule
def arrive(hands: Any, weights: Any, top: Any, moves: Ints, table: Any) -> int:
    """Come to the position at the top of the stack: its value if that needs no search, else NOT_YET, and its moves are listed."""
    turn = int(top[TURN])
    attacker = int(top[ATTACKER])
    attack = int(top[ATTACK])
    while turn != attacker and not can_stop(int(hands[turn]), attack):
        turn = (turn + 1) & 3  # who can't block passes
    lead = turn == attacker
    attack = 0 if lead else min(attack, KING)
    king = int(top[KING_UP])
    if (int(hands[0]) | int(hands[1]) | int(hands[2]) | int(hands[3])) >> (4 * KING) == 0:
        king = 1  # it makes no difference any more
    sign = 1 - 2 * (turn & 1)
    best = -sign * MOST * 2
    if size(int(hands[turn])) == 2:
        points = going_out(int(hands[turn]), lead, attack)
        if lead:
            return sign * points
        if points > 0:
            best = sign * points
    low = int(top[LOW])
    high = int(top[HIGH])
    key = key_of(hands, weights, turn, attacker, attack, king)
    slot = slot_of(key, table.shape[0])
    first = -1
    if table[slot, 0] == key:
        known = int(table[slot, 1])
        lower = (known & 255) - 128
        upper = ((known >> 8) & 255) - 128
        first = (known >> 16) - 1
        if lower >= high or lower == upper:
            return lower
        if upper <= low:
            return upper
        low = max(low, lower)
        high = min(high, upper)
    top[TURN] = turn
    top[ATTACK] = attack
    top[KING_UP] = king
    top[KEY] = key
    top[FIRST_LOW] = low
    top[FIRST_HIGH] = high
    top[LOW] = max(low, best) if sign > 0 else low
    top[HIGH] = high if sign > 0 else min(high, best)
    top[BEST] = best
    top[BEST_MOVE] = -1
    top[LENGTH] = list_moves(hands, turn, attacker, attack, king, first, moves)
    top[NEXT] = 0
    return NOT_YET


@rule
def descend(hands: Any, top: Any, under: Any, move: int) -> None:
    """Try a move: `under` becomes the position after it."""
    turn = int(top[TURN])
    top[NEXT] += 1
    top[MOVED] = move
    under[LOW] = top[LOW]
    under[HIGH] = top[HIGH]
    under[TURN] = (turn + 1) & 3
    under[ATTACKER] = top[ATTACKER]
    under[ATTACK] = top[ATTACK]
    under[KING_UP] = top[KING_UP]
    if move != 0:
        block = move // 10
        strike = move % 10
        hands[turn] -= (1 << (4 * block)) + (1 << (4 * strike))
        under[ATTACKER] = turn
        under[ATTACK] = strike
        if strike >= KING or (block >= KING and turn != top[ATTACKER]):
            under[KING_UP] = 1


@rule
def give_back(hands: Any, top: Any) -> None:
    """Take the komas of the tried move back into the hand."""
    move = int(top[MOVED])
    if move != 0:
        hands[top[TURN]] += (1 << (4 * (move // 10))) + (1 << (4 * (move % 10)))


@rule
def weigh(top: Any, result: int) -> None:
    """Note what the tried move gave: seats 1 and 3 want much, 2 and 4 little."""
    if top[TURN] & 1 == 0:
        if result > top[BEST]:
            top[BEST] = result
            top[BEST_MOVE] = top[MOVED]
            top[LOW] = max(int(top[LOW]), result)
    elif result < top[BEST]:
        top[BEST] = result
        top[BEST_MOVE] = top[MOVED]
        top[HIGH] = min(int(top[HIGH]), result)


@rule
def keep(top: Any, table: Any) -> int:
    """The position is searched: remember what is known of its value now, and give it."""
    result = int(top[BEST])
    key = int(top[KEY])
    slot = slot_of(key, table.shape[0])
    lower = -MOST
    upper = MOST
    if table[slot, 0] == key:
        known = int(table[slot, 1])
        lower = (known & 255) - 128
        upper = ((known >> 8) & 255) - 128
    if result > top[FIRST_LOW]:
        lower = max(lower, result)
    if result < top[FIRST_HIGH]:
        upper = min(upper, result)
    table[slot, 0] = key
    table[slot, 1] = (lower + 128) | (upper + 128) << 8 | (int(top[BEST_MOVE]) + 1) << 16
    return result


@rule
def value(hands: Any, weights: Any, stack: Any, lists: Any, table: Any, nodes: Any, turn: int, attacker: int, attack: int, king: int) -> int:
    """What a position is worth to the team 1+3, or NOT_YET when the budget is spent."""
    stack[0, TURN] = turn
    stack[0, ATTACKER] = attacker
    stack[0, ATTACK] = attack
    stack[0, KING_UP] = king
    stack[0, LOW] = -MOST
    stack[0, HIGH] = MOST
    level = 0
    arriving = True
    result = 0
    while level >= 0:
        top = stack[level]
        if arriving:
            arriving = False
            nodes[0] += 1
            if nodes[0] > nodes[1]:
                return NOT_YET
            result = arrive(hands, weights, top, lists[level], table)
            if result != NOT_YET:
                level -= 1
                continue
        else:
            give_back(hands, top)
            weigh(top, result)
        if top[NEXT] < top[LENGTH] and top[LOW] < top[HIGH]:
            descend(hands, top, stack[level + 1], int(lists[level, top[NEXT]]))
            level += 1
            arriving = True
        else:
            result = keep(top, table)
            level -= 1
    return result


@rule
def solve(s: Record, actions: Ints, worth: Ints, hands: Any, weights: Any, stack: Any, lists: Any, table: Any, nodes: Any) -> int:
    """Write the legal actions of an open position in play and what each is worth to the mover's team; their number, or −1 when the budget is spent.

    nodes: positions met, and how many may be. Where no round is being played there is nothing to write.
    """
    if s.phase != PLAY:
        return 0
    for seat in range(4):
        hands[seat] = s.hand[seat]
        radix = 1
        for code in range(1, 10):
            weights[seat, code] = radix
            radix *= held(int(s.hand[seat]), code) + 1
    turn = int(s.turn)
    after = (turn + 1) & 3
    attacker = int(s.attacker)
    sign = 1 - 2 * (turn & 1)
    n = legal(s, actions)
    nodes[0] = 0
    for i in range(n):
        a = int(actions[i])
        block = (a + 8) // 9
        strike = a + 9 - 9 * block
        if a == PASS:
            result = value(hands, weights, stack, lists, table, nodes, after, attacker, int(s.attack), int(s.king))
        elif s.placed[turn] == 6:
            result = sign * final_points(turn == attacker, block, strike)
        else:
            spent = (1 << (4 * block)) + (1 << (4 * strike))
            king = 1 if strike >= KING or (block >= KING and turn != attacker) else int(s.king)
            hands[turn] -= spent
            result = value(hands, weights, stack, lists, table, nodes, after, turn, strike, king)
            hands[turn] += spent
        if result == NOT_YET:
            return -1
        worth[i] = sign * result
    return n
