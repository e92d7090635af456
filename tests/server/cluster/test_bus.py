"""The way between processes, over a real Redis: order, answers, losses, and the queue of those who think."""

import asyncio
import signal
from contextlib import asynccontextmanager

import pytest
from serving import PATIENT, free_port

import hanpan
from hanpan.server.cluster.bus import Unanswered
from hanpan.server.cluster.redis_bus import RedisBus, check
from hanpan.server.rooms.thinking_queue import ThinkingQueue


@asynccontextmanager
async def buses(url, *names):
    opened = [RedisBus(name, url, "test") for name in names]
    for bus in opened:
        await bus.open()
    try:
        yield opened
    finally:
        for bus in opened:
            await bus.close()


async def soon(condition):
    while not condition():
        await asyncio.sleep(0.01)


def listening(bus):
    heard = []

    async def hear(sender, body):
        heard.append((sender, body["n"]))

    bus.on("news", hear)
    return heard


async def test_messages_arrive_in_their_order_and_broadcasts_everywhere_else(redis_url):
    async with buses(redis_url, "a", "b", "c") as (a, b, c):
        heard = {bus.node: listening(bus) for bus in (a, b, c)}
        for n in range(500):
            a.send("b", "news", {"n": n})
        await soon(lambda: len(heard["b"]) == 500)
        assert heard["b"] == [("a", n) for n in range(500)]
        b.broadcast("news", {"n": 0})
        await soon(lambda: heard["a"] and heard["c"])
        assert (heard["a"], heard["c"], heard["b"][500:]) == ([("b", 0)], [("b", 0)], [])


async def test_whoever_has_hung_up_is_known(redis_url):
    async with buses(redis_url, "a", "b") as (a, b):
        assert await a.hung_up(["b"]) == set()
        await b.close()
        assert await a.hung_up(["b"]) == {"b"}
        assert await a.hung_up([]) == set()


async def test_whoever_asks_is_answered_or_learns_that_nobody_is_there(redis_url):
    async with buses(redis_url, "a", "b") as (a, b):

        async def answer(sender, body):
            if body["n"] < 0:
                raise ValueError("a fault of ours")
            return {"n": body["n"] + 1}

        b.answer("more", answer)
        assert await a.ask("b", "more", {"n": 7}, 60) == {"n": 8}
        with pytest.raises(Unanswered):
            await a.ask("b", "more", {"n": -1}, 60)
        waiting = asyncio.create_task(a.ask("nobody", "more", {"n": 1}, 60))
        await asyncio.sleep(0)
        a.forget("nobody")
        with pytest.raises(Unanswered):
            await waiting


async def test_what_redis_has_lost_is_noticed_when_it_is_back(redis_server, redis_url):
    async with buses(redis_url, "a", "b") as (a, b):
        heard, lost = listening(b), []
        b.lost = lost.append
        a.send("b", "news", {"n": 1})
        await soon(lambda: heard)
        await asyncio.to_thread(redis_server.stop, signal.SIGKILL)
        await soon(lambda: not a.here and not b.here)
        a.send("b", "news", {"n": 2})
        await soon(lambda: not a.queue)
        await asyncio.to_thread(redis_server.start)
        await soon(lambda: a.here and b.here and lost)
        assert set(lost) == {"a"}
        a.send("b", "news", {"n": 3})
        await soon(lambda: len(heard) == 2)
        assert heard == [("a", 1), ("a", 3)]


async def test_a_worker_elsewhere_thinks_of_what_a_seat_may_know(redis_url):
    async with buses(redis_url, "a", "b") as (a, b):
        asking, working, known = ThinkingQueue(a, a.jobs, wait=PATIENT), ThinkingQueue(b, b.jobs), []

        async def think(seen, level):
            known.append((str(seen), level))
            return seen.legal()[-1]

        task = asyncio.create_task(working.work(think))
        for name in hanpan.games():
            state = hanpan.game(name).start(seed=3)
            while state.chance:
                state = state.play(state.draw(5))
            seen = state.view(state.seat)
            assert await asking.ask(seen, 4) == seen.legal()[-1]
            assert known[-1] == (str(seen), 4)
        task.cancel()


async def test_where_there_is_no_redis_it_is_said():
    with pytest.raises(ConnectionError, match="redis: nobody answers"):
        await check(f"redis://127.0.0.1:{free_port()}")
