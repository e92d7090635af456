"""Attacks on a server of one's own, one after the other, while honest people play beside them: what it cost, and what they felt.

    python benchmarks/hostile.py [SCENARIO …] [--list] [--out results.jsonl]

Each attack has a fresh server process on loopback (nothing else is ever attacked; forged forwarding headers stand for remote addresses), an attacker, who is
this process and lets the others go first on this machine, and honest tables in a third process. The aim: no honest move takes over 100 ms, without what that
third process itself was late by; and the memory of the server and of those that it starts comes back to where it was, within 40 MB. Attacks on accounts and
fairness have no table beside them: they are held, or they FELL. Ctrl-C shows what is done so far.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), *(str(HERE.parent / "tests" / folder) for folder in ("server", "toy"))]

from attacks import crowds, fairness, floods, frames, nonsense, takeover, waiting  # noqa: E402, F401
from attacks.field import BACK_MB, MOVES, SCENARIOS, SLOW_MS, TABLES, Felt, give_way, run  # noqa: E402

COLUMNS = {
    "attack": 22, "for": 6, "CPU s": 7, "MB before": 10, "peak": 6, "after": 6, "moves": 6,
    "quiet p99": 10, "p50": 6, "p99": 6, "slowest": 8, "own": 5, "core": 5, "host": 5, "door": 6,
}  # fmt: skip


def show(done: list[Felt]) -> None:
    """One table of everything that was done."""
    print(f"{TABLES} honest tables, {MOVES:.0f} moves a second in all; aim: no move over {SLOW_MS:.0f} ms, memory back within {BACK_MB:.0f} MB")
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the end; times of moves and of newcomers at the door in ms")
    print("own: what of the slowest move was the honest people's own lateness; core: the longest that the server waited for a core in a tenth of a second;")
    print("host: the longest that whoever runs this machine kept its cores from running in a tenth of a second, all cores together")
    print(" ".join(f"{name:<{width}}" if name == "attack" else f"{name:>{width}}" for name, width in COLUMNS.items()), " verdict")
    for felt in done:
        numbers = [
            f"{felt.seconds:.0f} s", f"{felt.cpu_seconds:.1f}", f"{felt.before_mb:.0f}", f"{felt.peak_mb:.0f}", f"{felt.after_mb:.0f}",
            *([str(felt.moves), *(f"{ms:.0f}" for ms in felt.times)]
              if felt.moves else ["–"] * 9),
        ]  # fmt: skip
        cells = [f"{felt.name:<{COLUMNS['attack']}}", *(f"{cell:>{width}}" for cell, width in zip(numbers, list(COLUMNS.values())[1:], strict=True))]
        print(" ".join(cells), "", f"{felt.verdict}{f' ({felt.note})' if felt.note else ''}")
    held = sum(not felt.fell for felt in done)
    print(f"{held} of {len(done)} held")


def progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


async def attack(names: list[str], out: Path | None, done: list[Felt]) -> None:
    """One after the other; what is done is in the list, whatever happens then."""
    for number, name in enumerate(names, 1):
        wanted = SCENARIOS[name]
        progress(f"{number}/{len(names)} {name} ({wanted.item}): {wanted.about}")
        with tempfile.TemporaryDirectory() as folder:
            felt = await run(wanted, Path(folder), progress)
        done.append(felt)
        progress(f"  {felt.verdict}{f' ({felt.note})' if felt.note else ''}")
        if out is not None:
            with out.open("a") as file:
                print(json.dumps(felt.json(), ensure_ascii=False), file=file)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("scenarios", nargs="*", metavar="SCENARIO", help="all of them if left out")
    parser.add_argument("--list", action="store_true", help="say which scenarios there are")
    parser.add_argument("--out", type=Path, help="a file to which each result is added as a line of JSON")
    given = parser.parse_args()
    unknown = [name for name in given.scenarios if name not in SCENARIOS]
    if unknown:
        parser.error(f"no such scenario: {', '.join(unknown)}; there are {', '.join(SCENARIOS)}")
    if given.list:
        for wanted in SCENARIOS.values():
            print(f"{wanted.name:22} {wanted.item:12} {wanted.about}")
        return
    give_way()
    done: list[Felt] = []
    try:
        asyncio.run(attack(given.scenarios or list(SCENARIOS), given.out, done))
    except KeyboardInterrupt:
        progress("interrupted")
    finally:
        if done:
            show(done)
    sys.exit(1 if any(felt.fell for felt in done) else 0)


if __name__ == "__main__":
    main()
