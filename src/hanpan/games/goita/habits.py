"""What a player does out of habit: how much it prefers each action, knowing its own hand and what everyone saw.

The preferences are a sum of learnt weights, one for every trait that an action has here (which koma attacks, how many like it are
left, who let such an attack pass …), in hundredths: a player takes an action with chance proportional to exp(preference / 100).
They were learnt from self-play. Nothing here looks at another seat's hand, so a view and the world behind it give the same.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from hanpan.core.rule import Ints, Record, rule

from .koma import JEWEL, KING, SHI, TOTAL, held
from .rules import PASS, final_points
from .table import PLAY, leads

KIND = np.array([0, 0, 1, 2, 3, 3, 4, 4, 5, 5])  # komas that attack alike: し, 香, 馬, the two thirties, the two forties, kings

# Where the weights of each family of traits begin; the sizes are those of the mixed radix in `prefer_pair` and `prefer_pass`.
ATTACKS = 0
BLOCKS = ATTACKS + 3 * 2 * 9 * 4
UNSEEN = BLOCKS + 3 * 2 * 9 * 4
SEATS = UNSEEN + 6 * 6 * 3 * 4
LAST_TWO = SEATS + 3 * 3 * 6 * 2 * 2 * 2
KEPT = LAST_TWO + 10 * 10
TWINS = KEPT + 2 * 6 * 3
PAIRS = TWINS + 3 * 9
STOPPED = PAIRS + 2 * 9 * 9
RACE = STOPPED + 4 * 3 * 9 * 4
SPARE = RACE + 4 * 3 * 3 * 4 * 4
HOPE = SPARE + 3 * 6 * 3
HAND = HOPE + 2 * 3 * 2 * 2
WEIGHTS = np.load(Path(__file__).parent / "weights.npy").astype(np.int64)
if WEIGHTS.shape != (HAND + 4 * 6 * 3,):
    raise ValueError(f"weights.npy: {WEIGHTS.shape} weights, {HAND + 4 * 6 * 3} traits")


@rule
def recall(s: Record, me: int) -> tuple[int, int, int]:
    """What a seat has seen: all komas it knows of, packed like a hand; which attacks of opponents each seat let pass and which it made, nine bits a seat."""
    known = int(s.hand[me])
    let_pass = 0
    made = 0
    turn = int(s.dealer)
    attacker = turn
    attack = 0
    for i in range(int(s.count)):
        pair = int(s.turns[i])
        if pair == 0:
            if (turn ^ attacker) & 1:
                let_pass |= 1 << (9 * turn + attack - 1)
        else:
            attack = pair % 10
            known += 1 << (4 * attack)
            if turn != attacker or turn == me:  # face up, or its own
                known += 1 << (4 * (pair // 10))
            made |= 1 << (9 * turn + attack - 1)
            attacker = turn
        turn = (turn + 1) & 3
    return known, let_pass, made


@rule
def kings(hand: int) -> int:
    """How many kings a hand holds."""
    return held(hand, KING) + held(hand, JEWEL)


@rule
def unseen(known: int, code: int) -> int:
    """How many komas like this one a seat has not seen, five at most; kings are alike."""
    return 2 - kings(known) if code >= KING else min(int(TOTAL[code]) - held(known, code), 5)


@rule
def bit(bits: int, seat: int, code: int) -> int:
    """A seat's bit for a code in what `recall` found."""
    return (bits >> (9 * seat + code - 1)) & 1


