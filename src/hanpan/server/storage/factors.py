"""Second factors in the storage: the secret of a code app, passkeys, recovery codes. What works once is used up in the step that looks at it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, delete, func, insert, select, update

from hanpan.server.storage.accounts import hashed
from hanpan.server.storage.database import Reader
from hanpan.server.storage.tables import passkey, recovery, totp
from hanpan.server.storage.writer import Writer
from hanpan.server.storage.writes import Change

MOST_PASSKEYS = 20  # that one account may have


@dataclass(frozen=True, slots=True)
class Totp:
    """A code app. `secret` is sealed."""

    person_id: str
    secret: str
    step: int
    created_at: int
    used_at: int | None


@dataclass(frozen=True, slots=True)
class Passkey:
    """A passkey. `credential` and `public_key` are base64url."""

    id: str
    person_id: str
    credential: str
    public_key: str
    counter: int
    name: str
    created_at: int
    used_at: int | None


@dataclass(frozen=True, slots=True)
class Held:
    """What someone can prove themselves by, beside a login."""

    totp: Totp | None
    passkeys: list[Passkey]
    recovery: int  # codes that are left

    @property
    def any(self) -> bool:
        """Whether a second factor is asked for."""
        return self.totp is not None or bool(self.passkeys)

    @property
    def ways(self) -> list[str]:
        """The ways to prove oneself."""
        return [way for way, there in (("totp", self.totp), ("passkey", self.passkeys), ("recovery", self.any and self.recovery)) if there]


class Factors:
    """Second factors of accounts."""

    def __init__(self, reader: Reader, writer: Writer, now: Callable[[], int]) -> None:
        self._reader, self._writer, self._now = reader, writer, now

    async def held(self, person_id: str) -> Held:
        """All of someone's."""
        return await self._reader.read(lambda db: _held(db, person_id))

    async def passkey(self, credential: str) -> Passkey | None:
        """Whose passkey this is."""
        query = select(passkey).where(passkey.c.id == hashed(credential))
        return await self._reader.row(Passkey, query)

    # --- adding ---

    async def add_totp(self, person_id: str, secret: str, step: int, digests: Sequence[str]) -> Held | None:
        """A code app, whose code of this step has been used; with the first factor come recovery codes. What was held before; None: there is one already."""
        row = {"person_id": person_id, "secret": secret, "step": step, "created_at": self._now()}
        return await self._add(person_id, digests, lambda db, before: before.totp is None and db.execute(insert(totp), [row]) is not None)

    async def add_passkey(self, person_id: str, credential: str, public_key: str, counter: int, name: str, digests: Sequence[str]) -> Held | None:
        """A passkey; the same otherwise. None: it is known already, or there are too many."""
        row = {
            "id": hashed(credential), "person_id": person_id, "credential": credential, "public_key": public_key, "counter": counter, "name": name,
            "created_at": self._now(),
        }  # fmt: skip

        def work(db: Connection, before: Held) -> bool:
            known = db.execute(select(passkey.c.id).where(passkey.c.id == row["id"])).first()
            return known is None and len(before.passkeys) < MOST_PASSKEYS and db.execute(insert(passkey), [row]) is not None

        return await self._add(person_id, digests, work)

    async def _add(self, person_id: str, digests: Sequence[str], work: Callable[[Connection, Held], bool]) -> Held | None:
        found: list[Held] = []

        def all_of_it(db: Connection) -> bool:
            found[:] = [_held(db, person_id)]
            if not work(db, found[0]):
                return False
            if not found[0].any:
                _set_codes(db, person_id, digests)
            return True

        return found[0] if await self._writer.write(Change(all_of_it)) else None

    async def set_codes(self, person_id: str, digests: Sequence[str]) -> bool:
        """New recovery codes in place of the old ones; False where nothing is to be recovered."""
        return await self._writer.write(Change(lambda db: _held(db, person_id).any and _set_codes(db, person_id, digests)))

    # --- using ---

    async def use_step(self, person_id: str, step: int) -> bool:
        """A code of this step: it works once, and no older one works after it."""
        new = update(totp).where(totp.c.person_id == person_id, totp.c.step < step).values(step=step, used_at=self._now())
        return await self._writer.write(Change(lambda db: db.execute(new).rowcount == 1))

    async def use_passkey(self, used: Passkey, counter: int) -> bool:
        """A passkey, whose device has counted on; False when it is gone or was used at this very moment."""
        new = update(passkey).where(passkey.c.id == used.id, passkey.c.counter == used.counter).values(counter=counter, used_at=self._now())
        return await self._writer.write(Change(lambda db: db.execute(new).rowcount == 1))

    async def use_code(self, person_id: str, digest: str) -> bool:
        """A recovery code: whoever comes first."""
        gone = delete(recovery).where(recovery.c.person_id == person_id, recovery.c.digest == digest)
        return await self._writer.write(Change(lambda db: db.execute(gone).rowcount == 1))

    # --- removing ---

    async def remove(self, person_id: str, which: str, keep_one: bool) -> str:
        """Remove the code app ("totp") or a passkey by its id: "removed", "last" (where one must be kept) or "none". Recovery codes go with the last."""
        said = ["none"]

        def work(db: Connection) -> bool:
            before = _held(db, person_id)
            mine = [key.id for key in before.passkeys] + (["totp"] if before.totp else [])
            said[0] = "none" if which not in mine else "last" if keep_one and len(mine) == 1 else "removed"
            if said[0] != "removed":
                return False
            if which == "totp":
                db.execute(delete(totp).where(totp.c.person_id == person_id))
            else:
                db.execute(delete(passkey).where(passkey.c.id == which, passkey.c.person_id == person_id))
            if len(mine) == 1:
                db.execute(delete(recovery).where(recovery.c.person_id == person_id))
            return True

        await self._writer.write(Change(work))
        return said[0]

    async def remove_all(self, person_id: str) -> None:
        """Someone has lost everything that they could prove themselves by."""

        def work(db: Connection) -> bool:
            for table in (totp, passkey, recovery):
                db.execute(delete(table).where(table.c.person_id == person_id))
            return True

        await self._writer.write(Change(work))


def _held(db: Connection, person_id: str) -> Held:
    app = db.execute(select(totp).where(totp.c.person_id == person_id)).first()
    keys = db.execute(select(passkey).where(passkey.c.person_id == person_id).order_by(passkey.c.created_at, passkey.c.id))
    left = db.scalar(select(func.count()).select_from(recovery).where(recovery.c.person_id == person_id))
    return Held(Totp(*app) if app else None, [Passkey(*key) for key in keys], left or 0)


def _set_codes(db: Connection, person_id: str, digests: Sequence[str]) -> bool:
    db.execute(delete(recovery).where(recovery.c.person_id == person_id))
    if digests:
        db.execute(insert(recovery), [{"person_id": person_id, "digest": digest} for digest in digests])
    return True
