"""Goita: texts and refusals."""

import re

import pytest
from goita_table import GOITA, KINGS, LONE, VIEWS, deal, position
from hypothesis import given, settings
from hypothesis import strategies as st

import hanpan
from hanpan.core.words import LANGUAGES, load


def refused(state, action):
    with pytest.raises(hanpan.IllegalAction) as problem:
        state.play(action)
    return problem.value.code, problem.value.message


# --- refusals ---


REFUSALS = [
    ("not-in-hand", lambda: position(KINGS, 4), "31", "There is no 馬 left in the hand."),
    ("not-in-hand", lambda: position(KINGS, 4), "12", "There is no 香 left in the hand."),
    ("only-one", lambda: position(KINGS, 4), "77", "There is only one 飛 in the hand."),
    ("must-play", lambda: position(KINGS, 4), "p", "Whoever leads must play a pair; passing is only for answers."),
    ("does-not-block", lambda: position(KINGS, 4, "481"), "31", "馬 does not block し. An equal koma does, and a king stops everything but し and 香."),
    ("does-not-block", lambda: position(KINGS, 3, "331"), "81", "王 does not block し. An equal koma does, and a king stops everything but し and 香."),
    (
        "king-may-not-attack",
        lambda: position(LONE, 1),
        "18",
        "王 may not attack yet: that needs a king face up on the table, both kings in the hand, or the very last koma.",
    ),
    (
        "decide-first",
        lambda: GOITA.parse("0-0 s1 deal").play("deal " + deal(s2="11111234")),
        "p",
        "South was dealt five し: first the partner decides whether to play on or to deal again.",
    ),
    ("nothing-to-decide", lambda: position(KINGS, 4), "redeal", "There is no five し to decide about now."),
    ("already-dealt", lambda: position(KINGS, 4), "deal " + LONE, "The komas of this round are dealt already."),
    ("already-dealt", lambda: position(KINGS, 4), "dealer 1", "The komas of this round are dealt already."),
    ("deal-first", lambda: GOITA.parse("0-0 s1 deal"), "13", "First the komas have to be dealt."),
    ("dealer-first", lambda: GOITA.start(), "deal " + LONE, "First the dealer has to be drawn."),
    ("dealer-known", lambda: GOITA.parse("0-0 s3 deal"), "dealer 1", "The dealer is known already: it is seat 3."),
    ("no-such-seat", lambda: GOITA.start(), "dealer 5", "There is no seat 5; the seats are 1 to 4."),
    ("hand-size", lambda: GOITA.parse("0-0 s3 deal"), "deal 1234567,111234598,11123456,11123457", "A hand is eight komas; seat 1 would get 7."),
    ("wrong-set", lambda: GOITA.parse("0-0 s3 deal"), "deal 12345679,11123459,11123456,11123457", "This deal has 0 komas 王; there are 1."),
    (
        "no-yaku",
        lambda: hanpan.game("goita", no_yaku=True).parse("0-0 s3 deal"),
        "deal " + deal(s4="11111123"),
        "Seat 4's hand would win at once, and such hands are switched off.",
    ),
    (
        "no-yaku",
        lambda: hanpan.game("goita", no_yaku=True).parse("0-0 s3 deal"),
        "deal " + deal(s2="11111234", s4="11111567"),
        "Seat 2's hand would win at once, and such hands are switched off.",
    ),
    (
        "no-goshi",
        lambda: hanpan.game("goita", no_goshi=True).parse("0-0 s3 deal"),
        "deal " + deal(s2="11111234"),
        "Seat 2 would get five し, and such hands are switched off.",
    ),
    ("unreadable", lambda: position(KINGS, 4), "1x", "“1x” can't be read as an action of this game."),
    ("unreadable", lambda: GOITA.parse("0-0 s3 deal"), "deal 1234", "“deal 1234” can't be read as an action of this game."),
    ("not-your-turn", lambda: position(KINGS, 4).view(1), "11", "It is seat 4's turn."),
    ("over", lambda: GOITA.parse("0-150 s2 over"), "11", "The game is over."),
]


