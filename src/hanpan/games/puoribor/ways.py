"""How far the pawns have to go, and which edges their shortest ways use.

Walls are given as what they leave open: `down` and `right` hold the sites from which those steps are open (see board.py).
"""

from hanpan.core.rule import Record, rule

from .board import BOTTOM0, BOTTOM1, COLUMN, DOWNWARD0, DOWNWARD1, FIRST, FULL, RIGHTWARD0, RIGHTWARD1, TOP0, TOP1, WORD, Pair, bit0, bit1

Four = tuple[int, int, int, int]
FAR = 99


@rule
def openings(s: Record) -> Four:
    """`down` and `right` of a position."""
    return DOWNWARD0 & ~s.h[0], DOWNWARD1 & ~s.h[1], RIGHTWARD0 & ~s.v[0], RIGHTWARD1 & ~s.v[1]


@rule
def grown(f0: int, f1: int, down0: int, down1: int, right0: int, right1: int) -> Pair:
    """The set and all its neighbours."""
    a0 = f0 & right0
    g0 = f0 | ((a0 << COLUMN) & FULL) | (((f0 >> COLUMN) | ((f1 & FIRST) << (WORD - COLUMN))) & right0) | ((f0 & down0) << 1) | ((f0 >> 1) & down0)
    g1 = f1 | ((f1 & right1) << COLUMN) | (a0 >> (WORD - COLUMN)) | ((f1 >> COLUMN) & right1) | ((f1 & down1) << 1) | ((f1 >> 1) & down1)
    return g0, g1


@rule
def way_length(site: int, seat: int, down0: int, down1: int, right0: int, right1: int) -> int:
    """Steps from a site to the seat's goal row, as if it were alone on the board; FAR if there is no way."""
    f0, f1 = bit0(site), bit1(site)
    goal0, goal1 = (BOTTOM0, BOTTOM1) if seat == 0 else (TOP0, TOP1)
    steps = 0
    while (f0 & goal0) | (f1 & goal1) == 0:
        n0, n1 = grown(f0, f1, down0, down1, right0, right1)
        if n0 == f0 and n1 == f1:
            return FAR
        f0, f1 = n0, n1
        steps += 1
    return steps


@rule
def both_lengths(s: Record) -> Pair:
    """How far the seat to act and the other have to go: two floods side by side are faster than one after the other."""
    down0, down1, right0, right1 = openings(s)
    me = int(s.turn)
    here, there = int(s.pawn[me]), int(s.pawn[1 - me])
    goal0, goal1, other0, other1 = (BOTTOM0, BOTTOM1, TOP0, TOP1) if me == 0 else (TOP0, TOP1, BOTTOM0, BOTTOM1)
    f0, f1, e0, e1 = bit0(here), bit1(here), bit0(there), bit1(there)
    mine, theirs = 0, 0
    while mine + theirs < FAR:  # a longer way would be none
        away = 1 if (f0 & goal0) | (f1 & goal1) == 0 else 0
        behind = 1 if (e0 & other0) | (e1 & other1) == 0 else 0
        if away | behind == 0:
            break
        mine, theirs = mine + away, theirs + behind
        f0, f1 = grown(f0, f1, down0, down1, right0, right1)
        e0, e1 = grown(e0, e1, down0, down1, right0, right1)
    return mine, theirs


