"""Which walls may be built: those that fit and leave both pawns a way.

Walls and the rim of the board are lines between corners. Leave out the rim on a pawn's goal side: then the pawn has a way out exactly as long as no closed line
runs around it. A new wall makes a closed line only if two of its three corners hang together already; and that line runs around the pawn exactly if it crosses
an odd number of times the ray that goes from the pawn straight to its goal side. So give every corner that hangs together with the rim a parity: how often
the line from the rim to it crosses the ray. Nothing is closed now, so the parity is the same along every line. A wall that would join an even and an odd corner
(counted at its middle, crossings on the wall itself included) closes the way, and no other wall that touches the rim's lines does: no search at all.

What is left are rings that do not touch that rim. They are rare and are found by searching for a way.
"""

from hanpan.core.rule import Record, rule

from .board import (
    BOTTOM0,
    BOTTOM1,
    CENTRES0,
    CENTRES1,
    DOWN,
    LEFT,
    LEFTMOST,
    RAYS,
    RIGHT,
    RIGHTMOST,
    TOP0,
    TOP1,
    UP,
    fill,
    has_way,
    to_left,
    to_right,
)

Four = tuple[int, int, int, int]


@rule
def fitting_walls(s: Record) -> Four:
    """The centres where a horizontal wall (two words) and a vertical wall (two words) find both edges free and cross no whole wall."""
    h0, h1, v0, v1 = s.h[0], s.h[1], s.v[0], s.v[1]
    l0, l1 = to_left(h0, h1)
    flat0, flat1 = CENTRES0 & ~(h0 | l0 | s.whole_v[0]), CENTRES1 & ~(h1 | l1 | s.whole_v[1])
    tall0, tall1 = CENTRES0 & ~(v0 | (v0 >> 1) | s.whole_h[0]), CENTRES1 & ~(v1 | (v1 >> 1) | s.whole_h[1])
    return flat0, flat1, tall0, tall1


@rule
def rim_corners(seat: int, x0: int, x1: int, h0: int, h1: int, v0: int, v1: int) -> Four:
    """The corners that hang together with the rim (without the seat's goal side) by lines that cross the ray x an even, and an odd, number of times."""
    down0, down1 = (v0 & ~TOP0) >> 1, (v1 & ~TOP1) >> 1
    all0, all1 = to_left(h0 & ~LEFTMOST, h1)
    c0, c1 = to_left(x0, x1)
    cross0, cross1 = all0 & c0, all1 & c1
    right0, right1 = all0 & ~c0, all1 & ~c1
    # Corners on the right and lower rim are sites of their own; the left and upper rim are known by the edges that leave them.
    if seat == 0:
        even0, even1 = v0 & TOP0, (v1 & TOP1) | RIGHTMOST
    else:
        even0, even1 = BOTTOM0, BOTTOM1 | RIGHTMOST
    even0 |= h0 & LEFTMOST & ~x0
    odd0, odd1 = h0 & LEFTMOST & x0, 0
    while True:
        even0, even1 = fill(even0, even1, down0, down1, right0, right1)
        r0, r1 = to_right(even0 & cross0, even1 & cross1)
        l0, l1 = to_left(even0, even1)
        odd0 |= r0 | (l0 & cross0)
        odd1 |= r1 | (l1 & cross1)
        if odd0 | odd1 == 0:
            return even0, even1, odd0, odd1
        odd0, odd1 = fill(odd0, odd1, down0, down1, right0, right1)
        r0, r1 = to_right(odd0 & cross0, odd1 & cross1)
        l0, l1 = to_left(odd0, odd1)
        n0, n1 = even0 | r0 | (l0 & cross0), even1 | r1 | (l1 & cross1)
        if n0 == even0 and n1 == even1:
            return even0, even1, odd0, odd1
        even0, even1 = n0, n1


