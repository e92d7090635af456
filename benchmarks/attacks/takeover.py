"""Attacks on accounts: taking one over, or keeping what was stolen."""

import asyncio
import os
import re
import stat
import time
from contextlib import asynccontextmanager

import aiohttp
from clients import Guest
from joserfc import jwt
from joserfc.jwk import OctKey
from logging_in import Browser

from attacks.field import Fell, Field, scenario
from hanpan.server.storage.store import Store

SECRET = "a shared secret with more than 32 letters in it"
PASSWORD = "correct horse"


def must(condition: bool, fell: str) -> None:
    """What must be so; else the attack had its way."""
    if not condition:
        raise Fell(fell)


@asynccontextmanager
async def browsing(field: Field, number: int):
    """Some browsers, each at an address of its own."""
    sessions = [aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True), headers={"X-Forwarded-For": field.enemy.address()}) for _ in range(number)]
    try:
        yield [Browser(field.url, session) for session in sessions]
    finally:
        for session in sessions:
            await session.close()


def custom(subject: str) -> str:
    """A token of the operator's own site."""
    claims = {"sub": subject, "name": subject, "iat": int(time.time()), "exp": int(time.time()) + 300, "aud": "hanpan", "jti": str(time.time_ns())}
    return jwt.encode({"alg": "HS256"}, claims, OctKey.import_key(SECRET))


async def log_in(who: Browser, subject: str) -> dict:
    """Come in by the operator's own site."""
    return await who.post("/api/login/token", token=custom(subject))


def links(field: Field, email: str) -> list[str]:
    """The tickets in the mails to someone: without a mail server they are in the log."""
    return re.findall(r"ticket=([\w-]+)", "".join(part for part in field.log().split("\nTo: ") if part.startswith(email)))


async def mailed(field: Field, who: Browser, email: str, how: str = "register") -> str:
    """Ask for a link, and read it."""
    before = len(links(field, email))
    await who.post(f"/api/login/email/{how}", email=email)
    for _ in range(200):
        if len(found := links(field, email)) > before:
            return found[-1]
        await asyncio.sleep(0.05)
    raise AssertionError(f"no mail to {email}:\n{field.log()[-1500:]}")


async def opens(field: Field, token: str) -> bool:
    """Whether a token opens anything."""
    status, _ = await field.enemy.ask("GET", "/api/me", field.enemy.address(), headers={"Authorization": f"Bearer {token}"})
    return status == 200


@scenario("takeover", beside=False, seconds=60, token_secret=SECRET)
async def links_by_mail(field: Field) -> str:
    """An attacker's account asks for a link to a victim's address; the victim opens it in a clean browser."""
    async with browsing(field, 2) as (attacker, victim):
        theirs = (await log_in(attacker, "attacker"))["person"]["id"]
        ticket = await mailed(field, attacker, "victim@example.org")
        told = await victim.post("/api/login/email/password", ticket=ticket, password=PASSWORD)
        must(told["person"]["id"] != theirs, "the victim is in the attacker's account")
        must((await attacker.me())["person"]["id"] == theirs and "victim@example.org" not in str(await attacker.me()), "the attacker has the victim's address")
        old = await mailed(field, victim, "victim@example.org", "reset")
        new = await mailed(field, victim, "victim@example.org", "reset")
        await victim.post("/api/login/email/password", ticket=new, password="another correct horse")
        status, _ = await attacker.ask("POST", "/api/login/email/password", json={"ticket": old, "password": "the attacker's horse"})
        must(status >= 400, "an older link works after a newer one was used")
        ticket = await mailed(field, victim, "victim@example.org", "reset")
        for weak in ("password", "12345678", "victim@example.org"):
            status, _ = await victim.ask("POST", "/api/login/email/password", json={"ticket": ticket, "password": weak})
            must(status >= 400, f"{weak!r} is accepted as a password")
    return "the address has an account of its own; old links are dead; weak passwords refused"


@scenario("takeover", beside=False, seconds=60, token_secret=SECRET)
async def stolen_sessions(field: Field) -> str:
    """A stolen cookie: after logging out, for attaching a login, in what the server tells."""
    async with browsing(field, 3) as (owner, thief, other):
        await log_in(owner, "owner")
        stolen, told = owner.token, str(await owner.post("/api/guest"))
        must(stolen not in told, "the cookie is told to scripts")
        await log_in(other, "owner")
        must(other.token != stolen, "two logins share one token")
        must(await opens(field, stolen), "the session is not there")
        await owner.post("/api/logout")
        must(not await opens(field, stolen), "a cookie works after logging out")
        await thief.ask("POST", "/api/login/email/register", json={"email": "thief@example.org"}, headers={"Authorization": f"Bearer {stolen}"})
        must("thief@example.org" not in str(await other.me()), "a stolen session attached a login")
    return "dead after logging out, told to nobody"


