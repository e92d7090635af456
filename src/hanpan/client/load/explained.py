"""A game as a server has it in the end: what anyone must have been told of it at each ply, if it was played so."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from hanpan.client.load.history import Event
from hanpan.core.rule import hide_nothing
from hanpan.game import State
from hanpan.record import GameRecord

_FORGIVEN = 500  # milliseconds of lag, the most for one action


class FinalGame:
    """One game. Its positions are made by the rules, from the actions that the server has."""

    def __init__(self, truth: Event) -> None:
        self.id: str = truth["id"]
        self.there = "actions" in truth
        self.name: str = truth.get("game", "")
        self.actions: list[str] = truth.get("actions", [])
        self.ledger: list[dict[str, Any]] = truth.get("ledger", [])
        self.people: list[str | None] = truth.get("people", [])
        self.rated, self.counted, self.ended = bool(truth.get("rated")), truth.get("counted"), bool(truth.get("ended"))
        self.result: dict[str, Any] | None = truth.get("result")
        self.time: dict[str, Any] = truth.get("time") or {"kind": "none"}
        self._record = GameRecord(self.name, truth.get("options", {}), tuple(self.actions))
        self._masked = bool(truth.get("hidden"))
        self.wrong = ""  # why the record can't be

    @cached_property
    def secret(self) -> bool:
        """Whether some may know more than others."""
        return self._record.game().book.rules.hide is not hide_nothing

    @property
    def open(self) -> bool:
        """Whether the record tells everything, and can be."""
        return self.there and not (self._masked and self.secret) and bool(self.states)

    @cached_property
    def states(self) -> list[State]:
        """Every position; none if the record can't be: then `wrong` says why."""
        if len(self.ledger) != len(self.actions):
            self.wrong = f"{len(self.actions)} actions, but the clock's ledger has {len(self.ledger)}"
            return []
        try:
            states = list(self._record.states())
        except ValueError as impossible:
            self.wrong = str(impossible)
            return []
        for ply, row in enumerate(self.ledger):
            if row["seat"] != states[ply].seat:
                self.wrong = f"ply {ply}: seat {row['seat']} has acted, and to act was {states[ply].seat}"
                return []
        return states

    # --- what is told ---

    def told(self, ply: int, viewer: int | None, over: bool) -> str:
        """The action with this ply, as a viewer is told it."""
        text, before, seat = self.actions[ply], self.states[ply], self.ledger[ply]["seat"]
        if over:
            return text
        if seat is None:
            return before.told_chance(text)
        return before.told(text, viewer) if self.secret and seat != viewer else text

    def position(self, ply: int) -> str:
        """What everyone may see."""
        return str(self.states[ply].view(None))

    def sum(self, ply: int, viewer: int | None) -> int:
        """The checksum of what a viewer may see."""
        return zlib.crc32(self.states[ply].view(viewer).record.tobytes())

    # --- the clock ---

    @cached_property
    def main(self) -> list[list[int]]:
        """Main time by ply and seat, when the turn began: it grows by nothing but the increment."""
        left = [self.time.get("main_ms", 0)] * self._record.game().seats
        found = [list(left)]
        for row in self.ledger:
            if row["seat"] is not None:
                left[row["seat"]] = max(0, left[row["seat"]] - row["charged"]) + self.time.get("increment_ms", 0)
            found.append(list(left))
        return found

    def bad_ledger(self) -> Iterator[str]:
        """What can't have been charged."""
        before = 0
        for ply, row in enumerate(self.ledger):
            seat, charged, forgiven = row["seat"], row["charged"], row["forgiven"]
            if seat is not None and self.time["kind"] != "none":
                had = self.main[ply][seat] + self.time.get("byoyomi_ms", 0) + self.time.get("turn_ms", 0)
                passed = max(0, row["at"] - before)
                if not 0 <= charged <= had:
                    yield f"ply {ply}: seat {seat} was charged {charged} ms and had {had}"
                elif not 0 <= forgiven <= _FORGIVEN or charged + forgiven > passed:
                    yield f"ply {ply}: seat {seat} was charged {charged} ms and forgiven {forgiven}, and {passed} ms had passed"
            before = row["at"]

    def bad_clock(self, ply: int, left: list[list[int]]) -> str:
        """What is wrong with the times that were told at a ply: a seat that is not to act has just what the ledger leaves it, and the one that is, no more."""
        if self.time["kind"] == "none":
            return ""
        acting = self.states[ply].seat
        for seat, *told in left:
            most = [self.main[ply][seat], self.time.get("byoyomi_ms", 0), self.time.get("turn_ms", 0)]
            for name, value, limit in zip(("main time", "byo-yomi", "time for the turn"), told, most, strict=True):
                if value > limit or (value < limit and seat != acting) or value < 0:
                    exactly = "" if seat != acting else "at most "
                    return f"seat {seat} was told to have {value} ms of {name}, and had {exactly}{limit}"
        return ""