@rule
def prefer_pair(s: Record, me: int, known: int, let_pass: int, made: int, block: int, attack: int) -> int:
    """The preference for laying a pair that does not go out."""
    laid = int(s.placed[me]) >> 1
    lead = 1 if leads(s) else 0
    kind = int(KIND[attack])
    rest = int(s.hand[me]) - (1 << (4 * block)) - (1 << (4 * attack))
    danger = (1 if s.placed[(me + 1) & 3] == 6 else 0) + (2 if s.placed[(me + 3) & 3] == 6 else 0)
    total = int(WEIGHTS[ATTACKS + ((laid * 2 + lead) * 9 + attack - 1) * 4 + min(held(rest, attack), 3)])
    total += int(WEIGHTS[BLOCKS + ((laid * 2 + lead) * 9 + block - 1) * 4 + min(held(rest, block), 3)])
    total += int(WEIGHTS[UNSEEN + ((kind * 6 + unseen(known, attack)) * 3 + 2 - kings(known)) * 4 + danger])
    for way in range(3):
        other = (me + 1 + way) & 3
        heard = bit(let_pass, other, attack) * 2 + bit(made, other, attack)
        total += int(WEIGHTS[SEATS + (((way * 3 + laid) * 6 + kind) * 4 + heard) * 2 + (1 if s.placed[other] == 6 else 0)])
    if laid == 2:
        total += int(WEIGHTS[LAST_TWO + last_two(rest)])
    else:
        total += int(WEIGHTS[KEPT + (laid * 6 + min(held(rest, SHI), 5)) * 3 + kings(rest)])
    if block == attack:
        total += int(WEIGHTS[TWINS + laid * 9 + attack - 1])
    return total + int(WEIGHTS[PAIRS + lead * 81 + (block - 1) * 9 + attack - 1])


@rule
def last_two(rest: int) -> int:
    """Two komas as a number, the lower code first."""
    low = 0
    high = 0
    for code in range(1, 10):
        if held(rest, code) != 0:
            low = code if low == 0 else low
            high = code
    return low * 10 + high


@rule
def prefer_pass(s: Record, me: int, known: int, let_pass: int, made: int) -> int:
    """The preference for letting an attack pass that the seat could block."""
    hand = int(s.hand[me])
    attack = int(s.attack)
    attacker = int(s.attacker)
    laid = int(s.placed[me]) >> 1
    partner = me ^ 2
    way = 0 if attacker == partner else 1 if attacker == (me + 1) & 3 else 2
    blocks = kings(hand) if attack >= KING else min(held(hand, attack), 3)
    ahead = min((int(s.placed[attacker]) >> 1) - 1, 2)
    fourth = (me + 1) & 3 if way == 0 else attacker ^ 2
    total = int(WEIGHTS[STOPPED + ((laid * 3 + way) * 9 + attack - 1) * 4 + blocks])
    total += int(WEIGHTS[RACE + (((laid * 3 + way) * 3 + ahead) * 4 + (int(s.placed[partner]) >> 1)) * 4 + (int(s.placed[fourth]) >> 1)])
    total += int(WEIGHTS[SPARE + (way * 6 + unseen(known, attack)) * 3 + 2 - kings(known)])
    if way != 1:  # somebody who matters is still to answer: the partner, or the left opponent
        next_one = partner if way == 2 else (me + 1) & 3
        total += int(WEIGHTS[HOPE + (((way >> 1) * 3 + ahead) * 2 + bit(let_pass, next_one, attack)) * 2 + bit(made, next_one, attack)])
    return total + int(WEIGHTS[HAND + (laid * 6 + min(held(hand, SHI), 5)) * 3 + kings(hand)])


@rule
def rank(s: Record, actions: Ints, n: int, ranks: Ints) -> None:
    """Write the preference of the seat to act for each of n legal actions; whoever can go out does, with as many points as possible."""
    if s.phase != PLAY:
        for i in range(n):
            ranks[i] = 0
        return
    me = int(s.turn)
    known, let_pass, made = recall(s, me)
    for i in range(n):
        a = int(actions[i])
        block = (a + 8) // 9
        attack = a + 9 - 9 * block
        if s.placed[me] == 6:
            ranks[i] = 0 if a == PASS else 100 * final_points(leads(s), block, attack)
        elif a == PASS:
            ranks[i] = prefer_pass(s, me, known, let_pass, made)
        else:
            ranks[i] = prefer_pair(s, me, known, let_pass, made, block, attack)
