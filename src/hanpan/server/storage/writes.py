"""The things that can be written, and how a group of them is written in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field

from sqlalchemy import BindParameter, Connection, Executable, bindparam, delete, func, insert, select, update

from hanpan.server.storage.models import DAY, FIRST_RATING, ActionRow, Fence, Finish, Person, RatingChange
from hanpan.server.storage.tables import action, called, game, lease, person, player, rating, rating_change, room

FULL_GAMES = 3  # rated games of the same people at the same game that count in full, within a day


@dataclass(slots=True)
class Write:
    """Something to be written; `outcome` says whether it was. Documents in it are already JSON text: what the caller changes later is not in it."""

    outcome: bool = field(default=False, init=False)
    fence: Fence | None = field(default=None, kw_only=True)  # given: it is written only while the room has not changed hands
    fenced: bool = field(default=False, init=False)  # it had


@dataclass(slots=True)
class AddPerson(Write):
    """A new person, with what the name looks like; only if nobody else's looks the same."""

    person: Person
    folded: str


@dataclass(slots=True)
class Rename(Write):
    """Another name for a person, with what it looks like; only if nobody else's looks the same."""

    id: str
    name: str
    folded: str


@dataclass(slots=True)
class SaveRoom(Write):
    """A room as it is now; without a document, its end."""

    id: str
    document: str | None
    at: int


@dataclass(slots=True)
class AddGame(Write):
    """A new game, its columns, the people who play it, and what has been played already."""

    id: str
    row: Mapping[str, object]
    people: set[str]
    actions: Sequence[ActionRow] = ()


@dataclass(slots=True)
class SetPeople(Write):
    """Other people on the seats of a running game."""

    game_id: str
    document: str
    people: set[str]


@dataclass(slots=True)
class Append(Write):
    """The action that makes a game's ply one more, the game's end, or both; only if the game stands at that ply and has not ended."""

    game_id: str
    ply: int
    action: ActionRow | None
    finish: Finish | None
    result: str | None  # the finish's, as JSON text


@dataclass(slots=True)
class TakeBack(Write):
    """The removal of a running, unrated game's actions from a ply on; with `ply`, only if the game stands there."""

    game_id: str
    from_ply: int
    ply: int | None
    save: SaveRoom | None = None  # the room as it is then


@dataclass(slots=True)
class Change(Write):
    """A rare change of anything else: `work` does it, after all others of its group, and says whether it could."""

    work: Callable[[Connection], bool]


# Built once, because building and recognizing a statement costs SQLAlchemy more than executing it.
_IDS: BindParameter[str] = bindparam("ids", expanding=True)
_ADD_PERSON, _ADD_ROOM, _ADD_GAME, _ADD_PLAYER = insert(person), insert(room), insert(game), insert(player)
_ADD_ACTION: dict[str, str] = {}  # as text, by the kind of database
_ADD_RATING, _ADD_STEP, _ADD_CALLED = insert(rating), insert(rating_change), insert(called)
_CALLED = select(called.c.folded, called.c.person_id).where(called.c.folded.in_(_IDS))
_ROOMS = select(room.c.id).where(room.c.id.in_(_IDS)).order_by(room.c.id).with_for_update()
_GAMES = select(game.c.id).where(game.c.id.in_(_IDS))
_RATINGS = select(rating).where(rating.c.person_id.in_(_IDS)).order_by(rating.c.person_id, rating.c.name).with_for_update()
_GONE = select(person.c.id).where(person.c.id.in_(_IDS), person.c.kind == "deleted")
_NEW_NAME = update(person).where(person.c.id == bindparam("key")).values(name=bindparam("to"))
_ROOM = update(room).where(room.c.id == bindparam("key")).values(document=bindparam("to"), updated_at=bindparam("moment"))
_NO_ROOM = delete(room).where(room.c.id == bindparam("key"))
_SEATS = update(game).where(game.c.id == bindparam("key")).values(people=bindparam("to"))
_CUT = delete(action).where(action.c.game_id == bindparam("key"), action.c.ply >= bindparam("from_ply"))
_END = update(game).where(game.c.id == bindparam("key")).values(ended_at=bindparam("moment"), result=bindparam("to"))
_NO_GAME = (
    *(delete(table).where(table.c.game_id == bindparam("key")) for table in (action, player)),
    delete(game).where(game.c.id == bindparam("key")),
)
_COUNTED = update(game).where(game.c.id == bindparam("key")).values(among=bindparam("whom"), counted=bindparam("weight"))
_AGAIN = select(game.c.among, func.count()).where(game.c.among.in_(_IDS), game.c.ended_at > bindparam("since")).group_by(game.c.among)
_FENCES = select(lease.c.room_id, lease.c.fence).where(lease.c.room_id.in_(_IDS)).order_by(lease.c.room_id).with_for_update(key_share=True)
_NO_LEASE = delete(lease).where(lease.c.room_id == bindparam("key"))
_MOVE = update(rating).where(rating.c.person_id == bindparam("key"), rating.c.name == bindparam("of")).values(value=bindparam("to"), games=bindparam("count"))
_LOCK = _GAMES.order_by(game.c.id).with_for_update()
_LAST_PLY = select(func.max(action.c.ply)).where(action.c.game_id == game.c.id).scalar_subquery()
_STANDING = select(game.c.id, game.c.rated, game.c.started_at, game.c.ended_at, _LAST_PLY).where(game.c.id.in_(_IDS))


