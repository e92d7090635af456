"""Between two parts of a game: what has ended stays to be seen until everyone at the table is ready for the next deal, or for as long as the settings say."""

from __future__ import annotations

from collections.abc import Callable

from hanpan.server.protocol.refusals import Refused
from hanpan.server.rooms.happened import Changed, GoesOn, Happened, Show
from hanpan.server.rooms.state import RoomState

WATCHED_SECONDS = 5  # where only computer players sit, those who watch are given so long


class Pause:
    """The waiting of one room. No clock runs meanwhile: chance is to act, and waits."""

    __slots__ = ("_now", "_room")

    def __init__(self, room: RoomState, now: Callable[[], int]) -> None:
        self._room, self._now = room, now

    def begin(self) -> None:
        """A new game: nothing waits."""
        self._room.ready_at = self._room.paused_at = self._room.went_on_at = None

    @property
    def paused(self) -> bool:
        """Whether a part of the game has ended and the next one waits."""
        match = self._room.match
        if match is None or match.result is not None or self._room.game.book.rounds is None:
            return False
        return match.state.chance and match.state.closing is not None and self._room.settings.pause > 0 and self._room.went_on_at != match.ply

    def hold(self) -> None:
        """Begin to wait, if there is something to wait for; after a restart those who were ready still are."""
        match = self._room.match
        if not self.paused or match is None:
            self.stop_waiting()
            return
        if self._room.paused_at != match.ply:
            self._room.seating.unready()
            self._room.paused_at = match.ply
        if self._room.ready_at is None:
            seconds = self._room.settings.pause if self._room.seating.everyone() else min(self._room.settings.pause, WATCHED_SECONDS)
            self._room.ready_at = self._now() + int(seconds * 1000)
            self._room.timers.later("ready", seconds, self.next_part)
        if self.all_ready:
            self._room.timers.later("ready", 0.0, self.next_part)

    def stop_waiting(self) -> None:
        """Nothing waits any more."""
        if self._room.paused_at is not None:
            self._room.timers.cancel("ready")
            self._room.ready_at = self._room.paused_at = None
            self._room.seating.unready()

    @property
    def all_ready(self) -> bool:
        """Whether every person at the table is ready. Computer players always are; where nobody else sits, nobody need say so."""
        people = [chair for chair in self._room.seating.chairs if chair.person is not None]
        return bool(people) and all(chair.ready for chair in people)

    def say_ready(self, person: str, seat: int | None, ready: bool) -> Happened:
        """Someone is ready for the next part, or not any more; once that is stored and all are, it begins."""
        mine = self._room.seating.of(person) if seat is None else [self._room.seating.own(person, seat)]
        if not mine:
            raise Refused("not-your-seat")
        for number in mine:
            self._room.seating.chairs[number].ready = ready
        return [Changed()] if self.all_ready else [Changed(), Show.PLAYERS]

    def next_part(self) -> Happened:
        """If something waits here: let chance act."""
        if not self.paused:
            return []
        assert self._room.match is not None
        self._room.went_on_at = ply = self._room.match.ply
        self.stop_waiting()
        return [GoesOn(ply), Show.PLAYERS]
