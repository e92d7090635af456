"""Passwords that anyone would try first, and why each is refused."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from hanpan.server.protocol.refusals import Refused

LEAST, MOST = 8, 200
_LEAST_DIGITS = 12  # of a password that has nothing but digits
_ROWS = ("abcdefghijklmnopqrstuvwxyz", "01234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop", "azertyuiop", "1qaz2wsx3edc4rfv5tgb6yhn")
_LOOKS = str.maketrans("01345789@$!|+", "oieastbgasilt")  # what stands for letters
_WORDS = frozenset(Path(__file__).with_name("passwords.txt").read_text("utf-8").split())


def check_password(password: str, about: Iterable[str] = ()) -> None:
    """Refuse a password that is too short, among the first that anyone would try, a row of keys, or like one of the texts `about` its owner.

    >>> check_password("correct horse")
    >>> check_password("Passw0rd!")
    Traceback (most recent call last):
    hanpan.server.protocol.refusals.Refused: common-password
    """
    if not LEAST <= len(password) <= MOST:
        raise Refused("weak-password", least=LEAST, most=MOST)
    plain = password.casefold()
    if _in_a_row(plain) or (plain.isdigit() and len(plain) < _LEAST_DIGITS):
        raise Refused("plain-password")
    bare = _letters(plain)
    if bare in _WORDS or _letters(plain.strip("0123456789!?.,*#@$-_ ")) in _WORDS or re.sub(r"[^a-z]", "", plain) in _WORDS:
        raise Refused("common-password")
    for part in _parts(about):
        rest = bare.replace(part, "").replace(part[::-1], "")
        if len(rest) < len(bare) and len(rest) < 4:
            raise Refused("own-password")


def _in_a_row(text: str) -> bool:
    """Whether a text is one short piece again and again, or keys and letters beside each other."""
    if any(text == (text[:size] * len(text))[: len(text)] for size in (1, 2, 3, 4) if len(text) >= 2 * size):
        return True
    return any(text in row * 2 or text[::-1] in row * 2 for row in _ROWS)


def _letters(text: str) -> str:
    """The letters that a text stands for, of any script."""
    return "".join(letter for letter in text.translate(_LOOKS) if letter.isalpha())


def _parts(about: Iterable[str]) -> set[str]:
    """The words and the whole of each text, as letters; short ones are in too many passwords to mean anything."""
    texts = [text.casefold() for text in about]
    pieces = [piece for text in texts for piece in (text, text.partition("@")[0], *re.split(r"[\W_]+", text))]
    return {letters for piece in pieces if len(letters := _letters(piece)) >= 3}
