"""Codes that change every half minute (RFC 6238, over RFC 4226), as every authenticator app makes them: SHA-1, six digits."""

from __future__ import annotations

import base64
import hmac
import secrets
from urllib.parse import quote, urlencode

SECONDS, DIGITS = 30, 6
_SLACK = 1  # steps that a clock may be off, either way


def new_secret() -> bytes:
    """As long as RFC 4226 asks for."""
    return secrets.token_bytes(20)


def code_at(secret: bytes, step: int, digits: int = DIGITS, digest: str = "sha1") -> str:
    """The code of one step of time.

    >>> code_at(b"12345678901234567890", 59 // SECONDS, digits=8)
    '94287082'
    """
    mac = hmac.digest(secret, step.to_bytes(8, "big"), digest)
    at = mac[-1] & 15
    number = int.from_bytes(mac[at : at + 4], "big") & 0x7FFFFFFF
    return f"{number % 10**digits:0{digits}}"


def step_of(secret: bytes, code: str, seconds: float) -> int | None:
    """Which step of time a code belongs to, of those that are near; None: it is wrong, or from another time."""
    now, found = int(seconds) // SECONDS, None
    for step in range(now - _SLACK, now + _SLACK + 1):
        if hmac.compare_digest(code_at(secret, step).encode(), code.encode()):
            found = step
    return found


def written(secret: bytes) -> str:
    """A secret as people type it."""
    return base64.b32encode(secret).decode().rstrip("=")


def address(secret: bytes, place: str, name: str) -> str:
    """What the QR code says: apps show the place and the name above the code."""
    label = quote(f"{place}:{name}", safe="")
    return f"otpauth://totp/{label}?{urlencode({'secret': written(secret), 'issuer': place}, quote_via=quote)}"
