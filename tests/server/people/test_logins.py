"""Logins: by e-mail, elsewhere, with a custom token; what happens to a guest's games; leaving."""

import asyncio
import base64
import hmac
import re
import time

import pytest
from clients import Guest, play_on, sit_down
from joserfc import jwt
from joserfc.jwk import OctKey, RSAKey
from local import LocalServer
from logging_in import OpenIdProvider, browser
from serving import free_port

from hanpan.server.people.mail import Mail

SECRET = "a shared secret with more than 32 letters in it"
RSA = RSAKey.generate_key(2048)
PASSWORD = "correct horse"


@pytest.fixture(scope="module")
def site(tmp_path_factory, mails):
    """A server that takes mails, custom tokens, and logins at an OpenID provider."""
    port = free_port()
    provider = OpenIdProvider(f"http://127.0.0.1:{port}")
    keys = {f"{name}_{part}": value for name in ("google", "x", "facebook", "yahoojp") for part, value in _keys(name, provider.url)}
    running = LocalServer(
        tmp_path_factory.mktemp("site"), port=port, url=f"http://127.0.0.1:{port}", smtp=mails.url, token_secret=SECRET, token_key=RSA.as_pem(False).decode(),
        tries_per_hour=1000, **keys,
    ).start()  # fmt: skip
    running.provider = provider
    yield running
    running.stop()
    provider.stop()


def _keys(name, url):
    return ("client_id", name), ("client_secret", f"{name}-secret"), ("server", url)


def link(mail):
    return re.search(r"http\S+/login/password\S+", mail["text"]).group()


async def registered(site, mails, who, email, number=1):
    """Someone whose browser has an account with this address."""
    await who.post("/api/login/email/register", email=email)
    ticket = re.search(r"ticket=([\w-]+)", link(await mails.mail(email, number))).group(1)
    return await who.post("/api/login/email/password", ticket=ticket, password=PASSWORD)


# --- e-mail ---


@pytest.mark.slow
async def test_a_guest_chooses_a_password_by_mail_and_stays_the_same_person(site, mails):
    async with browser(site.url) as me, browser(site.url) as elsewhere:
        guest, token = await me.post("/api/guest"), me.token
        assert (await me.post("/api/login/email/register", email=" Ann@Example.org "))["ok"]
        mail = await mails.mail("ann@example.org")
        assert "Hanpan" in mail["from"]
        assert guest["person"]["name"] + " on Hanpan" in mail["text"]  # who asked for it
        assert (await me.ask("GET", link(mail)))[0] == 200  # the page itself; what it shows is tested in a browser
        ticket = re.search(r"ticket=([\w-]+)", link(mail)).group(1)
        for _ in range(2):  # looking does not use it up: mail programs look, too
            assert await me.get(f"/api/login/email/password?ticket={ticket}") == {"email": "ann@example.org"}
        await me.post("/api/login/email/password", ticket=ticket, password=PASSWORD)
        mine = await me.me()
        assert (mine["person"]["id"], mine["kind"]) == (guest["person"]["id"], "account")
        assert [(login["provider"], login["email"]) for login in mine["logins"]] == [("email", "ann@example.org")]
        assert await elsewhere.refused("POST", "/api/login/email", {"email": "ann@example.org", "password": "wrong horse"}) == "wrong-login"
        again = await elsewhere.post("/api/login/email", email="ANN@example.org", password=PASSWORD)
        assert again["person"]["id"] == guest["person"]["id"]
        # what the guest had been given does not open the account
        status, _ = await elsewhere.ask("GET", "/api/me", headers={"Authorization": f"Bearer {token}"})
        assert status == 401


async def test_a_used_or_old_or_invented_link_is_refused_kindly_in_four_languages(site, mails):
    async with browser(site.url) as me:
        await registered(site, mails, me, "used@example.org")
        ticket = re.search(r"ticket=([\w-]+)", link(mails.mails("used@example.org")[0])).group(1)
        for language, sentence in (("en", "used already"), ("ko", "이미 사용"), ("ja", "使用済み"), ("zh", "已被使用")):
            status, told = await me.ask("GET", f"/api/login/email/password?ticket={ticket}&language={language}")
            assert status == 400
            assert sentence in told["text"]
        assert await me.refused("POST", "/api/login/email/password", {"ticket": ticket, "password": PASSWORD}) == "link-used"
        assert await me.refused("POST", "/api/login/email/password", {"ticket": "invented", "password": PASSWORD}) == "link-used"
        old = await site.do(site.services.store.accounts.give_ticket, "mail", {"email": "old@example.org", "session": None, "secret": ""}, -1)
        assert await me.refused("POST", "/api/login/email/password", {"ticket": old, "password": PASSWORD}) == "link-used"


