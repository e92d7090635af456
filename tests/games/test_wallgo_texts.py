"""Wall Go: texts and refusals."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wallgo_table import MANY, random_game, wallgo

import hanpan
from hanpan.core.words import LANGUAGES, load


def refused(state, text):
    """The code and the English sentence with which an action is refused."""
    with pytest.raises(hanpan.IllegalAction) as caught:
        state.play(text)
    return caught.value.code, caught.value.message


# --- texts ---


@pytest.mark.slow
@pytest.mark.parametrize("options", MANY, ids=str)
def test_positions_read_as_they_are_written(options):
    game = wallgo(**options)
    for seed in range(20, 21 if game.options["size"] > 7 else 23):
        for state in random_game(game, seed):
            again = game.parse(str(state))
            assert again == state
            assert again.legal() == state.legal()
            assert state.view(0).view(0) == state.view(0) == game.parse(str(state), viewer=0)


@given(st.integers(0, 2**32), st.sampled_from(MANY[:6]), st.data())
@settings(max_examples=40, deadline=None)
def test_a_damaged_position_is_refused_or_a_right_position(seed, options, data):
    game = wallgo(**options)
    states = list(random_game(game, seed))
    text = str(data.draw(st.sampled_from(states)))
    at = data.draw(st.integers(0, len(text)))
    for damaged in (text[:at] + text[at + 1 :], text[:at] + data.draw(st.sampled_from("abc123-|,./ ")) + text[at + 1 :], text[at:] + text[:at]):
        try:
            state = game.parse(damaged)
        except ValueError as reason:
            assert str(reason).partition(":")[0] in ("position", "rows", "walls", "order", "seat")
        else:
            assert str(state) == damaged


@pytest.mark.slow
@given(st.text(alphabet="abcdefgh123456789-udlr dice", max_size=12))
@settings(max_examples=300, deadline=None)
def test_any_text_is_legal_or_refused_with_a_reason(text):
    for state in (wallgo().start(), wallgo().start(seed=3), wallgo(size=3, pieces=1).start(seed=1).play("a1").play("c3")):
        try:
            state.play(text)
        except hanpan.IllegalAction as why:
            assert why.code
            assert why.message


SMALL = {"players": 2, "size": 3, "pieces": 1}


@pytest.mark.parametrize(
    ("options", "text", "field"),
    [
        (SMALL, "", "position"),
        (SMALL, ".../.../... - -", "position"),
        (SMALL, ".../.../... - - - -", "position"),
        (SMALL, ".../.../...  - - -", "position"),
        (SMALL, ".../... - - -", "rows"),
        (SMALL, "..../.../... - - -", "rows"),
        (SMALL, ".../.x./... - 12 1", "rows"),
        (SMALL, ".../.3./... - 12 1", "rows"),
        (SMALL, ".../.1./... - - -", "rows"),
        (SMALL, "1../1../... - 12 2", "rows"),
        (SMALL, "2../.../... - 12 1", "rows"),
        (SMALL, "1../2../1.. - 12 1", "rows"),
        (SMALL, ".../.../... a1- - -", "walls"),
        (SMALL, "1../.../... a1- 12 2", "walls"),
        (SMALL, "1../.../..2 a3- 12 2", "walls"),
        (SMALL, "1../.../..2 c1| 12 2", "walls"),
        (SMALL, "1../.../..2 d1- 12 2", "walls"),
        (SMALL, "1../.../..2 a1 12 2", "walls"),
        (SMALL, "1../.../..2 a01- 12 2", "walls"),
        (SMALL, "1../.../..2 a1-, 12 1", "walls"),
        (SMALL, "1../.../..2 a1-,a1- 12 1", "walls"),
        (SMALL, "1../.../..2 a1|,a1- 12 1", "walls"),
        (SMALL, "1../.../..2 b1-,a1- 12 1", "walls"),
        (SMALL, "1../.../..2  12 1", "walls"),
        (SMALL, "1../.../..2 - 11 1", "order"),
        (SMALL, "1../.../..2 - 1 1", "order"),
        (SMALL, "1../.../..2 - 123 1", "order"),
        (SMALL, "1../.../..2 - 13 1", "order"),
        (SMALL, "1../.../..2 - 12 2", "seat"),
        (SMALL, "1../.../..2 - 12 3", "seat"),
        (SMALL, "1../.../..2 - 12 -", "seat"),
        (SMALL, "1../.../..2 - 12 0", "seat"),
        (SMALL, "1../.../..2 a1- 12 1", "seat"),
        (SMALL, "1../.../... - 12 1", "seat"),
        (SMALL, ".../.../... - - 1", "seat"),
        (SMALL, ".../.../... - 12 -", "seat"),
        (SMALL, "1../.../..2 a1-,a1| 12 1", "seat"),  # over: a1 is seat 1's
        ({"preset": "tv"}, "......./......./......./......./......./......./....... - 12 1", "rows"),
        ({"preset": "tv"}, "......./.1...2./......./......./......./.2..1../....... - 12 1", "rows"),
        ({"preset": "tv"}, "......./.1...2./......./......./......./.2...1./....... - 21 2", "rows"),
        ({"preset": "tv"}, "11...../.1...2./......./......./......./.2...1./....... - 12 2", "rows"),
        ({"preset": "tv"}, "1122.../......./1....2./......./......./.2...1./....... - 12 1", "rows"),
        ({"preset": "tv"}, "122..../.1...2./......./......./......./.2...1./....... - 12 2", "seat"),
        ({"players": 3, "size": 3, "pieces": 1}, "1../.2./..3 a1- 123 3", "seat"),
        ({"players": 3, "size": 3, "pieces": 1}, "1../.2./..3 a1-,a1| 123 1", "seat"),  # seat 1 is walled in and skipped
    ],
)
def test_impossible_positions_are_refused_by_field(options, text, field):
    with pytest.raises(ValueError, match=f"^{field}: "):
        wallgo(**options).parse(text)


def test_after_a_skip_either_other_seat_may_be_to_move_where_that_is_possible():
    game = wallgo(players=3, size=3, pieces=1)
    # Two walls around a1 were built in the first round: then it is seat 3's turn, and no other's.
    assert game.parse("1../.2./..3 a1-,a1| 123 3").seat == 2
    with pytest.raises(ValueError, match=r"^seat: '2' can't be to move after 2 turns, but 3$"):
        game.parse("1../.2./..3 a1-,a1| 123 2")
    # Four walls: the second one around a1 was built either in the first round or in the second.
    for seat in (2, 3):
        assert game.parse(f"1../.2./..3 a1-,a1|,a2|,a3| 123 {seat}").seat == seat - 1


# --- refusals ---


def rolling():
    return wallgo(size=4, pieces=2).start()


def placing():
    return rolling().play("dice 6 1").play("b2")


def playing():
    state = placing().play("b3").play("d4").play("c4").play("b2d").play("b3-a3r")
    assert str(state) == "..../.1../2.../..21 a3|,b2- 12 1"
    return state


REFUSALS = [
    (rolling, "b2", "roll-first", "The dice decide the order first."),
    (rolling, "dice 3", "dice-count", "1 dice were rolled, but there are 2 seats."),
    (rolling, "dice 3 4 5", "dice-count", "3 dice were rolled, but there are 2 seats."),
    (rolling, "dice 3 7", "bad-dice", "A die shows 1 to 6, not 7."),
    (rolling, "dice 0 6", "bad-dice", "A die shows 1 to 6, not 0."),
    (rolling, "dice 3  4", "unreadable", "“dice 3  4” can't be read as an action of this game."),
    (placing, "dice 3 4", "already-rolled", "The order has been decided already."),
    (placing, "b2", "taken", "A piece already stands on b2."),
    (placing, "e1", "off-board", "e1 is not on this board."),
    (placing, "b2r", "place-first", "Walls come later: place all pieces first."),
    (placing, "b2-d4r", "place-first", "Walls come later: place all pieces first."),
    (playing, "a1", "already-placed", "All pieces are placed: move one of yours and build a wall."),
    (playing, "b2", "already-placed", "All pieces are placed: move one of yours and build a wall."),
    (playing, "b2-b5r", "off-board", "b5 is not on this board."),
    (playing, "a1r", "no-piece", "There is no piece on a1."),
    (playing, "a3r", "not-your-piece", "The piece on a3 belongs to seat 2."),
    (playing, "a3-d1r", "not-your-piece", "The piece on a3 belongs to seat 2."),
    (playing, "b2-d3r", "too-far", "d3 is more than two steps away from b2."),
    (playing, "b2-a3u", "onto-piece", "A piece stands on a3; end on an empty cell."),
    (playing, "b2-b4u", "blocked", "Walls or pieces are in the way: two steps do not lead from b2 to b4."),
    (playing, "d4-b4u", "blocked", "Walls or pieces are in the way: two steps do not lead from d4 to b4."),
    (playing, "d4r", "edge-of-board", "The right side of d4 is the rim; walls stand only between two cells."),
    (playing, "b2-b1u", "edge-of-board", "The upper side of b1 is the rim; walls stand only between two cells."),
    (playing, "b2d", "edge-taken", "There is a wall on the lower side of b2 already."),
]


@pytest.mark.parametrize(("position", "text", "code", "sentence"), REFUSALS)
def test_a_refusal_says_why(position, text, code, sentence):
    assert refused(position(), text) == (code, sentence)


def test_every_refusal_is_met():
    assert {code for _, _, code, _ in REFUSALS} == {*load("hanpan.games.wallgo", "en")["refusals"], "unreadable"}


def test_refusals_can_be_said_in_every_language():
    for position, text, _, _ in REFUSALS:
        with pytest.raises(hanpan.IllegalAction) as caught:
            position().play(text)
        if caught.value.code != "unreadable":
            assert len({position().game.book.say(caught.value.phrase, language) for language in LANGUAGES}) == 4


def test_a_legal_turn_in_another_spelling_is_not_read():
    state = wallgo(size=3, pieces=1).start().play("dice 6 1").play("b2").play("c3")
    for text in ("b2-b2r", "B2r", "b2 r", "b2-c2", "b02r", "b2R", "b2r ", "２", "b2\n"):
        assert refused(state, text)[0] == "unreadable"


def test_words_have_the_same_keys_and_values_in_every_language():
    def shape(value, at=""):
        if isinstance(value, dict):
            return {key: shape(item, f"{at}.{key}") for key, item in value.items()}
        if isinstance(value, list):
            return len(value)
        return sorted({part.partition("}")[0].partition(":")[0] for part in value.split("{")[1:]})  # one that is said twice agrees with itself

    english = load("hanpan.games.wallgo", "en")
    for language in LANGUAGES:
        assert shape(load("hanpan.games.wallgo", language)) == shape(english)
