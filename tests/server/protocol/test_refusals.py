"""What is refused, and how: always with a code and a sentence; the connection and the table live on."""

import asyncio
import re
from dataclasses import replace
from pathlib import Path

import pytest
from clients import Guest, guests, play_on, refused, sit_down

import hanpan.server
from hanpan.client import Invalid, Room
from hanpan.core.words import LANGUAGES, Phrase, say
from hanpan.server.protocol.refusals import Refused
from hanpan.server.transport.dispatch import INBOUND

SOURCES = sorted(Path(hanpan.server.__file__).parent.rglob("*.py"))


async def refuses(line, event, payload, code):
    """A request is refused in the answer and by an event, with the same words."""
    so_far = len(line.told)
    with refused(code):
        await line.send(event, payload)
    told = await line.hears("invalid action", lambda told: told["event"] == str(event)[:60], since=so_far)
    assert told["code"] == code
    assert told["text"]
    assert told["phrase"]["key"].split(".")[-1] == code


NONSENSE = [None, 7, 1.5, True, "text", [], [1], {"plies": 1}, {"": ""}, {"seat": {"deep": [[[[]]]]}}, "x" * 60_000, {"x" * 60_000: 1}]


@pytest.mark.slow
async def test_nonsense_in_every_event(server):
    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "kulami")
        lobby = await people[0].enter_lobby()
        for line, namespace in ((lobby, "/lobby"), (rooms[0], "/room")):
            for event, schema in INBOUND[namespace].items():
                needed = [name for name, field in schema.model_fields.items() if field.is_required()]
                for nonsense in NONSENSE:
                    if nonsense is None and not needed:
                        continue
                    await refuses(line, event, nonsense, "bad-payload")
        assert rooms[0].ply == 0
        await play_on(rooms)
        await rooms[0].hears("game over")


@pytest.mark.parametrize(
    ("event", "payload"),
    [
        ("play", {"ply": 0, "action": "e5", "more": 1}),  # a field too many
        ("play", {"ply": 0}),
        ("play", {"ply": "0", "action": "e5"}),
        ("play", {"ply": 0.0, "action": "e5"}),
        ("play", {"ply": True, "action": "e5"}),
        ("play", {"ply": -1, "action": "e5"}),
        ("play", {"ply": 0, "action": ""}),
        ("play", {"ply": 0, "action": "e" * 1000}),
        ("play", {"ply": 0, "action": ["e5"]}),
        ("sit on", {"seat": -1}),
        ("sit on", {"seat": 99}),
        ("sit on", {"seat": "0"}),
        ("sit on", {"seat": 0, "local": 1}),
        ("send msg", {"msg": "   "}),
        ("send msg", {"msg": "x" * 501}),
        ("seat bot", {"seat": 0, "level": 9}),
        ("seat bot", {"seat": 0}),
        ("draft", {"ply": 0, "clicks": ["a"] * 9}),
        ("change config", {"settings": {"rated": "yes"}}),
        ("change config", {"settings": {"lowest": -5}}),
        ("change config", {"settings": {"on_timeout": "explode"}}),
        ("change config", {"options": {"level": None}}),
        ("change config", {"options": {"level": [1]}}),
    ],
)
async def test_every_field_is_checked(server, event, payload):
    async with Guest(server.url) as me:
        room = await me.new_room("kulami")
        await refuses(room, event, payload, "bad-payload")


async def test_more_than_one_payload_and_events_that_are_none(server):
    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "kulami")
        await refuses(rooms[0], "play", ({"ply": 0, "action": "e5"}, {}), "bad-payload")
        for event in ("dance", "", "Play", "claim", "rename", "x" * 5000, "connect", "disconnect", "*", "__proto__"):
            await refuses(rooms[0], event, {}, "unknown-event")
        await refuses(rooms[0], "connect", {"token": people[1].token, "room": rooms[0].id}, "unknown-event")
        assert rooms[0].last["player info"]["seats"][0]["connected"], "nobody can pretend to have left"
        await play_on(rooms, plies=2)


async def test_raw_nonsense_on_the_wire_hurts_nobody_else(server):
    async with guests(server.url, 3) as people:
        rooms = await sit_down(people[:2], "kulami")
        rough = await people[2].enter(rooms[0].id)
        for text in ("2/room,", "2/room,{}", "2/room,[", "2/room,7[1,", "9", "4/room,{}", "é", "2/room,[" + 60_000 * "["):
            so_far = len(rough.told)
            await rough._io.eio.send(text)
            assert (await rough.hears("invalid action", since=so_far))["code"] == "bad-payload"
        for text in ("2/room,[{}]", "2/room,[null]", "2/room,[7,{}]"):
            so_far = len(rough.told)
            await rough._io.eio.send(text)
            assert (await rough.hears("invalid action", since=so_far))["code"] in ("unknown-event", "bad-payload")
        for text in ("3/room,1[]", "3/room,99[7]", "0/nowhere,", "2/nowhere,[1]", "45-/room,[]", "1"):
            await rough._io.eio.send(text)
        await play_on(rooms)
        await rooms[0].hears("game over")


