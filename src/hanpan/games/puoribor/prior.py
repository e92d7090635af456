"""How likely each action of a list is to be the best of it, learnt from what searches chose: the order in which a search looks at them.

What an action does to both ways says most; then where its middle lies, seen from either pawn (left and right are alike), and who is ahead by how much with
how many walls, for each kind of action. Each of the four adds a number, learnt with `benchmarks/learn_puoribor.py`.
"""

from pathlib import Path
from typing import Any

import numpy as np

from hanpan.core.filled import filled
from hanpan.core.rule import Ints, Record, plain, rule

from .board import COLUMN, SIZE
from .learnt import BUCKETS, LEADS, bucket_of, lead_of
from .rules import ACTIONS, FLAT, TALL, TURN
from .window import WINDOWS

_KINDS = 4  # steps, horizontal walls, vertical walls, turns
_RANKS, _LOWEST, _RANK = 64, -1600, 50  # what an action does to both ways counts in steps of 50, from here on
_ACROSS, _ALONG = 9, 18  # how far a middle can be from a pawn, in cells: to either side; behind it (up to 9) and ahead
OTHER_ROWS = _KINDS * _RANKS
OWN_ROWS = OTHER_ROWS + _KINDS * _ACROSS * _ALONG
STANDING_ROWS = OWN_ROWS + _KINDS * _ACROSS * _ALONG
STANDINGS = BUCKETS * LEADS
ROWS = STANDING_ROWS + _KINDS * STANDINGS
UNIT = 100  # a logarithm of the odds of one
ODDS = np.load(Path(__file__).parent / "weights.npz")["prior"].astype(np.int32)


@rule
def middle(a: int) -> tuple[int, int, int]:
    """The kind of an action, and the column and row of its middle in half cells."""
    if a < FLAT:
        return 0, 2 * (a // SIZE), 2 * (a % SIZE)
    if a < TURN:
        centre = (a - FLAT) % 64
        return 1 if a < TALL else 2, 2 * (centre // 8) + 1, 2 * (centre % 8) + 1
    return 3, 2 * ((a - TURN) // WINDOWS) + 3, 2 * ((a - TURN) % WINDOWS) + 3


@rule
def seen_from(site: int, kind: int, x: int, y: int, seat: int) -> int:
    """The number of where a middle lies as a pawn on this site sees it that the seat looks at."""
    ahead = y - 2 * (site % COLUMN)
    return (_ACROSS * kind + abs(x - 2 * (site // COLUMN)) // 2) * _ALONG + ((ahead if seat == 0 else -ahead) + _ALONG - 1) // 2


@rule
def standing(s: Record, mine: int, theirs: int) -> int:
    """The number of who is ahead by how much with how many walls; `mine` and `theirs` are the lengths of the ways."""
    me = int(s.turn)
    return LEADS * bucket_of(int(s.hand[me]), int(s.hand[1 - me]), int(s.rotation)) + lead_of(mine, theirs)


@rule
def rows_of(s: Record, action: int, rank: int, stands: int) -> tuple[int, int, int, int]:
    """Which four numbers count for an action; `rank`: what it does to both ways."""
    me = int(s.turn)
    kind, x, y = middle(action)
    other, own = seen_from(int(s.pawn[1 - me]), kind, x, y, me), seen_from(int(s.pawn[me]), kind, x, y, me)
    return _RANKS * kind + min(max((rank - _LOWEST) // _RANK, 0), _RANKS - 1), OTHER_ROWS + other, OWN_ROWS + own, STANDING_ROWS + STANDINGS * kind + stands


@rule
def fill_places(out: Ints) -> None:
    """What is added for where each action's middle lies: for either pawn, as each seat sees it, from every cell."""
    for row in range(2 * 2 * FLAT):
        first, seat, cell = OTHER_ROWS if row < 2 * FLAT else OWN_ROWS, row // FLAT % 2, row % FLAT
        for action in range(ACTIONS):
            kind, x, y = middle(action)
            out[ACTIONS * row + action] = ODDS[first + seen_from(COLUMN * (cell // SIZE) + cell % SIZE, kind, x, y, seat)]


def _places() -> Any:
    """The same, all at once."""
    kind, x, y = np.array([plain(middle)(action) for action in range(ACTIONS)]).T
    column, row = np.arange(FLAT)[:, None] // SIZE, np.arange(FLAT)[:, None] % SIZE
    lines = _ACROSS * kind + abs(x - 2 * column) // 2
    seen = np.stack([lines * _ALONG + (ahead + _ALONG - 1) // 2 for ahead in (y - 2 * row, 2 * row - y)])
    return np.stack([ODDS[OTHER_ROWS + seen], ODDS[OWN_ROWS + seen]]).reshape(-1)


PLACES = filled(_places(), fill_places)


@rule
def weigh(s: Record, actions: Ints, ranks: Any, n: int, mine: int, theirs: int) -> None:
    """Rank a list, that was ranked by what its actions do to both ways, by how likely each is to be the best."""
    me = int(s.turn)
    here, there = int(s.pawn[me]), int(s.pawn[1 - me])
    stands = STANDING_ROWS + standing(s, mine, theirs)
    other, own = ACTIONS * (FLAT * me + there - there // COLUMN), ACTIONS * (FLAT * (2 + me) + here - here // COLUMN)
    for i in range(n):
        a = int(actions[i])
        kind = 0 if a < FLAT else 1 if a < TALL else 2 if a < TURN else 3
        rank = _RANKS * kind + min(max((int(ranks[i]) - _LOWEST) // _RANK, 0), _RANKS - 1)
        ranks[i] = int(ODDS[rank]) + int(PLACES[np.uint64(other + a)]) + int(PLACES[np.uint64(own + a)]) + int(ODDS[np.uint64(stands + STANDINGS * kind)])
