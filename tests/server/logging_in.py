"""What the tests of logins share: a mail server and an OpenID provider, each a process of its own on loopback, and a browser without a screen."""

import asyncio
import functools
import json
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import asynccontextmanager
from html import unescape
from pathlib import Path
from urllib.parse import urljoin

import aiohttp
from javascript import FOLDER, node, prepared
from kept import Kept
from serving import PATIENT, free_port

from hanpan.client import COOKIES

MAIL_SERVER = """
import json, sys, time
from email import message_from_bytes, policy
from aiosmtpd.controller import Controller

class Box:
    async def handle_DATA(self, server, session, envelope):
        mail = message_from_bytes(envelope.content, policy=policy.default)
        line = {"to": envelope.rcpt_tos, "subject": mail["Subject"], "text": mail.get_content(), "from": mail["From"]}
        with open(sys.argv[2], "a") as box:
            box.write(json.dumps(line) + "\\n")
        return "250 kept"

Controller(Box(), hostname="127.0.0.1", port=int(sys.argv[1])).start()
print("ready", flush=True)
while True:
    time.sleep(60)
"""


class MailServer:
    """aiosmtpd in a process of its own."""

    def __init__(self, folder):
        self.port, self._box = free_port(), Path(folder) / "mails.jsonl"
        self.url = f"smtp://127.0.0.1:{self.port}"
        self._process = Kept([sys.executable, "-c", MAIL_SERVER, str(self.port), str(self._box)], stdout=subprocess.PIPE, text=True)
        assert self._process.stdout.readline().strip() == "ready"

    def mails(self, to):
        lines = self._box.read_text().split("\n")[:-1] if self._box.exists() else []  # the last one may be half written
        return [mail for mail in map(json.loads, lines) if to in mail["to"]]

    async def mail(self, to, number=1):
        """The newest mail to someone, when so many have come."""
        for _ in range(PATIENT * 20):
            found = self.mails(to)
            if len(found) >= number:
                return found[-1]
            await asyncio.sleep(0.05)
        raise AssertionError(f"no mail for {to}")

    def stop(self):
        self._process.terminate()
        self._process.wait()


class OpenIdProvider:
    """oidc-provider in a Node process of its own; people are sent back to the server at `back`."""

    def __init__(self, back):
        prepared()
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        command = ["node", str(FOLDER / "openid.mjs"), str(self.port), back]
        self._process = Kept(command, env=node.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(PATIENT * 20):
            try:
                urllib.request.urlopen(f"{self.url}/.well-known/openid-configuration", timeout=5).close()
                return
            except (urllib.error.URLError, OSError):
                assert self._process.poll() is None, "the provider has ended"
                time.sleep(0.05)
        raise AssertionError("the provider does not answer")

    def stop(self):
        self._process.terminate()
        self._process.wait()


class Browser:
    """Cookies, redirects and forms."""

    def __init__(self, url, session):
        self.url, self._session = url, session

    async def ask(self, method, path, **more):
        """Status and answer (data, or text) of one request."""
        async with self._session.request(method, urljoin(self.url, path), **more) as answer:
            told = await (answer.json() if answer.content_type == "application/json" else answer.text())
            return answer.status, told

    async def get(self, path, **more):
        status, told = await self.ask("GET", path, **more)
        assert status == 200, told
        return told

    async def post(self, path, **body):
        status, told = await self.ask("POST", path, json=body)
        assert status < 300, told
        return told

    async def landed(self, path):
        """Where an address sends the browser."""
        async with self._session.get(urljoin(self.url, path), allow_redirects=False) as answer:
            assert answer.status == 303, answer.status
            return answer.headers["location"]

    async def refused(self, method, path, body=None):
        """The code of a refusal."""
        status, told = await self.ask(method, path, json=body)
        assert 400 <= status < 500, (status, told)
        assert told["text"]
        return told["code"]

    async def log_in_elsewhere(self, provider, account, consent=True):
        """Follow the way through the other site's forms; where it leads, every address on the way, and the last page."""
        address, form, way = urljoin(self.url, f"/login/{provider}"), None, []
        for _ in range(20):
            async with self._session.request("POST" if form else "GET", address, data=form, allow_redirects=False) as answer:
                way.append((address, answer.status))
                if answer.status in (302, 303):
                    address, form = urljoin(address, answer.headers["location"]), None
                    if address == f"{self.url}/":
                        return address, way, ""
                    continue
                text = await answer.text()
            if address.startswith(self.url):
                return address, way, text
            if not consent:
                address, form = urljoin(address, unescape(re.search(r'href="([^"]*abort)"', text).group(1))), None
                continue
            action = unescape(re.search(r'action="([^"]+)"', text).group(1))
            form = {"prompt": "login", "login": account, "password": "x"} if 'name="login"' in text else {"prompt": "consent"}
            address = urljoin(address, action)
        raise AssertionError(way)

    async def me(self):
        return await self.get("/api/me")

    async def has_account(self, server):
        """The guest in this browser has an account from now on, and has just logged in."""
        mine = await server.do(server.services.people.caller, self.token)
        await server.do(server.services.store.accounts.add_login, "custom", f"login of {mine.person.id}", mine.person.id)
        await server.do(server.services.people.reload, mine.person.id)
        await server.do(functools.partial(server.services.people.sessions.stored.change, mine.key, proved_at=server.services.now()))

    @property
    def token(self):
        """What the browser keeps, and no script in it can read."""
        return next((cookie.value for cookie in self._session.cookie_jar if cookie.key in COOKIES), "")


@asynccontextmanager
async def browser(url):
    """A browser that knows nobody here yet."""
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        yield Browser(url, session)


async def bot_account(server, name="Robbie"):
    """A bot's id and token, as its logged-in owner gets them."""
    async with browser(server.url) as owner:
        await owner.post("/api/guest")
        assert await owner.refused("POST", "/api/me/bots", {"name": name}) == "account-only"
        await owner.has_account(server)
        made = await owner.post("/api/me/bots", name=name)
        assert [bot["id"] for bot in (await owner.me())["bots"]] == [made["id"]]
        return made["id"], made["token"]
