"""Bots over HTTP: each has a stream of numbered news, kept in order until it has fetched them; a lost connection goes on where it was."""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Collection
from dataclasses import dataclass

import orjson

from hanpan.core.reading import whole
from hanpan.server.people.identity import People
from hanpan.server.protocol.messages import BotAccount, Payload
from hanpan.server.protocol.refusals import Refused
from hanpan.server.rooms.context import Timeouts
from hanpan.server.rooms.lobby import Lobby
from hanpan.server.rooms.outbox import Telling
from hanpan.server.rooms.registry import Registry
from hanpan.server.storage.models import Person
from hanpan.server.transport.dispatch import Ack
from hanpan.server.transport.gateway import Gateway, Visitor
from hanpan.server.transport.socket_outbox import SocketOutbox
from hanpan.server.transport.socket_server import Sockets

_KEPT = 2000  # news that are kept for a bot
_KEPT_BYTES = 4_000_000  # of them
MOST_ANSWERS = 500  # answers that are remembered, for requests that are repeated
MOST_ANSWERED = 200_000  # bytes of them
_HEARTBEAT = 5.0  # seconds: an empty line, so that both sides notice a dead connection


class BotStream:
    """One bot's news. A cursor is the stream's own id and the number of a piece of news."""

    def __init__(self, person: str) -> None:
        self.person, self.id = person, secrets.token_hex(4)
        self.rooms: dict[str, Visitor] = {}
        self.lock = asyncio.Lock()  # one request at a time, so that a repeated one waits for the first
        self.answers: OrderedDict[str, tuple[bytes, bytes]] = OrderedDict()  # by their key: what was asked, as a hash, and the answer
        self.reader = 0  # which stream is the present one; an older one ends
        self.leaving: asyncio.Task[None] | None = None
        self.closed = False
        self._news: deque[bytes] = deque()
        self._bytes = 0  # of them
        self._number = 0  # of the last piece of news
        self._arrived = asyncio.Event()

    def put(self, event: str, data: Payload, room: str | None = None) -> None:
        """One more piece of news."""
        self._number += 1
        line = {"cursor": f"{self.id}-{self._number}", "event": event, "room": room, "data": data}
        self._news.append(orjson.dumps(line, option=orjson.OPT_SERIALIZE_NUMPY) + b"\n")
        self._bytes += len(self._news[-1])
        while len(self._news) > _KEPT or (self._bytes > _KEPT_BYTES and len(self._news) > 1):
            self._bytes -= len(self._news.popleft())
        self.wake()

    def remember(self, key: str, asked: bytes, answer: bytes) -> None:
        """Keep an answer, for when the same request comes again; the oldest go when there are many."""
        self.answers[key] = asked, answer
        while len(self.answers) > MOST_ANSWERS or sum(len(answer) for _, answer in self.answers.values()) > MOST_ANSWERED:
            self.answers.popitem(last=False)

    def wake(self) -> None:
        """Let the stream look."""
        self._arrived.set()

    def place(self, cursor: str) -> int | None:
        """The number that a cursor stands for; None if what came after it is not here any more."""
        id, _, number = cursor.rpartition("-")
        place = whole(number)
        return place if id == self.id and place is not None and self._number - len(self._news) <= place <= self._number else None

    @property
    def last(self) -> int:
        """The number of the last piece of news."""
        return self._number

    async def read(self, number: int, reader: int) -> AsyncIterator[bytes]:
        """Everything after a number, as it comes, until another reader takes over or the stream is closed."""
        while self.reader == reader:
            first = self._number - len(self._news) + 1
            if number + 1 < first:  # too slow: whoever comes back is told everything anew
                return
            self._arrived.clear()
            for line in list(self._news)[number + 1 - first :]:
                yield line
                number += 1
            if self.closed:
                return
            try:
                async with asyncio.timeout(_HEARTBEAT):
                    await self._arrived.wait()
            except TimeoutError:
                yield b"\n"


