"""Reverse Drop Chess, in sentences."""

import contextlib
import gzip
import json
import random
from importlib.resources import files

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hanpan
from hanpan import drive
from hanpan.games.reversedrop import rules
from hanpan.games.reversedrop.traces import check
from hanpan.rule import CHANCE, OVER, below, plain, rng

PACKAGE = "hanpan.games.reversedrop"
EMPTY = "/".join(["." * 10] * 10)
CELLS = [f"{column}{row}" for row in range(1, 11) for column in "abcdefghij"]


def rows(black="", white=""):
    """Ten rows with pieces on the named cells."""
    signs = ["."] * 100
    for sign, names in (("b", black), ("w", white)):
        for name in names.split():
            signs[CELLS.index(name)] = sign
    return "/".join("".join(signs[i : i + 10]) for i in range(0, 100, 10))


def position(black, white, side="b", plies=0, **options):
    return hanpan.game("reversedrop", **options).parse(f"{rows(black, white)} {side} {plies}")


def signs(state):
    """What lies on the cells, by name."""
    return dict(zip(CELLS, str(state).partition(" ")[0].replace("/", ""), strict=True))


def random_states(game, seed, plies=10_000):
    dice = random.Random(seed)
    state = game.start()
    yield state
    for _ in range(plies):
        if state.over:
            return
        state = state.play(state.draw(dice.getrandbits(30)) if state.chance else dice.choice(state.legal()))
        yield state


def refused(state, text):
    with pytest.raises(hanpan.IllegalAction) as wrong:
        state.play(text)
    return wrong.value.code, wrong.value.message


# --- The rules read from their page, slowly: a board is a dict, a landing is looked at side by side. ---

AROUND = ((0, -1), (1, 0), (0, 1), (-1, 0))


def beside(name):
    x, y = "abcdefghij".index(name[0]), int(name[1:]) - 1
    return [f"{'abcdefghij'[x + dx]}{y + dy + 1}" if 0 <= x + dx < 10 and 0 <= y + dy < 10 else None for dx, dy in AROUND]


def moves_by_the_page(board, own):
    """Every action text with the board after it."""
    enemy = "w" if own == "b" else "b"
    found = {}
    for origin in CELLS:
        if board[origin] != own:
            continue
        for landing in beside(origin):
            if landing is None or board[landing] != ".":
                continue
            sides = [side for side in beside(landing) if side != origin]
            kinds = sorted("#" if side is None else {".": "E", own: "O", enemy: "X"}[board[side]] for side in sides)
            moved = {**board, origin: ".", landing: own}
            text = f"{origin}-{landing}"
            free = [side for side in sides if side and board[side] == "."]
            enemies = [side for side in sides if side and board[side] == enemy]
            if kinds == ["E", "E", "E"]:
                found.update({f"{text}+{new}": {**moved, new: own} for new in free})
            elif kinds == ["E", "E", "X"]:
                found.update({f"{text}+{new}": {**moved, new: own, enemies[0]: own} for new in free})
            elif kinds == ["X", "X", "X"]:
                found[text] = {**moved, landing: enemy}
            else:
                found[text] = moved
    return found


def over_by_the_page(board):
    return any(list(board.values()).count(own) < 2 or not moves_by_the_page(board, own) for own in "bw")


@pytest.mark.parametrize("options", [{}, {"black": 30, "white": 30}, {"black": 2, "white": 20}, {"black": 30, "white": 2}])
def test_the_fast_rules_are_the_rules_of_the_page(options):
    for seed in range(3):
        for state in random_states(hanpan.game("reversedrop", max_plies=0, **options), seed, 120):
            if state.chance:
                continue
            board = signs(state)
            assert state.over == over_by_the_page(board)
            if not state.over:
                known = moves_by_the_page(board, "bw"[state.seat])
                assert state.legal() == sorted(known)
                text = random.Random(str(state)).choice(state.legal())
                assert signs(state.play(text)) == known[text]


# --- The original's games ---


def lines(folder, name):
    with gzip.open(folder / f"{name}.jsonl.gz", "rt") as file:
        return [json.loads(line) for line in file]


def difference(line):
    return check(line, hanpan.game)


def test_games_of_the_original_are_reproduced(traces):
    for line in lines(traces, "reversedrop")[::8]:
        state = hanpan.game("reversedrop", **line["options"]).parse(line["start"])
        assert str(state) == line["start"]
        for ply in line["plies"]:
            legal = state.legal()
            assert (state.seat, len(legal)) == (ply["seat"], ply["n"])
            assert legal == ply.get("legal", legal)
            state = state.play(ply["action"])
            assert str(state) == ply["after"]
        assert (state.over, state.winner, state.scores) == (line["over"], line["winner"], line["scores"])


