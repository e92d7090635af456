"""Kulami: what a computer player thinks of a position.

A tile counts for the seat that leads on it, by how surely it will keep it: that depends on the lead and on the holes still empty there, and hardly on
the tile's size. The numbers were fitted to the results of games that the computer played against itself. Having the move is worth a little, and
so is every hole to choose from.
"""

from __future__ import annotations

import numpy as np

from hanpan.core.level import Level
from hanpan.core.rule import Ints, Record, bits, rule

from .frame import CELLS, HOLES, LINE, PLACEMENTS, SHAPES, SIDE, TILES, area, beside, halves
from .score import largest_group, long_runs, swing

SCALE = 450
LATE = 6
LEVELS = (
    Level(nodes=400, depth=1, softness=0.5),
    Level(nodes=400, depth=1, softness=0.15),
    Level(nodes=2_000, depth=2, softness=0.08),
    Level(nodes=5_000, depth=3, softness=0.03),
    Level(nodes=15_000, depth=5),
    Level(nodes=25_000),
    Level(nodes=130_000),
    Level(nodes=5_000_000),
)

MOVE = 60  # worth of having the move, in hundredths of a point
CHOICE = 10  # and of each hole to choose from
GROUP, RUN = 50, 70  # worth of a marble more in the largest group and in long runs, where they count

# How surely, in hundredths, a lead of one or two on a tile is kept while so many holes are empty there. Every other lead is safe.
KEPT = {(1, 1): 68, (1, 2): 63, (1, 3): 58, (1, 5): 52, (2, 2): 96, (2, 4): 96}

# What red may expect from a tile: by the tile's shape, the empty holes on it and red's lead, all in one row. TILE[k] is where the placement k stands in it.
_LEADS = 16
_worth = np.zeros((len(SHAPES), 8, _LEADS), np.int16)
for _shape, _holes in enumerate(HOLES.tolist()):
    for _empty in range(_holes):
        for _lead in range(1, _holes - _empty + 1):
            _worth[_shape, _empty, _LEADS // 2 + _lead] = _holes * KEPT.get((_lead, _empty), 100)
            _worth[_shape, _empty, _LEADS // 2 - _lead] = -_holes * KEPT.get((_lead, _empty), 100)
WORTH = _worth.reshape(-1)
TILE = np.array([k // CELLS * 8 * _LEADS + _LEADS // 2 for k in range(PLACEMENTS)], np.int64)

COVER = np.array([halves(area(k)) for k in range(PLACEMENTS)], np.int64)  # the cells under a placement
TOUCH = np.array([halves(beside(area(k)) & ~area(k)) for k in range(PLACEMENTS)], np.int64)  # the cells around it


@rule
def place(k: int, lead: int, low: int, high: int) -> int:
    """Where WORTH tells of a tile, given red's lead on it and the empty holes of the board."""
    # A tile is at most three rows high, so what it covers in the two halves never lies on the same bits: one count does for both.
    return int(TILE[k]) + bits((int(COVER[k, 0]) & low) | (int(COVER[k, 1]) & high)) * _LEADS + lead


@rule
def tally(s: Record) -> int:
    """What all tiles promise red, less what they promise black."""
    total = 0
    low, high = int(s.empty[0]), int(s.empty[1])
    for t in range(TILES):
        total += int(WORTH[place(int(s.laid[t]), int(s.lead[t]), low, high)])
    return total


@rule
def values(s: Record, out: Ints) -> None:
    """How each seat stands, in hundredths of a point."""
    out[0], out[1] = 0, 0
    if s.tiles < TILES:
        return
    out[0] = tally(s)
    if s.level >= 1:
        out[0] += GROUP * (largest_group(s, 0) - largest_group(s, 1))
    if s.level >= 2:
        out[0] += RUN * (long_runs(s, 0) - long_runs(s, 1))
    if s.turn >= 0:
        out[s.turn] += MOVE + CHOICE * (bits(int(s.target[0])) + bits(int(s.target[1])))


@rule
def gain(s: Record, a: int) -> int:
    """What a marble in a hole changes about its tile, for the seat to move."""
    sign = 1 - 2 * int(s.turn)
    t = int(s.tile[a]) - 1
    at = place(int(s.laid[t]), int(s.lead[t]), int(s.empty[0]), int(s.empty[1]))
    return sign * (int(WORTH[at - _LEADS + sign]) - int(WORTH[at]))


@rule
def replies(s: Record, a: int) -> int:
    """How many holes the opponent can choose from after a marble in a hole."""
    other = 1 - int(s.turn)
    if s.left[other] == 0:
        return 0
    k = int(s.laid[s.tile[a] - 1])
    low = int(s.empty[0]) & int(LINE[a, 0]) & ~int(COVER[k, 0])
    high = int(s.empty[1]) & int(LINE[a, 1]) & ~int(COVER[k, 1])
    if s.last[other] >= 0:
        k = int(s.laid[s.tile[s.last[other]] - 1])
        low &= ~int(COVER[k, 0])
        high &= ~int(COVER[k, 1])
    return bits(low) + bits(high)


@rule
def order(s: Record, a: int) -> int:
    """First what gains most and leaves the opponent little choice."""
    return gain(s, a) - 2 * CHOICE * replies(s, a) if a < CELLS else 0


@rule
def ahead(s: Record, actions: Ints, n: int, beta: int, won: int) -> tuple[int, int]:
    """The best of n holes, each judged as `values` would after a marble there, without putting it: only one tile and the replies change."""
    if s.level > 0 or s.tiles < TILES:
        return 0, 0
    seat = int(s.turn)
    stands = (1 - 2 * seat) * tally(s) - MOVE
    lead = int(s.points[seat]) - int(s.points[1 - seat])
    best = -won
    for i in range(n):
        a = int(actions[i])
        choices = replies(s, a)
        value = stands + gain(s, a) - CHOICE * choices
        if choices == 0:  # the game is over
            won_now, taken = swing(s, seat, a)
            final = lead + won_now + taken
            value = won if final > 0 else -won if final < 0 else 0
        best = max(best, value)
        if best >= beta:
            return best, i + 1
    return best, n


@rule
def compact(s: Record, k: int) -> int:
    """How well a tile fits while the board is laid: along many laid holes, else near the middle; and a little as it happens, so that boards differ."""
    along = bits(int(s.empty[0]) & int(TOUCH[k, 0])) + bits(int(s.empty[1]) & int(TOUCH[k, 1]))
    x, y = k % SIDE, k % CELLS // SIDE
    laid = 0
    for t in range(s.tiles):
        laid += int(s.laid[t])
    return 8 * along - abs(2 * x - SIDE + 2) - abs(2 * y - SIDE + 2) + (7 * k + laid) % 11


@rule
def prune(s: Record, actions: Ints, n: int, depth: int) -> int:
    """While the board is laid nobody knows what is good: one tile that fits well will do."""
    if s.tiles == TILES:
        return n
    first = 0
    for i in range(1, n):
        if compact(s, int(actions[i]) - CELLS) > compact(s, int(actions[first]) - CELLS):
            first = i
    actions[0], actions[first] = actions[first], actions[0]
    return 1
