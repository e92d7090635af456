"""How strong the computer player of Goita is: a pair of one level against pairs of greedy players, games to 150 with duplicate deals.

    python benchmarks/strength_goita.py [--level 8] [--games 200] [--seconds 0.2] [--nodes N] [--cores 1] [--keep goita.jsonl]

Games come in pairs: the same deals, with the pairs of players exchanged. `greedy` and `polite` are the players of `opponents/goita_greedy.py`.
With --keep finished games stay in the file, and the same command goes on where it was interrupted. --nodes gives a fixed amount of work a move
instead of seconds, which does not depend on the machine. The wanted score against `greedy` is 75 %.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from hanpan.bots.match import play_match
from hanpan.bots.match_log import MatchLog
from hanpan.bots.pairs import Plan

OPPONENTS = {"greedy": "python:opponents.goita_greedy:Greedy", "polite": "python:opponents.goita_greedy:Greedy:polite=true", "random": "random"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--level", type=int, default=8)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=0.2)
    parser.add_argument("--nodes", type=int)
    parser.add_argument("--cores", type=int, default=1)
    parser.add_argument("--against", nargs="+", choices=OPPONENTS, default=["greedy", "polite"])
    parser.add_argument("--keep", type=Path)
    args = parser.parse_args()
    level = f"{args.level}@{args.nodes}" if args.nodes else str(args.level)
    plan = Plan("goita", {}, (level, ""), None if args.nodes else args.seconds, openings=0)
    log = MatchLog(args.keep, plan.head() | {"players": [level, "any"]}) if args.keep else None
    print(f"{'level ' + level:<12} {'games':>5} {'score':>7}  95 % interval    s a move")
    for name in args.against:
        tally = play_match(replace(plan, players=(level, OPPONENTS[name])), args.games, args.cores, log)
        report = tally.report()
        low, high = report["score_interval"]
        print(f"{name:<12} {report['games']:>5} {report['score']:>7.1%}  {low:.1%} – {high:.1%}  {report['seconds_per_move'][0]:>8.3f}", flush=True)
        if tally.interrupted:
            return


if __name__ == "__main__":
    main()
