"""One visitor never costs the others their time or their place: rooms, guesses, computer players, what is remembered."""

import asyncio

import pytest
from clients import Guest, guests, refused, sit_down
from serving import PATIENT

from hanpan.server.protocol.refusals import Refused
from hanpan.server.protocol.requests import NewRoom
from hanpan.server.rooms import registry
from hanpan.server.rooms.bot_pool import BotPool
from hanpan.server.rooms.pace import _MOST, HALF, FairSemaphore
from hanpan.server.transport.bot_streams import MOST_ANSWERED, BotStream


async def test_a_person_and_an_address_have_only_so_many_rooms(local_server):
    server = local_server(rooms_per_person=3, rooms_per_address=5, unlimited_local=False, guests_per_hour=1000)
    async with guests(server.url, 2) as (one, two):
        for _ in range(3):
            await one.new_room("tictactoe")
        with refused("too-many-own-rooms"):
            await one.new_room("tictactoe")
        for _ in range(2):
            await two.new_room("tictactoe")
        with refused("too-many-own-rooms"):
            await two.new_room("tictactoe")


async def test_rooms_that_are_opened_at_once_are_counted_too(local_server):
    server = local_server(rooms_per_person=3)
    async with guests(server.url, 1) as (me,):
        rooms, wanted = server.services.registry, NewRoom(game="kulami", password="sesame")

        async def at_once():
            return await asyncio.gather(*(rooms.new_room(me.id, wanted) for _ in range(5)), return_exceptions=True)

        refused_ones = [answer for answer in await server.do(at_once) if isinstance(answer, Refused)]
        assert [refusal.code for refusal in refused_ones] == ["too-many-own-rooms"] * 2
        assert len(rooms.rooms) == 3


async def test_rooms_from_nobody_knows_where_are_not_those_of_one_address(local_server):
    """Those of a match, and all that were there before a restart."""
    server = local_server(rooms_per_address=2, unlimited_local=False, guests_per_hour=1000)
    async with guests(server.url, 6) as people:
        lobbies = [await person.enter_lobby() for person in people]
        for lobby in lobbies:
            await lobby.call("quick match", game="tictactoe")
        for lobby in lobbies:
            await lobby.hears("move to room")
        assert len(server.services.registry.rooms) == 3


async def test_who_may_open_no_room_is_told_so_when_asking_for_a_match(local_server):
    server = local_server(rooms_per_person=1)
    async with guests(server.url, 2) as (one, two):
        await one.new_room("tictactoe")
        first, second = [await person.enter_lobby() for person in (one, two)]
        with refused("too-many-own-rooms"):
            await first.call("quick match", game="tictactoe")
        await second.call("quick match", game="tictactoe")
        assert server.services.matchmaking.waits(two.id)
        assert not server.services.matchmaking.waits(one.id)


async def test_nobody_is_refused_a_match_because_of_the_other(local_server):
    server = local_server(rooms_per_person=1)
    async with guests(server.url, 2) as (one, two):
        first, second = [await person.enter_lobby() for person in (one, two)]
        await first.call("quick match", game="tictactoe")
        own = await one.new_room("tictactoe")
        await second.call("quick match", game="tictactoe")
        assert await first.hears("move to room", lambda told: told["id"] != own.id) == await second.hears("move to room")


async def test_who_waits_for_a_match_still_waits_if_none_could_begin(local_server, monkeypatch):
    server = local_server()
    async with guests(server.url, 2) as (one, two):
        first, second = [await person.enter_lobby() for person in (one, two)]
        await first.call("quick match", game="tictactoe")
        with monkeypatch.context() as tight:
            tight.setattr(registry, "MOST_ROOMS", 0)
            with refused("too-many-rooms"):
                await second.call("quick match", game="tictactoe")
        await second.call("quick match", game="tictactoe")
        assert await first.hears("move to room") == await second.hears("move to room")


