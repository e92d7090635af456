"""Every event that clients may send: its request, what a bot's token must be good for, and what is done. Sockets and the bot API both ask here."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Generic, Protocol, TypeVar

from pydantic import ValidationError

from hanpan.server.people.scopes import Scope
from hanpan.server.protocol.messages import OneRoom, Payload
from hanpan.server.protocol.refusals import Refused
from hanpan.server.protocol.requests import (
    Answer,
    AnswerSeat,
    AutoMove,
    Brief,
    ChangeConfig,
    ClientRequest,
    Connect,
    Draft,
    Enter,
    Invite,
    NewRoom,
    Nothing,
    OneSeat,
    Play,
    PlyOnly,
    Preview,
    QuickMatch,
    Resign,
    SeatBot,
    SendDirect,
    SendMessage,
    SitOn,
    StandUp,
    SwapSeats,
    Why,
)
from hanpan.server.rooms.lobby import Lobby
from hanpan.server.rooms.matchmaking import Pairing
from hanpan.server.rooms.outbox import Telling
from hanpan.server.rooms.registry import Registry
from hanpan.server.rooms.room import Room

Ack = Mapping[str, object]  # what comes back to whoever asked, beside `ok`
P = TypeVar("P")  # where something is asked
R = TypeVar("R", bound=ClientRequest)


class Asker(Protocol):
    """Whoever asks, and the way back to them alone."""

    @property
    def person(self) -> str:
        """Who it is."""

    @property
    def address(self) -> str:
        """Where they are."""

    async def tell(self, event: str, payload: Payload) -> None:
        """Tell them something, in its order among all that they are told."""

    async def show(self, event: str, payload: Payload) -> Ack | None:
        """Tell them what they asked for: an event at a socket, the answer itself over HTTP."""

    async def be_told(self, room: str, by: Telling) -> None:
        """Tell them of a room's games in this way from now on."""


@dataclass(frozen=True)
class InLobby:
    """Someone asks in the lobby."""

    asker: Asker
    lobby: Lobby
    registry: Registry
    matchmaking: Pairing


@dataclass(slots=True)
class InRoom:
    """Someone asks in a room."""

    asker: Asker
    lobby: Lobby
    room: Room

    @property
    def person(self) -> str:
        """Who it is."""
        return self.asker.person


# --- reading ---


@dataclass(slots=True)
class Call(Generic[P]):
    """A request that was read, and is to be done at the place where it was asked."""

    scope: Scope | None
    do: Callable[[P], Awaitable[Ack | None]]


@dataclass(frozen=True)
class Event(Generic[P]):
    """What an event brings, what a bot's token must be good for (None: it only looks, or goes), and what is done; `loud`: the whole lobby is told of it."""

    request: type[ClientRequest]
    scope: Scope | None
    read: Callable[[object], Callable[[P], Awaitable[Ack | None]]]
    loud: bool = False


def event(request: type[R], scope: Scope | None, handle: Callable[[R, P], Awaitable[Ack | None]], loud: bool = False) -> Event[P]:
    """An event, with a handler of its own request: what is asked, and where."""
    return Event(request, scope, lambda given: partial(handle, checked(request, given)), loud)


def checked(schema: type[R], given: object) -> R:
    """A payload that is what its schema says; none at all is an empty one."""
    try:
        return schema.model_validate({} if given is None else given)
    except ValidationError as wrong:
        raise Refused.because_of_fields(wrong.errors(include_url=False, include_input=False)) from None


def read(events: Mapping[str, Event[P]], name: object, *payloads: object) -> Call[P]:
    """What is asked by an event with these payloads."""
    found = events.get(name) if isinstance(name, str) else None
    if found is None:
        raise Refused("unknown-event", event=str(name)[:60])
    if len(payloads) > 1:
        raise Refused("bad-payload", reason="one payload, please")
    return Call(found.scope, found.read(payloads[0] if payloads else None))


# --- what is done ---


async def tell_everything(asker: Asker, room: Room) -> None:
    """All about a room, told in a turn of it: as of one moment, and nothing newer before it. Refused if it has moved, or disappeared, while they waited."""
    if room.state.closed:
        raise Refused("room-moves")
    for name, payload in room.everything_for(asker.person):
        await asker.tell(name, payload)


async def tell_info(request: Nothing, at: InRoom) -> None:
    """All about the room, as soon as it is their turn."""
    async with at.room.state.in_turn(at.person):
        await tell_everything(at.asker, at.room)


async def _brief(request: Brief, at: InRoom) -> None:
    async with at.room.state.in_turn(at.person):  # between two tellings: nothing is told twice, or not at all
        await at.asker.be_told(at.room.id, "brief" if request.yes else "full")


async def _new_room(request: NewRoom, at: InLobby) -> OneRoom:
    made = OneRoom(id=(await at.registry.new_room(at.asker.person, request, at.asker.address)).id)
    await at.asker.show("move to room", made)
    return made


async def _cancel_match(request: Nothing, at: InLobby) -> None:
    at.matchmaking.cancel(at.asker.person)


async def _clock(request: Nothing, at: InRoom) -> Ack | None:
    shown = await at.asker.show("clock info", at.room.publisher.clock(ledger=True))
    return None if shown is None else {"clock": shown}


