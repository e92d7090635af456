"""Goita: its notation. A position is the two teams' scores, the running round (see history.py) or the next dealer, and the phase."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from hanpan.core.option import Value
from hanpan.core.refusal import IllegalAction
from hanpan.core.rule import Record, Rng, plain
from hanpan.core.unfit import Unfit
from hanpan.core.words import Phrase

from . import deal, rules, table
from .history import format_hand, format_history, read_hand, read_history
from .koma import DIGITS, SIGNS, TOTAL
from .refusals import refusal as refusal
from .refusals import split
from .table import CLOSED, GOSHI, PLAY
from .thinking import thinking_info

# Small rules, needed once a text: interpreting them is quicker than compiling them.
deal_hands, may_be_dealt, look_at_hands = plain(deal.deal_hands), plain(deal.may_be_dealt), plain(rules.look_at_hands)
lies_face_down = plain(table.lies_face_down)

PHASES = ("deal", "goshi", "play", "over", "closed")  # the last one is never read: nobody can go on from there
WINNINGS = (10, 20, 30, 40, 50, 60, 80, 100)  # what a round can be worth, apart from partners' 5+5


def clock(options: Mapping[str, Value]) -> dict[str, Any]:
    """What friends usually give each other: 3 minutes, then 20 seconds a turn."""
    return {"kind": "byoyomi", "main_ms": 180_000, "byoyomi_ms": 20_000}


# --- positions ---


def format_position(s: Record) -> str:
    """`60-20 <history> play`, `60-20 s3 deal`."""
    running = s.phase in (GOSHI, PLAY, CLOSED)
    middle = format_history(s) if running else f"s{s.dealer + 1}" if s.dealer >= 0 else "s-"
    return f"{s.score[0]}-{s.score[1]} {middle} {PHASES[s.phase]}"


def parse_position(s: Record, text: str, viewer: int) -> None:
    """Fill the record that `start` has prepared."""
    fields = text.split(" ")
    if len(fields) != 3:
        raise Unfit("fields", __package__, given=repr(text[:60]))
    scores, middle, phase = fields
    if phase not in PHASES[:-1]:
        raise Unfit("phase", __package__, given=repr(phase[:20]), known=", ".join(PHASES[:-1]))
    _read_scores(s, scores, phase == "over")
    if phase in ("play", "goshi"):
        read_history(s, middle, viewer)
        if phase == "goshi" and (s.phase != GOSHI or s.fives not in (1, 2, 4, 8)):
            raise Unfit("no-five", __package__)
        s.phase = PHASES.index(phase)
    elif middle == "s-" and phase == "deal":
        if scores != "0-0":
            raise Unfit("dealer-known", __package__)
    elif re.fullmatch("s[1-4]", middle):
        s.dealer = int(middle[1]) - 1
        s.phase = PHASES.index(phase)
    else:
        raise Unfit("dealer", __package__, given=repr(middle[:20]))
    team = int(s.dealer) & 1
    if phase == "over" and s.score[team] < s.target:
        raise Unfit("dealer-won", __package__)
    if scores != "0-0" and s.score[team] == 0:
        raise Unfit("dealer-points", __package__)


def _read_scores(s: Record, text: str, over: bool) -> None:
    found = re.fullmatch("(0|[1-9][0-9]{0,3})-(0|[1-9][0-9]{0,3})", text)
    if not found:
        raise Unfit("scores", __package__, given=repr(text[:20]))
    target = int(s.target)
    scores = [int(score) for score in found.groups()]
    running = [score for score in scores if score < target]
    if len(running) != (1 if over else 2):
        raise Unfit("scores-end" if over else "scores-in", __package__, given=text, target=target)
    for score in scores:
        if score in running and score % 10:
            raise Unfit("score-ten", __package__, n=score)
        if score not in running and not _reaches(s, score, target):
            raise Unfit("score-last", __package__, n=score)
    s.score[0], s.score[1] = scores


def _reaches(s: Record, score: int, target: int) -> bool:
    """Whether a last round can have lifted a team from below the target to this score."""
    steps = (*WINNINGS,) if s.no_yaku or s.no_goshi else (*WINNINGS, target)
    return any(step <= score < target + step and (score - step) % 10 == 0 for step in steps)


# --- what seats do ---


def format_action(s: Record, a: int) -> str:
    """`p`, block and attack as `13`, `proceed`, `redeal`."""
    if a == rules.PASS:
        return "p"
    if a == rules.PROCEED:
        return "proceed"
    return "redeal" if a == rules.REDEAL else "{}{}".format(*split(a))


def told(s: Record, a: int) -> str:
    """The action as the others see it: the block of a lead lies face down (`x3`), unless the pair goes out."""
    text = format_action(s, a)
    seat = int(s.turn)
    covered = rules.PASS < a < rules.PROCEED and lies_face_down(seat, int(s.attacker), int(s.placed[seat]))
    return "x" + text[1] if covered else text


def read_action(text: str) -> int | None:
    """The number of an action's text.

    >>> read_action("13"), read_action("31"), read_action("10")
    (3, 19, None)
    """
    words = {"p": rules.PASS, "proceed": rules.PROCEED, "redeal": rules.REDEAL}
    if re.fullmatch("[1-9][1-9]", text):
        return 9 * int(text[0]) + int(text[1]) - 9
    return words.get(text)


def parse_action(s: Record, text: str) -> int:
    """The number of an action's text; a deal is readable, but not a seat's action."""
    if re.fullmatch("(dealer [0-9]+|deal [0-9]+(,[0-9]+)*)", text):
        raise IllegalAction("already-dealt")
    action = read_action(text)
    if action is None:
        raise IllegalAction("unreadable", text=text[:60])
    return action


# --- what chance does ---


def parse_chance(s: Record, text: str) -> None:
    """Play `dealer n` or `deal h1,h2,h3,h4`."""
    if re.fullmatch("dealer [0-9]{1,3}", text):
        _take_dealer(s, text.split()[1])
    elif re.fullmatch("deal [1-9]{1,32}(,[1-9]{1,32}){3}", text):
        _take_deal(s, text[5:].split(","))
    elif read_action(text) is not None:
        raise IllegalAction("deal-first")
    else:
        raise IllegalAction("unreadable", text=text[:60])


def _take_dealer(s: Record, seat: str) -> None:
    if s.dealer >= 0:
        raise IllegalAction("dealer-known", seat=int(s.dealer) + 1)
    if seat not in ("1", "2", "3", "4"):
        raise IllegalAction("no-such-seat", seat=seat)
    s.dealer = int(seat) - 1


def _take_deal(s: Record, hands: list[str]) -> None:
    if s.dealer < 0:
        raise IllegalAction("dealer-first")
    for seat, hand in enumerate(hands):
        if len(hand) != 8:
            raise IllegalAction("hand-size", seat=seat + 1, n=len(hand))
    for code in range(1, 10):
        n = sum(hand.count(DIGITS[code]) for hand in hands)
        if n != TOTAL[code]:
            raise IllegalAction("wrong-set", koma=SIGNS[code], n=n, total=int(TOTAL[code]))
    shi = [hand.count("1") for hand in hands]
    if s.no_goshi and 5 in shi:
        raise IllegalAction("no-goshi", seat=shi.index(5) + 1)
    for seat, hand in enumerate(hands):
        s.dealt[seat] = read_hand(hand)
    if not may_be_dealt(s):
        raise IllegalAction("no-yaku", seat=shi.index(max(shi)) + 1)
    look_at_hands(s)


def format_deal(s: Record) -> str:
    """The hands that lie in the record, as a chance action."""
    return "deal " + ",".join(format_hand(hand) for hand in s.dealt)


def draw_chance(s: Record, rng: Rng) -> str:
    """Let chance act, in place; the text of what it did. (A deal that ends its round at once is gone from the record afterwards.)"""
    if s.dealer < 0:
        rules.chance(s, rng)
        return f"dealer {s.dealer + 1}"
    deal_hands(s, rng)
    text = format_deal(s)
    look_at_hands(s)
    return text


# --- for programs ---


def info(s: Record, viewer: int) -> dict[str, Any]:
    """What the viewer may know, as ThinkingInfo."""
    return thinking_info(s, viewer)


def told_chance(text: str) -> str:
    """A deal is told without the hands."""
    return "deal" if text.startswith("deal ") else text


def spoken(text: str) -> Phrase | None:
    """An action as it was told (`x5`, `13`, `p`, `deal`), in words and komas."""
    if re.fullmatch("[x1-9][1-9]", text):
        return Phrase("moves.pair", {"block": SIGNS[int(text[0])] if text[0] != "x" else "■", "attack": SIGNS[int(text[1])]})
    if text.startswith("dealer "):
        return Phrase("moves.dealer", {"seat": Phrase(f"seats.{int(text[7:]) - 1}")})
    words = {"p": "actions.pass", "proceed": "actions.proceed", "redeal": "actions.redeal"}
    return Phrase(words[text]) if text in words else Phrase("moves.deal") if text.startswith("deal") else None


def heard(text: str) -> Phrase | None:
    """Two komas by their names, the first as far as it is known; all else is said as it is read."""
    if not re.fullmatch("[x1-9][1-9]", text):
        return None
    attack = Phrase(f"pieces.{text[1]}")
    return Phrase("heard.lead", {"attack": attack}) if text[0] == "x" else Phrase("heard.pair", {"block": Phrase(f"pieces.{text[0]}"), "attack": attack})


# The names under which the platform's sockets know the decision about five し.
SHORTHANDS = {"goshi proceed": "proceed", "goshi deal again": "redeal"}
