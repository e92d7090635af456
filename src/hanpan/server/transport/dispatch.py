"""Wishes and how they are granted, whichever way they came in: checked against their schemas, then done."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic import ValidationError

from hanpan.server.people.identity import People
from hanpan.server.people.scopes import scope_of
from hanpan.server.people.speech import Speech
from hanpan.server.protocol.refusals import Refused
from hanpan.server.protocol.requests import Wish
from hanpan.server.rooms.lobby import Lobby
from hanpan.server.rooms.matchmaking import Matchmaking
from hanpan.server.rooms.outbox import Outbox
from hanpan.server.rooms.registry import Registry
from hanpan.server.rooms.room import Room


def checked(schema: type[Wish], given: object) -> Wish:
    """A payload that is what its schema says; none at all is an empty one."""
    try:
        return schema.model_validate({} if given is None else given)
    except ValidationError as wrong:
        raise Refused.because_of_fields(wrong.errors(include_url=False, include_input=False)) from None


class Dispatch:
    """Does what is wished."""

    def __init__(
        self, people: People, speech: Speech, outbox: Outbox, registry: Registry, matchmaking: Matchmaking, lobby: Lobby, now: Callable[[], int]
    ) -> None:
        self._people, self._speech, self._outbox, self._registry, self._matchmaking = people, speech, outbox, registry, matchmaking
        self._lobby, self._now = lobby, now

    async def in_lobby(self, person: str, event: str, wish: Any, address: str) -> dict[str, Any] | None:
        """A wish in the lobby, from someone at an address."""
        self._people.check_scope(person, scope_of(event))
        if event in ("send msg", "send dm"):
            await self._say(person, wish.msg, wish.to if event == "send dm" else None)
        elif event == "new room":
            return {"id": (await self._registry.new_room(person, wish, address)).id}
        elif event == "quick match":
            await self._matchmaking.ask(person, wish)
        elif event == "cancel match":
            self._matchmaking.cancel(person)
        return None

    async def _say(self, person: str, msg: str, to: str | None) -> None:
        """A message to everyone in the lobby, or to one of them."""
        if to is not None and to not in self._lobby.online:
            raise Refused("not-online")
        said = await self._speech.may_say(person, msg, "lobby" if to is None else "")
        message = {"who": self._people.person_info(person), "msg": said, "at": self._now()}
        if to is None:
            await self._outbox.to_lobby("recieve msg", message, skip=self._speech.deaf_to(person))
        elif await self._speech.hears(to, person):  # whoever is not heard is not told so
            await self._outbox.to_visitor(to, "recieve dm", message)

    async def in_room(self, room: Room, person: str, event: str, wish: Any) -> dict[str, Any] | None:
        """A wish in a room."""
        self._people.check_scope(person, scope_of(event))
        if event == "send invitation":
            await self._lobby.invite(room, person, wish.to)
            return None
        return await _GRANTED[event](room, person, wish)  # type: ignore[no-any-return]


def _decide(event: str) -> Any:
    async def decide(room: Room, person: str, wish: Any) -> dict[str, Any]:
        action = room.state.game.book.text.SHORTHANDS.get(event)
        if action is None:
            raise Refused("nothing-to-decide")
        return await room.turns.play(person, wish.ply, action)

    return decide


_GRANTED: dict[str, Any] = {
    "send msg": lambda room, person, wish: room.chat.say(person, wish.msg),
    "change config": lambda room, person, wish: room.change(person, wish.game, wish.options, wish.settings, wish.password),
    "sit on": lambda room, person, wish: room.sit(person, wish.seat, wish.local),
    "stand up": lambda room, person, wish: room.stand(person, wish.seat),
    "set ready": lambda room, person, wish: room.set_ready(person, wish.seat, True),
    "cancel ready": lambda room, person, wish: room.set_ready(person, wish.seat, False),
    "swap seats": lambda room, person, wish: room.swap(person, wish.one, wish.other),
    "seat bot": lambda room, person, wish: room.seat_bot(person, wish.seat, wish.level),
    "auto move": lambda room, person, wish: room.turns.auto_move(person, wish.seat, wish.level),
    "answer seat": lambda room, person, wish: room.presence.answer_seat(person, wish.seat, wish.yes),
    "leave room": lambda room, person, wish: room.presence.depart(person),
    "play": lambda room, person, wish: room.turns.play(person, wish.ply, wish.action, wish.game_id),
    "goshi proceed": _decide("goshi proceed"),
    "goshi deal again": _decide("goshi deal again"),
    "draft": lambda room, person, wish: room.turns.draft(person, wish.ply, wish.clicks),
    "resign": lambda room, person, wish: room.offers.resign(person, wish.seat),
    "offer draw": lambda room, person, wish: room.offers.offer_draw(person, wish.seat),
    "answer draw": lambda room, person, wish: room.offers.answer_draw(person, wish.yes),
    "ask takeback": lambda room, person, wish: room.offers.ask_takeback(person, wish.seat),
    "answer takeback": lambda room, person, wish: room.offers.answer_takeback(person, wish.yes),
    "rematch": lambda room, person, wish: room.offers.ask_rematch(person),
    "restart": lambda room, person, wish: room.offers.restart(person),
    "why": lambda room, person, wish: room.advice.why(person, wish.ply, wish.clicks),
    "preview": lambda room, person, wish: room.advice.preview(person, wish.ply, wish.action),
    "hint": lambda room, person, wish: room.advice.hint(person, wish.ply),
}
