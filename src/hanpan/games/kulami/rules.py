"""Kulami: what the game is."""

from __future__ import annotations

import numpy as np

from hanpan.core.option import Option
from hanpan.core.rule import CHANCE, OVER, Ints, Record, Rng, below, bits, hide_nothing, imagine_nothing, record_type, rule

from .boardcode import read_option
from .boards import PRINTED, can_lay, clear, draw_irregular, draw_square, lay, list_fits, random_fit
from .frame import CELLS, HALF, HOLES, LINE, PLACEMENTS, STOCK, TILES, cover_high, cover_low, nth_cell, write_cells
from .score import largest_group, long_runs

RED, BLACK = 0, 1
MARBLES = 28

State = record_type(
    [
        ("marble", np.int64, (2, 2)),  # by seat and half of the frame
        ("empty", np.int64, 2),  # holes without a marble
        ("target", np.int64, 2),  # holes where the seat to move may put a marble
        ("laid", np.int16, TILES),  # placements of the tiles in reading order, then zeros
        ("tile", np.int8, CELLS),  # 1 + the number of the tile on each cell, 0 where there is none
        ("lead", np.int8, TILES),  # red marbles less black ones on each tile
        ("points", np.int8, 2),  # of the tiles where each seat has more marbles
        ("left", np.int8, 2),  # marbles not played yet
        ("last", np.int8, 2),  # the cell of each seat's last marble, −1 if there is none
        ("stock", np.int8, len(STOCK)),  # tiles of each size not laid yet
        ("tiles", np.int8),  # how many are laid
        ("turn", np.int8),  # the seat to act, CHANCE or OVER
        ("board", np.int8),  # the options
        ("level", np.int8),
    ]
)
OPTIONS = (
    Option("board", "a", choices=("a", "b", "random", "random-square", "build"), free=read_option, laid="build"),
    Option("level", 0, high=2),
)
A, B, RANDOM, RANDOM_SQUARE, BUILD, GIVEN = range(6)
ACTIONS = CELLS + PLACEMENTS  # a marble in a hole; a tile laid
MOST_LEGAL = 565  # the first tile of a board that the players lay
MOST_SEATS = 2

hide, imagine = hide_nothing, imagine_nothing


@rule
def seats(s: Record) -> int:
    """Red and black."""
    return 2


@rule
def actions(s: Record) -> int:
    """The size of the action space under these options: tiles are laid only when the players build the board."""
    return ACTIONS if s.board == BUILD else CELLS


@rule
def start(s: Record, board: int, level: int) -> None:
    """Lay the board, or leave the frame empty for chance, for the players, or for the tiles of an explicit board."""
    s.board = board
    s.level = level
    clear(s)
    for seat in range(2):
        s.left[seat] = MARBLES
        s.last[seat] = -1
    if board <= B:
        for t in range(TILES):
            lay(s, int(PRINTED[board, t]))
        begin(s, RED)
    elif board == BUILD:
        s.turn = BLACK
    elif board != GIVEN:
        s.turn = CHANCE


@rule
def begin(s: Record, seat: int) -> None:
    """The board is complete: the first marble may go anywhere."""
    s.turn = seat
    find_targets(s)


@rule
def mover(s: Record) -> int:
    """The seat to act, CHANCE or OVER."""
    return int(s.turn)


@rule
def find_targets(s: Record) -> None:
    """Find where the seat to move may put a marble; without such a hole the game is over."""
    seat = int(s.turn)
    own, other = int(s.last[seat]), int(s.last[1 - seat])
    low, high = int(s.empty[0]), int(s.empty[1])
    if other >= 0:
        tile = int(s.laid[s.tile[other] - 1])
        low &= LINE[other, 0] & ~cover_low(tile)
        high &= LINE[other, 1] & ~cover_high(tile)
        if own >= 0:
            tile = int(s.laid[s.tile[own] - 1])
            low &= ~cover_low(tile)
            high &= ~cover_high(tile)
    if s.left[seat] == 0:
        low, high = 0, 0
    s.target[0] = low
    s.target[1] = high
    if low | high == 0:
        s.turn = OVER


@rule
def put(s: Record, seat: int, cell: int) -> None:
    """Put a seat's marble into a hole and count the tile anew."""
    half = cell // HALF
    bit = 1 << (cell - half * HALF)
    s.marble[seat, half] |= bit
    s.empty[half] ^= bit
    s.left[seat] -= 1
    t = int(s.tile[cell]) - 1
    s.lead[t] += 1 - 2 * seat
    ahead = int(s.lead[t]) * (1 - 2 * seat)  # this seat's marbles more than the other's
    if ahead == 1:
        s.points[seat] += HOLES[s.laid[t] // CELLS]
    elif ahead == 0:
        s.points[1 - seat] -= HOLES[s.laid[t] // CELLS]


@rule
def legal(s: Record, out: Ints) -> int:
    """Write the legal actions: cells, or while the board is laid, 100 + placements."""
    if s.turn < 0:
        return 0
    if s.tiles < TILES:
        return list_fits(s, out)
    return write_cells(int(s.target[1]), HALF, out, write_cells(int(s.target[0]), 0, out, 0))


@rule
def apply(s: Record, a: int) -> None:
    """Put a marble, or lay a tile."""
    seat = int(s.turn)
    s.turn = 1 - seat
    if a < CELLS:
        put(s, seat, a)
        s.last[seat] = a
        find_targets(s)
    else:
        lay(s, a - CELLS)
        if s.tiles == TILES:
            begin(s, 1 - seat)
        elif not can_lay(s):  # the seat that laid the first tile begins again
            s.turn = (1 - seat + s.tiles) % 2
            clear(s)


@rule
def chance(s: Record, rng: Rng) -> None:
    """Draw the whole board."""
    if s.board == RANDOM:
        draw_irregular(s, rng)
    else:
        draw_square(s, rng)
    begin(s, RED)


@rule
def outcome(s: Record, out: Ints) -> int:
    """Points of tiles and, by level, of groups and runs; the seat with more has won."""
    out[RED], out[BLACK] = s.points[RED], s.points[BLACK]
    if s.level >= 1:
        add_difference(out, largest_group(s, RED), largest_group(s, BLACK))
    if s.level >= 2:
        add_difference(out, long_runs(s, RED), long_runs(s, BLACK))
    if out[RED] == out[BLACK]:
        return 0
    return 1 if out[RED] > out[BLACK] else 2


@rule
def add_difference(out: Ints, red: int, black: int) -> None:
    """Whoever is ahead gets the difference."""
    out[RED if red > black else BLACK] += abs(red - black)


@rule
def forced(s: Record, rng: Rng) -> int:
    """Time is up: a random hole, or a random tile somewhere."""
    if s.tiles < TILES:
        k = random_fit(s, rng)
        while k < 0:
            k = random_fit(s, rng)
        return CELLS + k
    low, high = int(s.target[0]), int(s.target[1])
    return nth_cell(low, high, below(rng, bits(low) + bits(high)))
