"""Wall Go: what the game is.

A seat's turn: one of its pieces walks up to two steps and then builds a wall on one side of the cell where it ends.
Actions: (from_cell * 13 + step) * 4 + side for a turn, then size * size * 52 + cell for placing a piece.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hanpan.core.option import Option
from hanpan.core.rule import CHANCE, OVER, Ints, Record, Rng, below, hide_nothing, imagine_nothing, record_type, rule

from .regions import NOWHERE, WORD, area, contested, holds, region, several
from .steps import COUNT, MOST_SIZE, STEP_X, STEP_Y, STEPS, away, beside, free, leave, stand, walks

OPTIONS = (
    Option("players", 2, low=2, high=3),
    Option("size", 7, low=3, high=MOST_SIZE),
    Option("pieces", 4, low=1, high=5),
    Option("tie_break", "none", choices=("none", "largest")),
    Option("preset", "none", choices=("none", "tv")),
)
MOST_SEATS = 3
TIME_OUT = "forced"  # a time-out does not lose: `forced` plays (a penalty wall)
TIMED = True  # a table has the clock of `text.clock` unless it is told otherwise
LEAVING = "resigns"  # whoever leaves has resigned
MOST_CELLS = MOST_SIZE * MOST_SIZE
MOST_PIECES = 5
ACTIONS = MOST_CELLS * (STEPS * 4 + 1)
MOST_LEGAL = MOST_PIECES * STEPS * 4  # five pieces far apart on an open board reach it

ROLLING, PLACING, PLAYING, ENDED = 0, 1, 2, 3
TV_FIXED = np.array([[8, 40], [36, 12]])  # b2 and f6 for the first in order, b6 and f2 for the second

State = record_type(
    [
        ("east", np.int64, 2),  # cells whose right edge is free (see regions)
        ("south", np.int64, 2),  # cells whose lower edge is free
        ("open", np.uint8, MOST_CELLS),  # by cell: bits 0…3 its free sides, bits 4…7 its ways (see steps)
        ("cell", np.int8, MOST_CELLS),  # 0, or the seat whose piece stands there + 1
        ("at", np.int8, (MOST_SEATS, MOST_PIECES)),  # the cells of each seat's pieces, ascending
        ("order", np.int8, MOST_SEATS),  # the seats as the dice ordered them
        ("turn", np.int8),  # whose turn it is, as a place in the order
        ("phase", np.int8),
        ("placed", np.int8),  # pieces on the board
        ("players", np.int8),
        ("width", np.int8),  # the option `size`; a NumPy record has a `size` of its own
        ("pieces", np.int8),
        ("largest", np.int8),  # whether the largest region breaks ties
        ("tv", np.int8),
    ]
)

hide, imagine = hide_nothing, imagine_nothing


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
    for seat in range(MOST_SEATS):
        for i in range(MOST_PIECES):
            s.at[seat, i] = NOWHERE
    for y in range(size):
        for x in range(size):
            cell = y * size + x
            sides = 0
            for side in range(4):
                to_x, to_y = x + STEP_X[1 + side], y + STEP_Y[1 + side]
                if 0 <= to_x < size and 0 <= to_y < size:
                    sides |= 1 << side
            s.open[cell] = sides * 17  # all neighbours are empty
            word, bit = cell // WORD, 1 << cell % WORD
            if x + 1 < size:
                s.east[word] |= bit
            if y + 1 < size:
                s.south[word] |= bit


@rule
def mover(s: Record) -> int:
    """Whose turn it is."""
    if s.phase == ROLLING:
        return CHANCE
    if s.phase == ENDED:
        return OVER
    return int(s.order[s.turn])


# --- the order ---


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
def chance(s: Record, rng: Rng) -> None:
    """Every seat rolls a die."""
    first = 1 + below(rng, 6)
    second = 1 + below(rng, 6)
    third = 1 + below(rng, 6) if s.players == 3 else 0
    roll(s, first, second, third)


@rule
def placer(s: Record) -> int:
    """Who places next, as a place in the order; the first once all pieces are placed."""
    if s.tv == 1:
        return ((int(s.placed) - 3) >> 1) & 1  # 1-2-2-1, after four fixed pieces
    return int(s.placed) % int(s.players)


# --- actions ---


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


legal = tell_legal(write_down)


@rule
def apply(s: Record, a: int) -> None:
    """Place a piece, or play a turn and see whether it ends the game."""
    size = int(s.width)
    seat = int(s.order[s.turn])
    placing = a - size * size * STEPS * 4
    if placing >= 0:
        put(s, seat, NOWHERE, placing)
        s.placed += 1
        s.turn = placer(s)
        if s.placed == s.players * s.pieces:
            s.phase = PLAYING
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
        return
    # While a region is contested, two seats have a piece with a free edge: the loop ends, and two seats alone never skip.
    s.turn = (s.turn + 1) % s.players
    while free_edges(s, int(s.order[s.turn])) == 0:
        s.turn = (s.turn + 1) % s.players


@rule
def put(s: Record, seat: int, old: int, new: int) -> None:
    """Move a piece of the seat from one cell to another, keeping the list of its cells ascending."""
    if old != NOWHERE:
        s.cell[old] = 0
        leave(s, old)
    s.cell[new] = seat + 1
    stand(s, new)
    i = 0
    while s.at[seat, i] != old:
        i += 1
    while i + 1 < s.pieces and s.at[seat, i + 1] < new:
        s.at[seat, i] = s.at[seat, i + 1]
        i += 1
    while i > 0 and s.at[seat, i - 1] > new:
        s.at[seat, i] = s.at[seat, i - 1]
        i -= 1
    s.at[seat, i] = new


@rule
def wall(s: Record, cell: int, side: int) -> None:
    """Build a wall on a free edge."""
    other = beside(s, cell, side)
    s.open[cell] &= 255 - (17 << side)
    s.open[other] &= 255 - (17 << (side ^ 1))
    first = min(cell, other)
    word, bit = first // WORD, 1 << first % WORD
    if side < 2:
        s.south[word] &= ~bit
    else:
        s.east[word] &= ~bit


@rule
def cuts(s: Record, cell: int, side: int) -> bool:
    """Whether the wall just built on this side separates the two cells beside it."""
    other = beside(s, cell, side)
    # It can do so only if both its ends touch another wall or the rim. The end towards `along` touches nothing if the three other
    # edges that meet there are free: those of the two cells towards `along`, and the one that would carry the wall on.
    for along in range(2 - (side & 2), 4 - (side & 2)):
        if ((free(s, cell) & free(s, other)) >> along) & 1 == 1 and (free(s, beside(s, cell, along)) >> side) & 1 == 1:
            return False
    low, high = region(s, cell, other)
    return not holds(low, high, other)


@rule
def free_edges(s: Record, seat: int) -> int:
    """How many free edges the seat's pieces stand beside, one between two of them counting twice; without any the seat has no turn."""
    edges = 0
    for i in range(s.pieces):
        edges += int(COUNT[free(s, int(s.at[seat, i]))])
    return edges


@rule
def forced(s: Record, rng: Rng) -> int:
    """When time is up: a random empty cell; in a turn the penalty wall, on a random free edge of a random own piece that stands still."""
    size = int(s.width)
    if s.phase == PLACING:
        left = below(rng, size * size - int(s.placed))
        cell = 0
        while s.cell[cell] != 0 or left > 0:
            left -= 1 if s.cell[cell] == 0 else 0
            cell += 1
        return size * size * STEPS * 4 + cell
    seat = int(s.order[s.turn])
    left = below(rng, free_edges(s, seat))
    for i in range(s.pieces):
        cell = int(s.at[seat, i])
        for side in range(4):
            if (free(s, cell) >> side) & 1 == 1:
                if left == 0:
                    return cell * STEPS * 4 + side
                left -= 1
    return -1


# --- the score ---


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