async def test_a_ticket_lasts_by_the_servers_clock(local_server):
    server = local_server()
    accounts = server.services.store.accounts
    token = await server.do(accounts.give_ticket, "socket", {}, 60)
    assert await server.do(accounts.look_at_ticket, "socket", token) == {}
    await server.later(61)
    assert await server.do(accounts.look_at_ticket, "socket", token) is None


async def test_a_new_password_ends_all_older_sessions(site, mails):
    async with browser(site.url) as me, browser(site.url) as other:
        await registered(site, mails, me, "reset@example.org")
        await other.post("/api/login/email/reset", email="reset@example.org")
        mail = await mails.mail("reset@example.org", 2)
        assert "new password" in mail["text"]
        ticket = re.search(r"ticket=([\w-]+)", mail["text"]).group(1)
        assert await other.refused("POST", "/api/login/email/password", {"ticket": ticket, "password": "short"}) == "weak-password"
        await other.post("/api/login/email/password", ticket=ticket, password="another horse")
        assert await me.refused("GET", "/api/me") == "unauthorized"
        assert await me.refused("POST", "/api/login/email", {"email": "reset@example.org", "password": PASSWORD}) == "wrong-login"
        await me.post("/api/login/email", email="reset@example.org", password="another horse")


async def test_nobody_is_told_which_addresses_are_known(site, mails):
    async with browser(site.url) as me, browser(site.url) as stranger:
        await registered(site, mails, me, "known@example.org")
        answers = []
        for email in ("known@example.org", "unknown@example.org"):
            answers.append([
                await stranger.ask("POST", "/api/login/email/register", json={"email": email}),
                await stranger.ask("POST", "/api/login/email/reset", json={"email": email}),
                await stranger.ask("POST", "/api/login/email", json={"email": email, "password": "whatever it is"}),
            ])  # fmt: skip
        assert answers[0] == answers[1]
        await mails.mail("known@example.org", 3)
        assert any("already" in mail["text"] for mail in mails.mails("known@example.org"))
        for bad in ("", "nobody", "a b@example.org", "a@b@c", "x\r\nBcc: y@example.org"):
            assert await stranger.refused("POST", "/api/login/email/register", {"email": bad}) == "bad-email"


async def test_without_a_mail_server_mails_are_printed_to_the_log(local_server, caplog):
    server = local_server()
    async with browser(server.url) as me:
        assert (await me.get("/api/logins"))["elsewhere"] == {}  # and what is not set up is not offered
        assert (await me.ask("GET", "/login/google"))[0] == 404
        await me.post("/api/login/email/register", email="log@example.org")
        while "ticket=" not in caplog.text:
            await asyncio.sleep(0.05)
        ticket = re.search(r"ticket=([\w-]+)", caplog.text).group(1)
        await me.post("/api/login/email/password", ticket=ticket, password=PASSWORD)
        assert PASSWORD not in caplog.text


@pytest.mark.parametrize(
    ("chosen", "where"),
    [({}, "http://localhost:81"), ({"host": "0.0.0.0"}, "http://192.168.1.5:81"), ({"host": "0.0.0.0", "url": "http://club.example"}, "http://club.example")],
)
async def test_links_lead_to_what_others_open(local_server, monkeypatch, caplog, chosen, where):
    monkeypatch.setattr("hanpan.server.network.own_address", lambda: "192.168.1.5")
    server = local_server()
    logins, opened = server.services.logins, server.services.logins.settings.model_copy(update={"port": 81, **chosen})  # it listens on this machine alone
    logins.settings, logins.mail = opened, Mail(opened)
    async with browser(server.url) as me:
        await me.post("/api/login/email/register", email="log@example.org")
        while "ticket=" not in caplog.text:
            await asyncio.sleep(0.05)
    assert f"{where}/login/password?ticket=" in caplog.text
    assert f"({where.removeprefix('http://')})" in caplog.text, "the mail says where it is from"
    caplog.clear()
    await server.do(logins.mail.tell_owner, "log@example.org", "password", "Anna", "en")
    while "/me" not in caplog.text:
        await asyncio.sleep(0.05)
    assert f"{where}/me" in caplog.text


