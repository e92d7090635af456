"""The order in which Puoribor's player looks at actions (games/puoribor/prior.py), learnt from what searches chose: the part of learn_puoribor.py for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from hanpan.games.puoribor import prior, rules
from hanpan.games.puoribor.candidates import by_ways
from hanpan.games.puoribor.lanes import ROOM

DEPTH = 6  # of the lists that are learnt from: the longest ones
SEEN = 50  # so often at least something is seen, or nothing is learnt of it
STEPS, RATE, PULL = 150, 0.08, 1e-6

_ACTIONS, _RANKS, _ROOM = np.zeros(rules.MOST_LEGAL, np.int32), np.zeros(rules.MOST_LEGAL, np.int64), np.zeros(ROOM, np.int64)


def listed(s: Any, depth: int) -> tuple[Any, Any, int, int]:
    """What a search of this depth would look at, what each does to both ways, and how long these are."""
    n, mine, theirs = by_ways(s, _ACTIONS, _RANKS, depth, _ROOM)
    return _ACTIONS[:n].copy(), _RANKS[:n].copy(), mine, theirs


@dataclass(frozen=True)
class Lists:
    """Lists of actions, one after the other: which numbers count for each action; where a list begins, how long it is, and which of it was chosen."""

    rows: Any
    begins: Any
    sizes: Any
    chosen: Any

    @classmethod
    def of(cls, lists: list[tuple[Any, int]]) -> Lists:
        """Of many: the rows of each, and which action was chosen."""
        sizes = np.array([len(rows) for rows, _ in lists], np.int64)
        begins = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)
        rows = np.concatenate([rows for rows, _ in lists]) if lists else np.zeros((0, 4), np.int16)
        return cls(rows, begins, sizes, begins + np.array([chosen for _, chosen in lists], np.int64))

    def odds(self, weights: Any) -> Any:
        """What each action is ranked by."""
        return sum(weights[self.rows[:, k]] for k in range(4))


def one_list(s: Any, chosen: int) -> tuple[Any, int] | None:
    """A list to learn from; none where there is nothing to choose, or something else was played."""
    if s.hand[s.turn] == 0:
        return None
    actions, ranks, mine, theirs = listed(s, DEPTH)
    place = np.flatnonzero(actions == chosen)
    if len(place) == 0:
        return None
    stands = prior.standing(s, mine, theirs)
    rows = [prior.rows_of(s, action, rank, stands) for action, rank in zip(actions.tolist(), ranks.tolist(), strict=True)]
    return np.array(rows, np.int16), int(place[0])


def learn_order(taught: Lists, start: Any) -> Iterator[Any]:
    """Weights that make what was chosen likelier and likelier, after every step."""
    weights, seen = start.astype(np.float64) / prior.UNIT, np.bincount(taught.rows.reshape(-1), minlength=prior.ROWS)
    mean, square, which = np.zeros_like(weights), np.zeros_like(weights), np.repeat(np.arange(len(taught.sizes)), taught.sizes)
    for step in range(1, STEPS + 1):
        odds = taught.odds(weights)
        odds = np.exp(odds - np.maximum.reduceat(odds, taught.begins)[which])
        wrong = odds / np.add.reduceat(odds, taught.begins)[which]
        wrong[taught.chosen] -= 1
        slope = sum(np.bincount(taught.rows[:, k], wrong, prior.ROWS) for k in range(4)) / len(taught.sizes) + PULL * weights
        mean += 0.1 * (slope - mean)
        square += 0.01 * (slope * slope - square)
        rate = RATE * (0.02 + 0.49 * (1 + np.cos(np.pi * step / STEPS)))
        weights -= rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-9)
        yield np.rint(np.where(seen >= SEEN, weights, start / prior.UNIT) * prior.UNIT).astype(np.int16)


def places(lists: Lists, weights: Any) -> Any:
    """At which place of its list each chosen action stands, the first being 0; among equals in their middle."""
    odds = lists.odds(weights.astype(np.int64))
    chosen = np.repeat(odds[lists.chosen], lists.sizes)
    return np.add.reduceat((odds > chosen) + 0.5 * (odds == chosen), lists.begins) - 0.5


def compare_orders(old: Any, new: Any, held: Lists) -> str:
    """How high the present order and the new one have what was chosen."""
    first = [100 * float(np.mean(places(held, weights) < 1)) for weights in (old, new)]
    early = [100 * float(np.mean(places(held, weights) < 3)) for weights in (old, new)]
    return f"order      {len(held.sizes):>9,}  chosen stands first {first[0]:.1f} → {first[1]:.1f} %, among the first three {early[0]:.1f} → {early[1]:.1f} %"
