"""Kulami: what the game is, from the set-up to the score.

Seventeen tiles of two, three, four and six holes make the board. Red and black put a marble into a hole in turn: in the row or the column of the
marble that the opponent has just put, but on neither of the two tiles that were played on last. When somebody can't, the game is over. Whoever
has more marbles on a tile gets a point for each of its holes.
"""

from __future__ import annotations

from hanpan.core.option import Option
from hanpan.core.rule import CHANCE, OVER, Ints, Record, Rng, below, bits, hide_nothing, imagine_nothing, rule

from .boardcode import read_option
from .boards import PRINTED, can_lay, clear, draw_irregular, draw_square, lay, list_fits, random_fit
from .frame import CELLS, HALF, LINE, PLACEMENTS, TILES, nth_cell, write_cells
from .score import count
from .table import State as State
from .table import off_tile, put

RED, BLACK = 0, 1
MARBLES = 28

OPTIONS = (
    Option("board", "a", choices=("a", "b", "random", "random-square", "build"), free=read_option, laid="build"),
    Option("level", 0, high=2),
)
A, B, RANDOM, RANDOM_SQUARE, BUILD, GIVEN = range(6)
ACTIONS = CELLS + PLACEMENTS  # a marble in a hole; a tile laid
MOST_LEGAL = 565  # the first tile of a board that the players lay
MOST_SEATS = 2

hide, imagine = hide_nothing, imagine_nothing


# --- set-up: the board ---


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
def chance(s: Record, rng: Rng) -> None:
    """Draw the whole board."""
    if s.board == RANDOM:
        draw_irregular(s, rng)
    else:
        draw_square(s, rng)
    begin(s, RED)


@rule
def lay_tile(s: Record, seat: int, k: int) -> None:
    """A seat lays a tile. When all lie the other one begins; when no other tile fits, whoever laid the first one begins the board again."""
    lay(s, k)
    if s.tiles == TILES:
        begin(s, 1 - seat)
    elif not can_lay(s):
        s.turn = (1 - seat + s.tiles) % 2
        clear(s)


@rule
def begin(s: Record, seat: int) -> None:
    """The board is complete: the first marble may go anywhere."""
    s.turn = seat
    find_targets(s)


# --- a turn ---


@rule
def mover(s: Record) -> int:
    """The seat to act, CHANCE or OVER."""
    return int(s.turn)


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
        lay_tile(s, seat, a - CELLS)


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


# --- where a marble may go, and the end ---


@rule
def find_targets(s: Record) -> None:
    """Find the empty holes in line with the opponent's last marble, off its tile and off that of the own last one. Without such a hole the game is over."""
    seat = int(s.turn)
    own, other = int(s.last[seat]), int(s.last[1 - seat])
    low, high = int(s.empty[0]), int(s.empty[1])
    if other >= 0:
        low, high = off_tile(s, low & int(LINE[other, 0]), high & int(LINE[other, 1]), other)
        if own >= 0:
            low, high = off_tile(s, low, high, own)
    if s.left[seat] == 0:
        low, high = 0, 0
    s.target[0] = low
    s.target[1] = high
    if low | high == 0:
        s.turn = OVER


# --- the score ---


@rule
def outcome(s: Record, out: Ints) -> int:
    """Points of tiles and, by level, of groups and runs; the seat with more has won."""
    count(s, out)
    if out[RED] == out[BLACK]:
        return 0
    return 1 if out[RED] > out[BLACK] else 2
