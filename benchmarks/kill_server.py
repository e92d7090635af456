"""Kills a server with SIGKILL at random moments under play and looks whether anything was lost.

    python benchmarks/kill_server.py --kills 200 --tables 20 --keep kills.jsonl

Every batch plays on fresh data in a temporary folder: people at all tables play one game after another, the server is killed and started again, the clients
come back by themselves. At the end of a batch every acknowledged action must be there exactly once, every game must have gone on to its end,
nobody's clock was charged for an outage, and every rated game moved ratings once. Finished batches are kept in the file; after an interruption
(Ctrl-C) the same command continues with the batch that was not finished.
"""

import argparse
import asyncio
import json
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path += [str(ROOT / "tests" / "server"), str(ROOT / "tests" / "toy")]

from killing import kill_again_and_again, lost  # noqa: E402


def batch(number, tables, kills, done, wanted):
    began = time.time()

    def progress(killed, journal):
        seconds = time.time() - began
        line = f"batch {number}: {done + killed} of {wanted} kills, {journal.done} actions acknowledged, {seconds:.0f} s"
        print(f"\r{line}   ", end="" if sys.stderr.isatty() else "\n", file=sys.stderr, flush=True)

    with tempfile.TemporaryDirectory() as folder:
        journal = asyncio.run(kill_again_and_again(Path(folder), tables, kills, seed=number, progress=progress))
        wrong, counts = lost(Path(folder), journal)
    return {"batch": number, "tables": tables, "kills": kills, **counts, "lost": len(wrong), "what": wrong[:20], "seconds": round(time.time() - began)}


def show(rows):
    columns = ("batch", "tables", "kills", "games", "actions", "acknowledged", "rating changes", "lost", "seconds")
    total = {name: sum(row[name] for row in rows) for name in columns[2:]}
    for row in (dict(zip(columns, columns, strict=True)), *rows, {"batch": "all", "tables": "", **total}):
        print("  ".join(f"{row[name]:>{max(6, len(name))}}" for name in columns), flush=True)
    for row in rows:
        for line in row["what"]:
            print(f"batch {row['batch']}: {line}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--kills", type=int, default=200, help="how often in all")
    parser.add_argument("--tables", type=int, default=20, help="tables in play")
    parser.add_argument("--batch", type=int, default=10, help="kills on the same data")
    parser.add_argument("--keep", type=Path, default=Path("kills.jsonl"), help="finished batches")
    wanted = parser.parse_args()
    rows = [json.loads(line) for line in wanted.keep.read_text().splitlines()] if wanted.keep.exists() else []
    while (left := wanted.kills - sum(row["kills"] for row in rows)) > 0:
        try:
            rows.append(batch(len(rows), wanted.tables, min(wanted.batch, left), wanted.kills - left, wanted.kills))
        except KeyboardInterrupt:
            print(f"\ninterrupted; the same command goes on after {wanted.kills - left} kills", file=sys.stderr)
            break
        with wanted.keep.open("a") as file:
            file.write(json.dumps(rows[-1]) + "\n")
        show(rows[-1:])
    show(rows)
    return 1 if any(row["lost"] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