@rule
def keep_way(site: int, seat: int, h0: int, h1: int, v0: int, v1: int, flat0: int, flat1: int, tall0: int, tall1: int) -> Four:
    """Of these fitting walls those that leave the pawn of that seat, standing on that site, a way."""
    direction = DOWN if seat == 0 else UP
    x0, x1 = RAYS[site, direction, 0], RAYS[site, direction, 1]
    even0, even1, odd0, odd1 = rim_corners(seat, x0, x1, h0, h1, v0, v1)
    # Horizontal walls: carry the parity of both ends to the middle, where the unit edge in between may cross the ray.
    a0, a1 = to_right(even0, even1)
    b0, b1 = to_right(odd0, odd1)
    a0 |= LEFTMOST
    even_end0, even_end1 = (a0 & ~x0) | (b0 & x0), (a1 & ~x1) | (b1 & x1)
    odd_end0, odd_end1 = (b0 & ~x0) | (a0 & x0), (b1 & ~x1) | (a1 & x1)
    a0, a1 = to_left(even0, even1)
    b0, b1 = to_left(odd0, odd1)
    c0, c1 = to_left(x0, x1)
    even_end0 |= (a0 & ~c0) | (b0 & c0)
    even_end1 |= (a1 & ~c1) | (b1 & c1)
    odd_end0 |= (b0 & ~c0) | (a0 & c0)
    odd_end1 |= (b1 & ~c1) | (a1 & c1)
    flat0 &= ~((even0 | even_end0) & (odd0 | odd_end0))
    flat1 &= ~((even1 | even_end1) & (odd1 | odd_end1))
    # Vertical walls never cross the ray.
    top0, top1 = (TOP0, TOP1) if seat == 0 else (0, 0)
    tall0 &= ~((even0 | (even0 << 1) | (even0 >> 1) | top0) & (odd0 | (odd0 << 1) | (odd0 >> 1)))
    tall1 &= ~((even1 | (even1 << 1) | (even1 >> 1) | top1) & (odd1 | (odd1 << 1) | (odd1 >> 1)))
    return break_rings(site, seat, h0, h1, v0, v1, ~(even0 | odd0), ~(even1 | odd1), flat0, flat1, tall0, tall1)


@rule
def two_of(a: int, b: int, c: int) -> int:
    """What is in at least two of three sets."""
    return (a & b) | (c & (a | b))


@rule
def break_rings(site: int, seat: int, h0: int, h1: int, v0: int, v1: int, loose0: int, loose1: int, flat0: int, flat1: int, tall0: int, tall1: int) -> Four:
    """The walls without those that would close a ring around the pawn out of lines whose corners are loose (not joined to the rim)."""
    # A ring crosses the four rays from the pawn; one wall can bring only one of the crossings.
    loose_h0, loose_h1, loose_v0, loose_v1 = h0 & loose0, h1 & loose1, v0 & loose0, v1 & loose1
    crossed = 0
    for direction in (UP, DOWN):
        if (loose_h0 & RAYS[site, direction, 0]) | (loose_h1 & RAYS[site, direction, 1]) != 0:
            crossed += 1
    for direction in (LEFT, RIGHT):
        if (loose_v0 & RAYS[site, direction, 0]) | (loose_v1 & RAYS[site, direction, 1]) != 0:
            crossed += 1
    if crossed < 3:
        return flat0, flat1, tall0, tall1
    l0, l1 = to_left(loose_h0, loose_h1)
    t0 = loose_h0 | l0 | loose_v0 | (loose_v0 >> 1)
    t1 = loose_h1 | l1 | loose_v1 | (loose_v1 >> 1)
    l0, l1 = to_left(t0, t1)
    r0, r1 = to_right(t0, t1)
    d0, d1 = flat0 & two_of(l0, t0, r0), flat1 & two_of(l1, t1, r1)  # doubtful ones
    while d0 | d1 != 0:
        w0 = d0 & -d0
        w1 = 0 if w0 != 0 else d1 & -d1
        d0 ^= w0
        d1 ^= w1
        r0, r1 = to_right(w0, w1)
        if has_way(site, seat, h0 | w0 | r0, h1 | w1 | r1, v0, v1) == 0:
            flat0 &= ~w0
            flat1 &= ~w1
    d0, d1 = tall0 & two_of(t0 >> 1, t0, t0 << 1), tall1 & two_of(t1 >> 1, t1, t1 << 1)
    while d0 | d1 != 0:
        w0 = d0 & -d0
        w1 = 0 if w0 != 0 else d1 & -d1
        d0 ^= w0
        d1 ^= w1
        if has_way(site, seat, h0, h1, v0 | w0 | (w0 << 1), v1 | w1 | (w1 << 1)) == 0:
            tall0 &= ~w0
            tall1 &= ~w1
    return flat0, flat1, tall0, tall1


@rule
def buildable(s: Record) -> Four:
    """The centres where a horizontal wall (two words) and a vertical wall (two words) may be built."""
    flat0, flat1, tall0, tall1 = fitting_walls(s)
    for seat in range(2):
        flat0, flat1, tall0, tall1 = keep_way(int(s.pawn[seat]), seat, s.h[0], s.h[1], s.v[0], s.v[1], flat0, flat1, tall0, tall1)
    return flat0, flat1, tall0, tall1
