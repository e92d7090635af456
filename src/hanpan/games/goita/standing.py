"""How likely each team is to win the game, by the points it still needs and who deals next."""

from __future__ import annotations

import numpy as np

from hanpan.core.maths import log
from hanpan.core.rule import Record, plain, rule

# Of 1000 rounds, how many the dealer's team wins with 10, 20 … 100 points, and how many the other team: counted in 100,000 rounds of self-play.
DEALER_WINS = (47, 98, 174, 152, 69, 24, 0, 3, 0, 3)
OTHER_WINS = (34, 77, 130, 113, 48, 25, 0, 2, 0, 1)
MOST = 30  # tens of points: beyond, only the difference is looked at
SCALE = 6500  # hundredths of a point ahead, early in a game to 150, win three games of four
NEARLY = 0.999


def _chances() -> list[list[float]]:
    """[own][other]: the chance of the dealer's team to win when the teams need so many tens of points."""
    chances = [[0.0] * (MOST + 1) for _ in range(MOST + 1)]
    for both in range(2, 2 * MOST + 1):
        for own in range(max(1, both - MOST), min(both, MOST + 1)):
            other = both - own
            total = 0.0
            for tens, (won, lost) in enumerate(zip(DEALER_WINS, OTHER_WINS, strict=True), 1):
                total += won * (1.0 if own <= tens else chances[own - tens][other])
                total += lost * (0.0 if other <= tens else 1 - chances[other - tens][own])  # the others deal next
            chances[own][other] = total / (sum(DEALER_WINS) + sum(OTHER_WINS))
    return chances


def _points(chance: float) -> int:
    """A chance to win as a lead in hundredths of a point: the inverse of 1 / (1 + exp(−1.1 · lead / SCALE))."""
    chance = min(max(chance, 1 - NEARLY), NEARLY)
    return round(SCALE / 1.1 * plain(log)(chance / (1 - chance)))


CHANCES = _chances()
LEAD = np.array([[_points(chance) for chance in row] for row in CHANCES])


@rule
def lead(s: Record, team: int) -> int:
    """How far a team is ahead in the game, in hundredths of a point, whatever is being played in this round."""
    needs = (max(int(s.target) - int(s.score[0]), 1) + 9) // 10
    others_need = (max(int(s.target) - int(s.score[1]), 1) + 9) // 10
    beyond = max(needs, others_need, MOST) - MOST
    needs = max(needs - beyond, 1)
    others_need = max(others_need - beyond, 1)
    if s.dealer < 0:  # nobody has the advantage of the deal yet
        first = int(LEAD[needs, others_need]) - int(LEAD[others_need, needs])
        first //= 2
    elif s.dealer & 1 == 0:
        first = int(LEAD[needs, others_need])
    else:
        first = -int(LEAD[others_need, needs])
    return first if team == 0 else -first
