"""Puoribor behind the programming interface of the package `fights`, so that agents written for it run unchanged.

A state is arrays: `board` int [6][9][9], indexed [channel][x][y] (0, 1 pawns; 2 horizontal and 3 vertical unit edges with their owner, 1 or 2; 4, 5 centres
of whole walls), `walls_remaining` and `done`. It does not know whose turn it is: whoever is named plays.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hanpan.core.refusal import IllegalAction
from hanpan.core.rule import Record
from hanpan.core.words import say

from . import rules
from .board import COLUMN, SIZE, WORD
from .text import refusal

Array = npt.NDArray[np.int_]
PuoriborAction = npt.ArrayLike
MOVE, FLAT, TALL, TURN = range(4)  # the kinds of an action [kind, x, y]
_FIRST = (0, rules.FLAT, rules.TALL, rules.TURN, rules.ACTIONS)  # where each kind's numbers begin
_SIDE = (SIZE, 8, 8, 6)  # x and y go up to this


@dataclass
class PuoriborState:
    """A position as arrays."""

    board: Array
    walls_remaining: Array
    done: bool = False

    def __str__(self) -> str:
        """A drawing in box characters: walls are bold."""
        lines = ["┌" + "┬".join(["───"] * SIZE) + "┐"]
        for y in range(SIZE):
            last = y == SIZE - 1
            cells, edges = "│", "└" if last else "├"
            for x in range(SIZE):
                pawns, flat, tall = self.board[:2, x, y], self.board[2, x, y], self.board[3, x, y]
                cells += " 0 " if pawns[0] else " 1 " if pawns[1] else "   "
                cells += "┃" if tall else "│" if x == SIZE - 1 else " "
                edges += "━━━" if flat else "───" if last else "   "
                if x == SIZE - 1:
                    edges += "┘" if last else "┤"
                else:
                    edges += "╋" if self.board[4:, x, y].any() else "┴" if last else "┼"
            lines += [cells, edges]
        return "\n".join(lines) + "\n"

    def perspective(self, agent_id: int) -> Array:
        """The board turned so that this agent starts at the top, is in channel 0, and owns the walls marked 1."""
        if agent_id == 0:
            return self.board
        turned = np.zeros_like(self.board)
        turned[0], turned[1] = self.board[1, ::-1, ::-1], self.board[0, ::-1, ::-1]
        owners = np.where(self.board[2:4] > 0, 3 - self.board[2:4], 0)
        turned[2, :, :-1] = owners[0, ::-1, -2::-1]
        turned[3, :-1] = owners[1, -2::-1, ::-1]
        turned[4:, :-1, :-1] = self.board[4:, -2::-1, -2::-1]
        return turned

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {"board": self.board.tolist(), "walls_remaining": self.walls_remaining.tolist(), "done": self.done}

    @staticmethod
    def from_dict(serialized: dict[str, Any]) -> PuoriborState:
        """From plain data."""
        return PuoriborState(np.array(serialized["board"]), np.array(serialized["walls_remaining"]), serialized["done"])


Callback = Callable[[PuoriborState, int, Any], None]


class PuoriborEnv:
    """The environment: states in, states out."""

    env_id = ("puoribor", 3)
    board_size = SIZE
    max_walls = 10

    def initialize_state(self) -> PuoriborState:
        """The first position."""
        board = np.zeros((6, SIZE, SIZE), np.int_)
        board[0, 4, 0] = board[1, 4, 8] = 1
        return PuoriborState(board, np.array((self.max_walls, self.max_walls)))

    def legal_actions(self, state: PuoriborState, agent_id: int) -> Array:
        """0/1 [4][9][9]: what this agent could play now."""
        legal = np.zeros((4, SIZE, SIZE), np.int_)
        legal.reshape(-1)[_PLACE[_legal(_record(state, agent_id))]] = 1
        return legal

    def step(
        self, state: PuoriborState, agent_id: int, action: Any, *, pre_step_fn: Callback | None = None, post_step_fn: Callback | None = None
    ) -> PuoriborState:
        """The position after an action [kind, x, y] of this agent; ValueError if it is not allowed. The functions are called before and after."""
        if pre_step_fn is not None:
            pre_step_fn(state, agent_id, action)
        played = _step(state, agent_id, np.array(action, np.int_))
        if post_step_fn is not None:
            post_step_fn(played, agent_id, action)
        return played


def _spelt(kind: int, number: int) -> int:
    """Where in a legal array an action's number stands."""
    return kind * SIZE * SIZE + number // _SIDE[kind] * SIZE + number % _SIDE[kind]


