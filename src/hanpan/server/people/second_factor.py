"""The second factor: a code app, passkeys, recovery codes; proving oneself by one of them, and what someone is told who changes them."""

from __future__ import annotations

import base64
import hmac
import logging
import secrets
from collections.abc import Callable
from dataclasses import dataclass

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from pydantic import ValidationError
from typing_extensions import TypedDict

from hanpan.server.people import totp
from hanpan.server.people.limits import Limits
from hanpan.server.people.passkeys import SECONDS, Made, Passkeys, Used, challenge_in
from hanpan.server.people.prove import Answer
from hanpan.server.people.sessions import Caller
from hanpan.server.protocol.refusals import Refused
from hanpan.server.settings import Settings
from hanpan.server.storage.accounts import hashed
from hanpan.server.storage.factors import Held, Totp
from hanpan.server.storage.models import Person
from hanpan.server.storage.store import Store

log = logging.getLogger("hanpan.logins")
CODES = 10  # recovery codes that are made at a time
_GROUPS, _LETTERS = 4, 4  # of a recovery code: 79 bits, which need no slow hash
_TOTP_SECONDS = 900.0  # that setting up a code app may take
_FAMILIAR_SECONDS = 400 * 86400.0  # that a browser stays familiar


@dataclass(frozen=True)
class Source:
    """Where a proof comes from: what it is bound to (a session's id, the text of a half-open login), the address, and the browser's own cookie."""

    bound: str
    address: str
    browser: str | None = None
    inside: bool = False  # of a session: whoever guesses there, guesses there alone

    @classmethod
    def of(cls, caller: Caller) -> Source:
        """Someone who is logged in."""
        return cls(caller.key, caller.key, None, True)


class ToldApp(TypedDict):
    """A code app: since when, and when it was used last."""

    since: int
    used: int | None


class ToldPasskey(TypedDict):
    """A passkey, as its owner calls it; the same otherwise."""

    id: str
    name: str
    since: int
    used: int | None


class SecondFactors(TypedDict):
    """What someone sees of their own; `recovery`: codes that are left."""

    on: bool
    needed: bool
    totp: ToldApp | None
    passkeys: list[ToldPasskey]
    recovery: int


