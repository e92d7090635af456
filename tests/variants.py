"""Games and options that the tests of every game run over."""

import random

import pytest

import hanpan

# Rules warn of nothing, as of a number that is too large for its type. What is said of things that another test of this process has left behind is not theirs.
NO_WARNINGS = [pytest.mark.filterwarnings("error"), pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")]

VARIANTS = [
    ("puoribor", {}),
    ("puoribor", {"rotation": False}),
    ("puoribor", {"walls": 3, "max_plies": 80}),
    ("puoribor", {"walls": 20}),
    ("kulami", {}),
    ("kulami", {"board": "b", "level": 2}),
    ("kulami", {"board": "random", "level": 1}),
    ("kulami", {"board": "random-square"}),
    ("kulami", {"board": "build"}),
    ("wallgo", {}),
    ("wallgo", {"players": 3, "size": 5, "pieces": 3}),
    ("wallgo", {"players": 3, "size": 3, "pieces": 3}),
    ("wallgo", {"size": 11, "pieces": 5}),
    ("wallgo", {"preset": "tv"}),
    ("reversedrop", {"max_plies": 120}),
    ("reversedrop", {"setup": "manual", "black": 30, "white": 30, "max_plies": 60}),
    ("reversedrop", {"black": 1, "white": 1}),
    ("goita", {}),
    ("goita", {"no_yaku": True, "no_goshi": True}),
    ("goita", {"target": 50, "nanashi_double": True}),
    ("tictactoe", {"misere": True}),
]


def every_variant(fits=lambda game: True):
    """The games with their options (those that a test fits), as pytest parameters. In a hurry, each game with the first ones."""
    chosen, seen = [], set()
    for name, options in VARIANTS:
        if fits(game := hanpan.game(name, **options)):
            chosen.append(pytest.param(game, id=f"{name}-{options}", marks=[pytest.mark.slow] if name in seen else []))
            seen.add(name)
    return pytest.mark.parametrize("game", chosen)


def random_states(game, seed, plies):
    """A random game from its first position, as states."""
    dice = random.Random(seed)
    state = game.start()
    yield state
    for _ in range(plies):
        if state.over:
            return
        action = state.draw(dice.getrandbits(32)) if state.chance else dice.choice(state.legal())
        state = state.play(action)
        yield state
