"""Listens to every byte that each seat and a spectator are sent over many games of Goita, and compares games that must look the same to one of them.

    python benchmarks/secrecy.py --games 50

Each game is played six times: as it is, and for each of the five viewers once more with the hands exchanged that this viewer can't see. Everything
the viewer is sent (three sockets with pictures, refusals of nonsense, and what it asks over HTTP: records, pictures, lists) must be equal until
the game is over.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "tests" / "server"), str(ROOT / "tests" / "toy")]  # before this folder, which has a local.py, too

from eavesdropping import Compared, compare, eavesdroppers  # noqa: E402


async def listen(games, options):
    found, began = Compared(), time.time()
    with tempfile.TemporaryDirectory() as folder:
        async with eavesdroppers(Path(folder), options) as (server, viewers):
            for number in range(games):
                await compare(server, viewers, options, number, found)
                line = f"{found.games} games, {found.exchanged} rounds with exchanged hands, {len(found.leaks)} leaks, {time.time() - began:.0f} s"
                print(line, file=sys.stderr, flush=True)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--target", type=int, default=30, help="points that win a game: more points, more rounds")
    wanted = parser.parse_args()
    found = asyncio.run(listen(wanted.games, {"target": wanted.target}))
    print(f"{found.games} games, each compared for 5 viewers: {found.exchanged} rounds with exchanged hands")
    print(f"{found.frames} frames and answers, {found.bytes / 1e6:.1f} MB; the exchange was seen by others in {found.seen} of {5 * found.games} pairs")
    print("\n".join(found.leaks) or "no viewer was told anything that it may not know")
    return 1 if found.leaks else 0


if __name__ == "__main__":
    sys.exit(main())