@pytest.mark.parametrize(("code", "state", "action", "sentence"), REFUSALS, ids=[f"{code}-{action[:4]}" for code, _, action, _ in REFUSALS])
def test_a_refusal_says_why(code, state, action, sentence):
    assert refused(state(), action) == (code, sentence)


def test_every_refusal_is_reached_and_said_in_every_language():
    words = {language: load("hanpan.games.goita", language) for language in LANGUAGES}
    assert set(words["en"]["refusals"]) == {code for code, *_ in REFUSALS} - {"unreadable", "not-your-turn", "over"}

    def shape(value):
        if isinstance(value, dict):
            return {key: shape(item) for key, item in value.items()}
        return sorted({part.split("}")[0].split(":")[0] for part in value.split("{")[1:]}) if isinstance(value, str) else len(value)

    assert shape(words["ko"]) == shape(words["ja"]) == shape(words["zh"]) == shape(words["en"])


# --- texts that are not positions ---


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("", "position: "),
        ("0-0 s1", "position: "),
        ("0-0 s1 sleep", "phase: 'sleep'"),
        ("0-0 s5 deal", "dealer: 's5'"),
        ("0-0 s- over", "scores: 0-0 can't be the end of a game to 150"),
        ("10-0 s- deal", "dealer: it is known once there are points"),
        ("00-0 s1 deal", "scores: '00-0'"),
        ("-1-0 s1 deal", "scores: "),
        ("15-0 s1 deal", "scores: 15 is not a multiple of ten"),
        ("150-0 s1 deal", "scores: 150-0 can't be in a game to 150"),
        ("150-150 s1 over", "scores: 150-150 can't be the end"),
        ("300-0 s1 over", "scores: 300 is not what a last round could bring"),
        ("0-150 s1 over", "dealer: the seat that would deal next belongs to the winners"),
        ("0-60 s1 deal", "dealer: once there are points, the dealer's team has some"),
        (f"0-0 {KINGS} play", "history: "),
        (f"0-0 {KINGS},s0 play", "dealer: 's0'"),
        (f"0-0 {KINGS},s4 goshi", "phase: nobody has to decide"),
        (f"0-0 {KINGS},s4,481,481 play", "turns: '481', but it is seat 1's turn"),
        (f"0-0 {KINGS},s4,4p play", "turns: '4p': Whoever leads must play"),
        (f"0-0 {KINGS},s4,4x1 play", "turns: '4x1' hides what the viewer knows"),
        (f"0-0 {KINGS},s4,421 play", "turns: '421': There is no 香"),
        (f"0-0 {KINGS},s4,481,131 play", "turns: '131': 馬 does not block し"),
        (f"0-0 {KINGS},s4,481,q play", "turns: 'q' is not a turn"),
        (f"0-0 {KINGS},s4,417,1p,2p,3p,415,1p,2p,3p,489,1p,2p,3p,445 play", "turns: '445' goes out, which ends the round"),
        ("0-0 1133466,11122235,11123445,11455789,s4 play", "hands: seat 1's '1133466' is not eight komas"),
        ("0-0 11334667,11122235,11123445,11455788,s4 play", "hands: 2 komas 王, there are 1"),
        ("0-0 11334667,11122235,11123445,xxxxxxxx,s4 play", "hands: seat 4's 'xxxxxxxx' is not eight komas"),
        ("0-0 13134667,11122235,11123445,11455789,s4 play", "position: not in its canonical form"),
        (f"0-0 {deal(s1='11111123')},s4 play", "hands: with these the round would have ended at once"),
        (f"0-0 {deal(s1='11111234', s3='11111567')},s4 play", "hands: with these the round would have ended at once"),
        (f"0-0 {deal(s1='11111234')},s1,112 goshi", "phase: nobody has to decide"),
    ],
)
def test_an_impossible_position_is_named(line, reason):
    with pytest.raises(ValueError, match="^" + re.escape(reason)):
        GOITA.parse(line)


