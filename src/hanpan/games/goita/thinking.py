"""ThinkingInfo: what a seat may know, as the JSON that clients of the original expect."""

from __future__ import annotations

from typing import Any

from hanpan.core.rule import Record, plain

from . import deal, koma, table
from .history import format_hand, format_turns
from .koma import DIGITS, SHI
from .table import CLOSED, GOSHI, PLAY

equal, lies_face_down, shi_points = plain(koma.equal), plain(table.lies_face_down), plain(deal.shi_points)

# Announced hands, as the original numbers them.
GOSHI_ALONE, ROKUSHI, NANASHI, HACHISHI, GOSHIGOSHI_WIN, GOSHIGOSHI_OPPOSITE = range(1, 7)


def announced(s: Record) -> list[dict[str, int]]:
    """The hands with five し or more and what the original counts for them (for partners' 5+5, 75 for each)."""
    shi = [int(hand) >> 4 * SHI & 15 for hand in s.dealt]
    found = []
    for seat in range(4):
        if shi[seat] == 5 and shi.count(5) == 2:
            together = shi[seat ^ 2] == 5
            found.append((seat, GOSHIGOSHI_WIN if together else GOSHIGOSHI_OPPOSITE, 75 if together else 0))
        elif shi[seat] == 5:
            found.append((seat, GOSHI_ALONE, 0))
        elif shi[seat] > 5:
            found.append((seat, shi[seat] - 4, shi_points(s, seat)))
    return [{"_playerNo": seat, "_yaku": yaku, "_score": score} for seat, yaku, score in found]


def thinking_info(s: Record, viewer: int) -> dict[str, Any]:
    """The JSON for a viewer: a seat, or anyone else, who has no hand of its own. `s` is what that viewer may know."""
    fields = [""] * 4  # as everyone sees them
    own = ""
    last: dict[str, Any] | None = None
    seat = attacker = int(s.dealer)
    for pair in s.turns[: s.count].tolist():
        if pair:
            block, attack = DIGITS[pair // 10], DIGITS[pair % 10]
            covered = lies_face_down(seat, attacker, len(fields[seat]))
            finish = len(fields[seat]) == 6
            double = finish and seat == attacker and equal(pair // 10, pair % 10)
            fields[seat] += ("x" if covered else block) + attack
            own += block + attack if seat == viewer else ""
            describe = "FaceDown" if covered else ("x2Finish" if double else "Finish") if finish else "Match"
            last = {"no": seat, "pass": False, "faceDown": covered, "finish": finish, "doubleUp": double}
            last |= {"attack": {"value": attack}, "block": {"value": block}, "describe": describe}
            attacker = seat
        seat = (seat + 1) % 4
    dealer = int(s.dealer) if s.dealer >= 0 else None
    return {
        "turn": int(s.turn) if s.phase in (GOSHI, PLAY, CLOSED) else dealer,
        "dealer": dealer,
        "hand": (format_hand(s.hand[viewer])[::-1] if viewer >= 0 else "").ljust(8, "0"),
        "fields": [field.ljust(8, "0") for field in fields],
        "hiddenField": own.ljust(8, "0"),
        "lastAttack": last,
        "kingUsed": bool(s.king),
        "yakuInfo": announced(s),
        "history": ",".join(format_turns(s)),
    }
