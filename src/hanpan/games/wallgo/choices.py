"""What is legal, listed or marked, and what is drawn from it when time is up."""

from __future__ import annotations

from typing import Any

from hanpan.core.rule import Ints, Record, Rng, below, rule

from .steps import STEPS, away, free, walks
from .table import PLACING, PLAYING, free_edges


def tell_legal(tell: Any) -> Any:
    """What is legal, as a rule: every empty cell while placing; else every piece, the cells it can reach, and their free edges.

    The rule hands them to `tell(out, n, a, width, held)`, which lists them or marks them in a mask: neighbours a … a + width − 1 at once (the sides
    of a cell), of which those are legal whose bit in `held` is set. n counts what is listed.
    """

    @rule
    def told(s: Record, out: Any) -> int:
        n = 0
        size = int(s.width)
        if s.phase == PLACING:
            for cell in range(size * size):
                if s.cell[cell] == 0:
                    n = tell(out, n, size * size * STEPS * 4 + cell, 1, 1)
        elif s.phase == PLAYING:
            seat = int(s.order[s.turn])
            for i in range(s.pieces):
                cell = int(s.at[seat, i])
                steps = walks(s, cell)
                step = -1
                while step != 0:
                    step = steps & 15
                    steps >>= 4
                    n = tell(out, n, (cell * STEPS + step) * 4, 4, free(s, away(size, cell, step)))
        return n

    return told


@rule
def write_down(out: Ints, n: int, a: int, width: int, held: int) -> int:
    """Add to a list."""
    for k in range(width):  # written in any case, counted only if held: there is always room, and no branch to guess
        out[n] = a + k
        n += (held >> k) & 1
    return n


@rule
def random_empty_cell(s: Record, rng: Rng) -> int:
    """A random cell where nobody stands."""
    left = below(rng, int(s.width) * int(s.width) - int(s.placed))
    cell = 0
    while s.cell[cell] != 0 or left > 0:
        left -= 1 if s.cell[cell] == 0 else 0
        cell += 1
    return cell


@rule
def random_free_edge(s: Record, seat: int, rng: Rng) -> tuple[int, int]:
    """A random free edge of one of the seat's pieces: its cell, and the side."""
    left = below(rng, free_edges(s, seat))
    for i in range(s.pieces):
        cell = int(s.at[seat, i])
        for side in range(4):
            if (free(s, cell) >> side) & 1 == 1:
                if left == 0:
                    return cell, side
                left -= 1
    return -1, -1