@pytest.mark.parametrize(
    ("line", "viewer", "reason"),
    [
        (f"0-0 {KINGS},s4 play", 0, "hands: "),
        ("0-0 11334667,xxxxxxxx,xxxxxxxx,xxxxxxxx,s4,481 play", 0, "turns: '481': the block of a lead"),
        ("0-0 11334667,xxxxxxxx,xxxxxxxx,1xxxxxxx,s4,4x1,1x3 play", 0, "turns: '1x3' hides what the viewer knows"),
        ("0-0 11334667,xxxxxxxx,xxxxxxxx,1xxxxxxx,s4,4x1,1p,2x3 play", 0, "turns: '2x3': the block of a lead"),
        ("0-0 11334667,xxxxxxxx,xxxxxxxx,1xxxxxxx,s4,4x1,1p,283 play", 0, "turns: '283': 王 does not block し"),
        ("0-0 11334667,xxxxxxxx,xxxxxxxx,xxxxxxxx,s4,4p play", 0, "turns: '4p', but a lead can't be passed"),
        ("0-0 11334667,xxxxxxxx,xxxxxxxx,xxxxxxxx,s4,4x1 play", 0, "hands: seat 4's 'xxxxxxxx' should be '1xxxxxxx'"),
        ("0-0 11334668,xxxxxxxx,xxxxxxxx,9xxxxxxx,s4,4x9 play", 0, "turns: a king attacked without the right to"),
        ("0-0 11334667,xxxxxxxx,xxxxxxxx,6xxxxxxx,s4,4x6,1p,266 play", 0, "hands: a koma is there more often than it exists"),
        ("0-0 11111234,11111xxx,xxxxxxxx,xxxxxxxx,s4 goshi", 0, "phase: nobody has to decide"),
        ("0-0 111111xx,xxxxxxxx,xxxxxxxx,xxxxxxxx,s4 play", None, "hands: with these the round would have ended at once"),
        ("0-0 11111xxx,xxxxxxxx,11111xxx,xxxxxxxx,s4 play", None, "hands: with these the round would have ended at once"),
        ("0-0 11111xxx,xxxxxxxx,xxxxxxxx,xxxxxxxx,s4,4x1 play", None, "hands: seat 4's 'xxxxxxxx' should be '1xxxxxxx'"),
    ],
)
def test_an_impossible_view_is_named(line, viewer, reason):
    with pytest.raises(ValueError, match="^" + re.escape(reason)):
        GOITA.parse(line, viewer)


@pytest.mark.slow
@given(st.sampled_from(VIEWS), st.integers(0, 200), st.sampled_from("x123456789p,s -"), st.integers(0, 2))
@settings(max_examples=400, deadline=None)
def test_a_damaged_view_is_a_named_error_or_a_right_view(view, at, letter, kind):
    line, viewer = view
    at %= len(line)
    damaged = line[:at] + (letter if kind < 2 else "") + line[at + (kind > 0) :]
    try:
        state = GOITA.parse(damaged, viewer)
    except ValueError as reason:
        assert ":" in str(reason)
    else:
        assert str(state) == damaged
        assert state.imagine(1).view(viewer) == state


def test_an_option_out_of_range_is_named():
    for options, reason in (({"target": 9}, "target: 9 is not in 10…1000"), ({"no_yaku": 1}, "no_yaku: 1 is neither"), ({"hand_gap": True}, "hand_gap: ")):
        with pytest.raises(ValueError, match=reason):
            hanpan.game("goita", **options)


@pytest.mark.parametrize(("score", "target"), [(150, 150), (240, 150), (290, 150), (10, 10), (100, 10), (70, 55), (105, 55)])
def test_the_end_of_a_game_is_one_that_a_last_round_can_bring(score, target):
    assert hanpan.game("goita", target=target).parse(f"{score}-0 s1 over").winner == [0, 2]


@pytest.mark.parametrize(("score", "options"), [(300, {}), (155, {}), (250, {"no_yaku": True}), (250, {"no_goshi": True}), (56, {"target": 55})])
def test_the_end_of_a_game_is_not_one_that_no_last_round_can_bring(score, options):
    with pytest.raises(ValueError, match=f"scores: {score} is not what a last round could bring"):
        hanpan.game("goita", **options).parse(f"{score}-0 s1 over")
