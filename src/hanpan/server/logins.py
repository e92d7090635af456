"""Logging in: guests become accounts, accounts are found again, one account may have several ways in."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from pwdlib import PasswordHash

from hanpan.server.custom import CustomTokens
from hanpan.server.house import House
from hanpan.server.mail import Mail
from hanpan.server.names import MOST_LETTERS, proper
from hanpan.server.oauth import PROVIDERS, Elsewhere, Who
from hanpan.server.refused import Refused
from hanpan.server.settings import Settings
from hanpan.server.storage.models import Person
from hanpan.words import Phrase, say

LINK_SECONDS = 1800.0  # that a link in a mail works
STATE_SECONDS = 600.0  # that a login elsewhere may take
LEAST_PASSWORD, MOST_PASSWORD = 8, 200
_EMAIL = re.compile(r"[^@\s<>\"]{1,64}@[^@\s<>\"]{1,189}")


@dataclass(frozen=True)
class Link:
    """What a link in a mail is for."""

    kind: str
    email: str


class Logins:
    """Every way into an account."""

    def __init__(self, house: House, settings: Settings) -> None:
        self.house, self.settings = house, settings
        self.elsewhere, self.custom, self.mail = Elsewhere(settings), CustomTokens(settings), Mail(settings)
        self._accounts = house.store.accounts
        self._hasher = PasswordHash.recommended()
        self._nobody = self._hasher.hash("nobody's password")

    def offered(self) -> dict[str, object]:
        """Which logins there are here."""
        titles = {name: PROVIDERS[name].title for name in self.elsewhere.names}
        told = {"email": self.settings.email_login, "elsewhere": titles, "custom": bool(self.custom), "custom_site": self.settings.token_site}
        return told | {"mail": self.settings.smtp is not None, "contact": self.settings.contact}

    async def enter(self, current: Person | None, provider: str, who: Who, secret: str | None = None) -> Person:
        """Someone has shown who they are. A known login leads to its account, to which a guest's games move; an unknown one is attached to whoever asks."""
        known = await self._accounts.login(provider, who.subject)
        if known is None:
            mine = current if current is not None and current.kind in ("guest", "account") else await self._newcomer(who)
            if not await self._accounts.add_login(provider, who.subject, mine.id, who.email, secret):
                return await self.enter(current, provider, who, secret)  # someone else was first: then it is known
            if mine.kind == "guest":
                await self._accounts.raise_version(mine.id)  # what was given to the guest does not open the account
                await self.house.outlet.disconnect(mine.id, Refused("unauthorized"))
            return await self.house.reload(mine.id)
        account = await self.house.reload(known.person_id)
        self.house.check_ban(account)
        if current is not None and current.kind == "guest" and current.id != account.id:
            await self.house.move(current.id, account.id)
        if who.email and who.email != known.email:
            await self._accounts.set_login(provider, who.subject, email=who.email)
        return account

    # --- e-mail ---

    async def send_link(self, kind: str, given: str, current: Person | None, language: str) -> None:
        """Mail a link to choose a password: for a new account ("verify") or a known one ("reset"). Whoever asks is not told which addresses are known."""
        email = self._address(given)
        known = await self._accounts.login("email", email)
        if kind == "verify" and known is not None:
            kind = "known"
        if kind == "reset" and known is None:
            return
        asker = current.id if current is not None and kind == "verify" else None
        ticket = await self._accounts.give_ticket("mail", {"email": email, "person": asker, "new": kind == "verify"}, LINK_SECONDS)
        link = f"{self.settings.public}/login/password?ticket={ticket}&language={language}"
        name = current.name if current is not None else say("hanpan", Phrase("login.someone"), language)
        values = {"link": link, "minutes": int(LINK_SECONDS // 60), "name": name, "place": urlsplit(self.settings.public).netloc}
        subject, text = (say("hanpan", Phrase(f"login.{kind}-{part}", values), language) for part in ("subject", "mail"))
        self.mail.send(email, subject, text)

    async def link_for(self, ticket: str) -> str:
        """The address that a link was mailed to; refused when it was used, or is too old."""
        found = await self._accounts.look_at_ticket("mail", ticket)
        if found is None:
            raise Refused("link-used")
        return str(found["email"])

    async def choose_password(self, ticket: str, password: str) -> Person:
        """A password through a mailed link: the account it belongs to, from now on with this password and no older session."""
        if not LEAST_PASSWORD <= len(password) <= MOST_PASSWORD:
            raise Refused("weak-password", least=LEAST_PASSWORD, most=MOST_PASSWORD)
        secret = await asyncio.to_thread(self._hasher.hash, password)
        found = await self._accounts.use_ticket("mail", ticket)
        if found is None:
            raise Refused("link-used")
        email = found["email"]
        if await self._accounts.set_login("email", email, secret=secret):
            known = await self._accounts.login("email", email)
            assert known is not None
            await self.house.log_out_everywhere(known.person_id)
            return await self.house.reload(known.person_id)
        asker = await self.house.store.person(found["person"]) if found["person"] else None
        return await self.enter(asker, "email", Who(email, None, email), secret)

    async def by_password(self, current: Person | None, given: str, password: str) -> Person:
        """Log in by e-mail. A wrong password and an unknown address are answered alike, and take the same time."""
        email = given.strip().lower()
        known = await self._accounts.login("email", email)
        hash = known.secret if known is not None and known.secret is not None else self._nobody
        right = await asyncio.to_thread(self._hasher.verify, password[:MOST_PASSWORD], hash)
        if known is None or not right:
            raise Refused("wrong-login")
        return await self.enter(current, "email", Who(email, None, email))

    def _address(self, given: str) -> str:
        if not self.settings.email_login:
            raise Refused("no-such-login", provider="email")
        email = given.strip().lower()
        if not _EMAIL.fullmatch(email) or not email.isprintable():
            raise Refused("bad-email")
        return email

    # --- elsewhere ---

    async def set_out(self, provider: str) -> tuple[str, str]:
        """Send someone to log in elsewhere: the address, and the state that must come back from there with the same browser, once."""
        state = self.house.new_id(32)
        address, known = await self.elsewhere.begin(provider, self._back(provider), state)
        await self._accounts.remember("oauth", state, {"provider": provider, **known}, STATE_SECONDS)
        return address, state

    async def come_back(self, current: Person | None, provider: str, state: str, code: str | None) -> Person:
        """Someone comes back from elsewhere; without a code, they were refused there or did not want to."""
        known = await self._accounts.use_ticket("oauth", state)
        if known is None or known["provider"] != provider:
            raise Refused("link-used")
        if code is None:
            raise Refused("login-refused", provider=PROVIDERS[provider].title)
        return await self.enter(current, provider, await self.elsewhere.finish(provider, self._back(provider), code, known))

    def _back(self, provider: str) -> str:
        return f"{self.settings.public}/login/{provider}/callback"

    async def by_custom_token(self, current: Person | None, token: str) -> Person:
        """Log in with a token of the operator's own site; each works once."""
        who, seconds = self.custom.read(token)
        if not await self._accounts.remember("custom", token, {}, seconds):
            raise Refused("link-used")
        return await self.enter(current, "custom", who)

    async def _newcomer(self, who: Who) -> Person:
        return await self.house.newcomer(wished=_name(who))


def _name(who: Who) -> str:
    """What the other site calls them, if one may be called that here."""
    try:
        return proper(" ".join((who.name or "").split())[:MOST_LETTERS].strip())
    except ValueError:
        return ""
