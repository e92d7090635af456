"""Puoribor: what the game is, from the set-up to the end.

Two pawns face each other. In turn a seat moves its pawn, builds a wall two cells long, or, for two walls, turns a window of the board with the walls in it.
A pawn jumps over the other one, and sideways past it where a wall or the rim is behind. Nobody may be shut off from the goal; whoever gets there wins.
"""

import numpy as np

from hanpan.core.option import Option
from hanpan.core.rule import OVER, Ints, Record, Rng, below, hide_nothing, imagine_nothing, no_chance, record_type, rule

from .board import COLUMN, DOWN, LEFT, RIGHT, SIZE, UP, WORD, bit0, bit1, to_right
from .walls import buildable
from .window import WINDOWS, turn, turnable

# Sets of sites are two words, see board.py.
State = record_type(
    [
        ("h", np.int64, 2),  # walls as unit edges below a cell
        ("v", np.int64, 2),  # walls as unit edges right of a cell
        ("whole_h", np.int64, 2),  # centres of the whole walls; edges beyond theirs are halves
        ("whole_v", np.int64, 2),
        ("pawn", np.int8, 2),  # where each seat's pawn stands: a site
        ("hand", np.int8, 2),  # walls each seat has left
        ("turn", np.int8),
        ("rotation", np.int8),
        ("ply", np.int32),  # counted only under max_plies, so that equal positions are equal records
        ("max_plies", np.int32),
    ]
)
OPTIONS = (Option("rotation", True), Option("walls", 10, 0, 20), Option("max_plies", 0, 0, 1_000_000))
# Actions: pawn to a cell, horizontal wall, vertical wall, turn; each kind column by column.
FLAT = SIZE * SIZE
TALL = FLAT + 64
TURN = TALL + 64
ACTIONS = TURN + WINDOWS * WINDOWS
MOST_LEGAL = 5 + 64 + 64 + WINDOWS * WINDOWS
MOST_SEATS = 2
STEP = np.array([-1, 1, -COLUMN, COLUMN])  # up, down, left, right

chance, hide, imagine = no_chance, hide_nothing, imagine_nothing


# --- set-up ---


@rule
def seats(s: Record) -> int:
    """Always two."""
    return 2


@rule
def start(s: Record, rotation: int, walls: int, max_plies: int) -> None:
    """Pawns on e1 and e9, an empty board."""
    s.pawn[0] = COLUMN * 4
    s.pawn[1] = COLUMN * 4 + 8
    s.hand[0] = walls
    s.hand[1] = walls
    s.rotation = rotation
    s.max_plies = max_plies


# --- a turn ---


@rule
def mover(s: Record) -> int:
    """The seat to act."""
    if winner(s) >= 0 or (s.max_plies > 0 and s.ply >= s.max_plies):
        return OVER
    return int(s.turn)


@rule
def legal(s: Record, out: Ints) -> int:
    """Pawn moves, walls, turns."""
    return 0 if mover(s) < 0 else listed(s, out)


@rule
def listed(s: Record, out: Ints) -> int:
    """What the seat to act could play, even after the end."""
    n = 0
    packed = landings(s)
    while packed != 0:
        site = (packed & 127) - 1
        out[n] = site - site // COLUMN
        n += 1
        packed >>= 7
    hand = int(s.hand[s.turn])
    if hand >= 1:
        flat0, flat1, tall0, tall1 = buildable(s)
        n = list_walls(flat0, flat1, FLAT, out, n)
        n = list_walls(tall0, tall1, TALL, out, n)
    if hand >= 2 and s.rotation != 0:
        windows = turnable(s)
        for i in range(WINDOWS * WINDOWS):
            out[n] = TURN + i
            n += (windows >> i) & 1
    return n