async def test_who_what_and_when_of_an_action(server):
    async with guests(server.url, 3) as people:
        rooms = await sit_down(people[:2], "kulami", ready=False)
        watching = await people[2].enter(rooms[0].id)
        await refuses(rooms[0], "play", {"ply": 0, "action": "e5"}, "no-game")
        await refuses(rooms[0], "clock info", {}, "no-game")
        await refuses(rooms[0], "resign", {}, "no-game")
        for room in rooms:
            await room.call("set ready")
        await rooms[0].hears("private board info")
        await refuses(watching, "play", {"ply": 0, "action": "e5"}, "not-seated")
        await refuses(watching, "resign", {}, "not-your-seat")
        await refuses(rooms[1], "play", {"ply": 0, "action": "e5"}, "not-your-turn")
        await refuses(rooms[0], "play", {"ply": 1, "action": "e5"}, "stale-ply")
        await refuses(rooms[0], "play", {"ply": 0, "action": "a1"}, "no-hole")
        await refuses(rooms[0], "play", {"ply": 0, "action": "hello"}, "unreadable")
        await refuses(rooms[0], "goshi proceed", {"ply": 0}, "nothing-to-decide")
        await rooms[0].play("e5")
        await rooms[0].play("e5", 0)
        await refuses(rooms[0], "play", {"ply": 0, "action": "e6"}, "stale-ply")
        await refuses(rooms[1], "play", {"ply": 0, "action": "e5"}, "stale-ply")
        await play_on(rooms)
        await rooms[0].hears("game over")
        await refuses(rooms[0], "play", {"ply": rooms[0].ply, "action": "e5"}, "game-over")


async def test_the_same_action_twice_or_from_two_tabs_counts_once(server):
    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "kulami")
        tab = await people[0].enter(rooms[0].id)
        for ply in range(0, 10, 2):
            await tab.until(lambda ply=ply: tab.ply == ply and tab.mine() is not None)
            await rooms[0].until(lambda ply=ply: rooms[0].ply == ply and rooms[0].mine() is not None)
            action = tab.mine()["legal"][0]
            answers = await asyncio.gather(*(line.play(action, ply) for line in (tab, rooms[0], tab, rooms[0])))
            assert answers == [{"ok": True, "ply": ply}] * 4
            await play_on(rooms[1:], plies=ply + 2)
        told = await people[0].http("GET", f"/api/records/{rooms[0].last['room updated']['game_id']}.json")
        assert len(told["actions"]) == 10


async def test_two_tabs_that_want_different_things_get_one(server):
    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "kulami")
        tab = await people[0].enter(rooms[0].id)
        answers = await asyncio.gather(tab.play("e5", 0), rooms[0].play("e6", 0), return_exceptions=True)
        assert sorted(type(answer) for answer in answers if isinstance(answer, Invalid)) == [Invalid]
        assert [answer.code for answer in answers if isinstance(answer, Invalid)] == ["stale-ply"]


async def test_two_people_on_one_seat_at_once(server):
    async with guests(server.url, 6) as people:
        first = await people[0].new_room("kulami")
        rooms = [await person.enter(first.id) for person in people[1:]]
        answers = await asyncio.gather(*(room.call("sit on", seat=1) for room in rooms), return_exceptions=True)
        assert sorted(answer.code for answer in answers if isinstance(answer, Invalid)) == ["seat-taken"] * 4


async def test_a_room_that_is_not_there(server):
    async with Guest(server.url) as me:
        for id in ("", "nowhere", None, 7, ["x"], {"a": 1}, "x" * 10_000):
            room = Room(server.url, id, me.token)
            with refused("no-such-room" if isinstance(id, str) else "bad-payload"):
                await room.open()
            assert [event for event, _ in room.told] == ["invalid action"]
        stranger = Room(server.url, "nowhere", "not a token")
        with refused("unauthorized"):
            await stranger.open()
        assert [event for event, _ in stranger.told] == ["invalid action"]


# --- faults of our own ---


@pytest.fixture
def broken(monkeypatch):
    """The toy game with a switch: `broken("apply")` breaks that part of its rules, `broken(None)` mends everything."""
    book = hanpan.game("tictactoe").book

    def fails(*what):
        raise RuntimeError("a secret that must not be logged")

    def switch(module, name=None):
        if name is None:
            monkeypatch.undo()
        elif module == "rules":
            monkeypatch.setattr(book, name, fails)
        else:
            monkeypatch.setattr(book, module, replace(getattr(book, module), **{name: fails}))

    return switch


