"""Reverse Drop: texts and refusals."""

import contextlib
import json
from importlib.resources import files

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reversedrop_table import BY_HAND, CELLS, EMPTY, OPEN, PACKAGE, WAITING, moves_by_the_page, position, refused, rows, signs

import hanpan

# --- Refusals ---


REFUSALS = [
    (OPEN, "hello", "unreadable", "“hello” can't be read as an action of this game."),
    (OPEN, "e5-k5", "off-board", "k5 is off the board: columns go from a to j, rows from 1 to 10."),
    (OPEN, "e5-e0", "off-board", "e0 is off the board: columns go from a to j, rows from 1 to 10."),
    (OPEN, "e5-e6+e11", "off-board", "e11 is off the board: columns go from a to j, rows from 1 to 10."),
    (OPEN, "a1-a2", "no-piece", "There is no piece on a1."),
    (OPEN, "a1-j9", "no-piece", "There is no piece on a1."),
    (OPEN, "c1-c2", "not-your-piece", "The piece on c1 is not yours."),
    (OPEN, "e5-g7", "not-neighbour", "A piece steps one cell up, down, left or right; g7 is not beside e5."),
    (OPEN, "e5-e5", "not-neighbour", "A piece steps one cell up, down, left or right; e5 is not beside e5."),
    (OPEN, "e5-d4+d3", "not-neighbour", "A piece steps one cell up, down, left or right; d4 is not beside e5."),
    (position("j5 e5", "a6 c1"), "j5-a6", "not-neighbour", "A piece steps one cell up, down, left or right; a6 is not beside j5."),
    (position("e5 e6", "a1 c1"), "e5-e6", "taken", "e6 is taken; choose an empty cell."),
    (BY_HAND, "c3", "taken", "c3 is taken; choose an empty cell."),
    (OPEN, "e5-e4", "choice-missing", "Landing on e4 brings a new piece: choose its cell, one of d4, e3, f4."),
    (OPEN, "e5-e6", "choice-missing", "Landing on e6 brings a new piece: choose its cell, one of d6, f6."),
    (position("e2 g7", "a1 c1"), "e2-e1+d1", "choice-not-allowed", "Landing on e1 brings no new piece, so there is no cell to choose."),
    (position("e2 g7", "a1 c1"), "e2-e1+j9", "choice-not-allowed", "Landing on e1 brings no new piece, so there is no cell to choose."),
    (OPEN, "e5-f5+f3", "choice-not-a-side", "f3 is not one of the three cells beside f5 where the new piece may come."),
    (OPEN, "e5-e4+e5", "choice-not-a-side", "e5 is not one of the three cells beside e4 where the new piece may come."),
    (OPEN, "e5-e4+a1", "choice-not-a-side", "a1 is not one of the three cells beside e4 where the new piece may come."),
    (OPEN, "e5-e6+e7", "choice-taken", "e7 is taken; the new piece needs an empty cell."),
    (BY_HAND, "c3-c4", "setup-first", "The set-up comes first: 2 black and 5 white pieces are still to be placed."),
    (BY_HAND, "c3-j9", "setup-first", "The set-up comes first: 2 black and 5 white pieces are still to be placed."),
    (WAITING, "c3-c4", "setup-first", "The set-up comes first: 2 black and 1 white pieces are still to be placed."),
    (WAITING, "c3", "setup-first", "The set-up comes first: 2 black and 1 white pieces are still to be placed."),
    (OPEN, "a1", "already-set-up", "All pieces are on the board already; move one, as in c3-c4."),
    (WAITING, "deal", "unreadable", "“deal” can't be read as an action of this game."),
    (WAITING, "setup", "bad-rows", "A set-up is 10 rows of 10 cells, written with . b w and joined by /."),
    (WAITING, f"setup {EMPTY}/", "bad-rows", "A set-up is 10 rows of 10 cells, written with . b w and joined by /."),
    (WAITING, f"setup  {EMPTY}", "bad-rows", "A set-up is 10 rows of 10 cells, written with . b w and joined by /."),
    (WAITING, f"setup {rows('a1 b1', 'c1').replace('w', 'x')}", "bad-rows", "A set-up is 10 rows of 10 cells, written with . b w and joined by /."),
    (WAITING, f"setup {rows('a1', 'c1 d1')}", "wrong-numbers", "The set-up needs 2 black and 1 white pieces; this one has 1 and 2."),
]


@pytest.mark.parametrize(("state", "text", "code", "sentence"), REFUSALS, ids=[f"{text[:12]}-{code}" for _, text, code, _ in REFUSALS])
def test_a_refusal_says_why(state, text, code, sentence):
    before = str(state)
    assert refused(state, text) == (code, sentence)
    assert str(state) == before


def test_every_refusal_is_reached():
    words = json.loads(files(PACKAGE).joinpath("words", "en.json").read_text("utf-8"))
    assert set(words["refusals"]) == {code for _, _, code, _ in REFUSALS} - {"unreadable"}


