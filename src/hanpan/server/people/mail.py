"""Mails: sent through the operator's mail server, or written to the log where there is none."""

from __future__ import annotations

import asyncio
import logging
import smtplib
from collections.abc import Coroutine
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from urllib.parse import unquote, urlsplit

from hanpan.core.words import Phrase, say
from hanpan.server.faults import log_fault
from hanpan.server.network import linked
from hanpan.server.settings import Settings

log = logging.getLogger("hanpan.mail")
_SECONDS = 20.0  # that a mail server may take


class Mail:
    """The way to people's mail boxes. Sending goes on apart: how long it takes tells nobody whether an address is known."""

    def __init__(self, settings: Settings) -> None:
        self._smtp = settings.smtp.get_secret_value() if settings.smtp is not None else None
        self._from, self._settings = settings.mail_from, settings
        self._sending: set[asyncio.Task[None]] = set()

    def send(self, to: str, subject: str, text: str) -> None:
        """Send a mail soon."""
        self.soon(self._deliver(to, subject, text))

    def tell_owner(self, to: str, what: str, name: str, language: str, **values: str | int) -> None:
        """Tell someone that their account was changed; `what` is under `login.told-` in the words."""
        change = say("hanpan", Phrase(f"login.told-{what}", values), language)
        where = linked(self._settings)
        told = {"name": name, "place": urlsplit(where).netloc, "what": change, "link": f"{where}/me"}
        self.send(to, *(say("hanpan", Phrase(f"login.told-{part}", told), language) for part in ("subject", "mail")))

    def soon(self, work: Coroutine[object, None, None]) -> None:
        """Do something about a mail apart from whoever asks for it."""
        task = asyncio.get_running_loop().create_task(self._quietly(work))
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)

    async def _quietly(self, work: Coroutine[object, None, None]) -> None:
        try:
            await work
        except Exception as fault:
            log_fault("a mail could not be sent", fault)

    async def _deliver(self, to: str, subject: str, text: str) -> None:
        if self._smtp is None:
            log.warning("no mail server is set, so this mail is only written here\nTo: %s\nSubject: %s\n\n%s", to, subject, text)
            return
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = self._from, to, subject
        message["Date"], message["Message-ID"] = formatdate(), make_msgid(domain="hanpan.invalid")
        message.set_content(text)
        await asyncio.to_thread(self._hand_over, self._smtp, message)

    def _hand_over(self, url: str, message: EmailMessage) -> None:
        where = urlsplit(url)
        secure = where.scheme == "smtps"
        server = (smtplib.SMTP_SSL if secure else smtplib.SMTP)(where.hostname or "localhost", where.port or (465 if secure else 587), timeout=_SECONDS)
        with server:
            if where.scheme == "smtp+starttls":
                server.starttls()
            if where.username:
                server.login(unquote(where.username), unquote(where.password or ""))
            server.send_message(message)

    async def close(self) -> None:
        """Finish what is on its way."""
        while self._sending:
            _, left = await asyncio.wait(self._sending, timeout=_SECONDS)
            if left:
                return
