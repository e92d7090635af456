"""Tic-tac-toe: what the game is."""

import numpy as np

from hanpan.core.option import Option
from hanpan.core.rule import OVER, below, hide_nothing, imagine_nothing, no_chance, record_type, rule

State = record_type([("cell", np.int8, 9), ("turn", np.int8), ("misere", np.int8)])
OPTIONS = (Option("misere", False),)
ACTIONS = MOST_LEGAL = 9
MOST_SEATS = 2
LINES = np.array([[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]])

chance, hide, imagine = no_chance, hide_nothing, imagine_nothing


@rule
def seats(s):
    return 2


@rule
def start(s, misere):
    s.misere = misere


@rule
def line(s):
    """Who has three in a row: 1, 2, or 0 for nobody."""
    for i in range(8):
        owner = s.cell[LINES[i, 0]]
        if owner != 0 and owner == s.cell[LINES[i, 1]] and owner == s.cell[LINES[i, 2]]:
            return int(owner)
    return 0


@rule
def mover(s):
    if line(s) != 0:
        return OVER
    for i in range(9):
        if s.cell[i] == 0:
            return int(s.turn)
    return OVER


@rule
def legal(s, out):
    n = 0
    if mover(s) >= 0:
        for i in range(9):
            if s.cell[i] == 0:
                out[n] = i
                n += 1
    return n


@rule
def apply(s, a):
    s.cell[a] = s.turn + 1
    s.turn = 1 - s.turn


@rule
def outcome(s, out):
    owner = line(s)
    for seat in range(2):
        out[seat] = 0
    if owner == 0:
        return 0
    winner = owner - 1 if s.misere == 0 else 2 - owner
    out[winner] = 1
    return 1 << winner


@rule
def forced(s, rng):
    pick = below(rng, 9)
    while s.cell[pick] != 0:
        pick = (pick + 1) % 9
    return pick
