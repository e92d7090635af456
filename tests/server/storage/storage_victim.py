"""A program for the tests of the storage to kill: it plays games into a database and prints what was acknowledged.

Usage: storage_victim.py URL. For each line on its input it starts one writer (a fork, so that imports are paid once) and prints `pid N`, then the
writer's `ack GAME PLY` lines, then `gone`. A writer goes on where the last one stopped and never stops by itself.
"""

import asyncio
import os
import sys

from hanpan.server.storage.models import ActionRow, Finish, GameRow
from hanpan.server.storage.store import Store

TABLES, LENGTH, STEP = 8, 25, 2.0
PEOPLE = ("victim-a", "victim-b")


def text(game_id: str, ply: int) -> str:
    return f"{game_id}:{ply}"


def tell(line: str) -> None:
    os.write(1, f"{line}\n".encode())  # one call: a line comes whole or not at all


async def play(store: Store, table: int, number: int, ply: int, people: list[str]) -> None:
    while True:
        game_id = f"t{table}-{number}"
        if ply == 0:
            await store.add_game(GameRow(game_id, "r", "toy", {}, {}, [{"person": id} for id in people], True, number))
        while ply < LENGTH:
            finish = Finish(number, {"winner": [0]}, {people[0]: ("toy", STEP), people[1]: ("toy", -STEP)}) if ply == LENGTH - 1 else None
            assert await store.append(game_id, ply, ActionRow(text(game_id, ply), ply % 2, ply, ply), finish)
            tell(f"ack {game_id} {ply}")
            ply += 1
        number, ply = number + 1, 0


async def writer(url: str) -> None:
    store = await Store.open(url)
    documents = {row.id: row.document for row in await store.rooms()}
    if "r" not in documents:
        documents["r"] = {"people": [(await store.add_person(name, f"{name} {os.getpid()}", "account")).id for name in PEOPLE]}
        await store.save_room("r", documents["r"])
    people = documents["r"]["people"]
    running = {int(row.id[1 : row.id.index("-")]): row for row in await store.running_games()}
    ended = {int(row.id[1 : row.id.index("-")]): row for row in reversed(await store.finished_games(limit=100_000))}
    games = []
    for table in range(TABLES):
        if table in running:
            games.append((table, running[table].started_at, len(running[table].actions)))
        else:
            games.append((table, ended[table].started_at + 1 if table in ended else 0, 0))
    await asyncio.gather(*(play(store, table, number, ply, people) for table, number, ply in games))


def main() -> None:
    for _ in sys.stdin:
        child = os.fork()
        if child == 0:
            asyncio.run(writer(sys.argv[1]))
        tell(f"pid {child}")
        os.waitpid(child, 0)
        tell("gone")


if __name__ == "__main__":
    main()
