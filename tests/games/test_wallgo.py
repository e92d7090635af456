"""Wall Go: pieces walk, walls stay, and the land is shared out."""

import gzip
import json
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hanpan
from hanpan.games.wallgo import names, regions, rules
from hanpan.games.wallgo.steps import SIDES, STEP_X, STEP_Y
from hanpan.rule import CHANCE, OVER, below, plain, rng
from hanpan.words import LANGUAGES, Phrase, load

MANY = [
    {"players": 2, "size": 3, "pieces": 1},
    {"players": 2, "size": 3, "pieces": 4},
    {"players": 3, "size": 3, "pieces": 3},
    {"players": 3, "size": 4, "pieces": 2, "tie_break": "largest"},
    {"players": 3, "size": 5, "pieces": 5},
    {"players": 2, "size": 7, "pieces": 4},
    {"preset": "tv"},
    {"players": 2, "size": 8, "pieces": 3},
    {"players": 3, "size": 11, "pieces": 5},
    {"players": 2, "size": 11, "pieces": 1},
]


def wallgo(**options):
    return hanpan.game("wallgo", **options)


def random_game(game, seed):
    """A random game from the dice to its end, as states."""
    choose = random.Random(seed)
    state = game.start(seed=seed)
    yield state
    while not state.over:
        state = state.play(choose.choice(state.legal()))
        yield state


def refused(state, text):
    """The code and the English sentence with which an action is refused."""
    with pytest.raises(hanpan.IllegalAction) as caught:
        state.play(text)
    return caught.value.code, caught.value.message


# --- recorded games ---


def test_recorded_games_are_reproduced(traces):
    with gzip.open(traces / "wallgo.jsonl.gz", "rt") as lines:
        for line in map(json.loads, lines):
            state = wallgo(**line["options"]).parse(line["start"])
            for ply in line["plies"]:
                legal = state.legal()
                assert (state.seat, len(legal), legal) == (ply["seat"], ply["n"], ply.get("legal", legal))
                state = state.play(ply["action"])
                assert str(state) == ply["after"]
            assert (state.over, state.winner, state.scores) == (line["over"], line["winner"], line["scores"])
            assert state.legal() == []


# --- the rules, told a second time with sets of cells, and compared ---


class Told:
    """A position read from its text alone."""

    def __init__(self, text):
        rows, walls, order, seat = text.split(" ")
        self.rows = rows.split("/")
        self.size = len(self.rows)
        self.walls = set() if walls == "-" else set(walls.split(","))
        self.order, self.seat = order, seat
        self.cells = [(x, y) for y in range(self.size) for x in range(self.size)]
        self.pieces = {(x, y): self.rows[y][x] for x, y in self.cells if self.rows[y][x] != "."}

    def edge(self, x, y, side):
        """The text of an edge, None on the rim."""
        dx, dy = {"u": (0, -1), "d": (0, 1), "l": (-1, 0), "r": (1, 0)}[side]
        if not (0 <= x + dx < self.size and 0 <= y + dy < self.size):
            return None
        return f"{chr(97 + min(x, x + dx))}{1 + min(y, y + dy)}{'|' if dx else '-'}"

    def free_sides(self, x, y):
        return [side for side in "udlr" if self.edge(x, y, side) and self.edge(x, y, side) not in self.walls]

    def neighbours(self, x, y):
        return [(x + {"l": -1, "r": 1}.get(side, 0), y + {"u": -1, "d": 1}.get(side, 0)) for side in self.free_sides(x, y)]

    def regions(self):
        left = set(self.cells)
        while left:
            region, fresh = set(), {left.pop()}
            while fresh:
                region |= fresh
                fresh = {beside for cell in fresh for beside in self.neighbours(*cell)} - region
            left -= region
            yield region, {self.pieces[cell] for cell in region if cell in self.pieces}

    def turns(self, seat):
        for start in (cell for cell, owner in self.pieces.items() if owner == seat):
            ends = reached = {start}
            for _ in range(2):
                reached = {beside for cell in reached for beside in self.neighbours(*cell) if beside not in self.pieces}
                ends = ends | reached
            for end in ends:
                walked = "" if end == start else f"-{chr(97 + end[0])}{1 + end[1]}"
                yield from (f"{chr(97 + start[0])}{1 + start[1]}{walked}{side}" for side in self.free_sides(*end))

    def scores(self, players):
        return [sum(len(region) for region, owners in self.regions() if owners == {str(seat + 1)}) for seat in range(players)]

    def contested(self):
        return any(len(owners) > 1 for _, owners in self.regions())


