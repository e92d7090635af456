"""Puoribor: texts and refusals."""

import re
from importlib.resources import files

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from puoribor_table import OPTIONS, play

import hanpan
from hanpan.core.refusal import IllegalAction
from hanpan.core.words import LANGUAGES, load


def refused(text, action, **options):
    with pytest.raises(IllegalAction) as caught:
        play(text, action, **options)
    return caught.value.code, caught.value.message


# --- texts ---


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_every_position_is_read_back_as_it_was_written(data):
    options = data.draw(st.sampled_from(OPTIONS))
    game = hanpan.game("puoribor", **options)
    state = game.start()
    for choice in data.draw(st.lists(st.integers(0, 10**6), max_size=30)):
        if state.over:
            break
        state = state.play(state.legal()[choice % len(state.legal())])
    text = str(state)
    assert game.parse(text) == state
    assert str(game.parse(text)) == text


@pytest.mark.slow
@given(st.text(alphabet="abefi19 0h-|v,r2", max_size=40) | st.text(max_size=30))
@settings(max_examples=300, deadline=None)
def test_no_text_is_read_wrongly(text):
    game = hanpan.game("puoribor")
    try:
        assert str(game.parse(text)) == text
    except IllegalAction:
        raise AssertionError("a position is refused with a ValueError of its own") from None
    except ValueError as reason:
        assert re.match(r"(position|pawn [12]|walls( [12])?|seat|plies): ", str(reason))
    try:
        game.start().play(text)
    except IllegalAction as reason:
        assert reason.message


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "position: it has 1 fields"),
        ("e1 e9 10 10 - 1 0", "position: it has 7 fields"),
        ("e1  e9 10 10 - 1", "position: it has 7 fields"),
        ("j1 e9 10 10 - 1", "pawn 1: 'j1' is not a cell"),
        ("e1 e10 10 10 - 1", "pawn 2: 'e10' is not a cell"),
        ("e1 e09 10 10 - 1", "pawn 2: 'e09' is not a cell"),
        ("e5 e5 10 10 - 1", "pawn 2: pawn 1 stands on e5 already"),
        ("e9 e1 10 10 - -", "pawn 2: both pawns can't have arrived"),
        ("e1 e9 11 10 - 1", "walls 1: '11' is not a number in 0…10"),
        ("e1 e9 10 -1 - 1", "walls 2: '-1' is not a number"),
        ("e1 e9 10 １0 - 1", "walls 2: '１0' is not a number"),
        ("e1 e9 09 10 e3h 1", "walls 1: '09' is not a number"),
        ("e1 e9 9 10 e3x 1", "walls: 'e3x' is neither a wall"),
        ("e1 e9 9 10  1", "walls: '' is neither a wall"),
        ("e1 e9 9 10 e3h, 1", "walls: '' is neither a wall"),
        ("e1 e9 9 10 i3h 1", "walls: i3h does not lie between cells"),
        ("e1 e9 9 10 e9v 1", "walls: e9v does not lie between cells"),
        ("e1 e9 7 10 e9- 1", "walls: e9- does not lie between cells"),
        ("e1 e9 7 10 i3| 1", "walls: i3| does not lie between cells"),
        ("e1 e9 8 10 e3h,f3h 1", "walls: two walls lie on f3-"),
        ("e1 e9 7 10 e3-,e3h 1", "walls: two walls lie on e3-"),
        ("e1 e9 8 10 e3h,e3v 1", "walls: e3v crosses e3h"),
        ("e1 e9 10 10 e3h 1", "walls: 0 walls spent can't have become 1 whole walls and 0 halves"),
        ("e1 e9 9 10 - 1", "walls: 1 walls spent can't have become 0 whole"),
        ("e1 e9 9 9 - 1", "walls: 2 walls spent can't have become 0 whole"),  # neither seat can have turned
        ("e1 e9 8 10 e3- 1", "walls: 2 walls spent can't have become 0 whole walls and 1 halves"),
        ("e1 e9 8 9 d1v,d2h,e1v 1", "walls: they leave seat 1 no way"),
        ("e1 e9 8 9 d8v,e7h,e8v 1", "walls: they leave seat 2 no way"),
        ("e1 e9 9 10 f3v,a1h 2", "walls: "),
        ("e1 e9 8 10 f3v,a1h 2", "position: not in its canonical form"),
        ("e1 e9 10 10 - 3", "seat: '3' is neither 1 nor 2"),
        ("e1 e9 10 10 - -", "seat: it is '-', but the game is not over"),
        ("e9 e5 10 10 - 2", "seat: it is '2', but the game is over"),
        ("e1 e9 10 10 - 1\n", "seat: '1\\n' is neither"),
    ],
)
def test_impossible_positions_are_refused_by_name(text, reason):
    with pytest.raises(ValueError, match=re.escape(reason)):
        hanpan.game("puoribor").parse(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("e1 e9 10 10 - 1", "position: it has 6 fields"),
        ("e1 e9 10 10 - 1 x", "plies: 'x' is not a number"),
        ("e1 e9 10 10 - - 41", "plies: '41' is not a number in 0…40"),
        ("e1 e9 10 10 - 1 40", "seat: it is '1', but the game is over"),
        ("e1 e9 10 10 - 2 6", "seat: after 6 plies it is not seat 2's turn"),
        ("e9 e5 10 10 - - 20", "plies: after 20 plies seat 1 can't have moved last"),
        ("e5 e9 10 10 - 2 1", "plies: 1 are too few for what seat 1 has done"),
        ("e1 e9 10 6 a1h,c1h,e1h,g1h 1 2", "plies: 2 are too few for what seat 2 has done"),
    ],
)
def test_plies_must_fit_the_position(text, reason):
    with pytest.raises(ValueError, match=re.escape(reason)):
        hanpan.game("puoribor", max_plies=40).parse(text)


