"""How strong the computer player of Puoribor is, against players of other kinds at equal time.

    python benchmarks/strength_puoribor.py [--against plain-classic turn-ways …] [--level 8] [--games 20] [--seconds 0.2] [--keep puoribor] [--speed]

`plain-…` is without rotation (Quoridor), `turn-…` with it. `ways` looks two plies ahead at the difference of the shortest ways, `classic` is an alpha-beta
engine on that measure, `rollouts` a tree search whose rollouts follow the shortest ways, `openspiel` OpenSpiel's C++ tree search with 5,000
random rollouts (about 0.7 s a move, which Hanpan's player then gets too; needs `pip install open_spiel`). Games come in pairs from the same
random opening, seats exchanged. With --keep finished games stay in files of that name, and the same command goes on where it was
interrupted. Wanted: 95 % against openspiel and against ways. With --speed nothing is played: how deep and how fast the player looks from 24 positions of
each kind, always the same.
"""

from __future__ import annotations

import argparse
import random
import time
from pathlib import Path

import hanpan
from hanpan.bots.deepening import Deepening
from hanpan.bots.match import play_match
from hanpan.bots.match_log import MatchLog
from hanpan.bots.pairs import Plan

OPPONENTS = {
    "ways": "python:opponents.puoribor_ways:Ways",
    "classic": "python:opponents.puoribor_ways:Classic",
    "rollouts": "python:opponents.puoribor_rollouts:Rollouts",
    "openspiel": "python:opponents.puoribor_openspiel:Spiel",
}
TABLES = {f"plain-{name}": (False, name) for name in OPPONENTS} | {f"turn-{name}": (True, name) for name in OPPONENTS if name != "openspiel"}
SPIEL_SECONDS = 0.7
SPEED_NODES = 100_000


def middles(rotation: bool, count: int = 24) -> list[hanpan.State]:
    """Positions from the opening to the end of random games in which pawns mostly go on and walls are mostly built beside others."""
    found: list[hanpan.State] = []
    for seed in range(count):
        dice, state = random.Random(seed), hanpan.game("puoribor", rotation=rotation).start()
        for _ in range(2 + seed):
            legal = state.legal()
            walls = [action for action in legal if action[-1] in "hv"]
            after = state.play(dice.choice(walls if walls and dice.random() < 0.7 else [action for action in legal if len(action) == 2]))
            state = state if after.over else after
        found.append(state)
    return found


def speed() -> None:
    """Depth and nodes a second of the processor's time, so that other work on the machine matters little."""
    print(f"{'positions':<16} {'depth':>5} {'nodes/s':>9}   with {SPEED_NODES:,} nodes each")
    for name, rotation in (("plain", False), ("turn", True)):
        depths, nodes, spent = [], 0, 0.0
        *_, last = Deepening("puoribor", 8).think(hanpan.game("puoribor").start().record, 0.0, 1, 1, 0, 1)  # loaded before the clock runs
        for state in middles(rotation):
            searcher = Deepening("puoribor", 64)
            began = time.thread_time()
            *_, last = searcher.think(state.record, None, SPEED_NODES, 64, 0, 1)
            spent += time.thread_time() - began
            nodes += last.nodes
            if not last.sure:
                depths.append(last.depth)
        print(f"{name:<16} {sum(depths) / len(depths):>5.1f} {nodes / spent:>9,.0f}   {len(depths)} of 24 not decided", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--against", nargs="+", choices=TABLES, default=[name for name in TABLES if name != "plain-openspiel"])
    parser.add_argument("--level", type=int, default=8)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--keep", type=str)
    parser.add_argument("--speed", action="store_true")
    args = parser.parse_args()
    if args.speed:
        speed()
        return
    print(f"{'against':<16} {'games':>5} {'score':>7}  95 % interval    s a move (ours, theirs)")
    for name in args.against:
        rotation, opponent = TABLES[name]
        seconds = args.seconds or (SPIEL_SECONDS if opponent == "openspiel" else 0.2)
        plan = Plan("puoribor", {"rotation": rotation, "max_plies": 300}, (str(args.level), OPPONENTS[opponent]), seconds, openings=4)
        log = MatchLog(Path(f"{args.keep}-{name}.jsonl"), plan.head()) if args.keep else None
        tally = play_match(plan, args.games, 1, log)
        report = tally.report()
        low, high = report["score_interval"]
        ours, theirs = report["seconds_per_move"]
        print(f"{name:<16} {report['games']:>5} {report['score']:>7.1%}  {low:.1%} – {high:.1%}  {ours:>8.3f} {theirs:.3f}", flush=True)
        if tally.interrupted:
            return


if __name__ == "__main__":
    main()
