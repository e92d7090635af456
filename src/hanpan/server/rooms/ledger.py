"""What was played in one game, with its times: every table keeps it for as long as it lives, so it is kept in few bytes."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from struct import Struct

from hanpan.server.storage.models import ActionRow

_TIMES = Struct("<bqqqq?")  # seat (-1: chance), at, started_at, charged, forgiven, forced
_CHANCE = -1


class Ledger:
    """The actions of a game, in their order.

    >>> ledger = Ledger([ActionRow("a1", 0, 1000, 1001), ActionRow("b2", None, 2000, 2000, forced=True)])
    >>> ledger[1]
    ActionRow(text='b2', seat=None, at=2000, started_at=2000, charged=0, forgiven=0, forced=True)
    >>> ledger.cut(1)
    >>> list(ledger)
    [ActionRow(text='a1', seat=0, at=1000, started_at=1001, charged=0, forgiven=0, forced=False)]
    """

    __slots__ = ("_texts", "_times")

    def __init__(self, rows: Iterable[ActionRow] = ()) -> None:
        self._texts: list[str] = []
        self._times = bytearray()
        for row in rows:
            self.append(row)

    def __len__(self) -> int:
        return len(self._texts)

    def __getitem__(self, ply: int) -> ActionRow:
        seat, at, started_at, charged, forgiven, forced = _TIMES.unpack_from(self._times, range(len(self))[ply] * _TIMES.size)
        return ActionRow(self._texts[ply], None if seat == _CHANCE else seat, at, started_at, charged, forgiven, forced)

    def __iter__(self) -> Iterator[ActionRow]:
        return (self[ply] for ply in range(len(self)))

    def lines(self, since: int = 0) -> Iterator[tuple[str, int | None, int, bool]]:
        """What is told of each action from a ply on: its text, its seat, when it came, whether it was forced."""
        times = _TIMES.iter_unpack(self._times[since * _TIMES.size :])
        for text, (seat, at, _, _, _, forced) in zip(islice(self._texts, since, None), times, strict=True):
            yield text, None if seat == _CHANCE else seat, at, forced

    def texts(self, ply: int | None = None) -> tuple[str, ...]:
        """The actions alone; with a ply, those before it."""
        return tuple(islice(self._texts, ply))

    def append(self, row: ActionRow) -> None:
        """One more action. Its text is kept once for all tables at which it was played."""
        self._texts.append(sys.intern(row.text))
        self._times += _TIMES.pack(_CHANCE if row.seat is None else row.seat, row.at, row.started_at, row.charged, row.forgiven, row.forced)

    def cut(self, ply: int) -> None:
        """Without the actions from a ply on."""
        del self._texts[ply:]
        del self._times[ply * _TIMES.size :]