def test_plain_quoridor_has_no_halves_and_loses_no_walls():
    for text in ("e1 e9 7 10 e3- 1", "e1 e9 8 10 - 1"):
        with pytest.raises(ValueError, match="walls: "):
            hanpan.game("puoribor", rotation=False).parse(text)


# --- refusals ---


REFUSALS = [
    ("e1 e9 10 10 - 1", "j5", {}, "off-board", "j5 is off the board: columns go from a to i and rows from 1 to 9, walls from a1 to h8."),
    ("e1 e9 10 10 - 1", "e0", {}, "off-board", None),
    ("e1 e9 10 10 - 1", "e10", {}, "off-board", None),
    ("e1 e9 10 10 - 1", "i3h", {}, "off-board", None),
    ("e1 e9 10 10 - 1", "a9v", {}, "off-board", None),
    ("e5 e6 10 10 - 1", "e6", {}, "onto-pawn", "The other pawn stands on e6; you can jump over it, but not onto it."),
    ("e1 e9 10 10 - 1", "e1", {}, "no-step", "Your pawn stands on e1 already."),
    ("e1 e9 10 10 - 1", "e4", {}, "too-far", "e4 is too far: a pawn goes one step, or jumps over the other pawn when it is right beside it."),
    ("e1 e9 10 10 - 1", "e3", {}, "jump-over-nothing", "There is no pawn to jump over on the way to e3."),
    ("e1 e9 10 10 - 1", "d2", {}, "not-neighbour", "d2 lies diagonally, and the other pawn is not beside yours to go around."),
    ("e1 e9 9 10 e1h 1", "e2", {}, "wall-in-way", "A wall stands in the way to e2."),
    ("e5 e6 9 10 e6h 1", "e7", {}, "wall-in-way", None),
    ("e5 e6 9 10 e5h 1", "e7", {}, "wall-in-way", None),
    ("e5 e6 9 10 e5h 1", "d6", {}, "wall-in-way", None),
    ("e5 e6 9 9 d6h,e6v 1", "f6", {}, "wall-in-way", None),
    ("e5 e6 10 10 - 1", "d6", {}, "straight-jump-possible", "You can jump straight over the other pawn to e7, so the diagonal step to d6 is not allowed."),
    ("e5 f5 10 10 - 1", "f4", {}, "straight-jump-possible", None),
    ("e5 d5 10 10 - 1", "d4", {}, "straight-jump-possible", None),
    ("e1 e9 0 0 - 1", "e3h", {"walls": 0}, "no-walls", "You have no walls left."),
    ("e1 e9 1 1 - 1", "c3r", {"walls": 1}, "too-few-walls", "Rotating costs two walls; you have 1."),
    ("e1 e9 9 10 e3h 2", "d3h", {}, "edge-taken", "There is a wall between e3 and e4 already."),
    ("e1 e9 9 10 e3v 2", "e4v", {}, "edge-taken", "There is a wall between e4 and f4 already."),
    ("e1 e9 9 10 e3h 2", "e3v", {}, "crosses-wall", "This would cross the wall e to f, between 3 and 4."),
    ("e1 e9 10 10 - 1", "g3r", {}, "window-off-board", "The block of g3r would stick out of the board: its upper left cell lies from a1 to f6."),
    ("e1 e9 10 10 - 1", "c3r", {"rotation": False}, "rotation-off", "Rotation is switched off in this game."),
    ("e1 e9 7 8 a4h,c4h,e4h,g4h,h6h 1", "h5v", {}, "closes-way", "This would close seat 1's last way to its goal row."),
    ("e1 e9 9 9 d1v,e1v 1", "d2h", {}, "closes-way", "This would close seat 1's last way to its goal row."),
    ("e1 e9 8 9 b4v,d1v,e1v 1", "c3r", {}, "closes-way", "This would close seat 1's last way to its goal row."),
    ("e1 e9 9 9 d8v,e8v 1", "e7h", {}, "closes-way", "This would close seat 2's last way to its goal row."),
    ("e1 e9 10 10 - 1", "pass", {}, "unreadable", "“pass” can't be read as an action of this game."),
    ("e1 e9 10 10 - 1", "e03", {}, "unreadable", None),
    ("e1 e9 10 10 - 1", "E2", {}, "unreadable", None),
    ("e1 e9 10 10 - 1", "e3-", {}, "unreadable", None),
    ("e9 e5 10 10 - -", "e8", {}, "over", "The game is over."),
]


