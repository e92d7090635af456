"""What is true of every game."""

import json
import pickle
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from variants import NO_WARNINGS, VARIANTS, every_variant, random_states

import hanpan
from hanpan import checks
from hanpan.core.words import LANGUAGES, Phrase

pytestmark = NO_WARNINGS


@every_variant()
def test_a_state_is_a_value_and_play_leaves_it_alone(game):
    for state in random_states(game, 1, 40):
        before, text = state._record.tobytes(), str(state)
        if state.seat is not None:
            state.play(state.legal()[0])
        elif state.chance:
            assert state.draw(5) == state.draw(5)
            assert state.legal() == []
        else:
            assert state.legal() == []
            assert state.winner is not None
        assert not [*checks.of_turn(state), *checks.of_texts(state)]
        assert (state._record.tobytes(), str(state)) == (before, text)
        again = game.parse(text)
        assert again == state
        assert hash(again) == hash(state)
        assert pickle.loads(pickle.dumps(state)) == state
        assert state.over == (state.winner is not None)
        assert state.legal() == sorted(state.legal())
        assert len(state.scores) == game.seats


@every_variant()
def test_what_chance_draws_is_what_its_text_plays(game):
    state = game.start()
    for seed in range(40):
        assert not list(checks.of_chance(state, seed))
        *_, state = random_states(game, seed, 60 if seed % 2 else 1)


@every_variant()
def test_clicks_lead_to_one_action_each(game):
    for number, state in enumerate(random_states(game, 2, 30)):
        if number % 3 == 0:
            assert not list(checks.of_clicks(state))


@every_variant()
def test_every_viewer_gets_a_picture_and_a_text(game):
    states = list(random_states(game, 3, 60))
    for state in (states[0], states[len(states) // 2], states[-1]):
        for seen in (state, *(state.view(seat) for seat in (*range(game.seats), None))):
            for theme in ("light", "dark", "auto"):
                assert seen.svg(theme=theme, targets=True).startswith("<svg")
            for language in ("en", "ko", "ja", "zh"):
                assert seen.svg(language=language)
                assert seen.ascii(targets=True, language=language).strip()
            assert isinstance(seen.info(), dict)
        assert not [*checks.of_pictures(state), *checks.of_texts(state)]


@every_variant()
def test_whoever_acts_is_told_what_to_do_in_four_languages(game):
    book = game.book
    for state in random_states(game, 11, 40):
        for viewer in [None, *range(game.seats)]:
            prompt = state.view(viewer).scene().prompt
            assert (prompt is None) == (state.seat is None)
            assert prompt is None or all(0 < len(book.say(prompt, language)) < 70 for language in LANGUAGES)
        steps = max((len(state.clicks(text)) for text in state.legal()), default=1)
        for step in range(1, steps):
            assert all(book.say(Phrase(f"steps.{step}", {"at": "a1"}), language) for language in LANGUAGES)


@every_variant()
def test_a_view_is_its_own_seats(game):
    for state in list(random_states(game, 4, 30))[::3]:
        assert not list(checks.of_views(state))
        for seat in (*range(game.seats), None):
            seen = state.view(seat)
            assert seen.legal() == (state.legal() if seat is not None and state.seat == seat else [])
            if state.seat is not None and seat != state.seat:
                with pytest.raises(hanpan.IllegalAction) as refused:
                    seen.play(state.legal()[0])
                assert refused.value.code == "not-your-turn"


@every_variant()
def test_forced_actions_are_legal_and_repeatable(game):
    for state in list(random_states(game, 5, 40))[::4]:
        if state.seat is None:
            with pytest.raises(ValueError, match="no seat is to act"):
                state.forced(1)
        else:
            assert state.forced(1) == state.forced(1)
            assert state.forced(2) in state.legal()


@pytest.mark.parametrize("name", sorted({name for name, _ in VARIANTS}))
def test_its_folder_is_whole(name):
    assert not [*checks.first_look(name), *checks.of_words(name)]


@pytest.mark.parametrize("name", sorted({name for name, _ in VARIANTS}))
def test_actions_after_the_end_are_refused(name):
    options = {"puoribor": {"max_plies": 4}, "reversedrop": {"max_plies": 4}, "wallgo": {"size": 3, "pieces": 1}, "goita": {"target": 10}}
    *_, last = random_states(hanpan.game(name, **options.get(name, {})), 6, 3000)
    assert last.over
    with pytest.raises(hanpan.IllegalAction) as refused:
        last.play("e2")
    assert refused.value.code == "over"
    assert refused.value.message == "The game is over."
    with pytest.raises(ValueError, match="chance is not to act"):
        last.draw(1)


@pytest.mark.parametrize("name", sorted({name for name, _ in VARIANTS}))
def test_a_finished_position_says_why_in_every_language(name):
    options = {"puoribor": {"max_plies": 4}, "reversedrop": {"max_plies": 4}, "wallgo": {"size": 3, "pieces": 1}, "goita": {"target": 10}}
    *before, last = random_states(hanpan.game(name, **options.get(name, {})), 6, 3000)
    assert all(state.scene().reason is None for state in before[-20:])
    reason = last.scene().reason
    assert reason is not None
    assert last.view(None).scene().reason == reason
    said = {language: last.game.book.say(reason, language) for language in LANGUAGES}
    assert len(set(said.values())) == len(LANGUAGES)
    assert not any("{" in sentence for sentence in said.values())


def letters(name):
    """Texts that look like something of this game, and texts that look like nothing."""
    near = st.text(alphabet="abcdefghijkrvhpx0123456789-+|/,. sdl", max_size=40)
    words = st.sampled_from(["deal ", "dice ", "board ", "setup ", "dealer ", "proceed", "redeal", "p", "e3h", "c3r", "b2-c3r", "c3-c4+d4", "2x3@d4", "13"])
    return st.one_of(near, st.text(max_size=20), st.builds(lambda w, t: w + t, words, near))


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({name for name, _ in VARIANTS}))
def test_nonsense_gets_only_the_documented_errors(name):
    game = hanpan.game(name)
    states = [state for state in random_states(game, 7, 40) if not state.over][::6]

    @given(letters(name), st.integers(0, len(states) - 1))
    @settings(max_examples=400, deadline=None)
    def refused_or_legal(text, number):
        state = states[number]
        try:
            state.play(text)
        except hanpan.IllegalAction as refused:
            assert refused.code
            assert refused.message.strip()
        try:
            assert str(game.parse(text)) == text
        except ValueError as reason:
            assert str(reason).strip()

    refused_or_legal()


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({name for name, _ in VARIANTS}))
def test_twenty_thousand_damaged_texts(name):
    """Real texts with a few letters changed, dropped, doubled or moved: an error that is documented, or a right position."""
    game = hanpan.game(name)
    dice = random.Random(8)
    states = [state for state in random_states(game, 9, 60) if not state.over]
    alphabet = "abcdefghijkrvhpxw0123456789-+|/,. sdl"
    for _ in range(10_000):
        state = dice.choice(states)
        action = dice.choice(state.legal() or [state.draw(1) if state.chance else "p"])
        try:
            state.play(damaged(action, dice, alphabet))
        except hanpan.IllegalAction as refused:
            assert refused.code
            assert refused.message
        text = damaged(str(state), dice, alphabet)
        try:
            assert str(game.parse(text)) == text
        except ValueError as reason:
            assert ":" in str(reason)