# --- elsewhere ---


@pytest.mark.slow
@pytest.mark.parametrize("name", ["google", "x", "facebook", "yahoojp"])
async def test_the_way_through_another_site(site, mails, name):
    async with browser(site.url) as me, browser(site.url) as later:
        assert name in (await me.get("/api/logins"))["elsewhere"]
        guest = await me.post("/api/guest")
        end, way, _ = await me.log_in_elsewhere(name, f"{name}-ann")
        assert end == f"{site.url}/", way
        mine = await me.me()
        assert (mine["person"]["id"], mine["kind"]) == (guest["person"]["id"], "account")
        assert mine["logins"][0]["provider"] == name
        assert mine["logins"][0]["email"] == (None if name == "x" else f"{name}-ann@example.org")
        # the same state does not work twice, not even in the same browser
        callback = next(address for address, _ in way if "/callback" in address)
        assert await me.landed(callback) == "/login?refused=link-used"
        # a changed address at the other site is still the same account
        await later.ask("GET", f"{site.provider.url}/moved", params={"id": f"{name}-ann", "email": "new@example.net"})
        await later.log_in_elsewhere(name, f"{name}-ann")
        again = await later.me()
        assert again["person"]["id"] == guest["person"]["id"]
        if name != "x":
            assert again["logins"][0]["email"] == "new@example.net"
            assert "new@example.net" in (await mails.mail(f"{name}-ann@example.org"))["text"]  # told where they were reached before


@pytest.mark.parametrize("name", ["google", "facebook"])
async def test_whoever_does_not_agree_there_stays_a_guest_here(site, name):
    async with browser(site.url) as me:
        await me.post("/api/guest")
        end, _, _ = await me.log_in_elsewhere(name, "shy", consent=False)
        assert end == f"{site.url}/login?refused=login-refused&provider={name.title()}"
        assert (await me.me())["kind"] == "guest"


async def test_a_state_works_only_in_the_browser_that_set_out_and_only_there(site):
    async with browser(site.url) as attacker, browser(site.url) as victim:
        await victim.post("/api/guest")
        async with attacker._session.get(f"{site.url}/login/google", allow_redirects=False) as answer:
            state = re.search(r"state=(\w+)", answer.headers["location"]).group(1)
        for path in (f"/login/google/callback?state={state}&code=x", "/login/google/callback", "/login/google/callback?state=x&code=y"):
            assert await victim.landed(path) == "/login?refused=link-used"
        assert (await victim.me())["kind"] == "guest"
        assert await attacker.landed(f"/login/google/callback?state={state}&code=invented") == "/login?refused=login-failed&provider=Google"


@pytest.mark.slow
async def test_several_logins_on_one_account(site, mails):
    async with browser(site.url) as me, browser(site.url) as other:
        await registered(site, mails, me, "several@example.org")
        await me.log_in_elsewhere("google", "several")
        mine = await me.me()
        assert [login["provider"] for login in mine["logins"]] == ["email", "google"]
        await other.log_in_elsewhere("google", "several")
        assert (await other.me())["person"]["id"] == mine["person"]["id"]
        email, google = (login["id"] for login in mine["logins"])
        assert (await me.ask("DELETE", f"/api/me/logins/{email}"))[0] == 200
        assert await me.refused("DELETE", f"/api/me/logins/{google}") == "last-login"


@pytest.mark.slow
async def test_an_old_session_attaches_no_login_from_elsewhere_but_is_proved_by_one_it_has(site):
    async with browser(site.url) as me:
        await me.post("/api/guest")
        await me.log_in_elsewhere("google", "prover")
        mine = (await me.me())["person"]["id"]
        await site.later(11 * 60)
        end, _, _ = await me.log_in_elsewhere("facebook", "prover too")
        assert end.endswith("/login?refused=prove-again")
        assert [login["provider"] for login in (await me.me())["logins"]] == ["google"]
        assert await me.get("/api/prove") == {"fresh": False, "ways": [], "elsewhere": {"google": "Google"}, "site": None}
        end, _, _ = await me.log_in_elsewhere("google?to=me", "prover")
        assert end == f"{site.url}/me"
        assert ((await me.me())["person"]["id"], (await me.get("/api/prove"))["fresh"]) == (mine, True)
        await me.log_in_elsewhere("facebook", "prover too")
        google, facebook = (await me.me())["logins"]
        gone = await asyncio.gather(*(me.ask("DELETE", f"/api/me/logins/{login['id']}") for login in (google, facebook)))
        assert sorted(status for status, _ in gone) == [200, 400]  # of two at once, one stays