class Second:
    """Everyone's second factors."""

    def __init__(self, store: Store, limits: Limits, settings: Settings, secret: str, now: Callable[[], int]) -> None:
        self.passkeys, self._now = Passkeys(settings), now
        self._factors, self._accounts, self._limits = store.factors, store.accounts, limits
        self._seal = AESGCM(hmac.digest(secret.encode(), b"hanpan-totp", "sha256"))

    async def held(self, person_id: str) -> Held:
        """What someone has, as the storage knows it at this moment."""
        return await self._factors.held(person_id)

    async def told(self, person: Person) -> SecondFactors:
        """What someone sees of it themselves."""
        held = await self.held(person.id)
        keys = [ToldPasskey(id=key.id, name=key.name, since=key.created_at, used=key.used_at) for key in held.passkeys]
        app = ToldApp(since=held.totp.created_at, used=held.totp.used_at) if held.totp else None
        return {"on": held.any, "needed": person.role == "operator", "totp": app, "passkeys": keys, "recovery": held.recovery}

    # --- a code app ---

    async def begin_totp(self, person: Person, source: Source) -> dict[str, str]:
        """A secret for a code app, shown this once: it counts only after a first code."""
        if (await self.held(person.id)).totp is not None:
            raise Refused("have-totp")
        secret = totp.new_secret()
        document = {"person": person.id, "bound": hashed(source.bound), "secret": self._sealed(person.id, secret)}
        ticket = await self._accounts.give_ticket("totp", document, _TOTP_SECONDS)
        return {"ticket": ticket, "secret": totp.written(secret), "address": totp.address(secret, f"Hanpan ({self.passkeys.place})", person.name)}

    async def add_totp(self, person: Person, source: Source, ticket: str, code: str) -> list[str] | None:
        """The code app has shown its first code. With the first factor come recovery codes, which are told here and never again."""
        begun = await self._accounts.look_at_ticket("totp", ticket)
        if begun is None or begun["person"] != person.id or begun["bound"] != hashed(source.bound):
            raise Refused("too-late")
        await self._slow(person.id, source, by_app=True)
        sealed = begun["secret"] or ""
        secret = self._opened(person.id, sealed)
        step = totp.step_of(secret, _plain(code), self._now() / 1000) if secret is not None else None
        if step is None:
            raise Refused("wrong-code")
        if await self._accounts.use_ticket("totp", ticket) is None:
            raise Refused("too-late")
        codes = new_codes()
        before = await self._factors.add_totp(person.id, sealed, step, [_digest(person.id, each) for each in codes])
        if before is None:
            raise Refused("have-totp")
        return None if before.any else codes

    # --- passkeys ---

    async def begin_passkey(self, person: Person, source: Source) -> dict[str, object]:
        """What the browser is asked to make a passkey."""
        challenge = await self._challenge("make", source, person.id)
        return self.passkeys.to_make(person, challenge, (await self.held(person.id)).passkeys)

    async def add_passkey(self, person: Person, source: Source, name: str, answer: Made) -> list[str] | None:
        """A passkey that the browser has made. Recovery codes as with a code app."""
        challenge = await self._answered("make", source, person.id, answer)
        credential, public_key, counter = self.passkeys.made(answer, challenge)
        codes = new_codes()
        digests = [_digest(person.id, each) for each in codes]
        before = await self._factors.add_passkey(person.id, credential, public_key, counter, name, digests)
        if before is None:
            raise Refused("have-passkey")
        return None if before.any else codes

    async def ask_passkey(self, source: Source, person_id: str | None = None) -> dict[str, object]:
        """What the browser is asked to use a passkey: one of someone's, or (as the only proof) any that it has for this place."""
        challenge = await self._challenge("use" if person_id else "alone", source, person_id)
        return self.passkeys.to_use(challenge, (await self.held(person_id)).passkeys if person_id else (), alone=person_id is None)

    async def by_passkey(self, source: Source, answer: Used, person_id: str | None = None) -> str:
        """Whose passkey was used. Refused where it is not that person's, or the challenge is old, used, or another browser's."""
        challenge = await self._answered("use" if person_id else "alone", source, person_id, answer)
        known = await self._factors.passkey(answer.id)
        if known is None or (person_id is not None and known.person_id != person_id):
            raise Refused("wrong-passkey")
        counter = self.passkeys.used(answer, challenge, known, alone=person_id is None)
        if not await self._factors.use_passkey(known, counter):
            raise Refused("wrong-passkey")
        await self._familiar(known.person_id, source)
        return known.person_id

    async def _challenge(self, purpose: str, source: Source, person_id: str | None) -> str:
        return await self._accounts.give_ticket("passkey", {"for": purpose, "bound": hashed(source.bound), "person": person_id}, SECONDS)

    async def _answered(self, purpose: str, source: Source, person_id: str | None, answer: Made | Used) -> str:
        """The challenge of an answer: one of ours, for this purpose and this browser, which is used up by it."""
        challenge = challenge_in(answer)
        given = await self._accounts.use_ticket("passkey", challenge)
        if given != {"for": purpose, "bound": hashed(source.bound), "person": person_id}:
            raise Refused("too-late")
        return challenge

    # --- codes ---

    async def by_code(self, person_id: str, source: Source, given: str) -> str:
        """Prove oneself by a code of the app ("totp") or a recovery code ("recovery"); each works once."""
        code = _plain(given)
        by_app = len(code) == totp.DIGITS and code.isascii() and code.isdigit()
        await self._slow(person_id, source, by_app)
        held = await self.held(person_id)
        right = held.any and (await self._by_totp(held.totp, code) if by_app else await self._factors.use_code(person_id, _digest(person_id, code)))
        if not right:
            raise Refused("wrong-code")
        await self._familiar(person_id, source)
        return "totp" if by_app else "recovery"

    async def new_codes(self, person_id: str) -> list[str]:
        """Other recovery codes; the old ones work no more."""
        codes = new_codes()
        if not await self._factors.set_codes(person_id, [_digest(person_id, each) for each in codes]):
            raise Refused("no-second")
        return codes

    async def _by_totp(self, app: Totp | None, code: str) -> bool:
        secret = self._opened(app.person_id, app.secret) if app is not None else None
        step = totp.step_of(secret, code, self._now() / 1000) if secret is not None else None
        return app is not None and step is not None and await self._factors.use_step(app.person_id, step)

    # --- removing ---

    async def remove(self, person: Person, which: str) -> None:
        """Remove the code app ("totp") or a passkey; an operator keeps at least one."""
        said = await self._factors.remove(person.id, which, keep_one=person.role == "operator")
        if said != "removed":
            raise Refused("last-second" if said == "last" else "no-second")

    # --- slowing down ---

    async def _slow(self, person_id: str, source: Source, by_app: bool) -> None:
        """Whoever tries many codes on one account from one place waits; the owner elsewhere does not. Of an app's codes three in a million are right, so
        many addresses must not guess together either: then a passkey, a recovery code, and a browser that the account knows go on working."""
        self._limits.tries.check(f"code {person_id} {source.address}")
        if by_app:
            alone = source.bound if source.inside else f"{person_id} {source.browser}" if await self._is_familiar(person_id, source) else person_id
            self._limits.codes.check(alone)

    async def _is_familiar(self, person_id: str, source: Source) -> bool:
        """Whether someone has proved themselves in this browser before."""
        return source.browser is not None and await self._accounts.look_at_ticket("familiar", f"{person_id} {source.browser}") is not None

    async def _familiar(self, person_id: str, source: Source) -> None:
        if source.browser is not None:
            await self._accounts.remember("familiar", f"{person_id} {source.browser}", {}, _FAMILIAR_SECONDS)

    # --- sealing ---

    def _sealed(self, person_id: str, secret: bytes) -> str:
        """A secret as it is stored: only this server opens it, and only for its owner."""
        nonce = secrets.token_bytes(12)
        return base64.urlsafe_b64encode(nonce + self._seal.encrypt(nonce, secret, person_id.encode())).decode()

    def _opened(self, person_id: str, sealed: str) -> bytes | None:
        try:
            kept = base64.urlsafe_b64decode(sealed)
            return self._seal.decrypt(kept[:12], kept[12:], person_id.encode())
        except (InvalidTag, ValueError):
            log.warning("the code app of %s can't be checked: the file `secret` in the data folder is not the one it was set up with", person_id)
            return None


