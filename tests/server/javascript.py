"""People who use the official JavaScript client, under Node; to the tests they look like all the others."""

import asyncio
import fcntl
import itertools
import json
import os
import subprocess
import sys
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest
from clients import CheckedLobby, CheckedRoom, Guest
from serving import PATIENT

from hanpan.client import Invalid, Lost

FOLDER = Path(__file__).parent / "js"
sys.path.append(str(Path(__file__).parents[2] / "tools"))

import node  # noqa: E402


def prepared():
    """Install the client once. Where that can't be done the tests with it are left out, and say so; in CI they fail."""
    lock, mark = FOLDER / "package-lock.json", FOLDER / "node_modules" / ".hanpan"
    with lock.open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)  # several test processes may want it at once
        if mark.exists() and mark.read_text() == lock.read_text():
            return
        try:
            node.npm("ci", "--no-audit", "--no-fund", "--loglevel=error", where=FOLDER)
            mark.write_text(lock.read_text())
        except (RuntimeError, OSError, subprocess.CalledProcessError) as wrong:
            if os.environ.get("CI") == "true":
                raise
            pytest.skip(f"left out: the JavaScript client can't be used here ({wrong})")


class NodeProcess:
    """One Node process, in which any number of connections live."""

    def __init__(self):
        self._numbers = itertools.count()
        self._lines = {}
        self._answers = {}

    async def __aenter__(self):
        pipe = asyncio.subprocess.PIPE
        command = ("node", str(FOLDER / "client.mjs"))
        self._process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, env=node.environment(), limit=1 << 24)
        self._listening = asyncio.create_task(self._listen())
        return self

    async def __aexit__(self, *_):
        self._process.stdin.close()
        await self._process.wait()
        await self._listening

    async def _listen(self):
        async for text in self._process.stdout:
            told = json.loads(text)
            line = self._lines[told["line"]]
            if "answer" in told:
                waiting = self._answers.pop(told["number"])
                if not waiting.done():
                    waiting.set_result(told["answer"])
            elif "event" in told:
                await line._hear(told["event"], *told["payload"])
            elif not told["connected"]:
                await line.lost()

    def request(self, request, line, **more):
        self._process.stdin.write(json.dumps({"request": request, "line": line, **more}).encode() + b"\n")

    def connect(self, of, **more):
        line = next(self._numbers)
        self._lines[line] = of
        self.request("connect", line, **more)
        return line

    def ask(self, line, event, payload):
        number, waiting = next(self._numbers), asyncio.get_running_loop().create_future()
        self._answers[number] = waiting
        self.request("emit", line, event=event, payload=payload, number=number)
        return waiting


class InNode:
    """A connection that lives in Node: the JavaScript client connects, comes back by itself, sends and hears."""

    node: NodeProcess
    connection = None  # the name of the connection that namespaces share; each its own if there is none

    async def _connect(self):
        self._io = SimpleNamespace(ended=asyncio.Event())  # a connection that Node keeps: it never ends for us, it is closed
        self._greeted = False
        self.forget()
        so_far = len(self.told)
        self._line = self.node.connect(
            self, url=self.url, connection=self.connection or str(id(self)) + str(so_far), namespace=self._namespace, auth=self._auth
        )
        await self.until(lambda: self._greeted or self._refusal(so_far) is not None)
        refusal = self._refusal(so_far)
        if not self._greeted and refusal is not None:
            raise Invalid(refusal)
        return self._io

    async def lost(self):
        self._greeted = False
        for waiting in self._pending:
            if not waiting.done():
                waiting.set_exception(Lost("the connection was lost"))
        async with self._changed:
            self._changed.notify_all()

    async def close(self):
        self._closed = True
        self._io.ended.set()
        self.node.request("close", self._line)

    async def drop(self):
        self.node.request("lose", self._line, back=False)
        await self.until(lambda: not self._greeted)

    async def lose(self):
        """Lose the connection for a moment: the JavaScript client comes back by itself."""
        self.node.request("lose", self._line, back=True)
        await self.until(lambda: not self._greeted)

    async def send(self, event, payload, timeout=PATIENT):
        waiting = self.node.ask(self._line, event, payload)
        self._pending.add(waiting)
        try:
            async with asyncio.timeout(timeout):
                answer = await waiting
        finally:
            self._pending.discard(waiting)
        if not answer[0].get("ok"):
            raise Invalid(answer[0])
        return answer[0]


def javascript_guest(process, url):
    """Someone whose lobby shares a connection with who they are, as on a page, and whose rooms have their own."""
    shared = {"node": process, "connection": f"person {next(process._numbers)}"}
    lobby = type("NodeLobby", (InNode, CheckedLobby), shared)
    room = type("NodeRoom", (InNode, CheckedRoom), {"node": process})
    return type("NodeGuest", (InNode, Guest), {**shared, "lobby_class": lobby, "room_class": room})(url)


@asynccontextmanager
async def mixed_guests(url, number):
    """Some new people: the first, third, fifth … in Node, the others in Python."""
    async with AsyncExitStack() as stack:
        process = await stack.enter_async_context(NodeProcess())
        yield [await stack.enter_async_context(Guest(url) if one % 2 else javascript_guest(process, url)) for one in range(number)]
