"""Sends malformed and hostile events and HTTP requests to a server while a table beside them plays on; looks for faults and watches the memory.

python benchmarks/hostile.py --events 90000 --requests 10000
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1] / "tests" / folder) for folder in ("server", "toy")]

from hostile import attack_http, attack_sockets  # noqa: E402
from people import Guest, guests, sit_down  # noqa: E402
from serving import ServerProcess  # noqa: E402

from hanpan.client import Invalid  # noqa: E402
from hanpan.server.storage.store import Store  # noqa: E402


def memory(process: int) -> float:
    """Megabytes that a process holds."""
    line = next(line for line in Path(f"/proc/{process}/status").read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


async def play_for_ever(rooms: list, played: Counter) -> None:
    """One game after another, at random."""
    while True:
        for room in rooms:
            try:
                if room.board["over"]:
                    await room.call("rematch")
                elif (mine := room.mine()) is not None:
                    await room.play(random.choice(mine["legal"]))
                    played["actions"] += 1
            except Invalid as refused:  # the next game has begun meanwhile, say
                played[refused.code] += 1
        await asyncio.sleep(0.02)


async def attack(server: ServerProcess, events: int, requests: int) -> dict:
    """Everything at once; what came of it."""
    played: Counter = Counter()
    memories, codes = [], Counter()
    asked, faults = 0, []
    async with guests(server.url, 2) as people, Guest(server.url) as bad:
        rooms = await sit_down(people, "tictactoe", settings={"rated": False})
        table = asyncio.create_task(play_for_ever(rooms, played))
        store = await Store.open(f"sqlite:///{server.data / 'hanpan.db'}")
        await store.accounts.change(bad.id, role="operator")
        await store.factors.add_totp(bad.id, "sealed", 0, [])  # operators need a second factor
        await store.close()
        began, share = time.perf_counter(), 10
        for part in range(share):
            codes += await attack_sockets(server.url, bad.token, rooms[0].id, part, events // share)
            memories.append(round(memory(server.process.pid), 1))
            print(f"{(part + 1) * events // share} events, {memories[-1]} MB, {played['actions']} actions beside them", file=sys.stderr)
        spent = time.perf_counter() - began
        while asked < requests:
            more, wrong = await asyncio.to_thread(attack_http, server.url, bad.token, max(1, min(50, (requests - asked) // 45)))
            asked, faults = asked + more, faults + wrong
            memories.append(round(memory(server.process.pid), 1))
            print(f"{asked} requests, {memories[-1]} MB, {len(faults)} faults, {played['actions']} actions beside them", file=sys.stderr)
        alive = not table.done()
        table.cancel()
    log = server.log.read_text()
    return {
        "events": events, "requests": asked, "answers": dict(codes.most_common()), "our_faults": codes["our-fault"], "http_faults": faults[:5],
        "http_fault_count": len(faults), "log_errors": log.count(" ERROR "), "memory_mb": memories, "beside": dict(played),
        "table_plays_on": alive, "events_per_second": round(events / spent),
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=90_000)
    parser.add_argument("--requests", type=int, default=10_000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = ServerProcess(Path(folder), events_per_second=1_000_000, messages_per_minute=1_000_000).start()
        try:
            print(json.dumps(asyncio.run(attack(server, given.events, given.requests)), indent=1))
        finally:
            server.stop()


if __name__ == "__main__":
    main()
