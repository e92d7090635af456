"""One Python function, four ways to run it: plain, compiled for the CPU, compiled inside a CUDA kernel, compiled to WebAssembly (see `wasm`).

A game's rules are ordinary functions marked with `@rule`. They work on one fixed-size record (see `record_type`)
and on integer arrays, in the subset of Python that Numba compiles. The compiled code is kept on disk (see `compiled`).
With `HANPAN_INTERPRET=1` in the environment `@rule` leaves every function as it is, for reading and debugging;
`plain(f)` gives the interpreted twin of one compiled rule, and of every rule it calls, inside a compiled process.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from hanpan.core.interpreted import plain as plain  # a part of what rules are written with
from hanpan.core.reading import quoted

Record = Any  # one Position: the whole position of a game
Ints = npt.NDArray[np.int32]  # actions, scores
Rng = npt.NDArray[np.int64]  # made by `rng`

CHANCE = -1  # mover(s): chance is to act
OVER = -2  # mover(s): the game has ended
SPECTATOR = -1  # hide(s, seat): someone without a seat
OPEN = -3  # the viewer who sees everything: the server itself, or players who share all they know

F = TypeVar("F", bound=Callable[..., Any])


def _switch(name: str) -> bool:
    value = os.environ.get(name, "")
    if value not in ("", "0", "1"):
        raise ValueError(f"{name}={value!r}: set it to 1 or 0")
    return value == "1"


INTERPRET = _switch("HANPAN_INTERPRET")


def rule(function: F) -> F:
    """Mark a function as part of a game's rules: it is compiled when first called, or left as it is under HANPAN_INTERPRET=1."""
    function.rule_name = function.__qualname__  # type: ignore[attr-defined]
    if INTERPRET:
        return function
    from hanpan.core.compiled import compile_rule

    return compile_rule(function)  # type: ignore[no-any-return]


def is_rule(function: object) -> bool:
    """Whether a function is marked so."""
    return hasattr(getattr(function, "py_func", function), "rule_name")


class Position(np.void):  # type: ignore[misc]  # NumPy does so itself
    """A record whose fields are attributes. np.record is that too, but looks at every name in Python first, and is read half as fast."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except ValueError:
            raise AttributeError(f"a position has no field {name!r}") from None

    def __setattr__(self, name: str, value: Any) -> None:
        try:
            self[name] = value
        except ValueError:
            if name in (self.dtype.names or ()):
                raise
            raise AttributeError(f"a position has no field {name!r}") from None


def record_type(fields: Sequence[tuple[Any, ...]]) -> np.dtype[Any]:
    """The type of a game's position: NumPy fields, aligned, read as attributes (`s.turn`, `s.cell[i]`).

    The gaps that alignment leaves are fields too, because NumPy does not copy what no field names: so equal positions are
    equal byte for byte. The size is a multiple of eight, so that a position can be hashed word by word.
    """
    for name, *_ in fields:
        if hasattr(Position, name):
            raise ValueError(f"field {name!r}: NumPy's records use this name themselves; choose another")
    aligned = np.dtype(list(fields), align=True)
    whole: list[tuple[Any, ...]] = []
    end = 0
    for field, (name, offset) in zip(
        fields, sorted(((name, place[1]) for name, place in (aligned.fields or {}).items()), key=lambda pair: pair[1]), strict=True
    ):
        if offset > end:
            whole.append((f"gap{end}", np.uint8, offset - end))
        whole.append(field)
        end = offset + aligned[name].itemsize
    if end % 8:
        whole.append((f"gap{end}", np.uint8, 8 - end % 8))
    return np.dtype((Position, np.dtype(whole, align=True)))


def copied(records: Any) -> Any:
    """The records of a row in a new place, byte for byte: NumPy's own copy goes field by field, which takes twenty times as long."""
    return np.frombuffer(bytearray(records.tobytes()), records.dtype)


