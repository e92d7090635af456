"""Where many leave in the same moment, each address is heard in its turn."""

import asyncio
import time
from itertools import pairwise

import pytest
from bare import opened
from serving import PATIENT

from hanpan.server.transport.hearing import AT_ONCE, Hearing


async def turns(number):
    for _ in range(number):
        await asyncio.sleep(0)


async def test_so_many_are_heard_in_one_turn_of_the_loop_and_no_more():
    hearing, heard = Hearing(), []
    for number in range(3 * AT_ONCE):
        hearing.later("crowd", lambda number=number: heard.append(number))
    for turn in range(1, 4):
        await turns(1)
        assert heard == list(range(turn * AT_ONCE))
    assert not hearing.now()  # this turn is full
    await turns(1)
    assert [hearing.now() for _ in range(AT_ONCE + 1)] == [True] * AT_ONCE + [False]


async def test_whoever_comes_alone_waits_for_one_of_a_crowd():
    hearing, heard = Hearing(), []
    for number in range(500):
        hearing.later("crowd", lambda number=number: heard.append(number))
    hearing.later("player", lambda: heard.append("player"))
    await turns(1)
    assert heard[:3] == [0, "player", 1]


async def test_nobody_overtakes_those_who_wait():
    hearing, heard = Hearing(), []
    hearing.later("crowd", lambda: heard.append("first"))
    assert not hearing.now()


async def test_somebodys_fault_keeps_nobody_waiting():
    hearing, heard, faults = Hearing(), [], []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: faults.append(context["exception"]))
    hearing.later("a", lambda: 1 / 0)
    hearing.later("b", lambda: heard.append("b"))
    await turns(2)
    assert heard == ["b"]
    assert [type(fault) for fault in faults] == [ZeroDivisionError]


@pytest.mark.parametrize("politely", [True, False], ids=["with a word", "without"])
async def test_a_crowd_that_leaves_at_once_is_let_go_a_few_at_a_time(local_server, politely):
    server = local_server()
    crowd = [await opened(server.url) for _ in range(60)]
    while len(server.sockets()) < 60:
        await asyncio.sleep(0.01)
    lines, gone = server.sockets(), []

    async def count():
        while len(gone) < 2 or gone[-1] < len(lines):
            gone.append(sum(line.closed for line in lines))
            await asyncio.sleep(0)

    busy = asyncio.create_task(server.do(lambda: time.sleep(1.0)))  # so that all of them have left before any is let go
    await asyncio.sleep(0.2)
    for ws in crowd:
        if politely:
            ws.transport.write(b"\x88\x80\x00\x00\x00\x00")
        else:
            ws.transport.abort()
    await busy
    await asyncio.wait_for(server.do(count), PATIENT)
    assert max(after - before for before, after in pairwise(gone)) <= 16
    for ws in crowd:
        ws.transport.abort()
