"""Quick match, where somebody thinks better of it at the instant of the match; and in which rooms somebody is known to be."""

import asyncio

import pytest
from clients import Guest, guests, refused

from hanpan.server.protocol.refusals import Refused
from hanpan.server.rooms.registry import Ownership


class Hesitant(Ownership):
    """A room is opened only once it is let go on."""

    def __init__(self):
        self.begun, self.on = asyncio.Event(), asyncio.Event()

    async def claim(self, id):
        self.begun.set()
        await self.on.wait()


async def hesitate(services):
    services.registry.ownership = Hesitant()


async def begun(services):
    await services.registry.ownership.begun.wait()


async def go_on(services):
    services.registry.ownership.on.set()


def a_match(lobby):
    return asyncio.create_task(lobby.call("quick match", game="tictactoe"))


async def seated_together(server, lobbies, people):
    """Both are led to one room, where their game has begun; and there is no other room."""
    (room,) = {(await lobby.hears("move to room"))["id"] for lobby in lobbies}
    for person in people:
        table = await person.enter(room)
        assert {seat["person"]["id"] for seat in (await table.hears("player info"))["seats"]} == {person.id for person in people}
        await table.hears("board info")
    assert [*server.services.registry.rooms] == [room]


@pytest.mark.parametrize("leaves", ["cancel match", "the lobby"])
async def test_whoever_waits_no_longer_as_a_match_is_found_is_not_led_into_a_game(local_server, leaves):
    server = local_server()
    async with guests(server.url, 3) as people:
        first, second, third = lobbies = [await person.enter_lobby() for person in people]
        await first.call("quick match", game="tictactoe")
        await server.do(hesitate, server.services)
        asking = a_match(second)
        await server.do(begun, server.services)
        if leaves == "cancel match":
            await first.call("cancel match")
        else:
            await first.close()
            await second.hears("user left")
        await server.do(go_on, server.services)
        await asking
        assert not server.services.registry.rooms
        await third.call("quick match", game="tictactoe")
        await seated_together(server, (second, third), people[1:])
        assert not any(lobby.events("move to room") for lobby in lobbies[:1])


async def test_whoever_asked_and_thinks_better_of_it_as_a_match_is_found_leaves_the_others_to_each_other(local_server):
    server = local_server()
    async with guests(server.url, 3) as people, Guest(server.url, people[1].token) as same:
        first, second, third = [await person.enter_lobby() for person in people]
        elsewhere = await same.enter_lobby()  # in another window: whoever has asked is heard again there once they are answered
        await first.call("quick match", game="tictactoe")
        await server.do(hesitate, server.services)
        asking = a_match(second)
        await server.do(begun, server.services)
        await third.call("quick match", game="tictactoe")  # both others have found each other, so far
        await elsewhere.call("cancel match")
        await server.do(go_on, server.services)
        await asking
        await seated_together(server, (first, third), (people[0], people[2]))


async def test_whoever_asks_for_another_game_as_a_match_is_found_gets_that_game(local_server):
    server = local_server()
    async with guests(server.url, 3) as people, Guest(server.url, people[1].token) as same:
        first, second, third = [await person.enter_lobby() for person in people]
        elsewhere = await same.enter_lobby()
        await first.call("quick match", game="tictactoe")
        await third.call("quick match", game="kulami")
        await server.do(hesitate, server.services)
        asking = a_match(second)
        await server.do(begun, server.services)
        await elsewhere.call("quick match", game="kulami")  # whoever waits for it is free, but this one is not yet
        await server.do(go_on, server.services)
        await asking
        assert (await third.hears("move to room")) == (await second.hears("move to room"))
        assert await server.do(server.services.matchmaking.waits, people[0].id)
        assert len(server.services.registry.rooms) == 1


async def test_whoever_comes_while_a_match_fails_meets_whoever_is_left(local_server, monkeypatch):
    server = local_server(rooms_per_person=1)
    async with guests(server.url, 3) as people, Guest(server.url, people[1].token) as same:
        first, second, third = [await person.enter_lobby() for person in people]
        elsewhere = await same.enter_lobby()
        await first.call("quick match", game="tictactoe")
        claimed = Hesitant()

        async def refuse(id):
            claimed.begun.set()
            await claimed.on.wait()
            server.services.registry.ownership = Ownership()
            raise Refused("too-many-rooms")

        monkeypatch.setattr(claimed, "claim", refuse)
        server.services.registry.ownership = claimed
        asking = a_match(second)
        await server.do(claimed.begun.wait)
        await third.call("quick match", game="tictactoe")  # both others have found each other, so far
        await server.do(claimed.on.set)
        with refused("too-many-rooms"):
            await asking
        await seated_together(server, (first, third), (people[0], people[2]))
        await elsewhere.close()