@pytest.mark.parametrize(("name", "number"), [("reversedrop-cases", 480), ("reversedrop-ends", 300)])
def test_every_landing_and_every_end_of_the_original_is_reproduced(traces, name, number):
    known = lines(traces, name)
    assert len(known) == number
    for line in known:
        assert difference(line) is None


def test_an_altered_landing_is_noticed(traces):
    dice = random.Random(1)
    for line in dice.sample(lines(traces, "reversedrop-cases"), 60):
        text = json.dumps(line)
        at = dice.choice([i for i, sign in enumerate(text) if sign in ".BWEXO#0123456789"])
        group = next(group for group in (".BW", "EXO#", "0123456789") if text[at] in group)
        broken = text[:at] + dice.choice([sign for sign in group if sign != text[at]]) + text[at + 1 :]
        assert difference(json.loads(broken)), broken


def test_an_altered_end_is_noticed(traces):
    dice = random.Random(2)
    for line in dice.sample(lines(traces, "reversedrop-ends"), 60):
        at = dice.choice([i for i, sign in enumerate(line["board"]) if sign != "/"])
        sign = dice.choice([sign for sign in ".bw" if sign != line["board"][at]])
        changes = [
            {"board": line["board"][:at] + sign + line["board"][at + 1 :]},
            {"over": not line["over"]},
            {"over": int(line["over"])},
            {"winner": [0] if line["winner"] == [1] else [1]},
            {"winner": None if line["over"] else []},
            {"scores": [line["scores"][0] + 1, line["scores"][1]]},
            {"scores": [float(score) for score in line["scores"]]},
            {"to_move": "-"},
            {"game": "kulami"},
            {"more": 1},
        ]
        for change in changes:
            assert difference({**line, **change}), change
        assert difference({key: value for key, value in line.items() if key != "scores"})


@pytest.mark.parametrize(
    "change",
    [
        {"mover": "X"},
        {"from": [5]},
        {"to": [5, 10]},
        {"to": [5.0, 5]},
        {"from": None},
        {"sides": "EEX"},
        {"board": None},
        {"board": EMPTY},
        {"results": []},
        {"results": [{"choice": None}]},
        {"results": None},
        {"more": 1},
    ],
)
def test_a_landing_line_that_is_nonsense_is_answered_with_a_sentence(traces, change):
    line = lines(traces, "reversedrop-cases")[0]
    assert isinstance(difference({**line, **change}), str)
    doubled = {**line, "results": [*line["results"], line["results"][0]]}
    assert "twice" in difference(doubled)


# --- A turn ---

FAR = {"black": "a10 c10", "white": "a8 c8"}  # so that the game is not over


def step(black, white, text):
    """Black plays in a position that has some spare pieces in a corner."""
    return signs(position(f"{black} {FAR['black']}", f"{white} {FAR['white']}").play(text))


def test_in_the_open_a_piece_copies_itself_where_its_owner_chooses():
    state = position(f"e5 {FAR['black']}", FAR["white"])
    assert [text for text in state.legal() if text.startswith("e5-e4")] == ["e5-e4+d4", "e5-e4+e3", "e5-e4+f4"]
    after = state.play("e5-e4+d4")
    assert (signs(after)["e5"], signs(after)["e4"], signs(after)["d4"]) == (".", "b", "b")
    assert after.scores == [4, 2]
    assert after.seat == 1


def test_one_enemy_beside_the_landing_is_assimilated_and_a_new_piece_comes():
    state = position(f"e5 {FAR['black']}", f"e3 {FAR['white']}")
    assert [text for text in state.legal() if text.startswith("e5-e4")] == ["e5-e4+d4", "e5-e4+f4"]
    after = state.play("e5-e4+f4")
    assert [signs(after)[name] for name in ("e3", "e4", "f4", "d4")] == ["b", "b", "b", "."]
    assert after.scores == [5, 2]


def test_between_two_enemies_nothing_happens():
    after = step("e5", "e3 d4", "e5-e4")
    assert [after[name] for name in ("e5", "e4", "e3", "d4", "f4")] == [".", "b", "w", "w", "."]


def test_among_three_enemies_the_piece_becomes_one_of_them():
    after = step("e5", "e3 d4 f4", "e5-e4")
    assert [after[name] for name in ("e5", "e4", "e3", "d4", "f4")] == [".", "w", "w", "w", "w"]


