"""The way between processes: messages in the order they were sent, and the knowledge that some were lost."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Any, Protocol

import orjson

from hanpan.server.faults import log_fault

Body = Mapping[str, Any]  # what orjson can write
Hear = Callable[[str, Body], Awaitable[None]]  # from which node, what
Answer = Callable[[str, Body], Awaitable[Body]]


class Unanswered(Exception):
    """The other process, or the way to it, is not there; whether what was asked has been done is not known."""


class Bus(Protocol):
    """How one process reaches the others. Messages of one sender to one receiver arrive in their order, or a loss is noticed."""

    node: str

    def on(self, kind: str, hear: Hear) -> None:
        """What is done with messages of a kind, one after the other: it is to be quick."""

    def answer(self, kind: str, answer: Answer) -> None:
        """What answers questions of a kind, each in a task of its own."""

    def send(self, node: str, kind: str, body: Body) -> None:
        """Send something to one process; it is on its way soon."""

    def broadcast(self, kind: str, body: Body) -> None:
        """Send something to all others."""

    async def ask(self, node: str, kind: str, body: Body, seconds: float) -> Body:
        """Ask one process; Unanswered if it does not answer in time."""

    def forget(self, node: str) -> None:
        """A process has gone: nothing more is expected from it, and whoever waits for its answer learns so."""

    async def hung_up(self, nodes: Collection[str]) -> set[str]:
        """Those of these processes that do not listen any more, as far as can be known."""


class Numbered:
    """The part of a bus that does not know what carries it: handlers, questions, numbers.

    What is carried is a list of messages, each `[sender, channel, number, kind, body]`; a number that is not the next one of its sender and channel is a loss,
    which `lost` is told.
    """

    def __init__(self, node: str) -> None:
        self.node = node
        self.lost: Callable[[str], None] = lambda node: None
        self._hear: dict[str, Hear] = {"answer": self._answered, "echo": self._compare}
        self._answer: dict[str, Answer] = {}
        self._asked: dict[int, tuple[str, asyncio.Future[Body]]] = {}  # question → whom, and what waits for it
        self._questions = 0
        self._sent: dict[str, int] = {}  # channel → number of the last message
        self._heard: dict[tuple[str, str], int] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self.queue: deque[tuple[str, bytes]] = deque()  # channel, message
        self.filled = asyncio.Event()

    def on(self, kind: str, hear: Hear) -> None:
        """What is done with messages of a kind."""
        self._hear[kind] = hear

    def answer(self, kind: str, answer: Answer) -> None:
        """What answers questions of a kind."""
        self._answer[kind] = answer

    def send(self, node: str, kind: str, body: Body) -> None:
        """Send something to one process."""
        self._put(node, kind, body)

    def broadcast(self, kind: str, body: Body) -> None:
        """Send something to all others."""
        self._put("all", kind, body)

    def _put(self, channel: str, kind: str, body: Body) -> None:
        self._sent[channel] = number = self._sent.get(channel, 0) + 1
        self.queue.append((channel, orjson.dumps([self.node, channel, number, kind, body], option=orjson.OPT_SERIALIZE_NUMPY | orjson.OPT_NON_STR_KEYS)))
        self.filled.set()

    def counts(self) -> dict[str, int]:
        """How much was sent on each channel: told with every sign of life, so that a loss at the end is noticed too."""
        return dict(self._sent)

    def own(self) -> None:
        """A broadcast of one's own has come back."""

    async def _compare(self, sender: str, body: Body) -> None:
        """How much a sender has sent to this process alone; of what it sends to all, the number of this very message tells."""
        sent, key = body["counts"].get(self.node, 0), (sender, self.node)
        if self._heard.setdefault(key, sent) < sent:
            self._heard[key] = sent
            self.lost(sender)

    async def ask(self, node: str, kind: str, body: Body, seconds: float) -> Body:
        """Ask one process."""
        self._questions += 1
        id = self._questions
        waiting: asyncio.Future[Body] = asyncio.get_running_loop().create_future()
        self._asked[id] = node, waiting
        self.send(node, "ask", {"id": id, "kind": kind, "body": body})
        try:
            async with asyncio.timeout(seconds):
                return await waiting
        except TimeoutError:
            raise Unanswered(node) from None
        finally:
            self._asked.pop(id, None)

    def forget(self, node: str) -> None:
        """A process has gone."""
        for whom, waiting in list(self._asked.values()):
            if whom == node and not waiting.done():
                waiting.set_exception(Unanswered(node))
        for key in [key for key in self._heard if key[0] == node]:
            del self._heard[key]
        self._sent.pop(node, None)

    async def take(self, letter: bytes) -> None:
        """Messages have come, that were sent together."""
        for message in orjson.loads(letter):
            await self._take(*message)

    async def _take(self, sender: str, channel: str, number: int, kind: str, body: Body) -> None:
        if sender == self.node:
            self.own()
            return
        before = self._heard.get((sender, channel))
        self._heard[sender, channel] = number
        if before is not None and number != before + 1:
            self.lost(sender)
        try:
            if kind == "ask":
                task = asyncio.create_task(self._reply(sender, body))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
            elif kind in self._hear:
                await self._hear[kind](sender, body)
        except Exception as fault:
            log_fault(f"message {kind!r} of another process", fault)

    async def _reply(self, sender: str, body: Body) -> None:
        answer: Body
        try:
            answer = {"id": body["id"], "body": await self._answer[body["kind"]](sender, body["body"])}
        except Exception as fault:
            log_fault(f"question {body['kind']!r} of another process", fault)
            answer = {"id": body["id"], "body": None}
        self.send(sender, "answer", answer)

    async def _answered(self, sender: str, body: Body) -> None:
        _, waiting = self._asked.get(body["id"], ("", None))
        if waiting is not None and not waiting.done():
            if body["body"] is None:
                waiting.set_exception(Unanswered(sender))
            else:
                waiting.set_result(body["body"])
