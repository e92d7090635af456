"""Goita's symmetries: the seats move up by k mod 4, and komas that are alike in every rule change places: 銀 金 (bit 2 of k), 角 飛 (bit 3), 王 玉 (bit 4)."""

from __future__ import annotations

from hanpan.core.rule import Record, rule

from .koma import JEWEL, KING, held
from .rules import PROCEED
from .table import GOSHI, MOST_TURNS, PLAY


@rule
def symmetries(s: Record) -> int:
    """How many there are; number 0 changes nothing."""
    return 32


@rule
def image_koma(k: int, code: int) -> int:
    """What a koma becomes."""
    if (k & 4 != 0 and 4 <= code <= 5) or (k & 16 != 0 and KING <= code <= JEWEL):
        return (9 if code <= 5 else KING + JEWEL) - code
    if k & 8 != 0 and 6 <= code <= 7:
        return 13 - code
    return code


@rule
def image_hand(k: int, hand: int) -> int:
    """What a hand becomes."""
    result = 0
    for code in range(10):
        result |= held(hand, code) << (4 * image_koma(k, code))
    return result


@rule
def image_seat(s: Record, k: int, seat: int) -> int:
    """Which seat plays what this seat played."""
    return (seat + k) & 3


@rule
def image_action(s: Record, k: int, a: int) -> int:
    """What an action becomes."""
    if a == 0 or a >= PROCEED:
        return a
    block = (a + 8) // 9
    return 9 * image_koma(k, block) + image_koma(k, a + 9 - 9 * block) - 9


@rule
def image(s: Record, k: int, t: Record) -> None:
    """Make t, a copy of s, its image."""
    fives = 0
    for seat in range(4):
        to = (seat + k) & 3
        t.dealt[to] = image_hand(k, int(s.dealt[seat]))
        t.hand[to] = image_hand(k, int(s.hand[seat]))
        t.placed[to] = s.placed[seat]
        fives |= ((int(s.fives) >> seat) & 1) << to
    t.fives = fives
    for team in range(2):
        t.score[(team + k) & 1] = s.score[team]
    for i in range(MOST_TURNS):
        pair = int(s.turns[i])
        t.turns[i] = 10 * image_koma(k, pair // 10) + image_koma(k, pair % 10)
    t.attack = image_koma(k, int(s.attack))
    if s.dealer >= 0:
        t.dealer = (int(s.dealer) + k) & 3
    if s.phase == GOSHI or s.phase == PLAY:
        t.turn = (int(s.turn) + k) & 3
        t.attacker = (int(s.attacker) + k) & 3
