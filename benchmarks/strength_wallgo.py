"""How strong the computer player of Wall Go is: 7×7, four pieces, against players that count distance-based area.

    python benchmarks/strength_wallgo.py --games 40 --seconds 0.2 --keep wallgo.jsonl

Prints a row for each opponent. Games come in pairs (three at three seats) from the same random first placings, with the seats exchanged.
With --keep finished games stay in files beside this name, and the same command goes on where it was interrupted.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from hanpan.bots.match import play_match
from hanpan.bots.match_log import MatchLog
from hanpan.bots.pairs import Plan

TERRITORY = "python:opponents.wallgo_territory:Territory:plies="
MATCHES = {  # name: seats, opponent, wanted score
    "two-1ply": (2, TERRITORY + "1", 0.95),
    "two-2ply": (2, TERRITORY + "2", 0.85),
    "three-1ply": (3, TERRITORY + "1", 0.70),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("matches", nargs="*", help=f"which of {', '.join(MATCHES)} (all)")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=0.2, help="a move")
    parser.add_argument("--player", default="8", help="a level, or 8@2000 for a fixed number of simulations a move")
    parser.add_argument("--openings", type=int, default=2, help="random first placings")
    parser.add_argument("--cores", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="where finished games are kept")
    given = parser.parse_args()
    if unknown := set(given.matches) - MATCHES.keys():
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    seconds = None if "@" in given.player else given.seconds
    print(f"{'match':12} {'games':>5} {'won':>4} {'drawn':>5} {'lost':>4}  {'score':>5}  {'95 % interval':13}  {'wanted':>6}  {'s/move':>6} {'theirs':>6}")
    for name in given.matches or MATCHES:
        seats, opponent, wanted = MATCHES[name]
        plan = Plan("wallgo", {"players": seats}, (given.player, opponent), seconds, openings=given.openings, seed=1)
        log = MatchLog(given.keep.with_stem(f"{given.keep.stem}-{name}"), plan.head()) if given.keep else None
        tally = play_match(plan, given.games, given.cores, log)
        report = tally.report()
        low, high = report["score_interval"]
        mine, theirs = report["seconds_per_move"]
        counts = f"{report['games']:5} {report['wins']:4} {report['draws']:5} {report['losses']:4}"
        print(f"{name:12} {counts}  {report['score'] or 0:5.3f}  {low:.3f} … {high:.3f}  {wanted:6.2f}  {mine:6.3f} {theirs:6.3f}", flush=True)
        if tally.interrupted:
            raise SystemExit(1)


if __name__ == "__main__":
    main()
