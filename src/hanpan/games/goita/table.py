"""What lies on the table: the record of a game, and laying a pair of komas on it.

The record keeps the running round as its text does: the hands as they were dealt and every turn since. What follows from
these two (hands now, whose turn, the standing attack …) is kept beside them, so that playing need not walk the turns again.

How long can a round be? It ends with somebody's fourth pair, so at most 4·3 + 1 = 13 pairs are laid. Between two pairs lie
three passes when the same seat lays both, else at most two; of the 12 gaps at most 13 − 4 = 9 are of the first kind.
So there are at most 9·3 + 3·2 = 33 passes, and at most 46 turns.
"""

from __future__ import annotations

import numpy as np

from hanpan.core.rule import Record, record_type, rule

from .koma import KING, spend

MOST_TURNS = 46
# Phases: chance is to act · the partner of a 5し hand decides · the round is played · the game is over · how a round lay when it ended (see rounds.py)
DEAL, GOSHI, PLAY, ENDED, CLOSED = range(5)

State = record_type(
    [
        ("dealt", np.int64, 4),  # hand of each seat as it was dealt (see koma.py); in a view, what its face-up komas tell of it
        ("hand", np.int64, 4),  # what it holds now
        ("score", np.int16, 2),  # of the teams 1+3 and 2+4
        ("target", np.int16),
        ("placed", np.int16, 4),  # komas of each seat on the table
        ("count", np.int16),  # how many turns were taken in this round
        ("turns", np.uint8, MOST_TURNS),  # 0 a pass, else 10 · block + attack; block 0 is one that the viewer does not know
        ("phase", np.int8),
        ("dealer", np.int8),  # −1 until it is drawn
        ("turn", np.int8),
        ("attacker", np.int8),  # the seat that made the last attack (at first the dealer): when its turn comes it leads
        ("attack", np.int8),  # the koma that attacks; 0 at first
        ("king", np.int8),  # 1 when a king lies face up
        ("fives", np.int8),  # bit i: seat i was dealt five し. Never two seats, except in a position from elsewhere where opponents played on
        ("no_yaku", np.int8),
        ("no_goshi", np.int8),
        ("nanashi_double", np.int8),
    ]
)


@rule
def clear(s: Record) -> None:
    """Take all komas off the table: the round is over and the next deal is awaited."""
    for seat in range(4):
        s.dealt[seat] = 0
        s.hand[seat] = 0
        s.placed[seat] = 0
    for i in range(MOST_TURNS):
        s.turns[i] = 0
    s.count = 0
    s.turn = 0
    s.attacker = 0
    s.attack = 0
    s.king = 0
    s.fives = 0
    s.phase = DEAL


@rule
def begin(s: Record, fives: int) -> None:
    """Everyone takes up the hand dealt, and the seats in `fives` announce their five し."""
    for seat in range(4):
        s.hand[seat] = s.dealt[seat]
    s.fives = fives
    s.phase = GOSHI if fives != 0 else PLAY
    s.turn = s.dealer
    s.attacker = s.dealer


@rule
def five_holder(s: Record) -> int:
    """The seat that announced five し."""
    return (int(s.fives) >> 1) - (int(s.fives) >> 3)  # 1, 2, 4, 8 to 0, 1, 2, 3


@rule
def leads(s: Record) -> bool:
    """Whether the seat to move leads: it made the last attack, and nobody blocked it."""
    return bool(s.turn == s.attacker)


@rule
def lies_face_down(seat: int, attacker: int, laid: int) -> bool:
    """Whether the block of a pair lies face down: that of a lead does, unless six komas are laid and this pair goes out."""
    return seat == attacker and laid < 6


@rule
def lay(s: Record, block: int, attack: int) -> None:
    """Lay a pair for the seat to move and pass the turn on."""
    seat = int(s.turn)
    if attack >= KING or (block >= KING and not lies_face_down(seat, int(s.attacker), int(s.placed[seat]))):
        s.king = 1
    s.hand[seat] = spend(spend(int(s.hand[seat]), block), attack)
    s.placed[seat] += 2
    s.attacker = seat
    s.attack = attack
    s.turns[s.count] = 10 * block + attack
    s.count += 1
    s.turn = (seat + 1) & 3


@rule
def lay_pass(s: Record) -> None:
    """Pass the turn on."""
    s.count += 1  # the turns beyond count are zero, which is a pass
    s.turn = (int(s.turn) + 1) & 3


@rule
def face_up(s: Record, seat: int) -> int:
    """The komas of a seat that lie face up, packed like a hand."""
    shown = 0
    laid = 0
    turn = int(s.dealer)
    attacker = turn
    for i in range(int(s.count)):
        pair = int(s.turns[i])
        if pair != 0:
            if turn == seat:
                shown += 1 << (4 * (pair % 10))
                if not lies_face_down(turn, attacker, laid):
                    shown += 1 << (4 * (pair // 10))
                laid += 2
            attacker = turn
        turn = (turn + 1) & 3
    return shown
