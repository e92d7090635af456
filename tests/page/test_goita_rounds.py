"""A game in rounds, as people see it: the end of a round, hands that end one, and a decision that everyone waits for."""

from contextlib import contextmanager

import pytest
from deals import Deals
from local import LocalServer
from test_layout import DESK, LYING, hidden
from visitors import NO_CLOCK, PHONE, beside, soon

from hanpan.client import Client

pytestmark = pytest.mark.slow
FIRST = "deal 11334667,11122235,11123445,11455789"
NEXT = "deal 11123456,11123457,11223345,11456789"
ROUND = ("17", "p", "p", "p", "14", "p", "p", "p", "89", "p", "p", "p", "55")  # seat 4 leads, the others pass, and it goes out with a pair of 金


class Table:
    """Four people and someone who watches, whose actions come over lines of their own, while each looks at a browser."""

    def __init__(self, clients):
        self.clients = clients

    async def begin(self):
        for client, name in zip(self.clients, ("Ann", "Bob", "Cho", "Dai"), strict=True):
            await client.open()
            await client.rename(name)
        first = await self.clients[0].new_room("goita", settings={"pause": 300, "rated": False, "time": NO_CLOCK})
        self.rooms = [first, *[await client.enter(first.id) for client in self.clients[1:]]]
        for seat, room in enumerate(self.rooms):
            await room.call("sit on", seat=seat)
        for room in self.rooms:
            await room.call("set ready")
        for room in self.rooms:
            await room.until(lambda room=room: bool(room.board))
        return f"/r/{first.id}"

    async def play(self, actions):
        for action in actions:
            board = self.rooms[0].board
            await self.rooms[board["seat"]].play(action, board["ply"])
            for room in self.rooms:
                await room.until(lambda room=room, ply=board["ply"]: room.ply > ply)

    async def close(self):
        for client in self.clients:
            await client.__aexit__(None, None, None)


@pytest.fixture
def scripted(tmp_path):
    """`scripted(deals)`: a server whose chance is written down."""
    started = []

    def start(deals):
        started.append(LocalServer(tmp_path / str(len(started)), chance=Deals(deals)).start())
        return started[-1]

    yield start
    for server in started:
        server.stop()


@contextmanager
def table(visitor, server, contexts):
    """Four people at a table (and whoever else there are contexts for), each before a browser; and a way to have something done."""
    visitors = [visitor(at=server, **context) for context in contexts]
    sitting = Table([Client(server.url, one.token) for one in visitors[:4]])
    with beside() as do:
        room = do(sitting.begin())
        for one in visitors:
            one.go(room)
            one.page.wait_for_selector(".board-frame[data-game]")
        try:
            yield sitting, visitors, do
        finally:
            do(sitting.close())


def test_the_end_of_a_round_is_a_card_and_the_next_deal_waits_for_everyone(visitor, scripted):
    with table(visitor, scripted(["dealer 4", FIRST, NEXT]), [DESK, PHONE, LYING, {}, {}]) as (sitting, people, do):
        do(sitting.play(ROUND))
        for person in people:
            card = person.page.locator(".round-card")
            for told in ("Bob and Dai: +60", "Dai goes out with 金金", "doubled to 60"):
                card.get_by_text(told).first.wait_for()
            assert card.locator(".gained").inner_text().split()[-3:] == ["0", "→", "60"]
            person.page.locator(".board .pieces text", has_text="金").nth(1).wait_for()  # the last pair lies open
        for person in (people[0], people[2]):
            soon(lambda person=person: hidden(person, ".seats .seat", ".round-card", ".board-line button"), [])  # nothing is pushed out
        people[4].shows(0, ".round-card .main")  # who watches is not asked
        for person in people[:3]:
            person.press("Next round")
            person.page.wait_for_selector(".round-card .main", state="detached")
        people[4].page.locator(".round-card", has_text="Waiting for Dai").wait_for()
        people[3].page.reload()
        people[3].press("Next round")
        for person in people:
            person.page.wait_for_selector(".round-card", state="detached")
            person.wait_for_ply(16)
        people[0].shows(1, ".rounds tbody tr")


def test_a_hand_of_many_shi_is_seen_by_all_with_what_it_brings(visitor, scripted):
    with table(visitor, scripted(["dealer 1", "deal 11234567,11111144,12234568,12335579", NEXT]), [{}, {}, {}, {}, {}]) as (_, people, _do):
        for person in people:
            person.page.locator(".round-card", has_text="Bob was dealt 6 し. The best other koma counts: 銀, 30. Doubled to 60.").wait_for()
        lying = people[4].page.locator(".board .pieces text")
        soon(lambda: sorted(lying.all_text_contents()), sorted("しししししし銀銀"))  # the hand lies open, and no other


def test_everyone_sees_who_decides_about_five_shi_and_what_was_decided(visitor, scripted):
    with table(visitor, scripted(["dealer 1", "deal 11111234,11223345,11234567,14556789", NEXT]), [{}, {}, {}, {}, {}]) as (_, people, _do):
        for number, person in enumerate(people):
            person.heard("Ann, your partner, has five し" if number == 2 else "Ann has five し: Cho decides")
        people[2].page.wait_for_selector('[data-place="redeal"]', state="attached")
        people[2].point("redeal")
        for person in people:
            person.heard("Cho wants a new deal")


def test_the_round_that_ends_the_game_is_told_with_the_result(visitor, scripted):
    dealt = "deal 11111447,22334478,11111256,23355569"
    with table(visitor, scripted(["dealer 1", dealt]), [{}, {}, PHONE, {}, {}]) as (_, people, _do):
        for person in people:
            person.page.locator(".result", has_text="Ann and Cho are partners and were dealt five し each: that wins the game.").wait_for()
        soon(lambda: hidden(people[2], ".seats .seat", ".result button"), [])  # nothing is pushed out
