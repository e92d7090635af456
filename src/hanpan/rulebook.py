"""Which games there are, and the rulebook of each: everything its folder says, loaded once."""

from __future__ import annotations

import pkgutil
import threading
from dataclasses import replace
from functools import cache, cached_property
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, TypeVar

import numpy as np

import hanpan.games as folder  # loaded before `hanpan` gives its name to the function `games`, so that it is never taken back
from hanpan.contract import Evaluation, Observe, Rounds, Rules, Sight, Symmetry, Text, Traces, module, read
from hanpan.core import words
from hanpan.core.option import Option
from hanpan.core.reading import quoted
from hanpan.core.rule import INTERPRET, Record, rng, rule
from hanpan.core.scene import Board, Look, Mark, Past
from hanpan.core.unfit import Unfit

Part = TypeVar("Part")


@cache
def _packages() -> dict[str, str]:
    """Where each game's package is: the folders under hanpan.games, and entry points of the group `hanpan.games`."""
    found = {module.name: f"hanpan.games.{module.name}" for module in pkgutil.iter_modules(folder.__path__) if module.ispkg}
    for point in entry_points(group="hanpan.games"):
        found.setdefault(point.name, point.value)
    return dict(sorted(found.items()))


def games() -> list[str]:
    """The names of all games.

    >>> "kulami" in games()
    True
    """
    return list(_packages())


def check_name(name: object) -> str:
    """The name of a game, or Unfit, which says what games there are.

    >>> check_name("kulami")
    'kulami'
    """
    if not isinstance(name, str) or name not in _packages():
        raise Unfit("game", given=quoted(name), games=", ".join(_packages()))
    return name


def leave_out(name: str) -> None:
    """From now on there is no such game in this process."""
    del _packages()[name]


def is_own(name: str) -> bool:
    """Whether a game is part of this package."""
    return package(name).startswith("hanpan.")


def package(name: str) -> str:
    """Where a game's words and pages are."""
    return _packages()[name]


def _on_arrays(rules: Rules) -> tuple[Any, Any, Any, Any, Any]:
    """mover, legal, apply, outcome, and the outcome among some seats, of the one record in an array: Numba takes an array ten times as fast as a record."""
    mover, legal, apply, outcome, tie_break = rules.mover, rules.legal, rules.apply, rules.outcome, rules.tie_break

    @rule
    def mover_of(record: Any) -> Any:
        return mover(record[0])

    @rule
    def legal_of(record: Any, out: Any) -> Any:
        return legal(record[0], out)

    @rule
    def apply_to(record: Any, action: int) -> None:
        apply(record[0], action)

    @rule
    def outcome_of(record: Any, out: Any) -> Any:
        return outcome(record[0], out)

    @rule
    def outcome_among(record: Any, seats: int, out: Any) -> Any:
        """The same if only these seats (a bit each) can win: the most points, then the highest `tie_break`; who are equal in both have what `outcome` says."""
        winners = int(outcome(record[0], out))
        best, best_tied, found, number = 0, 0, 0, 0
        for seat in range(out.size):
            if seats >> seat & 1:
                points, tied = int(out[seat]), int(tie_break(record[0], seat))
                if number == 0 or points > best or (points == best and tied > best_tied):
                    best, best_tied, found, number = points, tied, 1 << seat, 1
                elif points == best and tied == best_tied:
                    number += 1
        return found if number == 1 else winners & seats

    return mover_of, legal_of, apply_to, outcome_of, outcome_among


