"""The komas: their codes, numbers and points, and a hand packed into one integer.

Codes 1 … 9 are し 香 馬 銀 金 角 飛 王 玉; code 0 is a koma that the viewer does not know. A hand is one integer with a
hexadecimal digit a code: digit c (bits 4c … 4c+3) says how many komas of code c it holds, digit 0 how many unknown ones.
"""

from __future__ import annotations

import numpy as np

from hanpan.core.rule import Rng, below, rule

SIGNS = "xし香馬銀金角飛王玉"  # what is written on a koma of each code
DIGITS = "x123456789"  # its letter in texts
UNKNOWN, SHI, KING, JEWEL = 0, 1, 8, 9
TOTAL = np.array([0, 10, 4, 4, 4, 4, 2, 2, 1, 1])
POINTS = np.array([0, 10, 20, 20, 30, 30, 40, 40, 50, 50])
ALL = sum(int(n) << 4 * code for code, n in enumerate(TOTAL))  # the whole set as one hand


@rule
def held(hand: int, code: int) -> int:
    """How many komas of a code a hand holds."""
    return (hand >> (4 * code)) & 15


@rule
def size(hand: int) -> int:
    """How many komas a hand holds."""
    pairs = (hand & 0x0F0F0F0F0F) + ((hand >> 4) & 0x0F0F0F0F0F)  # ten digits summed two by two, in five bytes
    return ((((pairs & 0xFFFFFFFF) * 0x01010101) >> 24) & 255) + (pairs >> 32)


@rule
def equal(one: int, other: int) -> bool:
    """Two komas are equal if they have the same code or are both kings."""
    return one == other or (one >= KING and other >= KING)


@rule
def stops(block: int, attack: int) -> bool:
    """Whether a koma blocks an attack: an equal one does, and a king stops everything but し and 香."""
    return block == attack or (block >= KING and attack >= 3)


@rule
def spend(hand: int, code: int) -> int:
    """The hand without one koma of that code; where the hand is unknown, without an unknown one."""
    return hand - (1 << (4 * code)) if held(hand, code) > 0 else hand - 1


@rule
def may_lead(hand: int, highest: int, block: int, attack: int) -> bool:
    """Whether a hand holds both komas of a pair and the second may attack."""
    return held(hand, block) != 0 and held(hand - (1 << (4 * block)), attack) != 0 and attack <= highest


@rule
def random_pair(hand: int, highest: int, rng: Rng) -> int:
    """A random pair that a hand may lead, as an action's number."""
    pairs = 0
    for pair in range(81):
        if may_lead(hand, highest, pair // 9 + 1, pair % 9 + 1):
            pairs += 1
    pick = below(rng, pairs)
    action = 0
    for pair in range(81):
        if may_lead(hand, highest, pair // 9 + 1, pair % 9 + 1):
            if pick == 0:
                action = pair + 1
            pick -= 1
    return action
