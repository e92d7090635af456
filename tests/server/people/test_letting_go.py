"""Who has gone is not kept in memory for ever, and is known again when they come back."""

import asyncio
from types import SimpleNamespace

from clients import Guest, guests
from storing import newcomer

from hanpan.server.app import _tidy


async def nothing():
    """No sweeping."""


async def tidied(server):
    """What is done from time to time, twice: whoever was asked for since the first is there until the second."""
    services = server.services
    for _ in range(2):
        await server.do(_tidy, services, services.outbox, SimpleNamespace(nightly=nothing))
    return services.people.known.keys()


async def gone(server, person):
    """Wait until someone has no connection any more."""
    while person in await server.do(server.services.outbox.people):
        await asyncio.sleep(0.01)


async def test_who_has_gone_is_let_go_and_who_is_here_or_holds_a_chair_is_not(local_server):
    server = local_server(patience=3600)
    async with guests(server.url, 2) as (sitting, there):
        async with Guest(server.url) as left, Guest(server.url) as away:
            room = await sitting.new_room("kulami")
            await room.call("sit on", seat=0)
            chair = await away.enter(room.id)
            await chair.call("sit on", seat=1)
            await there.enter_lobby()
            await left.enter_lobby()
            server.services.outbox.lags.update({left.id: 20, there.id: 30})
            everyone = {sitting.id, there.id, left.id, away.id}
            assert await tidied(server) >= everyone
            assert server.services.outbox.lags.keys() >= {left.id, there.id}
            await chair.drop()
        for person in (left, away):
            await gone(server, person.id)
        assert everyone - await tidied(server) == {left.id}
        assert not [key for key in server.services.people._ratings if key[0] == left.id]
        assert left.id not in server.services.outbox.lags
        assert there.id in server.services.outbox.lags
        async with Guest(server.url, left.token) as back:
            assert (back.id, back.person["name"]) == (left.id, left.person["name"])


async def test_a_bot_with_a_stream_and_whoever_answers_for_it_are_kept(local_server):
    server = local_server()
    services = server.services

    async def bot():
        owner = await newcomer(services.store, "Ann", "account")
        return owner.id, (await newcomer(services.store, "Robo", "bot", owner.id)).id

    owner, robo = await server.do(bot)
    for person in (owner, robo):
        await server.do(services.people.person, person)
    services.outbox.streams[robo] = None
    assert await tidied(server) >= {owner, robo}
    del services.outbox.streams[robo]
    assert not await tidied(server) & {owner, robo}


async def test_who_was_asked_for_stays_for_a_while(local_server):
    server = local_server()
    services = server.services
    someone = await server.do(newcomer, services.store, "Ann")
    await tidied(server)
    await server.do(services.people.rating, someone.id, "kulami")
    await server.do(services.people.person, someone.id)
    await server.do(services.people.let_go, ())
    assert (someone.id in services.people.known, (someone.id, "kulami") in services.people._ratings) == (True, True)
    await server.do(services.people.let_go, ())
    assert (someone.id in services.people.known, (someone.id, "kulami") in services.people._ratings) == (False, False)
