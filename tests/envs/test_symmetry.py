"""Symmetries: playing the image of an action in the image of a position gives the image of what it gives."""

import numpy as np
import pytest
from variants import every_variant

import hanpan
from hanpan.core.rule import OVER, below, rng
from hanpan.envs import observations


@every_variant(lambda game: game.book.symmetry and game.options.get("black") != 1)  # the toy game has none; with one piece each nobody acts
def test_the_image_of_a_game_is_a_game(game):
    rules, symmetry = game.book.rules, game.book.symmetry
    out, other, dice = game.book.actions_buffer(), game.book.actions_buffer(), rng(5)
    scores, mirrored_scores = game.book.scores_buffer(), game.book.scores_buffer()
    s = game.start(seed=3).record
    for _ in range(90):
        while rules.mover(s[0]) < 0:
            if rules.mover(s[0]) == OVER:
                s = game.start(seed=int(below(dice, 1000))).record
            else:
                rules.chance(s[0], dice)
        listed = out[: rules.legal(s[0], out)].tolist()
        action = listed[below(dice, len(listed))]
        after = s.copy()
        rules.apply(after[0], action)
        total = int(symmetry.symmetries(s[0]))
        for k in {0, *(below(dice, total) for _ in range(5))}:
            t = s.copy()
            symmetry.image(s[0], k, t[0])
            if k == 0:
                assert t.tobytes() == s.tobytes()
            assert rules.mover(t[0]) == symmetry.image_seat(s[0], k, rules.mover(s[0]))
            expected = sorted(int(symmetry.image_action(s[0], k, a)) for a in listed)
            assert sorted(other[: rules.legal(t[0], other)].tolist()) == expected
            rules.apply(t[0], int(symmetry.image_action(s[0], k, action)))
            u = after.copy()
            symmetry.image(after[0], k, u[0])
            assert t.tobytes() == u.tobytes(), f"symmetry {k}, action {action}"
            winners, mirrored_winners = rules.outcome(after[0], scores), rules.outcome(t[0], mirrored_scores)
            for seat in range(game.seats):
                to = symmetry.image_seat(s[0], k, seat)
                assert scores[seat] == mirrored_scores[to]
                assert (winners >> seat) & 1 == (mirrored_winners >> to) & 1
        s = after


def test_symmetries_of_states_speak_in_texts():
    state = hanpan.game("puoribor", rotation=False).start().play("e3h")
    assert observations.symmetries(state) == 4
    assert str(observations.image(state, 2)) == "e1 e9 9 10 d3h 2"
    assert observations.image_action(state, 1, "e8") == "e2"
    assert observations.image_seat(state, 1, 1) == 0
    assert observations.image(state, 0) == state
    with pytest.raises(ValueError, match=r"symmetry: 4 is not in 0…3"):
        observations.image(state, 4)
    assert observations.image_seat(state, np.int8(1), np.int8(1)) == 0
    for seat in (5, -1, 2, None, True):
        with pytest.raises(ValueError, match=r"seat: \S+ is not in 0…1"):
            observations.image_seat(state, 1, seat)


def test_a_game_without_symmetry_has_the_one_that_changes_nothing():
    state = hanpan.game("tictactoe").start()
    assert observations.symmetries(state) == 1
    assert observations.image(state, 0) == state
    assert observations.image_action(state, 0, "b2") == "b2"
    assert np.array_equal(observations.observation(state), observations.observation(observations.image(state, 0)))