def perform(db: Connection, writes: Sequence[Write]) -> None:
    """Write a group. Kinds that do not depend on each other go first; what happens to games happens in the order given.

    What has a fence that is no longer the room's is left out.
    """
    writes = _unfenced(db, writes)
    _add_people(db, [write for write in writes if isinstance(write, AddPerson)])
    _rename(db, [write for write in writes if isinstance(write, Rename)])
    _save_rooms(db, [write for write in writes if isinstance(write, SaveRoom)])
    _add_games(db, [write for write in writes if isinstance(write, AddGame)])
    _change_games(db, [write for write in writes if isinstance(write, Append | TakeBack | SetPeople)])
    _save_rooms(db, [write.save for write in writes if isinstance(write, TakeBack) and write.outcome and write.save is not None])
    for write in writes:
        if isinstance(write, Change):
            write.outcome = write.work(db)


def _unfenced(db: Connection, writes: Sequence[Write]) -> Sequence[Write]:
    """Those that may be written. Their rooms can change hands only after this transaction."""
    rooms = sorted({write.fence.room for write in writes if write.fence is not None})
    if not rooms:
        return writes
    numbers = {row.room_id: row.fence for row in db.execute(_FENCES, {"ids": rooms})}
    for write in writes:
        write.fenced = write.fence is not None and numbers.get(write.fence.room) != write.fence.number
    return [write for write in writes if not write.fenced]


def _many(db: Connection, statement: Executable, rows: Sequence[Mapping[str, object]]) -> None:
    if rows:
        db.execute(statement, rows)


def _add_actions(db: Connection, rows: Sequence[tuple[object, ...]]) -> None:
    """Actions, which are most of what is written: their values go to the driver as they are, in the order of the columns."""
    if rows:
        kind = db.dialect.name
        if kind not in _ADD_ACTION:
            _ADD_ACTION[kind] = str(insert(action).compile(dialect=db.dialect))
        db.exec_driver_sql(_ADD_ACTION[kind], list(rows))


def _add_people(db: Connection, writes: list[AddPerson]) -> None:
    if not writes:
        return
    taken = _taken(db, (write.folded for write in writes))
    for write in writes:
        write.outcome = write.folded not in taken
        taken.setdefault(write.folded, write.person.id)
    new = [write for write in writes if write.outcome]
    _many(db, _ADD_PERSON, [asdict(write.person) for write in new])
    _many(db, _ADD_CALLED, [{"folded": write.folded, "person_id": write.person.id} for write in new])


def _taken(db: Connection, wanted: Iterable[str]) -> dict[str, str]:
    """Which of these names are taken, and by whom."""
    return {row.folded: row.person_id for row in db.execute(_CALLED, {"ids": sorted({*wanted})})}


