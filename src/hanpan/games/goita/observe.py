"""Goita as a learning machine sees it: 14 planes of 9 × 8, [plane, row, column], from a record that went through `hide`; `planes` names them.

Rows are the komas し 香 馬 銀 金 角 飛 王 玉 unless said otherwise; seats are counted from the one that looks: itself, next, partner, last.
"""

from __future__ import annotations

from hanpan.core.planes import Bits, Levels, dot, flood
from hanpan.core.rule import Record, rule

from .koma import held
from .table import GOSHI, lies_face_down

ROWS, COLUMNS = 9, 8
_HAND, _LAID, _DOWN, _ATTACK, _PASSED, _TABLE, _NEEDS = 0, 1, 5, 6, 7, 11, 12

_SEATS = ("oneself", "the next seat", "the partner", "the last seat")
_PLANES = (
    "own hand: row = koma, the first n columns set when it holds n",
    *(f"what lies before {seat}: row = koma, column = place (block, attack, block, attack …); unknown komas are not set" for seat in _SEATS),
    "komas that lie face down: row = seat, column = place",
    "the standing attack: the row of that koma",
    *(f"attacks let pass by {seat}: row = koma, the first n columns set when it passed n times" for seat in _SEATS),
    "row = seat: column 0 made the last attack, 1 is the dealer, 2 announced five し; row 8: column 0 a king lies face up, 1 five し are decided about",
    "points that the own team needs to win (number, cut at 255)",
    "points that the other team needs (number)",
)


def planes(s: Record) -> tuple[str, ...]:
    """What each plane means."""
    return _PLANES


def shape(s: Record) -> tuple[int, int, int]:
    """Planes, rows, columns."""
    return len(_PLANES), ROWS, COLUMNS


@rule
def observe(s: Record, seat: int, bits: Bits, level: Levels) -> None:
    """Paint what a seat sees."""
    for team in range(2):
        needs = int(s.target) - int(s.score[(seat + team) & 1])
        if needs > 0:
            flood(bits, level, _NEEDS + team, ROWS * COLUMNS, needs)
    for code in range(1, 10):
        for n in range(held(int(s.hand[seat]), code)):
            dot(bits, _HAND, COLUMNS * (code - 1) + n)
    if s.dealer >= 0:
        dot(bits, _TABLE, COLUMNS * ((int(s.dealer) - seat) & 3) + 1)
    dot(bits, _TABLE, COLUMNS * ((int(s.attacker) - seat) & 3))
    for other in range(4):
        if (s.fives >> other) & 1 != 0:
            dot(bits, _TABLE, COLUMNS * ((other - seat) & 3) + 2)
    if s.king != 0:
        dot(bits, _TABLE, COLUMNS * 8)
    if s.phase == GOSHI:
        dot(bits, _TABLE, COLUMNS * 8 + 1)
    if s.attack != 0:
        for column in range(COLUMNS):
            dot(bits, _ATTACK, COLUMNS * (int(s.attack) - 1) + column)
    walk(s, seat, bits)


@rule
def walk(s: Record, seat: int, bits: Bits) -> None:
    """Paint the turns of the round: what lies before each seat, and what it let pass."""
    turn = int(s.dealer)
    attacker, attack = turn, 0
    laid = 0  # komas of each seat so far, a hexadecimal digit each
    for i in range(int(s.count)):
        pair = int(s.turns[i])
        side = (turn - seat) & 3
        if pair != 0:
            place = held(laid, turn)
            block, attack = pair // 10, pair % 10
            if lies_face_down(turn, attacker, place):
                dot(bits, _DOWN, COLUMNS * side + place)
            if block != 0:
                dot(bits, _LAID + side, COLUMNS * (block - 1) + place)
            dot(bits, _LAID + side, COLUMNS * (attack - 1) + place + 1)
            laid += 2 << (4 * turn)
            attacker = turn
        else:
            column = 0
            while column < COLUMNS - 1 and is_set(bits, _PASSED + side, COLUMNS * (attack - 1) + column):
                column += 1
            dot(bits, _PASSED + side, COLUMNS * (attack - 1) + column)
        turn = (turn + 1) & 3


@rule
def is_set(bits: Bits, plane: int, cell: int) -> bool:
    """Whether a cell is set."""
    return (int(bits[plane, cell >> 5] & 0xFFFFFFFF) >> (cell & 31)) & 1 != 0
