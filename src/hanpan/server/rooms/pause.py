"""Between two parts of a game: what has ended stays to be seen until everyone at the table is ready for the next deal, or for as long as the settings say."""

from __future__ import annotations

from hanpan.server.protocol.refusals import Refused
from hanpan.server.rooms.ending import Ending

WATCHED_SECONDS = 5  # where only computer players sit, those who watch are given so long


class Pause(Ending):
    """The waiting part of a room. No clock runs meanwhile: chance is to act, and waits."""

    @property
    def paused(self) -> bool:
        """Whether a part of the game has ended and the next one waits."""
        match = self.match
        if match is None or match.result is not None or self.game.book.rounds is None:
            return False
        return match.state.chance and match.state.closing is not None and self.settings.pause > 0 and self.went_on_at != match.ply

    def hold(self) -> None:
        """Begin to wait, if there is something to wait for; after a restart those who were ready still are."""
        match = self.match
        if not self.paused or match is None:
            self.stop_waiting()
            return
        if self.paused_at != match.ply:
            self.seating.unready()
            self.paused_at = match.ply
        if self.ready_at is None:
            seconds = self._patience()
            self.ready_at = self.context.now() + int(seconds * 1000)
            self.later("ready", seconds, self._waited)
        if self._all_ready():
            self.later("ready", 0.0, self._waited)

    def stop_waiting(self) -> None:
        """Nothing waits any more."""
        if self.paused_at is not None:
            self.cancel("ready")
            self.ready_at = self.paused_at = None
            self.seating.unready()

    def _patience(self) -> float:
        if self.seating.everyone():
            return self.settings.pause
        return min(self.settings.pause, WATCHED_SECONDS) if self.members else 0

    def _all_ready(self) -> bool:
        """Whether every person at the table is ready. Computer players always are; where nobody else sits, nobody need say so."""
        people = [chair for chair in self.seating.chairs if chair.person is not None]
        return bool(people) and all(chair.ready for chair in people)

    async def say_ready(self, person: str, seat: int | None, ready: bool) -> None:
        """Someone is ready for the next part, or not any more; it begins when all are."""
        mine = self.seating.of(person) if seat is None else [self.seating.own(person, seat)]
        if not mine:
            raise Refused("not-your-seat")
        for number in mine:
            self.seating.chairs[number].ready = ready
        await self.save()
        if self._all_ready():
            await self.go_to_next_part()
        else:
            await self.tell_players()

    async def _waited(self) -> None:
        async with self.lock:
            if self.paused:
                await self.go_to_next_part()

    async def go_to_next_part(self) -> None:
        """Let chance act."""
        assert self.match is not None
        self.went_on_at = ply = self.match.ply
        self.stop_waiting()
        await self.after_action(ply)
        await self.tell_players()

    async def after_action(self, since: int) -> None:
        """Chance's part, the news, and the next turn or the end."""
        raise NotImplementedError
