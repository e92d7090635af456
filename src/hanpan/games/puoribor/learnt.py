"""What was learnt from self-play: a small network that judges a position for the seat to act.

Its inputs are the edges with walls, where the pawns stand and how to each other, how far they have to go, who is ahead by how much with how many walls,
and the walls in hand, all as the seat to act sees them (going down).
Each input adds a row of hidden values; two 16-bit values are packed into one word, so that adding words adds two values at once. Rows of edges
are summed beforehand for every possible column of the board.
"""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from hanpan.core.filled import filled
from hanpan.core.rule import Record, rule

from .board import COLUMN, SIZE

_WEIGHTS = np.load(Path(__file__).parent / "weights.npz")
HIDDEN = _WEIGHTS["rows"].shape[1]
WORDS = HIDDEN // 2
UNIT = 512  # a hidden value of one
FARTHEST, MOST_HAND, MOST_LEAD = 24, 10, 8
BUCKETS, LEADS = 18, 2 * MOST_LEAD + 1
Words = npt.NDArray[np.int32]


def _packed(rows: Any) -> Any:
    pairs = rows.astype(np.int32).reshape(-1, WORDS, 2)
    return pairs[:, :, 0] + (pairs[:, :, 1] << 16)


EDGES = _packed(_WEIGHTS["rows"][:144]).reshape(-1)  # first the flat ones, column by column, then the tall ones


@rule
def fill_flat(out: Words) -> None:
    """Every possible column of flat edges."""
    fill_columns(out, 0, 9, 8)


@rule
def fill_tall(out: Words) -> None:
    """Every possible column of tall edges."""
    fill_columns(out, 72, 8, 9)


@rule
def fill_columns(out: Words, first: int, columns: int, height: int) -> None:
    """The summed rows of every possible column of edges: row (x << height) + the column's bits."""
    for row in range(columns << height):
        bits, edge = row & ((1 << height) - 1), first + height * (row >> height)
        while bits != 0:
            for w in range(WORDS):
                out[WORDS * row + w] += (bits & 1) * EDGES[WORDS * edge + w]
            bits >>= 1
            edge += 1


def _columns(first: int, columns: int, height: int) -> Any:
    """The same, all at once."""
    bits = ((np.arange(1 << height)[:, None] >> np.arange(height)) & 1).astype(np.int32)
    rows = EDGES.reshape(-1, WORDS)
    return np.concatenate([bits @ rows[first + height * x : first + height * (x + 1)] for x in range(columns)]).reshape(-1)


# No table may be larger than a megabyte: Numba would note its address instead of its content, and the code on disk would point nowhere.
F = filled(_columns(0, 9, 8), fill_flat)
T = filled(_columns(72, 8, 9), fill_tall)
R = _packed(_WEIGHTS["rows"][144:]).reshape(-1)
PAWN_ROWS, OTHER_ROWS, WAY_ROWS, OTHER_WAY_ROWS, HAND_ROWS, OTHER_HAND_ROWS, BASE_ROWS, LEAD_ROWS, MEETING_ROWS = 0, 81, 162, 187, 212, 234, 256, 258, 564
_LAST = _WEIGHTS["out"].astype(np.int32)
BASE = _LAST[:, HIDDEN].copy()
# What each hidden value counts: for every bucket first the lowest of all words, then the second of all words … In two parts, HIGH * 256 + LOW, so that
# sums of them, each times a square, have at most 32 bits: WebAssembly has no quick product of more.
_COUNTS = np.hstack([_LAST[:, lane:HIDDEN:2] for lane in range(2)])
HIGH, LOW = (_COUNTS >> 8).reshape(-1), (_COUNTS & 255).reshape(-1)
if np.abs(_COUNTS >> 8).sum(1).max() * UNIT * UNIT >= 1 << 31:
    raise ValueError("weights.npz: the values of the last layer are too large")


def _each_column(bits: int) -> int:
    return sum(bits << (COLUMN * x) for x in range(5))


_FOUR, _MIDDLE, _PAIRS, _ONES = _each_column(15), _each_column(16), _each_column(0b0011), _each_column(0b0101)


@rule
def four_upside_down(f: int) -> int:
    """The four lowest rows of each column in reverse."""
    f = ((f & _PAIRS) << 2) | ((f >> 2) & _PAIRS)
    return ((f & _ONES) << 1) | ((f >> 1) & _ONES)


@rule
def flat_upside_down(f: int) -> int:
    """A word of horizontal edges, seen from the other side."""
    return (four_upside_down(f & _FOUR) << 4) | four_upside_down((f >> 4) & _FOUR)


@rule
def tall_upside_down(f: int) -> int:
    """A word of vertical edges, seen from the other side."""
    return (four_upside_down(f & _FOUR) << 5) | (f & _MIDDLE) | four_upside_down((f >> 5) & _FOUR)


@rule
def seen_cell(site: int, seat: int) -> int:
    """The number of a cell as a seat sees it."""
    x, y = site // COLUMN, site % COLUMN
    return SIZE * x + (y if seat == 0 else SIZE - 1 - y)


