"""A sixth game from outside the package, found through an entry point, is a game like any other."""

import pytest

import hanpan
from hanpan.record import GameRecord
from hanpan.replay import check_line


def test_the_toy_game_is_found_by_its_entry_point():
    assert "tictactoe" in hanpan.games()
    assert hanpan.game("tictactoe").book.package == "tictactoe"


def test_it_is_played_recorded_replayed_and_drawn():
    game = hanpan.game("tictactoe")
    state, record = game.start(), GameRecord.begin(game)
    for action in ("b2", "a1", "c1", "a3", "a2", "c2", "b1", "b3", "c3"):
        record = record.add(action)
        state = state.play(action)
    assert (state.over, state.winner) == (True, [])
    assert check_line(record.to_json()) is None
    assert GameRecord.from_text(record.to_text()) == record
    assert state.svg().count("<title>cross</title>") == 5
    assert "x" in state.ascii()


def test_it_says_in_its_own_words_why_not():
    state = hanpan.game("tictactoe").start().play("b2")
    with pytest.raises(hanpan.IllegalAction) as refused:
        state.play("b2")
    assert (refused.value.code, refused.value.message) == ("taken", "b2 is taken already.")