@pytest.mark.parametrize("options", MANY, ids=str)
def test_turns_regions_and_the_end_are_what_the_page_says(options):
    game = wallgo(**options)
    for seed in range(1 if game.options["size"] > 7 else 4):
        for state in random_game(game, seed):
            told = Told(str(state))
            assert state.scores == told.scores(game.seats)
            if len(told.pieces) < game.seats * game.options["pieces"]:
                assert state.legal() == sorted(names.name(told.size, y * told.size + x) for x, y in told.cells if (x, y) not in told.pieces)
                continue
            assert state.over == (not told.contested())
            if not state.over:
                assert state.legal() == sorted(told.turns(told.seat))


def test_a_seat_that_is_walled_in_is_skipped_and_only_that_one():
    skipped = 0
    for seed in range(60):
        before = None
        for state in random_game(wallgo(players=3, size=4, pieces=2), seed):
            told = Told(str(state))
            if before is not None and state.seat is not None and before.walls:
                after = told.order.index(before.seat)
                for place in (after + 1, after + 2):
                    seat = told.order[place % 3]
                    if seat == told.seat:
                        break
                    skipped += 1
                    assert not list(told.turns(seat))
            before = told
    assert skipped > 20


# --- interpreted = compiled ---


@pytest.mark.parametrize("options", MANY, ids=str)
def test_interpreted_is_compiled(options):
    game = wallgo(**options)
    asked = ("mover", "legal", "apply", "chance", "outcome", "forced", "seats", "actions")
    twins = {name: plain(getattr(rules, name)) for name in asked}
    compiled, interpreted = game.start().record, game.start().record
    out, again = game.book.actions_buffer(), game.book.actions_buffer()
    scores, same = game.book.scores_buffer(), game.book.scores_buffer()
    dice = rng(11)
    with np.errstate(all="raise"):
        while True:
            s, t = compiled[0], interpreted[0]
            who = rules.mover(s)
            assert who == twins["mover"](t)
            assert rules.outcome(s, scores) == twins["outcome"](t, same)
            assert (scores == same).all()
            if who == OVER:
                break
            if who == CHANCE:
                rules.chance(s, rng(5))
                twins["chance"](t, rng(5))
            else:
                n = rules.legal(s, out)
                assert n == twins["legal"](t, again)
                assert (out[:n] == again[:n]).all()
                assert 0 <= out[:n].min() <= out[:n].max() < rules.actions(s) == twins["actions"](t) <= rules.ACTIONS
                assert rules.forced(s, rng(n)) == twins["forced"](t, rng(n)) in out[:n]
                action = int(out[below(dice, n)])
                rules.apply(s, action)
                twins["apply"](t, action)
            assert compiled.tobytes() == interpreted.tobytes()
    assert rules.seats(compiled[0]) == game.seats


def test_five_pieces_far_apart_have_the_most_turns():
    state = wallgo(size=11, pieces=5).start().play("dice 6 1")
    for place in ("d4", "a1", "h4", "b1", "d8", "a11", "h8", "k1", "f6", "k11"):
        state = state.play(place)
    assert len(state.legal()) == rules.MOST_LEGAL == 260


def test_a_region_may_lie_across_the_border_of_the_two_words():
    assert [plain(regions.count)(word) for word in (0, 1, regions.FULL)] == [0, 1, regions.WORD]
    rows = [".1........." if y == 0 else "......2...." if y == 5 else "..........." for y in range(11)]
    state = wallgo(size=11, pieces=1).parse("/".join(rows) + " e6|,f5-,f6-,g5-,g6-,g6| 12 -")  # f6 and g6 are cells 60 and 61
    assert (state.scores, state.winner) == ([119, 2], [0])


# --- order and placing ---


@pytest.mark.parametrize(
    ("dice", "order"),
    [("6 1", "12"), ("1 6", "21"), ("4 4", "12"), ("3 5 2", "213"), ("2 2 2", "123"), ("2 5 5", "231"), ("5 2 5", "132"), ("1 2 3", "321"), ("2 6 2", "213")],
)
def test_the_highest_die_goes_first_and_of_equal_ones_the_lower_seat(dice, order):
    state = wallgo(players=len(order), size=4, pieces=2).start()
    assert state.chance
    assert str(state) == "..../..../..../.... - - -"
    state = state.play("dice " + dice)
    assert str(state).split(" ")[2:] == [order, order[0]]
    for cell, seat in zip(("a1", "b1", "c1", "d1"), (order * 2)[:4], strict=True):
        assert state.seat == int(seat) - 1
        state = state.play(cell)


