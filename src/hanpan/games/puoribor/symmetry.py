"""Puoribor's symmetries: the half turn that exchanges the seats (bit 0 of k) and, in plain Quoridor, the mirror (bit 1).

With windows that turn clockwise the mirror is none: it would make them turn the other way.
"""

from __future__ import annotations

from hanpan.core.rule import Record, rule

from .board import COLUMN, SIZE, WORD
from .observe import seen_action
from .rules import FLAT, TURN


@rule
def symmetries(s: Record) -> int:
    """How many there are; number 0 changes nothing."""
    return 2 if s.rotation != 0 else 4


@rule
def image_site(k: int, site: int, columns: int, rows: int) -> int:
    """Where something goes of which there can be that many columns and rows."""
    x, y = site // COLUMN, site % COLUMN
    if k & 1 != 0:
        x, y = columns - 1 - x, rows - 1 - y
    if k & 2 != 0:
        x = columns - 1 - x
    return x * COLUMN + y


@rule
def image_seat(s: Record, k: int, seat: int) -> int:
    """Which seat plays what this seat played."""
    return seat ^ (k & 1)


@rule
def image_action(s: Record, k: int, a: int) -> int:
    """What an action becomes."""
    a = seen_action(s, k & 1, a)
    if k & 2 != 0:
        if a < FLAT:
            return (SIZE - 1 - a // SIZE) * SIZE + a % SIZE
        if a < TURN:
            kind, centre = (a - FLAT) // 64, (a - FLAT) % 64
            return FLAT + 64 * kind + (7 - centre // 8) * 8 + centre % 8
    return a


@rule
def image_set(source: Record, target: Record, k: int, columns: int, rows: int) -> None:
    """Make one set of sites the image of another."""
    target[0] = 0
    target[1] = 0
    for x in range(columns):
        for y in range(rows):
            site = COLUMN * x + y
            word = site // WORD
            if (source[word] >> (site - word * WORD)) & 1 != 0:
                to = image_site(k, site, columns, rows)
                target[to // WORD] |= 1 << to % WORD


@rule
def image(s: Record, k: int, t: Record) -> None:
    """Make t, a copy of s, its image."""
    image_set(s.h, t.h, k, SIZE, SIZE - 1)
    image_set(s.v, t.v, k, SIZE - 1, SIZE)
    image_set(s.whole_h, t.whole_h, k, SIZE - 1, SIZE - 1)
    image_set(s.whole_v, t.whole_v, k, SIZE - 1, SIZE - 1)
    for seat in range(2):
        t.pawn[seat ^ (k & 1)] = image_site(k, int(s.pawn[seat]), SIZE, SIZE)
        t.hand[seat ^ (k & 1)] = s.hand[seat]
    t.turn = int(s.turn) ^ (k & 1)
