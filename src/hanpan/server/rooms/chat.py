"""Chat in a room: it is kept for a while, told to whoever enters, and quoted by reports."""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from hanpan.server.people.identity import People
from hanpan.server.people.speech import Speech
from hanpan.server.rooms.publisher import Piece, Publisher
from hanpan.server.rooms.state import RoomState
from hanpan.server.storage.chat import ChatLog
from hanpan.server.storage.models import Said

MOST_TOLD = 100  # messages that whoever enters is told
DAY = 24 * 3600 * 1000


class Chat:
    """What is said in one room."""

    def __init__(self, room: RoomState, publisher: Publisher, stored: ChatLog, people: People, speech: Speech, days: int, now: Callable[[], int]) -> None:
        self._room, self._publisher, self._stored, self._people, self._speech, self._days, self._now = room, publisher, stored, people, speech, days, now
        self._said: deque[Said] | None = None  # the last messages; read from the storage when the first person enters

    def _kept_since(self) -> int:
        return self._now() - self._days * DAY

    async def recall(self) -> None:
        """Read what was said here before."""
        if self._said is None:
            found = await self._stored.last(self._room.id, MOST_TOLD, self._kept_since())
            for message in found:
                await self._people.person(message.person_id)
            self._said = deque(found, MOST_TOLD)

    async def say(self, person: str, msg: str) -> None:
        """Chat. What spectators say stays among them while a game with secrets is played."""
        spectator = not self._room.seating.of(person)
        msg = await self._speech.may_say(person, msg, self._room.id if spectator else "")
        secret = spectator and self._room.match is not None and self._room.match.result is None and self._room.match.secret
        game_id = self._room.match.id if secret and self._room.match is not None else None
        message = Said(secrets.token_hex(8), self._room.id, person, msg, self._now(), spectator, game_id)
        if self._days:
            await self._stored.add(message, self._kept_since())
            if self._said is not None:
                self._said.append(message)
        deaf = self._speech.deaf_to(person)
        if not secret:
            await self._publisher.tell("recieve msg", self._told(message), skip=deaf)
            return
        for member in list(self._room.members):
            if self.may_read(member, message):
                await self._publisher.tell_one(member, "recieve msg", self._told(message))

    def may_read(self, person: str, message: Said) -> bool:
        """Whether someone may read a message: not from whom they have blocked, and at a table with secrets not from its spectators until the game is over."""
        if not self._speech.wants(person, message.person_id):
            return False
        running = self._room.match is not None and self._room.match.result is None and self._room.match.id == message.game_id
        return not (running and self._room.seating.of(person))

    def said_by_another(self, person: str, now: str | None) -> None:
        """What someone has said is another's from now on (a guest turned out to be an account), or (None) is gone with them."""
        if self._said is not None:
            kept = [message if message.person_id != person else None if now is None else replace(message, person_id=now) for message in self._said]
            self._said = deque((message for message in kept if message is not None), MOST_TOLD)

    def _told(self, message: Said) -> dict[str, Any]:
        return {"id": message.id, "who": self._publisher.person(message.person_id), "msg": message.text, "at": message.at, "spectator": message.spectator}

    def history_for(self, person: str) -> Piece:
        """What was said, as far as someone may read it."""
        since = self._kept_since()
        return "chat history", {"messages": [self._told(m) for m in self._said or () if m.at >= since and self.may_read(person, m)]}
