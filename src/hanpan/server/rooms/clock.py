"""Clocks as values: recorded times in, remaining times out. "Now" is an argument; every time is a whole number of milliseconds.

How time is counted:

- Every stored action ends a turn, also when the same seat acts next. A turn uses main time first, then byo-yomi, which is full again at the
  seat's next turn; a turn timer is full at every turn; a Fischer increment is added after the turn.
- Nobody is charged more than they had, and nobody for what chance plays.
- Lag: up to 500 ms an action are forgiven from the seat's quota of 2 s, which gets 200 ms back with each action charged to the seat. So a round
  trip of 200 ms is always forgiven in full, and a spell of bad lag for half a dozen actions.
- An outage or a fault of ours is not charged: `suspend` at the last moment that is known to be good, `resume` when play can go on.
- A takeback gives the asker no time back; the others have what they had then.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from hanpan.server.storage.models import ActionRow

MAIN_MS = (600_000, 300_000, 180_000, 120_000, 60_000)
BYOYOMI_MS = (30_000, 20_000, 10_000, 5_000)
TURN_MS = range(5_000, 600_001, 1_000)
INCREMENT_MS = range(1_000, 60_001, 1_000)

FORGIVEN_MS = 500  # the most for one action
QUOTA_MS = 2_000  # what a seat begins with, and the most it can have
REFILL_MS = 200

# The times that each kind of control has, and the values that each can take.
_KINDS: dict[str, dict[str, tuple[int, ...] | range]] = {
    "none": {},
    "byoyomi": {"main_ms": (*MAIN_MS, 0), "byoyomi_ms": (*BYOYOMI_MS, 0)},
    "turn": {"turn_ms": TURN_MS},
    "fischer": {"main_ms": MAIN_MS, "increment_ms": INCREMENT_MS},
}


@dataclass(frozen=True)
class TimeControl:
    """How long people may think: kind `none`, `byoyomi` (main time, byo-yomi, or both), `turn` (a timer for each turn) or `fischer`.

    >>> TimeControl("byoyomi", main_ms=300_000, byoyomi_ms=30_000).json()
    {'kind': 'byoyomi', 'main_ms': 300000, 'byoyomi_ms': 30000}
    >>> TimeControl.from_json({"kind": "turn", "turn_ms": 4_000})
    Traceback (most recent call last):
    ValueError: turn_ms: 4000 is not a whole number of seconds from 5 to 600
    """

    kind: str = "none"
    main_ms: int = 0
    byoyomi_ms: int = 0
    turn_ms: int = 0
    increment_ms: int = 0

    def __post_init__(self) -> None:
        _kind(self.kind)
        for name in ("main_ms", "byoyomi_ms", "turn_ms", "increment_ms"):
            value, allowed = _whole(name, getattr(self, name)), _KINDS[self.kind].get(name, (0,))
            if value not in allowed:
                if name not in _KINDS[self.kind]:
                    raise ValueError(f"{name}: a clock of the kind {self.kind} has no such time")
                if isinstance(allowed, range):
                    raise ValueError(f"{name}: {value} is not a whole number of seconds from {allowed[0] // 1000} to {allowed[-1] // 1000}")
                raise ValueError(f"{name}: {value} is not one of {', '.join(map(str, allowed))}")
        if self.kind == "byoyomi" and not self.main_ms and not self.byoyomi_ms:
            raise ValueError("byoyomi_ms: with neither main time nor byo-yomi the kind is none")

    def json(self) -> dict[str, object]:
        """The control as plain data: its kind and the times of that kind."""
        return {"kind": self.kind, **{name: getattr(self, name) for name in _KINDS[self.kind]}}

    @classmethod
    def from_json(cls, data: object) -> TimeControl:
        """Read `json`'s data; ValueError names the field that is wrong, missing or unknown."""
        if not isinstance(data, dict):
            raise ValueError("time: not an object")
        kind = _kind(data.get("kind"))
        _exactly(data, ("kind", *_KINDS[kind]), f"a clock of the kind {kind}")
        return cls(**data)


class TimeLeft(NamedTuple):
    """What a seat has left; 0 also where the control has no such time. A seat that is not to act has its byo-yomi or turn timer full."""

    main_ms: int
    byoyomi_ms: int
    turn_ms: int

    def json(self) -> dict[str, int]:
        """The times as plain data."""
        return self._asdict()


Timed = tuple[ActionRow, int | None]  # an action, and who is to act then; None: nobody (chance is, or the game is over)