# --- custom tokens ---


def jwt_of(key=None, algorithm="HS256", **claims):
    given = {"sub": "user-1", "name": "Site Ann", "exp": int(time.time()) + 300, "aud": "hanpan"} | claims
    return jwt.encode({"alg": algorithm}, {name: value for name, value in given.items() if value is not None}, key or OctKey.import_key(SECRET))


def signed_with_the_public_key():
    """What no library would do."""
    head = jwt_of(algorithm="HS256").rpartition(".")[0]
    seal = hmac.digest(RSA.as_pem(False), head.encode(), "sha256")
    return f"{head}.{base64.urlsafe_b64encode(seal).rstrip(b'=').decode()}"


async def test_a_custom_token_lets_in_once(site):
    async with browser(site.url) as me, browser(site.url) as again:
        token = jwt_of()
        mine = await me.post("/api/login/token", token=token)
        assert (mine["person"]["name"], mine["kind"]) == ("Site Ann", "account")
        assert await again.refused("POST", "/api/login/token", {"token": token}) == "link-used"
        token = jwt_of(key=RSA, algorithm="RS256")
        assert (await again.ask("GET", f"/login/token?token={token}"))[0] == 200
        assert await again.get(f"/api/login/token?token={token}") == {"name": "Site Ann"}
        await again.post("/api/login/token", token=token)
        assert (await again.me())["person"]["id"] == mine["person"]["id"]


@pytest.mark.parametrize(
    ("token", "why"),
    [
        (lambda: jwt_of()[:-6] + "AAAAAA", "tampered"),
        (lambda: jwt_of(OctKey.import_key("another secret, which is as long as that one")), "another secret"),
        (lambda: jwt_of(RSAKey.generate_key(2048), "RS256"), "another key"),
        (lambda: signed_with_the_public_key(), "the public key as a secret"),
        (lambda: jwt_of(exp=int(time.time()) - 60), "expired"),
        (lambda: jwt_of(exp=int(time.time()) + 3600), "too long"),
        (lambda: jwt_of(exp=None), "no end"),
        (lambda: jwt_of(aud="another house"), "wrong audience"),
        (lambda: jwt_of(aud=None), "no audience"),
        (lambda: jwt_of(sub=None), "nobody"),
        (lambda: jwt_of(name=None), "no name"),
        (lambda: jwt_of(nbf=int(time.time()) + 200), "not yet"),
        (lambda: "eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4IiwibmFtZSI6IngiLCJhdWQiOiJoYW5wYW4ifQ.", "unsigned"),
        (lambda: "no token at all", "nonsense"),
        (lambda: "", "empty"),
    ],
)
async def test_a_custom_token_that_is_not_right_is_refused(site, token, why):
    async with browser(site.url) as me:
        assert await me.refused("POST", "/api/login/token", {"token": token()}) == "bad-token", why


# --- whose games these are ---


async def test_a_guests_games_move_to_the_account_that_was_there_and_the_rating_is_dropped(site, mails):
    async with browser(site.url) as account, browser(site.url) as me, Guest(site.url) as other:
        await registered(site, mails, account, "mover@example.org")
        mine = (await account.me())["person"]["id"]
        await me.post("/api/guest")
        token = me.token
        async with Guest(site.url, token) as guest:
            rooms = await sit_down([guest, other], "tictactoe")
            await play_on(rooms)
            played = (await rooms[0].hears("game over"))["game_id"]
            lobby = await guest.enter_lobby()
            await me.post("/api/login/email", email="mover@example.org", password=PASSWORD)
            await lobby.hears("unauthorized")
        assert (await me.me())["person"]["id"] == mine
        games = await me.get(f"/api/people/{mine}/games")
        assert [game["id"] for game in games] == [played]
        assert mine in [seat["first"] for seat in games[0]["people"]]
        assert await me.get(f"/api/people/{guest.id}/games") == []
        assert await me.get(f"/api/people/{mine}/ratings/tictactoe") == []
        assert guest.id not in [line["id"] for line in await me.get("/api/leaderboards/tictactoe")]
        assert (await me.ask("GET", "/api/me", headers={"Authorization": f"Bearer {token}"}))[0] == 401