@pytest.mark.parametrize(
    "text", [None, 5, b"e5-e4+d4", "E5-E4+D4", "e5-e4+", "e5 e4", "e5-e4+d4 ", " e5-e4+d4", "e5-e4-d4", "e05-e4+d4", "e5-e4+d4\n", "ｅ5-e4+d4", "e٥-e4"]
)
def test_what_is_not_written_like_an_action_is_unreadable(text):
    assert refused(OPEN, text)[0] == "unreadable"


def test_any_other_text_of_two_or_three_cells_has_its_reason():
    state = position("e5 j1", "e7 a1 d5")
    known = set(moves_by_the_page(signs(state), "b"))
    near = [name for name in CELLS if name[0] in "cdefj" and name[1:] in "124567"]
    for origin in ("e5", "j1", "e7", "c4"):
        for landing in near:
            for text in (f"{origin}-{landing}", *(f"{origin}-{landing}+{new}" for new in near)):
                if text in known:
                    assert state.play(text)
                else:
                    assert refused(state, text)[0] not in {"unreadable", "off-board", "setup-first", "already-set-up"}


# --- Position texts ---


GOOD = rows("e5 g7", "a1 c1")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "position: it has 3 fields"),
        (f"{GOOD} b", "position: it has 3 fields"),
        (f"{GOOD} b 0 ", "position: it has 3 fields"),
        (f"{GOOD}  b 0", "position: it has 3 fields"),
        (f"{GOOD}/.......... b 0", "rows: there are 10 rows, not 11"),
        (f"{GOOD[:-1]} b 0", "rows: row 10, '.........', is not 10 of . b w"),
        (f"{GOOD.upper()} b 0", "rows: row 1"),
        (f"{GOOD[:-1]}x b 0", "rows: row 10"),
        (f"{GOOD} x 0", "side: 'x' is not b, w or -"),
        (f"{GOOD}  0", "side: '' is not b, w or -"),
        (f"{GOOD} - 0", "side: it is '-', but the game is not over here"),
        (f"{rows('e5', 'a1 c1')} b 0", "side: it is 'b', but the game is over here"),
        (f"{GOOD} b 300", "side: it is 'b', but the game is over here"),
        (f"{GOOD} b 301", "plies: 301 is beyond max_plies, 300"),
        (f"{GOOD} - 301", "plies: 301 is beyond max_plies, 300"),
        (f"{GOOD} b -1", "plies: '-1' is neither"),
        (f"{GOOD} b 00", "plies: '00' is neither"),
        (f"{GOOD} b 1.0", "plies: '1.0' is neither"),
        (f"{GOOD} b ٣", "plies: '٣' is neither"),
        (f"{GOOD} b 9999999999", "plies: '9999999999' is neither"),
        (f"{GOOD} b 1\n", "plies: "),
        (f"{GOOD} b", "position: "),
        (f"{GOOD} b setup", "rows: the board is empty before a random set-up"),
        (f"{EMPTY} w setup", "side: it is 'b' during set-up, not 'w'"),
        (f"{EMPTY} - setup", "side: it is 'b' during set-up, not '-'"),
        (f"{EMPTY} b 0", "side: it is 'b', but the game is over here"),
    ],
)
def test_an_impossible_position_is_refused_with_the_field(text, reason):
    with pytest.raises(ValueError, match="^" + reason.replace(".", "[.]").replace("(", "[(]")):
        hanpan.game("reversedrop").parse(text)


@pytest.mark.parametrize(
    ("black", "white", "reason"),
    [
        ("a1 b1 c1", "", "rows: 3 black and 0 white are more than the 2 and 2 to be set up"),
        ("a1 b1", "c1 d1 e1", "rows: 2 black and 3 white are more than the 2 and 2 to be set up"),
        ("a1", "c1", "rows: white pieces lie before all 2 black ones do"),
        ("", "c1", "rows: white pieces lie before all 2 black ones do"),
        ("a1 b1", "c1 d1", "plies: all pieces are set up, so it is a number"),
    ],
)
def test_an_impossible_set_up_by_hand_is_refused_with_the_field(black, white, reason):
    game = hanpan.game("reversedrop", setup="manual", black=2, white=2)
    with pytest.raises(ValueError, match=reason):
        game.parse(f"{rows(black, white)} b setup")


def test_a_position_may_be_composed():
    """Other numbers of pieces than the options say, and white to move at the beginning, are fine."""
    state = position("e5 g7 a9 b9 c9 d9", "a1 c1", "w", 0)
    assert state.seat == 1
    assert str(state.play("a1-b1")).endswith(" b 1")


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet=".....bw", min_size=100, max_size=100), st.sampled_from("bw"), st.integers(0, 310), st.sampled_from([0, 40, 300]))
def test_any_board_is_a_position_with_exactly_one_kind_of_side_field(board, side, plies, limit):
    game = hanpan.game("reversedrop", max_plies=limit)
    field = "/".join(board[i : i + 10] for i in range(0, 100, 10))
    right = []
    for turn in (side, "-"):
        with contextlib.suppress(ValueError):
            right.append(game.parse(f"{field} {turn} {plies}"))
            assert str(right[-1]) == f"{field} {turn} {plies}"
            assert right[-1].over == (turn == "-")
            assert right[-1].scores == [board.count("b"), board.count("w")]
    assert len(right) == (0 if 0 < limit < plies else 1)
