"""Actions that nobody would read as they are written are told in the game's words, and all of them are said aloud in words, in every language."""

import re

import pytest
from variants import every_variant, random_states

import hanpan
from hanpan.core.words import LANGUAGES

SAID = [
    ("wallgo", {}, "dice 3 5", "Dice: 3 · 5"),
    (
        "reversedrop",
        {},
        "setup ..w...w..b/........../.w......../........../........../........../........../........../........../..........",
        "Pieces scattered by chance",
    ),
    (
        "kulami",
        {"board": "random"},
        "board aabccddd../aabcceff../ghhcceff../ghhiiijj../gkkiiijj../lkkmmnno../lkkmmnno../lppmmqqo../........../..........",
        "Board drawn by chance",
    ),
    ("kulami", {"board": "build"}, "2x3@d4", "2×3 d4"),
    ("goita", {}, "deal", "New deal"),
    ("goita", {}, "x5", "■金"),
]


@pytest.mark.parametrize(("name", "options", "action", "said"), SAID, ids=[f"{name} {action[:5]}" for name, _, action, _ in SAID])
def test_what_chance_did_and_what_lies_face_down_is_said(name, options, action, said):
    game = hanpan.game(name, **options)
    phrase = game.start().spoken(action)
    assert game.book.say(phrase) == said
    for language in ("ko", "ja", "zh"):
        assert action not in game.book.say(phrase, language)


def test_a_place_is_read_as_it_is_written():
    assert hanpan.game("kulami").start().spoken("e5") is None


HEARD = [
    ("puoribor", "e5", "pawn to e5"),
    ("puoribor", "h7h", "wall h to i, between 7 and 8"),
    ("puoribor", "h7v", "wall 7 to 8, between h and i"),
    ("puoribor", "b2r", "block b2 to e5 rotated clockwise"),
    ("wallgo", "f3", "new piece on f3"),
    ("wallgo", "f3-f5r", "f3 to f5, wall on its right side"),
    ("wallgo", "g4d", "g4 stays, wall on its lower side"),
    ("wallgo", "dice 3 5", "Dice: 3 · 5"),
    ("goita", "15", "lays し (pawn), attacks with 金 (gold)"),
    ("goita", "x5", "lays one face down, attacks with 金 (gold)"),
    ("goita", "p", "Pass"),
    ("kulami", "e5", "marble in e5"),
    ("kulami", "2x3@d4", "2×3 tile, its top left corner on d4"),
    ("reversedrop", "c3", "new piece on c3"),
    ("reversedrop", "c3-c4", "c3 to c4"),
    ("reversedrop", "c3-c4+d4", "c3 to c4, new piece on d4"),
]


@pytest.mark.parametrize(("name", "action", "said"), HEARD, ids=[f"{name} {action}" for name, action, _ in HEARD])
def test_an_action_is_said_aloud_in_words(name, action, said):
    game = hanpan.game(name)
    assert game.book.say(game.start().heard(action)) == said


@every_variant(lambda game: game.name in {name for name, _, _ in HEARD})
def test_every_action_is_heard_in_four_languages_and_never_as_it_is_written(game):
    heard = {}
    for state in random_states(game, seed=1, plies=60):
        for action in state.legal():
            heard |= {told: state.heard(told) for told in (action, state.told(action, None))}
    for action, phrase in heard.items():
        for language in LANGUAGES:
            said = game.book.say(phrase, language)
            assert said != action, language
            assert re.fullmatch("[a-z][0-9]+", action) or action not in said, (language, action, said)
