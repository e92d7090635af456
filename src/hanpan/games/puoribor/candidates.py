"""Which actions are worth searching, and how promising each is: by what it does to both ways, and by what was learnt of that (prior.py).

A wall that crosses neither of two shortest ways, one for each pawn, leaves both open as they are: it is legal and changes no distance.
So only walls across these two ways need a look, and that look also tells whether they are legal.

What crosses no way may still be the best: it takes the place of a wall that would (f1v forbids f1h), or prepares one. So where a search has some depth left,
all walls on the corners of the shortest ways count, and deeper also those on the corners around that would touch another wall or the rim.
"""

from typing import Any

from hanpan.core.rule import Ints, Record, rule

from .board import (
    BOTTOM0,
    BOTTOM1,
    COLUMN,
    DOWNWARD0,
    DOWNWARD1,
    LEFTMOST,
    RIGHTMOST,
    RIGHTWARD0,
    RIGHTWARD1,
    SIZE,
    TOP0,
    TOP1,
    WORD,
    Pair,
    bit0,
    bit1,
    to_left,
    to_right,
)
from .lanes import DOWN0, DOWN1, NUMBER, RIGHT0, RIGHT1, STEPS, measure, put
from .prior import weigh
from .rules import FLAT, TALL, TURN, landings
from .walls import Four, fitting_walls
from .ways import FAR, all_ways, downhill, one_way, openings
from .window import FLAT_EDGES, TALL_EDGES, WINDOWS, cut, framed, pasted, turned

STEP = 200  # what one step of difference counts
WALL, TURNING = 200, 400  # what an action costs that is no pawn move
NARROW, WIDE = 1, 3  # up to this depth only walls that gain, and no turns; from this depth turns that change no balance, too
CORNERS, AROUND = 3, 5  # from these depths all walls on the corners of the ways, and on those around
LOOSE, QUIET = 50, 100  # what a wall ranks lower that touches no other, or crosses no way
DROPPED = -(1 << 40)  # the rank of what leaves the list again


@rule
def touching(h0: int, h1: int, v0: int, v1: int) -> Four:
    """The centres of the walls that would lie on one of these edges."""
    l0, l1 = to_left(h0, h1)
    return h0 | l0, h1 | l1, v0 | (v0 >> 1), v1 | (v1 >> 1)


@rule
def touching_walls(s: Record) -> Four:
    """The centres where a horizontal wall (two words) and a vertical wall (two words) would touch another wall or the rim."""
    t0, t1 = to_left(s.h[0], s.h[1])
    t0, t1 = t0 | s.h[0] | s.v[0] | (s.v[0] >> 1), t1 | s.h[1] | s.v[1] | (s.v[1] >> 1)  # the corners where walls end or pass
    l0, l1 = to_left(t0, t1)
    r0, r1 = to_right(t0, t1)
    flat0, flat1 = t0 | l0 | r0 | LEFTMOST, t1 | l1 | r1 | (RIGHTMOST >> COLUMN)
    return flat0, flat1, t0 | (t0 << 1) | (t0 >> 1) | TOP0 | (BOTTOM0 >> 1), t1 | (t1 << 1) | (t1 >> 1) | TOP1 | (BOTTOM1 >> 1)


@rule
def around(c0: int, c1: int) -> Pair:
    """The corners and those next to them; what falls off the board does not matter where it is met with walls that fit."""
    l0, l1 = to_left(c0, c1)
    r0, r1 = to_right(c0, c1)
    return c0 | (c0 << 1) | (c0 >> 1) | l0 | r0, c1 | (c1 << 1) | (c1 >> 1) | l1 | r1


@rule
def list_walls(
    actions: Ints, ranks: Any, n: int, first: int, w0: int, w1: int, near0: int, near1: int, held0: int, held1: int
) -> int:  # fmt: skip
    """Append the walls of one direction with these centres. `near`: those across any shortest way; `held`: those that touch another wall."""
    for x in range(8):
        column = (w0 >> (COLUMN * x)) & 255 if x < 5 else (w1 >> (COLUMN * x - WORD)) & 255
        near = (near0 >> (COLUMN * x)) & 255 if x < 5 else (near1 >> (COLUMN * x - WORD)) & 255
        held = (held0 >> (COLUMN * x)) & 255 if x < 5 else (held1 >> (COLUMN * x - WORD)) & 255
        y = 0
        while column != 0:
            if column & 1 != 0:
                actions[n] = first + 8 * x + y
                ranks[n] = -WALL - (0 if near & 1 != 0 else QUIET) - (0 if held & 1 != 0 else LOOSE)
                n += 1
            column, near, held = column >> 1, near >> 1, held >> 1
            y += 1
    return n


