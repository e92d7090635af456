"""Who waits for a match at which process, when people go from one to another and when the one that pairs them changes."""

import asyncio
from types import SimpleNamespace

import pytest

from hanpan.server.cluster.bus import Unanswered
from hanpan.server.protocol.refusals import Refused
from hanpan.server.protocol.requests import QuickMatch
from hanpan.server.rooms.matchmaking import Matchmaking
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
        own = SimpleNamespace(ask=self._wait, cancel=lambda person: self.waits.pop(person, None), waits=self.waits.__contains__, tell_refused=self._tell)
        self.on, self.answer = self.heard.__setitem__, self.answers.__setitem__
        self.refused, self.slow = [], asyncio.Event()
        self.slow.set()
        self.own, self.shared = own, SharedMatchmaking(own, SimpleNamespace(person=self._known), self, self)

    @property
    def leader(self):
        return self.wire.leader

    def subscribe(self, one):
        pass

    async def _known(self, person):
        return person

    async def _rating(self, person, game):
        return 1300

    async def _wait(self, person, request):
        self.waits[person] = request.game

    async def _tell(self, person, why):
        self.refused.append((person, why.code))

    async def ask(self, node, kind, body, seconds):
        answer = await self.wire.here[node].answers[kind](self.node, body)
        await self.slow.wait()
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


async def test_whoever_waits_where_nothing_new_is_taken_any_more_asks_the_next_with_whoever_asks_next(wire):
    a, b, c = wire.here.values()
    await c.shared.ask("cid", ASKED)
    wire.leader = "b"  # the first one drains: it has neither come nor gone
    await c.shared.ask("dora", OTHER)
    await wire.settle()
    assert (a.waits, b.waits) == ({}, {"cid": "kulami", "dora": "puoribor"})
    c.shared.cancel("cid")
    await wire.settle()
    assert b.waits == {"dora": "puoribor"}


@pytest.mark.parametrize("answers", [True, False])
async def test_whoever_has_asked_one_that_goes_before_it_answers_waits_at_the_next(wire, answers):
    a, _, c = wire.here.values()
    c.slow.clear()
    asking = asyncio.ensure_future(c.shared.ask("cid", ASKED))
    await wire.settle()
    if not answers:
        wire.deaf.add("a")
    wire.lead("c")
    c.slow.set()
    await asking
    await wire.settle()
    assert (a.waits, c.waits) == ({}, {"cid": "kulami"})
    c.shared.cancel("cid")
    assert c.waits == {}


async def test_an_answer_that_does_not_come_ends_no_wait_that_was_asked_for_since(wire):
    a, b, _ = wire.here.values()
    first = b.slow
    first.clear()
    asking = asyncio.ensure_future(b.shared.ask("bob", ASKED))
    await wire.settle()
    b.shared.cancel("bob")
    b.slow = asyncio.Event()
    again = asyncio.ensure_future(b.shared.ask("bob", OTHER))
    await wire.settle()
    wire.deaf.add("a")
    first.set()
    with pytest.raises(Refused):
        await asking
    await wire.settle()
    assert a.waits == {"bob": "puoribor"}
    again.cancel()


async def test_whoever_can_not_wait_at_the_next_is_told(wire):
    b = wire.here["b"]
    await b.shared.ask("bob", ASKED)
    wire.deaf.add("c")
    wire.lead("c")
    await wire.settle()
    assert b.refused == [("bob", "interrupted")]
    assert wire.here["c"].waits == {}


async def test_whoever_cancels_as_the_next_is_about_to_be_asked_waits_nowhere(wire):
    b = wire.here["b"]
    await b.shared.ask("bob", ASKED)
    wire.lead("c")
    b.shared.cancel("bob")
    await wire.settle()
    assert [process.waits for process in wire.here.values()] == [{}, {}, {}]


class Shelf:
    """The rules of games, each of which takes until it is let go on."""

    def __init__(self):
        self.on = {}

    async def load(self, name, options):
        await self.on.setdefault(name, asyncio.Event()).wait()
        return SimpleNamespace(name=name, options={}, seats=2, timed=False)


async def test_whoever_asks_for_something_else_before_the_first_was_looked_up_can_think_better_of_it(wire):
    a, b, _ = wire.here.values()
    shelf, speech = Shelf(), SimpleNamespace(know=a._known)
    people = SimpleNamespace(person=a._known, is_bot=lambda person: False, rating=a._rating)
    own = Matchmaking(SimpleNamespace(people=people, speech=speech, outbox=None, games=shelf), SimpleNamespace(check_own_rooms=lambda person: None))
    SharedMatchmaking(own, people, a, a)
    asking = [asyncio.ensure_future(b.shared.ask("bob", request)) for request in (ASKED, OTHER)]
    await wire.settle()
    for name in ("kulami", "puoribor"):
        shelf.on[name].set()
        await wire.settle()
    await asyncio.gather(*asking)
    assert own.waits("bob")
    b.shared.cancel("bob")
    await wire.settle()
    assert not own.waits("bob")
