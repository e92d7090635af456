"""Quick match across processes: one of them pairs people, the others ask it."""

from __future__ import annotations

from hanpan.server.cluster.bus import Body, Bus, Unanswered
from hanpan.server.cluster.nodes import NodeObserver, Nodes
from hanpan.server.cluster.tasks import Tasks
from hanpan.server.faults import log_fault
from hanpan.server.people.identity import People
from hanpan.server.protocol.refusals import Refused
from hanpan.server.protocol.requests import QuickMatch
from hanpan.server.rooms.matchmaking import Matchmaking

_ASK = 5.0  # seconds that the process that pairs people may take to answer


class SharedMatchmaking(NodeObserver):
    """Remembers who waits at this process, so that another one can pair them when the one that did has gone."""

    def __init__(self, own: Matchmaking, people: People, nodes: Nodes, bus: Bus) -> None:
        self._own, self._people, self._nodes, self._bus = own, people, nodes, bus
        self._waiting: dict[str, QuickMatch] = {}  # people of this process
        self._of: dict[str, set[str]] = {}  # process → its people who wait here
        self._leader = ""
        self._tasks = Tasks()
        nodes.subscribe(self)
        bus.answer("quick match", self._answer)
        bus.on("cancel match", self._hear_cancel)
        bus.on("matched", self._hear_matched)
        own.matched = self._matched

    async def ask(self, person: str, request: QuickMatch) -> None:
        """Wait for someone who wants the same."""
        self._leader = self._nodes.leader
        self._waiting[person] = request  # from now on: they may wait no longer before there is an answer
        try:
            await (self._own.ask(person, request) if self._leader == self._nodes.node else self._ask_leader(person, request))
        except BaseException:
            self._waiting.pop(person, None)
            raise

    async def _ask_leader(self, person: str, request: QuickMatch) -> None:
        try:
            answer = await self._bus.ask(self._leader, "quick match", {"person": person, "request": request.model_dump()}, _ASK)
        except Unanswered:
            raise Refused("interrupted") from None
        if "refused" in answer:
            raise Refused.unpacked(answer["refused"])
        if answer["matched"]:
            self._waiting.pop(person, None)
        elif person not in self._waiting:  # they do not wait any more: it may not have heard so before it looked
            self._bus.send(self._leader, "cancel match", {"person": person})

    def cancel(self, person: str) -> None:
        """Wait no longer."""
        if self._waiting.pop(person, None) is not None:
            if self._nodes.leader == self._nodes.node:
                self._own.cancel(person)
            else:
                self._bus.send(self._nodes.leader, "cancel match", {"person": person})

    async def _answer(self, sender: str, body: Body) -> Body:
        person = body["person"]
        await self._people.person(person)
        try:
            await self._own.ask(person, QuickMatch.model_validate(body["request"]))
        except Refused as refused:
            return {"refused": refused.packed()}
        waits = self._own.waits(person)
        if waits:
            self._of.setdefault(sender, set()).add(person)
        return {"matched": not waits}

    async def _hear_cancel(self, sender: str, body: Body) -> None:
        self._own.cancel(body["person"])

    def _matched(self, person: str) -> None:
        self._waiting.pop(person, None)
        self._bus.broadcast("matched", {"person": person})

    async def _hear_matched(self, sender: str, body: Body) -> None:
        self._waiting.pop(body["person"], None)

    def node_gone(self, node: str) -> None:
        """Its people wait no longer; if it was the one that pairs people, those of this process ask the next."""
        for person in self._of.pop(node, set()):
            self._own.cancel(person)
        self._ask_again()

    def node_came(self, node: str) -> None:
        """It may be the one that pairs people from now on."""
        self._ask_again()

    def _ask_again(self) -> None:
        if self._nodes.leader != self._leader:
            before, self._leader = self._leader, self._nodes.leader
            for person, request in list(self._waiting.items()):
                if before == self._nodes.node:
                    self._own.cancel(person)
                self._tasks.spawn(self._again(person, request))

    async def _again(self, person: str, request: QuickMatch) -> None:
        try:
            await self.ask(person, request)
        except Exception as fault:
            log_fault("waiting for a match anew", fault)
