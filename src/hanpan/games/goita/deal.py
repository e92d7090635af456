"""The deal: thirty-two komas for four hands, which hands the options allow, and what a hand of six し or more is worth."""

from __future__ import annotations

from hanpan.core.rule import Record, Rng, below, rule

from .koma import POINTS, SHI, TOTAL, equal, held


@rule
def deal_hands(s: Record, rng: Rng) -> None:
    """Deal until the options allow the hands."""
    hand_out(s, rng)
    while not may_be_dealt(s):
        hand_out(s, rng)


@rule
def hand_out(s: Record, rng: Rng) -> None:
    """Give every seat eight random komas."""
    for seat in range(4):
        s.dealt[seat] = 0
    # The free places of all hands stand in a row, seat after seat; each koma takes a random one. a, b, c: where the next seat's places begin.
    a, b, c, free = 8, 16, 24, 32
    for code in range(1, 10):
        for _ in range(TOTAL[code]):
            place = below(rng, free)
            seat = int(place >= a) + int(place >= b) + int(place >= c)
            s.dealt[seat] += 1 << (4 * code)
            a -= int(seat < 1)
            b -= int(seat < 2)
            c -= int(seat < 3)
            free -= 1


@rule
def may_be_dealt(s: Record) -> bool:
    """Whether the options allow these hands: `no_yaku` shuts out hands that win at once, `no_goshi` those with exactly five し."""
    fives = 0
    for seat in range(4):
        shi = held(int(s.dealt[seat]), SHI)
        if shi > 5 and s.no_yaku != 0:
            return False
        if shi == 5:
            fives |= 1 << seat
    if fives != 0 and s.no_goshi != 0:
        return False
    return not (s.no_yaku != 0 and (fives == 0b0101 or fives == 0b1010))


@rule
def shi_points(s: Record, seat: int) -> int:
    """What a hand of six, seven or eight し wins: the better of its other komas, twice if two are equal; 100 for nothing but し."""
    shi = held(int(s.dealt[seat]), SHI)
    if shi == 8:
        return 100
    best = 0
    other = 0
    for code in range(2, 10):
        for _ in range(held(int(s.dealt[seat]), code)):
            other = best
            best = code
    double = s.nanashi_double != 0 if shi == 7 else equal(best, other)
    return int(POINTS[best]) * (2 if double else 1)
