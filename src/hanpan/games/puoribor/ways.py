"""How far the pawns have to go, and which edges their shortest ways use.

Walls are given as what they leave open: `down` and `right` hold the sites from which those steps are open (see board.py).
"""

from hanpan.core.rule import Record, plain, rule

from .board import BOTTOM0, BOTTOM1, COLUMN, DOWNWARD0, DOWNWARD1, FIRST, FULL, RIGHTWARD0, RIGHTWARD1, TOP0, TOP1, WORD, Pair, bit0, bit1

Four = tuple[int, int, int, int]
FAR = 99
_HALF = 3 * COLUMN
_THREE, _SIX = (1 << _HALF) - 1, (1 << 2 * _HALF) - 1  # so many columns of a word


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
def side_by_side(f0: int, f1: int, e0: int, e1: int) -> tuple[int, int, int]:
    """Two sets of sites in three words of six columns: a–i of the one, then a–i of the other."""
    return int(f0 | ((f1 & FIRST) << WORD)), int((f1 >> COLUMN) | ((e0 & _THREE) << _HALF)), int((e0 >> _HALF) | (e1 << (WORD - _HALF)))


_GOALS_OF_0, _GOALS_OF_1 = plain(side_by_side)(BOTTOM0, BOTTOM1, 0, 0), plain(side_by_side)(TOP0, TOP1, 0, 0)
_GOALS_BESIDE_0, _GOALS_BESIDE_1 = plain(side_by_side)(0, 0, TOP0, TOP1), plain(side_by_side)(0, 0, BOTTOM0, BOTTOM1)


@rule
def both_lengths(s: Record) -> Pair:
    """How far the seat to act and the other have to go: two boards side by side, one for each pawn, are flooded at once."""
    down0, down1, right0, right1 = openings(s)
    d0, d1, d2 = side_by_side(down0, down1, down0, down1)
    r0, r1, r2 = side_by_side(right0, right1, right0, right1)
    me = int(s.turn)
    here, there = int(s.pawn[me]), int(s.pawn[1 - me])
    f0, f1, f2 = side_by_side(bit0(here), bit1(here), bit0(there), bit1(there))
    goal0, goal1, _ = _GOALS_OF_0 if me == 0 else _GOALS_OF_1
    _, other1, other2 = _GOALS_BESIDE_0 if me == 0 else _GOALS_BESIDE_1
    mine, theirs = 0, 0
    while mine + theirs < FAR:  # a longer way would be none
        away = 1 if (f0 & goal0) | (f1 & goal1) == 0 else 0
        behind = 1 if (f1 & other1) | (f2 & other2) == 0 else 0
        if away | behind == 0:
            break
        mine, theirs = mine + away, theirs + behind
        v0, v1, v2 = (f0 | (f0 >> 1)) & d0, (f1 | (f1 >> 1)) & d1, (f2 | (f2 >> 1)) & d2  # open edges that the sets touch: those below cells
        h0 = (f0 | (f0 >> COLUMN) | (f1 << WORD)) & r0  # and those right of cells
        h1 = (f1 | (f1 >> COLUMN) | (f2 << WORD)) & r1
        h2 = (f2 | (f2 >> COLUMN)) & r2
        f0 |= v0 | (v0 << 1) | h0 | ((h0 << COLUMN) & _SIX)
        f1 |= v1 | (v1 << 1) | h1 | ((h1 << COLUMN) & _SIX) | (h0 >> WORD)
        f2 |= v2 | (v2 << 1) | h2 | (h2 << COLUMN) | (h1 >> WORD)
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
