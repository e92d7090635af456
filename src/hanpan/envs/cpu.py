"""A batch on the processor: loops over a range of games, one range a thread (compiled code runs without the interpreter's lock)."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from hanpan.core.rule import INTERPRET, rule
from hanpan.envs.core import choose, core, narrow
from hanpan.envs.observations import unpack
from hanpan.game import Game

_LEAST = 64  # games that a thread should have, so that waking it is worth while

EIGHT = np.array([sum((held >> k & 1) << 8 * k for k in range(8)) for held in range(256)], np.int64)  # eight bits as eight bytes


@intrinsic  # type: ignore[untyped-decorator]
def put_eight(typing: Any, out: Any, at: Any, value: Any) -> Any:
    """Write a number as the eight bytes of an array from place `at` on, wherever that lies: NumPy's arrays can't be written so."""

    def make(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        place = builder.gep(builder.bitcast(array.data, ir.IntType(8).as_pointer()), [arguments[1]])
        builder.store(arguments[2], builder.bitcast(place, ir.IntType(64).as_pointer()), align=1)
        return context.get_dummy_value()

    return types.void(out, types.int64, types.int64), make


@cache
def loops(name: str) -> tuple[Any, Any, Any]:
    """begin, step and look over the games low … high − 1."""
    begin_one, step_one, look_one, *_ = core(name)

    @rule
    def begin_all(low: int, high: int, out: Any, first: Any, states: Any, rng: Any, turn: Any, legal: Any, reward: Any, done: Any, refused: Any) -> None:
        for i in range(low, high):
            begin_one(first, states, i, out, rng, turn, legal, reward, done, refused)

    @rule
    def step_all(
        low: int,
        high: int,
        out: Any,
        first: Any,
        states: Any,
        actions: Any,
        limit: int,
        rng: Any,
        turn: Any,
        legal: Any,
        reward: Any,
        scores: Any,
        done: Any,
        refused: Any,
    ) -> int:
        wrong = 0
        for i in range(low, high):
            step_one(first, states, i, actions, limit, out, rng, turn, legal, reward, scores, done, refused)
            wrong += refused[i]
        return wrong

    @rule
    def look_all(low: int, high: int, states: Any, scratch: Any, raw: Any, turn: Any, bits: Any, level: Any) -> None:
        for i in range(low, high):
            look_one(states, scratch, raw, i, int(turn[i]), bits, level)

    return begin_all, step_all, look_all


@rule
def choose_all(low: int, high: int, legal: Any, dice: Any, actions: Any) -> None:
    """A random legal action for each game."""
    for i in range(low, high):
        choose(i, legal, dice, actions)


@rule
def spread(low: int, high: int, bits: Any, level: Any, out: Any) -> None:
    """Unpack rows of bits [n, words] into bytes [n, cells], each times the row's level."""
    cells = out.shape[1]
    for row in range(low, high):
        value = int(level[row])
        at = row * cells
        for word in range(cells >> 5):
            held = bits[row, word] & 0xFFFFFFFF
            first = at + 32 * word
            if held == 0:
                for k in range(4):
                    put_eight(out, first + 8 * k, 0)
            elif value == 1:
                for k in range(4):
                    put_eight(out, first + 8 * k, EIGHT[(held >> (8 * k)) & 255])
            else:
                for k in range(4):
                    put_eight(out, first + 8 * k, EIGHT[(held >> (8 * k)) & 255] * value)
        held = bits[row, bits.shape[1] - 1] & 0xFFFFFFFF
        for cell in range(cells & ~31, cells & ~7, 8):
            put_eight(out, at + cell, EIGHT[(held >> (cell & 31)) & 255] * value)
        for cell in range(cells & ~7, cells):
            out[row, cell] = value * ((held >> (cell & 31)) & 1)


class Cpu:
    """Runs the loops on some threads."""

    def __init__(self, game: Game, threads: int) -> None:
        self.begin_all, self.step_all, self.look_all = loops(game.name)
        self._threads = threads
        self._pool, self._home = ThreadPoolExecutor(threads), os.getpid()
        self._outs = [game.book.actions_buffer() for _ in range(threads)]

    def array(self, filled: Any) -> Any:
        """An array that this machine works on."""
        return np.ascontiguousarray(filled)

    def words(self, states: Any) -> Any:
        """The same memory as words [n, words]."""
        return states.view(np.uint32).reshape(len(states), -1)

    def actions(self, given: Any, into: Any) -> Any:
        """The actions of a step as this machine needs them."""
        into[:] = narrow(given, len(into))
        return into

    def _share(self, n: int, work: Callable[[int, int, int], Any]) -> list[Any]:
        parts = max(1, min(self._threads, n // _LEAST))
        if parts == 1:
            return [work(0, 0, n)]
        if self._home != os.getpid():  # a forked process has none of its parent's threads, and would wait for them for ever
            self._pool, self._home = ThreadPoolExecutor(self._threads), os.getpid()
        edges = [n * k // parts for k in range(parts + 1)]
        return list(self._pool.map(work, range(parts), edges[:-1], edges[1:]))

    def begin(self, n: int, *arrays: Any) -> None:
        """Begin all games."""
        self._share(n, lambda k, low, high: self.begin_all(low, high, self._outs[k], *arrays))

    def step(self, n: int, *arrays: Any) -> int:
        """Play one action in all games; how many were refused."""
        return sum(self._share(n, lambda k, low, high: self.step_all(low, high, self._outs[k], *arrays)))

    def look(self, n: int, *arrays: Any) -> None:
        """Pack what the movers see."""
        self._share(n, lambda k, low, high: self.look_all(low, high, *arrays))

    def choose(self, n: int, *arrays: Any) -> None:
        """Random legal actions."""
        self._share(n, lambda k, low, high: choose_all(low, high, *arrays))

    def spread(self, bits: Any, level: Any, out: Any) -> None:
        """Unpack rows of bits."""
        if INTERPRET:
            out[:] = unpack(bits[:, None], level[:, None], (1, 1, out.shape[1]))[:, 0, 0]
            return
        self._share(len(bits), lambda k, low, high: spread(low, high, bits, level, out))
