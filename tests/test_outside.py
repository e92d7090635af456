"""What comes from outside: whatever it is, the documented error, which names it and quotes a short piece at most."""

import json
import random
import re

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from variants import every_variant, random_states

import hanpan
from hanpan.core import reading
from hanpan.envs import aec, batch, image, image_action
from hanpan.record import GameRecord
from hanpan.replay import check_line

LONGEST = 800  # letters of an error
DEEP = json.loads("[" * 400 + "]" * 400)
BEYOND = [DEEP, {"a": DEEP}, "\ud800", "x" * 1_000_000, 10**5000, -1, 1.5, None, True, b"x", object(), "１", " 7 ", "1_1", "٣"]

quick = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck), database=None)
texts = st.text(st.characters(categories=None, exclude_categories=()), max_size=40)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=8,
)


def named(call, *words, error=ValueError, **more):
    """What the call says; it may also take it."""
    try:
        return call(*words, **more)
    except error as refused:
        said = str(refused)
        assert 0 < len(said) <= LONGEST, said[:2000]
        said.encode()
    return None


def spoilt(text, dice):
    """A text with something in it that does not belong there."""
    at, kind = dice.randrange(len(text) + 1), dice.randrange(5)
    piece = dice.choice(["\ud800", "٣", "1_1", " ", "-", "x" * 50_000, "\n", "\r", "\x00", "0", "9", "e5", "한", "\ufeff", "+", "²"])
    return (text[:at] + piece + text[at:], text[:at] + piece + text[at + 1 :], text[:at], text[at:], text[:at] + text[at + 1 :])[kind]


@every_variant()
def test_no_text_of_a_position_or_an_action_gets_through_by_breaking_something(game):
    dice = random.Random(str(game))
    for state in list(random_states(game, 3, 30))[::5]:
        for _ in range(40):
            position = spoilt(str(state), dice)
            read = named(game.parse, position)
            assert read is None or str(read) == position
            for seat in (None, 0):
                named(game.parse, spoilt(str(state.view(seat)), dice), seat)
            action = state.draw(1) if state.chance else dice.choice(state.legal() or ["e5"])
            wrong = spoilt(action, dice)
            played = named(state.play, wrong)
            assert played is None or state.chance or wrong in state.legal()
        for other in BEYOND:
            named(game.parse, other)
            named(state.play, other)
            for question in (state.told, state.clicks):
                named(question, *((other, None) if question == state.told else (other,)))


@pytest.mark.parametrize("name", hanpan.games())
@pytest.mark.parametrize("value", BEYOND, ids=lambda value: type(value).__name__)
def test_no_value_of_an_option_gets_through_by_breaking_something(name, value):
    for key in ["name", "n", "seed", "self", "\ud800", "k" * 100_000, *hanpan.game(name).options]:
        known = key in hanpan.game(name).options
        made = named(hanpan.game, name, **{key: value})
        assert made is None or (known and made.options[key] == value)
        if known and isinstance(value, str):
            option = next(option for option in hanpan.game(name).book.options if option.name == key)
            assert named(option.read, value) is None
    named(hanpan.game, value)


@pytest.mark.parametrize("make", [hanpan.game, batch, aec])
def test_an_option_called_name_is_one_that_no_game_has(make):
    with pytest.raises(ValueError, match="name: kulami has no such option; it has board, level"):
        make("kulami", **{"name": "x"})  # noqa: PIE804 - as options come from a record


@pytest.mark.parametrize("value", [*BEYOND, []], ids=lambda value: type(value).__name__)
def test_no_language_theme_seed_seat_or_symmetry_gets_through_by_breaking_something(value):
    state = hanpan.game("tictactoe").start()
    for name in ("theme", "language"):
        assert named(state.svg, **{name: value}) is None
    assert named(state.ascii, language=value) is None
    for call in (state.game.start, state.imagine, state.forced, state.view, lambda seat: state.game.parse(str(state), seat), lambda k: image(state, k)):
        named(call, value)
    named(image_action, state, 0, value)


def test_nobody_acts_for_a_seat_whose_view_this_is_not():
    state = hanpan.game("kulami").start()
    assert state.view(0).forced(1) == state.forced(1)
    for seat in (1, None):
        with pytest.raises(ValueError, match="forced: seat 0 is to act, and this is the view of"):
            state.view(seat).forced(1)


def test_a_position_that_can_be_read_has_a_successor_that_can():
    game = hanpan.game("reversedrop", max_plies=0)
    state = game.start(seed=1)
    while state.seat is None or str(state).endswith("setup"):
        state = state.play(state.legal()[0])
    late = game.parse(re.sub(r"\d+$", "1000000000", str(state)))
    after = late.play(late.legal()[0])
    assert game.parse(str(after)) == after


@quick
@given(st.data())
def test_a_record_with_anything_in_it_is_read_or_refused(data):
    record = json.loads(GameRecord.begin(hanpan.game("tictactoe"), people={0: "Ann"}).add("b2").add("a1", forced=True).to_json())
    record[data.draw(st.sampled_from([*record, "other"]) | texts)] = data.draw(values)
    text = json.dumps(record)
    found = named(GameRecord.read, text)
    if found is not None:
        assert GameRecord.from_json(found.to_json()) == found
        assert GameRecord.from_text(found.to_text()) == found
    assert len(check_line(text) or "") <= LONGEST


@quick
@given(texts, st.integers(0, 200), st.integers(0, 5))
def test_a_text_record_with_anything_in_it_is_read_or_refused(piece, at, cut):
    text = GameRecord.begin(hanpan.game("tictactoe"), people={0: "Ann"}).add("b2").add("a1", forced=True).to_text()
    found = named(GameRecord.read, text[:at] + piece + text[at + cut :])
    if found is not None:
        assert GameRecord.from_text(found.to_text()) == found
        assert GameRecord.from_json(found.to_json()) == found


@quick
@given(values)
@example(DEEP)
def test_json_is_read_as_it_is_or_refused(value):
    text = json.dumps(value)
    found = named(reading.read_json, text)
    assert found is None or json.dumps(found) == text
    assert len(reading.quoted(value)) <= LONGEST
    reading.quoted(value).encode()


@quick
@given(texts)
@example("1_1")
@example("²")
def test_a_number_is_written_in_one_way(text):
    number = reading.whole(text)
    assert number is None or str(number) == text