@pytest.mark.parametrize(("black", "white"), [("e5 e3", ""), ("e5 d4 f4", ""), ("e5 e3", "d4 f4"), ("e5 e3", "d4"), ("e5 e3 d4 f4", "")])
def test_beside_an_own_piece_nothing_happens(black, white):
    after = step(black, white, "e5-e4")
    assert "".join(after.values()).count("b") == len(black.split()) + 2


@pytest.mark.parametrize(
    ("black", "white", "text"), [("e2", "", "e2-e1"), ("e2", "d1", "e2-e1"), ("b5", "a4 a6", "b5-a5"), ("j1", "i2", "j1-i1"), ("j2", "", "j2-j1")]
)
def test_a_landing_on_the_rim_does_nothing(black, white, text):
    after = step(black, white, text)
    assert ["".join(after.values()).count(sign) for sign in "bw"] == [3, len(white.split()) + 2]


def test_there_are_no_chain_reactions():
    after = step("e5", "e3 e2 d3 f3", "e5-e4+d4")
    assert [after[name] for name in ("e3", "e2", "d3", "f3")] == ["b", "w", "w", "w"]


def test_nobody_may_pass():
    state = position("e5 g7", "a1 c1")
    assert "" not in state.legal()
    assert refused(state, "pass")[0] == "unreadable"
    assert refused(state, "")[0] == "unreadable"


# --- The end ---


def test_the_game_is_over_with_one_piece_or_none():
    assert position("e5", "a1 c1", "-").winner == [1]
    assert position("e5 a1", "", "-").winner == [0]
    assert position("", "", "-").winner == []
    assert not position("e5 e6", "a1 c1").over


def test_the_game_is_over_when_a_side_is_stuck_even_if_it_is_not_to_move():
    state = position("a1 b1 a2 e5 g5", "c1 b2 d1 c3 a4")
    assert not state.over  # a2 can still go to a3
    for side in "bw":
        with pytest.raises(ValueError, match=f"side: it is '{side}', but the game is over here: '-'"):
            position("a1 b1 a2", "c1 b2 a3", side)


def test_a_stuck_side_with_more_pieces_wins():
    stuck = position("a1 b1 c1 a2 b2 a3", "d1 c2 b3 a4", "-")
    assert (stuck.winner, stuck.scores, stuck.legal(), stuck.seat) == ([0], [6, 4], [], None)


def test_the_game_may_end_by_a_move():
    state = position("e5 a1", "e3 d4 f4", "b", 7)
    after = state.play("e5-e4")
    assert str(after).endswith(" - 8")
    assert (after.over, after.winner, after.scores) == (True, [1], [1, 4])
    assert refused(after, "a1-a2") == ("over", "The game is over.")


def test_after_max_plies_the_pieces_are_counted():
    state = position("e5 g7 i9", "a1 c1", "b", 9, max_plies=10)
    after = state.play("e5-e6+d6")
    assert (str(after).split()[1:], after.winner) == (["-", "10"], [0])
    equal = position("e5 g7", "a1 c1 c3", "b", 9, max_plies=10).play("e5-e6+d6")
    assert equal.winner == []
    assert not position("e5 g7", "a1 c1", "b", 100_000, max_plies=0).over


# --- Set-up ---


def test_chance_scatters_the_pieces():
    game = hanpan.game("reversedrop", black=4, white=7)
    first = game.start()
    assert (str(first), first.chance, first.seat, first.legal(), first.over) == (f"{EMPTY} b setup", True, None, [], False)
    drawn = first.draw(5)
    assert drawn == first.draw(5) != first.draw(6)
    state = first.play(drawn)
    assert drawn == f"setup {str(state).split()[0]}"
    assert (state.scores, state.seat) == ([4, 7], 0)
    assert game.start(seed=5) == state
    assert game.parse(str(first)) == first


def test_chance_may_put_a_piece_anywhere():
    seen = {"b": set(), "w": set()}
    for seed in range(300):
        for name, sign in signs(hanpan.game("reversedrop").start(seed=seed)).items():
            seen.get(sign, set()).add(name)
    assert len(seen["b"]) == len(seen["w"]) == 100


def test_seat_1_places_all_black_pieces_then_all_white_ones_and_play_begins_by_itself():
    game = hanpan.game("reversedrop", setup="manual", black=2, white=2)
    state = game.start(seed=1)
    assert str(state) == f"{EMPTY} b setup"
    assert state.legal() == sorted(CELLS)
    for number, name in enumerate(("c3", "e5", "g7", "i9")):
        assert (state.seat, state.scores) == (0, [min(number, 2), max(number - 2, 0)])
        assert len(state.legal()) == 100 - number
        assert str(state).endswith(" b setup")
        assert game.parse(str(state)) == state
        state = state.play(name)
    assert str(state) == f"{rows('c3 e5', 'g7 i9')} b 0"
    assert state.seat == 0
    assert "c3-c4+d4" in state.legal()