def test_drawn_dice_give_the_order_that_the_seed_gives():
    for players in (2, 3):
        first = wallgo(players=players).start()
        seen = set()
        for seed in range(60):
            assert first.play(first.draw(seed)) == wallgo(players=players).start(seed=seed)
            seen.add(str(first.play(first.draw(seed))).split(" ")[2])
        assert len(seen) == (2 if players == 2 else 6)


def test_nothing_is_tested_while_placing():
    state = wallgo(size=3, pieces=1).start().play("dice 2 1")
    assert state.scores == [0, 0]
    state = state.play("b2")
    assert (state.over, state.scores) == (False, [9, 0])
    state = state.play("b3")
    assert (state.over, state.scores, state.seat) == (False, [0, 0], 0)


def test_the_board_may_be_full():
    state = wallgo(players=3, size=3, pieces=3).start(seed=1)
    for cell in (x + y for x in "abc" for y in "123"):
        state = state.play(cell)
    assert len(state.legal()) == sum(1 for cell in state.legal() if "-" not in cell) > 0


def test_television_puts_two_pieces_each_and_places_one_two_two_one():
    state = wallgo(preset="tv").start().play("dice 3 5")
    assert str(state) == "......./.2...1./......./......./......./.1...2./....... - 21 2"
    for cell, seat in (("a1", 1), ("b1", 0), ("c1", 0), ("d1", 1)):
        assert state.seat == seat
        state = state.play(cell)
    assert str(state) == "2112.../.2...1./......./......./......./.1...2./....... - 21 2"
    assert "b2-c3r" in state.legal()
    assert state.play("b2-c3r").seat == 0
    assert wallgo(preset="tv").options == {"players": 2, "size": 7, "pieces": 4, "tie_break": "largest", "preset": "tv"}


@pytest.mark.parametrize(("option", "value"), [("players", 3), ("size", 9), ("pieces", 3), ("tie_break", "none"), ("size", 3), ("pieces", 5)])
def test_television_does_not_go_with_other_options(option, value):
    with pytest.raises(ValueError, match=f"^{option}: "):
        wallgo(preset="tv", **{option: value})


def test_television_may_be_spelt_out():
    assert wallgo(preset="tv", size=7, players=2, pieces=4, tie_break="largest") == wallgo(preset="tv")


@pytest.mark.parametrize("options", [{"players": 3, "size": 3, "pieces": 4}, {"size": 3, "pieces": 5}, {"players": 3, "size": 3}])
def test_all_pieces_must_fit(options):
    with pytest.raises(ValueError, match=r"^pieces: "):
        wallgo(**options)


def test_four_by_four_holds_fifteen_pieces():
    assert wallgo(players=3, size=4, pieces=5).seats == 3


# --- the end ---

UNEQUAL = "112/.2./... a1|,a2|,a3|,b1-,b1|,b2|,b3|,c2- 12 -"  # 3 + 1 against 2 + 2, and one cell is nobody's
EQUAL = "112/.2./... a1|,a2|,a3|,b1-,b1|,b2-,b2|,b3| 12 -"  # 3 + 1 against 3 + 1


@pytest.mark.parametrize(("position", "tie_break", "winner"), [(UNEQUAL, "none", []), (UNEQUAL, "largest", [0]), (EQUAL, "none", []), (EQUAL, "largest", [])])
def test_a_tie_is_a_draw_unless_the_largest_region_decides(position, tie_break, winner):
    state = wallgo(size=3, pieces=2, tie_break=tie_break).parse(position)
    assert (state.over, state.scores, state.winner, state.seat) == (True, [4, 4], winner, None)


def test_the_largest_region_does_not_beat_more_land():
    state = wallgo(size=3, pieces=2, tie_break="largest").parse("1.2/12./... a1|,a2|,a3|,b1-,b1|,b2|,b3|,c2- 12 -")
    assert (state.scores, state.winner) == ([3, 4], [1])


def test_three_seats_may_tie_for_the_top():
    position = "123/.../... a1|,a2|,a3|,b1|,b2|,b3| 123 -"
    for tie_break in ("none", "largest"):
        state = wallgo(players=3, size=3, pieces=1, tie_break=tie_break).parse(position)
        assert (state.scores, state.winner) == ([3, 3, 3], [])


# --- time ---


def test_the_penalty_wall_is_drawn_from_all_pairs_of_piece_and_free_edge():
    state = wallgo(size=3, pieces=2).start().play("dice 6 1").play("a1").play("c3").play("b1").play("c2")
    pairs = sorted(action for action in state.legal() if "-" not in action)
    assert pairs == ["a1d", "a1r", "b1d", "b1l", "b1r"]  # the edge between the two counts for both
    drawn = [state.forced(seed) for seed in range(2000)]
    assert sorted(set(drawn)) == pairs
    assert all(abs(drawn.count(action) - 400) < 80 for action in pairs)


