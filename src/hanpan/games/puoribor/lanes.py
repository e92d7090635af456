"""Many ways measured at once, each between walls of its own.

A flood is the same few operations for every one of them, whatever the walls, so they go side by side in lanes: row r of the room holds one word of each,
and the compiler makes of the loop over the lanes operations on several words at once.
"""

from typing import Any

import numpy as np

from hanpan.core.rule import rule

from .board import BOTTOM0, BOTTOM1, COLUMN, TOP0, TOP1, WORD, bit0, bit1
from .ways import FAR

DOWN0, DOWN1, RIGHT0, RIGHT1, FLOOD0, FLOOD1, STEPS, NUMBER = range(8)  # rows: what is open, how far the flood is, how long the way, what the lane is for
PACE = 2  # lanes are measured so many at a time: as many as WebAssembly's vectors hold; wider ones take several pairs
LANES = 168
ROOM = (8, LANES)
# Here sets of sites are numbers without a sign: shifting two numbers with one to the right at once takes WebAssembly, and many a processor, six steps.
_GOALS = np.array([[BOTTOM0, BOTTOM1], [TOP0, TOP1]], np.uint64)
_NOTHING = np.uint64(0)


@rule
def put(room: Any, lane: int, number: int, site: int, down0: int, down1: int, right0: int, right1: int) -> None:
    """A way from this site, to be measured in this lane."""
    room[DOWN0, lane], room[DOWN1, lane], room[RIGHT0, lane], room[RIGHT1, lane] = down0, down1, right0, right1
    room[FLOOD0, lane], room[FLOOD1, lane], room[NUMBER, lane] = bit0(site), bit1(site), number


@rule
def measure(room: Any, lanes: int, seat: int) -> None:
    """STEPS of each lane: how far it is to the seat's goal row; FAR if there is no way."""
    goal0, goal1 = _GOALS[seat, 0], _GOALS[seat, 1]
    sets, steps = room.view(np.uint64), room[STEPS]
    down0, down1, right0, right1, flood0, flood1 = sets[0], sets[1], sets[2], sets[3], sets[4], sets[5]
    padded = (lanes + PACE - 1) // PACE * PACE
    for j in range(lanes, padded):
        flood0[j], flood1[j] = 0, 0
    for j in range(padded):
        steps[j] = 0
    growing = True
    while growing:
        grown = _NOTHING
        for j in range(padded):
            f0, f1, d0, d1, r0, r1 = flood0[j], flood1[j], down0[j], down1[j], right0[j], right1[j]
            a0 = f0 & r0  # a step from column e to f stays in the first word, too: beyond its columns, where it leads nowhere new
            g0 = f0 | (a0 << COLUMN) | (((f0 >> COLUMN) | (f1 << (WORD - COLUMN))) & r0) | ((f0 & d0) << 1) | ((f0 >> 1) & d0)
            g1 = f1 | ((f1 & r1) << COLUMN) | (a0 >> (WORD - COLUMN)) | ((f1 >> COLUMN) & r1) | ((f1 & d1) << 1) | ((f1 >> 1) & d1)
            away = (f0 & goal0) | (f1 & goal1) == 0
            steps[j] += 1 if away else 0
            grown |= (g0 ^ f0) | (g1 ^ f1) if away else _NOTHING
            flood0[j], flood1[j] = g0, g1
        growing = grown != 0
    for j in range(lanes):
        if (flood0[j] & goal0) | (flood1[j] & goal1) == 0:
            steps[j] = FAR
