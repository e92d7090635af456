"""A websocket may end in any state: half begun, by what can't be read, by a goodbye to which nobody listens, or because the server stops."""

import asyncio
from contextlib import asynccontextmanager, contextmanager
from functools import partial

import pytest
from bare import opened
from deals import Deals
from local import LocalServer, PromptServer
from serving import PATIENT, free_port
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from hanpan.server.app import make_app
from hanpan.server.run import Host, configured
from hanpan.server.settings import Settings

HEAD = b"Host: here\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
GOODBYE = b"\x88\x80\0\0\0\0"
UNREADABLE = b"\x81\x82\0\0\0\0\xff\xff"  # a text that is none
NO_FRAME = b"\xf7\x80\0\0\0\0"


class Application:
    """It answers whoever wants a websocket when it is let, and in one way."""

    def __init__(self):
        self.answer, self.may_answer, self.asked, self.closed = "websocket.accept", asyncio.Event(), 0, False

    async def __call__(self, scope, receive, send):
        if scope["type"] == "lifespan":
            await receive()
            await send({"type": "lifespan.startup.complete"})
            await receive()
            self.closed = True
            await send({"type": "lifespan.shutdown.complete"})
            return
        await receive()
        self.asked += 1
        await self.may_answer.wait()
        await send({"type": self.answer})
        while (await receive())["type"] != "websocket.disconnect":
            pass


class Running:
    """A server with such an application, on the loop of those who come."""

    def __init__(self, folder):
        self.app, self.port = Application(), free_port()
        self.server = PromptServer(configured(self.app, Settings(data=folder, port=self.port)))
        self.url = f"ws://127.0.0.1:{self.port}/"

    @property
    def protocols(self):
        """Its side of the connections."""
        return self.server.server_state.connections

    @asynccontextmanager
    async def begun(self, more=b"", path=b"/"):
        """The request for a websocket, as it is on the line."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(b"GET " + path + b" HTTP/1.1\r\n" + HEAD + more + b"\r\n")
        try:
            yield reader, writer
        finally:
            writer.transport.abort()


@asynccontextmanager
async def serving(folder):
    running = Running(folder)
    task = asyncio.create_task(running.server.serve())
    while not running.server.started:
        await asyncio.sleep(0.01)
    try:
        yield running
    finally:
        running.server.end()
        await asyncio.wait_for(task, PATIENT)
    assert running.app.closed


@pytest.fixture
def quiet(caplog):
    """Nothing that anybody does is a fault of the server's."""
    yield
    assert [record.getMessage() for record in caplog.get_records("call") if record.levelname == "ERROR"] == []


async def closed_with(ws):
    try:
        while True:
            await asyncio.wait_for(ws.recv(), PATIENT)
    except ConnectionClosed as closed:
        return closed.rcvd and closed.rcvd.code


async def soon(so):
    while not so():
        await asyncio.sleep(0.01)


def leave_unheard(ws, protocols):
    """They have said goodbye, but read nothing of what lies before the answer."""
    port = ws.local_address[1]
    (theirs,) = [protocol for protocol in protocols if protocol.client[1] == port]
    ws.transport.pause_reading()
    theirs.transport.write(b"\x8a\0" * 10_000_000)
    theirs.data_received(GOODBYE)


async def test_a_server_that_stops_closes_everyone_though_someone_is_leaving(tmp_path):
    async with LocalServer(tmp_path).here() as server:
        staying = [await opened(server.url) for _ in range(4)]
        leaving = await opened(server.url)
        leave_unheard(leaving, server._server.server_state.connections)
        server._server.end()
        assert [await closed_with(ws) for ws in staying] == [1012] * 4
        leaving.transport.abort()
    assert server.services.store._writer._task.done()