async def test_when_it_is_tight_rooms_that_nobody_is_in_go_but_no_more_than_have_to(local_server, monkeypatch):
    monkeypatch.setattr(registry, "MOST_ROOMS", 4)
    server = local_server(patience=3600)
    rooms = server.services.registry.rooms
    async with guests(server.url, 2) as (one, two):
        used = await one.new_room("tictactoe")
        left = [await two.new_room("tictactoe") for _ in range(2)]
        for room in left:
            await room.drop()
            while rooms[room.id].state.members:
                await asyncio.sleep(0.01)
        lobby = await two.enter_lobby()
        new = (await lobby.call("new room", game="tictactoe"))["id"]  # its host is on the way
        last = await one.new_room("kulami")
        assert {*rooms} == {used.id, left[1].id, new, last.id}
        await two.enter(new)
        await one.new_room("kulami")
        assert left[1].id not in rooms
        with refused("too-many-rooms"):
            await one.new_room("kulami")


async def test_when_it_is_tight_a_game_that_begins_as_another_room_goes_is_kept(local_server, monkeypatch):
    server = local_server(patience=3600)
    services, remove = server.services, server.services.registry.remove_room
    async with guests(server.url, 2) as (one, two):
        await one.new_room("tictactoe")
        lobby = await two.enter_lobby()
        empty, matched = [(await lobby.call("new room", game="tictactoe"))["id"] for _ in range(2)]

        async def remove_while_two_are_paired(id):
            if id == empty:
                await services.matchmaking._begin(services.registry.rooms[matched], (one.id, two.id))
            await remove(id)

        monkeypatch.setattr(services.registry, "remove_room", remove_while_two_are_paired)
        monkeypatch.setattr(registry, "MOST_ROOMS", 2)
        with refused("too-many-rooms"):
            await one.new_room("kulami")
        assert empty not in services.registry.rooms
        assert services.registry.rooms[matched].state.playing


async def test_a_rooms_password_is_not_guessed(local_server):
    server = local_server(tries_per_hour=15)
    async with guests(server.url, 1) as [host], Guest(server.url) as thief:
        room = await host.new_room("tictactoe", password="sesame")
        codes = []
        for guess in range(9):
            with pytest.raises(Exception) as wrong:  # noqa: PT011
                await thief.enter(room.id, str(guess))
            codes.append("too-fast" in str(wrong.value))
        assert codes == [False] * 5 + [True] * 4


async def test_a_club_that_shares_an_address_gets_into_a_locked_room_and_comes_back(local_server):
    server = local_server(unlimited_local=False, tries_per_hour=15)
    async with guests(server.url, 8) as [host, *club]:
        room = await host.new_room("tictactoe", password="sesame")
        for person in club:
            await person.enter(room.id, "sesame")
        for _ in range(7):
            await (await club[0].enter(room.id, "sesame")).close()
        codes = []
        for guess in range(9):
            with pytest.raises(Exception) as wrong:  # noqa: PT011
                await club[1 + guess % 6].enter(room.id, str(guess))
            codes.append("too-fast" in str(wrong.value))
        assert codes == sorted(codes)
        assert codes[-1]


async def test_whoever_waits_for_the_computer_gets_a_turn_after_the_others():
    turns, order = FairSemaphore(1), []

    async def think(whose):
        await turns.take(whose)
        order.append(whose)
        await asyncio.sleep(0)
        turns.give()

    await asyncio.gather(*[think(whose) for whose in ["many"] * 6 + ["one"]])
    assert order == ["many", "many", "one", "many", "many", "many", "many"]
    gone = [asyncio.create_task(think("gone")) for _ in range(3)]
    await asyncio.sleep(0)
    gone[1].cancel()
    gone[2].cancel()
    await asyncio.gather(*gone, return_exceptions=True)
    await asyncio.wait_for(think("next"), PATIENT)


async def order_of(turns, costs):
    """In which order those who want a turn get it, after someone has had one; each turn costs so many seconds."""
    order = []

    async def work(whose, seconds):
        await turns.take(*whose)
        order.append(whose[-1])
        turns.give(*whose, seconds=seconds)

    await turns.take("first")
    waiting = [asyncio.create_task(work(whose, seconds)) for whose, seconds in costs]
    await asyncio.sleep(0)
    turns.give("first")
    await asyncio.gather(*waiting)
    return order


