"""What a learning machine sees of a position: planes of cells, packed into bits so that they can be made quickly anywhere.

A plane is `rows × columns` cells, cell number row·columns + column. It holds a *level* (0 … 255) where its bit is set and 0 elsewhere: a plane of
pieces has level 1, a plane that tells one number (walls in hand, say) has all bits set and that number as its level. Packed, an observation is
`bits`, uint32 [planes, words], and `level`, uint8 [planes]; 32 cells a word.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hanpan.core.rule import rule

WORD = 32
FULL = (1 << WORD) - 1
Bits = Any  # uint32 [planes, words]
Levels = Any  # uint8 [planes]


def words(cells: int) -> int:
    """How many words so many cells take.

    >>> words(32), words(81)
    (1, 3)
    """
    return (cells + WORD - 1) // WORD


def unpack_bits(bits: Any, cells: int) -> Any:
    """Packed words [..., words] as 0/1 bytes [..., cells]."""
    return np.unpackbits(np.ascontiguousarray(bits, "<u4").view(np.uint8), axis=-1, count=cells, bitorder="little")


@rule
def paint(bits: Bits, plane: int, at: int, cells: int) -> None:
    """Set a row of up to 62 cells, given as a bit set whose lowest bit is cell number `at`."""
    if cells == 0:
        return
    word, shift = at >> 5, at & 31
    low, high = (cells & 0xFFFFFFFF) << shift, (cells >> 32) << shift
    high |= low >> 32
    if low & 0xFFFFFFFF != 0:
        bits[plane, word] |= low & 0xFFFFFFFF
    if high & 0xFFFFFFFF != 0:
        bits[plane, word + 1] |= high & 0xFFFFFFFF
    if high >> 32 != 0:
        bits[plane, word + 2] |= high >> 32


@rule
def dot(bits: Bits, plane: int, cell: int) -> None:
    """Set one cell."""
    bits[plane, cell >> 5] |= 1 << (cell & 31)


@rule
def flood(bits: Bits, level: Levels, plane: int, cells: int, value: int) -> None:
    """Make a plane that holds one number (cut at 255) in all its cells."""
    for word in range(cells >> 5):
        bits[plane, word] = 0xFFFFFFFF
    if cells & 31 != 0:
        bits[plane, cells >> 5] = (1 << (cells & 31)) - 1
    level[plane] = min(value, 255)
