"""Requests, whichever way they came in: checked against their schemas, then handed to what does them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import ValidationError

from hanpan.server.people.identity import People
from hanpan.server.people.scopes import scope_of
from hanpan.server.people.speech import Speech
from hanpan.server.protocol.messages import Message
from hanpan.server.protocol.refusals import Refused
from hanpan.server.protocol.requests import ClientRequest
from hanpan.server.rooms.lobby import Lobby
from hanpan.server.rooms.matchmaking import Matchmaking
from hanpan.server.rooms.outbox import Outbox
from hanpan.server.rooms.registry import Registry
from hanpan.server.rooms.room import Room

Ack = Mapping[str, object]  # what comes back to whoever asked, beside `ok`


def checked(schema: type[ClientRequest], given: object) -> ClientRequest:
    """A payload that is what its schema says; none at all is an empty one."""
    try:
        return schema.model_validate({} if given is None else given)
    except ValidationError as wrong:
        raise Refused.because_of_fields(wrong.errors(include_url=False, include_input=False)) from None


class Dispatch:
    """Hands requests to what does them."""

    def __init__(
        self, people: People, speech: Speech, outbox: Outbox, registry: Registry, matchmaking: Matchmaking, lobby: Lobby, now: Callable[[], int]
    ) -> None:
        self._people, self._speech, self._outbox, self._registry, self._matchmaking = people, speech, outbox, registry, matchmaking
        self._lobby, self._now = lobby, now

    async def in_lobby(self, person: str, event: str, request: Any, address: str) -> Ack | None:
        """A request in the lobby, from someone at an address."""
        self._people.check_scope(person, scope_of(event))
        if event in ("send msg", "send dm"):
            await self._say(person, request.msg, request.to if event == "send dm" else None)
        elif event == "new room":
            return {"id": (await self._registry.new_room(person, request, address)).id}
        elif event == "quick match":
            await self._matchmaking.ask(person, request)
        elif event == "cancel match":
            self._matchmaking.cancel(person)
        return None

    async def _say(self, person: str, msg: str, to: str | None) -> None:
        """A message to everyone in the lobby, or to one of them."""
        if to is not None and to not in self._lobby.online:
            raise Refused("not-online")
        said = await self._speech.may_say(person, msg, "lobby" if to is None else "")
        message = Message(who=self._people.person_info(person), msg=said, at=self._now())
        if to is None:
            await self._outbox.to_lobby("recieve msg", message, skip=self._speech.deaf_to(person))
        elif await self._speech.hears(to, person):  # whoever is not heard is not told so
            await self._outbox.to_visitor(to, "recieve dm", message)

    async def in_room(self, room: Room, person: str, event: str, request: Any) -> Ack | None:
        """A request in a room."""
        self._people.check_scope(person, scope_of(event))
        if event == "send invitation":
            await self._lobby.invite(room, person, request.to)
            return None
        return await _HANDLERS[event](room, person, request)  # type: ignore[no-any-return]


def _decide(event: str) -> Any:
    async def decide(room: Room, person: str, request: Any) -> Ack:
        action = room.state.game.book.text.SHORTHANDS.get(event)
        if action is None:
            raise Refused("nothing-to-decide")
        return await room.turns.play(person, request.ply, action)

    return decide


_HANDLERS: dict[str, Any] = {
    "send msg": lambda room, person, request: room.say(person, request.msg),
    "change config": lambda room, person, request: room.change(person, request.game, request.options, request.settings, request.password),
    "sit on": lambda room, person, request: room.sit(person, request.seat, request.local),
    "stand up": lambda room, person, request: room.do(room.stand, person, request.seat),
    "set ready": lambda room, person, request: room.set_ready(person, request.seat, True),
    "cancel ready": lambda room, person, request: room.set_ready(person, request.seat, False),
    "swap seats": lambda room, person, request: room.do(room.swap, person, request.one, request.other),
    "seat bot": lambda room, person, request: room.do(room.seat_bot, person, request.seat, request.level),
    "auto move": lambda room, person, request: room.do(room.turns.auto_move, person, request.seat, request.level),
    "answer seat": lambda room, person, request: room.do(room.presence.answer_seat, person, request.seat, request.yes),
    "leave room": lambda room, person, request: room.do(room.presence.depart, person),
    "play": lambda room, person, request: room.turns.play(person, request.ply, request.action, request.game_id),
    "goshi proceed": _decide("goshi proceed"),
    "goshi deal again": _decide("goshi deal again"),
    "draft": lambda room, person, request: room.do(room.turns.draft, person, request.ply, request.clicks),
    "resign": lambda room, person, request: room.do(room.offers.resign, person, request.seat),
    "offer draw": lambda room, person, request: room.do(room.offers.offer_draw, person, request.seat),
    "answer draw": lambda room, person, request: room.do(room.offers.answer_draw, person, request.yes),
    "ask takeback": lambda room, person, request: room.do(room.offers.ask_takeback, person, request.seat),
    "answer takeback": lambda room, person, request: room.do(room.offers.answer_takeback, person, request.yes),
    "rematch": lambda room, person, request: room.do(room.offers.ask_rematch, person),
    "restart": lambda room, person, request: room.do(room.offers.restart, person),
    "why": lambda room, person, request: room.advice.why(person, request.ply, request.clicks),
    "preview": lambda room, person, request: room.advice.preview(person, request.ply, request.action),
    "hint": lambda room, person, request: room.advice.hint(person, request.ply),
}
