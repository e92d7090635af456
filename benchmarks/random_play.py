"""Random play on one core, beside the peers, in one run: prints a table with ratios.

    pip install -e '.[benchmark]' && npm install --prefix benchmarks/peers
    python benchmarks/random_play.py [--seconds 3]

A peer that is not installed is left out and said to be.
"""

from __future__ import annotations

import argparse
import platform
import random
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import hanpan
from hanpan.bench import plies_per_second

PEERS = Path(__file__).parent / "peers"
WANTED = {
    "kulami": "≥ 5 M",
    "reversedrop": "≥ 3 M",
    "wallgo": "≥ 0.5 M",
}


def best_of(times: int, measure: Callable[[], float]) -> float:
    return max(measure() for _ in range(times))


def open_spiel_quoridor(seconds: float) -> float:
    import pyspiel

    game, dice = pyspiel.load_game("quoridor(board_size=9)"), random.Random(1)
    plies, began = 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(dice.choice(state.legal_actions()))
            plies += 1
    return plies / (time.perf_counter() - began)


def fights_puoribor(seconds: float) -> float:
    import numpy as np
    from fights.envs.puoribor import PuoriborEnv

    env, dice = PuoriborEnv(), np.random.default_rng(1)
    plies, began = 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        state, agent = env.initialize_state(), 0
        while not state.done and time.perf_counter() - began < seconds:
            actions = np.argwhere(env.legal_actions(state, agent))
            state = env.step(state, agent, tuple(int(n) for n in dice.choice(actions)))
            agent, plies = 1 - agent, plies + 1
    return plies / (time.perf_counter() - began)


def goita_core(seconds: float) -> float:
    if not shutil.which("node") or not (PEERS / "node_modules" / "goita-core").exists():
        raise ImportError("goita-core (npm install --prefix benchmarks/peers)")
    done = subprocess.run(["node", str(PEERS / "goita_core.js"), str(seconds)], capture_output=True, text=True, check=True)
    return float(done.stdout)


def ours(name: str, seconds: float, **options: bool | int | str) -> float:
    return best_of(3, lambda: plies_per_second(hanpan.game(name, **options), seconds, 1))


ROWS: list[tuple[str, str, dict[str, bool | int | str], str, Callable[[float], float] | None, str]] = [
    ("Quoridor (puoribor, rotation=false)", "puoribor", {"rotation": False}, "OpenSpiel C++ Quoridor from Python", open_spiel_quoridor, "≥ 5×"),
    ("Puoribor", "puoribor", {}, "fights 0.9.0 Puoribor", fights_puoribor, "≥ 2,000×"),
    ("Goita", "goita", {}, "goita-core (Node)", goita_core, "≥ 50×"),
    ("Kulami", "kulami", {}, "", None, WANTED["kulami"]),
    ("Reverse Drop", "reversedrop", {}, "", None, WANTED["reversedrop"]),
    ("Wall Go 7×7, 4 pieces", "wallgo", {}, "", None, WANTED["wallgo"]),
]


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--seconds", type=float, default=3.0, help="how long each figure is measured")
    seconds = words.parse_args().seconds
    print(f"{platform.machine()}, one core, Python {platform.python_version()}, {seconds:g} s a figure (ours: best of three)\n")
    print("| game | plies/s | peer | its plies/s | ratio | aim |\n|---|---:|---|---:|---:|---|")
    for title, name, options, peer_name, peer, aim in ROWS:
        rate = ours(name, seconds, **options)
        theirs, ratio = "", ""
        if peer is not None:
            try:
                figure = peer(seconds)
                theirs, ratio = f"{figure:,.0f}", f"{rate / figure:,.1f}×"
            except ImportError as missing:
                theirs = f"not installed: {missing}"
        print(f"| {title} | {rate:,.0f} | {peer_name} | {theirs} | {ratio} | {aim} |", flush=True)


if __name__ == "__main__":
    main()
