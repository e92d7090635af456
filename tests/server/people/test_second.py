"""Two-factor login: a code app, recovery codes; half-open logins, and everything that someone could try against them."""

import asyncio
import re

import pytest
from clients import Guest
from local import LocalServer
from logging_in import OpenIdProvider, browser
from serving import free_port
from storing import newcomer
from two_factors import PASSWORD, SECRET, account, alone, device, half_open, nobody_in, token, told, with_app, with_passkey
from typer.testing import CliRunner

from hanpan.cli import app
from hanpan.server import app as server_app
from hanpan.server.people import logins, second_factor
from hanpan.server.storage.accounts import hashed
from hanpan.server.storage.models import Session
from hanpan.server.storage.store import Store

# --- a code app ---


async def test_a_code_app_is_set_up_by_its_first_code(site, mails):
    async with browser(site.url) as me, browser(site.url) as elsewhere:
        await account(site, me, "app@example.org")
        await elsewhere.post("/api/login/email", email="app@example.org", password=PASSWORD)
        begun = await me.post("/api/me/second/totp/begin")
        assert begun["address"].startswith("otpauth://totp/Hanpan%20")
        assert begun["secret"] in begun["address"]
        assert (await me.me())["second"]["on"] is False  # nothing counts before the first code
        for wrong in ("000000", "12345", "1234567", "abcdef", "１２３４５６"):
            assert await me.refused("POST", "/api/me/second/totp", {"ticket": begun["ticket"], "code": wrong}) == "wrong-code"
        assert await elsewhere.refused("POST", "/api/me/second/totp", {"ticket": begun["ticket"], "code": "000000"}) == "too-late"  # begun in another session
        app, codes = await with_app(site, me)
        assert len(set(codes)) == 10
        mine = (await me.me())["second"]
        assert (mine["on"], mine["needed"], mine["recovery"], mine["totp"]["used"]) == (True, False, 10, None)
        assert await elsewhere.refused("GET", "/api/me") == "unauthorized"  # who came in without it is shown out
        assert await me.refused("POST", "/api/me/second/totp/begin") == "have-totp"
        await told(mails, "app@example.org", "authenticator app was added")
        kept = b"".join(file.read_bytes() for file in site.folder.glob("hanpan.db*")) + str(await me.get("/api/me/export")).encode()
        assert app.secret.encode() not in kept
        assert not any(code.encode() in kept or code.replace("-", "").encode() in kept for code in codes)


async def test_after_the_password_nothing_is_reachable_before_the_code(site):
    async with browser(site.url) as me, browser(site.url) as other, browser(site.url) as third:
        mine = await account(site, me, "half@example.org")
        app, _ = await with_app(site, me)
        guest = await other.post("/api/guest")
        assert await half_open(other, "half@example.org") == ["totp", "recovery"]
        assert await other.get("/api/login/second") == {"ways": ["totp", "recovery"]}
        assert (await other.me())["person"]["id"] == guest["person"]["id"]  # still the guest, whose games have not moved
        async with Guest(site.url, other.token) as person:
            assert person.id == guest["person"]["id"]
        assert await third.refused("GET", "/api/login/second") == "too-late"  # another browser knows nothing of it
        assert await third.refused("POST", "/api/login/second", {"code": await app.next()}) == "too-late"
        assert await other.refused("POST", "/api/login/second", {"code": app.code(-3)}) == "wrong-code"
        entered = await other.post("/api/login/second", code=app.code())
        assert entered["person"]["id"] == mine
        assert await other.refused("POST", "/api/login/second", {"code": app.code(1)}) == "too-late"  # it worked once
        assert (await other.me())["second"]["totp"]["used"] is not None


async def test_a_code_works_once_and_only_for_its_own_account(site):
    async with browser(site.url) as ann, browser(site.url) as bob, browser(site.url) as thief:
        await account(site, ann, "ann2@example.org")
        await account(site, bob, "bob2@example.org")
        hers, _ = await with_app(site, ann)
        his, _ = await with_app(site, bob)
        code = await hers.next()
        await half_open(ann, "ann2@example.org")
        await ann.post("/api/login/second", code=code)
        await half_open(thief, "ann2@example.org")
        assert await thief.refused("POST", "/api/login/second", {"code": code}) == "wrong-code"  # looked at over her shoulder
        assert await thief.refused("POST", "/api/login/second", {"code": hers.code(-1)}) == "wrong-code"  # nor one from before it
        assert await thief.refused("POST", "/api/login/second", {"code": his.code(1)}) == "wrong-code"
        await nobody_in(thief)
        first, again = await asyncio.gather(*(thief.ask("POST", "/api/login/second", json={"code": hers.code(1)}) for _ in range(2)))
        assert sorted((first[0], again[0])) in ([200, 400], [200, 401])  # the same code twice at the same moment


