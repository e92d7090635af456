"""A match keeps little of its past, and knows all of it: whatever it tells is what a match tells that was read from storage, or that keeps every position."""

import random

import pytest

from hanpan.game import game
from hanpan.server.rooms import views
from hanpan.server.rooms.clock import TimeControl
from hanpan.server.rooms.match import KEPT, QUICK, Match

START = 1_700_000_000_000
CONTROL = TimeControl("byoyomi", main_ms=600_000, byoyomi_ms=30_000)


def play(match, plies, dice):
    """Play on at random; every position that there was, from where it began."""
    states = [match.state]
    for _ in range(plies):
        if match.state.over:
            break
        text = match.state.draw(dice.randrange(1 << 30)) if match.state.chance else dice.choice(match.state.legal())
        at = START + 1000 * (match.ply + 1)
        following = match.state.play(text)
        row, clock = match.timed(text, at, at + 7, following)
        match.put(row, following, clock)
        states.append(following)
    return states


def all_told(match):
    """Everything that is told of a match, to everyone."""
    viewers = [None, *range(match.game.seats)]
    told = [(views.history(match, viewer), match.scene(viewer).json(), str(match.view(viewer))) for viewer in viewers]
    return told, views.board(match), views.clock(match, START + 3_600_000, ledger=True), match.clock


def read_again(match):
    """The match as it is after a restart."""
    return Match(match.id, match.game, match.control, match.started_at, list(match.played), match.base)


@pytest.mark.parametrize("name", ["goita", "kulami", "puoribor", "reversedrop", "wallgo"])
def test_what_was_long_ago_is_played_anew(name):
    match = Match("g", game(name), CONTROL, START)
    states = play(match, 40, random.Random(5))
    assert match.ply > KEPT
    for resting in (False, True):
        if resting:
            match.rest()
        for ply, state in list(enumerate(states))[::9]:
            assert match.at(ply) == state
            for viewer in (None, 0):
                assert match.scene(viewer, ply) == state.view(viewer).scene()
        assert all_told(match) == all_told(read_again(match))


def test_every_round_of_a_game_with_secrets_is_told_as_from_all_its_positions():
    match = Match("g", game("goita"), CONTROL, START)
    dice = random.Random(3)
    states = play(match, 1, dice)
    while len(match.rounds(None)) < 3:
        states += play(match, 1, dice)[1:]
        following = match.state
        if following.closing is not None:
            assert match.closing(None)["position"] == str(following.closing.view(None)), "it lies there until a seat acts"
    for viewer in (None, 0, 1, 2, 3):
        for told, before, row in zip(match.told(viewer), states, match.played, strict=False):
            open_to_all = before.told_chance(row.text) if row.seat is None else before.told(row.text, viewer)
            assert told["action"] == open_to_all
        ended = [(ply, state) for ply, state in enumerate(states) if state.closing is not None]
        assert [(line["ply"], line["before"], line["scores"]) for line in match.rounds(viewer)] == [
            (ply, states[ply - 1].scores, state.scores) for ply, state in ended
        ]
    assert any(line["action"] != row.text for line, row in zip(match.told(None), match.played, strict=True)), "something is hidden"
    match.rest()
    assert all_told(match) == all_told(read_again(match))
    while match.closing(None) is not None:
        play(match, 1, dice)
    assert match.state.seat is not None


@pytest.mark.parametrize("back", [1, 2, KEPT - 1, KEPT, KEPT + 5, 30])
def test_a_takeback_goes_to_any_ply_and_another_way_leads_on_from_there(back):
    match = Match("g", game("puoribor"), CONTROL, START)
    states = play(match, 30, random.Random(1))
    for viewer in (None, 0, 1):
        match.scene(viewer)
        match.scene(viewer, match.ply - 1)
    ply = match.ply - back
    clock = match.clock_taken_back(ply, match.played[ply].seat, START + 100_000)
    match.take_back(ply, clock)
    assert (match.ply, match.state, match.clock) == (ply, states[ply], clock)
    assert all_told(match) == all_told(read_again(match))
    play(match, 12, random.Random(2))
    assert all_told(match) == all_told(read_again(match))
    assert [match.at(number) for number in range(ply + 1)] == states[: ply + 1]


@pytest.mark.parametrize(("plies", "kept"), [(20, 0), (QUICK, 0), (QUICK + 1, 1)])
def test_a_match_at_rest_keeps_a_position_only_where_it_takes_long_to_make_it_anew(plies, kept):
    match = Match("g", game("puoribor"), CONTROL, START)
    play(match, plies, random.Random(1))
    state, seen = match.state, match.scene(None)
    assert len(match._recent) == KEPT
    match.rest()
    assert len(match._recent) == kept
    assert not match._scenes
    assert not any({"actions", "_text", "_outcome"} & one.__dict__.keys() for one in match._recent)
    assert (match.state, match.scene(None)) == (state, seen)
