"""The running round as a text: the hands as dealt, the dealer, and every turn since, written and read."""

from __future__ import annotations

import re

import numpy as np

from hanpan.core.rule import OPEN, Record, plain
from hanpan.core.unfit import Unfit

from . import koma, rules, table, views
from .koma import DIGITS, SHI, SIGNS, TOTAL
from .refusals import refusal
from .table import PLAY
from .views import FLAW_KING, FLAW_KOMA

# Small rules, needed once a text: interpreting them is quicker than compiling them.
begin, flaw, uncover = plain(table.begin), plain(views.flaw), plain(views.uncover)
stops, lay, lay_pass, leads = plain(koma.stops), plain(table.lay), plain(table.lay_pass), plain(table.leads)


def format_hand(hand: int) -> str:
    """A hand's letters, sorted, unknown komas last.

    >>> format_hand(0x1000000032)
    '1119xx'
    """
    return "".join(DIGITS[code] * (int(hand) >> 4 * code & 15) for code in (*range(1, 10), 0))


def read_hand(text: str) -> int:
    """The hand that some letters name, in any order."""
    return sum(1 << 4 * DIGITS.index(letter) for letter in text)


def format_turns(s: Record) -> list[str]:
    """Every turn with its seat: `2p`, `313`, `4x1`."""
    pairs = enumerate(s.turns[: s.count].tolist(), int(s.dealer))
    return [f"{turn % 4 + 1}" + (DIGITS[pair // 10] + DIGITS[pair % 10] if pair else "p") for turn, pair in pairs]


def format_history(s: Record) -> str:
    """Hands, dealer and turns."""
    return ",".join([*(format_hand(hand) for hand in s.dealt), f"s{s.dealer + 1}", *format_turns(s)])


def read_history(s: Record, text: str, viewer: int) -> None:
    """Fill the record from a history text, as far as a viewer knows it; ValueError naming the field if it can't be."""
    fields = text.split(",")
    if len(fields) < 5:
        raise Unfit("history", __package__, given=repr(text[:60]))
    hands, dealer, turns = fields[:4], fields[4], fields[5:]
    if not re.fullmatch("s[1-4]", dealer):
        raise Unfit("dealer", __package__, given=repr(dealer[:10]))
    s.dealer = int(dealer[1]) - 1
    for seat, hand in enumerate(hands):
        letters = "1-9" if viewer in (seat, OPEN) else "x1-9"
        if not re.fullmatch(f"[{letters}]{{8}}", hand):
            raise Unfit("hand", __package__, seat=seat + 1, given=repr(hand[:12]))
    if viewer == OPEN:
        _take_hands(s, hands)
    else:
        _take_view(s, hands, viewer)
    for turn in turns:
        _take_turn(s, turn, viewer)
    if viewer != OPEN:
        _check_view(s, hands, viewer)


def _take_hands(s: Record, hands: list[str]) -> None:
    for code in range(1, 10):
        n = sum(hand.count(DIGITS[code]) for hand in hands)
        if n != TOTAL[code]:
            raise Unfit("komas", __package__, n=n, koma=SIGNS[code], total=int(TOTAL[code]))
    for seat, hand in enumerate(hands):
        s.dealt[seat] = read_hand(hand)
    begin(s, _fives(s, hands))


def _fives(s: Record, hands: list[str]) -> int:
    """Who announced five し. Opponents who both did are taken, although we deal again then: the original program lets them play on."""
    shi = [hand.count("1") for hand in hands]
    if max(shi) > 5 or shi[0] == shi[2] == 5 or shi[1] == shi[3] == 5:
        raise Unfit("hands-end", __package__)
    if s.no_goshi and 5 in shi:
        raise Unfit("hands-five", __package__)
    return sum(1 << seat for seat in range(4) if shi[seat] == 5)


def _take_view(s: Record, hands: list[str], viewer: int) -> None:
    for seat, hand in enumerate(hands):
        s.dealt[seat] = read_hand(hand if seat == viewer else "x" * 8)
    begin(s, _fives(s, hands))


def _take_turn(s: Record, text: str, viewer: int) -> None:
    turn = int(s.turn)
    if s.count == len(s.turns) or not re.fullmatch("[1-4](p|[x1-9][1-9])", text):
        raise Unfit("turn", __package__, given=repr(text[:12]))
    if int(text[0]) != turn + 1:
        raise Unfit("turn-seat", __package__, given=repr(text), seat=turn + 1)
    s.phase = PLAY
    if text[1:] != "p" and s.placed[turn] == 6:
        raise Unfit("turn-out", __package__, given=repr(text))
    if viewer in (OPEN, turn):
        _take_own_turn(s, text)
    elif text[1] == "p":
        if leads(s):
            raise ValueError(f"turns: {text!r}, but a lead can't be passed")
        lay_pass(s)
    else:
        block, attack = DIGITS.index(text[1]), int(text[2])
        if (block == 0) != leads(s):
            raise ValueError(f"turns: {text!r}: the block of a lead, and no other, lies face down")
        if block and not stops(block, int(s.attack)):
            raise ValueError(f"turns: {text!r}: {SIGNS[block]} does not block {SIGNS[s.attack]}")
        lay(s, block, attack)


def _take_own_turn(s: Record, text: str) -> None:
    if text[1] == "x":
        raise ValueError(f"turns: {text!r} hides what the viewer knows")
    action = rules.PASS if text[1] == "p" else 9 * int(text[1]) + int(text[2]) - 9
    out = np.empty(rules.MOST_LEGAL, np.int32)
    if action not in out[: rules.legal(s, out)]:
        raise Unfit("turn-refused", __package__, given=repr(text), reason=refusal(s, action).phrase)
    rules.apply(s, action)


def _check_view(s: Record, hands: list[str], viewer: int) -> None:
    uncover(s, viewer)
    for seat in range(4):
        if int(s.dealt[seat]) >> 4 * SHI & 15 > (5 if s.fives >> seat & 1 else 4):
            raise ValueError(f"hands: seat {seat + 1} shows more し than it announced")
    flawed = flaw(s, viewer)
    if flawed == FLAW_KOMA:
        raise ValueError("hands: a koma is there more often than it exists")
    if flawed == FLAW_KING:
        raise ValueError("turns: a king attacked without the right to")
    if flawed:
        raise ValueError("hands: the unseen し do not fit into hands that announced none")
    rules.hide(s, viewer)
    for seat, hand in enumerate(hands):
        if hand != format_hand(s.dealt[seat]):
            raise ValueError(f"hands: seat {seat + 1}'s {hand!r} should be {format_hand(s.dealt[seat])!r}")
