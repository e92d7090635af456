"""Bots of whichever process: a request goes to the one where the bot's stream is."""

from __future__ import annotations

from hanpan.server.cluster.bus import Body, Bus, Unanswered
from hanpan.server.people.identity import People
from hanpan.server.protocol.refusals import Refused
from hanpan.server.rooms.mirror import Mirror
from hanpan.server.storage.models import Person
from hanpan.server.transport.bot_requests import Answered, BotRequests
from hanpan.server.transport.bot_streams import BotStreams

_ASK = 30.0  # seconds that another process may take to answer


class ClusterBots:
    """Answers bots here, or lets the process answer that has their stream."""

    def __init__(self, own: BotRequests, streams: BotStreams, people: People, mirror: Mirror, bus: Bus) -> None:
        self._own, self._streams, self._people, self._mirror, self._bus = own, streams, people, mirror, bus
        streams.opened = lambda bot: bus.broadcast("bot stream", {"bot": bot})
        bus.answer("bot", self._answer)
        bus.on("bot stream", self._hear_stream)

    async def answer(self, bot: Person, room: str | None, event: str, body: object, key: str | None, address: str) -> Answered:
        """Answer a request in a room, or in the lobby."""
        elsewhere = self._mirror.nodes_of(bot.id)
        if self._streams.has(bot.id) or not elsewhere:
            return await self._own.answer(bot, room, event, body, key, address)
        asked = {"bot": bot.id, "room": room, "event": event, "body": body, "key": key, "address": address}
        try:
            answer = await self._bus.ask(elsewhere[0], "bot", asked, _ASK)
        except Unanswered:
            raise Refused("interrupted") from None
        if "refused" in answer:
            raise Refused.unpacked(answer["refused"])
        answered: Answered = answer["answer"]
        return answered

    async def _answer(self, sender: str, body: Body) -> Body:
        try:
            bot = await self._people.reload(body["bot"])
            return {"answer": await self._own.answer(bot, body["room"], body["event"], body["body"], body["key"], body["address"])}
        except Refused as refused:
            return {"refused": refused.packed()}

    async def _hear_stream(self, sender: str, body: Body) -> None:
        """A bot reads its news at another process from now on."""
        self._streams.end(body["bot"])
