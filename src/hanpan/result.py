"""How a game ended: by its rules, or by resignation, time, agreement, claim, because everyone left or it went on for too long; and whether that can be."""

from __future__ import annotations

import re
from dataclasses import dataclass

from hanpan.core.unfit import Unfit
from hanpan.core.words import Phrase
from hanpan.game import Game, State

LOST = ("resigned", "time", "claim")  # reasons for which a side has lost
NO_RESULT = ("abandoned", "length")  # reasons for which a game has no result at all, not even a draw
REASONS = ("rules", *LOST, "agreed", *NO_RESULT)
MOST_ACTIONS = 2000  # of a game, chance included: whatever is asked about it later plays all of them
_WRITTEN = re.compile(
    r"(?:draw|no winner|unfinished|seat (?P<winner>[1-9](?: and [1-9])*) won), [^()]*"
    r"(?: \((?P<reason>[a-z]+)(?:, seat (?P<last>[1-9](?: and [1-9])*) last)?\))?"
)


@dataclass(frozen=True)
class Result:
    """Who won and why; nobody: a draw, or (`NO_RESULT`) no result at all."""

    winner: list[int]
    reason: str
    last: tuple[int, ...] = ()  # seats that gave up on the way: they finish last whatever the position says

    @property
    def told_by_rules(self) -> bool:
        """Whether the last position alone says all of it."""
        return self.reason == "rules" and not self.last


def sides(of: Game) -> list[int]:
    """The side that each seat plays for: partners share one (a game's `SIDES`); otherwise everyone is on their own."""
    return list(of.book.rules.sides(of.seats))


def judged(state: State, last: tuple[int, ...] = ()) -> Result:
    """The result of a finished position. Who gave up on the way finishes last, so the best of the others wins."""
    winner = state.winner_among(seat for seat in range(state.game.seats) if seat not in last) if last else state.winner
    return Result(winner or [], "rules", last)


def lost_by(of: Game, seat: int, reason: str) -> Result:
    """The result when a seat's side has lost."""
    own = sides(of)
    return Result([other for other in range(of.seats) if own[other] != own[seat]], reason)


def endless(actions: int) -> Result | None:
    """The result of a game that has come to so many actions, and is not over by its rules; None: it may go on."""
    return Result([], "length") if actions >= MOST_ACTIONS else None


def check(state: State, result: Result, actions: int) -> None:
    """ValueError says why a game that stands like this, after so many actions, can't have ended so."""
    of, winner, reason = state.game, result.winner, result.reason
    if reason not in REASONS:
        raise Unfit("result-reason", given=repr(reason[:40]), known=", ".join(REASONS))
    if bad := [seat for seat in (*winner, *result.last) if not 0 <= seat < of.seats]:
        raise Unfit("no-seat", field="result", seat=bad[0] + 1)
    if winner != sorted(set(winner)) or list(result.last) != sorted(set(result.last)):
        raise Unfit("result-order")
    if result.last and len(set(sides(of))) == 2:
        raise Unfit("result-last")
    if reason == "rules":
        if not state.over:
            raise Unfit("result-goes-on")
        if result != judged(state, result.last):
            raise Unfit("result-winner", given=_told(winner), true=_told(judged(state, result.last).winner))
        return
    if state.over:
        raise Unfit("result-over", reason=repr(reason))
    if reason in LOST:
        _check_loss(state, result)
    elif winner:
        raise Unfit("result-no-winner", given=_told(winner), reason=repr(reason))
    elif reason == "agreed" and len(set(sides(of))) != 2:
        raise Unfit("result-agreed")
    elif reason == "length" and endless(actions) is None:
        raise Unfit("result-length", n=actions, most=MOST_ACTIONS)


def _check_loss(state: State, result: Result) -> None:
    own = sides(state.game)
    if result.last:  # all but one have given up
        if result.reason != "resigned" or sorted((*result.winner, *result.last)) != list(range(len(own))) or len(result.winner) != 1:
            raise Unfit("result-stayed", given=_told(result.winner))
        return
    lost = {own[seat] for seat in range(len(own)) if seat not in result.winner}
    if len(lost) != 1 or lost & {own[seat] for seat in result.winner}:
        raise Unfit("result-others", given=_told(result.winner), reason=result.reason)
    if result.reason == "time" and state.seat is not None and own[state.seat] not in lost:
        raise Unfit("result-time", given=_told(result.winner), seat=state.seat + 1)


def result_text(state: State, result: Result | None = None) -> str:
    """How a game stands, or has ended, in a few words.

    >>> from hanpan.game import game
    >>> result_text(game("kulami").start())
    'unfinished, 0–0'
    >>> result_text(game("kulami").start(), Result([1], "resigned"))
    'seat 2 won, 0–0 (resigned)'
    """
    scores = "–".join(str(score) for score in state.scores)
    if result is None:
        if state.winner is None:
            return f"unfinished, {scores}"
        result = judged(state)
    outcome = f"{_seats(result.winner)} won" if result.winner else "no winner" if result.reason in NO_RESULT else "draw"
    why = "" if result.told_by_rules else f" ({result.reason}{f', {_seats(result.last)} last' if result.last else ''})"
    return f"{outcome}, {scores}{why}"


def read_result(text: str) -> Result | None:
    """The result in `result_text`'s words; None where the position alone tells it. Whether it can be is not checked here."""
    found = _WRITTEN.fullmatch(text)
    if found is None or found["reason"] is None:
        return None
    return Result(_numbers(found["winner"]), found["reason"], tuple(_numbers(found["last"])))


def _numbers(text: str | None) -> list[int]:
    return [] if text is None else [int(number) - 1 for number in text.split(" and ")]


def _seats(seats: list[int] | tuple[int, ...]) -> str:
    return f"seat {' and '.join(str(seat + 1) for seat in seats)}" if seats else "nobody"


def _told(seats: list[int]) -> Phrase:
    """Some seats, in any language."""
    return Phrase("unfit.seats", {"seats": ", ".join(str(seat + 1) for seat in seats)}) if seats else Phrase("unfit.nobody")
