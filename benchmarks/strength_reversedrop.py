"""How strong the computer player of Reverse Drop is against players that only count pieces (`opponents/reversedrop_pieces.py`).

    python benchmarks/strength_reversedrop.py [--level 8] [--games 100] [--seconds 0.2] [--nodes N] [--cores 1] [--against greedy three-ply]
                                              [--keep reversedrop.jsonl]

Paired games (the same set-up, colours exchanged), 300 plies at most. `greedy` is the original's computer player: one ply ahead, at random among the best;
`three-ply` looks three plies ahead by alpha-beta. With --keep finished games stay in files beside this name, and the same command goes on where it was
interrupted. --nodes gives a fixed amount of work a move instead of seconds. Wanted: 98 % against `greedy`, 80 % against `three-ply`.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from hanpan.bots.match import play_match
from hanpan.bots.match_log import MatchLog
from hanpan.bots.pairs import Plan

OPPONENTS = {"greedy": "python:opponents.reversedrop_pieces:Greedy", "three-ply": "python:opponents.reversedrop_pieces:ThreePly", "random": "random"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--level", type=int, default=8)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=0.2)
    parser.add_argument("--nodes", type=int)
    parser.add_argument("--cores", type=int, default=1)
    parser.add_argument("--against", nargs="+", choices=OPPONENTS, default=["greedy", "three-ply"])
    parser.add_argument("--keep", type=Path)
    args = parser.parse_args()
    level = f"{args.level}@{args.nodes}" if args.nodes else str(args.level)
    print(f"{'level ' + level:<16} {'games':>5} {'score':>7}  95 % interval     won drawn lost   s a move")
    for name in args.against:
        plan = Plan("reversedrop", {}, (level, OPPONENTS[name]), None if args.nodes else args.seconds, openings=0)  # every set-up is another game
        log = MatchLog(args.keep.with_stem(f"{args.keep.stem}-{name}"), plan.head()) if args.keep else None
        tally = play_match(plan, args.games, args.cores, log)
        report = tally.report()
        low, high = report["score_interval"]
        counts = " ".join(f"{n:>5}" for n in tally.counts())
        print(
            f"{name:<16} {report['games']:>5} {report['score'] or 0:>7.1%}  {low:>5.1%} – {high:<6.1%} {counts}  {report['seconds_per_move'][0]:>9.4f}",
            flush=True,
        )
        if tally.interrupted:
            return


if __name__ == "__main__":
    main()
