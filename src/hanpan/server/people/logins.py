"""Logging in: guests become accounts, accounts are found again, one account may have several ways in."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache
from urllib.parse import urlsplit

from hanpan.core.words import Phrase, say
from hanpan.server.network import linked
from hanpan.server.people import hashing
from hanpan.server.people.identity import People
from hanpan.server.people.jwt_login import JwtLogin
from hanpan.server.people.limits import Limits
from hanpan.server.people.mail import Mail
from hanpan.server.people.oauth import PROVIDERS, Elsewhere, Who
from hanpan.server.people.passwords import MOST, check_password
from hanpan.server.people.prove import Answer, Proving, check_fresh
from hanpan.server.people.second_factor import ByCode, ByPasskey, Second
from hanpan.server.people.sessions import Caller
from hanpan.server.people.tokens import new_id, secret_of
from hanpan.server.protocol.names import MOST_LETTERS, proper
from hanpan.server.protocol.refusals import Refused
from hanpan.server.settings import Settings
from hanpan.server.storage.accounts import Login, hashed
from hanpan.server.storage.models import Person
from hanpan.server.storage.store import Store

LINK_SECONDS = 1800.0  # that a link in a mail works
CODE_SECONDS = 600.0  # that a mailed code works
STATE_SECONDS = 600.0  # that a login elsewhere may take
HALF_SECONDS = 600.0  # that a login stays half open
_EMAIL = re.compile(r"[^@\s<>\"]{1,64}@[^@\s<>\"]{1,189}")


@dataclass(frozen=True)
class Half:
    """A login that is half open: who has shown the first factor, by which login, and what is done once they have shown the second. `secret`: the password that
    was chosen by a link; `mark`: of the one that was there before."""

    person: str
    provider: str = ""
    subject: str = ""
    email: str | None = None
    secret: str | None = None
    mark: str = ""


class Logins:
    """Every way into an account."""

    def __init__(self, store: Store, people: People, limits: Limits, settings: Settings, now: Callable[[], int]) -> None:
        self._people, self.limits, self.settings, self._now = people, limits, settings, now
        self.elsewhere, self.jwt, self.mail = Elsewhere(settings), JwtLogin(settings), Mail(settings)
        self.proving = Proving(store.sessions, now)
        self.second = second = Second(store, limits, settings, secret_of(settings.data, settings.secret), now)
        self.proving.ways |= {"password": ByPassword(self), "mail": ByMail(self)}
        self.proving.ways |= {"totp": ByCode(second, "totp"), "passkey": ByPasskey(second), "recovery": ByCode(second, "recovery")}
        self.accounts = store.accounts
        self._nobody = _nobodys_hash()

    def offered(self) -> dict[str, object]:
        """Which logins there are here."""
        titles = {name: PROVIDERS[name].title for name in self.elsewhere.names}
        told = {"email": self.settings.email_login, "elsewhere": titles, "custom": bool(self.jwt), "custom_site": self.settings.token_site}
        return told | {"mail": self.settings.smtp is not None, "contact": self.settings.contact}

    async def enter(self, current: Caller | None, provider: str, who: Who, language: str) -> Person | Half:
        """Someone has shown who they are. A known login leads to its account (half, where that has a second factor), to which a guest's games move; an unknown
        one is attached to whoever asks."""
        known = await self.accounts.login(provider, who.subject)
        if known is None:
            try:
                return await self._attach(current, provider, who, None, language)
            except _Taken:
                return await self.enter(current, provider, who, language)  # someone else was first: then it is known
        return await self._first(current, Half(known.person_id, provider, who.subject, who.email), language)

    async def _first(self, current: Caller | None, half: Half, language: str) -> Person | Half:
        """The first factor is shown; where there is no second, that is all."""
        self._people.check_ban(await self._people.reload(half.person))
        return half if (await self.second.held(half.person)).any else await self.finish(current, half, language)

    async def finish(self, current: Caller | None, half: Half, language: str) -> Person:
        """Everything is shown: a chosen password counts from now on, a guest's games move to the account."""
        account = await self._people.reload(half.person)
        self._people.check_ban(account)
        known = await self.accounts.login(half.provider, half.subject)
        if half.secret is not None:
            if known is None or _mark(known) != half.mark or not await self.accounts.set_secret("email", half.subject, known.secret, half.secret):
                raise Refused("link-used")
            await self._people.log_out_everywhere(account.id)
            self.tell_owner(await self.addresses(account.id), "password", account, language)
            return await self._people.reload(account.id)
        if current is not None and current.person.kind == "guest" and current.person.id != account.id:
            await self._people.move(current.person.id, account.id)
        if known is not None and half.email and half.email != known.email:
            await self.accounts.set_login(half.provider, half.subject, email=half.email)
            if known.email:
                self.tell_owner([known.email], "email", account, language, login=_titled(half.provider, half.email))
        return account

    async def half_open(self, half: Half) -> str:
        """What the browser keeps of a half-open login: it works once, for a while, and opens nothing by itself."""
        return await self.accounts.give_ticket("half", asdict(half), HALF_SECONDS)

    async def half_of(self, token: str | None, use: bool = False) -> Half:
        """The half-open login that a browser keeps; refused when it is over."""
        found = await (self.accounts.use_ticket if use else self.accounts.look_at_ticket)("half", token or "")
        if found is None:
            raise Refused("too-late")
        return Half(found["person"] or "", found["provider"] or "", found["subject"] or "", found["email"], found["secret"], found["mark"] or "")

    async def _attach(self, current: Caller | None, provider: str, who: Who, secret: str | None, language: str) -> Person:
        """A new login for whoever asks: a guest has an account then, an account one login more, of which its owner is told."""
        if current is not None and current.person.kind == "account":
            check_fresh(current, self._now())
        theirs = current.person if current is not None and current.person.kind in ("guest", "account") else None
        mine = theirs or await self._newcomer(who)
        before = await self.addresses(mine.id)
        if not await self.accounts.add_login(provider, who.subject, mine.id, who.email, secret):
            raise _Taken
        if mine.kind == "guest":
            await self._people.log_out_everywhere(mine.id)  # what was given to the guest does not open the account
        else:
            self.tell_owner(before, "login-added", mine, language, login=_titled(provider, who.email))
        return await self._people.reload(mine.id)

    async def remove(self, mine: Person, id: str, language: str) -> None:
        """Close one way into an account, but never the last one; its owner is told."""
        before = await self.addresses(mine.id)
        found = next((login for login in await self.accounts.logins_of(mine.id) if login.id == id), None)
        if found is None:
            raise Refused("no-such-login", provider="?")
        if not await self.accounts.remove_login(mine.id, found.provider, found.subject):
            raise Refused("last-login")
        self.tell_owner(before, "login-removed", mine, language, login=_titled(found.provider, found.email))

    # --- telling the owner ---

    async def addresses(self, person_id: str) -> list[str]:
        """Where someone can be reached."""
        return list(dict.fromkeys(login.email for login in await self.accounts.logins_of(person_id) if login.email))

    def tell_owner(self, addresses: list[str], what: str, person: Person, language: str, **values: str | int) -> None:
        """Mail to where someone could be reached before a change that a thief might have made; `what` is under `login.told-` in the words."""
        for address in addresses:
            self.mail.tell_owner(address, what, person.name, language, **values)

    # --- e-mail ---

    def send_link(self, kind: str, given: str, current: Caller | None, language: str) -> None:
        """Mail a link to choose a password: for a new account ("verify") or a known one ("reset"). Whoever asks is not told which addresses are known,
        not even by the time it takes: all that is done apart."""
        email = self._address(given)
        if kind == "verify" and current is not None and current.person.kind == "account":
            check_fresh(current, self._now())
        self.mail.soon(self._send_link(kind, email, current, language))

    async def _send_link(self, kind: str, email: str, current: Caller | None, language: str) -> None:
        known = await self.accounts.login("email", email)
        if (kind == "reset" and known is None) or self.limits.mails.take(email):  # of those before one still works
            return
        if kind == "verify" and known is not None:
            kind = "known"
        asker = current.key if current is not None and kind == "verify" else None
        ticket = await self.accounts.give_ticket("mail", {"email": email, "session": asker, "secret": _mark(known)}, LINK_SECONDS)
        where = linked(self.settings)
        link = f"{where}/login/password?ticket={ticket}&language={language}"
        name = current.person.name if current is not None else say("hanpan", Phrase("login.someone"), language)
        values = {"link": link, "minutes": int(LINK_SECONDS // 60), "name": name, "place": urlsplit(where).netloc}
        subject, text = (say("hanpan", Phrase(f"login.{kind}-{part}", values), language) for part in ("subject", "mail"))
        self.mail.send(email, subject, text)

    async def link_for(self, ticket: str) -> str:
        """The address that a link was mailed to; refused when it, or a newer one, was used, or it is too old."""
        return (await self._linked(ticket))[0]

    async def _linked(self, ticket: str) -> tuple[str, str | None, Login | None]:
        """Address and asking session of a link, and the login that the address has."""
        found = await self.accounts.look_at_ticket("mail", ticket)
        known = await self.accounts.login("email", found["email"] or "") if found is not None else None
        if found is None or found.get("secret", "") != _mark(known):  # the password was chosen since, by another link
            raise Refused("link-used")
        return str(found["email"]), found.get("session"), known

    async def choose_password(self, current: Caller | None, ticket: str, password: str, language: str) -> Person | Half:
        """A password through a mailed link. The account of that address has it from now on, and no older session or link. Where there is none yet, the session
        that asked for the link has the address attached to it; opened anywhere else the link makes an account of the address's own."""
        email, session, known = await self._linked(ticket)
        owner = await self._people.reload(known.person_id) if known is not None else None
        asker = current if current is not None and current.key == session else None
        name = owner.name if owner is not None else asker.person.name if asker is not None else ""
        check_password(password, (name, email))
        secret = await hashing.hash_of(password)
        if await self.accounts.use_ticket("mail", ticket) is None:
            raise Refused("link-used")
        if known is None or owner is None:
            try:
                return await self._attach(asker, "email", Who(email, None, email), secret, language)
            except _Taken:
                raise Refused("link-used") from None
        return await self._first(current, Half(owner.id, "email", email, None, secret, _mark(known)), language)

    async def by_password(self, current: Caller | None, given: str, password: str, language: str) -> Person | Half:
        """Log in by e-mail. A wrong password and an unknown address are answered alike, and take the same time."""
        email = given.strip().lower()
        known = await self.accounts.login("email", email)
        right = await self.is_password(known, password)
        if known is None or not right:
            raise Refused("wrong-login")
        return await self.enter(current, "email", Who(email, None, email), language)

    async def is_password(self, known: Login | None, password: str) -> bool:
        """Whether it is a login's password; that takes the same time where there is none."""
        hash = known.secret if known is not None and known.secret is not None else self._nobody
        right = await hashing.matches(password[:MOST], hash)
        return right and known is not None and known.secret is not None

    async def email_logins(self, person: Person) -> list[Login]:
        """Someone's logins by e-mail, oldest first."""
        return [login for login in await self.accounts.logins_of(person.id) if login.provider == "email"]

    def _address(self, given: str) -> str:
        if not self.settings.email_login:
            raise Refused("no-such-login", provider="email")
        email = given.strip().lower()
        if not _EMAIL.fullmatch(email) or not email.isprintable():
            raise Refused("bad-email")
        return email

    # --- elsewhere ---

    async def set_out(self, provider: str, to: str) -> tuple[str, str]:
        """Send someone to log in elsewhere: the address, and the state that must come back from there with the same browser, once."""
        state = new_id(32)
        address, known = await self.elsewhere.begin(provider, self._back(provider), state)
        await self.accounts.remember("oauth", state, {"provider": provider, "to": to, **known}, STATE_SECONDS)
        return address, state

    async def come_back(self, current: Caller | None, provider: str, state: str, code: str | None, language: str) -> tuple[Person | Half, str]:
        """Someone comes back from elsewhere, and goes on to a page of ours; without a code, they were refused there or did not want to."""
        known = await self.accounts.use_ticket("oauth", state)
        if known is None or known["provider"] != provider:
            raise Refused("link-used")
        if code is None:
            raise Refused("login-refused", provider=PROVIDERS[provider].title)
        who = await self.elsewhere.finish(provider, self._back(provider), code, known)
        return await self.enter(current, provider, who, language), known.get("to") or "/"

    def _back(self, provider: str) -> str:
        return f"{self.settings.public}/login/{provider}/callback"

    async def by_jwt(self, current: Caller | None, token: str, language: str) -> Person | Half:
        """Log in with a token of the operator's own site; each works once."""
        who, seconds = self.jwt.read(token)
        if not await self.accounts.remember("custom", token, {}, seconds):
            raise Refused("link-used")
        return await self.enter(current, "custom", who, language)

    async def _newcomer(self, who: Who) -> Person:
        return await self._people.newcomer(preferred=_name(who))


class _Taken(Exception):
    """A login that leads somewhere already."""


class ByPassword:
    """Proving by the account's password."""

    second = False

    def __init__(self, logins: Logins) -> None:
        self._logins = logins

    async def offered(self, person: Person) -> bool:
        """Whoever has one."""
        return bool(await self._logins.email_logins(person))

    async def begin(self, caller: Caller, language: str) -> dict[str, object]:
        """Nothing must happen first."""
        return {}

    async def check(self, caller: Caller, answer: Answer) -> bool:
        """Whether it is their password (of one of their addresses)."""
        theirs = await self._logins.email_logins(caller.person)
        return isinstance(answer, str) and any([await self._logins.is_password(login, answer) for login in theirs])


class ByMail:
    """Proving by a code that is mailed to the account's own address and typed where it was asked for: it opens nothing anywhere else."""

    second = False

    def __init__(self, logins: Logins) -> None:
        self._logins = logins

    async def offered(self, person: Person) -> bool:
        """Whoever has an address that we know to be theirs."""
        return bool(await self._logins.email_logins(person))

    async def begin(self, caller: Caller, language: str) -> dict[str, object]:
        """Mail the code to the oldest of their addresses."""
        logins = self._logins
        to, code = (await logins.email_logins(caller.person))[0].subject, new_id(6)
        logins.limits.mails.check(f"{to} code")  # apart from links, which anybody can ask for
        await logins.accounts.remember("prove", f"{caller.key} {code}", {}, CODE_SECONDS)
        told = {"name": caller.person.name, "place": urlsplit(linked(logins.settings)).netloc, "code": code, "minutes": int(CODE_SECONDS // 60)}
        logins.mail.send(to, *(say("hanpan", Phrase(f"login.prove-{part}", told), language) for part in ("subject", "mail")))
        return {"email": to}

    async def check(self, caller: Caller, answer: Answer) -> bool:
        """Whether it is a code that this session was mailed; each works once."""
        given = answer.strip().lower()[:20] if isinstance(answer, str) else ""
        return await self._logins.accounts.use_ticket("prove", f"{caller.key} {given}") is not None


def _mark(known: Login | None) -> str:
    """What a link remembers of the password that was there when it was made: after that has changed it is worthless."""
    return hashed(known.secret or "") if known is not None else ""


def _titled(provider: str, email: str | None) -> str:
    """A login as its owner knows it."""
    title = PROVIDERS[provider].title if provider in PROVIDERS else "" if provider == "email" else "⚿"
    return " · ".join(part for part in (title, email) if part)


def _name(who: Who) -> str:
    """What the other site calls them, if one may be called that here."""
    try:
        return proper(" ".join((who.name or "").split())[:MOST_LETTERS].strip())
    except ValueError:
        return ""


@cache
def _nobodys_hash() -> str:
    """What a password is compared with where there is no login. Made once a process, since it takes a while, as every hash does."""
    return hashing.HASHER.hash("nobody's password")
