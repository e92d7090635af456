"""The parts of a load: how waits are counted, when actions are due, and what is said where something is missing."""

import asyncio
import json
import math
import random
import statistics

import pytest
from commands import hanpan_cli

from hanpan.client.load.figures import Figures
from hanpan.client.load.histogram import Histogram
from hanpan.client.load.plan import Plan
from hanpan.client.load.run import Load, LoadFailed
from hanpan.client.load.table import Pace, Planned, Table, Thinking


def waits_of(seconds):
    waits = Histogram()
    for each in seconds:
        waits.add(each)
    return waits


def test_a_part_of_the_waits_is_told_within_some_hundredths():
    dice = random.Random(1)
    seconds = sorted(dice.lognormvariate(-5, 2) for _ in range(5000))
    waits = waits_of(seconds)
    for part in (0.5, 0.9, 0.99, 0.999):
        assert waits.at(part) == pytest.approx(seconds[math.ceil(part * len(seconds)) - 1], rel=0.03)
    assert waits.at(1.0) <= waits.most == seconds[-1]
    assert Histogram().at(0.99) == 0.0


def test_waits_of_several_runs_are_put_together_without_loss():
    dice = random.Random(2)
    parts = [[dice.expovariate(30) for _ in range(500)] for _ in range(3)]
    together = Figures()
    for part in parts:
        one = Figures()
        one.waits["opponent"] = waits_of(part)
        one.counts["accepted"] = len(part)
        together.merge(Figures.from_json(json.loads(json.dumps(one.json()))))
    whole = waits_of(each for part in parts for each in part)
    assert together.waits["opponent"].json()["buckets"] == whole.json()["buckets"]
    assert (together.waits["opponent"].count, together.waits["opponent"].most) == (whole.count, whole.most)
    assert together.counts["accepted"] == 1500


def test_planned_actions_are_due_whatever_the_server_does():
    table, pace = Table(3, Figures(), seed=5), Planned(0.25, begin=100.0)
    due = [pace.due(table, now) for now in (100.0, 700.0, 700.1, 900.0)]
    assert 100.0 <= due[0] < 100.25
    assert due == pytest.approx([due[0] + 0.25 * number for number in range(4)])
    assert Planned(0.25, begin=100.0).due(Table(3, Figures(), seed=5), 0.0) == due[0]


def test_people_think_for_times_that_follow_from_the_seed():
    table, pace = Table(0, Figures(), seed=7), Thinking(2.0)
    times = [pace.due(table, 10.0) - 10.0 for _ in range(20_000)]
    assert statistics.fmean(times) == pytest.approx(2.0, rel=0.1)
    assert statistics.median(times) == pytest.approx(2.0 * math.exp(-0.5), rel=0.1)  # most think shortly, a few for long
    again = Table(0, Figures(), seed=7)
    assert [pace.due(again, 10.0) - 10.0 for _ in range(5)] == times[:5]
    assert Thinking(0.0).due(table, 10.0) == 10.0


def test_a_planned_action_that_comes_too_late_has_waited_since_it_was_due():
    """Else a server that answers late would be asked less, and look better than it is."""

    async def late():
        figures = Figures()
        table = Table(0, figures)
        table.set_pace(Planned(1.0, asyncio.get_running_loop().time() - 10.0))
        sent = []
        table.act(("game", 4), "0.0", lambda: not sent.append(1))
        table.saw("opponent", "0.0", "game", 4, 5)  # who has sent it does not wait to see it
        table.saw("opponent", "0.1", "game", 4, 5)
        table.acknowledged(("game", 4))
        return sent, figures

    sent, figures = asyncio.run(late())
    assert sent == [1]
    assert figures.waits["acknowledged"].most >= 9.0
    assert (figures.waits["opponent"].count, figures.waits["late"].count) == (1, 0)


def test_what_can_not_be_sent_is_sent_once_it_can():
    async def act():
        table, sent, up = Table(0, Figures()), [], False

        def send():
            sent.append(up)
            return up

        table.act(("game", 0), "0.0", send)
        assert table.waiting
        assert not sent
        table.set_pace(Thinking(0.0))
        up = True
        table.act(("game", 0), "0.0", send)  # they are back, and told their turn again
        table.act(("game", 0), "0.0", send)  # it is sent once
        table.set_pace(Pace())
        table.act(("game", 2), "0.0", send)
        assert table.waiting
        return sent

    assert asyncio.run(act()) == [False, True]


async def test_a_server_that_lets_no_crowd_in_is_named_with_what_helps(local_server):
    server = local_server(unlimited_local=False, guests_per_hour=1)
    async with Load(Plan((server.url,), "tictactoe", tables=20)) as load:
        with pytest.raises(LoadFailed, match=r"too-fast.*HANPAN_UNLIMITED_LOCAL"):
            await load.open()


def test_what_is_missing_is_named():
    assert "--game: which one" in hanpan_cli("load", "--server", "http://127.0.0.1:1").stderr
    assert "--server: the address of a server is needed" in hanpan_cli("load", "--game", "tictactoe").stderr
    assert "begins with http://" in hanpan_cli("load", "--game", "tictactoe", "--server", "localhost").stderr
    open_loop = hanpan_cli("load", "--game", "tictactoe", "--server", "http://127.0.0.1:1", "--open")
    assert (open_loop.returncode, "--rate: the open loop" in open_loop.stderr) == (2, True)
    assert "has secrets" in hanpan_cli("load", "--game", "goita", "--server", "http://127.0.0.1:1", "--brief").stderr
    nobody = hanpan_cli("load", "--game", "tictactoe", "--server", "http://127.0.0.1:1")
    assert (nobody.returncode, "http://127.0.0.1:1: " in nobody.stderr) == (2, True)
    assert "which histories?" in hanpan_cli("load", "--check").stderr
