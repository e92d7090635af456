"""Who waits for a match at which process, when people go from one to another and when the one that pairs them changes."""

import asyncio
from types import SimpleNamespace

import pytest

from hanpan.server.cluster.bus import Unanswered
from hanpan.server.protocol.refusals import Refused
from hanpan.server.protocol.requests import QuickMatch
from hanpan.server.rooms.shared_matchmaking import SharedMatchmaking

ASKED, OTHER = QuickMatch(game="kulami"), QuickMatch(game="puoribor")


class Wire:
    """The processes, each of which hears at once what another one sends."""

    def __init__(self, *names):
        self.leader, self.deaf = names[0], set()
        self.here = {name: Process(self, name) for name in names}

    def lead(self, name):
        self.leader = name
        for process in self.here.values():
            process.shared.node_came(name)

    async def settle(self):
        for _ in range(10):
            await asyncio.sleep(0)


class Process:
    """One of them, with what it knows of the others and its way to them: `waits` are those whom it would pair."""

    def __init__(self, wire, name):
        self.wire, self.node, self.waits, self.heard, self.answers = wire, name, {}, {}, {}
        own = SimpleNamespace(ask=self._wait, cancel=lambda person: self.waits.pop(person, None), waits=self.waits.__contains__)
        self.on, self.answer = self.heard.__setitem__, self.answers.__setitem__
        self.own, self.shared = own, SharedMatchmaking(own, SimpleNamespace(person=self._known), self, self)

    @property
    def leader(self):
        return self.wire.leader

    def subscribe(self, one):
        pass

    async def _known(self, person):
        return person

    async def _wait(self, person, request):
        self.waits[person] = request.game

    async def ask(self, node, kind, body, seconds):
        answer = await self.wire.here[node].answers[kind](self.node, body)
        if node in self.wire.deaf:
            raise Unanswered
        return answer

    def send(self, node, kind, body):
        self.told = asyncio.ensure_future(self.wire.here[node].heard[kind](self.node, body))

    def broadcast(self, kind, body):
        for node in self.wire.here:
            if node != self.node:
                self.send(node, kind, body)


@pytest.fixture
def wire():
    return Wire("a", "b", "c")


async def test_whoever_asks_at_another_process_waits_there_and_closing_the_first_changes_nothing(wire):
    a, b, c = wire.here.values()
    await b.shared.ask("ann", ASKED)
    await c.shared.ask("ann", OTHER)
    b.shared.cancel("ann")
    await wire.settle()
    assert a.waits == {"ann": "puoribor"}
    a.shared.node_gone("b")
    assert a.waits == {"ann": "puoribor"}
    a.shared.node_gone("c")
    assert a.waits == {}


async def test_whoever_was_told_that_nothing_came_of_it_does_not_wait(wire):
    a, b, _ = wire.here.values()
    wire.deaf.add("a")
    with pytest.raises(Refused):
        await b.shared.ask("ann", ASKED)
    await wire.settle()
    assert a.waits == {}


async def test_nobody_waits_any_more_where_nobody_is_paired_any_more(wire):
    a, b, _ = wire.here.values()
    await a.shared.ask("ann", ASKED)
    await b.shared.ask("bob", OTHER)
    assert a.waits == {"ann": "kulami", "bob": "puoribor"}
    wire.lead("b")
    await wire.settle()
    assert (a.waits, b.waits) == ({}, {"ann": "kulami", "bob": "puoribor"})
    a.shared.cancel("ann")
    b.shared.cancel("bob")
    await wire.settle()
    assert b.waits == {}


async def test_whoever_was_matched_is_forgotten_everywhere(wire):
    a, b, _ = wire.here.values()
    await b.shared.ask("bob", ASKED)
    del a.waits["bob"]
    a.own.matched("bob")
    await wire.settle()
    wire.lead("c")
    await wire.settle()
    assert wire.here["c"].waits == {}
