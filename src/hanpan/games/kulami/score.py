"""The score: points of tiles and, by level, of the largest groups (1) and of long straight runs (2)."""

from __future__ import annotations

import numpy as np

from hanpan.core.rule import Ints, Record, bits, rule

from .frame import CELLS, HOLES, SIDE, beside_high, beside_low, has

SHORTEST_RUN = 5
# Right, down, down-right, down-left.
STEP_X = np.array([1, 0, 1, -1], np.int64)
STEP_Y = np.array([0, 1, 1, 1], np.int64)


@rule
def count(s: Record, out: Ints) -> None:
    """Write both seats' points: those of their tiles; for groups and for runs, whoever is ahead gets the difference."""
    out[0], out[1] = s.points[0], s.points[1]
    if s.level >= 1:
        add_difference(out, largest_group(s, 0), largest_group(s, 1))
    if s.level >= 2:
        add_difference(out, long_runs(s, 0), long_runs(s, 1))


@rule
def add_difference(out: Ints, red: int, black: int) -> None:
    """Whoever is ahead gets the difference."""
    out[0 if red > black else 1] += abs(red - black)


@rule
def swing(s: Record, seat: int, cell: int) -> tuple[int, int]:
    """What a marble of a seat in an empty hole changes about the points of tiles: what the seat wins by taking the lead, and what it takes from the other."""
    t = int(s.tile[cell]) - 1
    lead = int(s.lead[t]) * (1 - 2 * seat)  # this seat's marbles more than the other's
    holes = int(HOLES[s.laid[t] // CELLS])
    return holes if lead == 0 else 0, holes if lead == -1 else 0


@rule
def largest_group(s: Record, seat: int) -> int:
    """The size of a seat's largest group of marbles that are joined by rows and columns."""
    low, high = int(s.marble[seat, 0]), int(s.marble[seat, 1])
    largest = 0
    while low | high != 0:
        group_low = low & -low
        group_high = 0 if low != 0 else high & -high
        size = 0
        while bits(group_low) + bits(group_high) != size:
            size = bits(group_low) + bits(group_high)
            near_low, near_high = beside_low(group_low, group_high), beside_high(group_low, group_high)
            group_low |= near_low & low
            group_high |= near_high & high
        low ^= group_low
        high ^= group_high
        largest = max(largest, size)
    return largest


@rule
def own(s: Record, seat: int, x: int, y: int) -> bool:
    """Whether a seat's marble lies at x, y, which may be outside the frame."""
    return 0 <= x < SIDE and 0 <= y < SIDE and has(int(s.marble[seat, 0]), int(s.marble[seat, 1]), y * SIDE + x) != 0


@rule
def long_runs(s: Record, seat: int) -> int:
    """The sum of the lengths of a seat's straight runs of five or more marbles, each as long as it goes."""
    total = 0
    for cell in range(CELLS):
        x, y = cell % SIDE, cell // SIDE
        if own(s, seat, x, y):
            for direction in range(4):
                dx, dy = int(STEP_X[direction]), int(STEP_Y[direction])
                if not own(s, seat, x - dx, y - dy):
                    length = 1
                    while own(s, seat, x + length * dx, y + length * dy):
                        length += 1
                    if length >= SHORTEST_RUN:
                        total += length
    return total