@rule
def apart(here: int, there: int, seat: int) -> int:
    """The number of how two pawns stand to each other: how far the other is to the right, and how far ahead as a seat sees it."""
    ahead = there % COLUMN - here % COLUMN
    return (2 * SIZE - 1) * (there // COLUMN - here // COLUMN + SIZE - 1) + (ahead if seat == 0 else -ahead) + SIZE - 1


@rule
def bucket_of(hand: int, other: int, rotation: int) -> int:
    """The number of what is still to come: whether there are turns, and whether either seat has no wall in hand, a few, or more."""
    return 9 * rotation + 3 * ((1 if hand > 0 else 0) + (1 if hand > 3 else 0)) + (1 if other > 0 else 0) + (1 if other > 3 else 0)


@rule
def lead_of(mine: int, theirs: int) -> int:
    """The number of who is ahead by how much."""
    return min(max(theirs - mine, -MOST_LEAD), MOST_LEAD) + MOST_LEAD


@rule
def squared(hidden: int | np.int32) -> int:
    """What a hidden value passes on: its square, between nothing and one."""
    kept = np.int32(min(max(np.int32(hidden), np.int32(0)), np.int32(UNIT)))
    return np.int32(kept * kept)  # type: ignore[return-value]


@rule
def judge(s: Record, mine: int, theirs: int) -> int:
    """How good a position is for the seat to act; `mine` and `theirs` are the lengths of the ways."""
    me = int(s.turn)
    h0, h1, v0, v1 = s.h[0], s.h[1], s.v[0], s.v[1]
    if me == 1:
        h0, h1, v0, v1 = flat_upside_down(h0), flat_upside_down(h1), tall_upside_down(v0), tall_upside_down(v1)
    hand, other, rotation = min(int(s.hand[me]), MOST_HAND), min(int(s.hand[1 - me]), MOST_HAND), int(s.rotation)
    a0, a1, a2 = WORDS * (h0 & 255), WORDS * (256 + ((h0 >> 10) & 255)), WORDS * (512 + ((h0 >> 20) & 255))
    a3, a4, a5 = WORDS * (768 + ((h0 >> 30) & 255)), WORDS * (1024 + ((h0 >> 40) & 255)), WORDS * (1280 + (h1 & 255))
    a6, a7, a8 = WORDS * (1536 + ((h1 >> 10) & 255)), WORDS * (1792 + ((h1 >> 20) & 255)), WORDS * (2048 + ((h1 >> 30) & 255))
    b0, b1, b2 = WORDS * (v0 & 511), WORDS * (512 + ((v0 >> 10) & 511)), WORDS * (1024 + ((v0 >> 20) & 511))
    b3, b4, b5 = WORDS * (1536 + ((v0 >> 30) & 511)), WORDS * (2048 + ((v0 >> 40) & 511)), WORDS * (2560 + (v1 & 511))
    b6, b7 = WORDS * (3072 + ((v1 >> 10) & 511)), WORDS * (3584 + ((v1 >> 20) & 511))
    c0, c1 = WORDS * (PAWN_ROWS + seen_cell(int(s.pawn[me]), me)), WORDS * (OTHER_ROWS + seen_cell(int(s.pawn[1 - me]), me))
    c2, c3 = WORDS * (WAY_ROWS + min(mine, FARTHEST)), WORDS * (OTHER_WAY_ROWS + min(theirs, FARTHEST))
    c4, c5, c6 = WORDS * (HAND_ROWS + 11 * rotation + hand), WORDS * (OTHER_HAND_ROWS + 11 * rotation + other), WORDS * (BASE_ROWS + rotation)
    bucket = bucket_of(hand, other, rotation)
    c7 = WORDS * (LEAD_ROWS + LEADS * bucket + lead_of(mine, theirs))
    c8 = WORDS * (MEETING_ROWS + apart(int(s.pawn[me]), int(s.pawn[1 - me]), me))
    o, high, low = HIDDEN * bucket, np.int32(0), np.uint32(0)
    for w in range(WORDS):
        edges = int(F[np.uint64(a0 + w)]) + int(F[np.uint64(a1 + w)]) + int(F[np.uint64(a2 + w)]) + int(F[np.uint64(a3 + w)]) + int(F[np.uint64(a4 + w)])
        edges += int(F[np.uint64(a5 + w)]) + int(F[np.uint64(a6 + w)]) + int(F[np.uint64(a7 + w)]) + int(F[np.uint64(a8 + w)])
        edges += int(T[np.uint64(b0 + w)]) + int(T[np.uint64(b1 + w)]) + int(T[np.uint64(b2 + w)]) + int(T[np.uint64(b3 + w)])
        edges += int(T[np.uint64(b4 + w)]) + int(T[np.uint64(b5 + w)]) + int(T[np.uint64(b6 + w)]) + int(T[np.uint64(b7 + w)])
        rest = int(R[np.uint64(c0 + w)]) + int(R[np.uint64(c1 + w)]) + int(R[np.uint64(c2 + w)]) + int(R[np.uint64(c3 + w)])
        rest += int(R[np.uint64(c4 + w)]) + int(R[np.uint64(c5 + w)]) + int(R[np.uint64(c6 + w)]) + int(R[np.uint64(c7 + w)]) + int(R[np.uint64(c8 + w)])
        word = np.int32(0x8000 + edges + rest)  # so that the lower value is not negative and takes nothing from the one above
        first, second = squared((word & 0xFFFF) - 0x8000), squared(word >> 16)
        p, q = np.uint64(o + w), np.uint64(o + WORDS + w)
        high = np.int32(high + first * HIGH[p] + second * HIGH[q])
        low = np.uint32(low + first * LOW[p] + second * LOW[q])
    return ((((int(high) << 8) + int(low)) >> 18) + int(BASE[bucket])) >> 6
