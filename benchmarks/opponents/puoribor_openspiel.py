"""OpenSpiel's own Monte-Carlo tree search (C++, random rollouts) as a player of plain Quoridor: Puoribor without rotation.

OpenSpiel's first player starts below and goes up, so rows are counted from the other side. It can't be given a position: the first one it sees is
rebuilt by moves (pawns walk on the empty board, then the walls are built), later ones follow from the action that leads there.
"""

from __future__ import annotations

from typing import Any

import pyspiel

from hanpan.game import State

_WALLS = 10


def mirrored(action: str) -> str:
    """An action's text with the rows counted from the other side.

    >>> mirrored("e2"), mirrored("e3h"), mirrored("a8v")
    ('e8', 'e6h', 'a1v')
    """
    return f"{action[0]}{(10 if len(action) == 2 else 9) - int(action[1])}{action[2:]}"


def rebuilt(position: str) -> list[str]:
    """Actions from the beginning that lead to a position early in a game."""
    pawns, hands, walls, seat = position.split(" ")[:2], position.split(" ")[2:4], position.split(" ")[4], int(position.split(" ")[5]) - 1
    left = [] if walls == "-" else walls.split(",")
    lines: list[list[str]] = [[], []]
    for who in range(2):
        column, row, goal = "e", 1 if who == 0 else 9, int(pawns[who][1])
        while row != goal:
            row += 1 if goal > row else -1
            lines[who].append(f"{column}{row}")
        while column != pawns[who][0]:
            column = chr(ord(column) + (1 if pawns[who][0] > column else -1))
            lines[who].append(f"{column}{row}")
        built = _WALLS - int(hands[who])
        lines[who] += left[:built]
        left = left[built:]
    short = 1 if len(lines[0]) - len(lines[1]) > seat else 0
    while len(lines[0]) - len(lines[1]) != seat:  # there and back at the start, until both have acted as often as they should
        lines[short] = (["d9", "e9"] if short else ["d1", "e1"]) + lines[short]
        if len(lines[0]) + len(lines[1]) > 60:
            raise ValueError(f"position: {position!r} can't be rebuilt")
    return [action for pair in zip(lines[0], lines[1] + [""], strict=False) for action in pair if action]


class Spiel:
    """So many simulations a move, whatever the time."""

    def __init__(self, simulations: int = 5000, uct: float = 2.0) -> None:
        self.seed = 0
        self._simulations, self._uct = simulations, uct
        self._game = pyspiel.load_game("quoridor(board_size=9)")
        self._known: State | None = None
        self._theirs: Any = None
        self._bot: Any = None

    def choose(self, state: State, seconds: float | None = None) -> str:
        """Its action; the time is its own."""
        if self._bot is None:
            evaluator = pyspiel.RandomRolloutEvaluator(1, self.seed % (1 << 30) + 1)
            self._bot = pyspiel.MCTSBot(self._game, evaluator, self._uct, self._simulations, 1000, True, self.seed % (1 << 30) + 1, False)
        self._follow(state)
        action = mirrored(self._theirs.action_to_string(self._bot.step(self._theirs)))
        self._act(action)
        self._known = state.game.parse(str(state)).play(action)  # as everybody sees it: a view lists only its own seat's actions
        return action

    def _follow(self, state: State) -> None:
        if self._known is not None:
            for action in self._known.legal():
                if str(self._known.play(action)) == str(state):
                    self._act(action)
                    return
        self._theirs = self._game.new_initial_state()
        for action in rebuilt(str(state)):
            self._act(action)

    def _act(self, action: str) -> None:
        self._theirs.apply_action(self._theirs.string_to_action(mirrored(action)))
