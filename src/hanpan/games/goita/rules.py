"""Goita: what the game is, from the deal to the score.

Four play, partners opposite each other, with thirty-two komas, eight in each hand. The dealer leads: one koma face down, and one beside it as an attack.
In turn the others pass, or block the attack with an equal koma and attack with another one; if nobody blocks it, whoever attacked leads again.
Whoever lays the eighth koma wins the round, and for the team the points of that last attack. The first team with enough points wins the game.
"""

from __future__ import annotations

from hanpan.core.option import Option
from hanpan.core.rule import CHANCE, OVER, Ints, Record, Rng, below, rule

from .deal import deal_hands, shi_points
from .koma import JEWEL, KING, POINTS, SHI, equal, held, random_pair, stops
from .table import DEAL, ENDED, GOSHI, PLAY, begin, clear, five_holder, lay, lay_pass, leads
from .table import State as State
from .views import hide as hide
from .views import imagine as imagine

OPTIONS = (
    Option("target", 150, low=10, high=1000),
    Option("no_yaku", False),
    Option("no_goshi", False),
    Option("nanashi_double", False),
)
# Actions: 0 pass · 1 … 81 a pair, 9·(block − 1) + attack · the answers to five し.
PASS, PROCEED, REDEAL = 0, 82, 83
ACTIONS = 84
MOST_LEGAL = 56  # a lead with eight different komas, both kings among them
MOST_SEATS = 4
SIDES = (0, 1, 0, 1)  # partners sit opposite each other
TIME_OUT = "forced"  # a time-out does not lose: `forced` plays (a pass, or a random action)


# --- set-up: the deal, and what is looked at right after it ---


@rule
def seats(s: Record) -> int:
    """Always four: 1+3 play against 2+4."""
    return 4


@rule
def start(s: Record, target: int, no_yaku: int, no_goshi: int, nanashi_double: int) -> None:
    """Nothing is dealt, and the first dealer is still to be drawn."""
    s.target = target
    s.no_yaku = no_yaku
    s.no_goshi = no_goshi
    s.nanashi_double = nanashi_double
    s.dealer = -1
    clear(s)


@rule
def chance(s: Record, rng: Rng) -> None:
    """Draw the first dealer, or deal."""
    if s.dealer < 0:
        s.dealer = below(rng, 4)
        return
    deal_hands(s, rng)
    look_at_hands(s)


@rule
def look_at_hands(s: Record) -> None:
    """Right after the deal: go on to play, to the decision about five し, or straight to the end of the round."""
    fives = 0
    for seat in range(4):
        shi = held(int(s.dealt[seat]), SHI)
        if shi > 5:
            award(s, seat, shi_points(s, seat))
            return
        if shi == 5:
            fives |= 1 << seat
    if fives == 0b0101 or fives == 0b1010:
        award(s, 0 if fives == 0b0101 else 1, int(s.target))
    elif fives & (fives - 1) != 0:  # two opponents
        clear(s)
    else:
        begin(s, fives)


# --- a turn ---


@rule
def mover(s: Record) -> int:
    """The seat to act: in play the one whose turn it is, about five し the holder's partner."""
    if s.phase == PLAY:
        return int(s.turn)
    if s.phase == GOSHI:
        return five_holder(s) ^ 2
    return CHANCE if s.phase == DEAL else OVER


@rule
def legal(s: Record, out: Ints) -> int:
    """All pairs of the hand that block and attack rightly, and, unless the seat leads, the pass."""
    if s.phase == GOSHI:
        out[0] = PROCEED
        out[1] = REDEAL
        return 2
    if s.phase != PLAY:
        return 0
    n = 0
    if not leads(s):
        out[0] = PASS
        n = 1
    hand = int(s.hand[s.turn])
    highest = highest_attack(s, hand)
    for block in range(1, 10):
        if held(hand, block) != 0 and may_block(s, block):
            rest = hand - (1 << (4 * block))
            for attack in range(1, highest + 1):
                if held(rest, attack) != 0:
                    out[n] = 9 * block + attack - 9
                    n += 1
    return n


@rule
def highest_attack(s: Record, hand: int) -> int:
    """The highest code that the seat to move may attack with: a king needs a king face up, or both in hand, or to be the eighth koma."""
    if s.king != 0 or s.placed[s.turn] == 6 or (held(hand, KING) != 0 and held(hand, JEWEL) != 0):
        return JEWEL
    return KING - 1


@rule
def may_block(s: Record, block: int) -> bool:
    """Whether the seat to move may block with such a koma: with anything when it leads, else only with what stops the attack."""
    return leads(s) or stops(block, int(s.attack))


@rule
def apply(s: Record, a: int) -> None:
    """Play an action: pass, lay a pair (and perhaps go out), or decide about five し."""
    if a == PASS:
        lay_pass(s)
    elif a == PROCEED:
        s.phase = PLAY
    elif a == REDEAL:
        clear(s)
    else:
        seat = int(s.turn)
        block = (a + 8) // 9
        attack = a + 9 - 9 * block
        if s.placed[seat] == 6:
            award(s, seat, final_points(leads(s), block, attack))
        else:
            lay(s, block, attack)


@rule
def forced(s: Record, rng: Rng) -> int:
    """Time is up: deal again, or pass, or, when leading, any legal pair."""
    if s.phase == GOSHI:
        return REDEAL
    if not leads(s):
        return PASS
    hand = int(s.hand[s.turn])
    return random_pair(hand, highest_attack(s, hand), rng)


# --- the end of a round, and of the game ---


@rule
def final_points(lead: bool, block: int, attack: int) -> int:
    """What the pair that goes out is worth: its attack, twice if it was led and both komas are equal."""
    return int(POINTS[attack]) * (2 if lead and equal(block, attack) else 1)


@rule
def award(s: Record, seat: int, points: int) -> None:
    """The round is won: the seat's team gets the points, the seat deals next, unless that was the game."""
    clear(s)
    s.score[seat & 1] += points
    s.dealer = seat
    if s.score[seat & 1] >= s.target:
        s.phase = ENDED


# --- the score ---


@rule
def outcome(s: Record, out: Ints) -> int:
    """A team's points stand at both its seats; the team that reached the target has won."""
    winners = 0
    for seat in range(4):
        out[seat] = s.score[seat & 1]
        if s.score[seat & 1] >= s.target:
            winners |= 1 << seat
    return winners
