"""A greedy Goita player. Its rule:

- it never passes when it can block;
- of all pairs it could lay it takes one with the highest attack (by points);
- among these the block with the fewest points, and then the lowest codes (block first);
- it plays on with five し (`proceed`).

`Greedy(polite=True)` is a harder opponent: the same, but it lets its partner's attacks pass unless it can go out.
"""

from __future__ import annotations

from hanpan import State
from hanpan.games.goita.koma import POINTS


class Greedy:
    """The player; it looks only at its own legal actions and, when polite, at who attacks."""

    def __init__(self, polite: bool = False) -> None:
        self.polite = polite

    def choose(self, state: State, seconds: float | None = None) -> str:
        """The action it plays, at once."""
        legal = state.legal()
        if "proceed" in legal:
            return "proceed"
        s = state.record[0]
        if "p" in legal and self.polite and s.attacker == s.turn ^ 2 and s.placed[s.turn] != 6:
            return "p"
        pairs = [action for action in legal if action != "p"]
        return min(pairs, key=lambda pair: (-POINTS[int(pair[1])], POINTS[int(pair[0])], pair)) if pairs else "p"
