"""Accounts in the storage: the ways into them, tickets that work once, one person becoming another, leaving for good."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, delete, func, insert, select, update

from hanpan.server.storage.database import Reader, dump
from hanpan.server.storage.models import Person, Ticket
from hanpan.server.storage.tables import (
    LEFT,
    act,
    block,
    called,
    game,
    login,
    passkey,
    person,
    player,
    proposal,
    rating,
    rating_change,
    recovery,
    report,
    said,
    session,
    ticket,
    totp,
    trace,
)
from hanpan.server.storage.writer import Writer
from hanpan.server.storage.writes import Change


@dataclass(frozen=True, slots=True)
class Login:
    """One way into an account. `secret` is a hash."""

    provider: str
    subject: str
    person_id: str
    email: str | None
    secret: str | None
    created_at: int

    @property
    def id(self) -> str:
        """What this login is called in addresses."""
        return hashed(f"{self.provider} {self.subject}")[:16]


class Accounts:
    """Logins and tickets, and what happens to people as a whole."""

    def __init__(self, reader: Reader, writer: Writer, now: Callable[[], int]) -> None:
        self._reader, self._writer, self._now = reader, writer, now

    async def change(self, person_id: str, **columns: str | int | None) -> bool:
        """Change columns of a person."""
        return await self._writer.write(Change(lambda db: db.execute(update(person).where(person.c.id == person_id).values(**columns)).rowcount == 1))

    async def raise_version(self, person_id: str) -> None:
        """Make the tokens worthless that a person came back with before there were sessions."""
        new = update(person).where(person.c.id == person_id).values(token_version=person.c.token_version + 1)
        await self._writer.write(Change(lambda db: db.execute(new).rowcount == 1))

    # --- logins ---

    async def login(self, provider: str, subject: str) -> Login | None:
        """The way into an account that someone from there has."""
        query = select(login).where(login.c.provider == provider, login.c.subject == subject)
        return await self._reader.row(Login, query)

    async def logins_of(self, person_id: str) -> list[Login]:
        """All ways into an account, oldest first."""
        query = select(login).where(login.c.person_id == person_id).order_by(login.c.created_at, login.c.provider)
        return await self._reader.rows(Login, query)

    async def add_login(self, provider: str, subject: str, person_id: str, email: str | None = None, secret: str | None = None) -> bool:
        """A further way into an account, which a guest thereby has; False when that way leads somewhere already."""

        row = {"provider": provider, "subject": subject, "person_id": person_id, "email": email, "secret": secret, "created_at": self._now()}

        def work(db: Connection) -> bool:
            if db.execute(select(login.c.person_id).where(login.c.provider == provider, login.c.subject == subject)).first():
                return False
            db.execute(insert(login), [row])
            db.execute(update(person).where(person.c.id == person_id, person.c.kind == "guest").values(kind="account"))
            return True

        return await self._writer.write(Change(work))

    async def set_login(self, provider: str, subject: str, **columns: str | None) -> bool:
        """Another e-mail address or secret of a login."""
        new = update(login).where(login.c.provider == provider, login.c.subject == subject).values(**columns)
        return await self._writer.write(Change(lambda db: db.execute(new).rowcount == 1))

    async def set_secret(self, provider: str, subject: str, old: str | None, new: str) -> bool:
        """Another secret of a login, if it still has the old one."""
        mine = login.c.provider == provider, login.c.subject == subject, login.c.secret.is_not_distinct_from(old)
        return await self._writer.write(Change(lambda db: db.execute(update(login).where(*mine).values(secret=new)).rowcount == 1))

    async def remove_login(self, person_id: str, provider: str, subject: str) -> bool:
        """Close one way into an account, but never the last one."""

        def work(db: Connection) -> bool:
            this = login.c.person_id == person_id, login.c.provider == provider, login.c.subject == subject
            db.execute(select(person.c.id).where(person.c.id == person_id).with_for_update())  # two at once would each count the other
            ways = db.scalar(select(func.count()).select_from(login).where(login.c.person_id == person_id))
            return ways is not None and ways > 1 and db.execute(delete(login).where(*this)).rowcount == 1

        return await self._writer.write(Change(work))

    async def bots_of(self, owner_id: str) -> list[Person]:
        """The bots that someone answers for."""
        query = select(person).where(person.c.owner_id == owner_id, person.c.kind == "bot").order_by(person.c.created_at, person.c.id)
        return await self._reader.rows(Person, query)

    async def set_bot_token(self, bot_id: str, token: str, scopes: str | None) -> None:
        """The one token that opens a bot's account from now on, and what it may do. Whoever came in with an older one is of an older version."""
        row = {"provider": "bot", "subject": hashed(token), "person_id": bot_id, "email": None, "secret": None, "created_at": self._now()}

        def work(db: Connection) -> bool:
            db.execute(delete(login).where(login.c.person_id == bot_id, login.c.provider == "bot"))
            db.execute(insert(login), [row])
            db.execute(update(person).where(person.c.id == bot_id).values(scopes=scopes, token_version=person.c.token_version + 1))
            return True

        await self._writer.write(Change(work))

    async def bot_of(self, token: str) -> Person | None:
        """The bot whose token this is, as it is at the moment in which the token is."""
        query = select(person).join(login, login.c.person_id == person.c.id).where(login.c.provider == "bot", login.c.subject == hashed(token))
        return await self._reader.row(Person, query)

    async def find(self, name: str, limit: int = 50) -> list[Person]:
        """People whose name has this in it: those who are called just so, then whoever came last."""
        called, wanted = func.lower(person.c.name), name.lower()
        query = select(person).where(called.contains(wanted, autoescape=True)).order_by((called == wanted).desc(), person.c.created_at.desc()).limit(limit)
        return await self._reader.rows(Person, query)

    # --- tickets ---

    async def give_ticket(self, kind: str, document: Mapping[str, str | None], seconds: float) -> str:
        """Something that works once within this time; what is given to its holder."""
        token = secrets.token_urlsafe(24)
        await self.remember(kind, token, document, seconds)
        return token

    async def remember(self, kind: str, token: str, document: Mapping[str, str | None], seconds: float) -> bool:
        """Keep something under a token of the caller's; False when it is there already. What is past is swept away."""
        now = self._now()
        row = {"id": hashed(token), "kind": kind, "document": dump(document), "expires_at": now + int(seconds * 1000)}

        def work(db: Connection) -> bool:
            db.execute(delete(ticket).where(ticket.c.expires_at < now))
            if db.execute(select(ticket.c.id).where(ticket.c.id == row["id"])).first():
                return False
            db.execute(insert(ticket), [row])
            return True

        return await self._writer.write(Change(work))

    async def look_at_ticket(self, kind: str, token: str) -> Ticket | None:
        """What a ticket says, without using it."""
        query = select(ticket.c.document).where(ticket.c.id == hashed(token), ticket.c.kind == kind, ticket.c.expires_at >= self._now())
        return await self._reader.row(Ticket, query)

    async def use_ticket(self, kind: str, token: str) -> Ticket | None:
        """What a ticket says; only the first who asks, in time, is told."""
        found: list[Ticket] = []
        mine = ticket.c.id == hashed(token), ticket.c.kind == kind, ticket.c.expires_at >= self._now()

        def work(db: Connection) -> bool:
            found[:] = list(db.scalars(select(ticket.c.document).where(*mine).with_for_update()))
            return db.execute(delete(ticket).where(*mine)).rowcount == 1

        return found[0] if await self._writer.write(Change(work)) else None

    # --- whole people ---

    async def move(self, guest: str, account: str) -> None:
        """A guest's games, blocks, reports and messages become an account's; the guest's rating is dropped, and nobody comes back as the guest."""
        await self._writer.write(Change(lambda db: _move(db, guest, account)))

    async def forget(self, person_id: str, name: str) -> None:
        """Delete everything about a person, and the bots they answer for. Their games stay with those they played with, under another name; a report stays
        while it is open and its other person is there (`StoredModeration.close_report`); what operators did stays in their log, without names."""

        def work(db: Connection) -> bool:
            ids = [person_id, *db.scalars(select(person.c.id).where(person.c.owner_id == person_id))]
            for table in (login, session, totp, passkey, recovery, block, rating, rating_change, said, called, trace):
                db.execute(delete(table).where(table.c.person_id.in_(ids)))
            db.execute(delete(block).where(block.c.blocked_id.in_(ids)))
            gone = {"name": name, "kind": "deleted", "role": None, "owner_id": None, "token_version": person.c.token_version + 1}
            db.execute(update(person).where(person.c.id.in_(ids)).values(**gone))
            theirs = report.c.person_id.in_(ids) | report.c.about_id.in_(ids)
            db.execute(delete(report).where(theirs, report.c.closed_at.is_not(None) | (report.c.person_id.in_(LEFT) & report.c.about_id.in_(LEFT))))
            db.execute(delete(proposal).where(proposal.c.target.in_(ids)))
            for row in db.execute(select(act.c.id, act.c.document).where(act.c.target.in_(ids))).all():
                kept = {key: value for key, value in row.document.items() if key not in ("name", "before")}  # what operators called them, and they were called
                db.execute(update(act).where(act.c.id == row.id).values(document=dump(kept)))
            return True

        await self._writer.write(Change(work))