def damaged(text, dice, alphabet):
    letters = list(text)
    for _ in range(dice.randint(1, 3)):
        at = dice.randrange(len(letters) + 1)
        what = dice.randrange(4)
        if what == 0:
            letters.insert(at, dice.choice(alphabet))
        elif at < len(letters):
            if what == 1:
                letters[at] = dice.choice(alphabet)
            elif what == 2:
                del letters[at]
            else:
                other = dice.randrange(len(letters))
                letters[at], letters[other] = letters[other], letters[at]
    return "".join(letters)


@pytest.mark.parametrize("value", [None, 1.5, [], {}, "nonsense", -1, 10**9, "", b"x", True, False, "0", float("nan")])
@pytest.mark.parametrize("name", sorted({name for name, _ in VARIANTS}))
def test_bad_options_are_named(name, value):
    for option in hanpan.game(name).book.options:
        try:
            hanpan.game(name, **{option.name: value})
        except ValueError as reason:
            assert str(reason).startswith(f"{option.name}: ") or ":" in str(reason)
    with pytest.raises(ValueError, match=f"colour: {name} has no such option"):
        hanpan.game(name, colour=value)


@pytest.mark.parametrize("name", sorted({name for name, _ in VARIANTS}))
def test_options_may_come_from_arrays_and_are_kept_as_plain_values(name):
    plain = hanpan.game(name)
    same = hanpan.game(name, **{key: np.array([value])[0] for key, value in plain.options.items()})
    assert same == plain
    assert json.dumps(same.options) == json.dumps(plain.options)
    assert repr(same) == repr(plain)


@pytest.mark.parametrize("value", [None, 5, "", "chess", "Kulami", "kulami "])
def test_an_unknown_game_is_answered_with_the_known_ones(value):
    with pytest.raises(ValueError, match="goita, kulami, puoribor, reversedrop"):
        hanpan.game(value)


@pytest.mark.parametrize("value", [4, -1, True, "1", 1.0])
def test_an_unknown_seat_is_named(value):
    with pytest.raises(ValueError, match="seat: "):
        hanpan.game("kulami").start().view(value)
    with pytest.raises(ValueError, match="seat: "):
        hanpan.game("kulami").parse(str(hanpan.game("kulami").start()), viewer=value)