def _decide(name: str) -> Callable[[PlyOnly, InRoom], Awaitable[Ack]]:
    async def decide(request: PlyOnly, at: InRoom) -> Ack:
        action = at.room.state.game.book.text.SHORTHANDS.get(name)
        if action is None:
            raise Refused("nothing-to-decide")
        return await at.room.play(at.person, request.ply, action)

    return decide


# --- the events ---

LOBBY: dict[str, Event[InLobby]] = {
    "req info": event(Nothing, None, lambda asked, at: at.asker.show("info", at.lobby.listing())),
    "send msg": event(SendMessage, "chat", lambda asked, at: at.lobby.say(at.asker.person, asked.msg)),
    "send dm": event(SendDirect, "chat", lambda asked, at: at.lobby.say(at.asker.person, asked.msg, asked.to)),
    "new room": event(NewRoom, "rooms", _new_room),
    "quick match": event(QuickMatch, "play", lambda asked, at: at.lobby.seek(at.asker, asked)),
    "cancel match": event(Nothing, None, _cancel_match),
}

ROOM: dict[str, Event[InRoom]] = {
    "send invitation": event(Invite, "chat", lambda asked, at: at.lobby.invite(at.room, at.person, asked.to)),
    "req info": event(Nothing, None, tell_info),
    "brief": event(Brief, None, _brief),
    "send msg": event(SendMessage, "chat", lambda asked, at: at.room.say(at.person, asked.msg)),
    "change config": event(
        ChangeConfig, "rooms", lambda asked, at: at.room.change(at.person, asked.game, asked.options, asked.settings, asked.password), loud=True
    ),
    "sit on": event(SitOn, "play", lambda asked, at: at.room.sit(at.person, asked.seat, asked.local), loud=True),
    "stand up": event(StandUp, "play", lambda asked, at: at.room.do(at.room.stand, at.person, asked.seat), loud=True),
    "set ready": event(OneSeat, "play", lambda asked, at: at.room.set_ready(at.person, asked.seat, True), loud=True),
    "cancel ready": event(OneSeat, "play", lambda asked, at: at.room.set_ready(at.person, asked.seat, False), loud=True),
    "swap seats": event(SwapSeats, "play", lambda asked, at: at.room.do(at.room.swap, at.person, asked.one, asked.other), loud=True),
    "play": event(Play, "play", lambda asked, at: at.room.play(at.person, asked.ply, asked.action, asked.game_id)),
    "goshi proceed": event(PlyOnly, "play", _decide("goshi proceed")),
    "goshi deal again": event(PlyOnly, "play", _decide("goshi deal again")),
    "draft": event(Draft, "play", lambda asked, at: at.room.do(at.room.turns.draft, at.person, asked.ply, asked.clicks)),
    "resign": event(Resign, "play", lambda asked, at: at.room.do(at.room.offers.resign, at.person, asked.seat)),
    "answer resign": event(Answer, "play", lambda asked, at: at.room.do(at.room.offers.answer_resign, at.person, asked.yes)),
    "offer draw": event(OneSeat, "play", lambda asked, at: at.room.do(at.room.offers.offer_draw, at.person, asked.seat)),
    "answer draw": event(Answer, "play", lambda asked, at: at.room.do(at.room.offers.answer_draw, at.person, asked.yes)),
    "ask takeback": event(OneSeat, "play", lambda asked, at: at.room.do(at.room.offers.ask_takeback, at.person, asked.seat)),
    "answer takeback": event(Answer, "play", lambda asked, at: at.room.do(at.room.offers.answer_takeback, at.person, asked.yes)),
    "rematch": event(Nothing, "play", lambda asked, at: at.room.do(at.room.offers.ask_rematch, at.person)),
    "restart": event(Nothing, "play", lambda asked, at: at.room.do(at.room.offers.restart, at.person)),
    "seat bot": event(SeatBot, "play", lambda asked, at: at.room.do(at.room.seat_bot, at.person, asked.seat, asked.level), loud=True),
    "auto move": event(AutoMove, "play", lambda asked, at: at.room.do(at.room.turns.auto_move, at.person, asked.seat, asked.level)),
    "answer seat": event(AnswerSeat, "play", lambda asked, at: at.room.do(at.room.presence.answer_seat, at.person, asked.seat, asked.yes)),
    "leave room": event(Nothing, None, lambda asked, at: at.room.do(at.room.presence.depart, at.person)),
    "clock info": event(Nothing, None, _clock),
    "why": event(Why, None, lambda asked, at: at.room.advice.why(at.person, asked.ply, asked.clicks)),
    "preview": event(Preview, "play", lambda asked, at: at.room.advice.preview(at.person, asked.ply, asked.action)),
    "hint": event(PlyOnly, "play", lambda asked, at: at.room.advice.hint(at.person, asked.ply)),
}

CONNECT: dict[str, type[Connect]] = {"/": Connect, "/lobby": Connect, "/room": Enter}
EVENTS: dict[str, Mapping[str, Event[InLobby] | Event[InRoom]]] = {"/": {}, "/lobby": LOBBY, "/room": ROOM}
INBOUND: dict[str, dict[str, type[ClientRequest]]] = {
    namespace: {name: known.request for name, known in events.items()} for namespace, events in EVENTS.items()
}
