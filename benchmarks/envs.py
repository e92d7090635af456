"""Batched environments on the processor, beside what others offer, in one run.

    pip install -e '.[benchmark]'
    python benchmarks/envs.py [--seconds 0.5] [--json FILE]

A step: draw a random legal action, play it (ends and new beginnings included), unpack the mask of legal actions and the observation as bytes.
Peers are stepped with random legal actions too, with whatever mask and observation they make. Each figure is the best of three. Figures are steps a second of
processor time, so that a machine with other work on it tells the truth too (a peer that uses several cores is charged for all of them); only the column for all
cores counts seconds on the wall.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable

import numpy as np

from hanpan.bots.workers import all_cores
from hanpan.envs import aec, batch

GAMES = {"kulami": {}, "reversedrop": {}, "puoribor": {}, "wallgo": {}, "goita": {}}
SIZES = (1, 16, 256, 4096, 65536)


def rate(work: Callable[[], int], seconds: float, clock: Callable[[], float] = time.process_time) -> float:
    """Steps a second: best of three."""
    work()
    best = 0.0
    for _ in range(3):
        began, done = clock(), 0
        while (took := clock() - began) < seconds / 3 or done == 0:
            done += work()
        best = max(best, done / took)
    return best


def ours(name: str, n: int, threads: int) -> Callable[[], int]:
    env = batch(name, n=n, threads=threads, **GAMES[name])
    for _ in range(30):
        env.step(env.random_actions())

    def step() -> int:
        env.step(env.random_actions())
        env.legal_mask()
        env.observe()
        return n

    return step


def our_table(name: str) -> Callable[[], int]:
    return pettingzoo(lambda: aec(name, **GAMES[name]))


def pettingzoo(make) -> Callable[[], int]:  # type: ignore[no-untyped-def]
    env = make()
    dice = np.random.default_rng(1)
    env.reset(seed=1)

    def step() -> int:
        seen, _, ended, cut, _ = env.last()
        if ended or cut:
            env.reset()
            return 0
        env.step(int(dice.choice(np.flatnonzero(seen["action_mask"]))))
        return 1

    return step


def connect_four() -> Callable[[], int]:
    from pettingzoo.classic import connect_four_v3

    return pettingzoo(connect_four_v3.env)


def openspiel_quoridor() -> Callable[[], int]:
    import pyspiel

    game, dice = pyspiel.load_game("quoridor"), np.random.default_rng(1)
    state = [game.new_initial_state()]

    def step() -> int:
        if state[0].is_terminal():
            state[0] = game.new_initial_state()
        legal = state[0].legal_actions()
        state[0].legal_actions_mask()
        state[0].observation_tensor()
        state[0].apply_action(legal[dice.integers(len(legal))])
        return 1

    return step


def fights_puoribor() -> Callable[[], int]:
    from fights.envs.puoribor import PuoriborEnv

    env, dice = PuoriborEnv(), np.random.default_rng(1)
    now = [env.initialize_state(), 0]

    def step() -> int:
        if now[0].done:
            now[:] = [env.initialize_state(), 0]
        legal = np.argwhere(env.legal_actions(now[0], now[1]))
        now[:] = [env.step(now[0], now[1], legal[dice.integers(len(legal))]), 1 - now[1]]
        return 1

    return step


def pgx_game(name: str, n: int) -> Callable[[], int]:
    import jax
    import pgx
    from pgx.experimental.wrappers import auto_reset

    env = pgx.make(name)
    start, play = jax.jit(jax.vmap(env.init)), jax.vmap(auto_reset(env.step, env.init))

    @jax.jit
    def advance(state, key):  # type: ignore[no-untyped-def]
        draw, reset, following = jax.random.split(key, 3)
        logits = jax.numpy.log(state.legal_action_mask.astype(jax.numpy.float32))
        actions = jax.random.categorical(draw, logits, axis=1)
        return play(state, actions, jax.random.split(reset, n)), following

    held = [start(jax.random.split(jax.random.PRNGKey(0), n)), jax.random.PRNGKey(1)]

    def step() -> int:
        held[:] = advance(*held)
        jax.block_until_ready(held[0].observation)
        return n

    return step


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("names", nargs="*", default=list(GAMES))
    words.add_argument("--seconds", type=float, default=0.6)
    words.add_argument("--json", metavar="FILE")
    given = words.parse_args()
    cores, report = all_cores(), {}
    print(f"{cores} cores; load when it began: {os.getloadavg()[0]:.1f}\n")
    print("| game | " + " | ".join(f"{n:,} at once" for n in SIZES) + f" | {SIZES[-1]:,} on {cores} cores | PettingZoo's interface |")
    print("|---" + "|---:" * (len(SIZES) + 2) + "|", flush=True)
    for name in given.names:
        row = {str(n): rate(ours(name, n, 1), given.seconds) for n in SIZES}
        row["all"] = rate(ours(name, SIZES[-1], cores), given.seconds, time.perf_counter)
        row["aec"] = rate(our_table(name), given.seconds)
        report[name] = row
        print(f"| {name} | " + " | ".join(f"{value:,.0f}" for value in row.values()) + " |", flush=True)
    peers = {
        "OpenSpiel quoridor (C++, from Python, one game)": (openspiel_quoridor, "puoribor", "1"),
        "fights Puoribor (one game)": (fights_puoribor, "puoribor", "1"),
        "PettingZoo connect_four (one game)": (connect_four, "kulami", "aec"),
        "Pgx connect_four, 4,096 at once": (lambda: pgx_game("connect_four", 4096), "kulami", "4096"),
        "Pgx go_9x9, 4,096 at once": (lambda: pgx_game("go_9x9", 4096), "wallgo", "4096"),
    }
    print("\n| peer | its steps/s | ours beside it | steps/s | ratio |\n|---|---:|---|---:|---:|", flush=True)
    for title, (make, name, column) in peers.items():
        if name not in report:
            continue
        try:
            theirs = rate(make(), given.seconds)
        except ImportError as missing:
            print(f"| {title} | not installed ({missing.name}) | | | |", flush=True)
            continue
        mine = report[name][column]
        best = report[name][str(4096)]
        print(f"| {title} | {theirs:,.0f} | {name}, {column} | {mine:,.0f} | {mine / theirs:,.1f}× (4,096 at once: {best / theirs:,.0f}×) |", flush=True)
        report[title] = {"steps": theirs}
    if given.json:
        with open(given.json, "w", encoding="utf-8") as file:
            json.dump(report, file, indent=1)


if __name__ == "__main__":
    main()
