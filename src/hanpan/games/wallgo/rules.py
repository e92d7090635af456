"""Wall Go: what the game is, from the set-up to the score.

The dice say who begins. The seats place their pieces one by one; then, in turn, one of a seat's pieces walks up to two steps and builds a wall on a side
of the cell where it ends. When no region is left that two seats share, the game is over: everyone has the cells of the regions that are theirs alone.
Actions: (from_cell * 13 + step) * 4 + side for a turn, then size * size * 52 + cell for placing a piece.
"""

from __future__ import annotations

import numpy as np

from hanpan.core.option import Option
from hanpan.core.rule import CHANCE, OVER, Ints, Record, Rng, below, hide_nothing, imagine_nothing, rule

from .choices import random_empty_cell, random_free_edge, tell_legal, write_down
from .regions import NOWHERE, area, contested, several
from .steps import MOST_SIZE, STEPS, away
from .table import ENDED, MOST_CELLS, MOST_PIECES, PLACING, PLAYING, ROLLING, cuts, free_edges, lay_out, put, wall
from .table import MOST_SEATS as MOST_SEATS
from .table import State as State

OPTIONS = (
    Option("players", 2, low=2, high=3),
    Option("size", 7, low=3, high=MOST_SIZE),
    Option("pieces", 4, low=1, high=5),
    Option("tie_break", "none", choices=("none", "largest")),
    Option("preset", "none", choices=("none", "tv")),
)
TIME_OUT = "forced"  # a time-out does not lose: `forced` plays (a penalty wall)
TIMED = True  # a table has the clock of `text.clock` unless it is told otherwise
LEAVING = "resigns"  # whoever leaves has resigned
ACTIONS = MOST_CELLS * (STEPS * 4 + 1)
MOST_LEGAL = MOST_PIECES * STEPS * 4  # five pieces far apart on an open board reach it
TV_FIXED = np.array([[8, 40], [36, 12]])  # b2 and f6 for the first in order, b6 and f2 for the second

hide, imagine = hide_nothing, imagine_nothing


# --- set-up: the board, the order of the seats, the pieces ---


@rule
def seats(s: Record) -> int:
    """Two or three."""
    return int(s.players)


@rule
def actions(s: Record) -> int:
    """The size of the action space under these options."""
    return int(s.width) * int(s.width) * (STEPS * 4 + 1)


@rule
def start(s: Record, players: int, size: int, pieces: int, tie_break: int, preset: int) -> None:
    """An empty board before the dice."""
    s.players, s.width, s.pieces, s.largest, s.tv = players, size, pieces, tie_break, preset
    lay_out(s)


@rule
def chance(s: Record, rng: Rng) -> None:
    """Every seat rolls a die."""
    first = 1 + below(rng, 6)
    second = 1 + below(rng, 6)
    third = 1 + below(rng, 6) if s.players == 3 else 0
    roll(s, first, second, third)


@rule
def roll(s: Record, first: int, second: int, third: int) -> None:
    """Give the seats their order by their dice: the highest first, of equal ones the lower seat; tv's fixed pieces then stand."""
    for seat in range(s.players):
        die = first if seat == 0 else second if seat == 1 else third
        place = 0
        for other in range(s.players):
            value = first if other == 0 else second if other == 1 else third
            if value > die or (value == die and other < seat):
                place += 1
        s.order[place] = seat
    s.phase = PLACING
    if s.tv == 1:
        for place in range(2):
            for i in range(2):
                put(s, int(s.order[place]), NOWHERE, int(TV_FIXED[place, i]))
                s.placed += 1


@rule
def place(s: Record, seat: int, cell: int) -> None:
    """A seat places a piece; with the last one the game proper begins."""
    put(s, seat, NOWHERE, cell)
    s.placed += 1
    s.turn = placer(s)
    if s.placed == s.players * s.pieces:
        s.phase = PLAYING


@rule
def placer(s: Record) -> int:
    """Who places next, as a place in the order; the first once all pieces are placed."""
    if s.tv == 1:
        return ((int(s.placed) - 3) >> 1) & 1  # 1-2-2-1, after four fixed pieces
    return int(s.placed) % int(s.players)


# --- a turn, and the end ---


@rule
def mover(s: Record) -> int:
    """Whose turn it is."""
    if s.phase == ROLLING:
        return CHANCE
    if s.phase == ENDED:
        return OVER
    return int(s.order[s.turn])


# While pieces are placed, every empty cell; in a turn, every own piece, the cells it can walk to, and the free edges there.
legal = tell_legal(write_down)


@rule
def apply(s: Record, a: int) -> None:
    """Place a piece; or walk with one and build a wall."""
    size = int(s.width)
    seat = int(s.order[s.turn])
    placing = a - size * size * STEPS * 4
    if placing >= 0:
        place(s, seat, placing)
        return
    side = a & 3
    step = (a >> 2) % STEPS
    cell = (a >> 2) // STEPS
    end = away(size, cell, step)
    if step != 0:
        put(s, seat, cell, end)
    wall(s, end, side)
    # Walking never changes who holds a region, so only a wall that cuts one in two can end the game.
    if cuts(s, end, side) and not contested(s):
        s.phase = ENDED
        s.turn = 0
    else:
        pass_on(s)


@rule
def pass_on(s: Record) -> None:
    """The next in order who can build a wall has the turn."""
    # While a region is contested, two seats have a piece with a free edge: the loop ends, and two seats alone never skip.
    s.turn = (s.turn + 1) % s.players
    while free_edges(s, int(s.order[s.turn])) == 0:
        s.turn = (s.turn + 1) % s.players


@rule
def forced(s: Record, rng: Rng) -> int:
    """When time is up: a random empty cell; in a turn the penalty wall, on a random free edge of a random own piece that stands still."""
    if s.phase == PLACING:
        return int(s.width) * int(s.width) * STEPS * 4 + random_empty_cell(s, rng)
    cell, side = random_free_edge(s, int(s.order[s.turn]), rng)
    return cell * STEPS * 4 + side


# --- the score ---


@rule
def tie_break(s: Record, seat: int) -> int:
    """What decides between equal areas: the largest single region, if the option says so."""
    return area(s, seat)[1] if s.largest == 1 else 0


@rule
def outcome(s: Record, out: Ints) -> int:
    """Every seat's area; the one with the most wins, a tie may go to the largest single region, and is a draw otherwise."""
    best, best_largest, winners = -1, -1, 0
    for seat in range(s.players):
        total, largest = area(s, seat)
        out[seat] = total
        largest = largest if s.largest == 1 else 0
        if total > best or (total == best and largest > best_largest):
            best, best_largest, winners = total, largest, 1 << seat
        elif total == best and largest == best_largest:
            winners |= 1 << seat
    return 0 if several(winners) else winners
