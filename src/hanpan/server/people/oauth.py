"""Logging in with an account elsewhere: OAuth 2 and OpenID Connect through Authlib, one entry a provider, each only when it is set up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import urlsplit, urlunsplit

import httpx2
from authlib.common.errors import AuthlibBaseError
from authlib.integrations.starlette_client import OAuth
from joserfc.errors import JoseError

from hanpan.server.faults import log_fault
from hanpan.server.protocol.refusals import Refused
from hanpan.server.settings import Settings

Claims = Mapping[str, object]  # what another site says of someone
Token = Mapping[str, object]  # what it gives us to ask about them


class _Client(Protocol):
    """What we use of Authlib's, which has no types."""

    async def create_authorization_url(self, redirect_uri: str, *, state: str) -> Mapping[str, str]: ...

    async def fetch_access_token(self, redirect_uri: str, **given: str) -> Token: ...

    async def parse_id_token(self, token: Token, nonce: str | None) -> Claims | None: ...

    async def load_server_metadata(self) -> Mapping[str, object]: ...

    async def userinfo(self, *, token: Token) -> Claims: ...

    async def get(self, url: str | None, *, token: Token) -> httpx2.Response: ...


@dataclass(frozen=True)
class Who:
    """Who someone is elsewhere. The subject never changes; the rest may."""

    subject: str
    name: str | None = None
    email: str | None = None


@dataclass(frozen=True)
class Provider:
    """Where someone may have an account. With `discovery` it speaks OpenID Connect and tells the rest itself; else `person` is asked who someone is."""

    title: str
    scope: str
    discovery: str | None = None
    authorize: str | None = None
    token: str | None = None
    person: str | None = None
    read: Callable[[Claims], Who] | None = None
    method: str = "client_secret_basic"
    pkce: bool = True


PROVIDERS = {
    "google": Provider("Google", "openid email profile", "https://accounts.google.com/.well-known/openid-configuration"),
    "x": Provider(
        "X", "users.read tweet.read", None, "https://x.com/i/oauth2/authorize", "https://api.x.com/2/oauth2/token", "https://api.x.com/2/users/me",
        lambda told: _who(told["data"]),
    ),
    "facebook": Provider(
        "Facebook", "public_profile email", None, "https://www.facebook.com/v23.0/dialog/oauth", "https://graph.facebook.com/v23.0/oauth/access_token",
        "https://graph.facebook.com/v23.0/me?fields=id,name,email", lambda told: _who(told),
        "client_secret_post", pkce=False,
    ),
    "yahoojp": Provider("Yahoo! JAPAN", "openid email profile", "https://auth.login.yahoo.co.jp/yconnect/v2/.well-known/openid-configuration"),
}  # fmt: skip


class Elsewhere:
    """The providers that are set up."""

    def __init__(self, settings: Settings) -> None:
        self._oauth = OAuth()
        self.names: list[str] = []
        self._people: dict[str, str | None] = {}  # provider → where it tells who someone is
        for name, provider in PROVIDERS.items():
            id, secret, server = (getattr(settings, f"{name}_{part}") for part in ("client_id", "client_secret", "server"))
            if id is None:
                continue
            self.names.append(name)
            self._people[name] = _at(server, provider.person)
            kwargs: dict[str, object] = {"scope": provider.scope, "token_endpoint_auth_method": provider.method, "timeout": 15}
            if provider.pkce:
                kwargs["code_challenge_method"] = "S256"
            self._oauth.register(
                name, client_id=id, client_secret=secret.get_secret_value(), server_metadata_url=_at(server, provider.discovery),
                authorize_url=_at(server, provider.authorize), access_token_url=_at(server, provider.token),
                client_kwargs=kwargs,
            )  # fmt: skip

    def _app(self, name: str) -> _Client:
        if name not in self.names:
            raise Refused("no-such-login", provider=name[:20])
        app: _Client = self._oauth.create_client(name)
        return app

    async def begin(self, name: str, back: str, state: str) -> tuple[str, dict[str, str]]:
        """Where to send someone, and what must be known when they come back to the address `back`."""
        app = self._app(name)
        try:
            begun = await app.create_authorization_url(back, state=state)
        except (httpx2.HTTPError, AuthlibBaseError, ValueError, RuntimeError) as fault:
            raise _failed(name, fault) from None
        return begun["url"], {key: begun[key] for key in ("code_verifier", "nonce") if key in begun}

    async def finish(self, name: str, back: str, code: str, known: Mapping[str, str | None]) -> Who:
        """Who has come back with this code."""
        app, provider = self._app(name), PROVIDERS[name]
        given = {"code": code}
        if (verifier := known.get("code_verifier")) is not None:
            given["code_verifier"] = verifier
        try:
            token = await app.fetch_access_token(back, **given)
            if provider.read is None:
                claims = await app.parse_id_token(token, nonce=known.get("nonce"))
                if claims is None:
                    raise ValueError("no id_token")
                claims = {**claims, **(await self._more(app, token, str(claims["sub"])))}
                return Who(str(claims["sub"]), _text(claims.get("name")), _text(claims.get("email")))
            answer = await app.get(self._people[name], token=token)
            answer.raise_for_status()
            return provider.read(answer.json())
        except (httpx2.HTTPError, AuthlibBaseError, JoseError, ValueError, KeyError, TypeError, RuntimeError) as fault:
            raise _failed(name, fault) from None

    async def _more(self, app: _Client, token: Token, subject: str) -> Claims:
        """Name and e-mail address, which not every provider puts into the id token; it must speak of the same person."""
        metadata = await app.load_server_metadata()
        if "userinfo_endpoint" not in metadata:
            return {}
        told = dict(await app.userinfo(token=token))
        if told.get("sub") != subject:
            raise ValueError("userinfo speaks of someone else")
        return told


def _who(told: object) -> Who:
    """Someone whose provider tells an `id`; KeyError or TypeError if that is not what it tells."""
    if not isinstance(told, dict):
        raise TypeError("not an object")
    return Who(str(told["id"]), _text(told.get("name")), _text(told.get("email")))


def _text(told: object) -> str | None:
    return told if isinstance(told, str) else None


def _failed(name: str, fault: Exception) -> Refused:
    log_fault(f"login with {name}", fault)
    return Refused("login-failed", provider=PROVIDERS[name].title)


def _at(server: str | None, url: str | None) -> str | None:
    """The same path at another server, if told so."""
    if server is None or url is None:
        return url
    there, path = urlsplit(server), urlsplit(url)
    return urlunsplit((there.scheme, there.netloc, path.path, path.query, ""))