@pytest.mark.parametrize(("position", "action", "options", "code", "message"), REFUSALS)
def test_a_refusal_says_why(position, action, options, code, message):
    assert refused(position, action, **options)[0] == code
    if message:
        assert refused(position, action, **options)[1] == message


def test_every_refusal_is_reached_above():
    common = {"unreadable", "over", "not-your-turn"}
    assert {code for *_, code, _ in REFUSALS} - common == set(load("hanpan.games.puoribor", "en")["refusals"])


def flat(words, path=""):
    if isinstance(words, dict):
        return {key: value for name, inner in words.items() for key, value in flat(inner, f"{path}.{name}").items()}
    return {path: sorted(re.findall(r"{\w+}", words)) if isinstance(words, str) else len(words)}


def test_the_four_languages_say_the_same_things():
    english = flat(load("hanpan.games.puoribor", "en"))
    for language in LANGUAGES:
        assert flat(load("hanpan.games.puoribor", language)) == english
        page = files("hanpan.games.puoribor").joinpath("words", f"{language}.md").read_text("utf-8")
        assert page.startswith("# " + load("hanpan.games.puoribor", language)["name"])
        for notation in ("`e2`", "`e3h`", "`e3v`", "`c3r`", "`c5-`", "`d2|`"):
            assert notation in page
