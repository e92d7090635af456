"""The database away for a while: who writes is told so, nothing acknowledged is lost or doubled, and everything goes on by itself."""

import asyncio
import signal
from contextlib import closing, suppress

import pytest
from storing import a_game, action, begun, newcomer, opened, texts

from hanpan.server.storage.models import ActionRow, Finish, StorageError, Unreachable
from hanpan.server.storage.store import Store

GAMES, LENGTH = 8, 60


@pytest.mark.slow
async def test_a_restart_of_the_database_loses_and_doubles_nothing(postgresql, postgresql_url):
    async with opened(postgresql_url) as store:
        ann = (await newcomer(store, "Ann", "account")).id
        for number in range(GAMES):
            await store.add_game(a_game(f"g{number}", people=[ann], rated=True))
        acknowledged = {f"g{number}": {} for number in range(GAMES)}
        away, restarts = [], []

        async def play(id):
            """As a room does: what is not known to be stored is looked for before anything else is written."""
            ply, attempt = 0, 0
            while ply < LENGTH:
                attempt += 1
                text = f"{ply} at attempt {attempt}"
                try:
                    if ply == LENGTH - 1 and len(restarts) < 2:  # whoever is so far ahead notices a restart, too
                        await store.game(id)
                        continue
                    end = Finish(9, {"winner": [0]}, {ann: ("toy", 1.0)}) if ply == LENGTH - 1 else None
                    assert await store.append(id, ply, ActionRow(text, 0, 0, 0), end)
                    acknowledged[id][ply] = text
                    ply += 1
                except Unreachable:
                    away.append(id)
                    while True:
                        with suppress(Unreachable):
                            ply = len((await store.game(id)).actions)
                            break
                        await asyncio.sleep(0.02)

        async def restart():
            for part in (1, 2):
                while min(len(plies) for plies in acknowledged.values()) < part * LENGTH // 3:
                    await asyncio.sleep(0.001)
                told = len(away)
                await asyncio.to_thread(postgresql.stop, signal.SIGQUIT)
                while len(away) == told:  # whoever plays has noticed
                    await asyncio.sleep(0.001)
                await asyncio.to_thread(postgresql.start)
                restarts.append(part)

        await asyncio.gather(restart(), *(play(id) for id in acknowledged))
        for id, plies in acknowledged.items():
            game = await store.game(id)
            assert len(game.actions) == LENGTH
            assert all(game.actions[ply].text == text for ply, text in plies.items())
            assert game.ended_at == 9
        assert (await store.ratings([ann], "toy"))[ann].games == GAMES
        assert len(await store.history(ann, "toy")) == GAMES


async def test_connections_that_ended_meanwhile_are_nobodys_trouble(postgresql, postgresql_url):
    async with opened(postgresql_url) as store:
        await begun(store)
        await asyncio.gather(*(store.game("g") for _ in range(5)))  # several connections
        await asyncio.to_thread(postgresql.stop, signal.SIGQUIT)
        await asyncio.to_thread(postgresql.start)
        found = await asyncio.gather(*(store.game("g") for _ in range(5)))
        assert [game.id for game in found] == ["g"] * 5
        assert await store.append("g", 0, action(0))
        await store.ping()


@pytest.mark.slow
async def test_unreachable_is_told_from_wrong(postgresql, postgresql_url):
    async with opened(postgresql_url) as store:
        await begun(store)
        with pytest.raises(StorageError) as wrong:
            await store.append("g", 0, action(0), Finish(1, {}, {"nobody": ("toy", 1.0)}))
        assert not isinstance(wrong.value, Unreachable)
        await asyncio.to_thread(postgresql.stop, signal.SIGINT)
        try:
            for attempt in (store.ping(), store.game("g"), store.append("g", 0, action(0)), store.leases.join("a", 1000), store.leases.now()):
                with pytest.raises(Unreachable):
                    await attempt
            with pytest.raises(Unreachable):
                await Store.open(postgresql_url)
        finally:
            await asyncio.to_thread(postgresql.start)
        await store.ping()
        assert await store.append("g", 0, action(0))
    with pytest.raises(StorageError, match="does not exist") as wrong:
        await Store.open(postgresql.url("no_such_database"))
    assert not isinstance(wrong.value, Unreachable)


class Cut:
    """A way to a server that is cut at the next commit: before the server hears of it, or after that, so that only the answer is lost."""

    def __init__(self, port):
        self._port, self._running, self.when = port, set(), None

    async def __aenter__(self):
        self._server = await asyncio.start_server(self._passing, "127.0.0.1", 0)
        return self, self._server.sockets[0].getsockname()[1]

    async def __aexit__(self, *_):
        self._server.close()
        if self._running:  # the clients have gone: all that is left is to close the connections to the server
            await asyncio.wait(self._running)

    async def _passing(self, from_client, to_client):
        self._running.add(asyncio.current_task())
        from_server, to_server = await asyncio.open_connection("127.0.0.1", self._port)

        async def answers():
            while data := await from_server.read(65536):
                to_client.write(data)
            to_client.close()

        answering = asyncio.create_task(answers())
        with closing(to_server), suppress(ConnectionError):  # a client may hang up without a farewell, too
            while data := await from_client.read(65536):
                if self.when is not None and b"COMMIT" in data:
                    answering.cancel()
                    await asyncio.wait([answering])
                    if self.when == "after":
                        to_server.write(data)
                        await from_server.read(1)  # it is done
                    self.when = None
                    to_client.transport.abort()
                    break
                to_server.write(data)


@pytest.mark.parametrize(("when", "there"), [("before", []), ("after", ["a0"])])
async def test_a_commit_whose_answer_is_lost_is_neither_denied_nor_done_again(postgresql, postgresql_url, when, there):
    async with Cut(postgresql.port) as (cut, port), opened(postgresql_url.replace(str(postgresql.port), str(port))) as store:
        ann = (await newcomer(store, "Ann", "account")).id
        await begun(store, people=[ann], rated=True)
        cut.when = when
        with pytest.raises(Unreachable):
            await store.append("g", 0, action(0), Finish(9, {}, {ann: ("toy", 5.0)}))
        assert await texts(store) == there
        assert await store.append("g", 0, action(0), Finish(9, {}, {ann: ("toy", 5.0)})) == (not there)
        assert [(step.before, step.after) for step in await store.history(ann, "toy")] == [(1300, 1305)]
