"""Why a turn is not legal: a code a reason."""

from __future__ import annotations

from hanpan.core.refusal import IllegalAction
from hanpan.core.rule import Record, plain
from hanpan.core.words import Phrase

from . import rules, table
from .koma import SIGNS
from .table import GOSHI

five_holder, may_block = plain(table.five_holder), plain(rules.may_block)


def split(a: int) -> tuple[int, int]:
    """Block and attack of a pair's action number.

    >>> split(9 * 7 + 3 - 9)
    (7, 3)
    """
    block = (int(a) + 8) // 9
    return block, int(a) + 9 - 9 * block


def refusal(s: Record, a: int) -> IllegalAction:
    """Why this readable action is not legal here."""
    if s.phase == GOSHI:
        return IllegalAction("decide-first", seat=Phrase(f"seats.{five_holder(s)}"))
    if a in (rules.PROCEED, rules.REDEAL):
        return IllegalAction("nothing-to-decide")
    if a == rules.PASS:
        return IllegalAction("must-play")
    block, attack = split(a)
    hand = int(s.hand[s.turn])
    for koma in (block, attack):
        if hand >> 4 * koma & 15 == 0:
            return IllegalAction("not-in-hand", koma=SIGNS[koma])
    if block == attack and hand >> 4 * block & 15 == 1:
        return IllegalAction("only-one", koma=SIGNS[block])
    if not may_block(s, block):
        return IllegalAction("does-not-block", koma=SIGNS[block], attack=SIGNS[s.attack])
    return IllegalAction("king-may-not-attack", koma=SIGNS[attack])
