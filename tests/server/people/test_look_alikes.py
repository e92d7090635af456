"""Names that look alike are one name, whoever wants it: guests, accounts, bots, those who come from another site; and changing it is speaking."""

import asyncio
import time

import pytest
from alembic.migration import MigrationContext
from alembic.operations import Operations
from clients import guests, made_operator, refused
from joserfc import jwt
from joserfc.jwk import OctKey
from logging_in import browser
from sqlalchemy import create_engine, text

from hanpan.client import Invalid
from hanpan.core.words import LANGUAGES, load
from hanpan.server.people.limits import Buckets
from hanpan.server.protocol.names import proper
from hanpan.server.storage import migrate
from hanpan.server.storage.migrations import s0006_called as step
from hanpan.server.storage.names import folded

SECRET = "a secret that is shared with our own site"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann", "ann"), ("Ann", "Аnn"), ("Ann", "Αnn"), ("Ann", "Ａｎｎ"), ("Ann", "𝐀𝐧𝐧"), ("Ann Lee", "AnnLee"), ("Ann", "A\u3164nn"),
        ("Bob", "B0b"), ("Ian", "lan"), ("Ian", "ian"), ("Kim", "K1m"), ("modern", "rnodern"), ("PayPal", "раураl"), ("カ", "力"), ("ロビン", "口ビン"),
        ("가람", "가람"), ("café", "cafe\u0301"),
    ],
)  # fmt: skip
def test_what_looks_alike_is_one_name(one, other):
    assert folded(one) == folded(other)


@pytest.mark.parametrize(("one", "other"), [("Ann", "Anna"), ("Ann", "Änn"), ("가람", "가랑"), ("さくら", "ざくら"), ("小明", "小月"), ("Sky 2", "Sky 3")])
def test_what_looks_different_is_not(one, other):
    assert folded(one) != folded(other)


@pytest.mark.parametrize(
    "name",
    [
        "bot 3",
        "bоt 3",
        "ВОТ 3",
        "b0t 3",
        "bot3",
        "Pebble",
        "Реbble",
        "조약돌",
        "Operator",
        "0perat0r",
        "Оperator 1",
        "운영자",
        "管理员",
        "\u3164",
        "⠀",
        "—",
        "ー",
    ],
)
def test_nobody_is_called_like_the_house_or_its_computer_players_or_nothing_at_all(name):
    with pytest.raises(ValueError, match=r"name|look"):
        proper(name)


def test_every_computer_players_name_is_taken_in_every_language():
    for language in LANGUAGES:
        for level, names in load("hanpan", language)["computers"].items():
            for nth in "012":
                with pytest.raises(ValueError, match="computer"):
                    proper(names[nth])
            assert level in "12345678"


@pytest.fixture
def server(local_server):
    return local_server(token_secret=SECRET)


async def test_a_guest_takes_nobodys_name_neither_an_operators(server):
    async with browser(server.url) as boss, browser(server.url) as other:
        mine = (await boss.post("/api/guest"))["person"]["id"]
        await other.post("/api/guest")
        assert (await boss.ask("PATCH", "/api/me", json={"name": "Mina"}))[0] == 200
        await made_operator(server, mine)
        for name in ("Mina", "mina", "Мina", "Mlna", "M ina"):
            assert await other.refused("PATCH", "/api/me", {"name": name}) == "name-taken"
        assert (await boss.ask("PATCH", "/api/me", json={"name": "MINA"}))[0] == 200, "one's own name may be written otherwise"


async def test_of_many_who_want_one_name_at_once_one_has_it(server):
    async with guests(server.url, 8) as people:
        tries = await asyncio.gather(*(person.rename("Highlander") for person in people), return_exceptions=True)
        assert [isinstance(each, Invalid) for each in tries].count(False) == 1


async def test_bots_and_those_from_another_site_have_names_of_their_own(server):
    async with browser(server.url) as first, browser(server.url) as second:
        for person, sub in ((first, "one"), (second, "two")):
            claims = {"sub": sub, "name": "Site Ann", "exp": int(time.time()) + 300, "aud": "hanpan"}
            await person.post("/api/login/token", token=jwt.encode({"alg": "HS256"}, claims, OctKey.import_key(SECRET)))
        assert [(await person.me())["person"]["name"] for person in (first, second)] == ["Site Ann", "Site Ann 2"]
        await first.post("/api/me/bots", name="Robbie")
        assert await second.refused("POST", "/api/me/bots", {"name": "Rоbbie"}) == "name-taken"
        assert await second.refused("PATCH", "/api/me", {"name": "robbie"}) == "name-taken"
        bot = (await first.me())["bots"][0]["id"]
        assert (await first.ask("DELETE", f"/api/me/bots/{bot}"))[0] == 200
        assert (await second.ask("PATCH", "/api/me", json={"name": "Robbie"}))[0] == 200, "whoever has left has no name"


async def test_whoever_is_muted_neither_invites_nor_renames_themselves_and_nobody_does_it_without_end(server):
    async with guests(server.url, 3) as (boss, loud, other), browser(server.url) as elsewhere:
        await made_operator(server, boss.id)
        await other.enter_lobby()
        room = await loud.new_room("tictactoe")
        await loud.rename("Quite Loud")
        await loud.rename("Very Loud")
        token = {"Authorization": f"Bearer {loud.token}"}
        assert (await elsewhere.ask("PATCH", "/api/me", json={"name": "Loud Again"}, headers=token))[1]["code"] == "renamed-lately"
        server.services.limits.messages, stopped = Buckets(0.001, 10), 0  # however slow this machine is
        for _ in range(40):
            try:
                await room.call("send invitation", to=other.id)
            except Invalid as wrong:
                assert wrong.code == "too-fast"
                stopped += 1
        assert stopped == 30
        await boss.http("POST", f"/api/operator/people/{loud.id}/mute", json={"minutes": 10, "reason": "too loud"})
        with refused("muted"):
            await room.call("send invitation", to=other.id)
        assert (await elsewhere.ask("PATCH", "/api/me", json={"name": "Buy my shoes"}, headers=token))[1]["code"] == "muted"
        assert (await other.http("GET", f"/api/people/{loud.id}"))["name"] == "Very Loud"


def test_those_who_were_called_alike_before_keep_their_names(tmp_path):
    file = tmp_path / "hanpan.db"
    engine, steps = create_engine(f"sqlite:///{file}"), migrate._steps()
    with engine.begin() as db:
        context = MigrationContext.configure(db)
        with Operations.context(context):
            for each in reversed(list(steps.iterate_revisions(step.down_revision, "base"))):
                each.module.upgrade()
        context.stamp(steps, step.down_revision)
        people = [("g", "Ann", "guest", None), ("a", "ann", "account", None), ("o", "Аnn", "account", "operator"), ("b", "Bo", "bot", None)]
        for at, (id, name, kind, role) in enumerate(people):
            row = {"id": id, "name": name, "kind": kind, "at": at, "role": role}
            db.execute(text("insert into person (id, name, kind, created_at, token_version, role) values (:id, :name, :kind, :at, 0, :role)"), row)
    asyncio.run(migrate.migrate(f"sqlite:///{file}"))
    with engine.connect() as db:
        assert {row.id: row.name for row in db.execute(text("select id, name from person"))} == {"g": "Ann", "a": "ann", "o": "Аnn", "b": "Bo"}
        assert {tuple(row) for row in db.execute(text("select folded, person_id from called"))} == {("ann", "o"), ("bo", "b")}
