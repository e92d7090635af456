"""A table under load: when its next action is due, and since when the others wait to see it."""

from __future__ import annotations

import asyncio
import math
import random
import time
from collections.abc import Callable

from hanpan.client.load.figures import Figures
from hanpan.game import Game, State

_SPREAD = 1.0  # of the logarithm of a thinking time: most answer soon, and some think for ten times as long

_KEPT = 16  # actions whose moments are remembered, for those who see them late

Turn = tuple[str, int]  # a game and a ply of it


def _nothing() -> bool:
    return False


class Pace:
    """When people act. This one: nobody does, until another pace is set."""

    fixed = False  # whether actions are due at moments that were fixed beforehand, whatever the server does

    def due(self, table: Table, now: float) -> float | None:
        """When the action of the turn that begins now is due; None: not before the pace changes."""
        return None


class Thinking(Pace):
    """The closed loop: whoever is to act thinks for a while, from the moment when they see that they are; `mean` 0: they act at once."""

    def __init__(self, mean: float) -> None:
        self._mean = mean

    def due(self, table: Table, now: float) -> float:
        """After a time drawn from a log-normal distribution."""
        return now + table.dice.lognormvariate(math.log(self._mean) - _SPREAD**2 / 2, _SPREAD) if self._mean else now


class Planned(Pace):
    """The open loop: a table's actions are due at moments that were fixed beforehand, every `interval` seconds from its own beginning on. Who comes too late
    for one because the server was slow has waited since then: what is not sent in time is not left out of the figures."""

    fixed = True

    def __init__(self, interval: float, begin: float) -> None:
        self._interval, self._begin = interval, begin

    def due(self, table: Table, now: float) -> float:
        """The next moment that was not used."""
        if table.plan is not self:
            table.plan, table.used = self, 0
            table.first = self._begin + table.dice.random() * self._interval
        table.used += 1
        return table.first + (table.used - 1) * self._interval


class Table:
    """One table: its people act when its pace says so, and what was played is followed where they are told briefly."""

    def __init__(self, number: int, figures: Figures, game: Game | None = None, seed: int = 0) -> None:
        self.number, self.figures, self.game = number, figures, game
        self.dice = random.Random(f"{seed} table {number}")
        self.pace = Pace()
        self.plan: Pace | None = None  # of the open loop: whose moments are used, from which on, and how many of them
        self.first, self.used = 0.0, 0
        self._sent: dict[Turn, tuple[str, float]] = {}  # the last actions: who sent each, and since when the others wait for it
        self._turn: Turn = ("", -1)
        self._who, self._send = "", _nothing
        self._due: float | None = None
        self._alarm: asyncio.TimerHandle | None = None
        self._done = True
        self._state: tuple[Turn, State] | None = None

    # --- acting ---

    @property
    def waiting(self) -> bool:
        """Whether an action waits for the pace to change."""
        return not self._done and self._due is None

    def act(self, turn: Turn, who: str, send: Callable[[], bool]) -> None:
        """Someone is to act: `send` is called when it is time, and says whether it could. To be told the same turn again changes nothing, but where it could
        not be sent in time it is sent now."""
        self._who = who
        if turn != self._turn:
            self._turn, self._due, self._done = turn, None, False
            self._disarm()
        self._send = send
        if not self._done and self._alarm is None:
            self._plan()

    def again(self, turn: Turn) -> None:
        """The action was not taken: whoever is to act may try once more."""
        if turn == self._turn:
            self._done = False

    def set_pace(self, pace: Pace) -> None:
        """Another pace, from now on; an action that is planned already comes as planned."""
        self.pace = pace
        if self.waiting:
            self._plan()

    def close(self) -> None:
        """Nothing is due any more."""
        self.pace, self._done = Pace(), True
        self._disarm()

    def _disarm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def _plan(self) -> None:
        loop = asyncio.get_running_loop()
        now = loop.time()
        if self._due is None:
            self._due = self.pace.due(self, now)
        if self._due is None:
            return
        if self._due > now:
            self._alarm = loop.call_at(self._due, self._ring)
        else:
            self._act()

    def _ring(self) -> None:
        self._alarm = None
        assert self._due is not None
        self.figures.waits["late"].add(max(0.0, asyncio.get_running_loop().time() - self._due))
        self._act()

    def _act(self) -> None:
        assert self._due is not None
        now = asyncio.get_running_loop().time()
        since = self._due if self.pace.fixed else now
        self._sent[self._turn] = self._who, since - now + time.perf_counter()
        if len(self._sent) > _KEPT:
            del self._sent[next(iter(self._sent))]
        self._done = True
        if not self._send():
            self._done = False
            self._sent.pop(self._turn, None)

    def acknowledged(self, turn: Turn) -> None:
        """An action was: how long whoever sent it has waited."""
        if turn in self._sent:
            self.figures.waits["acknowledged"].add(time.perf_counter() - self._sent[turn][1])

    def saw(self, kind: str, who: str, game: str, before: int, ply: int) -> None:
        """Someone who knew of so many actions now knows of more: how long they have waited for each."""
        for number in range(max(before, ply - _KEPT, 0), ply):
            if (sent := self._sent.get((game, number))) is not None and sent[0] != who:
                self.figures.waits[kind].add(time.perf_counter() - sent[1])

    # --- following what is played ---

    def begin(self, game: str, actions: list[str]) -> None:
        """All actions so far."""
        assert self.game is not None
        if self._state is None or self._state[0] != (game, len(actions)):
            state = self.game.start()
            for action in actions:
                state = state.play(action)
            self._state = (game, len(actions)), state

    def follow(self, game: str, ply: int, actions: list[str]) -> State | None:
        """The position after some more actions, which were the last until that ply; None if it does not follow from what is known."""
        if self._state is None:
            return None
        turn, state = self._state
        if turn != (game, ply):
            if turn != (game, ply - len(actions)):
                return None
            for action in actions:
                state = state.play(action)
            self._state = (game, ply), state
        return state