@dataclass(frozen=True)
class StreamAsker:
    """A bot that asks over HTTP: it is told things by its stream, and answered at once."""

    stream: BotStream
    room: str | None
    address: str = ""

    @property
    def person(self) -> str:
        """Who it is."""
        return self.stream.person

    async def tell(self, event: str, payload: Payload) -> None:
        """One more piece of news."""
        self.stream.put(event, payload, self.room)

    async def show(self, event: str, payload: Payload) -> Ack:
        """The answer itself."""
        return payload

    async def be_told(self, room: str, by: Telling) -> None:
        """Bots are always told in full."""


class StreamOutbox(SocketOutbox):
    """The way out to people at sockets and to bots with streams."""

    def __init__(self, sio: Sockets) -> None:
        super().__init__(sio)
        self.streams: dict[str, BotStream] = {}
        self.told_lobby = 0  # how often everyone in the lobby was told something

    async def to_lobby(self, event: str, payload: Payload, skip: Collection[str] = ()) -> None:
        """Tell everyone in the lobby but some. Bots are not told who comes and which rooms there are: they may ask."""
        self.told_lobby += 1
        await self.tell("/lobby", "lobby", event, payload, [f"person {person}" for person in skip])
        if event == "recieve msg":
            self._put(None, event, payload, skip)

    async def to_visitor(self, person: str, event: str, payload: Payload) -> None:
        """Tell one person in the lobby."""
        await self.tell("/lobby", f"person {person}", event, payload)
        if person in self.streams:
            self.streams[person].put(event, payload)

    async def to_room(self, room: str, event: str, payload: Payload, skip: Collection[str] = (), by: Telling = "") -> None:
        """Tell everyone in a room but some. Bots are always told in full."""
        await self.tell("/room", f"{by} room {room}".lstrip(), event, payload, [f"room {room} {person}" for person in skip])
        if by != "brief":
            self._put(room, event, payload, skip)

    def hears(self, room: str, by: Telling) -> bool:
        """Whether someone there is told things in this way."""
        return super().hears(room, by) or (by != "brief" and any(room in stream.rooms for stream in self.streams.values()))

    async def to_member(self, room: str, person: str, event: str, payload: Payload, by: Telling = "") -> None:
        """Tell one person in a room."""
        await self.tell("/room", f"{by} room {room} {person}".lstrip(), event, payload)
        if by != "brief" and person in self.streams and room in self.streams[person].rooms:
            self.streams[person].put(event, payload, room)

    async def to_all(self, event: str, payload: Payload) -> None:
        """Tell everyone, wherever they are."""
        await super().to_all(event, payload)
        self._put(None, event, payload, ())

    def connections(self) -> dict[str, int]:
        """How many connections are open, by namespace."""
        return super().connections() | {"bots": len(self.streams)}

    def people(self) -> set[str]:
        """Everyone who has an open connection, or a stream."""
        return super().people() | self.streams.keys()

    async def show_out(self, room: str, person: str, why: Refused) -> None:
        """Tell one person in a room why they can't stay, and nothing more."""
        await super().show_out(room, person, why)
        if person in self.streams and room in self.streams[person].rooms:
            self.streams[person].put("invalid action", why.json(""), room)
            self.streams[person].rooms.pop(room, None)

    async def disconnect(self, person: str, why: Refused) -> None:
        """Tell one person why they can't stay, wherever they are, and close their connections."""
        await super().disconnect(person, why)
        if person in self.streams:
            self.streams[person].put("invalid action", why.json(""))
            self.streams[person].closed = True

    def _put(self, room: str | None, event: str, payload: Payload, skip: Collection[str]) -> None:
        for person, stream in self.streams.items():
            if person not in skip and (room is None or room in stream.rooms):
                stream.put(event, payload, room)