@rule
def lay_walls(s: Record, here: int, across: Four, actions: Ints, ranks: Any, begin: int, n: int, room: Any, lanes: int) -> int:
    """Those of the listed walls that lie across a way from here, each built in a lane of its own: how many lanes there are then."""
    down0, down1, right0, right1 = openings(s)
    p0, p1, p2, p3 = across
    for i in range(begin, n):
        a = int(actions[i])
        site = (a - FLAT) % 64 + 2 * ((a - FLAT) % 64 // 8)
        c0, c1 = bit0(site), bit1(site)
        if ranks[i] == DROPPED:
            continue
        if a < TALL:
            if (p0 & c0) | (p1 & c1) != 0:
                r0, r1 = to_right(c0, c1)
                put(room, lanes, i, here, down0 & ~(c0 | r0), down1 & ~(c1 | r1), right0, right1)
                lanes += 1
        elif (p2 & c0) | (p3 & c1) != 0:
            put(room, lanes, i, here, down0, down1, right0 & ~(c0 | (c0 << 1)), right1 & ~(c1 | (c1 << 1)))
            lanes += 1
    return lanes


@rule
def list_turns(
    s: Record, actions: Ints, ranks: Any, n: int, way: Four, mine: int, theirs: int, least: int, room: Any
) -> int:  # fmt: skip
    """Append the turns that gain at least so much; way: the edges of one shortest way of the other."""
    me = int(s.turn)
    here, there = int(s.pawn[me]), int(s.pawn[1 - me])
    spare = mine - abs((SIZE - 1) * (1 - me) - here % COLUMN)  # one's own way can get shorter by no more than this
    h0, h1, v0, v1 = s.h[0], s.h[1], s.v[0], s.v[1]
    p0, p1, p2, p3 = way
    framed_h0, framed_h1 = framed(h0, h1)
    framed_v0, framed_v1 = framed(v0, v1)
    lanes = 0
    for x in range(WINDOWS):
        for y in range(WINDOWS):
            flat = cut(framed_h0, framed_h1, x, y) & FLAT_EDGES
            tall = cut(framed_v0, framed_v1, x, y) & TALL_EDGES
            if flat | tall == 0:
                continue
            a0, a1 = pasted(flat ^ (turned(tall) << COLUMN), x, y)
            b0, b1 = pasted(tall ^ turned(flat), x, y)
            if spare < least and (a0 & p0) | (a1 & p1) | (b0 & p2) | (b1 & p3) == 0:  # the other's way stays open
                continue
            down0, down1 = DOWNWARD0 & ~(h0 ^ (a0 & DOWNWARD0)), DOWNWARD1 & ~(h1 ^ (a1 & DOWNWARD1))
            right0, right1 = RIGHTWARD0 & ~(v0 ^ (b0 & RIGHTWARD0)), RIGHTWARD1 & ~(v1 ^ (b1 & RIGHTWARD1))
            put(room, lanes, TURN + WINDOWS * x + y, there, down0, down1, right0, right1)
            lanes += 1
    measure(room, lanes, 1 - me)
    kept = 0
    for j in range(lanes):
        gain = int(room[STEPS, j]) - theirs
        if gain < FAR // 2 and gain + spare >= least:
            actions[n + kept] = room[NUMBER, j]
            ranks[n + kept] = gain * STEP - TURNING
            put(room, kept, n + kept, here, int(room[DOWN0, j]), int(room[DOWN1, j]), int(room[RIGHT0, j]), int(room[RIGHT1, j]))
            kept += 1
    measure(room, kept, me)
    for j in range(kept):
        i, loss = int(room[NUMBER, j]), int(room[STEPS, j]) - mine
        ranks[i] = ranks[i] - loss * STEP if loss < FAR // 2 and ranks[i] - loss * STEP >= least * STEP - TURNING else DROPPED
    return keep(actions, ranks, n, n + kept)


@rule
def keep(actions: Ints, ranks: Any, begin: int, n: int) -> int:
    """The list without what was dropped from it."""
    kept = begin
    for i in range(begin, n):
        if ranks[i] != DROPPED:
            actions[kept], ranks[kept] = actions[i], ranks[i]
            kept += 1
    return kept


@rule
def guess(s: Record, used: Any) -> int:
    """A step down a shortest way, of several the one that was most often good (used); −1 if there is none or the other pawn is in the way."""
    me = int(s.turn)
    here, there = int(s.pawn[me]), int(s.pawn[1 - me])
    down0, down1, right0, right1 = openings(s)
    _, dn0, dn1, up0, up1, rt0, rt1, lf0, lf1 = downhill(here, me, down0, down1, right0, right1)
    c0, c1 = bit0(here), bit1(here)
    best = -1
    for direction in range(4):
        if direction == 0:
            leads, site = (c0 & dn0) | (c1 & dn1), here + 1
        elif direction == 1:
            leads, site = (c0 & up0) | (c1 & up1), here - 1
        elif direction == 2:
            leads, site = (c0 & rt0) | (c1 & rt1), here + COLUMN
        else:
            leads, site = (c0 & lf0) | (c1 & lf1), here - COLUMN
        a = site - site // COLUMN
        if leads != 0 and site != there and (best < 0 or used[a] > used[best]):
            best = a
    return best


@rule
def candidates(s: Record, actions: Ints, ranks: Any, depth: int, room: Any) -> int:
    """Pawn moves; walls on or near the shortest ways; turns that change something."""
    n, mine, theirs = by_ways(s, actions, ranks, depth, room)
    if s.hand[s.turn] > 0:
        weigh(s, actions, ranks, n, mine, theirs)
    return n


@rule
def by_ways(s: Record, actions: Ints, ranks: Any, depth: int, room: Any) -> tuple[int, int, int]:
    """The same list, ranked by what each action does to both ways; and their lengths: one's own, and with walls in hand the other's."""
    me = int(s.turn)
    here, there = int(s.pawn[me]), int(s.pawn[1 - me])
    down0, down1, right0, right1 = openings(s)
    moves = 0
    packed = landings(s)
    while packed != 0:
        site = (packed & 127) - 1
        packed >>= 7
        actions[moves] = site - site // COLUMN
        moves += 1
    mine, dn0, dn1, up0, up1, rt0, rt1, lf0, lf1 = downhill(here, me, down0, down1, right0, right1)
    hand, n = int(s.hand[me]), moves
    theirs, least, own, way = 0, 1, (0, 0, 0, 0), (0, 0, 0, 0)
    if hand > 0:
        theirs, en0, en1, eu0, eu1, er0, er1, el0, el1 = downhill(there, 1 - me, down0, down1, right0, right1)
        way = one_way(there, en0, en1, eu0, eu1, er0, er1, el0, el1)
        p0, p1, p2, p3 = touching(way[0], way[1], way[2], way[3])
        q0, q1, q2, q3 = one_way(here, dn0, dn1, up0, up1, rt0, rt1, lf0, lf1)
        own = touching(q0, q1, q2, q3)
        flat0, flat1, tall0, tall1 = fitting_walls(s)
        k0, k1, k2, k3 = p0, p1, p2, p3
        if depth > NARROW:
            least = -FAR
            k0, k1, k2, k3 = all_ways(there, en0, en1, eu0, eu1, er0, er1, el0, el1)
            k0, k1, k2, k3 = touching(k0, k1, k2, k3)
            m0, m1, m2, m3 = all_ways(here, dn0, dn1, up0, up1, rt0, rt1, lf0, lf1)
            m0, m1, m2, m3 = touching(m0, m1, m2, m3)
            k0, k1, k2, k3 = k0 | m0, k1 | m1, k2 | m2, k3 | m3
        t0, t1, t2, t3 = -1, -1, -1, -1
        if depth >= CORNERS and s.rotation == 0:  # with turns there is so much to look at that more walls cost more than they bring
            t0, t1, t2, t3 = touching_walls(s)
            c0, c1 = k0 | k2, k1 | k3
            a0, a1 = around(c0, c1) if depth >= AROUND else (0, 0)
            flat0, flat1, tall0, tall1 = flat0 & (c0 | (a0 & t0)), flat1 & (c1 | (a1 & t1)), tall0 & (c0 | (a0 & t2)), tall1 & (c1 | (a1 & t3))
        else:
            flat0, flat1, tall0, tall1 = flat0 & k0, flat1 & k1, tall0 & k2, tall1 & k3
        n = list_walls(actions, ranks, n, FLAT, flat0, flat1, k0, k1, t0, t1)
        n = list_walls(actions, ranks, n, TALL, tall0, tall1, k2, k3, t2, t3)
        lanes = lay_walls(s, there, (p0, p1, p2, p3), actions, ranks, moves, n, room, 0)
        measure(room, lanes, 1 - me)
        for j in range(lanes):
            i, gain = int(room[NUMBER, j]), int(room[STEPS, j]) - theirs
            ranks[i] = ranks[i] + gain * STEP if least <= gain < FAR // 2 else DROPPED  # one's own way gets no shorter
    for i in range(moves):
        site = int(actions[i]) + int(actions[i]) // SIZE
        put(room, i, i, site, down0, down1, right0, right1)
    lanes = lay_walls(s, here, own, actions, ranks, moves, n, room, moves)
    measure(room, lanes, me)
    for j in range(lanes):
        i, loss = int(room[NUMBER, j]), int(room[STEPS, j]) - mine
        if i < moves:
            ranks[i] = -loss * STEP
        else:
            ranks[i] = ranks[i] - loss * STEP if loss < FAR // 2 and (least < 0 or ranks[i] - loss * STEP >= least * STEP - WALL) else DROPPED
    n = keep(actions, ranks, moves, n)
    if hand >= 2 and s.rotation != 0 and depth > NARROW:
        n = list_turns(s, actions, ranks, n, way, mine, theirs, 1 if depth < WIDE else 0, room)
    return n, mine, theirs
