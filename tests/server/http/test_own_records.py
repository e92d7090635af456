"""A game that was played elsewhere is kept among one's own: whole, once, found by nobody else, and without counting."""

import json

import pytest
from clients import guests, with_account

import hanpan
from hanpan.client import Invalid
from hanpan.record import GameRecord

SECRET = "a secret that is shared with our own site"


def record(*actions, **fields):
    """A game of Tic-tac-toe against a computer player."""
    made = GameRecord.begin(hanpan.game("tictactoe"), people={0: "me", 1: "computer, level 3"})
    for action in actions:
        made = made.add(action)
    return json.dumps(json.loads(made.to_json()) | fields)


WON = record("a1", "b1", "a2", "b2", "a3")


@pytest.mark.slow
async def test_a_game_is_kept_whole_and_once_and_found_by_nobody_else(local_server):
    server = local_server(token_secret=SECRET)
    async with guests(server.url, 2) as (me, stranger):
        await with_account(me, SECRET)
        kept = await me.http("POST", "/api/records/mine?seat=0", data=WON)
        assert await me.http("POST", "/api/records/mine?seat=0", data=WON) == kept
        (line,) = await me.http("GET", f"/api/people/{me.id}/games")
        assert (line["id"], line["rated"], line["result"]["winner"], line["result"]["reason"]) == (kept["id"], False, [0], "rules")
        assert [(who["person"], who["bot"]) for who in line["people"]] == [(me.id, None), (None, 3)]
        told = await me.http("GET", f"/api/records/{kept['id']}.json")
        assert told["actions"] == ["a1", "b1", "a2", "b2", "a3"]
        assert len((await me.http("GET", f"/api/records/{kept['id']}/scenes"))["scenes"]) == 6
        assert await stranger.http("GET", f"/api/people/{me.id}/games") == []
        assert await stranger.http("GET", "/api/records?limit=100") == []
        assert await me.http("GET", f"/api/people/{me.id}/ratings/tictactoe") == []
        given_up = await me.http("POST", "/api/records/mine?seat=0", data=record("a1", over=True, winner=[1], reason="resigned"))
        assert (await me.http("GET", f"/api/records/{given_up['id']}"))["result"]["reason"] == "resigned"
        assert len(await me.http("GET", f"/api/people/{me.id}/games")) == 2
        both = await me.http("POST", "/api/records/mine?seat=0&seat=1", data=WON)
        assert both["id"] != kept["id"]


@pytest.mark.slow
async def test_what_can_not_be_kept_is_refused_with_a_reason(local_server):
    server = local_server(token_secret=SECRET)
    async with guests(server.url, 1) as (me,):
        for account, wrong, seats, why in (
            (False, WON, "seat=0", "log in"),
            (True, record("a1"), "seat=0", "ended"),
            (True, WON, "seat=1", "seats"),
            (True, "nonsense", "seat=0", ""),
            (True, WON, "", "seat"),
            (True, WON, "seat=-1", "seat"),
        ):
            if account and (await me.http("GET", "/api/me"))["kind"] != "account":
                await with_account(me, SECRET)
            with pytest.raises(Invalid) as refused:
                await me.http("POST", f"/api/records/mine?{seats}", data=wrong)
            assert why in str(refused.value)
        assert await me.http("GET", f"/api/people/{me.id}/games") == []
