"""A bot's stream goes on from its cursor however often it is cut, and says when its server is not there."""

import asyncio
import contextlib

import pytest
from bots_online import Cutter, Watched, online, playing, playing_with
from clients import Guest, play_on
from logging_in import bot_account

from hanpan.client.remote_bot import BotConnection, play_far_away


@pytest.fixture
def server(local_server):
    return local_server(patience=3600.0)


async def cut_often(server, times):
    id, token = await bot_account(server)
    async with Guest(server.url) as me, Cutter(server.port) as way:
        line = Watched(way.url, token)
        async with playing(line):
            room = await playing_with(server, me, id)
            while way.cuts < times:
                board = await room.hears("board info", lambda board: not board["over"], since=0)
                while not room.board["over"] and way.cuts < times:
                    mine = await room.my_turn()
                    if mine is None:
                        break
                    if way.cuts % 2:
                        way.cut()
                        await room.play(mine["legal"][0])
                    else:
                        await room.play(mine["legal"][0])
                        way.cut()
                if room.board["over"] and way.cuts < times:
                    board = room.board
                    await room.call("rematch")
                    await room.until(lambda over=board["game_id"]: room.board["game_id"] != over)
            await play_on([room], lambda mine: mine["legal"][0])
    cursors = [told["cursor"].rpartition("-") for told in line.heard]
    assert len({stream for stream, _, _ in cursors}) == 1  # it was never told everything anew
    assert [int(number) for _, _, number in cursors] == list(range(1, len(cursors) + 1))  # nothing lost, nothing doubled
    assert way.cuts >= times


@pytest.mark.slow
async def test_a_connection_that_is_cut_goes_on_from_its_cursor(server):
    await cut_often(server, 8)


@pytest.mark.slow
async def test_a_connection_that_is_cut_100_times_goes_on_from_its_cursor(local_server):
    await cut_often(local_server(patience=3600.0), 100)


async def test_a_server_that_can_not_be_reached_is_told_of_once_and_so_is_its_return(server):
    id, token = await bot_account(server)
    told = asyncio.Queue()
    async with Cutter(server.port) as way:
        way.close()
        async with playing(BotConnection(way.url, token, told.put_nowait)):
            for _ in range(2):  # it never came; it was lost
                assert (await told.get()).startswith(f"{way.url} can't be reached (")
                await way.open()
                assert await told.get() == f"{way.url} answers now."
                await online(server, id)
                way.close()
            assert "can't be reached" in await told.get()
            assert told.empty()


class Moved(Cutter):
    """A way at whose end, for a while, someone else answers."""

    status = None

    async def _pass_on(self, reader, writer):
        if self.status is None:
            await super()._pass_on(reader, writer)
            return
        await reader.readuntil(b"\r\n\r\n")
        writer.write(f"HTTP/1.1 {self.status}\r\nContent-Type: text/html\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello".encode())
        writer.close()


@pytest.mark.parametrize("status", ["200 OK", "403 Forbidden", "404 Not Found"])
async def test_a_bot_that_finds_someone_else_at_the_address_ends(server, status):
    async with Moved(server.port) as way:
        way.status = status
        with pytest.raises(ValueError, match=rf"--server: no Hanpan server answers at {way.url} \({status}\)"):
            await play_far_away(way.url, "bot_x", "tictactoe", 1)


async def test_a_server_that_was_there_is_waited_for_whoever_answers_meanwhile(server):
    id, token = await bot_account(server)
    told = asyncio.Queue()
    async with Moved(server.port) as way, playing(BotConnection(way.url, token, told.put_nowait)):
        await online(server, id)
        way.status = "404 Not Found"
        way.cut()
        assert "can't be reached (404" in await told.get()
        way.status = None
        assert await told.get() == f"{way.url} answers now."


@contextlib.asynccontextmanager
async def away_from(server):
    """A game against a bot that has gone for good: who it is, its line, and my room."""
    id, token = await bot_account(server)
    async with Guest(server.url) as me:
        line = BotConnection(server.url, token)
        async with playing(line):
            room = await playing_with(server, me, id)
            await play_on([room], plies=2)
        await gone(server, id)
        yield id, line, room


async def gone(server, bot):
    while bot in server.services.lobby.online:
        await asyncio.sleep(0.02)


async def test_a_bot_that_was_away_too_long_is_told_everything_anew_and_plays_on(local_server):
    async with away_from(local_server(patience=0.1)) as (_, line, room), playing(line):  # with the old cursor
        await play_on([room])
        await room.hears("game over")


async def test_a_bot_that_goes_while_it_is_told_everything_has_gone(local_server):
    server = local_server(patience=0.1)
    async with away_from(server) as (id, line, room):
        lock = server.services.registry.rooms[room.id].state.lock
        await server.do(lock.acquire)
        news = asyncio.create_task(anext(line.news()))
        while not lock._waiters:  # it is at the room's door
            await asyncio.sleep(0.02)
        news.cancel()
        while lock._waiters:
            await asyncio.sleep(0.02)
        await server.do(lock.release)
        await gone(server, id)