@scenario("takeover", beside=False, seconds=90, token_secret=SECRET)
async def locked_out(field: Field) -> str:
    """Wrong passwords from elsewhere: the owner still gets in; known and unknown addresses are answered alike."""
    async with browsing(field, 1) as (owner,):
        await owner.post("/api/login/email/password", ticket=await mailed(field, owner, "owner@example.org"), password=PASSWORD)
        for number in range(40):  # half of them for an address that nobody has: both have the same past then
            guess = {"email": ("owner@example.org", "nobody@example.org")[number % 2], "password": f"guess {number}"}
            await field.enemy.ask("POST", "/api/login/email", field.enemy.address(), json=guess)
        status, _ = await owner.ask("POST", "/api/login/email", json={"email": "owner@example.org", "password": PASSWORD})
        must(status == 200, "wrong passwords from elsewhere lock the owner out")
        status, _ = await owner.ask("POST", "/api/login/email/reset", json={"email": "owner@example.org"})
        must(status < 300, "wrong passwords from elsewhere lock the owner out of a reset")
    answers = []
    for email in ("owner@example.org", "nobody@example.org"):
        took = []
        for _ in range(5):
            began = time.perf_counter()
            answer = await field.enemy.ask("POST", "/api/login/email/reset", field.enemy.address(), json={"email": email})
            took.append(time.perf_counter() - began)
        answers.append((answer, sorted(took)[2]))
    must(answers[0][0] == answers[1][0], "known and unknown addresses are answered differently")
    known, unknown = (1000 * took for _, took in answers)
    must(abs(known - unknown) < 100, f"reset takes {known:.0f} ms for a known and {unknown:.0f} for an unknown address")
    return f"the owner gets in; reset takes {known:.0f} and {unknown:.0f} ms"


@scenario("takeover", beside=False, seconds=60, token_secret=SECRET)
async def bots_tokens(field: Field) -> str:
    """A bot's token is stolen and then rotated, six times, while the thief keeps a stream and sockets open."""
    async with browsing(field, 1) as (owner,):
        await log_in(owner, "author")
        made = await owner.post("/api/me/bots", name="robot")
        id, token = made["id"], made["token"]
        for _ in range(6):
            lines = [await field.enemy.lobby(field.enemy.address(), token) for _ in range(3)]
            bearer = {"Authorization": f"Bearer {token}"}
            stream = asyncio.create_task(field.enemy.ask("GET", "/api/bot/events", field.enemy.address(), headers=bearer))
            await asyncio.sleep(0.3)
            new = (await owner.post(f"/api/me/bots/{id}/token"))["token"]
            try:
                async with asyncio.timeout(10):
                    await stream
                    while not all(line.heard["unauthorized"] or line.reading.done() for line in lines):
                        await asyncio.sleep(0.05)
            except TimeoutError:
                raise Fell("the thief's stream or sockets live on") from None
            await asyncio.gather(*(line.close() for line in lines))
            must(not await opens(field, token), "the old token still works")
            token = new
    return "six times, nothing lived on"


async def appointed(field: Field, id: str, role: str | None = "operator") -> None:
    """Give someone a second factor, and make them an operator, as the command does while the server runs."""
    store = await Store.open(f"sqlite:///{field.server.data / 'hanpan.db'}")
    if role is not None:
        await store.accounts.change(id, role=role)
    await store.factors.add_totp(id, "sealed", 0, [])
    await store.close()


@scenario("takeover", beside=False, seconds=60, token_secret=SECRET)
async def one_factor_of_two(field: Field) -> str:
    """Someone who has the first factor of an account with two, and not the second."""
    async with browsing(field, 2) as (owner, thief):
        mine = (await log_in(owner, "owner"))["person"]["id"]
        await appointed(field, mine, None)
        status, told = await thief.ask("POST", "/api/login/token", json={"token": custom("owner")})
        _, seen = await thief.ask("GET", "/api/me")
        must(mine not in str(seen), f"in without the second factor ({status} {told})")
        for _ in range(3):
            await thief.ask("POST", "/api/login/second", json={"code": "000000"})
        _, seen = await thief.ask("GET", "/api/me")
        must(mine not in str(seen), "in by guessing")
    return f"the first answers {status}, and opens nothing"


@scenario("takeover", beside=False, seconds=60, token_secret=SECRET)
async def operators_quarrel(field: Field) -> str:
    """One operator bans another, and a third person makes themselves one."""
    async with browsing(field, 3) as (one, other, anyone):
        ids = [(await log_in(who, name))["person"]["id"] for who, name in ((one, "one"), (other, "other"), (anyone, "anyone"))]
        for id in ids[:2]:
            await appointed(field, id)
        status, told = await one.ask("POST", f"/api/operator/people/{ids[1]}/ban", json={"minutes": 60, "reason": "a trial"})
        still, _ = await other.ask("GET", "/api/me")
        must(still == 200, f"one operator bans another alone ({status} {told})")
        status, _ = await anyone.ask("POST", f"/api/operator/people/{ids[2]}/role", json={"role": "operator", "reason": "me"})
        must(status in (401, 403), "anyone makes themselves an operator")
    return "a second one must agree; anyone else is refused"


@scenario("takeover", beside=False, seconds=30)
async def others_on_the_machine(field: Field) -> str:
    """A neighbour on the machine reads the database; someone asks for pictures that a cache may keep."""
    async with Guest(field.url):
        pass
    for path in [field.server.data, *field.server.data.glob("hanpan.db*"), *field.server.data.glob("*secret*")]:
        mode = stat.S_IMODE(os.stat(path).st_mode)
        must(not mode & 0o077, f"{path.name} may be read by others ({mode:o})")
    return "readable by their owner only"
