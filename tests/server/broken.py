"""Servers that are broken on purpose, one part each: a checker that does not notice is none."""

from sqlalchemy import update

from hanpan.record import GameRecord
from hanpan.server import app
from hanpan.server.storage.store import Store
from hanpan.server.storage.tables import rating
from hanpan.server.storage.writes import Change
from hanpan.server.transport.bot_streams import StreamOutbox


class LosesCommits(Store):
    """Says that an action is stored when it is only remembered: it is stored with the end of its game."""

    def __init__(self, *parts):
        super().__init__(*parts)
        self.remembered = {}

    async def append(self, game_id, ply, played, finish=None, fence=None):
        if finish is None:
            self.remembered.setdefault(game_id, []).append((ply, played))
            return True
        for earlier in self.remembered.pop(game_id, []):
            await super().append(game_id, *earlier)
        return await super().append(game_id, ply, played, finish)


class MovesRatingsTwice(Store):
    """Moves each rating a second time, and tells of the first."""

    async def append(self, game_id, ply, played, finish=None, fence=None):
        stored = await super().append(game_id, ply, played, finish)
        for step in finish.moved if stored and finish else ():
            moved = update(rating).where(rating.c.person_id == step.person_id, rating.c.name == step.name).values(value=step.after + step.after - step.before)
            await self._writer.write(Change(lambda db, moved=moved: db.execute(moved).rowcount == 1))
        return stored


class DoublesActions(Store):
    """Once in each game stores an action a second time, for the seat that is to act next and could have done the same."""

    def __init__(self, *parts):
        super().__init__(*parts)
        self.doubled = set()

    async def append(self, game_id, ply, played, finish=None, fence=None):
        stored = await super().append(game_id, ply, played, finish)
        if stored and finish is None and played.seat is not None and game_id not in self.doubled:
            row = await self.game(game_id)
            state = GameRecord(row.name, row.options, tuple(action.text for action in row.actions)).final()
            if state.seat is not None and played.text in state.legal() and not state.play(played.text).over:
                self.doubled.add(game_id)
                await super().append(game_id, ply + 1, played._replace(seat=state.seat, charged=0, forgiven=0))
        return stored


class TellsOldPositions(StreamOutbox):
    """Tells everyone in a room an old position once more, before each new one."""

    def __init__(self, *more):
        super().__init__(*more)
        self.boards = {}

    async def to_room(self, room, event, payload, skip=(), by=""):
        if event == "board info":
            before = [board for board in self.boards.get(room, []) if board["game_id"] == payload["game_id"]]
            self.boards[room] = [*before[-1:], payload]
            if len(before) == 2:
                await super().to_room(room, event, before[0], skip, by)
        await super().to_room(room, event, payload, skip, by)


BROKEN = {
    "loses commits": lambda: setattr(app, "Store", LosesCommits),
    "moves ratings twice": lambda: setattr(app, "Store", MovesRatingsTwice),
    "doubles actions": lambda: setattr(app, "Store", DoublesActions),
    "tells old positions": lambda: setattr(app, "StreamOutbox", TellsOldPositions),
}
