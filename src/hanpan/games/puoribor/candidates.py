"""Which actions are worth searching, and how promising each is: by what it does to both ways.

A wall that crosses neither of two shortest ways, one for each pawn, leaves both open as they are: it is legal and changes no distance.
So only walls across these two ways need a look, and that look also tells whether they are legal.

What crosses no way may still be the best: it takes the place of a wall that would (f1v forbids f1h), or prepares one. So where a search has some depth left,
all walls on the corners of the shortest ways count, and deeper also those on the corners around that would touch another wall or the rim.
"""

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
from .rules import FLAT, TALL, TURN, landings
from .walls import Four, fitting_walls
from .ways import FAR, all_ways, downhill, one_way, openings, way_length
from .window import FLAT_EDGES, TALL_EDGES, WINDOWS, cut, framed, pasted, turned

STEP = 200  # what one step of difference counts
WALL, TURNING = 200, 400  # what an action costs that is no pawn move
NARROW, WIDE = 1, 3  # up to this depth only walls that gain, and no turns; from this depth turns that change no balance, too
CORNERS, AROUND = 3, 5  # from these depths all walls on the corners of the ways, and on those around
LOOSE, QUIET = 50, 100  # what a wall ranks lower that touches no other, or crosses no way


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
    s: Record, actions: Ints, ranks: Ints, n: int, kind: int, w0: int, w1: int,
    across0: int, across1: int, own0: int, own1: int, near0: int, near1: int, held0: int, held1: int,
    mine: int, theirs: int, least: int,
) -> int:  # fmt: skip
    """Append the walls of one direction with these centres that gain at least so much.

    `across` and `own` are those across the one way of the other and one's own, `near` those across any shortest way, `held` those that touch another wall.
    """
    me = int(s.turn)
    here, there = int(s.pawn[me]), int(s.pawn[1 - me])
    down0, down1, right0, right1 = openings(s)
    for x in range(8):
        column = (w0 >> (COLUMN * x)) & 255 if x < 5 else (w1 >> (COLUMN * x - WORD)) & 255
        y = 0
        while column != 0:
            if column & 1 != 0:
                c0, c1 = bit0(COLUMN * x + y), bit1(COLUMN * x + y)
                gain, loss = 0, 0
                a0, a1, b0, b1 = down0, down1, right0, right1
                if kind == 0:
                    r0, r1 = to_right(c0, c1)
                    a0, a1 = down0 & ~(c0 | r0), down1 & ~(c1 | r1)
                else:
                    b0, b1 = right0 & ~(c0 | (c0 << 1)), right1 & ~(c1 | (c1 << 1))
                if (across0 & c0) | (across1 & c1) != 0:
                    gain = way_length(there, 1 - me, a0, a1, b0, b1) - theirs
                if gain >= least and (own0 & c0) | (own1 & c1) != 0:  # one's own way gets no shorter
                    loss = way_length(here, me, a0, a1, b0, b1) - mine
                if gain - loss >= least and gain < FAR // 2 and loss < FAR // 2:
                    actions[n] = (FLAT if kind == 0 else TALL) + 8 * x + y
                    ranks[n] = (gain - loss) * STEP - WALL
                    if (near0 & c0) | (near1 & c1) == 0:
                        ranks[n] -= QUIET
                    if (held0 & c0) | (held1 & c1) == 0:
                        ranks[n] -= LOOSE
                    n += 1
            column >>= 1
            y += 1
    return n


@rule
def list_turns(
    s: Record, actions: Ints, ranks: Ints, n: int, p0: int, p1: int, p2: int, p3: int, mine: int, theirs: int, least: int
) -> int:  # fmt: skip
    """Append the turns that gain at least so much; p: the edges of one shortest way of the other."""
    me = int(s.turn)
    here, there = int(s.pawn[me]), int(s.pawn[1 - me])
    spare = mine - abs((SIZE - 1) * (1 - me) - here % COLUMN)  # one's own way can get shorter by no more than this
    h0, h1, v0, v1 = s.h[0], s.h[1], s.v[0], s.v[1]
    framed_h0, framed_h1 = framed(h0, h1)
    framed_v0, framed_v1 = framed(v0, v1)
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
            gain = way_length(there, 1 - me, down0, down1, right0, right1) - theirs
            if gain >= FAR // 2 or gain + spare < least:
                continue
            loss = way_length(here, me, down0, down1, right0, right1) - mine
            if gain - loss >= least and loss < FAR // 2:
                actions[n] = TURN + WINDOWS * x + y
                ranks[n] = (gain - loss) * STEP - TURNING
                n += 1
    return n


@rule
def candidates(s: Record, actions: Ints, ranks: Ints, depth: int) -> int:
    """Pawn moves; walls on or near the shortest ways; turns that change something."""
    me = int(s.turn)
    here, there = int(s.pawn[me]), int(s.pawn[1 - me])
    down0, down1, right0, right1 = openings(s)
    mine, dn0, dn1, up0, up1, rt0, rt1, lf0, lf1 = downhill(here, me, down0, down1, right0, right1)
    n = 0
    packed = landings(s)
    while packed != 0:
        site = (packed & 127) - 1
        packed >>= 7
        actions[n] = site - site // COLUMN
        ranks[n] = (mine - way_length(site, me, down0, down1, right0, right1)) * STEP
        n += 1
    hand = int(s.hand[me])
    if hand == 0:
        return n
    theirs, en0, en1, eu0, eu1, er0, er1, el0, el1 = downhill(there, 1 - me, down0, down1, right0, right1)
    e0, e1, e2, e3 = one_way(there, en0, en1, eu0, eu1, er0, er1, el0, el1)
    p0, p1, p2, p3 = touching(e0, e1, e2, e3)
    q0, q1, q2, q3 = one_way(here, dn0, dn1, up0, up1, rt0, rt1, lf0, lf1)
    q0, q1, q2, q3 = touching(q0, q1, q2, q3)
    flat0, flat1, tall0, tall1 = fitting_walls(s)
    least = 1
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
    n = list_walls(s, actions, ranks, n, 0, flat0, flat1, p0, p1, q0, q1, k0, k1, t0, t1, mine, theirs, least)
    n = list_walls(s, actions, ranks, n, 1, tall0, tall1, p2, p3, q2, q3, k2, k3, t2, t3, mine, theirs, least)
    if hand >= 2 and s.rotation != 0 and depth > NARROW:
        n = list_turns(s, actions, ranks, n, e0, e1, e2, e3, mine, theirs, 1 if depth < WIDE else 0)
    return n
