"""The same rules inside a CUDA kernel: a million random games at once, checked against the CPU position by position.

    pip install -e '.[cuda]'
    python benchmarks/gpu_random_play.py [GAME…] [--games 1048576] [--plies 100]

Prints plies/s (every ply chooses uniformly from the full legal list; games that end begin again). Before that, for each game, a sample of
games is advanced one ply at a time on both sides and every record compared, byte for byte.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

import hanpan
from hanpan import loops
from hanpan.core.rule import rng
from hanpan.envs.cuda import THREADS, cuda, int32, int64

SAMPLE, SAMPLE_PLIES = 2048, 150
GAMES = {"kulami": {}, "reversedrop": {}, "wallgo": {}, "puoribor": {}, "goita": {}}


def kernel(name: str):  # type: ignore[no-untyped-def]
    """A kernel in which every thread plays its own game."""
    play_one, most = loops.random_ply(name), hanpan.game(name).book.rules.MOST_LEGAL

    @cuda.jit
    def play(first, states, keys, plies, ended):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        if i >= states.size:
            return
        out = cuda.local.array(most, int32)
        dice = cuda.local.array(3, int64)
        for k in range(3):
            dice[k] = keys[i, k]
        total = 0
        for _ in range(plies):
            total += play_one(first, states, i, out, dice)
        for k in range(3):
            keys[i, k] = dice[k]
        ended[i] += total

    return play


def compare(name: str, play, first: np.ndarray) -> int:  # type: ignore[no-untyped-def]
    """Positions compared; stops with an error at the first difference."""
    cpu_play, out = loops.random_play(name), hanpan.game(name).book.actions_buffer()
    keys = np.stack([rng(5, i) for i in range(SAMPLE)])
    states = np.repeat(first, SAMPLE)
    on_first, on_states, on_keys, on_ended = (cuda.to_device(a) for a in (first, states, keys, np.zeros(SAMPLE, np.int64)))
    for ply in range(SAMPLE_PLIES):
        play[SAMPLE // THREADS, THREADS](on_first, on_states, on_keys, 1, on_ended)
        found = on_states.copy_to_host()
        for i in range(SAMPLE):
            cpu_play(first, states[i : i + 1], out, keys[i], 1)
        if found.tobytes() != states.tobytes():
            wrong = next(i for i in range(SAMPLE) if found[i].tobytes() != states[i].tobytes())
            raise SystemExit(f"{name}: game {wrong}, ply {ply + 1}: the GPU has another position than the CPU\n{found[wrong]}\n{states[wrong]}")
    return SAMPLE * SAMPLE_PLIES


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("names", nargs="*", default=list(GAMES))
    words.add_argument("--games", type=int, default=1 << 20)
    words.add_argument("--plies", type=int, default=100)
    given = words.parse_args()
    print(f"{cuda.get_current_device().name.decode() if isinstance(cuda.get_current_device().name, bytes) else cuda.get_current_device().name}\n")
    print("| game | games at once | plies/s | games ended | positions equal to the CPU's | compile |\n|---|---:|---:|---:|---:|---:|", flush=True)
    for name in given.names:
        first = hanpan.game(name, **GAMES.get(name, {})).start().record
        began = time.perf_counter()
        play = kernel(name)
        equal = compare(name, play, first)
        compiled = time.perf_counter() - began
        keys = np.random.default_rng(1).integers(0, 1 << 32, (given.games, 3))
        keys[:, 2] = 0
        on_first, on_states, on_keys, on_ended = (cuda.to_device(a) for a in (first, np.repeat(first, given.games), keys, np.zeros(given.games, np.int64)))
        blocks = (given.games + THREADS - 1) // THREADS
        play[blocks, THREADS](on_first, on_states, on_keys, 10, on_ended)
        cuda.synchronize()
        began = time.perf_counter()
        play[blocks, THREADS](on_first, on_states, on_keys, given.plies, on_ended)
        cuda.synchronize()
        rate = given.games * given.plies / (time.perf_counter() - began)
        print(f"| {name} | {given.games:,} | {rate:,.0f} | {int(on_ended.copy_to_host().sum()):,} | {equal:,} | {compiled:.0f} s |", flush=True)


if __name__ == "__main__":
    main()