def test_the_game_may_be_over_before_it_begins():
    assert hanpan.game("reversedrop", black=1).start(seed=3).winner == [1]
    state = hanpan.game("reversedrop", setup="manual", black=1, white=1).start().play("a1").play("j10")
    assert str(state) == f"{rows('a1', 'j10')} - 0"
    assert (state.over, state.winner) == (True, [])


# --- Refusals ---

OPEN = position("e5 g7", "e7 c1 g5")
BY_HAND = hanpan.game("reversedrop", setup="manual").start().play("c3")
WAITING = hanpan.game("reversedrop", black=2, white=1).start()

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


# --- Random games ---


@pytest.mark.parametrize("options", [{}, {"setup": "manual", "black": 4, "white": 6}, {"black": 30, "white": 30, "max_plies": 90}, {"black": 2, "white": 2}])
def test_in_a_random_game_the_books_are_kept(options):
    game = hanpan.game("reversedrop", **options)
    for seed in range(3):
        before = None
        for state in random_states(game, seed, 150):
            board = signs(state)
            assert state.scores == [list(board.values()).count(sign) for sign in "bw"]
            assert game.parse(str(state)) == state
            if before is not None and before.seat is not None and not str(before).endswith("setup"):
                gained = [now - then for now, then in zip(state.scores, before.scores, strict=True)]
                mine, other = gained[before.seat], gained[1 - before.seat]
                assert (mine, other) in {(0, 0), (1, 0), (2, -1), (-1, 1)}
                assert int(str(state).split()[2]) == int(str(before).split()[2]) + 1
                assert state.over or state.seat == 1 - before.seat
            before = state


def lead(state):
    return state.scores[0] - state.scores[1]


def test_greedy_play_crushes_random_play():
    """The piece difference one ply ahead is a good guide, as the original's computer shows."""
    dice = random.Random(4)
    for seed in range(2):
        state = hanpan.game("reversedrop", black=5, max_plies=120).start(seed=seed)
        while not state.over:
            legal = state.legal()
            tried = dice.sample(legal, min(8, len(legal))) if state.seat == 0 else [dice.choice(legal)]
            state = max((state.play(text) for text in tried), key=lead)
        assert state.winner == [0]


TWINS = {name: plain(getattr(rules, name)) for name in ("start", "mover", "legal", "apply", "chance", "outcome", "forced", "seats")}


@pytest.mark.parametrize(
    "codes", [(3, 5, 0, 300), (3, 5, 1, 50), (30, 30, 0, 0), (30, 30, 1, 80), (1, 1, 0, 300), (1, 30, 1, 0), (2, 30, 0, 0), (30, 2, 0, 0), (2, 2, 0, 0)]
)
def test_interpreted_is_compiled(codes):
    fast, slow = np.zeros(1, rules.State), np.zeros(1, rules.State)
    out, same = np.zeros(rules.MOST_LEGAL, np.int32), np.zeros(rules.MOST_LEGAL, np.int32)
    scores, same_scores = np.zeros(2, np.int32), np.zeros(2, np.int32)
    dice, one, other = rng(1), rng(2), rng(2)
    with np.errstate(all="raise"):
        rules.start(fast[0], *codes)
        TWINS["start"](slow[0], *codes)
        for _ in range(300):
            assert fast.tobytes() == slow.tobytes()
            who = rules.mover(fast[0])
            assert who == TWINS["mover"](slow[0])
            assert rules.outcome(fast[0], scores) == TWINS["outcome"](slow[0], same_scores)
            assert scores.tolist() == same_scores.tolist()
            n = rules.legal(fast[0], out)
            assert n == TWINS["legal"](slow[0], same)
            assert out[:n].tolist() == same[:n].tolist()
            if who == OVER:
                break
            if who == CHANCE:
                rules.chance(fast[0], one)
                TWINS["chance"](slow[0], other)
            else:
                assert rules.forced(fast[0], one) == TWINS["forced"](slow[0], other)
                a = int(out[below(dice, n)])
                rules.apply(fast[0], a)
                TWINS["apply"](slow[0], a)


