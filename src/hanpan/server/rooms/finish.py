"""How a game in a room ends: its result is stored with the ratings that it moves, and only then told."""

from __future__ import annotations

from collections.abc import Callable

from hanpan.result import Result
from hanpan.server.faults import log_fault
from hanpan.server.people.identity import People
from hanpan.server.people.rating import long_enough
from hanpan.server.protocol.refusals import Refused
from hanpan.server.rooms.context import Timeouts
from hanpan.server.rooms.happened import Ended, Happened, News, Next
from hanpan.server.rooms.match import Match
from hanpan.server.rooms.publisher import Publisher
from hanpan.server.rooms.saving import Saving
from hanpan.server.rooms.state import OpenOffers, RoomState
from hanpan.server.storage.accounts import hashed
from hanpan.server.storage.models import Finish
from hanpan.server.storage.store import Store


class Finisher:
    """Ends the games of one room."""

    def __init__(self, room: RoomState, store: Store, saved: Saving, publisher: Publisher, people: People, timeouts: Timeouts, now: Callable[[], int]) -> None:
        self._room, self._store, self._saved, self._publisher = room, store, saved, publisher
        self._people, self._timeouts, self._now = people, timeouts, now

    async def finish(self, match: Match, result: Result, scores: list[int]) -> Finish:
        """What is stored with the end: the result, and how ratings move. They are those of the first sitters, not of whoever took over."""
        changes: dict[str, tuple[str, float]] = {}
        people = [chair.first for chair in self._room.seating.chairs]
        among = None
        if self._room.rated and None not in people and self._counts(match, result):
            changes = await self._people.rating_changes([p for p in people if p], self._room.game.name, match.sides(), result, scores)
            among = hashed(" ".join([self._room.game.name, *sorted(p for p in people if p)]))
            if any(self._people.is_bot(person) for person in people):  # programs are measured against people, not people against programs
                changes = {person: change for person, change in changes.items() if self._people.is_bot(person)}
        told = {"winner": result.winner, "reason": result.reason, "scores": scores, "last": list(result.last)}
        return Finish(self._now(), told, changes, among)

    def _counts(self, match: Match, result: Result) -> bool:
        """Whether enough was played for ratings to move, should it end so."""
        return long_enough(match.game.seats, sum(row.seat is not None for row in match.played), result.reason)

    def end(self, match: Match, result: Result, finish: Finish) -> None:
        """Record an end that has been stored."""
        match.end(result)
        self._room.changes, self._room.counted = finish.moved, finish.counted[0] if finish.counted else None

    async def end_with(self, match: Match, result: Result, news: tuple[News, ...] = ()) -> None:
        """A result that no action brought: resignation, time, agreement, claim."""
        finish = await self.finish(match, result, match.state.scores)
        if not await self._store.append(match.id, match.ply, None, finish):
            await self.load_again(match)
            raise Refused("game-over")
        self.end(match, result, finish)
        try:
            for said in news:
                await self._publisher.tell(said.event, said.payload)
            await self._publisher.tell_position(match.ply)
        except Exception as fault:  # the end is stored; nothing that goes wrong in telling it may undo that
            log_fault(f"room {self._room.id}, telling the end", fault)
        await self.ended()

    async def ended(self) -> None:
        """Tell the end, and make room for the next game."""
        match = self._room.match
        assert match is not None
        assert match.result is not None
        self._room.timers.cancel("time")
        self._room.timers.cancel("bot")
        self._room.timers.cancel("ready")
        self._room.ready_at = self._room.paused_at = None
        self._room.offers = OpenOffers(rematch=self._room.offers.rematch)
        self.clear_chairs()
        try:
            await self._saved.save()
            self._room.moved = await self._people.ratings_moved(self._room.changes)
            await self._publisher.tell("game over", self._publisher.over())
            await self._publisher.tell_history()
            await self._publisher.tell_players()
            await self._publisher.tell_room("room updated")
        except Exception as fault:
            log_fault(f"room {self._room.id}, after the end", fault)
        if not self._room.members:
            self._room.timers.later("empty", self._timeouts.patience, self.vanish)

    def clear_chairs(self) -> None:
        """Who is not here any more does not sit here any more."""
        for seat, chair in enumerate(self._room.seating.chairs):
            if chair.substitute or (chair.person is not None and chair.person not in self._room.members):
                self._room.seating.stand(seat)
        self._room.seating.unready()

    async def load_again(self, match: Match) -> None:
        """The storage stands elsewhere than we thought: it is the truth, so take the game from there."""
        row = await self._store.game(match.id)
        if row is None or self._room.match is not match:
            return
        self._room.match = self._room.match_of(row, match.base)
        self._room.match.resigned, self._room.counted = match.resigned, row.counted
        await self.recall_ratings()
        for member in list(self._room.members):
            await self._publisher.tell_game(member)

    async def recall_ratings(self) -> None:
        """A game that had ended before: how it moved ratings is stored."""
        if self._room.match is not None and self._room.match.result is not None:
            self._room.moved = await self._people.ratings_moved(await self._store.changes_of(self._room.match.id))

    def vanish(self) -> Happened:
        """An empty room disappears; while a game runs it stays until the game has ended."""
        return [] if self._room.members or self._room.playing else [Next.VANISH]

    def abandon(self) -> Happened:
        """A game that is played here ends without a result."""
        match = self._room.match
        return [] if match is None or match.result is not None else [Ended(match, Result([], "abandoned"))]