def _rename(db: Connection, writes: list[Rename]) -> None:
    if not writes:
        return
    there = set(db.scalars(select(person.c.id).where(person.c.id.in_({write.id for write in writes}))))
    taken = _taken(db, (write.folded for write in writes))
    for write in writes:
        write.outcome = write.id in there and taken.get(write.folded, write.id) == write.id
        if write.outcome:
            db.execute(delete(called).where(called.c.person_id == write.id))
            db.execute(_ADD_CALLED, [{"folded": write.folded, "person_id": write.id}])
            taken[write.folded] = write.id
    _many(db, _NEW_NAME, [{"key": write.id, "to": write.name} for write in writes if write.outcome])


def _save_rooms(db: Connection, writes: list[SaveRoom]) -> None:
    if not writes:
        return
    last = {write.id: write for write in writes}  # of several writes of one room, only the last is worth writing
    there = set(db.scalars(_ROOMS, {"ids": sorted(last)}))
    gone = [write.id for write in last.values() if write.document is None]
    kept = [write for write in last.values() if write.document is not None]
    _many(db, _NO_ROOM, [{"key": id} for id in gone])
    _many(db, _NO_LEASE, [{"key": id} for id in gone if last[id].fence is not None])
    _many(db, _ROOM, [{"key": write.id, "to": write.document, "moment": write.at} for write in kept if write.id in there])
    _many(db, _ADD_ROOM, [{"id": write.id, "document": write.document, "updated_at": write.at} for write in kept if write.id not in there])
    for write in writes:
        write.outcome = True


def _add_games(db: Connection, writes: list[AddGame]) -> None:
    if not writes:
        return
    there = set(db.scalars(_GAMES, {"ids": sorted({write.id for write in writes})}))
    for write in writes:
        write.outcome = write.id not in there
        there.add(write.id)
    new = [write for write in writes if write.outcome]
    _many(db, _ADD_GAME, [write.row for write in new])
    players = ({"game_id": write.id, "person_id": id, "started_at": write.row["started_at"]} for write in new for id in sorted(write.people))
    _many(db, _ADD_PLAYER, list(players))
    _add_actions(db, [_columns(write.id, ply, action) for write in new for ply, action in enumerate(write.actions)])


@dataclass(slots=True)
class _Standing:
    """Where a game stands: in the database (stored), and after the writes of this group looked at so far."""

    rated: bool
    started_at: int
    stored: int
    ply: int
    ended: bool


def _standings(db: Connection, ids: Iterable[str]) -> dict[str, _Standing]:
    """Where games stand. Where several processes write, locking comes first, so that what is read then cannot change any more."""
    wanted = {"ids": sorted(set(ids))}
    if db.dialect.name != "sqlite":  # which lets one process write at a time anyway
        db.execute(_LOCK, wanted)
    found = db.execute(_STANDING, wanted)
    plies = ((id, rated, started_at, ended_at, 0 if last is None else last + 1) for id, rated, started_at, ended_at, last in found)
    return {id: _Standing(rated, started_at, ply, ply, ended_at is not None) for id, rated, started_at, ended_at, ply in plies}


def _change_games(db: Connection, writes: list[Append | TakeBack | SetPeople]) -> None:
    if not writes:
        return
    games = _standings(db, (write.game_id for write in writes))
    added: dict[tuple[str, int], tuple[object, ...]] = {}
    cut: dict[str, int] = {}
    for write in writes:
        at = games.get(write.game_id)
        if at is None or at.ended:
            write.outcome = False
        elif isinstance(write, Append):
            write.outcome = write.ply == at.ply
            if write.outcome and write.action is not None:
                added[write.game_id, write.ply] = _columns(write.game_id, write.ply, write.action)
                at.ply += 1
            at.ended = write.outcome and write.finish is not None
        elif isinstance(write, TakeBack):
            write.outcome = not at.rated and 0 <= write.from_ply < at.ply and write.ply in (None, at.ply)
            if write.outcome:
                for ply in range(write.from_ply, at.ply):
                    added.pop((write.game_id, ply), None)
                cut[write.game_id] = min(write.from_ply, cut.get(write.game_id, write.from_ply))
                at.ply = write.from_ply
        else:
            write.outcome = True
    _many(db, _CUT, [{"key": id, "from_ply": ply} for id, ply in cut.items() if ply < games[id].stored])
    _add_actions(db, list(added.values()))
    done = [write for write in writes if write.outcome]
    _set_people(db, [write for write in done if isinstance(write, SetPeople)], games)
    _finish(db, [write for write in done if isinstance(write, Append) and write.finish is not None])