class Clock(NamedTuple):
    """The clock of one game. It never changes; what happens gives a new one (a tuple: every action makes two, and a frozen data class takes five times as
    long to make).

    >>> clock = Clock.begin(TimeControl("byoyomi", main_ms=60_000, byoyomi_ms=10_000), seats=2, start_at=0, first_seat=0)
    >>> clock.deadline()
    70000
    >>> clock, row = clock.act(65_000, next_seat=1)
    >>> row.charged
    65000
    >>> clock.remaining(66_000)
    (TimeLeft(main_ms=0, byoyomi_ms=10000, turn_ms=0), TimeLeft(main_ms=59000, byoyomi_ms=10000, turn_ms=0))
    """

    control: TimeControl
    main_ms: tuple[int, ...]  # by seat, when its turn began (or will begin)
    quota_ms: tuple[int, ...]  # by seat: lag that can still be forgiven
    seat: int | None  # to act
    since: int | None  # the turn runs since then; None: it stands still
    used_ms: int = 0  # of the turn, before that

    @classmethod
    def begin(cls, control: TimeControl, seats: int, start_at: int, first_seat: int | None) -> Clock:
        """The clock of a game that starts; without a first seat (chance begins) nobody's time runs yet."""
        if seats < 1:
            raise ValueError(f"seats: {seats} is fewer than one")
        clock = cls(control, (control.main_ms,) * seats, (QUOTA_MS,) * seats, None, None)
        return clock._turn(clock.main_ms, clock.quota_ms, first_seat, start_at)

    @classmethod
    def replay(cls, control: TimeControl, seats: int, start_at: int, played: Iterable[Timed], *, first_seat: int | None) -> Clock:
        """The clock after all actions of a game: the same value as the one that timed them."""
        return cls.begin(control, seats, start_at, first_seat).then(played)

    def then(self, played: Iterable[Timed]) -> Clock:
        """The clock after more actions; ValueError when they can't follow."""
        clock = self
        for row, next_seat in played:
            if row.seat is not None and row.seat != clock.seat:
                raise ValueError(f"seat: {row.seat} was charged at {row.at}, but to act was {clock.seat}")
            clock = clock._after(row, next_seat)
        return clock

    # --- how it stands ---

    def remaining(self, now: int) -> tuple[TimeLeft, ...]:
        """What each seat has left."""
        return tuple(self._remaining(seat, now) for seat in range(len(self.main_ms)))

    def deadline(self, lag_ms: int = 0) -> int | None:
        """When the seat to act runs out of time, its lag forgiven; None when no time runs."""
        if self.control.kind == "none" or self.seat is None or self.since is None:
            return None
        return self.since - self.used_ms + self._allowance(self.seat) + self._forgivable(self.seat, lag_ms)

    def overdue(self, now: int, lag_ms: int = 0) -> bool:
        """Whether the seat to act has run out of time, its lag forgiven."""
        deadline = self.deadline(lag_ms)
        return deadline is not None and now >= deadline

    def main_ends(self, seat: int) -> int | None:
        """When a seat that had main time has nothing but byo-yomi left, if nothing happens before that; None: not in this turn."""
        if not self.control.main_ms or not self.control.byoyomi_ms:
            return None
        if self.main_ms[seat] == 0:
            return 0
        if seat != self.seat or self.since is None:
            return 0 if seat == self.seat and self.used_ms >= self.main_ms[seat] else None
        return self.since - self.used_ms + self.main_ms[seat]

    # --- what happens ---

    def act(
        self, at: int, next_seat: int | None, *, text: str = "", started_at: int | None = None, lag_ms: int = 0, forced: bool = False
    ) -> tuple[Clock, ActionRow]:
        """The clock after an action that arrived at a time, and the action as it is recorded: with what is charged for it and what is forgiven.

        `started_at` is when the next turn had been stored and sent (at once, if not told). Whether the action came in time is not checked here: ask
        `overdue` with the same lag first.
        """
        begins = at if started_at is None else max(at, started_at)
        charged = forgiven = 0
        if self.seat is not None:
            thought = self._elapsed(at) if self.control.kind != "none" else 0
            forgiven = 0 if forced else min(thought, self._forgivable(self.seat, lag_ms))
            charged = min(thought - forgiven, self._allowance(self.seat))
        row = ActionRow(text, self.seat, at, begins, charged, forgiven, forced)
        return self._after(row, next_seat), row

    def suspend(self, at: int) -> Clock:
        """The clock standing still, with what the turn had used until then; a moment before the turn began counts as its beginning."""
        return self._replace(used_ms=self._elapsed(at), since=None)

    def resume(self, at: int) -> Clock:
        """The clock running again from then on, if it stood still in someone's turn."""
        return self if self.seat is None or self.since is not None else self._replace(since=at)

    def restart(self, at: int) -> Clock:
        """The clock with the running turn beginning anew: what it has used since then is not charged."""
        return self if self.seat is None else self._replace(since=at)

    def take_back(self, earlier: Clock, asker: int, at: int, started_at: int) -> Clock:
        """The clock when actions are taken back: the turn that `earlier` (rebuilt from the shorter record) stood in begins anew.

        The asker keeps the smaller of what they had then and have now. That is not in the shorter record, so keep the new clock (`json`)
        beside it and go on with `then`.
        """
        left = self._remaining(asker, at).main_ms
        main = (*earlier.main_ms[:asker], min(left, earlier.main_ms[asker]), *earlier.main_ms[asker + 1 :])
        quota = (*earlier.quota_ms[:asker], min(self.quota_ms[asker], earlier.quota_ms[asker]), *earlier.quota_ms[asker + 1 :])
        return self._turn(main, quota, earlier.seat, max(at, started_at))

    # --- as data ---

    def json(self) -> dict[str, object]:
        """The clock as plain data."""
        numbers = {"main_ms": list(self.main_ms), "quota_ms": list(self.quota_ms), "seat": self.seat, "since": self.since, "used_ms": self.used_ms}
        return {"control": self.control.json(), **numbers}

    @classmethod
    def from_json(cls, data: object) -> Clock:
        """Read `json`'s data; ValueError names the field that is wrong, missing or unknown."""
        if not isinstance(data, dict):
            raise ValueError("clock: not an object")
        _exactly(data, cls._fields, "a clock")
        for name in ("main_ms", "quota_ms"):
            if not isinstance(data[name], list) or not data[name]:
                raise ValueError(f"{name}: not a list of times")
        main = tuple(_whole("main_ms", time) for time in data["main_ms"])
        quota = tuple(_whole("quota_ms", time) for time in data["quota_ms"])
        if len(quota) != len(main):
            raise ValueError(f"quota_ms: {len(quota)} seats, but main_ms has {len(main)}")
        seat = None if data["seat"] is None else _whole("seat", data["seat"])
        since = None if data["since"] is None else _whole("since", data["since"])
        if seat is None and since is not None:
            raise ValueError("since: no time runs when nobody is to act")
        clock = cls(TimeControl.from_json(data["control"]), main, quota, None, None)
        return clock._turn(main, quota, seat, 0)._replace(since=since, used_ms=_whole("used_ms", data["used_ms"]))

    # --- counting ---

    def _elapsed(self, now: int) -> int:
        """What the turn has used; a clock of ours that went backwards is nobody's gain or loss."""
        return self.used_ms + (max(0, now - self.since) if self.since is not None else 0)

    def _allowance(self, seat: int) -> int:
        """The most that the seat's turn can use: times that the control doesn't have are 0."""
        return self.main_ms[seat] + self.control.byoyomi_ms + self.control.turn_ms

    def _forgivable(self, seat: int, lag_ms: int) -> int:
        return max(0, min(lag_ms, FORGIVEN_MS, self.quota_ms[seat]))

    def _remaining(self, seat: int, now: int) -> TimeLeft:
        used, main, control = self._elapsed(now) if seat == self.seat else 0, self.main_ms[seat], self.control
        byoyomi = control.byoyomi_ms - max(0, used - main)
        return TimeLeft(max(0, main - used), max(0, byoyomi), max(0, control.turn_ms - used))

    def _after(self, row: ActionRow, next_seat: int | None) -> Clock:
        main, quota, seat = self.main_ms, self.quota_ms, row.seat
        if seat is not None:
            left = max(0, main[seat] - row.charged) + self.control.increment_ms
            again = min(QUOTA_MS, quota[seat] - row.forgiven + REFILL_MS)
            main = (*main[:seat], left, *main[seat + 1 :])
            quota = (*quota[:seat], again, *quota[seat + 1 :])
        return self._turn(main, quota, next_seat, row.started_at)

    def _turn(self, main: tuple[int, ...], quota: tuple[int, ...], seat: int | None, since: int) -> Clock:
        """The clock at the beginning of a seat's turn."""
        if seat is not None and not 0 <= seat < len(main):
            raise ValueError(f"seat: {seat} is not in 0…{len(main) - 1}")
        return Clock(self.control, main, quota, seat, None if seat is None else since)


def _kind(value: object) -> str:
    if not isinstance(value, str) or value not in _KINDS:
        raise ValueError(f"kind: {_short(value)} is not one of {', '.join(_KINDS)}")
    return value


def _whole(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(f"{name}: {_short(value)} is not a whole number from 0")
    return value


def _exactly(data: Mapping[object, object], names: tuple[str, ...], of: str) -> None:
    if unknown := [key for key in data if key not in names]:
        raise ValueError(f"{str(unknown[0])[:60]}: {of} has no such field")
    if missing := [name for name in names if name not in data]:
        raise ValueError(f"{missing[0]}: is missing")


def _short(value: object) -> str:
    """A value for an error text, however large or deep it is."""
    return repr(value)[:60] if value is None or isinstance(value, (str, int, float)) else f"a {type(value).__name__}"
