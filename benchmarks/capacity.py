"""What many people need: processes, writes, messages, memory; computed from what was measured on one machine, and simulated as one system.

    python benchmarks/capacity.py [--people 110000] [--actions 4000] [--help for all that was measured]

The measured numbers are those of `scale.py`, `memory.py` and `load.py` (docs/capacity.md says when and where); give your own machine's instead. First it is
counted what each part has to do, and how many processes that makes at the wanted use of a core. Then half a minute is simulated, an event after the other:
an action comes to whichever process its player is connected to, passes Redis, is worked on by the process that has the room, is stored by PostgreSQL, passes
Redis again and is told by the process of the opponent; signs of life come in between. Every process and Redis do one thing at a time. What the simulation
finds is how long people wait when chance lets things come together, which no average tells.
"""

from __future__ import annotations

import argparse
import heapq
import math
import random
import statistics
import sys
from collections import deque
from collections.abc import Callable, Generator
from contextlib import suppress
from dataclasses import dataclass
from itertools import count

from rich.console import Console
from rich.progress import track
from rich.table import Column, Table

console, stderr = Console(), Console(stderr=True)


@dataclass
class Measured:
    """What one machine was seen to need."""

    action: float  # µs of a process for an action whose people are all connected to it
    passing: float  # µs more, of both processes together, for one person of a table who is connected to another
    redis: float  # µs of Redis for an action with one such person
    postgresql: float  # µs of PostgreSQL for an action
    commit: float  # ms until a commit is on disk
    life: float  # µs of a process for a sign of life of one connection
    every: float  # seconds between two of them
    connection: float  # kB
    table: float  # kB, with its game
    base: float  # MB of a process without anybody


@dataclass
class Needed:
    """What all of it needs."""

    each: float  # µs of all processes for one action
    cores: float
    processes: int
    redis: float  # of one core
    postgresql: float  # cores
    letters: float  # messages a second through Redis
    told: float  # messages a second to people
    memory: float  # MB a process


def needed(measured: Measured, people: int, actions: float, tables: int, use: float, seats: int = 2) -> Needed:
    """Count it. Where there are many processes nearly nobody is connected to that of their room."""
    each = measured.action + seats * measured.passing
    cores = (actions * each + people / measured.every * measured.life) / 1e6
    processes = math.ceil(cores / use)
    memory = measured.base + (people * measured.connection + tables * measured.table) / processes / 1024
    redis, postgresql = actions * seats * measured.redis / 1e6, actions * measured.postgresql / 1e6
    return Needed(each, cores, processes, redis, postgresql, actions * 2 * seats, actions * (1 + seats), memory)


class Station:
    """Something that does one thing at a time."""

    def __init__(self) -> None:
        self.waiting: deque[tuple[float, Action | None]] = deque()
        self.busy = False
        self.used = 0.0


Action = Generator[tuple[Station | None, float], float, None]  # where it goes next, and the seconds that it takes there; no station: it only waits


class Simulation:
    """Some seconds of everything, an event after the other."""

    def __init__(self, measured: Measured, need: Needed, people: int, actions: float, dice: random.Random) -> None:
        self._measured, self._actions, self._lives, self._dice = measured, actions, people / measured.every, dice
        self._processes, self._redis = [Station() for _ in range(need.processes)], Station()
        self._events: list[tuple[float, int, Callable[[float], None]]] = []
        self._order = count()
        self.waits: list[float] = []  # ms until the opponent had an action

    def run(self, seconds: int) -> None:
        """So many seconds."""
        self._later(self._dice.expovariate(self._actions), self._come)
        self._later(self._dice.expovariate(self._lives), self._live)
        for second in track(range(seconds), "simulating", console=stderr):
            while self._events[0][0] < second + 1:
                at, _, do = heapq.heappop(self._events)
                do(at)
        self.busiest = max(station.used for station in self._processes) / seconds

    def _later(self, at: float, do: Callable[[float], None]) -> None:
        heapq.heappush(self._events, (at, next(self._order), do))

    def _about(self, seconds: float) -> float:
        """Nothing takes equally long each time."""
        return seconds * self._dice.lognormvariate(-0.08, 0.4)

    def _come(self, now: float) -> None:
        self._later(now + self._dice.expovariate(self._actions), self._come)
        action = self._steps(now)
        self._go(now, action, next(action))

    def _live(self, now: float) -> None:
        self._later(now + self._dice.expovariate(self._lives), self._live)
        self._work(now, self._dice.choice(self._processes), self._measured.life / 1e6, None)

    def _steps(self, came: float) -> Action:
        measured = self._measured
        passing, letter = measured.passing / 2e6, measured.redis / 2e6
        theirs, owner, other = (self._dice.choice(self._processes) for _ in range(3))
        yield theirs, passing
        yield self._redis, letter
        yield owner, passing + 0.4e-6 * measured.action
        yield None, measured.commit / 1e3
        yield owner, passing + 0.6e-6 * measured.action
        yield self._redis, letter
        now = yield other, passing
        self.waits.append(1000 * (now - came))

    def _go(self, now: float, action: Action, step: tuple[Station | None, float]) -> None:
        station, takes = step
        if station is None:
            self._later(now + self._about(takes), lambda at: self._go_on(at, action))
        else:
            self._work(now, station, takes, action)

    def _go_on(self, now: float, action: Action) -> None:
        with suppress(StopIteration):
            self._go(now, action, action.send(now))

    def _work(self, now: float, station: Station, takes: float, action: Action | None) -> None:
        station.waiting.append((self._about(takes), action))
        if not station.busy:
            self._begin(now, station)

    def _begin(self, now: float, station: Station) -> None:
        takes, action = station.waiting.popleft()
        station.busy = True
        station.used += takes

        def done(at: float) -> None:
            station.busy = False
            if station.waiting:
                self._begin(at, station)
            if action is not None:
                self._go_on(at, action)

        self._later(now + takes, done)