class ByCode:
    """Proving again by a code of the app, or by a recovery code."""

    second = True

    def __init__(self, second: Second, way: str) -> None:
        self._second, self._way = second, way

    async def offered(self, person: Person) -> bool:
        """Whoever has it."""
        return self._way in (await self._second.held(person.id)).ways

    async def begin(self, caller: Caller, language: str) -> dict[str, object]:
        """Nothing must happen first."""
        return {}

    async def check(self, caller: Caller, answer: Answer) -> bool:
        """Whether the code is right; it is used up."""
        given = answer[:40] if isinstance(answer, str) else ""
        return await self._second.by_code(caller.person.id, Source.of(caller), given) == self._way


class ByPasskey:
    """Proving again by a passkey."""

    second = True

    def __init__(self, second: Second) -> None:
        self._second = second

    async def offered(self, person: Person) -> bool:
        """Whoever has one."""
        return bool((await self._second.held(person.id)).passkeys)

    async def begin(self, caller: Caller, language: str) -> dict[str, object]:
        """What the browser is asked."""
        return await self._second.ask_passkey(Source.of(caller), caller.person.id)

    async def check(self, caller: Caller, answer: Answer) -> bool:
        """Whether it is one of theirs."""
        try:
            read = Used.model_validate(answer)
        except ValidationError as wrong:
            raise Refused.because_of_fields(wrong.errors()) from None
        return await self._second.by_passkey(Source.of(caller), read, caller.person.id) == caller.person.id


def new_codes() -> list[str]:
    """Recovery codes as people write them down."""
    letters = "abcdefghjkmnpqrstuvwxyz23456789"  # nothing that is easily misread
    return ["-".join("".join(secrets.choice(letters) for _ in range(_LETTERS)) for _ in range(_GROUPS)) for _ in range(CODES)]


def _plain(code: str) -> str:
    """A code without what people type between its letters."""
    return "".join(code.split()).replace("-", "").lower()


def _digest(person_id: str, code: str) -> str:
    return hashed(f"{person_id} {_plain(code)}")