async def test_who_has_used_much_lately_comes_after_others_and_that_is_forgotten():
    moment = [0.0]
    turns = FairSemaphore(1, lambda: moment[0])
    assert await order_of(turns, [(("hog",), 10.0)] * 2 + [(("two",), 3.0)] * 3) == ["hog", "two", "two", "two", "hog"]
    assert await order_of(turns, [(("hog",), 1.0), (("two",), 1.0), (("new",), 1.0)]) == ["new", "two", "hog"]
    moment[0] += 20 * HALF
    assert await order_of(turns, [(("new",), 30.0), (("hog",), 0.1)]) == ["new", "hog"], "what was used long ago hardly counts"


async def test_who_has_used_much_is_not_forgotten_for_all_who_have_used_a_little():
    moment = [0.0]
    turns = FairSemaphore(1, lambda: moment[0])
    await order_of(turns, [(("hog",), 10.0), *(((f"passer-by {number}",), 0.02) for number in range(_MOST))])
    moment[0] += 2 * HALF
    assert await order_of(turns, [(("hog",), 1.0), (("new",), 1.0)]) == ["new", "hog"], "a quarter of it still counts"
    assert len(turns._used) == 2


async def test_addresses_share_first_and_then_the_people_of_each():
    turns = FairSemaphore(1, lambda: 0.0)
    crowd = [(("house", f"guest {number}"), 0.4) for number in range(4)]
    assert await order_of(turns, [crowd[0], *crowd, (("home", "victim"), 0.1)]) == ["guest 0", "victim", "guest 1", "guest 2", "guest 3", "guest 0"]


async def test_computer_players_of_one_house_do_not_keep_those_of_another_waiting(monkeypatch):
    pool, order = BotPool(1), []

    async def think(seen, level):
        order.append(seen)
        await asyncio.sleep(0)
        return "an action"

    monkeypatch.setattr(pool, "think", think)
    crowd = [pool.choose(f"guest {number}", 8, "house", f"guest {number}") for number in range(4)]
    assert await asyncio.gather(*crowd, pool.choose("victim", 1, "home", "victim")) == ["an action"] * 5
    assert order == ["guest 0", "victim", "guest 1", "guest 2", "guest 3"]
    pool.close()


async def test_who_thinks_for_a_room_thinks_for_the_address_that_it_was_opened_from(local_server, monkeypatch):
    asked = []

    async def choose(pool, seen, level, *whose):
        asked.append(whose)
        return seen.legal()[0]

    monkeypatch.setattr(BotPool, "choose", choose)
    server = local_server()
    async with guests(server.url, 1) as [me]:
        (room,) = await sit_down([me], "tictactoe", bots=(1,))
        await room.play((await room.my_turn())["legal"][0])
        await room.my_turn()
        await room.call("hint", ply=room.ply)
        server.services.registry.rooms[room.id].state.opened_from = ""  # as after a restart
        await room.play(room.mine()["legal"][0])
        await room.my_turn()
        assert asked == [("127.0.0.1", me.id), ("127.0.0.1", me.id), (room.id, me.id)]


async def test_nobody_waits_for_a_match_that_nobody_wants_any_more(local_server):
    server = local_server()
    async with guests(server.url, 1) as [me]:
        lobby = await me.enter_lobby()
        for minutes in (1, 2, 3, 5):
            await lobby.call("quick match", game="tictactoe", time={"kind": "byoyomi", "main_ms": minutes * 60_000, "byoyomi_ms": 10_000})
        assert [*server.services.matchmaking._wishes] == [me.id]
        await lobby.call("cancel match")
        assert not server.services.matchmaking._wishes


def test_a_bots_answers_take_only_so_much_memory():
    stream = BotStream("bot")
    for number in range(100):
        stream.remember(str(number), b"asked", b"x" * 10_000)
    assert sum(len(answer) for _, answer in stream.answers.values()) <= MOST_ANSWERED
    assert "99" in stream.answers
    for _ in range(200):
        stream.put("board info", {"position": "x" * 50_000})
    assert sum(len(each) for each in stream._news) <= 4_000_000
    assert stream.place(f"{stream.id}-{stream.last}") == stream.last
    assert stream.place(f"{stream.id}-1") is None
    assert stream.place(f"{stream.id}-{stream.last - 70}") == stream.last - 70, "what has gone counts no more"