def _columns(game_id: str, ply: int, row: ActionRow) -> tuple[object, ...]:
    return game_id, ply, row.text, row.seat, row.at, row.started_at, row.charged, row.forgiven, row.forced


def _set_people(db: Connection, writes: list[SetPeople], games: dict[str, _Standing]) -> None:
    if not writes:
        return
    _many(db, _SEATS, [{"key": write.game_id, "to": write.document} for write in writes])
    known = db.execute(select(player.c.game_id, player.c.person_id).where(player.c.game_id.in_({write.game_id for write in writes})))
    new = {(write.game_id, id) for write in writes for id in write.people} - {(game_id, id) for game_id, id in known}
    _many(db, _ADD_PLAYER, [{"game_id": key, "person_id": id, "started_at": games[key].started_at} for key, id in sorted(new)])


def _finish(db: Connection, writes: list[Append]) -> None:
    """End games and move ratings, from what they are at this moment; a game that is not worth keeping goes."""
    ends = [(write.game_id, write.result, write.finish) for write in writes if write.finish is not None]
    _many(db, _END, [{"key": id, "moment": finish.at, "to": result} for id, result, finish in ends if finish.kept])
    for statement in _NO_GAME:
        _many(db, statement, [{"key": id} for id, _, finish in ends if not finish.kept])
    people = {id for _, _, finish in ends for id in finish.changes}
    if not people:
        return
    there = {(row.person_id, row.name): (row.value, row.games) for row in db.execute(_RATINGS, {"ids": sorted(people)})}
    gone = set(db.scalars(_GONE, {"ids": sorted(people)}))  # whoever has left for good has no rating any more
    now = dict(there)
    counts = _counts(db, [finish for _, _, finish in ends])
    for (game_id, _, finish), (_, share) in zip(ends, counts, strict=True):
        finish.moved.clear()  # a group that failed is tried once more
        finish.counted[:] = [share] if finish.changes else []
        for id, (name, change) in finish.changes.items():
            if id in gone:
                continue
            before, games = now.get((id, name), (FIRST_RATING, 0))
            after = before + share * change
            now[id, name] = (after, games + 1)
            finish.moved.append(RatingChange(game_id, id, name, before, after, finish.at))
    moved = [(key, value) for key, value in now.items() if there.get(key) != value]
    _many(db, _MOVE, [{"key": id, "of": name, "to": value, "count": games} for (id, name), (value, games) in moved if (id, name) in there])
    new = [{"person_id": id, "name": name, "value": value, "games": games} for (id, name), (value, games) in moved if (id, name) not in there]
    _many(db, _ADD_RATING, new)
    _many(db, _ADD_STEP, [asdict(step) for _, _, finish in ends for step in finish.moved])
    _many(db, _COUNTED, [{"key": id, "whom": whom, "weight": share} for (id, _, finish), (whom, share) in zip(ends, counts, strict=True) if finish.counted])


def weight(before: int) -> float:
    """How much a game counts when the same people have played so many that count within a day: from the fourth on, half of the one before.

    >>> [weight(before) for before in range(6)]
    [1.0, 1.0, 1.0, 0.5, 0.25, 0.125]
    """
    return 0.5 ** max(0, before - FULL_GAMES + 1)


def _counts(db: Connection, ends: list[Finish]) -> list[tuple[str | None, float]]:
    """Among whom each of these games counts, and how much: it is decided here, in one transaction with the end, so that nobody gains by ending many at once.

    The caller holds the ratings of everyone concerned, so no other process counts the same games now.
    """
    among = {whom for finish in ends if finish.changes for whom in finish.among}
    since = min(finish.at for finish in ends) - DAY
    before: dict[str, int] = {row[0]: row[1] for row in db.execute(_AGAIN, {"ids": sorted(among), "since": since})} if among else {}
    counts = []
    for finish in ends:
        whom = max(finish.among, key=lambda whom: before.get(whom, 0), default=None) if finish.changes else None
        counts.append((whom, weight(before.get(whom, 0) if whom else 0)))
        if whom:
            before[whom] = before.get(whom, 0) + 1
    return counts