def test_a_hundred_thousand_plies_stay_within_the_bounds():
    """Legal lists never reach their bound, and what is kept about the pieces always follows from them."""
    game = hanpan.game("reversedrop", black=20, white=20, max_plies=0)
    first, out, dice = game.start().record, game.book.actions_buffer(), rng(5)
    s = first.copy()
    play = drive.random_play("reversedrop")
    for _ in range(100):
        play(first, s, out, dice, 1000)
        if rules.mover(s[0]) >= 0:
            n = rules.legal(s[0], out)
            assert 0 < n <= rules.MOST_LEGAL
            assert len(set(out[:n].tolist())) == n
            assert 0 <= out[:n].min() <= out[:n].max() < rules.PLACE
            text = game.book.text.format_position(s[0])
            assert game.parse(text).record.tobytes() == s.tobytes()


def test_the_record_has_no_gaps():
    assert sum(rules.State[name].itemsize for name in rules.State.names) == rules.State.itemsize


def test_the_most_crowded_landings_fit_into_the_list():
    """Every cell of a chessboard's colour is a landing with four own neighbours."""
    board = ["b" if (x + y) % 2 else "." for y in range(10) for x in range(10)]
    board[98] = board[78] = "w"
    field = "/".join("".join(board[i : i + 10]) for i in range(0, 100, 10))
    state = hanpan.game("reversedrop").parse(f"{field} b 0")
    assert len(state.legal()) == len(moves_by_the_page(signs(state), "b")) > 150


def test_forced_actions_reach_every_legal_one():
    state = position("e5 g7", "a1 c1")
    assert {state.forced(seed) for seed in range(600)} == set(state.legal())
    by_hand = hanpan.game("reversedrop", setup="manual").start().play("c3")
    assert {by_hand.forced(seed) for seed in range(1500)} == set(by_hand.legal())


# --- What one sees ---


def test_the_scene_shows_the_discs_and_what_is_left():
    state = position("e5 g7", "a1 c1 c3", "b", 12)
    scene = state.scene(targets=True)
    assert {(piece.id, piece.kind, piece.seat) for piece in scene.look.pieces} == {
        (name, "disc", "bw".index(sign)) for name, sign in signs(state).items() if sign != "."
    }
    assert [(counter.seat, counter.say.key, counter.value) for counter in scene.look.counters] == [
        (0, "counters.pieces", "2"),
        (1, "counters.pieces", "3"),
        (None, "counters.plies_left", "288"),
    ]
    assert (scene.colours, scene.turn, scene.targets) == (("black", "white"), 0, ("e5", "g7"))
    assert state.clicks("e5-e4+d4") == ("e5", "e4", "d4")
    assert len(scene.board.places) == 100


def test_the_scene_of_a_set_up_by_hand_counts_what_is_still_to_place():
    counters = BY_HAND.scene().look.counters
    assert [(counter.seat, counter.say.key, counter.value) for counter in counters] == [
        (0, "counters.pieces", "1"),
        (1, "counters.pieces", "0"),
        (0, "counters.to_place", "2"),
        (1, "counters.to_place", "5"),
    ]
    assert BY_HAND.clicks("d4") == ("d4",)
    assert len(WAITING.scene().look.counters) == 2


def test_every_changed_cell_wears_the_halo():
    before = position("e5 g7", "e3 a1 c1")
    after = before.play("e5-e4+d4")
    changed = {name for name in CELLS if signs(before)[name] != signs(after)[name]}
    assert {mark.place for mark in after.scene().look.marks} == changed == {"e5", "e4", "d4", "e3"}


def test_everyone_sees_everything():
    for viewer in (0, 1, None):
        seen = OPEN.view(viewer)
        assert str(seen) == str(OPEN)
        assert seen.legal() == (OPEN.legal() if viewer == 0 else [])
        assert hanpan.game("reversedrop").parse(str(seen), viewer=viewer) == seen


# --- Words ---


def keys(words, before=""):
    if not isinstance(words, dict):
        return {before: sorted(part.partition("}")[0] for part in str(words).split("{")[1:])}
    return {key: value for name, inner in words.items() for key, value in keys(inner, f"{before}.{name}").items()}


def test_all_languages_say_the_same_things():
    spoken = {language: json.loads(files(PACKAGE).joinpath("words", f"{language}.json").read_text("utf-8")) for language in ("en", "ko", "ja", "zh")}
    for words in spoken.values():
        assert keys(words) == keys(spoken["en"])
        assert len(words["seats"]) == 2
        assert set(words["options"]) == {option.name for option in rules.OPTIONS}
    for language in spoken:
        page = files(PACKAGE).joinpath("words", f"{language}.md").read_text("utf-8")
        assert page.startswith(f"# {spoken[language]['name']}\n")
        assert "c3-c4+d4" in page