async def test_a_half_open_login_is_over_after_a_while(site, monkeypatch):
    async with browser(site.url) as me, browser(site.url) as other:
        await account(site, me, "slow@example.org")
        app, _ = await with_app(site, me)
        monkeypatch.setattr(logins, "HALF_SECONDS", -1)
        await half_open(other, "slow@example.org")
        assert await other.refused("POST", "/api/login/second", {"code": await app.next()}) == "too-late"
        await nobody_in(other)


async def test_a_password_chosen_by_mail_counts_only_after_the_second_factor(site, mails):
    async with browser(site.url) as me, browser(site.url) as thief:
        await account(site, me, "mailbox@example.org")
        app, _ = await with_app(site, me)
        await thief.post("/api/login/email/reset", email="mailbox@example.org")
        while not (found := [each for mail in mails.mails("mailbox@example.org") if (each := re.search(r"ticket=([\w-]+)", mail["text"]))]):
            await asyncio.sleep(0.05)
        told = await thief.post("/api/login/email/password", ticket=found[0].group(1), password="fresh zebra lamp")
        assert told == {"second": ["totp", "recovery"]}
        await nobody_in(thief)
        assert (await me.me())["kind"] == "account"  # nobody was logged out for it
        assert await half_open(me, "mailbox@example.org")  # and the old password is still the password
        await thief.post("/api/login/second", code=await app.next())
        assert await me.refused("POST", "/api/login/email", {"email": "mailbox@example.org", "password": PASSWORD}) == "wrong-login"


@pytest.mark.slow
async def test_the_way_through_another_site_asks_for_the_second_factor_too(tmp_path):
    port = free_port()
    provider = OpenIdProvider(f"http://127.0.0.1:{port}")
    keys = {"google_client_id": "google", "google_client_secret": "google-secret", "google_server": provider.url}
    site = LocalServer(tmp_path, port=port, url=f"http://127.0.0.1:{port}", **keys).start()
    try:
        async with browser(site.url) as me, browser(site.url) as other:
            await me.log_in_elsewhere("google", "two-steps")
            app, _ = await with_app(site, me)
            end, _, _ = await other.log_in_elsewhere("google", "two-steps")
            assert end == f"{site.url}/login/second"
            await nobody_in(other)
            assert (await other.post("/api/login/second", code=await app.next()))["person"]["id"] == (await me.me())["person"]["id"]
    finally:
        site.stop()
        provider.stop()


async def test_a_token_of_ones_own_site_asks_for_it_too(site):
    async with browser(site.url) as me, browser(site.url) as other:
        await account(site, me, "own@example.org")
        await with_app(site, me)
        assert await other.post("/api/login/token", token=token("own@example.org")) == {"second": ["totp", "recovery"]}
        await nobody_in(other)


# --- recovery codes ---


async def test_a_recovery_code_works_once(site, mails):
    async with browser(site.url) as me, browser(site.url) as one, browser(site.url) as two:
        await account(site, me, "lost@example.org")
        _, codes = await with_app(site, me)
        for who in (one, two):
            await half_open(who, "lost@example.org")
        both = await asyncio.gather(*(who.ask("POST", "/api/login/second", json={"code": codes[0]}) for who in (one, two)))
        assert sorted(status for status, _ in both) == [200, 401]  # at the same moment: one of them
        loser = two if both[0][0] == 200 else one
        assert await loser.refused("POST", "/api/login/second", {"code": codes[0].upper()}) == "wrong-code"
        await loser.post("/api/login/second", code=f" {codes[1].upper().replace('-', ' ')} ")  # as people write it
        assert (await loser.me())["second"]["recovery"] == 8
        await told(mails, "lost@example.org", "recovery code; 8 are left")
        new = (await loser.post("/api/me/second/recovery"))["codes"]
        assert not set(new) & set(codes)
        await half_open(me, "lost@example.org")
        assert await me.refused("POST", "/api/login/second", {"code": codes[2]}) == "wrong-code"  # made before
        await me.post("/api/login/second", code=new[0])


async def test_a_recovery_code_of_someone_else_opens_nothing(site):
    async with browser(site.url) as ann, browser(site.url) as bob:
        await account(site, ann, "ann3@example.org")
        await account(site, bob, "bob3@example.org")
        _, hers = await with_app(site, ann)
        await with_app(site, bob)
        await half_open(ann, "bob3@example.org")
        assert await ann.refused("POST", "/api/login/second", {"code": hers[0]}) == "wrong-code"


