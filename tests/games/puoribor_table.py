"""What the tests of Puoribor share: positions, recorded games, random walks."""

import hanpan

OPTIONS = [{}, {"rotation": False}, {"walls": 20}, {"walls": 3, "max_plies": 90}, {"walls": 20, "rotation": False}, {"walls": 0}, {"walls": 1}]


def play(text, *actions, **options):
    """The position after some actions from a position text."""
    state = hanpan.game("puoribor", **options).parse(text)
    for action in actions:
        state = state.play(action)
    return state
