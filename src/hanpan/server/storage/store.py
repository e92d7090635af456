"""The storage: everything that is kept, behind one object."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping
from types import EllipsisType
from typing import Final, Literal

from sqlalchemy import ColumnElement, Connection, Select, and_, delete, false, func, insert, literal, not_, or_, select

from hanpan.server.storage import migrate
from hanpan.server.storage.accounts import Accounts
from hanpan.server.storage.bans import Barring
from hanpan.server.storage.chat import ChatLog
from hanpan.server.storage.database import EmbeddedTransactions, Reader, ServedTransactions, address, dump, embedded_file, made, wall_clock
from hanpan.server.storage.factors import Factors
from hanpan.server.storage.leases import Leases
from hanpan.server.storage.models import ActionRow, Fence, Finish, GameRow, Person, Rating, RatingChange, RoomRow, Sitter
from hanpan.server.storage.moderation import StoredModeration
from hanpan.server.storage.sessions import StoredSessions
from hanpan.server.storage.tables import action, game, person, player, rating, rating_change, room, ticket
from hanpan.server.storage.writer import Writer
from hanpan.server.storage.writes import AddGame, AddPerson, Append, Change, Rename, SaveRoom, SetPeople, TakeBack

EVERYONE: Final = ...  # operators see all games
Viewer = str | None | EllipsisType
_LEDGER = (action.c.text, action.c.seat, action.c.at, action.c.started_at, action.c.charged, action.c.forgiven, action.c.forced)


class Store:
    """People, rooms, games and ratings. What a method that writes has answered survives the process; reading sees all of it.

    Where several processes share the rooms, whatever is written about one carries the `fence` with which it was taken (`leases`): Fenced, if it is not ours
    any more. `now` is the time, in milliseconds.
    """

    def __init__(self, reader: Reader, writer: Writer, now: Callable[[], int]) -> None:
        self._reader, self._writer, self._now = reader, writer, now
        self.accounts, self.moderation, self.chat = Accounts(reader, writer, now), StoredModeration(reader, writer, now), ChatLog(reader, writer)
        self.sessions = StoredSessions(reader, writer)
        self.barring = Barring(reader, writer)
        self.factors = Factors(reader, writer, now)
        self.leases = Leases(reader, writer)

    @classmethod
    async def open(cls, url: str, synchronous: Literal["full", "normal"] = "normal", upgrade: bool = True, now: Callable[[], int] = wall_clock) -> Store:
        """Open a database, bringing its schema up to date unless told not to. StorageError says what is wrong with it.

        `synchronous` is about power failures and the embedded database: with "full" each commit waits for the disk, with "normal" the last moments may be lost.
        """
        await (migrate.migrate(url) if upgrade else migrate.check(url))
        where = address(url)
        transactions = ServedTransactions(where) if embedded_file(where) is None else EmbeddedTransactions(where, synchronous)
        return cls(Reader(where), Writer(transactions), now)

    async def close(self) -> None:
        """Write what is waiting and let go of the database."""
        await self._writer.close()
        await self._reader.close()

    async def ping(self) -> None:
        """StorageError when reading or writing is not possible. Where the last write failed it is tried: nothing else may be written meanwhile."""
        self._writer.check()
        await self._reader.rows(int, select(literal(1)))
        if self._writer.failing:
            await self._writer.write(Change(_try_to_write))

    def watch_commits(self, told: Callable[[float], None]) -> None:
        """Be told how many seconds each commit takes."""
        self._writer.took = told

    @property
    def commits(self) -> int:
        """How many commits were made."""
        return self._writer.commits

    # --- people ---

    async def add_person(self, name: str, folded: str, kind: str = "guest", owner_id: str | None = None) -> Person | None:
        """A new person with a fresh id and a name of their own; None when somebody's looks the same."""
        new = Person(secrets.token_hex(8), name, kind, self._now(), 0, owner_id)
        return new if await self._writer.write(AddPerson(new, folded)) else None

    async def person(self, id: str) -> Person | None:
        """A person by id."""
        return (await self.people([id])).get(id)

    async def people(self, ids: Iterable[str]) -> dict[str, Person]:
        """People by id; whoever is not known is left out."""
        found = await self._reader.rows(Person, select(person).where(person.c.id.in_(set(ids))))
        return {each.id: each for each in found}

    async def ids_after(self, id: str, limit: int) -> list[str]:
        """The ids of the people who come next, in the order of their ids."""
        return await self._reader.rows(str, select(person.c.id).where(person.c.id > id).order_by(person.c.id).limit(limit))

    async def rename(self, id: str, name: str, folded: str) -> bool:
        """Give a person another name; False when there is no such person, or somebody else's looks the same."""
        return await self._writer.write(Rename(id, name, folded))

    # --- rooms ---

    async def save_room(self, id: str, document: Mapping[str, object], fence: Fence | None = None) -> None:
        """Keep a room as it is now."""
        await self._writer.write(SaveRoom(id, dump(document), self._now(), fence=fence))

    async def remove_room(self, id: str, fence: Fence | None = None) -> None:
        """Forget a room, and that it was ours; its games stay."""
        await self._writer.write(SaveRoom(id, None, self._now(), fence=fence))

    async def rooms(self) -> list[RoomRow]:
        """All rooms."""
        return await self._reader.rows(RoomRow, select(room).order_by(room.c.id))

    async def room(self, id: str) -> RoomRow | None:
        """A room."""
        return await self._reader.row(RoomRow, select(room.c.id, room.c.document, room.c.updated_at).where(room.c.id == id))

    # --- games ---

    async def add_game(self, new: GameRow, fence: Fence | None = None) -> bool:
        """Begin a game, or keep one that was played elsewhere, with its actions and its end; False when that id is taken."""
        row = {"id": new.id, "room_id": new.room_id, "name": new.name, "rated": new.rated, "started_at": new.started_at}
        row |= {"ended_at": new.ended_at, "result": None if new.result is None else dump(new.result), "among": None, "counted": None, "private": new.private}
        row |= {"options": dump(new.options), "settings": dump(new.settings), "people": dump(new.people)}
        return await self._writer.write(AddGame(new.id, row, _players(new.people), tuple(new.actions), fence=fence))

    async def set_people(self, game_id: str, people: list[Sitter], fence: Fence | None = None) -> bool:
        """Keep who holds the seats of a running game now. It stays among the games of those who held one before."""
        return await self._writer.write(SetPeople(game_id, dump(people), _players(people), fence=fence))

    async def append(self, game_id: str, ply: int, played: ActionRow | None, finish: Finish | None = None, fence: Fence | None = None) -> bool:
        """Add the action with this ply (counted from 0), and end the game with `finish`, all or nothing.

        False when the game does not stand at this ply: someone else was first, or it has ended; then load it again. Without an action, only the end is stored.
        """
        if played is None and finish is None:
            raise ValueError("append: neither an action nor an end")
        return await self._writer.write(Append(game_id, ply, played, finish, None if finish is None else dump(finish.result), fence=fence))

    async def take_back(
        self, game_id: str, from_ply: int, ply: int | None = None, room: tuple[str, Mapping[str, object]] | None = None, fence: Fence | None = None
    ) -> bool:
        """Remove a game's actions from a ply on; False when it is rated, has ended, has no such action or (given its ply) stands elsewhere.

        With a room's id and document, the room is kept as it is then, both or neither.
        """
        save = None if room is None else SaveRoom(room[0], dump(room[1]), self._now())
        return await self._writer.write(TakeBack(game_id, from_ply, ply, save, fence=fence))

    async def game(self, id: str) -> GameRow | None:
        """A game with its actions."""
        found = await self._with_actions(select(game).where(game.c.id == id))
        return found[0] if found else None

    async def about_game(self, id: str) -> GameRow | None:
        """A game without its actions."""
        return await self._reader.row(GameRow, select(game).where(game.c.id == id))

    async def running_games(self) -> list[GameRow]:
        """All games that have not ended, with their actions, oldest first."""
        return await self._with_actions(select(game).where(game.c.ended_at.is_(None)).order_by(game.c.started_at, game.c.id))

    async def running_game(self, room_id: str) -> GameRow | None:
        """The game that is played in a room, with its actions."""
        found = await self._with_actions(select(game).where(game.c.room_id == room_id, game.c.ended_at.is_(None)))
        return max(found, key=lambda each: (each.started_at, each.id), default=None)

    async def games_of(self, person_id: str, limit: int = 50, before: str | None = None, viewer: Viewer = EVERYONE) -> list[GameRow]:
        """A person's games, running ones included, newest start first, without actions; `before` is the id of the last game already seen.

        Told who looks, without private games that they have not played.
        """
        seats = select(player.c.game_id).where(player.c.person_id == person_id).order_by(player.c.started_at.desc(), player.c.game_id.desc()).limit(limit)
        if not isinstance(viewer, EllipsisType) and viewer != person_id:
            seats = seats.join(game, game.c.id == player.c.game_id).where(_found_by(viewer))
        if before is not None:
            mark = select(game.c.started_at).where(game.c.id == before).scalar_subquery()
            seats = seats.where(or_(player.c.started_at < mark, and_(player.c.started_at == mark, player.c.game_id < before)))
        some = seats.subquery()
        query = select(game).join(some, some.c.game_id == game.c.id).order_by(game.c.started_at.desc(), game.c.id.desc())
        return await self._reader.rows(GameRow, query)

    async def finished_games(
        self, name: str | None = None, limit: int = 50, before: str | None = None, person_id: str | None = None, viewer: Viewer = EVERYONE
    ) -> list[GameRow]:
        """The archive, of all games or of one, everyone's or one person's, newest end first, without actions; `before`: the id of the last one already seen.

        Told who looks, without private games that they have not played.
        """
        query = select(game).where(game.c.ended_at.is_not(None)).order_by(game.c.ended_at.desc(), game.c.id.desc()).limit(limit)
        if name is not None:
            query = query.where(game.c.name == name)
        if not isinstance(viewer, EllipsisType):
            query = query.where(_found_by(viewer))
        if person_id is not None:
            query = query.where(game.c.id.in_(select(player.c.game_id).where(player.c.person_id == person_id)))
        if before is not None:
            seen = game.alias()
            mark = select(seen.c.ended_at).where(seen.c.id == before).scalar_subquery()
            query = query.where(or_(game.c.ended_at < mark, and_(game.c.ended_at == mark, game.c.id < before)))
        return await self._reader.rows(GameRow, query)

    async def archive(self, name: str | None, limit: int, after: tuple[int, str] | None = None) -> list[GameRow]:
        """Finished games with their actions, of all games or of one, oldest end first, no private ones; `after`: the end and the id of the last one seen."""
        query = select(game).where(game.c.ended_at.is_not(None), _found_by(None)).order_by(game.c.ended_at, game.c.id).limit(limit)
        if name is not None:
            query = query.where(game.c.name == name)
        if after is not None:
            query = query.where(or_(game.c.ended_at > after[0], and_(game.c.ended_at == after[0], game.c.id > after[1])))
        return await self._with_actions(query)

    async def old_games(self, before: int, limit: int) -> list[GameRow]:
        """Games that ended before a moment, with their actions, oldest end first; not those whose room is still there, since it shows its last one."""
        query = select(game).where(game.c.ended_at < before, game.c.room_id.not_in(select(room.c.id))).order_by(game.c.ended_at, game.c.id).limit(limit)
        return await self._with_actions(query)

    async def remove_games(self, ids: Iterable[str]) -> None:
        """Remove finished games with all that belongs to them; ratings stay as they are."""
        wanted = sorted(set(ids))

        def work(db: Connection) -> bool:
            ended = list(db.scalars(select(game.c.id).where(game.c.id.in_(wanted), game.c.ended_at.is_not(None))))
            for table in (action, player, rating_change):
                db.execute(delete(table).where(table.c.game_id.in_(ended)))
            return db.execute(delete(game).where(game.c.id.in_(ended))).rowcount > 0

        await self.apart(work)

    async def apart(self, work: Callable[[Connection], bool]) -> bool:
        """Do something rare in a transaction of its own."""
        return await self._writer.apart(work)

    # --- ratings ---

    async def ratings(self, person_ids: Iterable[str], name: str) -> dict[str, Rating]:
        """The ratings of people at one game; whoever has played none has the first rating."""
        ids = set(person_ids)
        found = await self._reader.rows(Rating, select(rating).where(rating.c.name == name, rating.c.person_id.in_(ids)))
        return {id: Rating(id, name) for id in ids} | {each.person_id: each for each in found}

    async def leaderboard(self, name: str, limit: int = 100, bots: bool = False) -> list[tuple[Person, Rating]]:
        """The strongest at one game, strongest first: people with an account (a guest has a rating, but no place here), or programs."""
        best = select(rating, person).join(person, person.c.id == rating.c.person_id).where(rating.c.name == name)
        best = best.where(person.c.kind == ("bot" if bots else "account"))
        best = best.order_by(rating.c.value.desc(), rating.c.person_id).limit(limit)
        return await self._reader.read(lambda db: [(Person(*row[4:]), Rating(*row[:4])) for row in db.execute(best)])

    async def history(self, person_id: str, name: str) -> list[RatingChange]:
        """Every step of a person's rating at one game, oldest first."""
        steps = select(rating_change).where(rating_change.c.person_id == person_id, rating_change.c.name == name)
        return await self._reader.rows(RatingChange, steps.order_by(rating_change.c.at, rating_change.c.game_id))

    async def hidden_from(self, viewer: str | None, person_id: str) -> set[str]:
        """Those of a person's games that someone does not find."""
        query = select(player.c.game_id).join(game, game.c.id == player.c.game_id).where(player.c.person_id == person_id, not_(_found_by(viewer)))
        return set(await self._reader.rows(str, query))

    async def changes_of(self, game_id: str) -> list[RatingChange]:
        """How a game has moved ratings."""
        steps = select(rating_change).where(rating_change.c.game_id == game_id).order_by(rating_change.c.person_id)
        return await self._reader.rows(RatingChange, steps)

    async def changes_of_games(self, game_ids: Iterable[str]) -> dict[str, list[RatingChange]]:
        """The same for several games."""
        found: dict[str, list[RatingChange]] = {}
        steps = select(rating_change).where(rating_change.c.game_id.in_(set(game_ids))).order_by(rating_change.c.game_id, rating_change.c.person_id)
        for step in await self._reader.rows(RatingChange, steps):
            found.setdefault(step.game_id, []).append(step)
        return found

    # --- reading ---

    async def _with_actions(self, query: Select[*tuple[object, ...]]) -> list[GameRow]:
        """Games with their actions, both of the same moment."""

        def work(db: Connection) -> list[GameRow]:
            games = {found.id: found for found in made(db, GameRow, query)}
            wanted = query.with_only_columns(game.c.id).order_by(None)
            for game_id, *ledger in db.execute(select(action.c.game_id, *_LEDGER).where(action.c.game_id.in_(wanted)).order_by(action.c.game_id, action.c.ply)):
                games[game_id].actions.append(ActionRow(*ledger))
            return list(games.values())

        return await self._reader.read(work)


def _found_by(viewer: str | None) -> ColumnElement[bool]:
    """Games that someone finds in a list: those that are not private, and their own."""
    public = func.coalesce(game.c.private, false()) == false()
    return public if viewer is None else or_(public, game.c.id.in_(select(player.c.game_id).where(player.c.person_id == viewer)))


def _players(people: list[Sitter]) -> set[str]:
    return {id for seat in people if (id := seat.get("person")) is not None}


def _try_to_write(db: Connection) -> bool:
    """Write something that nobody sees."""
    row = {"id": secrets.token_hex(16), "kind": "trial", "document": dump({}), "expires_at": 0}
    db.execute(insert(ticket), [row])
    db.execute(delete(ticket).where(ticket.c.id == row["id"]))
    return True