@rule
def landings(s: Record) -> int:
    """The sites the mover's pawn can go to (five at most), each plus one, packed into seven bits each."""
    here, other = int(s.pawn[s.turn]), int(s.pawn[1 - s.turn])
    packed = 0
    for direction in range(4):
        if is_open(s, here, direction):
            there = here + int(STEP[direction])
            if there != other:
                packed = packed << 7 | (there + 1)
            elif is_open(s, there, direction):
                packed = packed << 7 | (there + int(STEP[direction]) + 1)
            else:
                sideways = LEFT if direction < LEFT else UP
                for side in range(sideways, sideways + 2):
                    if is_open(s, there, side):
                        packed = packed << 7 | (there + int(STEP[side]) + 1)
    return packed


@rule
def is_open(s: Record, site: int, direction: int) -> bool:
    """Whether a pawn can step from a cell in a direction: neither wall nor rim in the way."""
    x, y = site // COLUMN, site % COLUMN
    if direction < LEFT:
        edge = site - 1 if direction == UP else site
        if (y == 0 and direction == UP) or (y == SIZE - 1 and direction == DOWN):
            return False
        return bool((s.h[0] & bit0(edge)) | (s.h[1] & bit1(edge)) == 0)
    edge = site - COLUMN if direction == LEFT else site
    if (x == 0 and direction == LEFT) or (x == SIZE - 1 and direction == RIGHT):
        return False
    return bool((s.v[0] & bit0(edge)) | (s.v[1] & bit1(edge)) == 0)


@rule
def list_walls(w0: int, w1: int, first: int, out: Ints, n: int) -> int:
    """Append the walls of one direction with these centres."""
    for x in range(8):
        column = w0 >> (COLUMN * x) if x < 5 else w1 >> (COLUMN * x - WORD)
        for y in range(8):
            out[n] = first + 8 * x + y  # written over by the next one unless the wall counts
            n += (column >> y) & 1
    return n


@rule
def apply(s: Record, a: int) -> None:
    """Play a legal action."""
    if a < FLAT:
        s.pawn[s.turn] = a + a // SIZE
    elif a < TURN:
        centre = (a - FLAT) % 64
        site = centre + 2 * (centre // 8)
        w0, w1 = bit0(site), bit1(site)
        s.hand[s.turn] -= 1
        if a < TALL:
            r0, r1 = to_right(w0, w1)
            s.h[0] |= w0 | r0
            s.h[1] |= w1 | r1
            s.whole_h[0] |= w0
            s.whole_h[1] |= w1
        else:
            s.v[0] |= w0 | (w0 << 1)
            s.v[1] |= w1 | (w1 << 1)
            s.whole_v[0] |= w0
            s.whole_v[1] |= w1
    else:
        s.hand[s.turn] -= 2
        turn(s, (a - TURN) // WINDOWS, (a - TURN) % WINDOWS)
    s.turn = 1 - s.turn
    if s.max_plies > 0:
        s.ply += 1


@rule
def forced(s: Record, rng: Rng) -> int:
    """A random legal action."""
    flat0, flat1, tall0, tall1, windows = 0, 0, 0, 0, 0
    if s.hand[s.turn] >= 1:
        flat0, flat1, tall0, tall1 = buildable(s)
    if s.hand[s.turn] >= 2 and s.rotation != 0:
        windows = turnable(s)
    while True:  # there is always a pawn move
        a = below(rng, ACTIONS)
        if a < FLAT:
            packed = landings(s)
            while packed != 0:
                if (packed & 127) - 1 == a + a // SIZE:
                    return a
                packed >>= 7
        elif a < TURN:
            centre = (a - FLAT) % 64
            site = centre + 2 * (centre // 8)
            w0, w1 = (flat0, flat1) if a < TALL else (tall0, tall1)
            if (w0 & bit0(site)) | (w1 & bit1(site)) != 0:
                return a
        elif (windows >> (a - TURN)) & 1 != 0:
            return a


# --- the end ---


@rule
def winner(s: Record) -> int:
    """The seat whose pawn is on its goal row, or −1."""
    if s.pawn[0] % COLUMN == SIZE - 1:
        return 0
    return 1 if s.pawn[1] % COLUMN == 0 else -1


@rule
def outcome(s: Record, out: Ints) -> int:
    """One point for the winner."""
    out[0] = 0
    out[1] = 0
    won = winner(s)
    if won < 0:
        return 0
    out[won] = 1
    return 1 << won
