"""What the tests of second factors share: accounts that are quickly made, code apps, and the way through a login in two steps."""

import base64
import time
from urllib.parse import urlsplit

from authenticator import Authenticator
from hashes import LIGHT
from joserfc import jwt
from joserfc.jwk import OctKey

from hanpan.server.people import totp

SECRET = "a shared secret with more than 32 letters in it"
PASSWORD = "correct horse"
HASH = LIGHT.hash(PASSWORD)


def token(subject):
    claims = {"sub": subject, "name": subject[:20], "exp": int(time.time()) + 300, "aud": "hanpan", "iat": time.time()}
    return jwt.encode({"alg": "HS256"}, claims, OctKey.import_key(SECRET))


async def account(site, who, email):
    """Give a browser an account with a password; its id."""
    told = await who.post("/api/login/token", token=token(email))
    assert await site.do(site.services.store.accounts.add_login, "email", email, told["person"]["id"], email, HASH)
    return told["person"]["id"]


class App:
    """A code app."""

    def __init__(self, site, secret):
        self._site, self.secret = site, secret

    def code(self, steps=0):
        """The code that it shows now, or so many half minutes later."""
        key = base64.b32decode(self.secret + "=" * (-len(self.secret) % 8))
        return totp.code_at(key, self._site.services.now() // 1000 // totp.SECONDS + steps)

    async def next(self):
        """A code that was not used, when half a minute has gone by."""
        await self._site.later(totp.SECONDS)
        return self.code()


async def with_app(site, who):
    """Set a code app up in someone's account: the app, and the recovery codes."""
    begun = await who.post("/api/me/second/totp/begin")
    app = App(site, begun["secret"])
    return app, (await who.post("/api/me/second/totp", ticket=begun["ticket"], code=app.code()))["codes"]


def device(site, **more):
    """A passkey device of someone at the server's public address."""
    public = site.app.other_asgi_app.state.settings.public
    return Authenticator(public, urlsplit(public).hostname, **more)


async def with_passkey(site, who, name="Key"):
    """Add a passkey to someone's account: the device, and the recovery codes."""
    key = device(site)
    made = key.make(await who.post("/api/me/second/passkeys/begin"))
    return key, (await who.post("/api/me/second/passkeys", name=name, credential=made))["codes"]


async def half_open(who, email):
    """Show the first factor; what is asked for then."""
    return (await who.post("/api/login/email", email=email, password=PASSWORD))["second"]


async def told(mails, email, words):
    """Until a mail to someone says this."""
    for number in range(1, 20):
        if any(words in mail["text"] for mail in mails.mails(email)):
            return
        await mails.mail(email, number)
    raise AssertionError(mails.mails(email))


async def nobody(who):
    """Nothing of an account is reachable from here: one is a guest still."""
    assert (await who.me())["kind"] == "guest"


async def nobody_in(who):
    assert await who.refused("GET", "/api/me") == "unauthorized"


async def alone(who, key, **more):
    """Log in by a passkey and nothing else: status and answer."""
    options = await who.post("/api/login/passkey/begin")
    return await who.ask("POST", "/api/login/passkey", json={"credential": key.use(options, **more)})
