"""What people at a real server were told can be explained by one order of actions, also if it is killed meanwhile; at a broken server it can't."""

import asyncio

import pytest
from serving import ServerProcess

from hanpan.cli.loading import stored
from hanpan.client.load.check import check
from hanpan.client.load.history import History, read_history
from hanpan.client.load.plan import Plan
from hanpan.client.load.run import Load
from hanpan.client.load.truth import fetch, spoken_of


async def until(load, condition):
    """Wait for the people to get somewhere; if one of them fails, so does this."""
    while not condition():
        for person in load.people:
            person.check()
        await asyncio.sleep(0.02)


async def loaded(server, path, game, enough, meanwhile=None, **more):
    """The history of a load that goes on until so many actions are accepted and `meanwhile` is done; and what is true in the end, as the server tells it."""
    plan = Plan((server.url,), game, **({"tables": 2} | more))
    history = History(path)
    async with Load(plan, history) as load:
        await load.open()
        load.set_pace(load.usual_pace())
        if meanwhile is not None:
            await meanwhile(load)
        await until(load, lambda: enough(load.figures.counts))
        await load.stop()
    history.close()
    events = list(read_history(path))
    return events, await fetch(plan.servers, *spoken_of(events), lambda done, of: None)


def kill(server, after):
    """Kill the server once so many actions are accepted, start it again and wait for as many more."""

    async def killed(load):
        accepted = load.figures.counts
        await until(load, lambda: accepted["accepted"] >= after)
        server.kill()
        await until(load, lambda: not any(person.here.is_set() for person in load.people))  # who was away at that moment has lost nothing
        await asyncio.to_thread(server.start)
        await until(load, lambda: accepted["accepted"] >= 2 * after)

    return killed


@pytest.fixture
def broken_server(tmp_path):
    started = []

    def start(broken, **settings):
        server = ServerProcess(tmp_path, **settings)
        server.broken = broken
        started.append(server)
        return server.start()

    yield start
    for server in started:
        server.stop()


@pytest.mark.slow
async def test_a_server_that_is_killed_under_play_can_be_explained(own_server, tmp_path):
    """With secrets, chance and four seats, spectators, people who drop out; by what the server tells, and by what is in its database."""
    server = own_server(patience=600.0)

    async def meanwhile(load):
        for person in load.people[::4]:
            person.drop_out(0.05)
        await kill(server, 30)(load)

    path = tmp_path / "history.jsonl"
    events, told = await loaded(server, path, "goita", lambda counts: counts["games"] >= 3, meanwhile, options={"target": 30}, watchers=1)
    verdict = check(events, told)
    assert verdict.holds, "\n".join(map(str, verdict.wrong[:20]))
    assert verdict.counts["acknowledged"] >= 60
    assert verdict.counts["connections"] > 2 * verdict.counts["people"]
    assert verdict.counts["rating changes"] >= 12
    assert check(events, await stored(f"sqlite:///{server.data / 'hanpan.db'}", *spoken_of(events))).holds
    with pytest.raises(ValueError, match="what the server has in the end"):
        check(events)


@pytest.mark.slow
async def test_people_who_are_told_briefly_are_told_the_same(own_server, tmp_path):
    events, told = await loaded(own_server(), tmp_path / "history.jsonl", "tictactoe", lambda counts: counts["games"] >= 4, brief=True, watchers=1)
    verdict = check(events, told)
    assert verdict.holds, "\n".join(map(str, verdict.wrong[:20]))
    assert any("sum" in event for event in events if event["e"] == "saw")


@pytest.mark.slow
async def test_a_server_that_loses_a_commit_is_caught(broken_server, tmp_path):
    server = broken_server("loses commits", patience=600.0)
    events, told = await loaded(server, tmp_path / "history.jsonl", "kulami", lambda counts: True, kill(server, 20))
    verdict = check(events, told)
    assert verdict.kinds()["lost"], verdict
    assert any("was acknowledged" in wrong.text and wrong.events[0]["e"] == "answer" for wrong in verdict.wrong)


@pytest.mark.slow
async def test_a_server_that_moves_a_rating_twice_is_caught(broken_server, tmp_path):
    server = broken_server("moves ratings twice")
    events, told = await loaded(server, tmp_path / "history.jsonl", "tictactoe", lambda counts: counts["games"] >= 12)
    assert set(check(events, told).kinds()) == {"rating"}
    assert set(check(events, await stored(f"sqlite:///{server.data / 'hanpan.db'}", *spoken_of(events))).kinds()) == {"rating"}


@pytest.mark.slow
async def test_a_server_that_tells_an_old_position_is_caught(broken_server, tmp_path):
    server = broken_server("tells old positions")
    events, told = await loaded(server, tmp_path / "history.jsonl", "kulami", lambda counts: counts["accepted"] >= 20)
    verdict = check(events, told)
    assert verdict.kinds()["backwards"]
    assert [event["e"] for event in verdict.wrong[0].events] == ["saw", "saw"]


@pytest.mark.slow
async def test_a_server_that_doubles_an_action_is_caught(broken_server, tmp_path):
    server = broken_server("doubles actions")
    events, told = await loaded(server, tmp_path / "history.jsonl", "goita", lambda counts: counts["games"] >= 10, options={"target": 30})
    assert check(events, told).kinds()["doubled"]
