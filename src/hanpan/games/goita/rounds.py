"""Goita is played in rounds: how a round lay when it ended, and what it brought. The position itself moves on to the next deal at once."""

from __future__ import annotations

from hanpan.core.rule import Record, plain
from hanpan.core.scene import Round
from hanpan.core.words import Phrase

from . import deal, koma, rules, table
from .history import read_hand
from .koma import POINTS, SHI, SIGNS
from .refusals import split
from .table import CLOSED, DEAL, PLAY
from .text import read_action

# Small rules, needed once a round: interpreting them is quicker than compiling them.
equal, lay, leads = plain(koma.equal), plain(table.lay), plain(table.leads)
begin, final_points, shi_points = plain(table.begin), plain(rules.final_points), plain(deal.shi_points)


def closed(s: Record, text: str) -> bool:
    """Turn the position before an action into how the round lay when that action ended it, in place; False if it ended none.

    A pair that goes out is laid; hands that end the round right after the deal are taken up. The scores are those that follow.
    """
    if s.phase == DEAL:
        return text.startswith("deal ") and _closed_by_deal(s, text[5:].split(","))
    action = read_action(text)
    if s.phase != PLAY or s.placed[s.turn] != 6 or action is None or not rules.PASS < action < rules.PROCEED:
        return False
    seat, (block, attack) = int(s.turn), split(action)
    s.score[seat & 1] += final_points(leads(s), block, attack)
    lay(s, block, attack)
    s.phase = CLOSED
    return True


def _closed_by_deal(s: Record, hands: list[str]) -> bool:
    for seat, hand in enumerate(hands):
        s.dealt[seat] = read_hand(hand)
    holders = _holders(s)
    if not holders or (len(holders) == 1 and _shi(s, holders[0]) == 5):
        return False
    begin(s, 0)
    s.phase = CLOSED
    s.score[holders[0] & 1] += _hand_points(s, holders)
    return True


def _shi(s: Record, seat: int) -> int:
    return int(s.dealt[seat]) >> 4 * SHI & 15


def _holders(s: Record) -> list[int]:
    """The seats that were dealt five し or more."""
    return [seat for seat in range(4) if _shi(s, seat) >= 5]


def _hand_points(s: Record, holders: list[int]) -> int:
    if len(holders) == 1:
        return int(shi_points(s, holders[0]))
    return int(s.target) if (holders[0] ^ holders[1]) == 2 else 0


def account(s: Record) -> Round:
    """What a closed round brought, from what any viewer may know of it."""
    dealer = int(s.dealer)
    if s.count == 0:
        return _account_of_hands(s, dealer)
    seat = int(s.attacker)
    block, attack = divmod(int(s.turns[s.count - 1]), 10)
    led = _led(s)
    points = int(final_points(led, block, attack))
    why = [Phrase("rounds.out", {"seat": _seat(seat), "block": SIGNS[block], "attack": SIGNS[attack], "points": int(POINTS[attack])})]
    if points > POINTS[attack]:
        why.append(Phrase("rounds.double", {"points": points}))
    return Round(dealer, seat, points, tuple(why))


def _led(s: Record) -> bool:
    """Whether the last pair was a lead: the same seat made the attack before it, or began the round."""
    attacker = int(s.dealer)
    for turn, pair in enumerate(s.turns[: s.count - 1].tolist(), int(s.dealer)):
        attacker = turn % 4 if pair else attacker
    return attacker == int(s.attacker)


def _account_of_hands(s: Record, dealer: int) -> Round:
    holders = _holders(s)
    points, first = _hand_points(s, holders), holders[0]
    if len(holders) == 2:
        seats = {"one": _seat(first), "other": _seat(holders[1])}
        return Round(dealer, first if points else None, points, (Phrase("rounds.partners" if points else "rounds.opponents", seats),))
    shi = _shi(s, first)
    best = max((code for code in range(2, 10) if int(s.dealt[first]) >> 4 * code & 15), default=SHI)
    plain_points = int(POINTS[best]) if shi < 8 else points
    why = [Phrase("rounds.shi", {"seat": _seat(first), "n": shi})]
    why.append(Phrase("rounds.only" if shi == 8 else "rounds.best", {"koma": SIGNS[best], "points": plain_points}))
    if points > plain_points:
        why.append(Phrase("rounds.twice", {"points": points}))
    return Round(dealer, first, points, tuple(why))


def _seat(seat: int) -> Phrase:
    return Phrase(f"seats.{seat}")