# --- proving again ---


async def test_removing_needs_proving_again_and_a_password_does_not_prove_it(site, mails):
    async with browser(site.url) as me:
        await account(site, me, "prove@example.org")
        app, codes = await with_app(site, me)
        key, _ = await with_passkey(site, me)
        listed = (await me.me())["second"]["passkeys"][0]["id"]
        changes = [("DELETE", "/api/me/second/totp"), ("DELETE", f"/api/me/second/passkeys/{listed}"), ("POST", "/api/me/second/recovery"),
                 ("POST", "/api/me/second/totp/begin"), ("POST", "/api/me/second/passkeys/begin")]  # fmt: skip
        for prove in ("totp", "recovery", "passkey"):
            await site.later(3600)
            for method, path in changes:
                assert await me.refused(method, path) == "prove-again", path
            assert (await me.get("/api/prove"))["ways"] == ["totp", "passkey", "recovery"]
            assert await me.refused("POST", "/api/prove", {"way": "password", "answer": PASSWORD}) == "no-such-login"
            assert await me.refused("POST", "/api/prove", {"way": prove, "answer": "000000"}) in ("wrong-code", "bad-payload")
            options = await me.post("/api/prove/begin", way=prove)
            await me.post("/api/prove", way=prove, answer={"totp": app.code, "recovery": lambda: codes[0], "passkey": lambda o=options: key.use(o)}[prove]())
            assert await me.refused("POST", "/api/me/second/totp/begin") == "have-totp"
        assert (await me.ask("DELETE", "/api/me/second/totp"))[0] == 200
        assert await me.refused("DELETE", "/api/me/second/totp") == "no-second"
        assert await me.refused("DELETE", "/api/me/second/passkeys/totp") == "no-second"
        assert (await me.me())["second"]["recovery"] == 9
        assert (await me.ask("DELETE", f"/api/me/second/passkeys/{listed}"))[0] == 200
        assert (await me.me())["second"] == {"on": False, "needed": False, "totp": None, "passkeys": [], "recovery": 0}
        assert await me.refused("POST", "/api/me/second/recovery") == "no-second"
        assert (await me.post("/api/login/email", email="prove@example.org", password=PASSWORD))["kind"] == "account"  # one step is enough again
        await told(mails, "prove@example.org", "authenticator app was removed")


async def test_a_guest_has_nothing_to_protect_by_it(site):
    async with browser(site.url) as me:
        await me.post("/api/guest")
        for path in ("totp/begin", "passkeys/begin", "recovery"):
            assert await me.refused("POST", f"/api/me/second/{path}") == "account-only"


async def test_deleting_oneself_deletes_it_too(site):
    async with browser(site.url) as me, browser(site.url) as again:
        mine = await account(site, me, "gone2@example.org")
        await with_app(site, me)
        key, _ = await with_passkey(site, me)
        await me.ask("DELETE", "/api/me", json={"name": (await me.me())["person"]["name"]})
        assert not (await site.do(site.services.store.factors.held, mine)).ways
        assert (await alone(again, key))[1]["code"] == "wrong-passkey"


# --- operators ---


async def test_operators_must_have_it(site):
    async with browser(site.url) as me:
        mine = await account(site, me, "operator@example.org")
        await site.do(lambda: site.services.store.accounts.change(mine, role="operator"))
        because = {"reason": "trial"}
        requests = [
            ("POST", f"people/{mine}/mute", because | {"minutes": 1}), ("POST", f"people/{mine}/ban", because | {"minutes": 0}),
            ("POST", f"people/{mine}/rename", because | {"name": "Op"}), ("POST", f"people/{mine}/role", because | {"role": None}),
            ("POST", "rooms/x/close", because), ("GET", "reports", None), ("POST", "reports/x/close", because), ("GET", "log", None),
            ("GET", "people?name=a", None), ("GET", f"people/{mine}", None),
        ]  # fmt: skip
        for method, path, body in requests:
            assert await me.refused(method, f"/api/operator/{path}", body) == "two-factor-needed", path
        assert (await me.me())["second"]["needed"]
        await with_app(site, me)
        await me.get("/api/operator/log")
        assert await me.refused("DELETE", "/api/me/second/totp") == "last-second"
        await with_passkey(site, me)
        listed = (await me.me())["second"]["passkeys"][0]["id"]
        both = await asyncio.gather(me.ask("DELETE", "/api/me/second/totp"), me.ask("DELETE", f"/api/me/second/passkeys/{listed}"))
        assert sorted(status for status, _ in both) == [200, 400]  # at the same moment: one of them stays
        await me.get("/api/operator/log")


