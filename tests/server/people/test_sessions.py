"""Sessions: each log-in has its own, which can be seen, ended and outlived; and what one must prove again before an account changes."""

import asyncio
import re
import time

import pytest
from clients import CheckedLobby, Guest, refused
from joserfc import jwt
from joserfc.jwk import OctKey
from local import LocalServer
from logging_in import browser
from serving import PATIENT
from storing import newcomer, opened

from hanpan.client import Lobby
from hanpan.server.people.sessions import GUEST_DAYS, HOUR, MOST_SESSIONS, Sessions, Where
from hanpan.server.people.tokens import Tokens, secret_of
from hanpan.server.storage.models import DAY

SECRET = "a shared secret with more than 32 letters in it"
PASSWORD = "correct horse"
FIREFOX = {"User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "X-Forwarded-For": "203.0.113.77"}


@pytest.fixture(scope="module")
def site(tmp_path_factory, mails):
    running = LocalServer(tmp_path_factory.mktemp("site"), smtp=mails.url, token_secret=SECRET, tries_per_hour=1000).start()
    yield running
    running.stop()


def jwt_of(subject):
    claims = {"sub": subject, "name": subject, "exp": int(time.time()) + 300, "aud": "hanpan"}
    return jwt.encode({"alg": "HS256"}, claims, OctKey.import_key(SECRET))


async def asked(who, mails, email, how="register", number=1):
    """The ticket in the link that somebody asked for."""
    await who.post(f"/api/login/email/{how}", email=email)
    return re.search(r"ticket=([\w-]+)", (await mails.mail(email, number))["text"]).group(1)


async def registered(who, mails, email):
    """Someone whose browser has an account with this address."""
    return await who.post("/api/login/email/password", ticket=await asked(who, mails, email), password=PASSWORD)


async def opens(site, token):
    """Whether a token opens anything."""
    async with browser(site.url) as anyone:
        return (await anyone.ask("GET", "/api/me", headers={"Authorization": f"Bearer {token}"}))[0] == 200


# --- one session for each time somebody comes in ---


async def test_what_a_browser_keeps_is_told_to_no_script(site):
    async with browser(site.url) as me:
        for _ in range(2):
            told = await me.post("/api/guest")
            assert set(told) == {"person", "kind", "role"}
            assert me.token
            assert me.token not in str(told)
        async with Guest(site.url, me.token) as line:
            lobby = await line.enter_lobby()
            assert "token" not in line.last["login info"]
            assert "token" not in lobby.last["account"]
        data = await me.get("/api/me/export")
        assert me.token not in str(data)


async def test_a_newcomer_without_a_cookie_is_told_once_what_brings_them_back(site):
    async with Guest(site.url) as me, Guest(site.url, me.token) as again:
        assert again.id == me.id
        assert "token" in me.last["login info"]
        assert "token" not in again.last["login info"]


async def test_after_logging_out_the_cookie_opens_nothing_and_its_sockets_are_closed(site, mails):
    async with browser(site.url) as me:
        await registered(me, mails, "out@example.org")
        token = me.token
        async with Guest(site.url, token) as line:
            lobby = await line.enter_lobby()
            await me.post("/api/logout")
            await lobby.hears("unauthorized")
        assert not await opens(site, token)
        assert not me.token
        assert await me.refused("GET", "/api/me") == "unauthorized"


async def test_two_logins_never_share_a_token_and_end_apart(site, mails):
    async with browser(site.url) as me, browser(site.url) as other:
        mine = (await registered(me, mails, "twice@example.org"))["person"]["id"]
        first = me.token
        assert (await other.post("/api/login/email", email="twice@example.org", password=PASSWORD))["person"]["id"] == mine
        assert other.token != first
        await me.post("/api/login/email", email="twice@example.org", password=PASSWORD)  # once more in the same browser
        assert len({first, me.token, other.token}) == 3
        assert not await opens(site, first)
        await other.post("/api/logout")
        assert (await me.me())["person"]["id"] == mine


async def test_logging_in_renews_a_guests_session_so_that_nobody_can_have_planted_it(site, mails):
    async with browser(site.url) as me:
        await me.post("/api/guest")
        planted = me.token
        await registered(me, mails, "planted@example.org")
        assert me.token != planted
        assert not await opens(site, planted)


async def test_sessions_are_listed_with_browser_place_and_time_and_each_can_be_ended(site, mails):
    async with browser(site.url) as me, browser(site.url) as other, browser(site.url) as third:
        await registered(me, mails, "list@example.org")
        login = {"email": "list@example.org", "password": PASSWORD}
        assert (await other.ask("POST", "/api/login/email", json=login, headers=FIREFOX))[0] == 200
        await third.post("/api/login/email", **login)
        sessions = (await me.me())["sessions"]
        assert [session["here"] for session in sessions].count(True) == 1
        there = next(session for session in sessions if session["browser"] == "Firefox · Linux")
        assert there["place"] == "203.0.113.*"
        assert abs(there["since"] - site.services.now()) < 600_000
        assert all(token not in str(sessions) for token in (me.token, other.token, third.token))
        async with Guest(site.url, other.token) as line:
            lobby = await line.enter_lobby()
            assert (await me.ask("DELETE", f"/api/me/sessions/{there['id']}"))[0] == 200
            await lobby.hears("unauthorized")
        assert await other.refused("GET", "/api/me") == "unauthorized"
        assert (await third.me())["kind"] == "account"
        assert await me.refused("DELETE", f"/api/me/sessions/{there['id']}") == "no-such-session"
        # nobody ends a stranger's
        async with browser(site.url) as stranger:
            await stranger.post("/api/guest")
            assert await stranger.refused("DELETE", f"/api/me/sessions/{sessions[0]['id']}") == "no-such-session"
        assert (await me.ask("DELETE", "/api/me/sessions"))[0] == 200
        assert await third.refused("GET", "/api/me") == "unauthorized"
        assert [session["here"] for session in (await me.me())["sessions"]] == [True]


@pytest.mark.slow
async def test_a_socket_that_opens_while_its_session_ends_does_not_stay(site, mails):
    async with browser(site.url) as me:
        await registered(me, mails, "race@example.org")
        for n in range(8):
            await me.post("/api/login/email", email="race@example.org", password=PASSWORD)
            lines = [CheckedLobby(site.url, me.token) for _ in range(4)]

            async def late(n=n):
                await asyncio.sleep(n * 0.004)
                await me.post("/api/logout")

            await asyncio.gather(*(line.open() for line in lines), late(), return_exceptions=True)
            for line in lines:
                await line.until(lambda line=line: not line.connected or bool(line.events("unauthorized")))
                await line.close()


async def test_a_session_ends_by_itself_and_is_written_rarely_while_it_lasts(local_server):
    server = local_server()
    async with browser(server.url) as me, browser(server.url) as gone:
        guest = (await me.post("/api/guest"))["person"]["id"]
        await gone.post("/api/guest")
        before = server.services.store.commits
        for _ in range(5):
            assert (await me.me())["person"]["id"] == guest
        assert server.services.store.commits == before
        for _ in range(3):
            await server.later(300 * 86400)
            assert (await me.me())["person"]["id"] == guest  # whoever comes back stays
        assert server.services.store.commits == before + 3
        assert await gone.refused("GET", "/api/me") == "unauthorized"


async def test_a_session_outlives_the_server(tmp_path):
    server = LocalServer(tmp_path).start()
    async with browser(server.url) as me:
        guest = (await me.post("/api/guest"))["person"]["id"]
        server.stop()
        server = LocalServer(tmp_path, port=server.port).start()
        try:
            assert (await me.me())["person"]["id"] == guest
            async with Guest(server.url, me.token) as line:
                assert line.id == guest
        finally:
            server.stop()


async def test_a_guest_from_before_there_were_sessions_stays_who_they_are(local_server):
    server = local_server()
    signed = Tokens(secret_of(server.app.other_asgi_app.state.settings.data))
    async with browser(server.url) as me, browser(server.url) as copy, browser(server.url) as owner:
        guest = await server.do(server.services.people.newcomer)
        account = await server.do(server.services.people.newcomer)
        await server.do(lambda: server.services.store.accounts.add_login("email", "old@example.org", account.id))
        for who, person in ((me, guest), (copy, guest), (owner, account)):
            who._session.cookie_jar.update_cookies({"hanpan": signed.give(person.id, 0)})
            who.given = (await who.post("/api/guest"))["person"]["id"]
        assert me.given == guest.id
        assert len(me.token) < 60  # a session by now
        assert copy.given not in (guest.id, account.id)  # such a token works once
        assert owner.given != account.id  # whoever has an account logs in again
        assert (await me.me())["person"]["id"] == guest.id


async def test_over_https_the_cookie_belongs_to_this_host_alone(local_server):
    server = local_server(url="https://games.example.org")
    head = {"Host": "games.example.org"}
    async with browser(server.url) as me:
        async with me._session.post(f"{server.url}/api/guest", headers=head) as answer:
            cookie = next(line for line in answer.headers.getall("set-cookie") if line.startswith("__Host-hanpan="))
        parts = {part.strip().lower().partition("=")[0] for part in cookie.split(";")[1:]}
        assert {"secure", "httponly", "path", "samesite"} <= parts
        assert "domain" not in parts
        assert "path=/;" in cookie.lower() + ";"
        token = cookie.partition("=")[2].partition(";")[0]
        # a cookie of that value under the plain name, which any neighbour could set, is nobody's
        for name, status in (("hanpan", 401), ("__Host-hanpan", 200)):
            async with me._session.get(f"{server.url}/api/me", headers={**head, "Cookie": f"{name}={token}"}) as answer:
                assert answer.status == status
        async with me._session.post(f"{server.url}/api/logout", headers={**head, "Cookie": f"__Host-hanpan={token}"}) as answer:
            gone = next(line for line in answer.headers.getall("set-cookie") if line.startswith("__Host-hanpan="))
        assert "max-age=0" in gone.lower()
        assert "secure" in gone.lower()


# --- tickets ---


async def test_an_open_connection_is_known_by_its_session(site):
    async with browser(site.url) as me:
        await me.post("/api/guest")
        session = (await site.do(site.services.people.caller, me.token)).session
        assert session.id not in site.services.outbox.opened_by()
        lobby = Lobby(site.url, me.token)
        await lobby.open()
        assert session.id in site.services.outbox.opened_by()
        await lobby.close()


async def test_a_ticket_opens_one_socket_once_and_soon_and_nothing_else(site):
    async with browser(site.url) as me:
        guest = (await me.post("/api/guest"))["person"]["id"]
        ticket = (await me.post("/api/ticket"))["ticket"]
        assert not await opens(site, ticket)  # nothing over HTTP, and it is still good
        first, second = Lobby(site.url, ticket), Lobby(site.url, ticket)
        await first.open()
        assert first.last["account"]["person"]["id"] == guest
        with refused("unauthorized"):
            await second.open()
        old = "ticket_" + "x" * 32
        session = await site.do(site.services.people.caller, me.token)
        await site.do(site.services.store.accounts.remember, "socket", old, {"session": session.key}, -1)
        late = (await me.post("/api/ticket"))["ticket"]
        await me.post("/api/logout")
        await first.until(lambda: not first.connected)
        for worthless in (old, late, "ticket_", "ticket_" + "é" * 90, "x" * 5000):
            with refused("unauthorized"):
                await Lobby(site.url, worthless).open()
        assert await me.refused("POST", "/api/ticket") == "unauthorized"
        await first.close()


# --- proving again ---


async def test_an_old_session_must_prove_itself_before_the_account_changes(site, mails):
    async with browser(site.url) as me, browser(site.url) as thief:
        await registered(me, mails, "owner@example.org")
        await me.post("/api/login/token", token=jwt_of("owner"))  # a second login, while this is fresh
        mine = await me.me()
        assert [login["provider"] for login in mine["logins"]] == ["email", "custom"]
        bot = await me.post("/api/me/bots", name="Deep Owner")
        await site.later(11 * 60)
        thief._session.cookie_jar.update_cookies({"hanpan": me.token})  # the stolen session
        changes = (
            ("DELETE", f"/api/me/logins/{mine['logins'][0]['id']}", None),
            ("DELETE", "/api/me", {"name": mine["person"]["name"]}),
            ("POST", "/api/me/bots", {"name": "Thief"}),
            ("POST", f"/api/me/bots/{bot['id']}/token", None),
            ("DELETE", f"/api/me/bots/{bot['id']}", None),
            ("POST", "/api/login/email/register", {"email": "thief@example.org"}),
            ("POST", "/api/login/token", {"token": jwt_of("thief")}),
        )
        for method, path, body in changes:
            assert await thief.refused(method, path, body) == "prove-again", path
        assert [login["provider"] for login in (await me.me())["logins"]] == ["email", "custom"]
        assert await thief.refused("POST", "/api/prove", {"way": "password", "answer": "a guess"}) == "not-proved"
        assert await thief.refused("POST", "/api/prove", {"way": "invented", "answer": "x"}) == "no-such-login"
        assert (await me.get("/api/prove"))["ways"] == ["password", "mail"]
        assert not (await me.get("/api/prove"))["fresh"]
        await me.post("/api/prove", way="password", answer=PASSWORD)
        assert (await me.get("/api/prove"))["fresh"]
        assert (await me.ask("DELETE", f"/api/me/logins/{mine['logins'][1]['id']}"))[0] == 200
        await site.later(11 * 60)
        assert await me.refused("POST", "/api/me/bots", {"name": "Late"}) == "prove-again"


async def test_a_mailed_code_proves_only_the_session_that_asked_for_it_and_once(site, mails):
    async with browser(site.url) as me, browser(site.url) as thief:
        await registered(me, mails, "code@example.org")
        await thief.post("/api/login/email", email="code@example.org", password=PASSWORD)
        await site.later(11 * 60)
        assert (await me.post("/api/prove/begin", way="mail")) == {"email": "code@example.org"}
        mail = await mails.mail("code@example.org", 2)
        code = re.search(r"\n([a-z0-9]{6})\r?\n", mail["text"]).group(1)
        assert await thief.refused("POST", "/api/prove", {"way": "mail", "answer": code}) == "not-proved"
        await me.post("/api/prove", way="mail", answer=f" {code.upper()} ")
        assert await me.refused("POST", "/api/prove", {"way": "mail", "answer": code}) == "not-proved"
        assert await thief.refused("DELETE", "/api/me", {"name": (await thief.me())["person"]["name"]}) == "prove-again"


async def test_guests_have_nothing_to_prove(site):
    async with browser(site.url) as me, browser(site.url) as nobody:
        guest = await me.post("/api/guest")
        await site.later(11 * 60)
        assert (await me.get("/api/prove"))["fresh"]
        assert (await me.ask("DELETE", "/api/me", json={"name": guest["person"]["name"]}))[0] == 200
        for method, path, body in (
            ("GET", "/api/prove", None),
            ("POST", "/api/prove", {"way": "password", "answer": "x"}),
            ("DELETE", "/api/me/sessions", None),
        ):
            assert await nobody.refused(method, path, body) == "unauthorized"


async def test_the_owner_is_told_by_mail_what_changes_and_each_login_goes_singly(site, mails):
    async with browser(site.url) as me:
        await registered(me, mails, "first@example.org")
        ticket = await asked(me, mails, "second@example.org")
        await me.post("/api/login/email/password", ticket=ticket, password="another horse")
        assert "second@example.org" in (await mails.mail("first@example.org", 2))["text"]
        first, second = (await me.me())["logins"]
        assert (first["email"], second["email"]) == ("first@example.org", "second@example.org")
        assert (await me.ask("DELETE", f"/api/me/logins/{first['id']}"))[0] == 200
        for email, number in (("first@example.org", 3), ("second@example.org", 2)):  # also where they were reached before
            assert "removed (first@example.org)" in (await mails.mail(email, number))["text"]
        assert [login["email"] for login in (await me.me())["logins"]] == ["second@example.org"]
        assert await me.refused("DELETE", f"/api/me/logins/{second['id']}") == "last-login"
        assert await me.refused("DELETE", f"/api/me/logins/{first['id']}") == "no-such-login"
        ticket = await asked(me, mails, "second@example.org", "reset", 3)
        await me.post("/api/login/email/password", ticket=ticket, password="a third horse")
        assert "new password" in (await mails.mail("second@example.org", 4))["text"]
        name = (await me.me())["person"]["name"]
        assert (await me.ask("DELETE", "/api/me", json={"name": name}))[0] == 200
        assert "deleted" in (await mails.mail("second@example.org", 5))["text"]


# --- links ---


async def test_a_link_opened_elsewhere_makes_the_addresss_own_account_never_the_askers(site, mails):
    async with browser(site.url) as attacker, browser(site.url) as victim, browser(site.url) as clean:
        theirs = (await registered(attacker, mails, "attacker@example.org"))["person"]
        ticket = await asked(attacker, mails, "victim@example.org")
        mail = (await mails.mail("victim@example.org"))["text"]
        assert theirs["name"] in mail
        assert "Not you? Ignore this mail" in mail
        guest = (await victim.post("/api/guest"))["person"]["id"]
        mine = (await victim.post("/api/login/email/password", ticket=ticket, password=PASSWORD))["person"]["id"]
        assert mine not in (theirs["id"], guest)
        assert [login["email"] for login in (await victim.me())["logins"]] == ["victim@example.org"]
        assert [login["email"] for login in (await attacker.me())["logins"]] == ["attacker@example.org"]
        # a link for an address that has an account by now opens that
        assert (await clean.post("/api/login/email", email="victim@example.org", password=PASSWORD))["person"]["id"] == mine


async def test_when_a_password_is_chosen_all_older_links_and_sessions_die(site, mails):
    async with browser(site.url) as me, browser(site.url) as other, browser(site.url) as late:
        await registered(me, mails, "links@example.org")
        older = await asked(other, mails, "links@example.org", "reset", 2)
        newer = await asked(other, mails, "links@example.org", "reset", 3)
        await other.post("/api/login/email/password", ticket=newer, password="another horse")
        assert await me.refused("GET", "/api/me") == "unauthorized"
        for attempt in ({"ticket": older, "password": "a third horse"}, {"ticket": newer, "password": "a third horse"}):
            assert await late.refused("POST", "/api/login/email/password", attempt) == "link-used"
        assert await late.refused("GET", f"/api/login/email/password?ticket={older}") == "link-used"
        # also two links for an address without an account: the second can't undo the first
        first = await asked(me, mails, "fresh@example.org")
        second = await asked(late, mails, "fresh@example.org", number=2)
        await me.post("/api/login/email/password", ticket=first, password=PASSWORD)
        assert await late.refused("POST", "/api/login/email/password", {"ticket": second, "password": "a third horse"}) == "link-used"


async def test_the_answer_does_not_wait_for_what_is_known_of_an_address(local_server):
    server = local_server()
    accounts, gate = server.services.store.accounts, asyncio.Event()
    known = accounts.login

    async def waiting(*of):
        while not gate.is_set():
            await asyncio.sleep(0.01)
        return await known(*of)

    accounts.login = waiting
    async with browser(server.url) as me:
        for how in ("reset", "register"):
            async with asyncio.timeout(PATIENT):
                await me.post(f"/api/login/email/{how}", email="whoever@example.org")
    gate.set()


async def test_a_flood_of_mails_to_an_address_ends_but_leaves_a_link_that_works(site, mails):
    async with browser(site.url) as me, browser(site.url) as flood:
        await registered(me, mails, "flooded@example.org")
        for _ in range(12):
            await flood.post("/api/login/email/reset", email="flooded@example.org")
        await mails.mail("flooded@example.org", 5)
        await flood.post("/api/login/email/register", email="after@example.org")
        await mails.mail("after@example.org")
        assert len(mails.mails("flooded@example.org")) == 5
        assert await me.post("/api/prove/begin", way="mail") == {"email": "flooded@example.org"}  # its owner's codes come all the same
        await mails.mail("flooded@example.org", 6)
        ticket = re.search(r"ticket=([\w-]+)", mails.mails("flooded@example.org")[4]["text"]).group(1)
        await me.post("/api/login/email/password", ticket=ticket, password="another horse")


# --- passwords ---


@pytest.mark.slow
async def test_a_password_that_anyone_would_try_is_refused_with_the_reason_in_four_languages(site, mails):
    async with browser(site.url) as me:
        await me.post("/api/guest")
        await me.ask("PATCH", "/api/me", json={"name": "Marigold Fox"})
        ticket = await asked(me, mails, "m.ferncastle@example.org")
        path = "/api/login/email/password"
        for password, code in {
            "short": "weak-password", "password": "common-password", "P4ssw0rd!!": "common-password", "iloveyou2024": "common-password",
            "12345678": "plain-password", "aaaaaaaaaa": "plain-password", "abcabcabc": "plain-password", "qwertyuiop": "plain-password",
            "19840229": "plain-password", "marigold1": "own-password", "MarigoldFox!": "own-password", "Ferncastle7": "own-password",
        }.items():  # fmt: skip
            assert await me.refused("POST", path, {"ticket": ticket, "password": password}) == code, password
        for language, sentence in (("en", "first passwords"), ("ko", "비밀번호"), ("ja", "パスワード"), ("zh", "密码")):
            _, told = await me.ask("POST", f"{path}?language={language}", json={"ticket": ticket, "password": "password1"})
            assert sentence in told["text"]
        await me.post(path, ticket=ticket, password="marigold on a windy hill")


async def test_a_session_lasts_as_long_as_it_is_used_which_is_written_down_once_an_hour(tmp_path):
    moment = [0]
    async with opened(f"sqlite:///{tmp_path}/hanpan.db") as store:
        sessions = Sessions(store.sessions, store.accounts, lambda: moment[0])
        _, begun = await sessions.begin(await newcomer(store, "Ann"), Where())
        for moment[0], seen in ((HOUR - 1, 0), (HOUR, HOUR), (2 * HOUR - 1, HOUR)):
            found = await sessions.get(begun.id)
            assert (found.seen_at, found.ends_at) == (seen, seen + GUEST_DAYS * DAY)
        moment[0] = HOUR + GUEST_DAYS * DAY
        assert await sessions.get(begun.id) is None


async def test_an_account_has_only_so_many_sessions(local_server):
    server = local_server()
    people, stored = server.services.people, server.services.store.sessions

    async def come_in():
        ann = await newcomer(server.services.store, "Ann", "account")
        return ann, [(await people.let_in(ann, Where())).key for _ in range(MOST_SESSIONS + 2)]

    ann, keys = await server.do(come_in)
    left = {session.id for session in await server.do(stored.of, ann.id)}
    assert len(left) == MOST_SESSIONS
    assert keys[-1] in left
