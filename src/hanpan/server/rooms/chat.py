"""Chat in a room: it is kept for a while, told to whoever enters, and quoted by reports."""

from __future__ import annotations

import secrets
from collections.abc import Callable

from hanpan.server.people.identity import People
from hanpan.server.people.speech import Speech
from hanpan.server.protocol.messages import ChatHistory, Message
from hanpan.server.rooms.happened import Happened, News, Spoken
from hanpan.server.rooms.publisher import Piece
from hanpan.server.rooms.state import RoomState
from hanpan.server.storage.models import DAY, Said

MOST_TOLD = 100  # messages that whoever enters is told


class Chat:
    """What is said in one room."""

    __slots__ = ("_days", "_now", "_people", "_room", "_speech")

    def __init__(self, room: RoomState, people: People, speech: Speech, days: int, now: Callable[[], int]) -> None:
        self._room, self._people, self._speech, self._days, self._now = room, people, speech, days, now

    def kept_since(self) -> int:
        """What was said before is not kept any more."""
        return self._now() - self._days * DAY

    @property
    def recalled(self) -> bool:
        """Whether what was said here before is known."""
        return self._room.said is not None

    async def recall(self, found: list[Said]) -> None:
        """This was said here before."""
        for message in found:
            await self._people.person(message.person_id)
        self._room.said = found

    async def say(self, person: str, msg: str) -> Happened:
        """Chat. What spectators say stays among them while a game with secrets is played."""
        spectator = not self._room.seating.of(person)
        msg = await self._speech.may_say(person, msg, self._room.id if spectator else "")
        secret = spectator and self._room.match is not None and self._room.match.result is None and self._room.match.secret
        game_id = self._room.match.id if secret and self._room.match is not None else None
        message = Said(secrets.token_hex(8), self._room.id, person, msg, self._now(), spectator, game_id)
        return [Spoken(message, self.kept_since())] if self._days else self.heard(message)

    def heard(self, message: Said) -> Happened:
        """Who hears something that was said, and is stored where it is to be kept. Meanwhile others may have come, or sat down."""
        if self._days and self._room.said is not None:
            self._room.said = [*self._room.said[1 - MOST_TOLD :], message]
        if message.game_id is None:
            return [News("recieve msg", self._told(message), skip=self._speech.deaf_to(message.person_id))]
        return [News("recieve msg", self._told(message), to=member) for member in self._room.members if self.may_read(member, message)]

    def may_read(self, person: str, message: Said) -> bool:
        """Whether someone may read a message: not from whom they have blocked, and at a table with secrets not from its spectators until the game is over."""
        if not self._speech.wants(person, message.person_id):
            return False
        running = self._room.match is not None and self._room.match.result is None and self._room.match.id == message.game_id
        return not (running and self._room.seating.of(person))

    def _told(self, message: Said) -> Message:
        who = self._people.person_info(message.person_id, self._room.game.name)
        return Message(id=message.id, who=who, msg=message.text, at=message.at, spectator=message.spectator)

    def history_for(self, person: str) -> Piece:
        """What was said, as far as someone may read it."""
        since = self.kept_since()
        return "chat history", ChatHistory(messages=[self._told(m) for m in self._room.said or () if m.at >= since and self.may_read(person, m)])