class Rulebook:
    """Everything a game's package says: what playing needs is there at once, the rest when it is first asked for."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.package = package(name)
        self.rules = read(Rules, import_module(f"{self.package}.rules"))
        self.text = read(Text, import_module(f"{self.package}.text"))
        self.scene = read(Sight, import_module(f"{self.package}.scene"))
        self.rounds = self._optional(Rounds, "rounds")
        self.options: tuple[Option, ...] = self.rules.OPTIONS
        self.mover, self.legal, self.apply, self.outcome, self.outcome_among = _on_arrays(self.rules)
        self.make_ready()

    def _optional(self, part: type[Part], file: str) -> Part | None:
        found = module(self.package, file)
        return None if found is None else read(part, found)

    @cached_property
    def observe(self) -> Observe | None:
        """What a learning machine sees, where the game says so itself."""
        return self._optional(Observe, "observe")

    @cached_property
    def symmetry(self) -> Symmetry | None:
        """Its symmetries, if it has any."""
        return self._optional(Symmetry, "symmetry")

    @cached_property
    def evaluation(self) -> Evaluation:
        """What a computer player thinks of it."""
        return self._optional(Evaluation, "evaluate") or Evaluation()

    @cached_property
    def traces(self) -> Traces | None:
        """How trace lines are checked that only this game has."""
        return self._optional(Traces, "traces")

    def make_ready(self) -> None:
        """Have the machine code of all that is called from outside the rules."""
        if INTERPRET:
            return
        from hanpan.core.compiled import make_ready

        record = np.zeros(1, self.rules.State)
        s, r, rules = record[0], rng(0), self.rules
        jobs = [(rules.start, (s, *(0 for _ in self.options))), (self.mover, (record,)), (self.legal, (record, self.actions_buffer()))]
        jobs += [(self.apply, (record, 0)), (self.outcome, (record, self.scores_buffer())), (self.outcome_among, (record, 0, self.scores_buffer()))]
        jobs += [(rules.seats, (s,)), (rules.chance, (s, r)), (rules.forced, (s, r)), (rules.hide, (s, 0)), (rules.imagine, (s, 0, r))]
        make_ready(f"{self.name}'s rules", jobs)

    def actions_buffer(self) -> Any:
        """Room for the longest list of legal actions, and to spare: machine code asks nobody where it writes, and MOST_LEGAL may be too small."""
        return np.empty(max(self.rules.MOST_LEGAL, self.rules.ACTIONS), np.int32)

    def listed(self, record: Any) -> list[int]:
        """The legal actions of the one record in an array; RuntimeError where there are more than the rules promise to everyone who makes room for them."""
        out = self.actions_buffer()
        n = int(self.legal(record, out))
        if n > self.rules.MOST_LEGAL:
            raise RuntimeError(f"{self.name}: rules.py: `legal` gives {n} actions here, and MOST_LEGAL says {self.rules.MOST_LEGAL} at most")
        found: list[int] = out[:n].tolist()
        return found

    def scores_buffer(self) -> Any:
        """Room for one score a seat."""
        return np.zeros(self.rules.MOST_SEATS, np.int32)

    # --- what is seen ---

    def past(self, s: Record, action: int, seat: int, before: Past) -> Past:
        """How it is shown afterwards that a seat plays an action here: where it was, what moves, and who has built what so far."""
        scene = self.scene
        builders = before.builders | dict.fromkeys(scene.built(s, action), seat)
        return Past(tuple((scene.trail or scene.clicks)(s, action)), tuple(scene.motions(s, action)), builders)

    def picture(self, s: Record, viewer: int, past: Past) -> tuple[Board, Look]:
        """The board and what stands on it, with the traces of how it came to be."""
        board, look = self.scene.board(s, viewer), self.scene.look(s, viewer)
        known, builders = {place.id for place in board.places}, past.builders
        halo = tuple(Mark(place, "last") for place in past.trail if place in known)
        pieces = tuple(replace(piece, seat=builders[piece.id]) if piece.id in builders else piece for piece in look.pieces) if builders else look.pieces
        return board, replace(look, pieces=pieces, marks=look.marks + halo)

    def meant(self, s: Record, places: tuple[str, ...]) -> int | None:
        """The action, legal or not, that someone means who points at these places; None if there is none."""
        begun: int | None = None  # an action that is whole with these places is meant rather than one that they begin
        for action in range(self.rules.ACTIONS):
            try:
                path = tuple(self.scene.clicks(s, action))
            except (ValueError, IndexError, KeyError, StopIteration):  # what is far from legal need not have a path
                continue
            if path == places:
                return action
            if begun is None and path[: len(places)] == places:
                begun = action
        return begun

    def say(self, phrase: words.Phrase, language: str = "en") -> str:
        """A phrase in this game's words."""
        return words.say(self.package, phrase, language)


_opening = threading.RLock()  # two who open a rulebook at once shall not both compile it


def rulebook(name: str) -> Rulebook:
    """The rulebook of a game, loaded at its first use."""
    with _opening:
        return _rulebook(name)


@cache
def _rulebook(name: str) -> Rulebook:
    return Rulebook(name)