def _move(db: Connection, guest: str, account: str) -> bool:
    both = set(db.scalars(select(player.c.game_id).where(player.c.person_id == account)))
    mine = list(db.scalars(select(player.c.game_id).where(player.c.person_id == guest)))
    db.execute(delete(player).where(player.c.person_id == guest, player.c.game_id.in_([id for id in mine if id in both])))
    db.execute(update(player).where(player.c.person_id == guest).values(person_id=account))
    for id in mine:
        people = db.scalar(select(game.c.people).where(game.c.id == id))
        moved = [{key: account if value == guest else value for key, value in seat.items()} for seat in people or ()]
        db.execute(update(game).where(game.c.id == id).values(people=dump(moved)))
    for table in (rating_change, rating, session):
        db.execute(delete(table).where(table.c.person_id == guest))
    db.execute(delete(block).where(block.c.person_id.in_([guest, account]), block.c.blocked_id.in_([guest, account])))  # nobody blocks themselves
    for moved_id, other_id in ((block.c.person_id, block.c.blocked_id), (block.c.blocked_id, block.c.person_id)):
        known = list(db.scalars(select(other_id).where(moved_id == account)))
        db.execute(delete(block).where(moved_id == guest, other_id.in_(known)))
        db.execute(update(block).where(moved_id == guest).values({moved_id: account}))
    db.execute(update(report).where(report.c.person_id == guest).values(person_id=account))
    db.execute(update(report).where(report.c.about_id == guest).values(about_id=account))
    db.execute(update(said).where(said.c.person_id == guest).values(person_id=account))
    for table in (called, trace):
        db.execute(delete(table).where(table.c.person_id == guest))
    db.execute(update(person).where(person.c.id == guest).values(kind="moved", token_version=person.c.token_version + 1))
    return True


def hashed(token: str) -> str:
    """What is kept of a token: long random ones need no slow hash."""
    return hashlib.sha256(token.encode()).hexdigest()
