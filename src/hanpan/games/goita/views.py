"""Who may know what: erasing the komas that a viewer does not see, and guessing them again.

A guess is drawn uniformly: every way to lay the unseen komas on the unknown places (hands and face-down blocks of the other
seats) that agrees with all that is known is equally likely. What is known besides the komas one sees: who announced five し
and that nobody else holds that many; and that a king which attacked before any lay face up had its twin in the same hand.
"""

from __future__ import annotations

import numpy as np

from hanpan.core.rule import Record, Rng, below, rule

from .koma import ALL, KING, SHI, held, size
from .table import CLOSED, DEAL, ENDED, GOSHI, PLAY, face_up, lies_face_down

CHOOSE = np.array([[1, 0, 0, 0, 0, 0, 0, 0, 0]] * 9)  # CHOOSE[n, k]: ways to choose k of n
for _n in range(1, 9):
    for _k in range(1, 9):
        CHOOSE[_n, _k] = CHOOSE[_n - 1, _k - 1] + CHOOSE[_n - 1, _k]


@rule
def hide(s: Record, seat: int) -> None:
    """Erase what a seat may not know: the others' hands and face-down blocks."""
    if s.phase == DEAL or s.phase == ENDED:
        return
    for other in range(4):
        if other != seat and not lies_open(s, other):
            shown = face_up(s, other)
            if (s.fives >> other) & 1:
                shown += (5 - held(shown, SHI)) << 4
            s.dealt[other] = shown + 8 - size(shown)
            s.hand[other] = 8 - int(s.placed[other])
    cover_blocks(s, seat)


@rule
def lies_open(s: Record, seat: int) -> bool:
    """Whether everyone sees a seat's whole hand: one of so many し that it ended the round right after the deal."""
    return bool(s.phase == CLOSED and s.count == 0 and held(int(s.dealt[seat]), SHI) >= 5)


@rule
def cover_blocks(s: Record, seat: int) -> None:
    """Erase the face-down blocks of everyone but that seat."""
    turn = int(s.dealer)
    attacker = turn
    laid = 0  # komas of each seat so far, a hexadecimal digit each
    for i in range(int(s.count)):
        pair = int(s.turns[i])
        if pair != 0:
            if turn != seat and lies_face_down(turn, attacker, held(laid, turn)):
                s.turns[i] = pair % 10
            laid += 2 << (4 * turn)
            attacker = turn
        turn = (turn + 1) & 3


@rule
def king_turn(s: Record) -> int:
    """The turn in which a king attacked although none lay face up, or −1: whoever did that held both kings then."""
    turn = int(s.dealer)
    attacker = turn
    for i in range(int(s.count)):
        pair = int(s.turns[i])
        if pair != 0:
            if pair // 10 >= KING and turn != attacker:
                return -1
            if pair % 10 >= KING:
                return i
            attacker = turn
        turn = (turn + 1) & 3
    return -1


@rule
def seat_at(s: Record, i: int) -> int:
    """Whose the i-th turn of the round was."""
    return (int(s.dealer) + i) & 3


@rule
def hidden_blocks(s: Record, seat: int, since: int) -> int:
    """How many blocks of a seat, from some turn on, the viewer does not know."""
    n = 0
    for i in range(since, int(s.count)):
        if seat_at(s, i) == seat and 0 < s.turns[i] < 10:
            n += 1
    return n


@rule
def uncover(s: Record, seat: int) -> None:
    """Keep of the others' dealt hands only what lies face up; all that follows starts from there."""
    for other in range(4):
        if other != seat:
            s.dealt[other] = face_up(s, other)


@rule
def unseen(s: Record) -> int:
    """The komas that the viewer does not see, packed like a hand."""
    return ALL - int(s.dealt[0]) - int(s.dealt[1]) - int(s.dealt[2]) - int(s.dealt[3])


@rule
def unknown_places(s: Record) -> int:
    """How many komas of each seat the viewer does not know, a hexadecimal digit a seat."""
    places = 0
    for seat in range(4):
        places |= (8 - size(int(s.dealt[seat]))) << (4 * seat)
    return places


@rule
def shi_ranges(s: Record) -> int:
    """The least and the most し that may lie on each seat's unknown places, two hexadecimal digits a seat."""
    ranges = 0
    for seat in range(4):
        shown = held(int(s.dealt[seat]), SHI)
        if (s.fives >> seat) & 1:
            ranges |= 17 * (5 - shown) << (8 * seat)
        else:
            ranges |= 16 * (4 - shown) << (8 * seat)
    return ranges


