"""Races that are decided: a pawn walks home, and the other can neither meet it, nor build in its way, nor be home first.

The pawn walks one shortest way. Wherever the other pawn goes, it is never beside the walking one, so there is nothing to jump over and nobody in the way.
A wall across the way leaves no other: so it may not be built, neither now nor later, when there are more walls and the pawn is nearer.
"""

from hanpan.core.rule import Record, rule

from .board import COLUMN, DOWN, SIZE, UP, bit0, bit1, to_left, to_right
from .rules import is_open
from .walls import fitting_walls
from .ways import FAR, downhill, grown, openings, way_length

WALLED = 5  # from this depth on it is worth the time to look whether walls in hand matter


@rule
def settled(s: Record, depth: int) -> int:
    """In how many plies the seat to act has won the race (less than zero: lost it); 0 if nobody can say without a search."""
    me = int(s.turn)
    here, there = int(s.pawn[me]), int(s.pawn[1 - me])
    if depth < WALLED and s.hand[0] > 0 and s.hand[1] > 0:  # too many walls to look at: only whether a single step is left
        home = SIZE - 2 if me == 0 else 1
        ahead = here + 1 if me == 0 else here - 1
        return 1 if here % COLUMN == home and ahead != there and is_open(s, here, DOWN if me == 0 else UP) else 0
    down0, down1, right0, right1 = openings(s)
    mine = way_length(here, me, down0, down1, right0, right1)
    theirs = way_length(there, 1 - me, down0, down1, right0, right1)
    first = mine <= theirs
    walker = me if first else 1 - me
    plies = 2 * mine - 1 if first else 2 * theirs
    hand = int(s.hand[1 - walker])
    if hand > 0 and plies > 1 and (depth < WALLED or (hand >= 2 and s.rotation != 0)):
        return 0
    if s.max_plies > 0 and s.ply + plies > s.max_plies:
        return 0
    if not walks_home(s, walker, first, hand > 0, down0, down1, right0, right1):
        return 0
    return plies if first else -plies


@rule
def walks_home(s: Record, seat: int, first: bool, walled: bool, down0: int, down1: int, right0: int, right1: int) -> bool:
    """Whether nothing can stop the pawn on its way; first: it has the move; walled: the other may still build."""
    site, other = int(s.pawn[seat]), int(s.pawn[1 - seat])
    left, dn0, dn1, up0, up1, rt0, rt1, _, _ = downhill(site, seat, down0, down1, right0, right1)
    reached0, reached1 = bit0(other), bit1(other)  # where the other pawn may be by now
    c0, c1 = bit0(site), bit1(site)
    if not first:
        reached0, reached1 = grown(reached0, reached1, down0, down1, right0, right1)
        if (c0 & reached0) | (c1 & reached1) != 0:
            return False
    flat0, flat1, tall0, tall1 = fitting_walls(s)
    may_build = walled and not first  # before the walker's next step
    while left > 0:
        left -= 1
        if (c0 & dn0) | (c1 & dn1) != 0:
            step = 1
        elif (c0 & up0) | (c1 & up1) != 0:
            step = -1
        elif (c0 & rt0) | (c1 & rt1) != 0:
            step = COLUMN
        else:
            step = -COLUMN
        edge = site if step > 0 else site + step
        if may_build and can_be_walled(site, seat, edge, abs(step) == COLUMN, flat0, flat1, tall0, tall1, down0, down1, right0, right1):
            return False
        may_build = walled
        site += step
        c0, c1 = bit0(site), bit1(site)
        if left > 0:
            reached0, reached1 = grown(reached0, reached1, down0, down1, right0, right1)
        if (c0 & reached0) | (c1 & reached1) != 0:
            return False
    return True


@rule
def can_be_walled(
    site: int, seat: int, edge: int, upright: bool, flat0: int, flat1: int, tall0: int, tall1: int, down0: int, down1: int, right0: int, right1: int
) -> bool:
    """Whether a wall on this edge, right before a pawn on that site, leaves it another way."""
    e0, e1 = bit0(edge), bit1(edge)
    if upright:
        e0, e1 = (e0 | (e0 >> 1)) & tall0, (e1 | (e1 >> 1)) & tall1
    else:
        l0, l1 = to_left(e0, e1)
        e0, e1 = (e0 | l0) & flat0, (e1 | l1) & flat1
    while e0 | e1 != 0:
        w0 = e0 & -e0
        w1 = 0 if w0 != 0 else e1 & -e1
        e0 ^= w0
        e1 ^= w1
        if upright:
            far = way_length(site, seat, down0, down1, right0 & ~(w0 | (w0 << 1)), right1 & ~(w1 | (w1 << 1)))
        else:
            r0, r1 = to_right(w0, w1)
            far = way_length(site, seat, down0 & ~(w0 | r0), down1 & ~(w1 | r1), right0, right1)
        if far < FAR:
            return True
    return False
