"""Reverse Drop Chess: what the game is, from the set-up to the score.

Both sides' pieces are scattered over the board, or set up by hand. In turn a piece steps to an empty cell beside it, and what lies around that cell says what
the landing brings (see landing.py): a copy of the piece, an enemy's piece assimilated, a change of sides, or nothing. The game is over when a side has
fewer than two pieces or no step. More pieces win.
"""

from hanpan.core.option import Option
from hanpan.core.rule import CHANCE, OVER, Ints, Record, Rng, below, hide_nothing, imagine_nothing, rule

from .landing import ASSIMILATE, BRINGS, CELL, CELLS, EMPTY_AROUND, FIRST, OFFERED, OFFERS, SPOT, SPOTS, STEP, TURN_COAT
from .table import HALF, SETUP, allowed, count, holds, landings, lowest, toggle
from .table import State as State

OPTIONS = (
    Option("black", 3, low=1, high=30),
    Option("white", 5, low=1, high=30),
    Option("setup", "random", choices=("random", "manual")),
    Option("max_plies", 300, low=0, high=10_000),
)
MOST_PLIES = 1_000_000_000  # a game without a limit goes on, but is not counted any further

# An action is (the cell left * 4 + direction) * 4 + choice (0: none; see landing.side), or PLACE + cell while setting up by hand.
PLACE = 16 * CELLS
ACTIONS = PLACE + CELLS
# At most 4 actions end on one cell: with one own neighbour there are at most 3 choices, and with more of them nothing is to be chosen.
MOST_LEGAL = 4 * CELLS
MOST_SEATS = 2

hide, imagine = hide_nothing, imagine_nothing


# --- set-up ---


@rule
def seats(s: Record) -> int:
    """Black and white."""
    return 2


@rule
def actions(s: Record) -> int:
    """The size of the action space of a game that begins with this record: pieces are placed only in a set-up by hand."""
    return ACTIONS if s.plies == SETUP and s.turn == 0 else PLACE


@rule
def start(s: Record, black: int, white: int, setup: int, max_plies: int) -> None:
    """An empty board that waits for its pieces: from chance, or (setup 1) from the hand of seat 1."""
    for spot in range(SPOTS):
        s.around[spot] = EMPTY_AROUND[spot]
    s.black = black
    s.white = white
    s.max_plies = max_plies
    s.plies = SETUP
    s.turn = CHANCE if setup == 0 else 0


@rule
def chance(s: Record, rng: Rng) -> None:
    """Scatter the pieces of both colours over the board."""
    for i in range(s.black + s.white):
        spot = SPOT[below(rng, CELLS)]
        while holds(s, 0, spot) or holds(s, 1, spot):
            spot = SPOT[below(rng, CELLS)]
        toggle(s, 0 if i < s.black else 1, spot)
    begin(s)


@rule
def begin(s: Record) -> None:
    """The last piece of the set-up lies: play starts."""
    s.plies = 0
    s.turn = 0
    judge(s)


# --- a turn ---


@rule
def mover(s: Record) -> int:
    """The seat to act, CHANCE or OVER."""
    return int(s.turn)


@rule
def legal(s: Record, out: Ints) -> int:
    """All steps with their choices, or all empty cells while setting up by hand."""
    if s.turn < 0:
        return 0
    if s.plies == SETUP:
        return empty_cells(s, out)
    seat = int(s.turn)
    n = 0
    for half in range(2):
        left = landings(s, seat, half)
        while left != 0:
            spot = lowest(left) + half * HALF + FIRST
            left &= left - 1
            around = s.around[spot]
            base = 16 * CELL[spot]
            # All four are written, without asking how many there are: the next landing writes over the rest.
            one, two, three, four = OFFERS[seat, around, 0], OFFERS[seat, around, 1], OFFERS[seat, around, 2], OFFERS[seat, around, 3]
            n &= 511  # as it is; but the compiler now knows that n is not negative, which makes the four indices simple
            out[n] = base + one
            out[n + 1] = base + two
            out[n + 2] = base + three
            out[n + 3] = base + four
            n += OFFERED[seat, around]
    return n


@rule
def empty_cells(s: Record, out: Ints) -> int:
    """All placements of a set-up by hand."""
    n = 0
    for cell in range(CELLS):
        if not holds(s, 0, SPOT[cell]) and not holds(s, 1, SPOT[cell]):
            out[n] = PLACE + cell
            n += 1
    return n


@rule
def apply(s: Record, a: int) -> None:
    """Place a piece, or step and let the landing bring what it brings."""
    if s.plies == SETUP:
        toggle(s, 0 if count(s, 0) < s.black else 1, SPOT[a - PLACE])
        if count(s, 0) + count(s, 1) == s.black + s.white:
            begin(s)
        return
    seat = int(s.turn)
    spot = SPOT[a >> 4]
    direction = (a >> 2) & 3
    choice = a & 3
    landing = spot + STEP[direction]
    brings = BRINGS[seat, s.around[landing]]
    toggle(s, seat, spot)
    toggle(s, 1 - seat if brings == TURN_COAT else seat, landing)
    if choice != 0:
        toggle(s, seat, landing + STEP[(direction + choice + 2) & 3])
        if brings >= ASSIMILATE:
            taken = landing + STEP[brings - ASSIMILATE]
            toggle(s, 1 - seat, taken)
            toggle(s, seat, taken)
    s.plies += s.plies < MOST_PLIES  # so that every position can be written down, and what follows it too
    s.turn = 1 - seat
    judge(s)


@rule
def forced(s: Record, rng: Rng) -> int:
    """Any legal action, each as likely as the others."""
    if s.plies == SETUP:
        cell = below(rng, CELLS)
        while holds(s, 0, SPOT[cell]) or holds(s, 1, SPOT[cell]):
            cell = below(rng, CELLS)
        return PLACE + cell
    a = below(rng, PLACE)
    while not allowed(s, a):
        a = below(rng, PLACE)
    return a


# --- the end ---


@rule
def judge(s: Record) -> None:
    """End the game if it is at its end."""
    if s.max_plies > 0 and s.plies >= s.max_plies:
        s.turn = OVER
    for seat in range(2):
        if count(s, seat) < 2 or landings(s, seat, 0) | landings(s, seat, 1) == 0:
            s.turn = OVER


# --- the score ---


@rule
def outcome(s: Record, out: Ints) -> int:
    """Scores are the pieces on the board; more wins."""
    black = count(s, 0)
    white = count(s, 1)
    out[0] = black
    out[1] = white
    if black == white:
        return 0
    return 1 if black > white else 2