@rule
def split_shi(places: int, ranges: int, n: int, pick: int) -> int:
    """The pick-th way to spread n し over the unknown places, a digit a seat; or, when there are only w ≤ pick ways, −w.

    A way in which the seats get a, b, c, d し counts as often as these can be laid on their places.
    """
    ways = 0
    for a in range(ranges & 15, ((ranges >> 4) & 15) + 1):
        for b in range((ranges >> 8) & 15, ((ranges >> 12) & 15) + 1):
            for c in range((ranges >> 16) & 15, ((ranges >> 20) & 15) + 1):
                d = n - a - b - c
                if (ranges >> 24) & 15 <= d <= (ranges >> 28) & 15:
                    placings = int(CHOOSE[places & 15, a] * CHOOSE[(places >> 4) & 15, b] * CHOOSE[(places >> 8) & 15, c] * CHOOSE[(places >> 12) & 15, d])
                    if ways <= pick < ways + placings:
                        return a | b << 4 | c << 8 | d << 12
                    ways += placings
    return -ways


@rule
def koma_at(hand: int, n: int) -> int:
    """The code of a hand's n-th koma, counted from 0 through all codes."""
    code = 0
    n -= held(hand, 0)
    while n >= 0:
        code += 1
        n -= held(hand, code)
    return code


@rule
def imagine(s: Record, seat: int, rng: Rng) -> None:
    """Fill the others' hands and face-down blocks with a guess (see the top of this module)."""
    if s.phase != GOSHI and s.phase != PLAY:
        return
    uncover(s, seat)
    komas = unseen(s)
    places = unknown_places(s)
    # 1. The twin of a king that could attack only because of it.
    king_since = king_turn(s)
    king_seat = -1
    twin = 0
    king_place = -1  # among the hidden blocks since then; beyond them, in the hand
    if king_since >= 0:
        twin = 17 - int(s.turns[king_since]) % 10
        if held(komas, twin) > 0:
            king_seat = seat_at(s, king_since)
            king_place = below(rng, hidden_blocks(s, king_seat, king_since) + 8 - int(s.placed[king_seat]))
            komas -= 1 << (4 * twin)
            places -= 1 << (4 * king_seat)
    # 2. The し, then all others, by seat.
    ways = -split_shi(places, shi_ranges(s), held(komas, SHI), 1 << 30)
    split = split_shi(places, shi_ranges(s), held(komas, SHI), below(rng, ways))
    for other in range(4):
        if other != seat:
            s.hand[other] = held(split, other) << 4
    places -= split
    for code in range(2, 10):
        for _ in range(held(komas, code)):
            other = koma_at(places, below(rng, size(places)))  # packed like a hand, by seats instead of codes
            places -= 1 << (4 * other)
            s.hand[other] += 1 << (4 * code)
    # 3. Of these, the ones that lie face down.
    for i in range(int(s.count)):
        if 0 < s.turns[i] < 10:
            other = seat_at(s, i)
            code = 0
            if other == king_seat and i >= king_since:
                if king_place == 0:
                    code = twin
                    s.hand[other] += 1 << (4 * code)
                king_place -= 1
            if code == 0:
                code = koma_at(int(s.hand[other]), below(rng, size(int(s.hand[other]))))
            s.hand[other] -= 1 << (4 * code)
            s.dealt[other] += 1 << (4 * code)
            s.turns[i] = 10 * code + int(s.turns[i])
    if king_place >= 0:
        s.hand[king_seat] += 1 << (4 * twin)
    for other in range(4):
        if other != seat:
            s.dealt[other] += s.hand[other]


FLAW_KOMA, FLAW_SHI, FLAW_KING = 1, 2, 3


@rule
def flaw(s: Record, seat: int) -> int:
    """Why no deal agrees with an uncovered view: a koma lies there too often, the し can't be spread, a king had no right to attack; 0 if some deal does."""
    for code in range(1, 10):
        seen = 0
        for other in range(4):
            seen += held(int(s.dealt[other]), code)
        if seen > held(ALL, code):
            return FLAW_KOMA
    komas = unseen(s)
    places = unknown_places(s)
    since = king_turn(s)
    if since >= 0 and seat_at(s, since) != seat:
        twin = 17 - int(s.turns[since]) % 10
        if held(komas, twin) > 0:
            places -= 1 << (4 * seat_at(s, since))
        elif held(int(s.dealt[seat_at(s, since)]), twin) == 0:
            return FLAW_KING
    if split_shi(places, shi_ranges(s), held(komas, SHI), 1 << 30) == 0:
        return FLAW_SHI
    return 0
