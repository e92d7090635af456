"""Wall Go's names: cells, edges and actions as texts. They depend on the board's size only, so that each is made once."""

from __future__ import annotations

from functools import cache

from hanpan.core.scene import cell_name

from .steps import OFFSET, SIDES, STEP_X, STEP_Y, STEPS


@cache
def name(size: int, cell: int) -> str:
    """The text of a cell.

    >>> name(7, 16)
    'c3'
    """
    return cell_name(cell % size, cell // size)


@cache
def edge_of(size: int, cell: int, side: int) -> str:
    """The text of the edge on one side of a cell: it belongs to the cell above it or to the left of it.

    >>> [edge_of(7, 16, SIDES.index(side)) for side in "udlr"]
    ['c2-', 'c3-', 'b3|', 'c3|']
    """
    owner = cell if side in (1, 3) else cell + int(OFFSET[size, 1 + side])
    return name(size, owner) + ("-" if side < 2 else "|")


@cache
def on_rim(size: int, cell: int, side: int) -> bool:
    """Whether this side of a cell is a part of the board's rim."""
    x, y = cell % size + int(STEP_X[1 + side]), cell // size + int(STEP_Y[1 + side])
    return not (0 <= x < size and 0 <= y < size)


@cache
def inner_edges(size: int) -> tuple[tuple[str, int, int], ...]:
    """All edges between two cells, sorted by their texts, each with a cell and the side of it where it lies."""
    return tuple(sorted((edge_of(size, cell, side), cell, side) for cell in range(size * size) for side in (1, 3) if not on_rim(size, cell, side)))


@cache
def way(size: int, start: int, end: int) -> int | None:
    """The step that leads from one cell to another, if it is one of the thirteen."""
    apart = end % size - start % size, end // size - start // size
    steps = list(zip(STEP_X.tolist(), STEP_Y.tolist(), strict=True))
    return steps.index(apart) if apart in steps else None


def placing(size: int, a: int) -> int | None:
    """The cell where an action places a piece; None for a turn."""
    cell = a - size * size * STEPS * 4
    return cell if cell >= 0 else None


def turn(size: int, a: int) -> tuple[int, int, int]:
    """A turn's first cell, last cell and side."""
    cell, step, side = a // 4 // STEPS, a // 4 % STEPS, a % 4
    return cell, cell + int(OFFSET[size, step]), side


@cache
def action(size: int, a: int) -> str:
    """The text of an action.

    >>> action(7, (8 * 13 + 12) * 4 + 3), action(7, 8 * 13 * 4 + 3), action(7, 7 * 7 * 13 * 4 + 8)
    ('b2-c3r', 'b2r', 'b2')
    """
    cell = placing(size, a)
    if cell is not None:
        return name(size, cell)
    start, end, side = turn(size, a)
    walked = "" if start == end else "-" + name(size, end)
    return name(size, start) + walked + SIDES[side]


@cache
def path(size: int, a: int) -> tuple[str, ...]:
    """The places that lead to an action: the cell where a piece is placed; else the piece, the cell where it ends, and the edge."""
    cell = placing(size, a)
    if cell is not None:
        return (name(size, cell),)
    start, end, side = turn(size, a)
    return name(size, start), name(size, end), edge_of(size, end, side)
