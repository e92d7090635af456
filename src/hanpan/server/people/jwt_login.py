"""Custom tokens: a JWT with which an operator's own site says who someone is."""

from __future__ import annotations

import time
from pathlib import Path

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import OctKey, RSAKey

from hanpan.server.people.oauth import Who
from hanpan.server.protocol.refusals import Refused
from hanpan.server.settings import Settings

MOST_SECONDS = 600  # that a token may be good for
_LEEWAY = 5  # seconds that two machines' clocks may differ


class JwtLogin:
    """Reads tokens with the keys from the settings."""

    def __init__(self, settings: Settings) -> None:
        self._audience = settings.token_audience
        self._keys: dict[str, OctKey | RSAKey] = {}
        if settings.token_secret is not None:
            self._keys["HS256"] = OctKey.import_key(settings.token_secret.get_secret_value())
        if settings.token_key is not None:
            self._keys["RS256"] = _public_key(settings.token_key)

    def __bool__(self) -> bool:
        return bool(self._keys)

    def read(self, token: str) -> tuple[Who, float]:
        """Whom a token names, and for how many seconds it is still good. Refused says why it is not."""
        if not self._keys:
            raise Refused("no-such-login", provider="custom")
        try:
            decoded = jwt.decode(token, lambda found: self._key(found.headers().get("alg")), algorithms=list(self._keys))
            claims = decoded.claims
            registry = jwt.JWTClaimsRegistry(leeway=_LEEWAY, sub={"essential": True}, exp={"essential": True}, aud={"essential": True, "value": self._audience})
            registry.validate(claims)
        except (JoseError, ValueError, TypeError, KeyError, AttributeError) as wrong:
            raise Refused("bad-token", reason=getattr(wrong, "error", "unreadable")) from None
        subject, name, left = claims["sub"], claims.get("name"), claims["exp"] - time.time()
        if not isinstance(subject, str) or not 0 < len(subject) <= 300:
            raise Refused("bad-token", reason="sub")
        if not isinstance(name, str) or not name.strip():
            raise Refused("bad-token", reason="name")
        if left > MOST_SECONDS + _LEEWAY:
            raise Refused("bad-token", reason=f"exp: more than {MOST_SECONDS // 60} minutes")
        return Who(subject, name.strip()), left + 2 * _LEEWAY

    def _key(self, algorithm: object) -> OctKey | RSAKey:
        """The key of an algorithm, and never another's: else a public key could be used as a secret."""
        if not isinstance(algorithm, str) or algorithm not in self._keys:
            raise ValueError("algorithm")
        return self._keys[algorithm]


def _public_key(text: str) -> RSAKey:
    try:
        pem = text if "-----BEGIN" in text else Path(text).read_text("utf-8")
        return RSAKey.import_key(pem)
    except (OSError, ValueError, JoseError) as wrong:
        raise ValueError(f"token_key: not a public RSA key ({type(wrong).__name__})") from None