@contextmanager
def crowded(running):
    """So many others are heard meanwhile that the end of a connection is dealt with later."""
    (protocol,) = running.protocols
    leaving = [True]

    def again(number):
        if leaving:
            protocol._hearing.later(f"crowd {number}", partial(again, number))

    for number in range(400):
        again(number)
    yield
    leaving.clear()


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("answer", ["websocket.accept", "websocket.close"], ids=["taken", "refused"])
async def test_a_server_that_stops_refuses_whom_nobody_has_answered_yet(tmp_path, answer):
    async with serving(tmp_path) as running, running.begun() as (reader, _):
        running.app.answer = answer
        await soon(lambda: running.app.asked)
        with crowded(running):
            running.server.end()
            assert (await asyncio.wait_for(reader.read(), PATIENT)).startswith(b"HTTP/1.1 500 ")
            running.app.may_answer.set()
            await soon(lambda: not running.server.server_state.tasks)


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("answer", ["websocket.accept", "websocket.close"], ids=["taken", "refused"])
async def test_whoever_is_answered_as_the_server_stops_is_refused_once(tmp_path, answer):
    async with serving(tmp_path) as running, running.begun() as (reader, _):
        running.app.answer = answer
        await soon(lambda: running.app.asked)
        (protocol,) = running.protocols
        running.app.may_answer.set()  # it does so in a moment
        protocol.shutdown()
        assert (await asyncio.wait_for(reader.read(), PATIENT)).count(b"HTTP/1.1 ") == 1
        await soon(lambda: not running.server.server_state.tasks)


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("answer", ["websocket.accept", "websocket.close"], ids=["taken", "refused"])
@pytest.mark.parametrize("frame", [GOODBYE, NO_FRAME, UNREADABLE, UNREADABLE + GOODBYE], ids=["goodbye", "no frame", "unreadable", "unreadable and goodbye"])
async def test_what_ends_a_websocket_before_it_stands_closes_the_connection(tmp_path, answer, frame):
    async with serving(tmp_path) as running, running.begun() as (reader, writer):
        running.app.answer = answer
        await soon(lambda: running.app.asked)
        with crowded(running):
            writer.write(frame)
            assert await asyncio.wait_for(reader.read(), PATIENT) == b""
            running.app.may_answer.set()
            await soon(lambda: not running.protocols and not running.server.server_state.tasks)


@pytest.mark.usefixtures("quiet")
async def test_a_text_that_can_t_be_read_ends_a_websocket_also_with_a_goodbye_behind_it(tmp_path):
    async with serving(tmp_path) as running:
        running.app.may_answer.set()
        for end, code in ((UNREADABLE, 1007), (UNREADABLE + GOODBYE, 1005)):
            async with connect(running.url, ping_interval=None, close_timeout=0.1) as ws:
                ws.transport.write(end)
                assert await closed_with(ws) == code
        await soon(lambda: not running.protocols and not running.server.server_state.tasks)


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize(
    ("more", "path"),
    [(b"a: b\r\n" * 200, b"/"), (b"a: " + b"b" * 20_000 + b"\r\n", b"/"), (b"", b"/?\xff")],
    ids=["lines", "a long line", "letters"],
)
async def test_a_request_that_websockets_can_t_read_is_refused(tmp_path, more, path):
    async with serving(tmp_path) as running, running.begun(more, path) as (reader, _):
        assert (await asyncio.wait_for(reader.read(), PATIENT)).startswith(b"HTTP/1.1 4")
        await soon(lambda: not running.protocols)


async def test_what_goes_wrong_while_a_server_stops_keeps_nothing_of_it_open(tmp_path):
    class Stubborn:
        def shutdown(self):
            raise ZeroDivisionError

    settings = Settings(data=tmp_path, port=free_port())
    app, opened = make_app(settings, Deals()), asyncio.Event()
    host = Host(configured(app, settings), app.other_asgi_app, opened.set)
    task = asyncio.create_task(host.serve())
    await opened.wait()
    host.server_state.connections.add(Stubborn())
    host.should_exit = True
    with pytest.raises(ZeroDivisionError):
        await task
    assert app.other_asgi_app.state.services.store._writer._task.done()
