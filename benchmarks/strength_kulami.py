"""How strong and how fast the computer player of Kulami is, beside the published one (`opponents/kulami_minimax.py`).

    python benchmarks/strength_kulami.py [--level 8] [--games 40] [--seconds 0.2] [--nodes N] [--cores 1] [--boards a b random]
                                         [--only strength equal speed endings] [--keep kulami.jsonl]

strength: paired games on each board.
equal: the same, our player with no more of the processor's time a move than that minimax, compiled,
takes on average in games against itself.
speed: depth reached in a second from opening positions, and nodes a second against the minimax in plain Python, in the same run.
endings: of positions from played games, how many are solved to the end within --seconds, by marbles on the board.
With --keep finished games stay in files beside this name, and the same command goes on where it was interrupted. --nodes gives a fixed amount of
work a move instead of seconds. Wanted: 90 % in both matches, 50 times the nodes a second.
"""

from __future__ import annotations

import argparse
import random
import time
from pathlib import Path

from opponents.kulami_minimax import PlainMinimax, its_time

import hanpan
from hanpan import State
from hanpan.bots.bot import Searcher, make_searcher
from hanpan.bots.match import play_match
from hanpan.bots.match_log import MatchLog
from hanpan.bots.pairs import Plan
from hanpan.bots.search_result import SearchResult

MINIMAX = "python:opponents.kulami_minimax:CompiledMinimax"
BOARDS = ("a", "b", "random")
PARTS = ("strength", "equal", "speed", "endings")
DEEPEST = 64
OPENING = 2  # random plies, so that no two pairs are alike


def play(args: argparse.Namespace, part: str) -> None:
    level = f"{args.level}@{args.nodes}" if args.nodes else str(args.level)
    print(f"\n{part}: level {8 if part == 'equal' else level} against the minimax")
    print(f"{'board':<8} {'games':>5} {'score':>7}  95 % interval     won drawn lost   s a move  its s a move")
    for board in args.boards:
        average = f"{1000 * its_time(board):.1f}" if part == "equal" else ""
        ours = f"python:opponents.kulami_minimax:InItsTime:milliseconds={average}" if average else level
        plan = Plan("kulami", {"board": board}, (ours, MINIMAX), None if args.nodes or part == "equal" else args.seconds, openings=OPENING)
        log = MatchLog(args.keep.with_stem(f"{args.keep.stem}-{part}-{board}"), plan.head() | {"players": [level, part]}) if args.keep else None
        tally = play_match(plan, args.games, args.cores, log)
        report = tally.report()
        low, high = report["score_interval"]
        mine, its = report["seconds_per_move"]
        counts = " ".join(f"{n:>5}" for n in tally.counts())
        print(f"{board:<8} {report['games']:>5} {report['score'] or 0:>7.1%}  {low:>5.1%} – {high:<6.1%} {counts}  {mine:>9.4f}  {its:>12.4f}", flush=True)
        if tally.interrupted:
            raise SystemExit(1)


def midgames(boards: list[str], marbles: int, number: int) -> list[State]:
    """Positions from games of a quick player, with so many marbles on the board."""
    found: list[State] = []
    for seed in range(1000):
        state, dice = hanpan.game("kulami", board=boards[seed % len(boards)]).start(seed=seed), random.Random(seed)
        bot = hanpan.bot("kulami", level=6, seed=seed, nodes=3000, megabytes=16)
        for ply in range(marbles):
            if state.over:
                break
            state = state.play(dice.choice(state.legal()) if ply < OPENING else bot.choose(state))
        if not state.over:
            found.append(state)
        if len(found) == number:
            break
    return found


def think(searcher: Searcher, state: State, seconds: float) -> tuple[SearchResult, float]:
    """The last result, and the processor's seconds until it was finished: what came after it is not counted among its nodes."""
    began = time.process_time()
    for result in searcher.think(state.record, seconds, 1 << 60, DEEPEST, 0, 1):
        last, took = result, time.process_time() - began
    return last, took


def speed(args: argparse.Namespace) -> None:
    searcher, plain = make_searcher("kulami", 2, 256, 1), PlainMinimax(depth=4)
    think(searcher, hanpan.game("kulami").start(seed=0), 0.1)
    print("\nspeed: one second from opening positions, and the minimax in plain Python (nodes a second while it looks four plies ahead)")
    print(f"{'marbles':>7} {'depth':>6} {'nodes/s':>12} {'plain nodes/s':>14} {'ratio':>6}")
    for marbles in (0, 1, 4, 8, 16):
        depth, rates, theirs = [], [], []
        for state in midgames(args.boards, marbles, 3):
            result, took = think(searcher, state, 1.0)
            rates.append(result.nodes / took)
            depth.append(result.depth)
            plain.nodes, began = 0, time.process_time()
            plain.choose(state)
            theirs.append(plain.nodes / (time.process_time() - began))
        rate, its = sum(rates) / len(rates), sum(theirs) / len(theirs)
        print(f"{marbles:>7} {sum(depth) / len(depth):>6.1f} {rate:>12,.0f} {its:>14,.0f} {rate / its:>5.0f}×", flush=True)


def endings(args: argparse.Namespace) -> None:
    searcher = make_searcher("kulami", 2, 256, 1)
    print(f"\nendings: solved to the end in {args.seconds:g} s (won, lost or drawn, whatever is played)")
    print(f"{'marbles':>7} {'positions':>9} {'solved':>7}")
    for marbles in range(22, 43, 2):
        states = midgames(args.boards, marbles, 20)
        results = [think(searcher, state, args.seconds)[0] for state in states]
        solved = sum(result.sure for result in results)
        print(f"{marbles:>7} {len(states):>9} {solved / len(states):>7.0%}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--level", type=int, default=8)
    parser.add_argument("--games", type=int, default=40, help="on each board")
    parser.add_argument("--seconds", type=float, default=0.2)
    parser.add_argument("--nodes", type=int)
    parser.add_argument("--cores", type=int, default=1)
    parser.add_argument("--boards", nargs="+", choices=BOARDS, default=list(BOARDS))
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--keep", type=Path)
    args = parser.parse_args()
    for part in args.only:
        if part in ("strength", "equal"):
            play(args, part)
        else:
            {"speed": speed, "endings": endings}[part](args)


if __name__ == "__main__":
    main()