async def test_whoever_cancels_before_the_game_was_looked_up_waits_for_nobody(local_server, monkeypatch):
    server = local_server()
    async with guests(server.url, 1) as people, Guest(server.url, people[0].token) as same:
        first = await people[0].enter_lobby()
        elsewhere = await same.enter_lobby()
        games, looking, on = server.services.context.games, asyncio.Event(), asyncio.Event()
        load = games.load

        async def slowly(*asked):
            looking.set()
            await on.wait()
            return await load(*asked)

        monkeypatch.setattr(games, "load", slowly)
        asking = a_match(first)
        await server.do(looking.wait)
        await elsewhere.call("cancel match")
        await server.do(on.set)
        await asking
        assert not await server.do(server.services.matchmaking.waits, people[0].id)


@pytest.mark.parametrize("how", ["close", "drop"])
async def test_whoever_closes_the_window_where_they_wait_waits_no_longer_whatever_others_are_open(local_server, how):
    server = local_server()
    async with guests(server.url, 2) as people, Guest(server.url, people[0].token) as same:
        first, elsewhere, second = await people[0].enter_lobby(), await same.enter_lobby(), await people[1].enter_lobby()
        await first.call("quick match", game="tictactoe")
        await getattr(first, how)()
        while await server.do(server.services.matchmaking.waits, people[0].id):
            await asyncio.sleep(0.01)
        await second.call("quick match", game="tictactoe")
        assert not server.services.registry.rooms
        await elsewhere.close()
        assert await server.do(server.services.matchmaking.waits, people[1].id)


async def test_whoever_waits_in_another_window_now_is_told_so_where_they_did(local_server):
    server = local_server()
    async with guests(server.url, 1) as [me], Guest(server.url, me.token) as same:
        first, second = await me.enter_lobby(), await same.enter_lobby()
        await first.call("quick match", game="tictactoe")
        await first.call("quick match", game="kulami")
        assert not first.events("invalid action")
        await second.call("quick match", game="tictactoe")
        assert (await first.hears("invalid action"))["code"] == "seeks-elsewhere"
        await first.close()
        await second.call("req info")
        assert await server.do(server.services.matchmaking.waits, me.id)
        await second.call("cancel match")
        await second.call("quick match", game="tictactoe")
        assert not second.events("invalid action")


async def test_whoever_is_refused_another_game_waits_for_the_first_no_longer(local_server):
    server = local_server()
    async with guests(server.url, 1) as [me]:
        lobby = await me.enter_lobby()
        await lobby.call("quick match", game="tictactoe")
        with refused("two-seats-only"):
            await lobby.call("quick match", game="goita")
        assert not await server.do(server.services.matchmaking.waits, me.id)


async def test_it_is_known_in_which_rooms_somebody_is(local_server):
    """Where they are, sit or are master: those rooms alone are looked at when they change."""
    server = local_server()

    def known():
        registry = server.services.registry
        rooms = {id: {*room.state.members, *room.state.seating.everyone(), room.state.master} for id, room in registry.rooms.items()}
        for person in {person for here in rooms.values() for person in here}:
            assert registry.places.of(person) == {id for id, here in rooms.items() if person in here}, person
        return [len(registry.places.of(person.id)) for person in people]

    async with guests(server.url, 3) as people:
        host, guest, other = people
        lobbies = [await person.enter_lobby() for person in people]
        for lobby in lobbies[:2]:
            await lobby.call("quick match", game="tictactoe")
        await lobbies[0].hears("move to room")
        assert await server.do(known) == [1, 1, 0]
        id = (await lobbies[0].call("new room", game="tictactoe"))["id"]
        assert await server.do(known) == [2, 1, 0]
        rooms = [await person.enter(id) for person in (host, guest, other)]
        await rooms[2].call("sit on", seat=1)
        assert await server.do(known) == [2, 2, 1]
        await rooms[2].close()
        await rooms[0].sees(1, person=None)
        await rooms[0].hears("user left")
        assert await server.do(known) == [2, 2, 0]
        await server.do(server.services.registry.remove_room, id)
        assert await server.do(known) == [1, 1, 0]
        for one in [*server.services.registry.rooms]:
            await server.do(server.services.registry.lost, one)
        assert await server.do(known) == [0, 0, 0]
        await server.do(server.services.registry.open)  # what is stored is taken up again
        assert await server.do(known) == [1, 1, 0]