@rule
def downhill(site: int, seat: int, down0: int, down1: int, right0: int, right1: int) -> tuple[int, int, int, int, int, int, int, int, int]:
    """How far it is from a site to the seat's goal, and the sites from which a step (down, up, right, left) leads nearer to it.

    The flood from the goal notes of every site its distance modulo 4, in two bit planes p and q. Next to each other distances are equal or
    differ by one, so p tells whether they differ, and q with p which is nearer. Only sites nearer than the given one are right.
    """
    f0, f1 = (BOTTOM0, BOTTOM1) if seat == 0 else (TOP0, TOP1)
    here0, here1 = bit0(site), bit1(site)
    p0, p1, q0, q1, steps = 0, 0, 0, 0, 0
    while (f0 & here0) | (f1 & here1) == 0:
        n0, n1 = grown(f0, f1, down0, down1, right0, right1)
        if n0 == f0 and n1 == f1:
            return FAR, 0, 0, 0, 0, 0, 0, 0, 0
        steps += 1
        if steps & 1 != 0:
            p0 |= n0 ^ f0
            p1 |= n1 ^ f1
        if steps & 2 != 0:
            q0 |= n0 ^ f0
            q1 |= n1 ^ f1
        f0, f1 = n0, n1
    # A step between two flooded sites whose p differs goes nearer exactly when (q changes) ≠ (p is set).
    d0, d1 = down0 & f0 & (f0 >> 1) & (p0 ^ (p0 >> 1)), down1 & f1 & (f1 >> 1) & (p1 ^ (p1 >> 1))
    n0, n1 = (q0 ^ (q0 >> 1)) ^ p0, (q1 ^ (q1 >> 1)) ^ p1
    dn0, dn1, up0, up1 = d0 & n0, d1 & n1, (d0 & ~n0) << 1, (d1 & ~n1) << 1
    l0, l1 = (f0 >> COLUMN) | ((f1 & FIRST) << (WORD - COLUMN)), f1 >> COLUMN
    d0, d1 = right0 & f0 & l0, right1 & f1 & l1
    l0, l1 = (p0 >> COLUMN) | ((p1 & FIRST) << (WORD - COLUMN)), p1 >> COLUMN
    d0, d1 = d0 & (p0 ^ l0), d1 & (p1 ^ l1)
    l0, l1 = (q0 >> COLUMN) | ((q1 & FIRST) << (WORD - COLUMN)), q1 >> COLUMN
    n0, n1 = (q0 ^ l0) ^ p0, (q1 ^ l1) ^ p1
    b0, b1 = d0 & ~n0, d1 & ~n1
    return steps, dn0, dn1, up0, up1, d0 & n0, d1 & n1, (b0 << COLUMN) & FULL, (b1 << COLUMN) | (b0 >> (WORD - COLUMN))


@rule
def one_way(site: int, dn0: int, dn1: int, up0: int, up1: int, rt0: int, rt1: int, lf0: int, lf1: int) -> Four:
    """The edges of one shortest way: horizontal ones it crosses (two words), vertical ones (two words)."""
    c0, c1 = bit0(site), bit1(site)
    h0, h1, v0, v1 = 0, 0, 0, 0
    while True:
        if (c0 & dn0) | (c1 & dn1) != 0:
            h0 |= c0
            h1 |= c1
            c0, c1 = c0 << 1, c1 << 1
        elif (c0 & up0) | (c1 & up1) != 0:
            c0, c1 = c0 >> 1, c1 >> 1
            h0 |= c0
            h1 |= c1
        elif (c0 & rt0) | (c1 & rt1) != 0:
            v0 |= c0
            v1 |= c1
            c0, c1 = (c0 << COLUMN) & FULL, (c1 << COLUMN) | (c0 >> (WORD - COLUMN))
        elif (c0 & lf0) | (c1 & lf1) != 0:
            c0, c1 = (c0 >> COLUMN) | ((c1 & FIRST) << (WORD - COLUMN)), c1 >> COLUMN
            v0 |= c0
            v1 |= c1
        else:
            return h0, h1, v0, v1


@rule
def all_ways(site: int, dn0: int, dn1: int, up0: int, up1: int, rt0: int, rt1: int, lf0: int, lf1: int) -> Four:
    """The edges of all shortest ways."""
    f0, f1 = bit0(site), bit1(site)
    while True:
        a0, a1 = f0 & rt0, f1 & rt1
        b0, b1 = f0 & lf0, f1 & lf1
        n0 = f0 | ((f0 & dn0) << 1) | ((f0 & up0) >> 1) | ((a0 << COLUMN) & FULL) | (b0 >> COLUMN) | ((b1 & FIRST) << (WORD - COLUMN))
        n1 = f1 | ((f1 & dn1) << 1) | ((f1 & up1) >> 1) | (a1 << COLUMN) | (a0 >> (WORD - COLUMN)) | (b1 >> COLUMN)
        if n0 == f0 and n1 == f1:
            h0, h1 = (f0 & dn0) | ((f0 & up0) >> 1), (f1 & dn1) | ((f1 & up1) >> 1)
            return h0, h1, a0 | (b0 >> COLUMN) | ((b1 & FIRST) << (WORD - COLUMN)), a1 | (b1 >> COLUMN)
        f0, f1 = n0, n1
