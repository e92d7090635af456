"""A process that is killed at any moment: what it acknowledged is stored, once."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from kept import Kept
from storage_victim import LENGTH, STEP, TABLES, text
from storing import with_store


@pytest.mark.slow
def test_what_was_acknowledged_survives_being_killed_at_any_moment(url, tmp_path):
    chance = random.Random(4)
    acknowledged = set()
    command = [sys.executable, str(Path(__file__).with_name("storage_victim.py")), url]
    with Kept(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=os.environ | {"HANPAN_INTERPRET": "1"}) as victims:
        for _ in range(20):
            print("go", file=victims.stdin, flush=True)
            patience, pid = chance.randrange(200), None
            while (line := victims.stdout.readline().split()) != ["gone"]:
                assert line, "the victim ended by itself"
                if line[0] == "pid":
                    pid = int(line[1])
                else:
                    assert tuple(line) not in acknowledged
                    acknowledged.add(tuple(line))
                    patience -= 1
                if pid is not None and patience <= 0:
                    os.kill(pid, signal.SIGKILL)
                    pid = None
            with_store(url, lambda store: all_is_there(store, acknowledged))
        victims.stdin.close()
    if (file := tmp_path / "hanpan.db").exists():
        with sqlite3.connect(file) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


async def all_is_there(store, acknowledged):
    """Every acknowledged ply is stored, every game is a whole one so far, and ratings moved once a finished game."""
    running, ended = await store.running_games(), await store.finished_games(limit=100_000)
    assert len(running) <= TABLES
    stored = set()
    for row in running + [await store.game(row.id) for row in ended]:
        assert [played.text for played in row.actions] == [text(row.id, ply) for ply in range(len(row.actions))]
        assert (row.ended_at is not None) == (len(row.actions) == LENGTH)
        stored |= {("ack", row.id, str(ply)) for ply in range(len(row.actions))}
    assert acknowledged <= stored
    assert len(stored) - len(acknowledged) <= 20 * TABLES  # only what was under way when it was killed
    for who, now in await store.leaderboard("toy"):
        assert (abs(now.value - 1300), now.games) == (STEP * len(ended), len(ended)), who
        assert len(await store.history(who.id, "toy")) == len(ended)