def test_while_placing_time_out_takes_a_random_empty_cell():
    state = wallgo(size=3, pieces=2).start().play("dice 6 1").play("b2")
    drawn = [state.forced(seed) for seed in range(1600)]
    assert sorted(set(drawn)) == state.legal()
    assert all(abs(drawn.count(cell) - 200) < 60 for cell in state.legal())


def test_steps_already_made_stay_when_time_runs_out():
    state = wallgo(size=3, pieces=1).start().play("dice 6 1").play("a1").play("c3")
    assert {state.forced(seed, draft=("a1", "b2")) for seed in range(60)} == {"a1-b2u", "a1-b2d", "a1-b2l", "a1-b2r"}
    assert {state.forced(seed, draft=("a1",)) for seed in range(60)} == {"a1d", "a1r"}


def test_a_draft_that_begins_no_turn_is_forgotten():
    # A cell that a piece has just entered always has a free edge: the one it came over. So only a draft that was never possible ends here.
    state = wallgo(size=3, pieces=1).parse("1../.../..2 b1-,b1| 12 1")
    assert {state.forced(seed, draft=("a1", "c1")) for seed in range(60)} == {"a1d", "a1r"}


# --- texts ---


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
        return sorted(part.partition("}")[0] for part in value.split("{")[1:])

    english = load("hanpan.games.wallgo", "en")
    for language in LANGUAGES:
        assert shape(load("hanpan.games.wallgo", language)) == shape(english)


# --- what one sees ---


def test_land_is_tinted_by_owner_and_contested_land_by_nobody():
    game = wallgo(size=3, pieces=2)
    look = game.parse("122/.1./... a1|,a2|,a3|,b1-,b1|,b3|,c2- 12 2").scene().look
    assert {tint.places: tint.seat for tint in look.tints} == {("a1", "a2", "a3"): 0, ("b1",): 1, ("c1", "b2", "c2", "b3"): None}  # c3 is nobody's
    assert [piece.id for piece in look.pieces if piece.kind == "stone"] == ["s1-0", "s1-1", "s2-0", "s2-1"]
    assert game.start().play("dice 1 2").play("a1").scene().look.tints == ()


def test_a_turn_is_pointed_at_by_piece_cell_and_edge():
    state = wallgo().start().play("dice 6 1")
    assert state.clicks("c3") == ("c3",)
    for cell in ("b2", "b6", "f6", "f2", "d4", "a7", "g1", "g7"):
        state = state.play(cell)
    assert state.clicks("b2-c3r") == ("b2", "c3", "c3|")
    assert state.clicks("b2-c3l") == ("b2", "c3", "b3|")
    assert state.clicks("b2-c3u") == ("b2", "c3", "c2-")
    assert state.clicks("b2r") == ("b2", "b2", "b2|")
    scene = state.scene(targets=True)
    assert scene.targets == ("b2", "d4", "f6", "g1")
    kinds = [place.kind for place in scene.board.places]
    assert (kinds.count("cell"), kinds.count("slot")) == (49, 84)
    after = state.play("b2-c3r").scene()
    assert [piece.id for piece in after.look.pieces if piece.kind == "wall"] == ["wall-c3|"]
    assert {mark.place for mark in after.look.marks} == {"b2", "c3", "c3|"}


def test_counters_show_pieces_to_place_and_then_the_area():
    state = wallgo(size=3, pieces=1).start().play("dice 6 1").play("a1")
    assert [(counter.seat, counter.say, counter.value) for counter in state.scene().look.counters] == [
        (0, Phrase("counters.left"), "0"),
        (1, Phrase("counters.left"), "1"),
    ]
    state = state.play("c3").play("a1d").play("c3u").play("a1r")
    assert state.over
    assert [(counter.say, counter.value) for counter in state.scene().look.counters] == [(Phrase("counters.area"), "1"), (Phrase("counters.area"), "8")]


def test_action_numbers_are_as_documented():
    size = 7
    for start in range(size * size):
        for step in range(13):
            x, y = start % size + int(STEP_X[step]), start // size + int(STEP_Y[step])
            if 0 <= x < size and 0 <= y < size:
                for side in range(4):
                    assert names.turn(size, (start * 13 + step) * 4 + side) == (start, y * size + x, side)
    assert names.action(size, size * size * 52 + 8) == "b2"
    assert SIDES == "udlr"
