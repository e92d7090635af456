"""Hanpan's own player as a program, so that another version of it can be an opponent:

hanpan match puoribor 8 "env PYTHONPATH=../before/src python benchmarks/opponents/hanpan_player.py puoribor 8 [NODES]" --games 100 --seconds 0.2
"""

from __future__ import annotations

import json
import sys

import hanpan

MEGABYTES = 64  # as `hanpan match` gives


def main() -> None:
    name, level, nodes = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else None
    bot = state = None
    table = hanpan.game(name)
    games = 0
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "hanpan":
            hanpan.bot(name, level, megabytes=MEGABYTES).choose(table.start(seed=1), 0.02)  # loaded before the clock runs
            print("ready", f"{name} {level}", flush=True)
        elif word == "game":
            games += 1
            table = hanpan.game(name, **json.loads(rest.partition(" ")[2]))
            bot = hanpan.bot(name, level, seed=games, megabytes=MEGABYTES, nodes=nodes)
        elif word == "view":
            seat, _, text = rest.partition(" ")
            state = table.parse(text, viewer=int(seat))
        elif word == "go" and bot is not None and state is not None:
            print("action", bot.choose(state, float(rest) / 1000 if rest else None), flush=True)
        elif word == "quit":
            return


if __name__ == "__main__":
    main()