# --- floods and nonsense ---


async def test_whoever_guesses_is_slowed_and_the_owner_is_not_locked_out(local_server):
    site = local_server(token_secret=SECRET, tries_per_hour=100_000)
    async with browser(site.url) as me, browser(site.url) as thief, browser(site.url) as new:
        await account(site, me, "guessed@example.org")
        await me.post("/api/guest")
        app, codes = await with_app(site, me)
        await half_open(me, "guessed@example.org")
        await me.post("/api/login/second", code=await app.next())  # this browser is familiar from now on
        await half_open(thief, "guessed@example.org")
        right = {app.code(steps) for steps in range(-2, 6)}
        guesses = [guess for guess in (f"{number:06}" for number in range(40)) if guess not in right][:30]
        answers = [await thief.refused("POST", "/api/login/second", {"code": guess}) for guess in guesses]
        assert answers[0] == "wrong-code"
        assert answers[-1] == "too-fast"
        assert answers.count("wrong-code") <= 21
        await half_open(me, "guessed@example.org")
        await me.post("/api/login/second", code=await app.next())
        await half_open(new, "guessed@example.org")
        assert await new.refused("POST", "/api/login/second", {"code": await app.next()}) == "too-fast"  # a browser that nobody knows waits with the thief,
        await new.post("/api/login/second", code=codes[0])  # but a recovery code can't be guessed


async def test_tries_are_counted_by_account_and_address(local_server):
    site = local_server(token_secret=SECRET, tries_per_hour=6)
    async with browser(site.url) as me, browser(site.url) as thief:
        await account(site, me, "counted@example.org")
        _, codes = await with_app(site, me)
        await half_open(thief, "counted@example.org")
        wrong = [await thief.refused("POST", "/api/login/second", {"code": "aaaa-aaaa-aaaa-aaaa"}) for _ in range(8)]
        assert (wrong[0], wrong[-1]) == ("wrong-code", "too-fast")
        await site.later(3600)
        await me.post("/api/prove", way="recovery", answer=codes[0])  # the owner, logged in, goes on


NONSENSE = [None, 1, "", "x", [], {}, {"credential": {}}, {"credential": "x" * 5000}, {"code": 123456}, {"code": ""}, {"code": "1" * 5000}, {"code": "\ud800"},
            {"code": "000000", "more": 1}, {"ticket": "x", "code": "000000"}, {"name": "K", "credential": None}, {"name": "\n", "credential": {}}]  # fmt: skip


def broken(whole):
    """A credential with something wrong in it, in one way after the other."""
    for field in ("id", "rawId", "type", "response"):
        yield {name: value for name, value in whole.items() if name != field}
    for field in whole["response"]:
        for value in (None, "", "!", "A", "AAAA", "A" * 20_000, 5, "e30", "W10", "bnVsbA", "eyJjaGFsbGVuZ2UiOjF9"):
            yield whole | {"response": whole["response"] | {field: value}}
    yield whole | {"id": "AAAA"}
    yield whole | {"id": "A" * 3000, "rawId": "A" * 3000}
    yield whole | {"type": "password"}


@pytest.mark.slow
async def test_nonsense_at_every_door_is_refused_clearly(site):
    async with browser(site.url) as me, browser(site.url) as other:
        await account(site, me, "nonsense@example.org")
        key, _ = await with_passkey(site, me)
        paths = ["/api/me/second/totp", "/api/me/second/passkeys", "/api/login/second", "/api/login/second/passkey", "/api/login/passkey"]
        for path in paths:
            for body in NONSENSE:
                status, said = await me.ask("POST", path, json=body)
                assert 400 <= status < 500, (path, body, status)
                assert said["text"], (path, body)
        ways = len(list(broken(key.use(await other.post("/api/login/passkey/begin")))))
        for way in range(ways):  # each has a challenge of its own, or nothing else would be looked at
            answer = list(broken(key.use(await other.post("/api/login/passkey/begin"))))[way]
            status, said = await other.ask("POST", "/api/login/passkey", json={"credential": answer})
            if status == 200:  # whose passkey it is need not be told
                assert answer["response"]["userHandle"] is None
                await other.post("/api/logout")
                continue
            assert said["code"] in ("bad-payload", "wrong-passkey", "too-late"), (answer, status, said)
        ways = len(list(broken(device(site).make(await me.post("/api/me/second/passkeys/begin")))))
        for way in range(ways):
            answer = list(broken(device(site).make(await me.post("/api/me/second/passkeys/begin"))))[way]
            status, said = await me.ask("POST", "/api/me/second/passkeys", json={"name": "K", "credential": answer})
            assert said["code"] in ("bad-payload", "wrong-passkey", "too-late"), (answer, status, said)