async def test_a_guest_who_logs_in_during_a_game_plays_on_as_the_account(site, mails):
    async with browser(site.url) as account, browser(site.url) as me, Guest(site.url) as other:
        await registered(site, mails, account, "player@example.org")
        await me.post("/api/guest")
        guest = Guest(site.url, me.token)
        async with guest:
            rooms = await sit_down([guest, other], "tictactoe")
            await play_on(rooms, plies=2)
            await me.post("/api/login/email", email="player@example.org", password=PASSWORD)
        async with Guest(site.url, me.token) as mine:
            room = await mine.enter(rooms[0].id)
            await play_on([room, rooms[1]])
            over = await rooms[1].hears("game over")
        games = await me.get(f"/api/people/{mine.id}/games")
        assert over["game_id"] in [game["id"] for game in games]


async def test_nobody_becomes_the_account_that_they_play_against(site, mails):
    async with browser(site.url) as account, browser(site.url) as me:
        await registered(site, mails, account, "opponent@example.org")
        await me.post("/api/guest")
        async with Guest(site.url, account.token) as theirs, Guest(site.url, me.token) as guest:
            rooms = await sit_down([guest, theirs], "tictactoe")
            login = {"email": "opponent@example.org", "password": PASSWORD}
            assert await me.refused("POST", "/api/login/email", login) == "both-play"
            await rooms[0].call("resign")
            await rooms[1].hears("game over")
            await me.post("/api/login/email", **login)


async def test_an_attached_login_keeps_games_and_rating(site, mails):
    async with browser(site.url) as me, Guest(site.url) as other:
        await me.post("/api/guest")
        async with Guest(site.url, me.token) as guest:
            rooms = await sit_down([guest, other], "tictactoe")
            await play_on(rooms, plies=4)
            await rooms[0].call("resign")
            await rooms[0].hears("game over")
        await registered(site, mails, me, "keeper@example.org")
        assert len(await me.get(f"/api/people/{guest.id}/games")) == 1
        assert (await me.get(f"/api/people/{guest.id}/ratings/tictactoe"))[0]["after"] == 1290


# --- leaving ---


async def test_logging_out_everywhere_closes_open_sockets(site, mails):
    async with browser(site.url) as me:
        await registered(site, mails, me, "everywhere@example.org")
        async with Guest(site.url, me.token) as mine:
            lobby = await mine.enter_lobby()
            await me.post("/api/logout/everywhere")
            await lobby.hears("unauthorized")
        assert await me.refused("GET", "/api/me") == "unauthorized"


@pytest.mark.slow
async def test_my_data_can_be_taken_along_and_deleted(site, mails):
    async with browser(site.url) as me, Guest(site.url) as other:
        await registered(site, mails, me, "gone@example.org")
        async with Guest(site.url, me.token) as mine:
            rooms = await sit_down([mine, other], "tictactoe")
            await play_on(rooms, plies=4)
            await rooms[0].call("resign")
            over = await rooms[1].hears("game over")
        data = await me.get("/api/me/export")
        stored, id = site.services.store.moderation, data["person"]["id"]
        await site.do(stored.log, id, "rename", id, "rude", {"name": "Polite", "before": "Rude Name"})
        assert [game["id"] for game in data["games"]] == [over["game_id"]]
        assert data["logins"][0]["email"] == "gone@example.org"
        assert data["ratings"]["tictactoe"][0]["after"] == 1290
        assert "argon2" not in str(data)
        assert await me.refused("DELETE", "/api/me", {"name": "someone else"}) == "bad-value"
        assert (await me.ask("DELETE", "/api/me", json={"name": data["person"]["name"]}))[0] == 200
        assert await me.refused("GET", "/api/me") == "unauthorized"
        assert await me.refused("POST", "/api/login/email", {"email": "gone@example.org", "password": PASSWORD}) == "wrong-login"
        record = await me.get(f"/api/records/{over['game_id']}.json")
        assert data["person"]["name"] not in str(record)
        assert [row.document for row in await site.do(stored.acts) if row.target == id] == [{}], "nor does the operators' log say what they were called"