@pytest.mark.parametrize(("module", "name"), [("rules", "apply"), ("rules", "mover"), ("text", "format_action"), ("rules", "legal"), ("scene", "clicks")])
async def test_a_fault_in_the_rules_refuses_the_action_and_charges_nobody(local_server, broken, caplog, module, name):
    server = local_server().hold_clock()
    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "tictactoe", settings={"time": {"kind": "byoyomi", "main_ms": 60_000, "byoyomi_ms": 30_000}})
        await rooms[0].play("a1")
        await rooms[1].hears("private board info", lambda own: own["ply"] == 1)
        await server.later(40)
        broken(module, name)
        await refuses(rooms[1], "play", {"ply": 1, "action": "b2"}, "our-fault")
        broken(None)
        clock = rooms[1].last["clock info"]
        assert clock["remaining"][1]["main"] > 50_000, "the turn began anew: the forty seconds before the fault are forgiven"
        assert 80_000 < clock["deadline"] - clock["now"] <= 90_000
        assert rooms[1].ply == 1
        await rooms[1].play("b2")
        await play_on(rooms)
        await rooms[0].hears("game over")
    assert "RuntimeError" in caplog.text
    assert "secret" not in caplog.text


async def test_a_fault_in_telling_does_not_undo_what_is_stored(local_server, broken):
    server = local_server()
    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "tictactoe")
        broken("text", "format_position")
        assert await rooms[0].play("a1") == {"ok": True, "ply": 0}
        broken(None)
        await rooms[1].call("req info")
        await rooms[1].hears("private board info", lambda own: own["ply"] == 1)
        await rooms[1].play("b2", 1)
        await play_on(rooms)


async def test_a_storage_that_fails_refuses_and_goes_on(local_server, monkeypatch):
    server = local_server()
    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "tictactoe")

        async def fails(*what):
            raise OSError("the disk is full")

        with monkeypatch.context() as patch:
            patch.setattr(server.services.store, "append", fails)
            await refuses(rooms[0], "play", {"ply": 0, "action": "a1"}, "our-fault")
            await refuses(rooms[0], "resign", {}, "our-fault")
        assert not rooms[0].events("game over")
        await play_on(rooms)
        assert len((await rooms[0].hears("game over"))["ratings"]) == 2


async def test_what_another_process_has_stored_first_counts(local_server):
    server = local_server()
    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "tictactoe")
        table = server.services.registry.rooms[rooms[0].id].state.match
        other = type(table)(table.id, table.game, table.control, table.started_at)
        played, _ = other.timed("c3", server.services.now(), server.services.now(), other.read("c3"))
        assert await server.do(server.services.store.append, table.id, 0, played)
        await refuses(rooms[0], "play", {"ply": 0, "action": "a1"}, "stale-ply")
        board = await rooms[1].hears("board info", lambda board: board["ply"] == 1)
        assert board["last"] == "c3"
        await play_on(rooms)


async def test_a_computer_player_that_fails_is_tried_again(local_server, monkeypatch):
    monkeypatch.setattr("hanpan.server.rooms.turns.AGAIN_SECONDS", 0.01)
    server = local_server()
    async with guests(server.url, 1) as people:
        (room,) = await sit_down(people, "tictactoe", bots=(1,))
        right, tries = server.services.context.bots.choose, []

        async def fails_twice(*what):
            tries.append(what)
            if len(tries) < 3:
                raise RuntimeError("no idea")
            return await right(*what)

        server.services.context.bots.choose = fails_twice
        await room.play("b2")
        await room.hears("board info", lambda board: board["ply"] == 2)
        assert len(tries) == 3


# --- the words ---


def codes():
    """Every code that the server refuses with, and the values of its sentence."""
    found = {}
    for path in SOURCES:
        for code, values in re.findall(r'Refused\(\s*"([a-z-]+)"((?:, \w+=)?[^)]*)', path.read_text("utf-8")):
            found.setdefault(code, set()).update(re.findall(r"(\w+)=", values))
    return found


def test_the_codes_are_found():
    assert {"stale-ply", "our-fault", "wrong-password", "unauthorized", "no-such-room", "time-up"} <= set(codes())
    assert codes()["stale-ply"] == {"ply", "now"}


PHRASED = {
    "bad-value": {"reason"},
    "unknown-token": set(),
    **{f"banned{where}{end}": set() if end else {"until"} for where in ("", "-here") for end in ("", "-for-good")},
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_has_words(language):
    said = set()
    for code, values in {**codes(), **PHRASED}.items():
        sentence = say("hanpan", Phrase(f"server.{code}", dict.fromkeys(values, "…")), language)
        assert sentence.strip()
        assert sentence not in said, f"{code} sounds like another refusal"
        said.add(sentence)


def test_a_refusal_speaks_every_language():
    texts = {Refused("seat-taken", seat=2).json("sit on", language)["text"] for language in LANGUAGES}
    assert len(texts) == len(LANGUAGES)
