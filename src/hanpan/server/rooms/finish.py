"""How a game in a room ends: what is stored with its result, how ratings move, and what makes room for the next game."""

from __future__ import annotations

from collections.abc import Callable

from hanpan.result import Result
from hanpan.server.people.identity import People
from hanpan.server.people.rating import long_enough
from hanpan.server.rooms.context import Timeouts
from hanpan.server.rooms.happened import Changed, Ended, Happened, Next, Show
from hanpan.server.rooms.match import Match
from hanpan.server.rooms.state import OpenOffers, RoomState
from hanpan.server.storage.models import Ending, Finish, RatingChange


class Finisher:
    """Ends the games of one room."""

    __slots__ = ("_now", "_people", "_room", "_timeouts")

    def __init__(self, room: RoomState, people: People, timeouts: Timeouts, now: Callable[[], int]) -> None:
        self._room, self._people, self._timeouts, self._now = room, people, timeouts, now

    async def finish(self, match: Match, result: Result, scores: list[int]) -> Finish:
        """What is stored with the end: the result, and how ratings move. They are those of the first sitters, not of whoever took over. A game that was left
        before any seat had acted is not kept."""
        changes: dict[str, tuple[str, float]] = {}
        people = [chair.first for chair in self._room.seating.chairs]
        among: tuple[str, ...] = ()
        if self._room.rated and None not in people and self._counts(match, result):
            changes = await self._people.rating_changes([p for p in people if p], self._room.game.name, match.sides(), result, scores)
            among = await self._among([p for p in people if p])
            if any(self._people.is_bot(person) for person in people):  # programs are measured against people, not people against programs
                changes = {person: change for person, change in changes.items() if self._people.is_bot(person)}
        told: Ending = {"winner": result.winner, "reason": result.reason, "scores": scores, "last": list(result.last)}
        return Finish(self._now(), told, changes, among, kept=result.reason != "abandoned" or any(row.seat is not None for row in match.played))

    async def _among(self, people: list[str]) -> tuple[str, ...]:
        """By what games of the same people are found again: as each of them sees the others, those with accounts first. Guests cost nothing, so for whoever
        plays them all of one address are one, and all of one browser; where they can't be told together they are themselves."""
        known = [await self._people.person(person) for person in people]
        guests = {person.id for person in known if person is not None and person.kind == "guest"}
        found = []
        for own in people:
            others = [person for person in people if person != own]
            for kind in ("address", "browser"):
                seen = [self._from(person, kind) if person in guests else person for person in others]
                found.append((own in guests, seen == others, self._people.masked(" ".join([self._room.game.name, *sorted([own, *seen])]))))
        return tuple(dict.fromkeys(key for *_, key in sorted(found)))

    def _from(self, person: str, kind: str) -> str:
        """Where someone came from, if that is known."""
        return min((trace for trace in self._room.traces.get(person, ()) if trace.startswith(f"{kind} ")), default=person)

    def _counts(self, match: Match, result: Result) -> bool:
        """Whether enough was played for ratings to move, should it end so."""
        return long_enough(match.game.seats, sum(row.seat is not None for row in match.played), result.reason)

    def end(self, match: Match, result: Result, finish: Finish) -> None:
        """Record an end that has been stored."""
        match.end(result)
        self._room.sat = self._room.seating.people()
        self._room.changes, self._room.counted = finish.moved, finish.counted[0] if finish.counted else None

    def ended(self) -> Happened:
        """Make room for the next game, and tell the end."""
        self._room.timers.cancel("time")
        self._room.timers.cancel("bot")
        self._room.timers.cancel("ready")
        self._room.ready_at = self._room.paused_at = None
        self._room.offers = OpenOffers()
        self._clear_chairs()
        if not self._room.members:
            self._room.timers.later("empty", self._timeouts.patience, self.vanish)
        return [Changed(), Show.HISTORY, Show.OVER, Show.PLAYERS, Show.ROOM]

    def _clear_chairs(self) -> None:
        """Who is not here any more does not sit here any more; whoever may be back in a moment keeps the chair until that is over."""
        for seat, chair in enumerate(self._room.seating.chairs):
            here = chair.person is None or chair.person in self._room.members or self._room.timers.left(f"gone {chair.person}") > 0
            if chair.substitute or not here:
                self._room.seating.stand(seat)
        self._room.seating.unready()

    async def move_ratings(self, changes: list[RatingChange]) -> None:
        """The ratings have moved as it was stored; everyone is told who is now how strong."""
        self._room.moved = await self._people.ratings_moved(changes)

    def vanish(self) -> Happened:
        """An empty room disappears; while a game runs it stays until the game has ended."""
        return [] if self._room.members or self._room.playing else [Next.VANISH]

    def abandon(self) -> Happened:
        """A game that is played here ends without a result."""
        match = self._room.match
        return [] if match is None or match.result is not None else [Ended(match, Result([], "abandoned"))]

    def all_left(self) -> Happened:
        """A game that everyone has left ends without a result."""
        return [] if self._room.alive else self.abandon()
