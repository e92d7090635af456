"""Between two parts of a game: what has ended stays to be seen until everyone at the table is ready for the next deal, or for as long as the settings say."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from hanpan.server.protocol.refusals import Refused
from hanpan.server.rooms.publisher import Publisher
from hanpan.server.rooms.saving import Saving
from hanpan.server.rooms.state import RoomState

WATCHED_SECONDS = 5  # where only computer players sit, those who watch are given so long


class Pause:
    """The waiting of one room. No clock runs meanwhile: chance is to act, and waits. `go_on` lets it, from a ply on."""

    def __init__(self, room: RoomState, saved: Saving, publisher: Publisher, now: Callable[[], int], go_on: Callable[[int], Awaitable[None]]) -> None:
        self._room, self._saved, self._publisher, self._now, self._go_on = room, saved, publisher, now, go_on
        self._went_on_at: int | None = None  # the ply at which the waiting was over

    def begin(self) -> None:
        """A new game: nothing waits."""
        self._room.ready_at = self._room.paused_at = self._went_on_at = None

    @property
    def paused(self) -> bool:
        """Whether a part of the game has ended and the next one waits."""
        match = self._room.match
        if match is None or match.result is not None or self._room.game.book.rounds is None:
            return False
        return match.state.chance and match.state.closing is not None and self._room.settings.pause > 0 and self._went_on_at != match.ply

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
            seconds = self._patience()
            self._room.ready_at = self._now() + int(seconds * 1000)
            self._room.timers.later("ready", seconds, self._waited)
        if self._all_ready():
            self._room.timers.later("ready", 0.0, self._waited)

    def stop_waiting(self) -> None:
        """Nothing waits any more."""
        if self._room.paused_at is not None:
            self._room.timers.cancel("ready")
            self._room.ready_at = self._room.paused_at = None
            self._room.seating.unready()

    def _patience(self) -> float:
        if self._room.seating.everyone():
            return self._room.settings.pause
        return min(self._room.settings.pause, WATCHED_SECONDS) if self._room.members else 0

    def _all_ready(self) -> bool:
        """Whether every person at the table is ready. Computer players always are; where nobody else sits, nobody need say so."""
        people = [chair for chair in self._room.seating.chairs if chair.person is not None]
        return bool(people) and all(chair.ready for chair in people)

    async def say_ready(self, person: str, seat: int | None, ready: bool) -> None:
        """Someone is ready for the next part, or not any more; it begins when all are."""
        mine = self._room.seating.of(person) if seat is None else [self._room.seating.own(person, seat)]
        if not mine:
            raise Refused("not-your-seat")
        for number in mine:
            self._room.seating.chairs[number].ready = ready
        await self._saved.save()
        if self._all_ready():
            await self.go_to_next_part()
        else:
            await self._publisher.tell_players()

    async def _waited(self) -> None:
        async with self._room.lock:
            if self.paused:
                await self.go_to_next_part()

    async def go_to_next_part(self) -> None:
        """Let chance act."""
        assert self._room.match is not None
        self._went_on_at = ply = self._room.match.ply
        self.stop_waiting()
        await self._go_on(ply)
        await self._publisher.tell_players()
