"""Chat in a room: it is kept for a while, told to whoever enters, and quoted by reports."""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from hanpan.server.rooms.news import Piece, RoomNews
from hanpan.server.storage.models import Said

MOST_TOLD = 100  # messages that whoever enters is told
DAY = 24 * 3600 * 1000


class Talk(RoomNews):
    """The talking part of a room."""

    _said: deque[Said] | None = None  # the last messages; read from the storage when the first person enters

    def _kept_since(self) -> int:
        return self.context.now() - self.context.chat_days * DAY

    async def recall_talk(self) -> None:
        """Read what was said here before."""
        if self._said is None:
            found = await self.context.store.chat.last(self.id, MOST_TOLD, self._kept_since())
            for message in found:
                await self.context.people.person(message.person_id)
            self._said = deque(found, MOST_TOLD)

    async def say(self, person: str, msg: str) -> None:
        """Chat. What spectators say stays among them while a game with secrets is played."""
        spectator = not self.seating.of(person)
        msg = await self.context.speech.may_say(person, msg, self.id if spectator else "")
        secret = spectator and self.match is not None and self.match.result is None and self.match.secret
        game_id = self.match.id if secret and self.match is not None else None
        message = Said(secrets.token_hex(8), self.id, person, msg, self.context.now(), spectator, game_id)
        if self.context.chat_days:
            await self.context.store.chat.add(message, self._kept_since())
            if self._said is not None:
                self._said.append(message)
        deaf = self.context.speech.deaf_to(person)
        if not secret:
            await self.tell("recieve msg", self._told(message), skip=deaf)
            return
        for member in list(self.members):
            if self.may_read(member, message):
                await self.tell_one(member, "recieve msg", self._told(message))

    def may_read(self, person: str, message: Said) -> bool:
        """Whether someone may read a message: not from whom they have blocked, and at a table with secrets not from its spectators until the game is over."""
        if not self.context.speech.wants(person, message.person_id):
            return False
        running = self.match is not None and self.match.result is None and self.match.id == message.game_id
        return not (running and self.seating.of(person))

    def said_by_another(self, person: str, now: str | None) -> None:
        """What someone has said is another's from now on (a guest turned out to be an account), or (None) is gone with them."""
        if self._said is not None:
            kept = [message if message.person_id != person else None if now is None else replace(message, person_id=now) for message in self._said]
            self._said = deque((message for message in kept if message is not None), MOST_TOLD)

    def _told(self, message: Said) -> dict[str, Any]:
        return {"id": message.id, "who": self.person(message.person_id), "msg": message.text, "at": message.at, "spectator": message.spectator}

    def everything_for(self, person: str) -> Iterator[Piece]:
        """All there is to know, as it is now, and what was said."""
        yield from super().everything_for(person)
        since = self._kept_since()
        yield "chat history", {"messages": [self._told(m) for m in self._said or () if m.at >= since and self.may_read(person, m)]}
