"""Wall Go's ways: the four sides of a cell, the thirteen steps of a piece, and where they lead.

Cells are numbered y * size + x. The sides are up, down, left, right, so that `side ^ 1` is the opposite one; a set of sides is four bits.
Step 0 is standing still, steps 1 … 4 lead over one side, the others over two.
"""

from __future__ import annotations

import numpy as np

from hanpan.core.rule import Record, rule

MOST_SIZE = 11
SIDES = "udlr"
STEPS = 13
STEP_X = np.array([0, 0, 0, -1, 1, 0, 0, -2, 2, -1, 1, -1, 1])
STEP_Y = np.array([0, -1, 1, 0, 0, -2, 2, 0, 0, -1, -1, 1, 1])
OFFSET = np.array([[y * size + x for x, y in zip(STEP_X, STEP_Y, strict=True)] for size in range(MOST_SIZE + 1)])  # by size and step

_FAR = 5  # the first step over two sides
_TOGETHER = ((5, 0, 9, 10), (0, 6, 11, 12), (9, 11, 7, 0), (10, 12, 0, 8))  # the step that two sides make, one after the other


def _members(bits: int) -> list[int]:
    return [i for i in range(8) if bits >> i & 1]


def _listed(steps: list[int]) -> int:
    return sum(step << 4 * i for i, step in enumerate(steps))


# By a set of sides: how many they are, and the steps over one of them as a list, four bits each.
COUNT = np.array([len(_members(sides)) for sides in range(16)])
ONE_STEP = np.array([_listed([1 + side for side in _members(sides)]) for sides in range(16)])
# By a side and a set of sides: the steps that go on over one of the set, as a set of eight; and such a set as a list.
TWO_STEPS = np.array([[sum(1 << _TOGETHER[side][on] - _FAR for on in _members(sides) if on != side ^ 1) for sides in range(16)] for side in range(4)])
FAR_STEPS = np.array([_listed([_FAR + i for i in _members(far)]) for far in range(256)])


@rule
def away(size: int, cell: int, step: int) -> int:
    """The cell to which a step leads on a board of this size."""
    return cell + int(OFFSET[size, step])


@rule
def beside(s: Record, cell: int, side: int) -> int:
    """The neighbour on this side."""
    return away(int(s.width), cell, 1 + side)


@rule
def free(s: Record, cell: int) -> int:
    """The sides of a cell where a wall could be built: neither walled nor on the rim."""
    return int(s.open[cell]) & 15


@rule
def ways(s: Record, cell: int) -> int:
    """The sides over which a piece could leave a cell: free, and nobody stands behind."""
    return int(s.open[cell]) >> 4


@rule
def walks(s: Record, cell: int) -> int:
    """The steps that a piece can make from a cell, as a list, four bits each; standing still ends it."""
    size = int(s.width)
    near = ways(s, cell)
    far = 0
    for side in range(4):
        go = (near >> side) & 1  # where it can't go, look from the cell itself and forget it: cheaper than a branch
        far |= go * int(TWO_STEPS[side, ways(s, away(size, cell, go * (1 + side)))])
    return int(ONE_STEP[near]) | int(FAR_STEPS[far]) << 4 * int(COUNT[near])


@rule
def stand(s: Record, cell: int) -> None:
    """Close the ways of the neighbours into a cell, because a piece now stands there."""
    for side in range(4):
        if (free(s, cell) >> side) & 1 == 1:
            s.open[beside(s, cell, side)] &= 255 - (16 << (side ^ 1))


@rule
def leave(s: Record, cell: int) -> None:
    """Open the ways of the neighbours into a cell, because no piece stands there any more."""
    for side in range(4):
        if (free(s, cell) >> side) & 1 == 1:
            s.open[beside(s, cell, side)] |= 16 << (side ^ 1)
