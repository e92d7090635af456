"""Passkeys: alone, as a second factor, and what someone could try with those of others."""

from logging_in import browser
from two_factors import account, alone, device, half_open, nobody_in, told, with_passkey

from hanpan.server.people import second_factor


async def test_a_passkey_logs_in_alone(site, mails):
    async with browser(site.url) as me, browser(site.url) as other:
        mine = await account(site, me, "key@example.org")
        key, codes = await with_passkey(site, me, "My phone")
        assert len(codes) == 10
        second_key, none = await with_passkey(site, me, "My computer")
        assert none is None  # the first ten go on working
        options = await other.post("/api/login/passkey/begin")
        assert (options["rpId"], options["userVerification"], options["allowCredentials"]) == ("127.0.0.1", "required", [])
        status, entered = await other.ask("POST", "/api/login/passkey", json={"credential": key.use(options)})
        assert (status, entered["person"]["id"]) == (200, mine)
        listed = (await other.me())["second"]["passkeys"]
        assert [(each["name"], each["used"] is None) for each in listed] == [("My phone", False), ("My computer", True)]
        assert await other.refused("POST", "/api/login/passkey", {"credential": key.use(options)}) == "too-late"  # a challenge works once
        assert (await other.ask("DELETE", f"/api/me/second/passkeys/{listed[0]['id']}"))[0] == 200
        assert (await alone(other, key))[1]["code"] == "wrong-passkey"
        assert (await alone(other, second_key))[0] == 200
        await told(mails, "key@example.org", "passkey was removed (My phone)")


async def test_a_passkey_is_the_second_factor_after_a_password(site):
    async with browser(site.url) as me, browser(site.url) as other:
        mine = await account(site, me, "both@example.org")
        key, _ = await with_passkey(site, me)
        assert await half_open(other, "both@example.org") == ["passkey", "recovery"]
        options = await other.post("/api/login/second/passkey/begin")
        assert [each["id"] for each in options["allowCredentials"]] == [key.use(options)["id"]]
        touched = key.use(options, verified=False)  # a touch is enough: the password was the first factor
        assert (await other.post("/api/login/second/passkey", credential=touched))["person"]["id"] == mine


async def test_a_passkey_must_be_used_here_by_its_owner_and_count_on(site):
    async with browser(site.url) as me, browser(site.url) as other:
        await account(site, me, "strict@example.org")
        key, _ = await with_passkey(site, me)
        refused = [
            await alone(other, key, origin="https://evil.example.org"),
            await alone(other, key, origin=site.url.replace("http:", "https:")),
            await alone(other, key, crossOrigin=True),
            await alone(other, key, type="webauthn.create"),
            await alone(other, key, verified=False),
            await alone(other, key, owner="c29tZW9uZQ"),
        ]  # fmt: skip
        key.place = "evil.example.org"
        refused.append(await alone(other, key))
        key.place, key.counter = "127.0.0.1", 0
        refused.append(await alone(other, key))  # it counts no further than before: a copy
        stranger = device(site)
        stranger.id, stranger.owner = key.id, key.owner  # the same name with another key
        refused.append(await alone(other, stranger))
        refused.append(await alone(other, device(site)))  # known to nobody
        assert {told["code"] for _, told in refused} == {"wrong-passkey"}
        await nobody_in(other)
        assert (await alone(other, key, steps=50))[0] == 200
        copied = await alone(other, key, steps=-40)  # the counter went back
        assert copied[1]["code"] == "wrong-passkey"


async def test_a_passkey_of_someone_else_is_no_second_factor(site):
    async with browser(site.url) as ann, browser(site.url) as bob, browser(site.url) as thief:
        await account(site, ann, "ann4@example.org")
        await account(site, bob, "bob4@example.org")
        await with_passkey(site, ann)
        his, _ = await with_passkey(site, bob)
        await half_open(thief, "ann4@example.org")
        options = await thief.post("/api/login/second/passkey/begin")
        assert await thief.refused("POST", "/api/login/second/passkey", {"credential": his.use(options)}) == "wrong-passkey"
        made = his.make(await ann.post("/api/me/second/passkeys/begin"))
        assert await ann.refused("POST", "/api/me/second/passkeys", {"name": "His", "credential": made}) == "have-passkey"


async def test_a_challenge_is_for_one_browser_one_purpose_and_a_short_while(site, monkeypatch):
    async with browser(site.url) as me, browser(site.url) as thief:
        await account(site, me, "challenge@example.org")
        key, _ = await with_passkey(site, me)
        await thief.post("/api/login/passkey/begin")
        lured = key.use(await me.post("/api/login/passkey/begin"))  # answered by its owner, sent by someone else
        assert await thief.refused("POST", "/api/login/passkey", {"credential": lured}) == "too-late"
        await half_open(thief, "challenge@example.org")
        swapped = key.use(await thief.post("/api/login/second/passkey/begin"))
        assert await thief.refused("POST", "/api/login/passkey", {"credential": swapped}) == "too-late"  # meant as a second factor
        invented = key.use({"challenge": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"})
        assert await thief.refused("POST", "/api/login/passkey", {"credential": invented}) == "too-late"
        made = device(site).make(await me.post("/api/me/second/passkeys/begin"))
        await me.post("/api/logout")
        await half_open(me, "challenge@example.org")
        again = key.use(await me.post("/api/login/second/passkey/begin"))
        await me.post("/api/login/second/passkey", credential=again)
        assert await me.refused("POST", "/api/me/second/passkeys", {"name": "Key", "credential": made}) == "too-late"  # another session by now
        wrong = device(site)
        wrong.origin = "https://evil.example.org"
        made = wrong.make(await me.post("/api/me/second/passkeys/begin"))
        assert await me.refused("POST", "/api/me/second/passkeys", {"name": "Key", "credential": made}) == "wrong-passkey"
        monkeypatch.setattr(second_factor, "SECONDS", -1)
        late = key.use(await thief.post("/api/login/passkey/begin"))
        assert await thief.refused("POST", "/api/login/passkey", {"credential": late}) == "too-late"
        await nobody_in(thief)
