"""The protocol: exactly the events that were agreed on, their schemas, and the document made from them."""

import json
import subprocess
import sys
from pathlib import Path
from typing import get_args

import jsonschema
import pytest
from clients import CheckedLobby, CheckedRoom, Guest, check, guests, refused
from javascript import FOLDER, prepared

from hanpan.server.protocol.asyncapi import asyncapi
from hanpan.server.protocol.messages import OUTBOUND, BotAccount, Payload
from hanpan.server.transport.dispatch import CONNECT, INBOUND

ROOT = Path(__file__).parents[3]
HEARD = {namespace: {"connect": CONNECT[namespace], **events} for namespace, events in INBOUND.items()}

# The names are fixed, also their spelling.
TO_SERVER = {
    "/": "",
    "/lobby": "req info, send msg, new room, send dm, quick match, cancel match",
    "/room": "send invitation, req info, brief, send msg, change config, sit on, stand up, set ready, cancel ready, swap seats, play, goshi proceed, "
    "goshi deal again, draft, resign, answer resign, offer draw, answer draw, ask takeback, answer takeback, rematch, restart, seat bot, auto move, "
    "answer seat, leave room, clock info, why, preview, hint",
}
TO_CLIENT = {
    "/": "login info, unauthorized, invalid action, come back, interrupted",
    "/lobby": "account, info, user joined, user left, user updated, recieve msg, room created, room updated, room removed, move to room, "
    "recieved invitation, recieve dm, unauthorized, invalid action, come back, interrupted",
    "/room": "info, user joined, user left, user updated, recieve msg, chat history, config updated, room updated, player info, game history info, board info, "
    "private board info, goshi decision, goshi wait, goshi solve, ready timer, draft, ply, offer draw, answer draw, ask takeback, answer takeback, resign, "
    "answer resign, rematch, ask seat, answer seat, clock info, game over, invalid action, come back, interrupted",
}

# The least that each request needs.
LEAST = {
    "send msg": {"msg": "hello"},
    "new room": {"game": "tictactoe"},
    "send dm": {"to": "someone", "msg": "hello"},
    "quick match": {"game": "tictactoe"},
    "send invitation": {"to": "someone"},
    "brief": {"yes": True},
    "sit on": {"seat": 0},
    "swap seats": {"one": 0, "other": 1},
    "play": {"ply": 0, "action": "e5"},
    "goshi proceed": {"ply": 0},
    "goshi deal again": {"ply": 0},
    "draft": {"ply": 0, "clicks": []},
    "answer resign": {"yes": True},
    "answer draw": {"yes": True},
    "answer takeback": {"yes": True},
    "seat bot": {"seat": 0, "level": 1},
    "auto move": {"level": 1},
    "answer seat": {"seat": 0, "yes": True},
    "why": {"ply": 0, "clicks": ["e5"]},
    "preview": {"ply": 0, "action": "e5"},
    "hint": {"ply": 0},
}


@pytest.mark.parametrize(("events", "names"), [(INBOUND, TO_SERVER), (OUTBOUND, TO_CLIENT)])
def test_the_events_are_exactly_these(events, names):
    assert {namespace: set(table) for namespace, table in events.items()} == {key: set(filter(None, text.split(", "))) for key, text in names.items()}


def test_every_request_is_readable_and_none_takes_a_field_too_many():
    for table in INBOUND.values():
        for event, schema in table.items():
            least = LEAST.get(event, {})
            schema.model_validate(least)
            for name in least:
                with pytest.raises(ValueError, match=name):
                    schema.model_validate({key: value for key, value in least.items() if key != name})
            with pytest.raises(ValueError, match="surprise"):
                schema.model_validate({**least, "surprise": 1})


async def test_a_field_too_many_is_refused_in_every_event(server):
    async with guests(server.url, 1) as [me]:
        room = await me.new_room("tictactoe")
        lobby = await me.enter_lobby()
        for line, namespace in ((lobby, "/lobby"), (room, "/room")):
            for event in INBOUND[namespace]:
                with refused("bad-payload"):
                    await line.send(event, {**LEAST.get(event, {}), "surprise": 1})
                assert "surprise" in line.last["invalid action"]["text"]
        nested = {"game": "tictactoe", "settings": {"surprise": 1}}
        with refused("bad-payload"):
            await lobby.send("new room", nested)


@pytest.mark.parametrize("wrong", [{"surprise": 1}, {"token": 7}, {"room": 7}, {"password": ["sesame"]}, {"scenes": "yes"}])
async def test_a_connect_payload_has_a_schema_too(server, wrong):
    async with guests(server.url, 1) as [me]:
        room = await me.new_room("tictactoe")
        unwelcome = [CheckedRoom(server.url, room.id, me.token)]
        if "surprise" in wrong or "token" in wrong:
            unwelcome += [CheckedLobby(server.url, me.token), Guest(server.url)]
        for line in unwelcome:
            line._auth |= wrong
            with refused("bad-payload"):
                await line.open()


@pytest.mark.slow
async def test_the_document_of_the_events_is_made_from_the_schemas(server):
    async with guests(server.url, 1) as [me]:
        document = await me.http("GET", "/asyncapi.json")
    assert document == json.loads(json.dumps(asyncapi(HEARD)))
    for channel in document["channels"].values():
        told = {}
        for id in channel["messages"]:
            way = document["operations"][id]["action"]
            told.setdefault(way, set()).add(document["components"]["messages"][id]["name"])
        namespace = channel["address"]
        assert told["receive"] == {"connect", *INBOUND[namespace]}
        assert told["send"] == set(OUTBOUND[namespace])
    schemas = document["components"]["schemas"]
    requests = {schema.__name__ for table in (*INBOUND.values(), CONNECT) for schema in table.values()}
    assert all(schemas[name]["additionalProperties"] is False for name in requests)
    example = {"$ref": "#/components/schemas/Play", "components": document["components"]}
    jsonschema.validate({"ply": 3, "action": "e5"}, example)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"ply": 3, "action": "e5", "surprise": 1}, example)


def test_the_document_of_the_events_is_what_asyncapi_says():
    prepared()
    official = json.loads((FOLDER / "node_modules" / "@asyncapi" / "specs" / "schemas" / "3.0.0-without-$id.json").read_text())
    jsonschema.Draft7Validator(official).validate(asyncapi(HEARD))


@pytest.mark.slow
def test_the_pages_types_are_those_of_the_messages():
    """Run tools/types_of_messages.py where they are not."""
    done = subprocess.run([sys.executable, str(ROOT / "tools" / "types_of_messages.py"), "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_whatever_is_told_is_a_message_of_some_event():
    told = {message for events in OUTBOUND.values() for message in events.values()}
    assert set(get_args(Payload)) == told | {BotAccount}


def test_a_message_leaves_out_what_it_has_no_value_for():
    check("/lobby", "user joined", {"id": "a", "name": "A"})
    with pytest.raises(ValueError, match="rank"):
        check("/lobby", "user joined", {"id": "a", "name": "A", "rank": None})
    with pytest.raises(ValueError, match="surprise"):
        check("/lobby", "user joined", {"id": "a", "name": "A", "surprise": 1})
