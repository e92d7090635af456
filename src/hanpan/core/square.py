"""The eight symmetries of a square board, for games that are played on one."""

from __future__ import annotations

from hanpan.core.rule import rule


@rule
def image_on_square(size: int, k: int, cell: int) -> int:
    """Where a cell goes. Bit 0 of k mirrors left and right, bit 1 top and bottom, bit 2 then exchanges columns and rows.

    >>> [image_on_square(3, k, 1) for k in range(5)]
    [1, 1, 7, 7, 3]
    """
    x, y = cell % size, cell // size
    if k & 1 != 0:
        x = size - 1 - x
    if k & 2 != 0:
        y = size - 1 - y
    return x * size + y if k & 4 != 0 else y * size + x