_PLACE = np.array([_spelt(kind, number) for kind in range(4) for number in range(_SIDE[kind] ** 2)])
_SITE = np.array([[COLUMN * x + y for y in range(SIZE)] for x in range(SIZE)])
_BIT = _SITE % WORD
_WEIGHT = np.array([np.where(word == _SITE // WORD, 1 << _BIT, 0).reshape(-1) for word in range(2)]).T  # of each cell in each of the two words of a set


def _plane(words: Any) -> Array:
    """A set of sites as an array."""
    plane: Array = np.asarray(words)[_SITE // WORD] >> _BIT & 1
    return plane


def _record(state: PuoriborState, agent_id: int) -> Record:
    """The position with this agent to move, in our own form."""
    if agent_id not in (0, 1):
        raise ValueError(f"agent_id: {agent_id!r} is neither 0 nor 1")
    s = np.zeros(1, rules.State)  # field by field: an np.record is slow to write to
    s["rotation"], s["turn"] = 1, agent_id
    s["pawn"][0] = _SITE.flat[np.argmax(state.board[:2].reshape(2, -1) != 0, axis=1)]
    s["hand"][0] = state.walls_remaining
    sets = (state.board[2:] != 0).reshape(4, SIZE * SIZE) @ _WEIGHT
    s["h"][0], s["v"][0], s["whole_h"][0], s["whole_v"][0] = sets
    return s[0]


def _legal(s: Record) -> npt.NDArray[np.int32]:
    out = np.empty(rules.MOST_LEGAL, np.int32)
    return out[: rules.listed(s, out)]


def _step(state: PuoriborState, agent_id: int, action: Array) -> PuoriborState:
    if action.shape != (3,):
        raise ValueError(f"action: {action.tolist()!r} is not [kind, x, y]")
    kind, x, y = (int(part) for part in action)
    if not (0 <= x < SIZE and 0 <= y < SIZE):
        raise ValueError(f"out of board: {(x, y)}")
    s = _record(state, agent_id)
    if not 0 <= kind < 4:
        raise ValueError(f"action: {kind} is not a kind of action")
    if x >= _SIDE[kind] or y >= _SIDE[kind]:
        raise ValueError(f"out of board: there is no such wall or window at {(x, y)}")
    a = _FIRST[kind] + _SIDE[kind] * x + y
    if a not in _legal(s):
        raise ValueError(_reason(s, a))
    rules.apply(s, a)
    board = np.zeros_like(state.board)
    for seat in range(2):
        board[seat, s.pawn[seat] // COLUMN, s.pawn[seat] % COLUMN] = 1
    board[2:4] = _owners(state.board, agent_id, kind, x, y)
    board[4], board[5] = _plane(s.whole_h), _plane(s.whole_v)
    return PuoriborState(board, np.array([int(s.hand[0]), int(s.hand[1])]), bool(rules.winner(s) >= 0))


def _reason(s: Record, a: int) -> str:
    refused: IllegalAction = refusal(s, a)
    return say(__package__, refused.phrase)


def _owners(board: Array, agent_id: int, kind: int, x: int, y: int) -> Array:
    """Whose the unit edges are after an action; a window takes the owners of its edges along."""
    owners = board[2:4].copy()
    if kind == FLAT:
        owners[0, x : x + 2, y] = 1 + agent_id
    elif kind == TALL:
        owners[1, x, y : y + 2] = 1 + agent_id
    elif kind == TURN:
        # Lines −1 and 8 are the rim, where nothing comes from and nothing stays.
        before = np.pad(board[2:4], ((0, 0), (1, 1), (1, 1)))
        after = before.copy()
        for a in range(4):
            for b in range(5):
                after[1, x + 4 - b, y + a + 1] = before[0, x + a + 1, y + b]
                after[0, x + a + 1, y + b] = before[1, x + b, y + 3 - a + 1]
        owners = after[:, 1:-1, 1:-1]
        owners[0, :, SIZE - 1] = 0
        owners[1, SIZE - 1, :] = 0
    return owners
