"""What the tests of Wall Go share: positions, recorded games, random walks."""

import random

import hanpan

MANY = [
    {"players": 2, "size": 3, "pieces": 1},
    {"players": 2, "size": 3, "pieces": 4},
    {"players": 3, "size": 3, "pieces": 3},
    {"players": 3, "size": 4, "pieces": 2, "tie_break": "largest"},
    {"players": 3, "size": 5, "pieces": 5},
    {"players": 2, "size": 7, "pieces": 4},
    {"preset": "tv"},
    {"players": 2, "size": 8, "pieces": 3},
    {"players": 3, "size": 11, "pieces": 5},
    {"players": 2, "size": 11, "pieces": 1},
]


def wallgo(**options):
    return hanpan.game("wallgo", **options)


def random_game(game, seed):
    """A random game from the dice to its end, as states."""
    choose = random.Random(seed)
    state = game.start(seed=seed)
    yield state
    while not state.over:
        state = state.play(choose.choice(state.legal()))
        yield state