class BotStreams:
    """All bots that are here."""

    def __init__(self, people: People, registry: Registry, lobby: Lobby, gateway: Gateway, timeouts: Timeouts, outbox: StreamOutbox) -> None:
        self._people, self._registry, self._lobby, self._gateway, self._timeouts = people, registry, lobby, gateway, timeouts
        self._streams = outbox.streams
        self._leaving: set[asyncio.Task[None]] = set()
        self.opened: Callable[[str], None] = lambda bot: None  # where there are more processes: told whose news are read at this one

    def has(self, person: str) -> bool:
        """Whether a bot reads its news here."""
        return person in self._streams and not self._streams[person].closed

    def end(self, person: str) -> None:
        """A bot reads its news elsewhere from now on."""
        if person in self._streams:
            self._streams[person].closed = True
            self._streams[person].wake()

    def of(self, person: str) -> BotStream:
        """A bot's stream; refused while the bot reads no news."""
        found = self._streams.get(person)
        if found is None or found.closed:
            raise Refused("no-stream")
        return found

    async def open(self, bot: Person, cursor: str) -> AsyncIterator[bytes]:
        """The news for a bot after a cursor. Where that is not known any more, or there is none: how everything stands now, and what comes then."""
        try:
            self._people.check_still(bot)  # nothing is awaited from here until the stream is there, where `disconnect` finds it
        except Refused as refused:
            yield orjson.dumps({"cursor": "", "event": "unauthorized", "room": None, "data": refused.json("")}) + b"\n"
            return
        person = bot.id
        stream = self._streams.get(person)
        if stream is None or stream.closed:
            stream = self._streams[person] = BotStream(person)
            self.opened(person)
            await self._lobby.arrive(person)
        stream.reader += 1
        stream.wake()
        if stream.leaving is not None:
            stream.leaving.cancel()
        number, reader = stream.place(cursor), stream.reader
        try:
            if number is None:
                number = stream.last
                async with stream.lock:  # nobody goes into a room twice
                    await self._tell_everything(stream)
            async for line in stream.read(number, reader):
                yield line
        finally:
            if stream.reader == reader:
                stream.leaving = asyncio.get_running_loop().create_task(self._leave(stream, 0.0 if stream.closed else self._timeouts.patience))
                self._leaving.add(stream.leaving)
                stream.leaving.add_done_callback(self._leaving.discard)

    async def _tell_everything(self, stream: BotStream) -> None:
        """Who the bot is, and all about the rooms where it is, or still has a chair."""
        stream.put("account", BotAccount(person=self._people.person_info(stream.person)))
        for id in sorted(stream.rooms.keys() | self._registry.with_chair_of(stream.person)):
            if not self._registry.exists(id):
                stream.rooms.pop(id, None)
            elif id in stream.rooms:
                await self._gateway.do(stream.rooms[id], StreamAsker(stream, id), "req info")
            else:
                await self.enter(stream, id)

    async def enter(self, stream: BotStream, room: str, password: str | None = None) -> None:
        """Go into a room."""
        if room in stream.rooms:
            return

        async def join() -> None:
            stream.rooms[room] = visitor

        async def out(why: Refused) -> None:
            stream.put("invalid action", why.json(""), room)
            stream.rooms.pop(room, None)

        visitor = Visitor(room, f"bot {stream.person}", StreamAsker(stream, room), join, out, password=password, answered=True)
        await self._gateway.enter(visitor)

    async def leave(self, stream: BotStream, room: str) -> None:
        """Go out of a room."""
        visitor = stream.rooms.pop(room, None)
        if visitor is not None:
            await self._gateway.do(visitor, visitor.asker, "leave room")
            await self._gateway.leave(visitor, lost=False)

    async def do(self, stream: BotStream, room: str, address: str, event: str, payload: object) -> Ack | None:
        """Ask something in a room."""
        if room not in stream.rooms:
            raise Refused("not-in-room")
        return await self._gateway.do(stream.rooms[room], StreamAsker(stream, room, address), event, payload)

    async def _leave(self, stream: BotStream, patience: float) -> None:
        """A bot that does not come back in time has gone."""
        await asyncio.sleep(patience)
        stream.closed = True
        if self._streams.get(stream.person) is stream:
            del self._streams[stream.person]
        for visitor in list(stream.rooms.values()):
            await self._gateway.leave(visitor, lost=True)
        await self._lobby.depart(stream.person)

    def close(self) -> None:
        """End all streams."""
        for stream in self._streams.values():
            stream.closed = True
            stream.wake()
