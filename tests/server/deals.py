"""Chance that tests know."""

import random

from hanpan.server.rooms.chance import Chance


class Deals(Chance):
    """Chance as it is written down; after that it follows from the position alone, whatever was played on the same server before. Only where a position comes
    again at once (somebody wants another deal) something else is dealt: else whoever wants that would want it for ever."""

    def __init__(self, script=()):
        self.script = list(script)
        self._last, self._again = "", 0

    def draw(self, state):
        if self.script:
            return self.script.pop(0)
        self._last, self._again = str(state), self._again + 1 if self._last == str(state) else 0
        return state.draw(_number(state) + self._again)

    def forced(self, state, draft):
        return state.forced(_number(state), tuple(draft))


def _number(state):
    return random.Random(str(state)).getrandbits(63)