# --- the secret that seals ---


async def test_without_the_file_that_seals_them_codes_are_refused_and_recovery_codes_work(local_server, tmp_path):
    site = local_server(token_secret=SECRET)
    async with browser(site.url) as me:
        mine = await account(site, me, "moved@example.org")
        app, codes = await with_app(site, me)
        held = await site.do(site.services.store.factors.held, mine)
        logins = site.app.other_asgi_app.state.services.logins
        other = second_factor.Second(site.services.store, site.services.limits, logins.settings, "another secret", site.services.now)
        with pytest.raises(second_factor.Refused) as wrong:
            await site.do(other.by_code, mine, second_factor.Source("x", "x"), await app.next())
        assert wrong.value.code == "wrong-code"
        assert await site.do(other.by_code, mine, second_factor.Source("x", "x"), codes[0]) == "recovery"
        assert logins.second._opened("someone else", held.totp.secret) is None  # nor does it open in another account


async def test_the_storage_forgets_all_of_it_at_once(url):
    store = await Store.open(url)
    person = await newcomer(store, "Ann")
    assert await store.factors.add_totp(person.id, "sealed", 1, ["d"]) is not None
    assert await store.factors.add_passkey(person.id, "c", "k", 0, "Key", ["e"]) is not None
    assert (await store.factors.held(person.id)).ways == ["totp", "passkey", "recovery"]
    assert not await store.factors.use_code(person.id, "e")  # only the first factor brings codes
    await store.factors.remove_all(person.id)
    assert (await store.factors.held(person.id)).ways == []
    assert not await store.factors.use_code(person.id, "d")
    await store.close()


# --- by command ---


async def test_the_storage_knows_which_sessions_and_tokens_have_ended(url):
    store = await Store.open(url)
    person, bot = await newcomer(store, "Ann"), await newcomer(store, "Program", "bot")
    for id in ("ended", "open"):
        await store.sessions.add(Session(id, person.id, 1, 1, 2, None, "?", "?"))
    await store.accounts.set_bot_token(bot.id, "bot_token", None)
    await store.sessions.end("ended")
    held = {"open", hashed("bot_token")}
    assert await store.sessions.ended(["ended", "unknown", *held]) == {"ended", "unknown"}
    await store.accounts.set_bot_token(bot.id, "bot_another", None)
    await store.sessions.end_all(person.id)
    assert await store.sessions.ended(held) == held
    assert await store.sessions.ended([]) == set()
    await store.close()


async def command(*words):
    return await asyncio.to_thread(CliRunner().invoke, app, list(words))


@pytest.mark.slow
async def test_a_lost_second_factor_is_removed_by_command_while_the_server_runs(local_server, monkeypatch):
    monkeypatch.setattr(server_app, "LOOK_SECONDS", 0.05)
    site = local_server(token_secret=SECRET, tries_per_hour=100_000)
    data = ("--data", str(site.app.other_asgi_app.state.settings.data))
    async with browser(site.url) as me, browser(site.url) as again:
        mine = await account(site, me, "forgetful@example.org")
        await command("operator", mine, *data)
        assert await me.refused("GET", "/api/operator/log") == "two-factor-needed"
        await with_app(site, me)
        await with_passkey(site, me, "My [red]key")
        await me.get("/api/operator/log")
        shown = await command("two-factor", mine, *data)
        assert "authenticator app: yes; passkeys: 'My [red]key'; recovery codes: 10" in " ".join(shown.output.split())
        async with Guest(site.url, me.token) as line, Guest(site.url) as guest:
            room = await line.new_room("kulami")
            lobby, other = await line.enter_lobby(), await guest.enter_lobby()
            removed = await command("two-factor", mine, "--remove", *data)
            assert removed.exit_code == 0, removed.output
            await lobby.hears("unauthorized")
            await room.hears("invalid action", lambda told: told["code"] == "unauthorized")
            await other.call("send msg", msg="nobody else is shown out")
        await nobody_in(me)  # whoever was logged in is not any more
        await again.post("/api/login/email", email="forgetful@example.org", password=PASSWORD)
        assert (await again.me())["second"] == {"on": False, "needed": True, "totp": None, "passkeys": [], "recovery": 0}
        assert await again.refused("GET", "/api/operator/log") == "two-factor-needed"
        wrong = await command("two-factor", "nobody", *data)
        assert "no person 'nobody'" in str(wrong.exception)