# --- What a game without chance or secrets says of them: `from hanpan.core.rule import no_chance as chance`. ---


def _nothing_to_draw(s: Record, rng: Rng) -> None:
    """Chance never acts in this game."""


def _nothing_to_hide(s: Record, seat: int) -> None:
    """Everyone may know everything."""


def _nothing_to_imagine(s: Record, seat: int, rng: Rng) -> None:
    """There is nothing to guess."""


no_chance = rule(_nothing_to_draw)
hide_nothing = rule(_nothing_to_hide)
imagine_nothing = rule(_nothing_to_imagine)

# --- The random numbers of the rules: a counter and a key, so that the same seed gives the same draws everywhere. ---

_MASK = 0xFFFFFFFF


def rng(seed: int, stream: int = 0) -> Rng:
    """A generator for `below` and `shuffle`: key, key, counter. Different streams of one seed are independent. A seed is any whole number from 0 on.

    >>> r = rng(7)
    >>> [int(below(r, 6)) for _ in range(8)] == [int(below(rng(7), 6))] + [int(below(r, 6)) for _ in range(7)]
    False
    """
    mixed = _scatter(seed_key(seed) + int(stream) * 0xD1B54A32D192ED03)
    return np.array([mixed & _MASK, mixed >> 32, 0], np.int64)


def seed_key(seed: int) -> int:
    """What streams are counted from: 64 bits that depend on every bit of a seed, however long it is. ValueError if it is none.

    >>> len({seed_key(0), seed_key(1 << 64), seed_key(1 << 128), seed_key(1 << 192)})
    4
    """
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or seed < 0:
        raise ValueError(f"seed: {quoted(seed)} is not a whole number from 0 on")
    key, more = int(seed) * 0x9E3779B97F4A7C15 + 0x632BE59BD9B4E019, int(seed) >> 64
    while more:  # what 64 bits do not hold, word by word; a short seed stays as it always was
        key, more = _scatter(key ^ more), more >> 64
    return key & ((1 << 64) - 1)


def _scatter(mixed: int) -> int:
    """Sixty-four bits, each of which depends on all of the lowest sixty-four given."""
    mixed &= (1 << 64) - 1
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = ((mixed ^ (mixed >> shift)) * factor) & ((1 << 64) - 1)
    return mixed ^ (mixed >> 31)


@rule
def _stir(x: int) -> int:
    # A 32-bit finaliser on 64-bit integers: the products overflow the same way in Python (masked) and in machine words.
    x = x ^ (x >> 16)
    x = (x * 0x7FEB352D) & 0xFFFFFFFF
    x = x ^ (x >> 15)
    x = (x * 0x846CA68B) & 0xFFFFFFFF
    return x ^ (x >> 16)


@rule
def random_bits(rng: Rng) -> int:
    """The next 32 random bits."""
    rng[2] += 1
    first = _stir((int(rng[2]) * 0x9E3779B1 + int(rng[0])) & 0xFFFFFFFF)
    return _stir((first ^ int(rng[1])) & 0xFFFFFFFF)


@rule
def bits(x: int) -> int:
    """How many bits of a number in 0 … 2**62 are set; compilers know this text and make one instruction of it.

    >>> bits(0b1011)
    3
    """
    x = x - ((x >> 1) & 0x5555555555555555)
    x = (x & 0x3333333333333333) + ((x >> 2) & 0x3333333333333333)
    x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0F
    return ((x * 0x0101010101010101) >> 56) & 0xFF


@rule
def below(rng: Rng, n: int) -> int:
    """A random integer in 0 … n−1 (n < 2³¹)."""
    return (random_bits(rng) * n) >> 32


@rule
def shuffle(rng: Rng, items: Any, n: int) -> None:
    """Put the first n items into random order."""
    for i in range(n - 1, 0, -1):
        j = below(rng, i + 1)
        kept = items[i]
        items[i] = items[j]
        items[j] = kept
