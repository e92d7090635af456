"""What the tests of Kulami share: positions, recorded games, random walks."""

import random

import hanpan
from hanpan.games.kulami import boards

BARE = "/".join([".........."] * 10)


A, B = boards.A, boards.B


STARTS = {
    "a": {},
    "b": {"board": "b", "level": 2},
    "random": {"board": "random", "level": 1},
    "square": {"board": "random-square", "level": 2},
    "build": {"board": "build"},
}


# The square board with one tile taken out of its last row and put into the frame's far corner.
APART = B.replace("mmqqo", "mm..o")[:-2] + "qq"


def play_out(state, seed, plies=10_000):
    """A random game from a state, as states."""
    dice = random.Random(seed)
    yield state
    while not state.over and plies:
        plies -= 1
        state = state.play(state.draw(dice.getrandbits(32)) if state.chance else dice.choice(state.legal()))
        yield state


def play(state, *actions):
    for action in actions:
        state = state.play(action)
    return state


def cell(name):
    return ord(name[0]) - ord("a"), int(name[1:]) - 1


def name(x, y):
    return f"{'abcdefghij'[x]}{y + 1}"


def grid(rows):
    return {(x, y): sign for y, row in enumerate(rows.split("/")) for x, sign in enumerate(row) if sign != "."}


def with_marbles(board, red=(), black=()):
    signs = [["."] * 10 for _ in range(10)]
    for sign, names in (("r", red), ("b", black)):
        for x, y in map(cell, names):
            signs[y][x] = sign
    return f"{board} {'/'.join(map(''.join, signs))}"


BUILDING = ("2x2@a1", "2x2@c1", "2x2@e1", "2x2@g1", "2x2@i1")


MID = play(hanpan.game("kulami").start(), "i4", "g4", "e4", "b4")  # red's last e4, black's last b4, red to move
