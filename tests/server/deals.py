"""Chance that tests know."""

import random

from hanpan.server.rooms.chance import Chance


class Deals(Chance):
    """Chance as it is written down; after that it follows from the position alone, whatever was played on the same server before."""

    def __init__(self, script=()):
        self.script = list(script)

    def draw(self, state):
        return self.script.pop(0) if self.script else state.draw(_number(state))

    def forced(self, state, draft):
        return state.forced(_number(state), tuple(draft))


def _number(state):
    return random.Random(str(state)).getrandbits(63)
