"""Codes of an app, against the tables of RFC 6238 (appendix B) and RFC 4226 (appendix D)."""

import base64
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from hanpan.server.people import totp

SECRET = b"12345678901234567890"


@pytest.mark.parametrize(
    ("seconds", "sha1", "sha256", "sha512"),
    [
        (59, "94287082", "46119246", "90693936"),
        (1111111109, "07081804", "68084774", "25091201"),
        (1111111111, "14050471", "67062674", "99943326"),
        (1234567890, "89005924", "91819424", "93441116"),
        (2000000000, "69279037", "90698825", "38618901"),
        (20000000000, "65353130", "77737706", "47863826"),
    ],
)
def test_codes_are_those_of_rfc_6238(seconds, sha1, sha256, sha512):
    for digest, code, length in (("sha1", sha1, 20), ("sha256", sha256, 32), ("sha512", sha512, 64)):
        secret = (SECRET * 4)[:length]
        assert totp.code_at(secret, seconds // totp.SECONDS, 8, digest) == code


def test_codes_are_those_of_rfc_4226():
    codes = ["755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489"]
    assert [totp.code_at(SECRET, count) for count in range(10)] == codes


def test_a_code_works_half_a_minute_early_or_late_and_not_longer():
    code = totp.code_at(SECRET, 100)
    assert [totp.step_of(SECRET, code, step * 30 + 15) for step in (98, 99, 100, 101, 102)] == [None, 100, 100, 100, None]
    assert totp.step_of(SECRET, "ünsinn", 3000) is None
    assert totp.step_of(SECRET, "", 3000) is None


def test_an_app_reads_the_secret_and_the_names_from_the_address():
    address = urlsplit(totp.address(SECRET, "Hanpan (games.example.org)", "Ann & 안"))
    asked = parse_qs(address.query)
    assert (address.scheme, address.netloc, unquote(address.path)) == ("otpauth", "totp", "/Hanpan (games.example.org):Ann & 안")
    assert asked == {"secret": [base64.b32encode(SECRET).decode()], "issuer": ["Hanpan (games.example.org)"]}
