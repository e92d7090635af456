"""How a game in a room ends: its result is stored with the ratings that it moves, and only then told."""

from __future__ import annotations

from hanpan.result import Result
from hanpan.server.faults import log_fault
from hanpan.server.protocol.refusals import Refused
from hanpan.server.rooms.chat import Talk
from hanpan.server.rooms.match import Match
from hanpan.server.storage.accounts import hashed
from hanpan.server.storage.models import Finish


class Ending(Talk):
    """The ending part of a room."""

    async def finish(self, match: Match, result: Result, scores: list[int]) -> Finish:
        """What is stored with the end: the result, and how ratings move. They are those of the first sitters, not of whoever took over."""
        changes: dict[str, tuple[str, float]] = {}
        people = [chair.first for chair in self.seating.chairs]
        among = None
        if self.rated and None not in people and match.counts(result):
            changes = await self.context.people.rating_changes([p for p in people if p], self.game.name, match.sides(), result, scores)
            among = hashed(" ".join([self.game.name, *sorted(p for p in people if p)]))
            if any(self.context.people.is_bot(person) for person in people):  # programs are measured against people, not people against programs
                changes = {person: change for person, change in changes.items() if self.context.people.is_bot(person)}
        told = {"winner": result.winner, "reason": result.reason, "scores": scores, "last": list(result.last)}
        return Finish(self.context.now(), told, changes, among)

    async def end_with(self, match: Match, result: Result) -> None:
        """A result that no action brought: resignation, time, agreement, claim."""
        finish = await self.finish(match, result, match.state.scores)
        if not await self.context.store.append(match.id, match.ply, None, finish):
            await self.load_again(match)
            raise Refused("game-over")
        match.end(result, finish)
        try:
            await self.tell_position(match.ply)
        except Exception as fault:  # the end is stored; nothing that goes wrong in telling it may undo that
            log_fault(f"room {self.id}, telling the end", fault)
        await self.ended()

    async def ended(self) -> None:
        """Tell the end, and make room for the next game."""
        match = self.match
        assert match is not None
        assert match.result is not None
        self.cancel("time")
        self.cancel("bot")
        self.cancel("ready")
        self.ready_at = self.paused_at = None
        self.offer, self.giving_up, self.asking = None, set(), {}
        self.clear_chairs()
        try:
            await self.save()
            self.moved = await self.context.people.ratings_moved(match.moved)
            await self.tell("game over", self.over())
            await self.tell_history()
            await self.tell_players()
            await self.tell_room("room updated")
        except Exception as fault:
            log_fault(f"room {self.id}, after the end", fault)
        if not self.members:
            self.later("empty", self.context.timeouts.patience, self.vanish)

    def clear_chairs(self) -> None:
        """Who is not here any more does not sit here any more."""
        for seat, chair in enumerate(self.seating.chairs):
            if chair.substitute or (chair.person is not None and chair.person not in self.members):
                self.seating.stand(seat)
        self.seating.unready()

    async def load_again(self, match: Match) -> None:
        """The storage stands elsewhere than we thought: it is the truth, so take the game from there."""
        row = await self.context.store.game(match.id)
        if row is None or self.match is not match:
            return
        self.match = self.match_of(row, match.base)
        self.match.resigned = match.resigned
        await self.recall_ratings()
        for member in list(self.members):
            await self.tell_game(member)

    async def recall_ratings(self) -> None:
        """A game that had ended before: how it moved ratings is stored."""
        if self.match is not None and self.match.result is not None:
            self.moved = await self.context.people.ratings_moved(await self.context.store.changes_of(self.match.id))

    async def vanish(self) -> None:
        """An empty room disappears; while a game runs it stays until the game has ended."""
        async with self.lock:
            if not self.members and not self.playing:
                await self.registry.remove_room(self.id)
