"""Clients for the tests: they check every payload against its schema, and can play a whole game at random."""

import asyncio
import random
import time
from contextlib import AsyncExitStack, asynccontextmanager

import aiohttp
from joserfc import jwt
from joserfc.jwk import OctKey
from pydantic import TypeAdapter
from serving import PATIENT

from hanpan.client import Client, Invalid, Lobby, Room
from hanpan.server.protocol.messages import OUTBOUND

CHECKS = {(namespace, event): TypeAdapter(model) for namespace, events in OUTBOUND.items() for event, model in events.items()}
SEEN = {}  # (namespace, event) → how often it was heard, in this process


def check(namespace, event, payload):
    """Refuse a payload that is not exactly what its event's message says."""
    CHECKS[namespace, event].validate_python(payload, strict=True)


class Checks:
    """Everything heard must be an event of its namespace, with a payload of that event's schema. All of it is kept."""

    most_told = 10**9

    def heard(self, event, payload):
        check(self._namespace, event, payload)
        SEEN[self._namespace, event] = SEEN.get((self._namespace, event), 0) + 1
        super().heard(event, payload)

    async def until(self, condition, timeout=PATIENT):
        await super().until(condition, timeout)  # a busy machine may be compiling a computer player just now

    async def call(self, event, timeout=PATIENT, **payload):
        return await super().call(event, timeout, **payload)

    def events(self, name):
        """All payloads of an event, in order."""
        return [payload for event, payload in self.told if event == name]

    async def hears(self, event, condition=lambda payload: True, since=0):
        """Wait for an event (also one that came already, unless `since` leaves it out) and give its payload."""
        found = []

        def there():
            found[:] = [payload for name, payload in self.told[since:] if name == event and condition(payload)]
            return bool(found)

        await self.until(there)
        return found[0]


class CheckedRoom(Checks, Room):
    """A room."""

    async def play(self, action, ply=None, timeout=PATIENT):
        return await super().play(action, ply, timeout)

    async def my_turn(self, timeout=PATIENT):
        return await super().my_turn(timeout)

    async def sees(self, seat, **expected):
        """Wait until the seat is told to be so."""
        await self.until(lambda: expected.items() <= self.last["player info"]["seats"][seat].items())

    def session(self):
        """Come from another address, if told so: a reverse proxy on this machine is believed."""
        return aiohttp.ClientSession(headers={"X-Forwarded-For": self.address} if self.address else {})

    address = ""


class CheckedLobby(Checks, Lobby):
    """The lobby."""


class Guest(Checks, Client):
    """Someone."""

    room_class = CheckedRoom
    lobby_class = CheckedLobby


@asynccontextmanager
async def guests(url, number, address=""):
    """Some new people, at home at that address."""
    rooms = type("TheirRoom", (CheckedRoom,), {"address": address})
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(type("Someone", (Guest,), {"room_class": rooms})(url)) for _ in range(number)]


async def with_account(person, secret):
    """Let a guest log in by a custom token, and stay the same person."""
    claims = {"sub": person.id, "name": person.person["name"], "iat": int(time.time()), "exp": int(time.time()) + 300, "aud": "hanpan"}
    told = await person.http("POST", "/api/login/token", json={"token": jwt.encode({"alg": "HS256"}, claims, OctKey.import_key(secret))})
    assert (told["person"]["id"], told["kind"]) == (person.id, "account")


async def made_operator(server, id):
    """Make someone an operator of a server in this process, with a second factor."""
    await server.do(lambda: server.services.store.accounts.change(id, role="operator"))
    await server.do(server.services.store.factors.add_totp, id, "sealed", 0, [])


async def sit_down(people, game, bots=(), ready=True, **fields):
    """A room with these people in its first seats, and computer players in the others; all ready unless told otherwise. Games go on without a pause."""
    fields["settings"] = {"pause": 0} | fields.get("settings", {})
    first = await people[0].new_room(game, **fields)
    rooms = [first, *[await person.enter(first.id, fields.get("password")) for person in people[1:]]]
    for seat, room in enumerate(rooms):
        await room.call("sit on", seat=seat)
    for seat in bots:
        await first.call("seat bot", seat=seat, level=1)
    if ready:
        for room in rooms:
            await room.call("set ready")
        for seat, room in enumerate(rooms):
            await room.hears("board info")
            await room.until(lambda room=room, seat=seat: seat in room.private)  # what the seat itself may know comes after it
    return rooms


def some(mine):
    """One of the legal actions: any, but the same one in the same place each time."""
    return random.Random(f"{mine['ply']} {mine['legal']}").choice(mine["legal"])


async def play_on(rooms, choose=some, plies=None, until=lambda room: False):
    """Let everyone play until the game is over, has so many plies or something else is true; how often each acted."""

    def enough(room):
        return bool(room.board.get("over")) or (plies is not None and room.ply >= plies) or until(room)

    async def play(room):
        acted = 0
        while True:
            await room.until(lambda: enough(room) or (room.connected and room.mine() is not None))
            if enough(room):
                return acted
            mine, so_far = room.mine(), len(room.told)
            try:
                await room.play(choose(mine), mine["ply"])
                acted += 1
            except Invalid as refused:
                if refused.code not in ("stale-ply", "game-over", "not-your-turn", "time-up"):
                    raise
            # Any news will do: they may be of a takeback that was not known yet.
            await room.until(lambda since=so_far: enough(room) or any(event == "board info" for event, _ in room.told[since:]))

    return await asyncio.gather(*(play(room) for room in rooms))


def refused(code):
    """`with refused("code"):` — what happens inside is refused with that code."""
    return _Refused(code)


class _Refused:
    def __init__(self, code):
        self.code = code

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        assert isinstance(value, Invalid), f"not refused with {self.code!r}: {value!r}"
        assert value.code == self.code, value
        assert value.text
        return True