MEASURED = {
    "action": (1368.0, "µs of a process for an action whose people are all connected to it"),
    "passing": (726.0, "µs more, of both processes together, for one person of a table who is connected to another"),
    "redis": (31.0, "µs of Redis for an action with one such person"),
    "postgresql": (281.0, "µs of PostgreSQL for an action"),
    "commit": (3.0, "ms until a commit is on disk"),
    "life": (60.0, "µs of a process for a sign of life of one connection"),
    "every": (10.0, "seconds between two of them"),
    "connection": (10.0, "kB a connection"),
    "table": (33.0, "kB a table with its game"),
    "base": (200.0, "MB a process without anybody"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--people", type=int, default=110_000, help="online at the same time")
    parser.add_argument("--actions", type=float, default=4000.0, help="a second")
    parser.add_argument("--tables", type=int, default=40_000)
    parser.add_argument("--use", type=float, default=0.6, help="of a core, that a process may have on average")
    parser.add_argument("--price", type=float, default=15.0, help="of a core with 4 GB for a month, in whatever money")
    parser.add_argument("--seconds", type=int, default=30, help="that are simulated")
    for name, (value, meaning) in MEASURED.items():
        parser.add_argument(f"--{name}", type=float, default=value, help=meaning)
    wanted = parser.parse_args()
    measured = Measured(**{name: getattr(wanted, name) for name in MEASURED})
    need = needed(measured, wanted.people, wanted.actions, wanted.tables, wanted.use)
    simulation = Simulation(measured, need, wanted.people, wanted.actions, random.Random(1))
    simulation.run(wanted.seconds)
    cuts = statistics.quantiles(simulation.waits, n=1000)
    table = Table("", Column(justify="right"), show_header=False, box=None)
    for name, value in {
        "people, tables, actions a second": f"{wanted.people:,}, {wanted.tables:,}, {wanted.actions:,.0f}",
        "an action, all processes together": f"{need.each:,.0f} µs",
        "cores that are busy": f"{need.cores:.1f}",
        f"processes, each {wanted.use:.0%} busy": f"{need.processes}",
        "connections a process": f"{wanted.people / need.processes:,.0f}",
        "memory a process": f"{need.memory:,.0f} MB",
        "commits asked for, a second": f"{wanted.actions:,.0f}",
        "PostgreSQL": f"{need.postgresql:.1f} cores",
        "messages through Redis, a second": f"{need.letters:,.0f}",
        "Redis": f"{need.redis:.0%} of its one core",
        "messages to people, a second": f"{need.told:,.0f}",
        "price a month": f"{wanted.price * (need.processes + math.ceil(need.postgresql / wanted.use) + 1):,.0f}",
        "simulated: the opponent has it, p50 · p99 · p99.9": f"{cuts[499]:.1f} · {cuts[989]:.1f} · {cuts[998]:.1f} ms",
        "simulated: the busiest process": f"{simulation.busiest:.0%}",
    }.items():
        table.add_row(name, value)
    console.print(table)
    if need.redis > 0.8:
        console.print("Redis would be the next limit: rooms and their people have to be brought together, or spread over several.")


if __name__ == "__main__":
    sys.exit(main())
