"""Ratings: how a result moves them, and the ranks that they give. A rating is kept as a real number and shown rounded."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from hanpan.result import NO_RESULT

START = 1300.0  # of everyone, in each game

LEAST_ACTIONS = 2  # a seat, for a game to count that did not end by its own rules

_BASE = 20.0  # points at stake between two sides: a win brings 1 to 20, between equals 10
_SHARE = 0.5  # of that in each pairing of more than two sides


@dataclass(frozen=True)
class Rank:
    """A rank: its name is under `ranks.<key>` in Hanpan's own words."""

    key: str
    colour: str


_RANKS = (
    (2000, Rank("master", "red")),  # 名人
    (1800, Rank("expert", "orange")),  # 達人
    (1600, Rank("advanced", "purple")),  # 上級者
    (1400, Rank("intermediate", "yellow")),  # 中級者
    (1200, Rank("elementary", "green")),  # 初級者
    (1000, Rank("beginner", "cyan")),  # 初心者
)
_LAST = Rank("contrarian", "white")  # 天邪鬼
RANKS = (*(rank for _, rank in _RANKS), _LAST)


def shown(rating: float) -> int:
    """A rating as people see it, halves upwards.

    >>> shown(1300.5)
    1301
    """
    return math.floor(rating + 0.5)


def rank(rating: float) -> Rank:
    """The rank of a rating, by the number that is shown, so that the two never contradict each other.

    >>> rank(1300.0)
    Rank(key='elementary', colour='green')
    """
    return next((rank for least, rank in _RANKS if shown(rating) >= least), _LAST)


def changes(ratings: Sequence[float], sides: Sequence[int], winners: Sequence[int], scores: Sequence[int], last: Sequence[int] = ()) -> list[float]:
    """How much each seat's rating changes.

    `sides` is the side that each seat plays for, `winners` the winning seats ([]: a draw), `last` the seats that finish last whatever the
    scores say (they left). Two sides: a win, a loss or a draw. More: each pair of sides by their places, at half the points. The places
    are: the winners, the others by score, whoever left; equals tie.

    >>> changes([1300, 1400], [0, 1], [0], [5, 3])
    [12.0, -12.0]
    >>> changes([1300, 1300, 1300, 1300], [0, 1, 0, 1], [1, 3], [90, 150, 90, 150])
    [-10.0, 10.0, -10.0, 10.0]
    >>> changes([1300, 1300, 1300], [0, 1, 2], [2], [10, 10, 12])
    [-5.0, -5.0, 10.0]
    """
    if not len(ratings) == len(sides) == len(scores):
        raise ValueError(f"sides: {len(sides)} seats, but {len(ratings)} ratings and {len(scores)} scores")
    for name, seats in (("winners", winners), ("last", last)):
        if unknown := [seat for seat in seats if seat not in range(len(sides))]:
            raise ValueError(f"{name}: there is no seat {unknown[0]}")
    members = {side: [seat for seat in range(len(sides)) if sides[seat] == side] for side in sorted(set(sides))}
    if len(members) < 2:
        raise ValueError("sides: nobody played against anybody")
    strength = {side: math.fsum(ratings[seat] for seat in seats) / len(seats) for side, seats in members.items()}
    place = {side: _place(seats, winners, scores if len(members) > 2 else None, last) for side, seats in members.items()}
    share = 1.0 if len(members) == 2 else _SHARE

    change = dict.fromkeys(members, 0.0)
    for one, other in combinations(members, 2):
        moved = share * _moved(strength[other] - strength[one], place[one], place[other])
        change[one] += moved
        change[other] -= moved
    return [change[side] for side in sides]


def long_enough(seats: int, actions: int, reason: str) -> bool:
    """Whether a game of so many seats, with so many actions of theirs, is one that counts.

    >>> long_enough(2, 3, "resigned"), long_enough(2, 4, "resigned"), long_enough(2, 3, "rules"), long_enough(2, 0, "rules")
    (False, True, True, False)
    """
    return reason not in NO_RESULT and actions >= (1 if reason == "rules" else LEAST_ACTIONS * seats)


def _place(seats: Sequence[int], winners: Sequence[int], scores: Sequence[int] | None, last: Sequence[int]) -> tuple[int, int]:
    """Where a side stands, the smallest first; without scores (two sides) only winning counts, since a draw may have been agreed."""
    if any(seat in last for seat in seats):
        return 2, 0
    if any(seat in winners for seat in seats):
        return 0, 0
    return 1, -max(scores[seat] for seat in seats) if scores is not None else 0


def _moved(stronger: float, own: tuple[int, int], others: tuple[int, int]) -> float:
    """What one side gains of another that is so much stronger; a tie is the mean of having won and having lost."""
    if own == others:
        return (_gain(stronger) - _gain(-stronger)) / 2
    return _gain(stronger) if own < others else -_gain(-stronger)


def _gain(stronger: float) -> float:
    """What a winner gains, and the loser loses, when the loser was so much stronger."""
    return min(max(_BASE * (1 + stronger / 500) / 2, 1.0), _BASE)
