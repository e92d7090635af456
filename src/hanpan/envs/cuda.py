"""A batch on a GPU: one thread a game for the rules, one thread four bytes for unpacking. Everything stays on the device.

Arrays are numba-cuda's and have `__cuda_array_interface__`: torch.as_tensor, cupy.asarray and jax (by way of either) take them without a copy,
and `step` takes theirs.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from hanpan.core.extras import needed
from hanpan.envs.core import choose, core, narrow, whole_numbers
from hanpan.game import Game

if not hasattr(np, "row_stack"):
    np.row_stack = np.vstack  # numba-cuda still looks for it
with needed("device: cuda", "hanpan[cuda]"):
    from numba import cuda, int32, int64
    from numba.cuda.cudadrv import nvvm

THREADS = 128
# Numba puts the tables that rules read into constant memory, which is small and serves one address at a time; neighbouring games read them at
# different places. As ordinary memory they are cached like anything else.
if hasattr(nvvm, "ADDRSPACE_GLOBAL"):  # the simulator has none
    nvvm.ADDRSPACE_CONSTANT = nvvm.ADDRSPACE_GLOBAL


@cache
def kernels(name: str, most: int) -> tuple[Any, Any, Any]:
    """begin, step and look, one thread a game."""
    begin_one, step_one, look_one, *_ = core(name)

    @cuda.jit  # type: ignore[untyped-decorator]
    def begin_all(first: Any, states: Any, rng: Any, turn: Any, legal: Any, reward: Any, done: Any, refused: Any) -> None:
        i = cuda.grid(1)
        if i < states.size:
            out = cuda.local.array(most, int32)
            begin_one(first, states, i, out, rng, turn, legal, reward, done, refused)

    @cuda.jit  # type: ignore[untyped-decorator]
    def step_all(
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
        wrong: Any,
    ) -> None:
        i = cuda.grid(1)
        if i < states.size:
            out = cuda.local.array(most, int32)
            step_one(first, states, i, actions, limit, out, rng, turn, legal, reward, scores, done, refused)
            if refused[i] != 0:
                cuda.atomic.add(wrong, 0, 1)

    @cuda.jit  # type: ignore[untyped-decorator]
    def look_all(states: Any, scratch: Any, raw: Any, turn: Any, bits: Any, level: Any) -> None:
        i = cuda.grid(1)
        if i < states.size:
            look_one(states, scratch, raw, i, int64(turn[i]), bits, level)

    return begin_all, step_all, look_all


@cuda.jit  # type: ignore[untyped-decorator]
def choose_all(legal: Any, dice: Any, actions: Any) -> None:
    """A random legal action for each game."""
    i = cuda.grid(1)
    if i < actions.size:
        choose(i, legal, dice, actions)


@cache
def spreader(cells: int, words: int) -> Any:
    """A kernel that unpacks rows of bits [words] into rows of bytes [cells]; each thread writes four bytes, neighbours side by side."""

    @cuda.jit  # type: ignore[untyped-decorator]
    def spread(bits: Any, level: Any, whole: Any, out: Any) -> None:
        t = cuda.grid(1)
        at = 4 * t
        if at >= out.size:
            return
        row = at // cells
        cell = at - row * cells
        value = 0
        for k in range(4):
            if at + k < out.size:
                held = (bits[row * words + (cell >> 5)] >> (cell & 31)) & 1
                value |= (held * level[row]) << (8 * k)
            cell += 1
            if cell == cells:
                cell = 0
                row += 1
        if t < whole.size:
            whole[t] = value
        else:
            for k in range(out.size - at):
                out[at + k] = (value >> (8 * k)) & 255

    return spread


class Cuda:
    """Runs the kernels."""

    def __init__(self, game: Game) -> None:
        if not cuda.is_available():
            raise ValueError("device: cuda finds no GPU on this machine")
        self.begin_all, self.step_all, self.look_all = kernels(game.name, int(game.book.rules.MOST_LEGAL))
        self._wrong = cuda.to_device(np.zeros(1, np.int32))
        self._refused = _Growth(self._wrong)

    def array(self, filled: Any) -> Any:
        """An array on the device."""
        return cuda.to_device(np.ascontiguousarray(filled))

    def words(self, states: Any) -> Any:
        """The same memory as words [n, words]."""
        return states.view(np.uint32).reshape(states.size, states.dtype.itemsize // 4)

    def actions(self, given: Any, into: Any) -> Any:
        """The actions of a step: taken where they are if they are on a GPU, else copied there."""
        if hasattr(given, "copy_to_host"):
            return whole_numbers(given, into.size)
        if hasattr(given, "__cuda_array_interface__"):
            return whole_numbers(cuda.as_cuda_array(given), into.size)
        into.copy_to_device(np.ascontiguousarray(narrow(given, into.size)))
        return into

    def begin(self, n: int, *arrays: Any) -> None:
        """Begin all games."""
        self.begin_all[_blocks(n), THREADS](*arrays)

    def step(self, n: int, *arrays: Any) -> Any:
        """Play one action in all games; how many were refused (read only if asked: that waits for the GPU)."""
        self.step_all[_blocks(n), THREADS](*arrays, self._wrong)
        return self._refused

    def look(self, n: int, *arrays: Any) -> None:
        """Pack what the movers see."""
        self.look_all[_blocks(n), THREADS](*arrays)

    def choose(self, n: int, *arrays: Any) -> None:
        """Random legal actions."""
        choose_all[_blocks(n), THREADS](*arrays)

    def spread(self, bits: Any, level: Any, out: Any) -> None:
        """Unpack rows of bits."""
        cells, flat = out.shape[1], out.reshape(out.size)
        whole = flat[: out.size // 4 * 4].view(np.uint32)
        spreader(cells, bits.shape[1])[_blocks(-(-out.size // 4)), THREADS](bits.reshape(bits.size), level, whole, flat)


class _Growth:
    """By how much a number on the device has grown since it was last read."""

    def __init__(self, array: Any) -> None:
        self._array, self._before = array, 0

    def __int__(self) -> int:
        now = int(self._array.copy_to_host()[0])
        grown, self._before = now - self._before, now
        return grown


def _blocks(n: int) -> int:
    return (n + THREADS - 1) // THREADS
