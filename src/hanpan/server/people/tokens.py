"""Who someone is: names, and what the server's secret does: it signs the tokens that guests had before there were sessions, and masks what is only compared."""

from __future__ import annotations

import hmac
import os
import secrets
from contextlib import suppress
from pathlib import Path

from itsdangerous import BadSignature, URLSafeSerializer
from pydantic import SecretStr

LEAST_SECRET = 32  # letters
_WAY_OUT = "bring it back from where you keep a copy; without any remove it, and authenticator apps must be set up anew"
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # nothing that is easily misread


class Tokens:
    """Reads the signed tokens that brought people back before there were sessions: a guest who still has one gets a session for it."""

    def __init__(self, secret: str) -> None:
        self._signer, self._secret = URLSafeSerializer(secret, salt="hanpan-person"), secret.encode()

    def masked(self, text: str) -> str:
        """What can be compared with its like, and tells nothing to whoever does not have the secret."""
        return hmac.new(self._secret, text.encode(), "sha256").hexdigest()

    def give(self, person: str, version: int) -> str:
        """A token for a person, as it was given then."""
        return str(self._signer.dumps([person, version]))

    def read(self, token: object) -> tuple[str, int] | None:
        """Whom a token names; None if it is not one of ours."""
        if not isinstance(token, str) or len(token) > 500:
            return None
        try:
            person, version = self._signer.loads(token)
        except (BadSignature, ValueError, TypeError):
            return None
        return (person, version) if isinstance(person, str) and isinstance(version, int) else None


def secret_of(folder: Path, given: SecretStr | None = None) -> str:
    """The secret that signs tokens: the one given, or kept beside the data, readable by its owner only, made at the first start.

    ValueError if it can't be read or made, or is none: with an empty one anybody could sign.
    """
    if given is not None:
        return given.get_secret_value()
    path = folder / "secret"
    try:
        if not path.exists():
            _make_secret(path)
        found = path.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError) as wrong:
        raise ValueError(f"secret: {path} can't be used ({getattr(wrong, 'strerror', None) or 'not a text'}); {_WAY_OUT}") from None
    if len(found) < LEAST_SECRET:
        raise ValueError(f"secret: {path} has {len(found)} letters, and {LEAST_SECRET} are needed; {_WAY_OUT}")
    return found


def _make_secret(path: Path) -> None:
    """It appears whole, on the disk and once, whoever else is starting at this moment."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    new = path.with_name(f"secret.{secrets.token_hex(4)}")
    try:
        with open(os.open(new, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(32))
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            os.link(new, path)
    finally:
        new.unlink(missing_ok=True)


def new_id(length: int) -> str:
    """A short id that people can tell each other."""
    return "".join(secrets.choice(_LETTERS) for _ in range(length))
