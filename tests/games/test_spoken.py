"""Actions that nobody would read as they are written are told in the game's words, in every language."""

import pytest

import hanpan

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
