"""Quick match across processes: one of them pairs people, the others ask it."""

from __future__ import annotations

from hanpan.server.cluster.bus import Body, Bus, Unanswered
from hanpan.server.cluster.nodes import NodeObserver, Nodes
from hanpan.server.cluster.tasks import Tasks
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
        self._of: dict[str, str] = {}  # who waits here, and of which other process they are
        self._leader = ""
        self._tasks = Tasks()
        nodes.subscribe(self)
        bus.answer("quick match", self._answer)
        bus.on("cancel match", self._hear_cancel)
        bus.on("matched", self._hear_matched)
        own.matched = self._matched

    async def ask(self, person: str, request: QuickMatch) -> None:
        """Wait for someone who wants the same."""
        self._ask_again()  # the one that pairs people is another as soon as it takes nothing new, not only once it has gone
        leader, self._waiting[person] = self._leader, request  # from now on: they may wait no longer, or for something else, before there is an answer
        try:
            await (self._ask_here(person, request) if leader == self._nodes.node else self._ask_leader(leader, person, request))
        except BaseException:
            self._waits_no_more(person, request)
            raise

    def _waits_no_more(self, person: str, request: QuickMatch) -> None:
        if self._waiting.get(person) is request:
            del self._waiting[person]

    async def _ask_here(self, person: str, request: QuickMatch, process: str | None = None) -> None:
        """Someone of this process asks, or of another; if they asked from elsewhere before, they have gone over."""
        if process is None:
            self._of.pop(person, None)
        else:
            self._of[person] = process
        try:
            await self._own.ask(person, request)
        finally:
            if process is not None and not self._own.waits(person) and self._of.get(person) == process:
                del self._of[person]

    async def _ask_leader(self, leader: str, person: str, request: QuickMatch) -> None:
        try:
            answer = await self._bus.ask(leader, "quick match", {"person": person, "request": request.model_dump()}, _ASK)
        except Unanswered:
            if leader == self._leader:
                if self._waiting.get(person) is request:  # else they have thought better of it, and it was told so
                    self._bus.send(leader, "cancel match", {"person": person})  # it may only be slow
                raise Refused("interrupted") from None
        if leader != self._leader:
            return  # if they still wait, the next one has been asked
        if "refused" in answer:
            raise Refused.unpacked(answer["refused"])
        if answer["matched"]:
            self._waits_no_more(person, request)
        elif person not in self._waiting:  # they do not wait any more: it may not have heard so before it looked
            self._bus.send(leader, "cancel match", {"person": person})

    def waits(self, person: str) -> bool:
        """Whether someone of this process waits."""
        return person in self._waiting

    def cancel(self, person: str) -> None:
        """Wait no longer."""
        if self._waiting.pop(person, None) is not None:
            self._cancel_at(self._leader, person)

    def _cancel_at(self, leader: str, person: str) -> None:
        if leader == self._nodes.node:
            self._cancel_here(person, None)
        else:
            self._bus.send(leader, "cancel match", {"person": person})

    def _cancel_here(self, person: str, process: str | None) -> None:
        """Someone of a process (None: this one) waits no longer, unless they have asked from elsewhere since."""
        if self._of.get(person) == process:
            self._of.pop(person, None)
            self._own.cancel(person)

    async def _answer(self, sender: str, body: Body) -> Body:
        person = body["person"]
        await self._people.person(person)
        try:
            await self._ask_here(person, QuickMatch.model_validate(body["request"]), sender)
        except Refused as refused:
            return {"refused": refused.packed()}
        return {"matched": not self._own.waits(person)}

    async def _hear_cancel(self, sender: str, body: Body) -> None:
        self._cancel_here(body["person"], sender)

    def _matched(self, person: str) -> None:
        self._waiting.pop(person, None)
        self._of.pop(person, None)
        self._bus.broadcast("matched", {"person": person})

    async def _hear_matched(self, sender: str, body: Body) -> None:
        self._waiting.pop(body["person"], None)

    def node_gone(self, node: str) -> None:
        """Its people wait no longer; if it was the one that pairs people, those of this process ask the next."""
        for person in [person for person, process in self._of.items() if process == node]:
            self._cancel_here(person, node)
        self._ask_again()

    def node_came(self, node: str) -> None:
        """It may be the one that pairs people from now on."""
        self._ask_again()

    def _ask_again(self) -> None:
        if self._nodes.leader != self._leader:
            before, self._leader = self._leader, self._nodes.leader
            if before == self._nodes.node:  # here nobody is paired any more: those of other processes ask the next, too
                for person, process in list(self._of.items()):
                    self._cancel_here(person, process)
            for person, request in list(self._waiting.items()):
                self._cancel_at(before, person)
                self._tasks.spawn(self._again(person, request))

    async def _again(self, person: str, request: QuickMatch) -> None:
        if self._waiting.get(person) is not request:
            return
        try:
            await self.ask(person, request)
        except Exception as fault:
            if person not in self._waiting:  # else they wait for something else by now
                await self._own.tell_refused(person, fault)
